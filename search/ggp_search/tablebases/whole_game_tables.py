"""Tables that make a search unnecessary: they have values of whole games, or of layers in which positions come back."""

import pathlib
from collections.abc import Callable
from typing import Final, TypeVar

from ggp.compiler import machine
from ggp.errors import OptionError
from ggp.game import CHANCE, AnyGame, State
from ggp.options import option
from ggp.searcher import Limits, SearchResult
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
NOT_SEARCHED = "nothing: a table of the whole game knows the value"
NONE: Final = "none"
"""The value of the option that means that no tables are used."""
AUTO: Final = "auto"
"""The value of the option for automatic choice: the user's own tables, unless depth or states are limited."""
OWN: Final = "default"
"""The value of the option that means the user's own tables, whatever the limits are."""

FoundT = TypeVar("FoundT")


def tablebase_option() -> str:
    """Return the option that searchers share: the directory of the tables."""
    return option(
        AUTO,
        "directory of endgame tablebases; or `none`; or `default` (the user's own); or `auto` (the user's own, if "
        "neither depth nor states are limited)",
        path=True,
    )


def wanted_tables(directory: str, game: AnyGame, limits: Limits, find: Callable[..., FoundT]) -> FoundT | None:
    """Return the tables that `find(game, directory)` finds in the directory of the option; None if there are none."""
    # Other machines may not have these tables, so they are used unasked only with a limit of time: it is never
    # reproducible anyway.
    by_time = limits.depth is None and limits.nodes is None
    if directory == NONE or (directory == AUTO and not by_time):
        return None
    return find(game, None if directory in (AUTO, OWN) else directory)


def require_tables(name: str, directory: str, game: AnyGame, find: Callable[..., object]) -> None:
    """Check that the directory in a searcher's option has tables of the game. These are a table of all positions, or
    the tablebase that `find(game, directory)` finds.

    Raises:
        OptionError: it has none.
    """
    if directory in (AUTO, OWN, NONE) or not machine.available():
        return
    if not (find_whole_game(game, directory) or find(game, directory)):
        raise OptionError(
            f"{name}: tablebase={directory} is not a directory with tables of {game.name} with these"
            f" parameters (`ggp tablebase build {game.name}` builds them)"
        )


def open_position_table(game: AnyGame, directory: pathlib.Path) -> PositionTable | None:
    """Return the table of all positions of a game in a directory; None if the directory has no such table.

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
    """Return the table that gives results in place of searches. It is a table of all positions, or a tablebase of
    layers in which positions come back. The table is read from the given directory, or from the default directory. If
    somebody else built the table, the user is warned.

    Raises: the same errors as `open_position_table`.
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
