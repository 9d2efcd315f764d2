"""Tablebases that this process has opened: their checksums are reckoned once."""

import pathlib
from typing import Any

from ggp.compiler import machine
from ggp.game import Game
from ggp_search.tablebases.held import Tablebase
from ggp_search.tablebases.opening import open_tablebase
from ggp_search.tablebases.proved import warn_of_others
from ggp_search.tablebases.shelf import Shelf, default_directory

_OPENED: dict[tuple[pathlib.Path, str], Tablebase] = {}


def at_hand(game: Game[Any, Any], directory: str | None) -> Tablebase | None:
    """The game's tablebase in a directory, or in the default one; None if there is none for a search to use.

    Raises:
        TablebaseError: a file is damaged, or of something else.
    """
    if getattr(game, "ranking", None) is None or not machine.available():
        return None
    shelf = Shelf.of(game, directory if directory is not None else default_directory())
    if not shelf.directory.is_dir():
        return None
    key = shelf.directory, shelf.prefix
    if key not in _OPENED:
        _OPENED[key] = open_tablebase(game, shelf.directory)
        warn_of_others(shelf, _OPENED[key])
    return _OPENED[key] if _OPENED[key].grades else None
