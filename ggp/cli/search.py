"""`ggp search`: the value of a position, and a best action."""

import sys
from collections.abc import Mapping

import attrs
import click

from ggp import capabilities
from ggp.cli.console import assignments, echo, echo_json, echo_rows, say, show
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.help import Helpful
from ggp.cli.match_view import echo_board
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.session import DEFAULT_SECONDS, Position, Session, as_json, limits_from, takes_position, takes_searcher
from ggp.game import MAX, Action, Drawn, Scenic
from ggp.number_text import many, number
from ggp.options import options_of, values_of
from ggp.progress import shown, unseen
from ggp.repetition import played_before
from ggp.searcher import Explaining, Limits, Report, Searcher, SearchResult, limits_itself


@click.command("search", cls=Helpful)
@takes_position
@takes_searcher
@click.option("--depth", metavar="PLIES", help="Search this many plies ahead.")
@click.option("--seconds", metavar="SECONDS", help="Stop after this time.")
@click.option("--nodes", metavar="STATES", help="Stop after visiting this many states.")
@click.option("--values", "with_values", is_flag=True, help="Also find the value of every move.")
@click.option(
    "--explain",
    is_flag=True,
    help="Do not search: print the table, order, speed and limits that a search would use, and why.",
)
@click.option("--quiet", is_flag=True, help="Print no board and no progress.")
@takes_csv
@as_json
def command(
    session: Session,
    position: Position,
    searcher: str | None,
    depth: str | None,
    seconds: str | None,
    nodes: str | None,
    with_values: bool,
    explain: bool,
    quiet: bool,
    csv: str | None,
    as_json: bool,
) -> None:
    """Find the best move of a position and its value.

    Values are values to MAX, the first player. Without a limit the search goes to the end of the game, but takes three
    seconds at most. Ctrl-C stops the search: the best move so far is printed, and the exit status is 130.
    """
    finder, limits = session.searcher(searcher, position.game)
    limits = limits_from({"depth": depth, "seconds": seconds, "nodes": nodes}, limits)
    if limits == Limits() and not limits_itself(finder):
        limits = Limits(seconds=DEFAULT_SECONDS)
    if explain:
        echo_explanation(position, finder, limits, as_json)
        return
    find = finder.analyse if with_values else finder.search
    if quiet:
        shown.set(unseen)
    report = None if quiet or not sys.stderr.isatty() else progress(position)
    with played_before(position.way):
        result = find(position.game, position.state, limits, report=report)
    if result.stopped == "interrupt" and sys.stderr.isatty():
        echo(err=True)  # the terminal's ^C stands alone
    if result.stopped == "interrupt" and not result.statistics.depth and result.action is None and not position.over:
        raise Stopped("interrupted before anything was found", INTERRUPTED)
    if result.note:
        say(f"note: {result.note}")
    if csv is not None:
        head = position.head() | {"searcher": finder.name}
        write_csv(csv, result.to_table(position.game, position.state).headed(head))
    if as_json:
        echo_json(as_data(position, finder, result))
    elif csv != STANDARD_OUTPUT:
        if not quiet:
            echo_drawing(position)
        echo_result(position, finder, limits, result)
    if result.stopped == "interrupt":
        raise Stopped("interrupted: this is the result of the last completed depth", INTERRUPTED)


def echo_explanation(position: Position, finder: Searcher, limits: Limits, as_json: bool) -> None:
    """Print what a search would do, and why; if the searcher cannot say this, print the summary of the searcher."""
    reasons: Mapping[str, str] = {"method": capabilities.summary(type(finder))}
    if isinstance(finder, Explaining):
        with played_before(position.way):
            reasons = finder.explain(position.game, position.state, limits)
    if as_json:
        echo_json(position.head() | {"searcher": finder.name, "options": values_of(finder), "plan": dict(reasons)})
    else:
        options = assignments(_changed(finder))
        echo_rows(position.rows() | {"searcher": f"{finder.name} {options}".strip()} | dict(reasons))


def _move(position: Position, action: Action) -> str:
    """Return a move in notation and in words, or the reason why no move exists."""
    if action is None:
        return "none: the game is over" if position.over else "none: chance is to move"
    text = capabilities.notation(position.game).format_action(position.state, action)
    explanation = capabilities.explain(position.game, position.state, action)
    return f"{text}: {explanation}" if explanation else text


