"""`ggp tablebase` for tables of whole games, and for the values in layers whose positions can come back."""

import pathlib
import time

from ggp_search.tablebases import provenance
from ggp_search.tablebases.best_play import Choice, ValueBounds
from ggp_search.tablebases.position_table import PositionTable
from ggp_search.tablebases.ranking import has_ranking
from ggp_search.tablebases.tablebase import Tablebase
from ggp_search.tablebases.whole_game_tables import find_whole_game, open_position_table

from ggp import capabilities
from ggp.cli.console import assignments, echo, echo_game, echo_json, echo_rows
from ggp.cli.failure import FAILURE, INTERRUPTED, Stopped
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position
from ggp.errors import TablebaseError, UsageError
from ggp.game import MAX, AnyGame
from ggp.number_text import many, number
from ggp_solve.enumeration.enumeration import Progress
from ggp_solve.solver import Solver
from ggp_solve.tablebases import build_position_table, consistency


def require_layer(game: AnyGame, layer: int | None) -> None:
    """Check that `--layer` is given if and only if the game's tablebases have layers.

    Raises:
        UsageError: the layer is missing, or the game has no layers.
    """
    layered = has_ranking(game)
    if layered and layer is None:
        raise UsageError(f"the tablebase of {game.name} has layers: add --layer N, the highest to build")
    if layer is not None and not layered:
        raise UsageError(
            f"the tablebase of {game.name} has no layers: leave out --layer, and all"
            " positions that can be reached are built"
        )


def build(game: AnyGame, directory: pathlib.Path, memory: float, threads: int, as_json: bool) -> None:
    """Build the table of all positions of a game, and print what was built."""
    began = time.perf_counter()
    try:
        with ProgressLine() as line:
            positions, speed, note = _enumerate(game, directory, memory, threads, line)
    except KeyboardInterrupt:
        raise Stopped("interrupted: nothing is saved", INTERRUPTED) from None
    seconds = time.perf_counter() - began
    size = positions.path.stat().st_size
    if as_json:
        summary = {"file": str(positions.path), "layer": None, "positions": positions.count, "bytes": size}
        echo_json(head(game) | summary | {"seconds": seconds, "speed": speed, "note": note})
        return
    echo_game(game.name, capabilities.parameters(game))
    what = positions.header.method
    echo(f"{what}, {many(positions.count, 'position')} in {size:,} bytes: {positions.path} ({seconds:.1f} s, {speed})")


def _enumerate(
    game: AnyGame, directory: pathlib.Path, memory: float, threads: int, line: ProgressLine
) -> tuple[PositionTable, str, str | None]:
    def report(progress: Progress) -> None:
        line.show(f"{game.name}: {progress.positions:,} positions, {progress.solved:,} solved")

    solver = Solver(game, game.initial_state(), memory=memory, report=report, threads=threads)
    solver.run()
    return build_position_table(solver, directory), solver.found.run.name, solver.note


def opened(game: AnyGame, directory: pathlib.Path) -> PositionTable:
    """Return the table of all positions of a game in a directory.

    Raises:
        TablebaseError: the directory has no table of the game, or the table is damaged.
    """
    positions = open_position_table(game, directory)
    if positions is None:
        raise none_in(game, directory)
    return positions


def none_in(game: AnyGame, directory: pathlib.Path) -> TablebaseError:
    """Return the error that says that a directory has no tables of a game."""
    name = f"{game.name} {assignments(capabilities.parameters(game))}".rstrip()
    return TablebaseError(f"there is no tablebase of {name} in {directory}: `ggp tablebase build` builds it")


def verify(game: AnyGame, directory: pathlib.Path, sample: int | None, seed: int, as_json: bool) -> None:
    """Check positions of a table, all of them or a sample, against the rules, and print the result."""
    positions = opened(game, directory)
    with ProgressLine() as line:
        try:
            checked = consistency.hold_to_rules(
                positions,
                positions.count,
                sample,
                seed,
                lambda number: line.show(f"{number:,} positions") if number % 100 == 0 else None,
            )
        except KeyboardInterrupt:
            raise Stopped("interrupted: no position that was checked is wrong", INTERRUPTED) from None
        except consistency.ContradictionError as error:
            raise Stopped(str(error), FAILURE) from None
    provenance.remember([positions])
    if as_json:
        echo_json(head(game) | {"directory": str(directory), "checked": checked, "of": positions.count})
        return
    echo_game(game.name, capabilities.parameters(game))
    echo(f"{checked:,} of {positions.count:,} positions: all values agree with the rules")


def probe(position: Position, directory: pathlib.Path, as_json: bool) -> None:
    """Print the values that a table has for a position and its actions."""
    game: AnyGame = position.game
    state, text = position.state, capabilities.notation(game)
    positions = find_whole_game(game, str(directory))
    if positions is None:
        raise none_in(game, directory)
    known = positions.look(state)
    choices = positions.choices(state)
    if known is None:
        where = text.format_state(state)
        if isinstance(positions, Tablebase):
            raise UsageError(f"{where} is above the tablebase, whose highest layer is {positions.layers - 1}")
        raise UsageError(
            f"{where} is not in the tablebase, which has the positions that can be reached from the start of the game"
        )
    best = positions.preferred(state, choices) if choices else None
    named = {text.format_action(state, each.action): each for each in choices}
    equal = [name for name, each in named.items() if best and (each.lower, each.upper) == (best.lower, best.upper)]
    if as_json:
        values = {name: each.middle for name, each in named.items()}
        distances = {name: each.distance for name, each in named.items()}
        answer = {
            "value": known.middle,
            "exact": known.exact,
            "distance": known.distance,
            "values": values,
            "distances": distances,
        }
        action = None if best is None else text.format_action(state, best.action)
        echo_json(position.head() | answer | {"best_actions": equal, "action": action})
        return
    rows = position.rows() | {
        "value": value_text(known, capabilities.player_names(game)[MAX]),
        "distance": "" if known.distance is None else f"{many(known.distance, 'ply', 'plies')} to the end",
        "values": ", ".join(f"{name} {_shown(each)}" for name, each in named.items()),
        "best": ", ".join(equal),
        "action": ""
        if best is None or len(equal) == 1
        else f"{text.format_action(state, best.action)}, the best of these",
    }
    echo_rows(rows)


def value_text(known: ValueBounds, player: str) -> str:
    """Return a known value to a player, and how exact it is."""
    exact = "exact" if known.exact else f"within {(known.upper - known.lower) / 2:.1g}"
    return f"{number(known.middle, DIGITS)} to {player}, {exact}"


DIGITS = 12
"""Number of digits of a value that is printed."""


def _shown(choice: Choice) -> str:
    value = number(choice.middle, DIGITS)
    return value if choice.distance is None else f"{value} in {choice.distance}"


def head(game: AnyGame) -> dict[str, object]:
    """Return the game and its parameters as data for programs."""
    return {"game": game.name, "parameters": capabilities.parameters(game)}
