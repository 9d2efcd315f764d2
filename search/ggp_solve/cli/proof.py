"""`ggp solve`: the exact value of a position, proved to the end of the game."""

import functools
import pathlib
from collections.abc import Mapping
from typing import TypedDict

import click

from ggp import capabilities
from ggp import opening_book as book
from ggp.cli.console import echo, echo_json, echo_rows
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.number_options import CommandT, takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, write_csv
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position
from ggp.errors import UsageError
from ggp.game import MAX
from ggp.number_text import UNKNOWN, at_least, interval
from ggp.tables import ResultTable, Tabular
from ggp_solve.certificates import certificate
from ggp_solve.cli.tablebase_option import in_directory
from ggp_solve.proof.checkpoint import Checkpoint
from ggp_solve.proof.proof_solver import ProofSolver, Report, run
from ggp_solve.proof.solution import ProofProgress, Resources, Solution, Wanted
from ggp_solve.tablebases.builder import require_tablebase

LARGEST = 1 << 20
"""Maximum number of megabytes of memory that may be asked for."""

EVERY = 60.0
"""Seconds between two checkpoints."""


class ProofOptions(TypedDict):
    """The values of the options that `takes_proof` adds, except `--quiet`."""

    values: bool
    outcome: bool
    memory: float
    threads: int
    tablebase: str | None
    layer: int | None
    seconds: float | None
    checkpoint: str | None
    every: float | None
    certificate: str | None
    book: str | None


OPTIONS = (
    click.option("--values", is_flag=True, help="Also find the exact value of every move."),
    click.option("--outcome", is_flag=True, help="Find only who wins, which is faster."),
    takes_number(
        "--memory",
        "Memory for the transposition table and tablebases together.",
        metavar="MB",
        type=float,
        default=3072,
        minimum=1,
        maximum=LARGEST,
    ),
    takes_number("--threads", "Threads that work together.", default=1, minimum=1, maximum=256),
    click.option("--tablebase", metavar="DIR", help="Use the tablebase in this directory instead of building one."),
    takes_number(
        "--layer",
        "Build a tablebase in memory up to this layer (default: chosen automatically).",
        minimum=0,
        maximum=127,
    ),
    takes_number(
        "--seconds", "Stop after this time, with the bounds proved by then.", metavar="SECONDS", type=float, minimum=0
    ),
    click.option("--checkpoint", metavar="FILE", help="Save progress to this file, and resume from it if it exists."),
    takes_number(
        "--every", f"Time between two checkpoints (default: {EVERY:g}).", metavar="SECONDS", type=float, minimum=0
    ),
    click.option("--certificate", metavar="FILE", help="Write a proof for `ggp verify`; for small games."),
    click.option("--book", metavar="FILE", help="Add the proved values to this opening book."),
    click.option("--quiet", is_flag=True, help="Print no progress."),
)


def takes_proof(command: CommandT) -> CommandT:
    """Add the options of a proof. All options except `--quiet` are passed to `prove` in one dictionary, by name."""
    return functools.reduce(lambda decorated, option: option(decorated), reversed(OPTIONS), command)


def prove(position: Position, quiet: bool, as_json: bool, csv: str | None, given: ProofOptions) -> None:
    """Prove the value of a position, and print the result; `given` has the other options of `takes_proof` by name."""
    if given["values"] and given["outcome"]:
        raise click.UsageError("--values and --outcome cannot be used together: the values include the outcome")
    with ProgressLine(limit=given["seconds"]) as line:
        report = (
            None if quiet else lambda progress: line.show(*progress_parts(position, progress), share=progress.share)
        )
        solver, solved = _solve(position, given, report)
    if solved.note:
        echo(f"ggp: note: {solved.note}", err=True)
    if csv is not None:
        write_csv(csv, solution_table(position, solved, as_data(position, solved)))
    if as_json:
        echo_json(as_data(position, solved))
    elif csv != STANDARD_OUTPUT:
        echo_solution(position, solved)
    _keep(position, given, solver, solved)
    if solved.stopped == "interrupt":
        raise Stopped(f"interrupted: {_proved(solved)}", INTERRUPTED)
    if solved.stopped and solved.complete:
        echo("ggp: note: the value is proved; the time was over before best play was found to the end", err=True)
    elif not solved.complete:
        raise Stopped(f"not proved in the time given: {_proved(solved)}", 1)


def _solve(position: Position, given: ProofOptions, report: Report | None) -> tuple[ProofSolver, Solution]:
    game, state = position.game, position.state
    _require_places(given)
    file, every = given["checkpoint"], interval_between(given)
    checkpoint = Checkpoint(pathlib.Path(file), game, state, every) if file else None
    tablebase = in_directory(game, given["tablebase"]) if given["tablebase"] else None
    if given["layer"] is not None:
        require_tablebase(game)
    resources = Resources(
        memory=given["memory"],
        threads=given["threads"],
        layer=given["layer"],
        seconds=given["seconds"],
        tablebase=tablebase,
        checkpoint=checkpoint,
    )
    return run(game, state, resources, Wanted(given["values"], given["outcome"]), report)


def interval_between(given: ProofOptions) -> float:
    """Return the seconds between two checkpoints.

    Raises:
        UsageError: a time between checkpoints is given without `--checkpoint`.
    """
    every = given["every"]
    if every is not None and not given["checkpoint"]:
        raise UsageError("--every needs --checkpoint FILE: it is the time between two checkpoints")
    return EVERY if every is None else every