def progress(position: Position) -> Report:
    """Return a function that prints a line on standard error for each result reported to it."""

    def report(result: SearchResult) -> None:
        done = result.statistics
        line = " ".join(position.format_line(result.principal_variation))
        rate = done.nodes / done.seconds if done.seconds else 0
        text = f"depth {done.depth:>2}  value {number(result.value):>6}  {rate:>12,.0f} states/s  {line}"
        show(text, err=True, no_wrap=True, overflow="ellipsis")

    return report


def as_data(position: Position, finder: Searcher, result: SearchResult) -> dict[str, object]:
    """Return the result for JSON."""
    text, state = capabilities.notation(position.game), position.state
    data = position.head() | {
        "searcher": finder.name,
        "options": values_of(finder),
        "action": None if result.action is None else text.format_action(state, result.action),
        "value": result.value,
    }
    if result.values is not None:
        data["values"] = {text.format_action(state, action): value for action, value in result.values.items()}
        data["best_actions"] = [text.format_action(state, action) for action in result.best_actions]
    return data | {
        "principal_variation": position.format_line(result.principal_variation),
        "complete": result.complete,
        "exact": result.exact,
        "distance": result.distance,
        "stopped": result.stopped,
        "speed": result.speed,
        "note": result.note,
        "statistics": attrs.asdict(result.statistics),
    }


def echo_drawing(position: Position) -> None:
    """Print the board, if the game draws one that fits the terminal."""
    game, state = position.game, position.state
    if isinstance(game, (Scenic, Drawn)) and echo_board(game, state, capabilities.scene(game, state)):
        echo()


def echo_result(position: Position, finder: Searcher, limits: Limits, result: SearchResult) -> None:
    """Print the result."""
    name = capabilities.player_names(position.game)[MAX]
    options = assignments(_changed(finder))
    rows = position.rows() | {
        "searcher": f"{finder.name} {options} ({result.speed})" if options else f"{finder.name} ({result.speed})",
        "value": f"{number(result.value)} to {name}, {_how_sure(limits, result)}",
        "move": _move(position, result.action),
        "variation": " ".join(position.format_line(result.principal_variation)),
    }
    if result.values is not None:
        text = capabilities.notation(position.game)
        named = {action: text.format_action(position.state, action) for action in result.values}
        rows["values"] = ", ".join(f"{named[action]} {number(value)}" for action, value in result.values.items())
        rows["best"] = ", ".join(named[action] for action in result.best_actions)
    rows["statistics"] = _statistics(result)
    echo_rows(rows)


def _changed(finder: Searcher) -> dict[str, object]:
    """Return the options that differ from their defaults."""
    defaults = {option.name: option.default for option in options_of(type(finder))}
    return {name: value for name, value in values_of(finder).items() if value != defaults[name]}


def _how_sure(limits: Limits, result: SearchResult) -> str:
    """Return a sentence about how far the search went, and so how reliable the value is."""
    plies = many(result.statistics.depth, "ply", "plies")
    if result.distance is not None:
        return f"exact, {many(result.distance, 'ply', 'plies')} to the end"
    if result.exact:
        return "exact: searched to the end of the game"
    ends = {
        "seconds": f"stopped by the limit of {limits.seconds or 0:g} s",
        "nodes": f"stopped by the limit of {many(limits.nodes or 0, 'state')}",
        "interrupt": "stopped by Ctrl-C",
    }
    end = f", {ends.get(result.stopped, result.stopped)}" if result.stopped else ""
    if result.stopped and not result.statistics.depth:
        return f"a static estimate{end} before depth 1 was completed"
    return f"looking {plies} ahead{end}" if result.statistics.nodes else "known without a search"


def _statistics(result: SearchResult) -> str:
    done = result.statistics
    rate = f", {done.nodes / done.seconds:,.0f} states/s" if done.seconds else ""
    parts = [
        many(done.nodes, "state"),
        many(done.leaves, "leaf", "leaves"),
        many(done.cutoffs, "cutoff"),
        many(done.table_hits, "table hit") if done.table_hits else "",
        f"{many(done.extra_nodes, 'more state')} for the line and the values" if done.extra_nodes else "",
        f"{done.seconds:.3g} s{rate}",
        f"compiled in {done.compile_seconds:.3g} s" if done.compile_seconds else "",
    ]
    return ", ".join(part for part in parts if part)
