"""Import the files of plugins, wherever they are."""

import contextlib
import importlib.util
import itertools
import pathlib
import sys
import types
from collections.abc import Iterable, Iterator

from ggp.errors import PluginError


def import_file(path: pathlib.Path) -> types.ModuleType:
    """Import a Python file and return its module; the file can import the files beside it.

    Raises:
        PluginError: the file's name does not end in .py. Errors that the file itself raises are passed on.
    """
    for number in itertools.count():  # two files of the same name are two modules
        name = f"ggp_plugin_{path.stem}" + (f"_{number}" if number else "")
        if name not in sys.modules:
            break
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError("it is not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = path.resolve().parent
    with _also_on_path([folder, folder.parent, *folder.parent.parent.parent.glob("*/src")]):
        try:
            spec.loader.exec_module(module)
        except ImportError as error:
            if "relative import" not in str(error) or not folder.name.isidentifier():
                raise
            del sys.modules[name]  # a module of a package is imported as one
            return importlib.import_module(f"{folder.name}.{path.stem}")
    return module


@contextlib.contextmanager
def _also_on_path(folders: Iterable[pathlib.Path]) -> Iterator[None]:
    """Let imports in the `with` block find the files beside a plugin's file, if no other module has the name."""
    before = [*sys.path]
    sys.path += [str(each) for each in folders if str(each) not in sys.path]
    try:
        yield
    finally:
        sys.path[:] = before
