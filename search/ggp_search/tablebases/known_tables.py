"""Tables of whole games and of layers in a directory, and their results in place of a search."""

import pathlib
from typing import Any

from ggp.compiler import machine
from ggp.game import CHANCE, AnyGame, State
from ggp.searcher import SearchResult
from ggp_search.tablebases import layer_table, position_table, provenance
from ggp_search.tablebases.best_play import KnownValues
from ggp_search.tablebases.directory import default_directory
from ggp_search.tablebases.layer_table import FiledLayers
from ggp_search.tablebases.position_table import PositionTable
from ggp_search.tablebases.tablebase import Tablebase, find_tablebase

KnownTable = PositionTable | FiledLayers

_OPENED: dict[tuple[pathlib.Path, int, int], KnownTable] = {}
"""Cache of opened tables, by file, size and modification time; each checksum is verified once."""
_WARNED: set[str] = set()
"""Digests of tables whose origin was checked; the user was warned if necessary."""
NOTE = "the result is from the tablebase"


def open_table(game: AnyGame, directory: pathlib.Path) -> KnownTable | None:
    """Return the game's table of positions or of layers in a directory; None if it has none.

    Raises:
        TablebaseError: a file is damaged, or belongs to another game.
    """
    kind: Any
    for kind in (position_table, layer_table):
        path = kind.path_of(game, directory)
        try:
            status = path.stat()
        except OSError:
            continue
        key = path.absolute(), status.st_size, status.st_mtime_ns
        if key not in _OPENED:
            _OPENED[key] = kind.read(game, path)
        return _OPENED[key]
    return None


def find_table(game: AnyGame, directory: str | None = None) -> KnownTable | None:
    """Return the game's table in a directory, or in the default one. If somebody else built it, the user is warned.

    Raises: as `open_table` does.
    """
    place = pathlib.Path(directory) if directory is not None else default_directory()
    table = open_table(game, place)
    if table is not None and table.digest not in _WARNED:
        _WARNED.add(table.digest)
        provenance.warn_of_others(game.name, place, [table])
    return table


def find_probed_tablebase(game: AnyGame, directory: str | None = None) -> Tablebase | FiledLayers | None:
    """Return the tablebase that a search may probe, of either kind (by ranking or by layers); None if there is none.

    Raises:
        TablebaseError: a file is damaged, or belongs to another game.
    """
    base = find_tablebase(game, directory)
    if base is not None or not machine.available():
        return base
    table = find_table(game, directory)
    return table if isinstance(table, FiledLayers) else None


def answer(table: KnownValues, state: State) -> SearchResult | None:
    """Return a table's values for a state as a search result; None if the table lacks one of its children."""
    game, choices = table.game, table.choices_now(state)
    if not choices or game.to_move(state) == CHANCE:
        return None
    best = table.preferred(state, choices)
    ahead = game.result(state, best.action)
    return SearchResult(
        action=best.action,
        value=best.middle,
        complete=True,
        exact=best.exact,
        principal_variation=(best.action, *(() if best.ended else table.line(ahead))),
        values={choice.action: choice.middle for choice in choices},
        best_actions=tuple(each.action for each in choices if (each.lower, each.upper) == (best.lower, best.upper)),
        distances={choice.action: choice.distance for choice in choices},
        distance=best.distance,
        note=NOTE,
    )
