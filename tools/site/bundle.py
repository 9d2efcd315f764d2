"""The files of the board to play on in the browser: Python, its packages and ggp itself are in one script.

A page that is opened from a file may fetch nothing, but it may run scripts; so everything is in one script. Starting
Python and importing ggp takes most of the time to the first board. Both steps are done when the site is built, and the
page contains Python's memory.
"""

import base64
import gzip
import importlib.metadata
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator

from ggp.notebook.board_widget import BoardWidget

ROOT = pathlib.Path(__file__).parents[2]
BROWSER = pathlib.Path(__file__).parent / "browser"
PYODIDE = ROOT / "node_modules" / "pyodide"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
PACKAGES = ("attrs", "pluggy", "traitlets", "typing_extensions")
"""Distributions in pure Python that ggp needs in the browser; the notebook's board needs `traitlets`."""
STAND_INS = ("anywidget.py", "msgspec.py", "table.py")


class MissingRuntimeError(Exception):
    """Pyodide or Node.js is not installed."""


def script() -> str:
    """Return the script that carries all files.

    Raises:
        MissingRuntimeError: Pyodide or Node.js is not installed.
        subprocess.CalledProcessError: Python does not start.
    """
    folder = pathlib.Path(os.environ.get("GGP_PYODIDE", PYODIDE))
    if not (folder / RUNTIME[0]).is_file():
        raise MissingRuntimeError(f"there is no Pyodide in {folder}: npm install pyodide, or set GGP_PYODIDE")
    data = {name: (folder / name).read_bytes() for name in RUNTIME} | {"python.zip": _python()}
    data["memory"] = _memory(folder, data["python.zip"])
    files = {
        "worker": (BROWSER / "worker.js").read_text(encoding="utf-8"),
        "board": str(BoardWidget._esm),
        "style": str(BoardWidget._css),
        "data": {name: base64.b64encode(gzip.compress(each, mtime=0)).decode() for name, each in data.items()},
    }
    return f"self.ggpFiles = {json.dumps(files)};\n"


def _memory(pyodide: pathlib.Path, python: bytes) -> bytes:
    """Return the memory of Python after `table` is imported, in the form in which Pyodide saves and restores it."""
    node = shutil.which("node")
    if node is None:
        raise MissingRuntimeError("Node.js is not installed, and it starts Pyodide: install node")
    with tempfile.TemporaryDirectory() as work:
        archive, memory = pathlib.Path(work, "python.zip"), pathlib.Path(work, "memory")
        archive.write_bytes(python)
        command = [
            node,
            str(BROWSER / "memory.mjs"),
            str((pyodide / "pyodide.mjs").resolve()),
            str(archive),
            str(memory),
        ]
        subprocess.run(command, check=True)  # noqa: S603
        return memory.read_bytes()


def _python() -> bytes:
    """Return a zip of ggp, its plugins and the packages that they need, laid out as on `sys.path`."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, content in _sources():
            archive.writestr(zipfile.ZipInfo(name), content)  # stored: all files are compressed once, in the script
    return memory.getvalue()


def _sources() -> Iterator[tuple[str, bytes]]:
    for name in STAND_INS:
        yield name, (BROWSER / name).read_bytes()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for package in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        for file in sorted((ROOT / package).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"{pathlib.Path(package).name}/{file.relative_to(ROOT / package).as_posix()}", file.read_bytes()
    version = settings["project"]["version"]
    yield f"ggp-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: ggp\nVersion: {version}\n".encode()
    groups = {group: settings["project"]["entry-points"][group] for group in ("ggp", "ggp.games")}
    points = (
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in groups.items()
    )
    yield f"ggp-{version}.dist-info/entry_points.txt", "\n".join(points).encode()
    for package in PACKAGES:
        for file in importlib.metadata.files(package) or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                yield file.as_posix(), file.locate().read_bytes()  # type: ignore[attr-defined]
