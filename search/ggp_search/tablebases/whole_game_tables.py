"""Tables that make a search unnecessary: they have values of whole games, or of layers where positions come back."""

import pathlib

from ggp.game import CHANCE, AnyGame, State
from ggp.searcher import SearchResult
from ggp_search.tablebases import position_table, provenance
from ggp_search.tablebases.best_play import KnownValues
from ggp_search.tablebases.directory import default_directory
from ggp_search.tablebases.position_table import PositionTable
from ggp_search.tablebases.ranking import is_layered
from ggp_search.tablebases.tablebase import Tablebase, find_layers

_OPENED: dict[tuple[pathlib.Path, int, int], PositionTable] = {}
"""Cache of opened tables, by file, size and modification time; each checksum is verified once."""
_WARNED: set[str] = set()
"""Digests of tables whose origin was checked; the user was warned if necessary."""
NOTE = "the result is from the tablebase"


def open_position_table(game: AnyGame, directory: pathlib.Path) -> PositionTable | None:
    """Return the table of all positions of a game in a directory; None if it has none.

    Raises:
        TablebaseError: the file is damaged, or belongs to another game.
    """
    path = position_table.path_of(game, directory)
    try:
        status = path.stat()
    except OSError:
        return None
    key = path.absolute(), status.st_size, status.st_mtime_ns
    if key not in _OPENED:
        _OPENED[key] = position_table.read(game, path)
    return _OPENED[key]


def find_whole_game(game: AnyGame, directory: str | None = None) -> PositionTable | Tablebase | None:
    """Return the table that gives results in place of searches: of all positions, or of layers in which positions come
    back. The table is read from the given directory, or from the default one. If somebody else built it, the user is
    warned.

    Raises: as `open_position_table` does.
    """
    if is_layered(game):
        layers = find_layers(game, directory)
        if layers is not None:
            return layers
    folder = pathlib.Path(directory) if directory is not None else default_directory()
    tablebase = open_position_table(game, folder)
    if tablebase is not None and tablebase.digest not in _WARNED:
        _WARNED.add(tablebase.digest)
        provenance.warn_of_others(game.name, folder, [tablebase])
    return tablebase


def answer(tablebase: KnownValues, state: State) -> SearchResult | None:
    """Return a table's values for a state as a search result; None if the table lacks a successor of the state."""
    game, choices = tablebase.game, tablebase.choices_now(state)
    if not choices or game.to_move(state) == CHANCE:
        return None
    best = tablebase.preferred(state, choices)
    ahead = game.result(state, best.action)
    return SearchResult(
        action=best.action,
        value=best.middle,
        complete=True,
        exact=best.exact,
        principal_variation=(best.action, *(() if best.ended else tablebase.line(ahead))),
        values={choice.action: choice.middle for choice in choices},
        best_actions=tuple(each.action for each in choices if (each.lower, each.upper) == (best.lower, best.upper)),
        distances={choice.action: choice.distance for choice in choices},
        distance=best.distance,
        note=NOTE,
    )
