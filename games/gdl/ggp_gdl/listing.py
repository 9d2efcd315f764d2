"""List descriptions as games of the registry; a description is read only when its game is first played."""

import os
import pathlib
from typing import Any, ClassVar, NoReturn

from ggp_gdl import library
from ggp_gdl.appearance import read_appearance
from ggp_gdl.description import read
from ggp_gdl.library import PREFIX, Named, load, named_files, title
from ggp_gdl.play import RANDOM


class ListedGame:
    """A game described in GDL."""

    name: ClassVar[str]
    described: ClassVar[Named]
    deferred: ClassVar[bool] = True
    """The description is read when the game is made."""

    def __new__(cls) -> Any:
        return load(cls.described)()

    def _missing(self, *_: object) -> NoReturn:
        raise NotImplementedError

    initial_state = to_move = actions = result = terminal_test = utility = _missing  # so that it is known as a game


def listed_games() -> list[type]:
    """Return a class for each description in the folder of `GGP_GDL`.

    No description is read, so that listing is fast.
    """
    files = sorted(named_files(pathlib.Path(os.environ["GGP_GDL"])).items())
    return [_listed(Named(path, PREFIX + name)) for name, path in files]


def game_named(name: str) -> type | None:
    """Return the class of the game that a name describes, as `ggp_gdl.library.game_named` does.

    If making the class may take long, return another class, which makes it when the game is first played. So `ggp
    serve` starts at once.
    """
    named = library.named(name)
    if named is None:
        return None
    if not library.takes_long(named):
        return load(named)
    text, look = named.texts()
    players = tuple(role for role in read(text).roles if role != RANDOM)
    return _listed(named, read_appearance(look).title, player_names=players)


def _listed(named: Named, told: str = "", **attributes: object) -> type:
    told = told or title(named.name)
    doc = f"{told}: a game described in GDL."
    own = {"name": named.name, "title": told, "described": named, "__doc__": doc}
    return type("ListedGame", (ListedGame,), own | attributes)
