"""`ggp analyse`: the value of every move of a position, exact if it can be proved in the given time."""

import attrs
import click
from ggp_search.tablebases.tablebase import Tablebase, find_tablebase
from ggp_search.tablebases.whole_game_tables import find_whole_game

from ggp import capabilities
from ggp.cli.console import echo, echo_json, echo_rows, echo_table
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.game import MAX, Bounded
from ggp.number_text import UNKNOWN, interval, many, number
from ggp.searcher import Probing, Searcher
from ggp_solve.analysis import AnalysedMove, PositionAnalysis, analyse
from ggp_solve.cli.proof import LARGEST
from ggp_solve.cli.tablebase_option import in_directory


@click.command("analyse", cls=Helpful, section="Search and learn")
@takes_position
@takes_number("--seconds", "Time to search.", metavar="SECONDS", type=float, default=5, minimum=0.01, maximum=1e9)
@takes_number("--threads", "Threads that search together.", default=1, minimum=1, maximum=256)
@click.option("--tablebase", metavar="DIR", help="Directory of endgame tablebases (default: the user's).")
@takes_number(
    "--memory", "Memory for the transposition table.", metavar="MB", type=float, default=512, minimum=1, maximum=LARGEST
)
@click.option("--quiet", is_flag=True, help="Print no progress.")
@takes_csv
@as_json
def command(
    session: Session,
    position: Position,
    quiet: bool,
    csv: str | None,
    as_json: bool,
    tablebase: str | None,
    seconds: float,
    threads: int,
    memory: float,
) -> None:
    """Evaluate every move of a position.

    A value is exact if it was proved to the end of the game in the given time. Any other value is the estimate of the
    deepest completed search. Values are values to MAX, the first player. Ctrl-C stops the analysis: the values so far
    are printed, and the exit status is 130.
    """
    searcher, _ = session.searcher(None, position.game)
    positions = find_whole_game(position.game, tablebase or None)
    base: Tablebase | None = positions if isinstance(positions, Tablebase) else None
    if positions is None:
        base = in_directory(position.game, tablebase) if tablebase else find_tablebase(position.game, None)
    with ProgressLine(limit=seconds) as line:
        result = analyse(
            position.game,
            position.state,
            report=None if quiet else lambda analysis: line.show(*_progress(position, analysis)),
            searcher=_with_tablebase(searcher, tablebase),
            tablebase=base,
            positions=positions,
            seconds=seconds,
            threads=threads,
            memory=memory,
        )
    if result.note:
        echo(f"ggp: note: {result.note}", err=True)
    if csv is not None:
        write_csv(csv, result.to_table(position.game, position.state).headed(position.head()))
    if as_json:
        echo_json(as_data(position, result))
    elif csv != STANDARD_OUTPUT:
        echo_analysis(position, result)
    if result.stopped == "interrupt":
        raise Stopped("interrupted: these are the values found so far", INTERRUPTED)


def _with_tablebase(searcher: Searcher, directory: str | None) -> Searcher:
    if directory is None or not isinstance(searcher, Probing):
        return searcher
    with_it: Searcher = attrs.evolve(searcher, tablebase=directory)  # type: ignore[misc]
    return with_it


def _progress(position: Position, analysis: PositionAnalysis) -> list[str]:
    """Return the parts of a line that shows the progress of the analysis."""
    exact = sum(move.exact for move in analysis.moves)
    depth = max((move.depth or 0 for move in analysis.moves), default=0)
    parts = [f"{exact} of {len(analysis.moves)} moves exact"] + [f"depth {depth}"] * bool(depth)
    if analysis.moves:
        parts += [f"value {number(analysis.value)}", " ".join(position.format_line(analysis.moves[0].line))]
    return parts


def as_data(position: Position, analysis: PositionAnalysis) -> dict[str, object]:
    """Return the analysis as plain data for JSON."""
    return position.head() | {
        "value": analysis.value,
        "exact": analysis.exact,
        "complete": analysis.complete,
        "distance": analysis.distance,
        "moves": [_move_as_data(position, move) for move in analysis.moves],
        "stopped": analysis.stopped,
        "searcher": analysis.searcher,
        "speed": analysis.speed,
        "note": analysis.note,
        "statistics": {"nodes": analysis.states, "seconds": analysis.seconds},
    }


def _move_as_data(position: Position, move: AnalysedMove) -> dict[str, object]:
    lower, upper = move.proved
    return {
        "action": capabilities.notation(position.game).format_action(position.state, move.action),
        "value": move.value,
        "exact": move.exact,
        "depth": move.depth,
        "distance": move.distance,
        "lower": lower,
        "upper": upper,
        "line": position.format_line(move.line),
    }


def echo_analysis(position: Position, analysis: PositionAnalysis) -> None:
    """Print the analysis as text for people to read."""
    name = capabilities.player_names(position.game)[MAX]
    rows = position.rows() | {
        "value": f"{number(analysis.value)} to {name}, {'exact' if analysis.exact else 'an estimate'}",
        "distance": "" if analysis.distance is None else f"{many(analysis.distance, 'ply', 'plies')} to the end",
        "statistics": f"{analysis.states:,} states, {analysis.seconds:.3g} s, {analysis.searcher}, {analysis.speed}",
    }
    echo_rows(rows)
    if analysis.moves:
        echo_moves(position, analysis)


def echo_moves(position: Position, analysis: PositionAnalysis) -> None:
    """Print a table of moves: the value, how reliable it is, and best play after the move."""
    text = capabilities.notation(position.game)
    rows = [
        [
            text.format_action(position.state, move.action),
            number(move.value),
            _how_sure(position, move),
            " ".join(position.format_line(move.line)[1:]),
        ]
        for move in analysis.moves
    ]
    echo()
    echo_table([["move", "value", "known", "best replies"], *rows], texts=(0, 2, 3))


def _how_sure(position: Position, move: AnalysedMove) -> str:
    if move.exact:
        return "exact" if move.distance is None else f"exact, {many(move.distance, 'ply', 'plies')}"
    lower, upper = move.proved
    if isinstance(position.game, Bounded):  # what the rules say of themselves is no news
        least, most = position.game.bounds(position.game.result(position.state, move.action))
        lower, upper = lower if lower > least else float("-inf"), upper if upper < most else float("inf")
    bounds = interval(lower, upper)
    return f"depth {move.depth}" + (f", proved {bounds}" if bounds != UNKNOWN else "")
