"""The listing: the descriptions of the folder that `GGP_GDL` names, as games of the registry.

A description is read when its game is made, so that listing is fast.
"""

import os
import pathlib
from typing import Any, ClassVar

from ggp_gdl.library import PREFIX, load, named_files, title


class ListedGame:
    """A game described in GDL."""

    name: ClassVar[str]
    path: ClassVar[pathlib.Path]
    deferred: ClassVar[bool] = True
    """The game is read when it is made."""

    def __new__(cls) -> Any:
        return load(cls.path, cls.name)()

    def _missing(self, *_: object) -> Any:
        raise NotImplementedError

    initial_state = to_move = actions = result = terminal_test = utility = _missing  # so that it is known as a game


def listed_games() -> list[type]:
    """Return a class for each description in the folder of `GGP_GDL`."""
    return [_listed(name, path) for name, path in sorted(named_files(pathlib.Path(os.environ["GGP_GDL"])).items())]


def _listed(name: str, path: pathlib.Path) -> type:
    doc = f"{title(name)}: a game described in GDL."
    return type(
        "ListedGame", (ListedGame,), {"name": PREFIX + name, "title": title(name), "path": path, "__doc__": doc}
    )