def _require_places(given: ProofOptions) -> None:
    """Check before solving that every requested file can be written."""
    files = {"certificate": given["certificate"], "checkpoint": given["checkpoint"], "book": given["book"]}
    named = [f"--{name}" for name, file in {**files, "tablebase": given["tablebase"]}.items() if file == ""]
    if named:
        raise UsageError(f"{named[0]} needs the name of a file; got ''")
    paths = [book.path_of(file).resolve() for file in files.values() if file]
    if len(set(paths)) < len(paths):
        raise UsageError("the certificate, the checkpoint and the book must be different files")
    if given["certificate"]:
        certificate.FORMAT.require_place(pathlib.Path(given["certificate"]))
    if given["book"]:
        path = book.path_of(given["book"])
        if given["book"] != book.DEFAULT:
            book.FORMAT.require_place(path)
        if path.exists():
            book.read(path)  # what is no book is refused now


def _keep(position: Position, given: ProofOptions, solver: ProofSolver, solved: Solution) -> None:
    """Write the requested files.

    The files are written after the solution is printed, so that an error does not lose the solution.
    """
    if solver.prover and given["certificate"] and solved.value is not None:
        from ggp_solve.certificates.strategy import write_certificate

        write_certificate(
            pathlib.Path(given["certificate"]), position.game, position.state, solved.value, solver.prover
        )
    if solver.prover and given["book"]:
        book.add(pathlib.Path(given["book"]), position.game, solver.prover.proved)


def _proved(solved: Solution) -> str:
    """Return the proved value, or the proved bounds, as a clause."""
    bounds = interval(solved.lower, solved.upper)
    return "nothing is known about the value" if bounds == UNKNOWN else f"the value is {bounds}"


def as_data(position: Position, solved: Solution) -> dict[str, object]:
    """Return the solution for JSON."""
    text, state = capabilities.notation(position.game), position.state
    data = position.head() | {
        "value": solved.value,
        "lower": solved.lower,
        "upper": solved.upper,
        "outcome": _outcome(position, solved),
        "action": None if solved.action is None else text.format_action(state, solved.action),
        "principal_variation": position.format_line(solved.principal_variation),
    }
    if solved.values is not None:
        data["values"] = {
            text.format_action(state, action): lower if lower == upper else [lower, upper]
            for action, (lower, upper) in solved.values.items()
        }
    return data | {
        "complete": solved.complete,
        "stopped": solved.stopped,
        "speed": solved.speed,
        "note": solved.note,
        "statistics": {"nodes": solved.states, "seconds": solved.seconds, "layers": solved.layers},
    }


def solution_table(position: Position, solved: Tabular, data: Mapping[str, object]) -> ResultTable:
    """Return a solution as a table: a row for each move whose value was found, or a single row for the position."""
    shared = {"outcome": data["outcome"], "principal_variation": data["principal_variation"]}
    return solved.to_table(position.game, position.state).headed(position.head() | shared)


def _outcome(position: Position, solved: Solution) -> str | None:
    if solved.outcome is None:
        return None
    first, second = capabilities.player_names(position.game)
    return {1: f"{first} wins", 0: "draw", -1: f"{second} wins"}[solved.outcome]


def echo_solution(position: Position, solved: Solution) -> None:
    """Print the solution as text for people to read."""
    text, name = capabilities.notation(position.game), capabilities.player_names(position.game)[MAX]
    bounds, exact = interval(solved.lower, solved.upper), "exact" if solved.value is not None else "proved so far"
    rows = position.rows() | {
        "value": "not known" if bounds == UNKNOWN else f"{bounds} to {name}, {exact}",
        "outcome": _outcome(position, solved) or "not known",
        "action": _no_action(position, solved)
        if solved.action is None
        else text.format_action(position.state, solved.action),
        "variation": " ".join(position.format_line(solved.principal_variation)),
    }
    if solved.values is not None:
        values = solved.values.items()
        rows["values"] = ", ".join(f"{text.format_action(position.state, each)} {interval(*at)}" for each, at in values)
    rows["statistics"] = _statistics(solved)
    echo_rows(rows)


def _no_action(position: Position, solved: Solution) -> str:
    """Return the reason why a solution has no action; "" if the value is not proved, either."""
    if position.over:
        return "none: the game is over"
    return "not found in the time given" if solved.complete else ""


def _statistics(solved: Solution) -> str:
    parts = [
        f"{solved.states:,} states",
        f"{solved.seconds:.3g} s",
        solved.speed,
        f"a tablebase of {solved.layers} layers" if solved.layers else "",
    ]
    return ", ".join(part for part in parts if part)


def progress_parts(position: Position, progress: ProofProgress) -> list[str]:
    """Return parts of a progress line: the present step, the proved bounds, and the speed."""
    rate = progress.states / progress.seconds if progress.seconds else 0.0
    asked = f" {at_least(progress.question[1])}" if progress.question else ""
    return [
        progress.doing + (asked if progress.doing == "proving" else ""),
        f"value {interval(*progress.interval)}" if progress.interval else "",
        f"{progress.states / 1e6:,.1f} M states, {rate / 1e6:.2f} M/s" if progress.states else "",
        " ".join(position.format_line(progress.line)),
    ]
