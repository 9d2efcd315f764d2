"""`ggp solve`: the exact value of a position, by proof or by enumeration."""

import contextlib
import math
import pathlib
import signal
import time
from collections.abc import Callable, Iterator
from typing import Unpack

import click
from click.core import ParameterSource

from ggp import capabilities, repetition
from ggp.cli.console import echo, echo_json, echo_rows
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.errors import UsageError
from ggp.game import AnyGame, Bounded
from ggp.number_text import many, number
from ggp.searcher import stop_when
from ggp_solve.cli import position_table, proof
from ggp_solve.cli.position_table import DIGITS
from ggp_solve.enumeration import enumeration_checkpoint
from ggp_solve.enumeration.enumeration import Progress, StoppedError
from ggp_solve.enumeration.enumeration_checkpoint import EnumerationCheckpoint
from ggp_solve.policy import FORMAT, write_policy
from ggp_solve.solver import SolvedGame, Solver

PRECISION = 1e-9
"""Default width of the bounds of a value."""
SHARED = ("memory", "threads", "seconds", "values", "checkpoint", "every")
"""Options of both methods."""


@click.command("solve", cls=Helpful, section="Solve")
@takes_position
@proof.takes_proof
@click.option(
    "--method",
    type=click.Choice(["enumerate", "prove"]),
    help="How to solve the position (default: the method that suits the game).",
)
@takes_number(
    "--precision",
    "Width of the bounds on values of games of chance with cycles (default: 1e-9).",
    metavar="NUMBER",
    type=float,
    minimum=1e-14,
    maximum=1e6,
)
@click.option(
    "--policy", metavar="FILE", help="Write a best action for every position to this file (with --method enumerate)."
)
@takes_csv
@as_json
def command(
    session: Session,
    position: Position,
    method: str | None,
    precision: float | None,
    policy: str | None,
    quiet: bool,
    csv: str | None,
    as_json: bool,
    **given: Unpack[proof.ProofOptions],
) -> None:
    """Find the exact value of a position.

    A value is a value to MAX, the first player. For games of chance, and games whose positions can repeat, the method
    is enumeration, which solves every position that can be reached. In other games, the value is proved by search. For
    larger games, an endgame tablebase is built first. Ctrl-C stops the command with exit status 130. A proof then
    prints the bounds found so far, and --checkpoint saves its file.
    """
    if (method or suited(position.game)) == "prove":
        if precision is not None or policy is not None:
            what = "--precision" if precision is not None else "--policy"
            raise UsageError(f"{what} works only with enumeration: add --method enumerate")
        proof.prove(position, quiet, as_json, csv, given)
        return
    source = click.get_current_context().get_parameter_source
    for name in given:
        if name not in SHARED and source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"--{name} works only with proofs: add --method prove, or leave it out")
    enumerate_game(position, precision, policy, quiet, as_json, csv, given)


def suited(game: AnyGame) -> str:
    """Return the method that suits a game."""
    enumerated = repetition.may_repeat(game) or capabilities.is_stochastic(game)
    return "enumerate" if enumerated else "prove"


def enumerate_game(
    position: Position,
    precision: float | None,
    policy: str | None,
    quiet: bool,
    as_json: bool,
    csv: str | None,
    given: proof.ProofOptions,
) -> None:
    """Solve a position by enumeration, and print the result."""
    path = None if policy is None else pathlib.Path(policy)
    if path is not None:
        if not policy:
            raise UsageError("--policy needs the name of a file; got ''")
        FORMAT.require_place(path)
    began = time.perf_counter()
    end = math.inf if given["seconds"] is None else began + given["seconds"]
    with ProgressLine(limit=given["seconds"]) as line:

        def report(progress: Progress) -> None:
            if not quiet:
                line.show(*progress_parts(progress, time.perf_counter() - began), share=progress.share)

        solver = Solver(
            position.game,
            position.state,
            memory=given["memory"],
            threads=given["threads"],
            precision=PRECISION if precision is None else precision,
            report=report,
            checkpoint=_checkpoint(given),
        )
        try:
            with interruptible() as interrupted, stop_when(lambda: interrupted() or time.perf_counter() > end):
                solver.run()
        except StoppedError:
            if interrupted():
                raise Stopped(f"interrupted: {_found(solver)}", INTERRUPTED) from None
            raise Stopped(f"not solved in the time given: {_found(solver)}", 1) from None
        except KeyboardInterrupt:  # the second one, or in a thread of somebody else
            raise Stopped(f"interrupted: {_found(solver)}", INTERRUPTED) from None
    solved = solver.solved(time.perf_counter() - began)
    if csv is not None:
        write_csv(csv, proof.solution_table(position, solved, as_data(position, solved)))
    if as_json:
        echo_json(as_data(position, solved))
    elif csv != STANDARD_OUTPUT:
        echo_solved(position, solved, given["values"])
    if path is not None:
        write_policy(path, solver)


def _checkpoint(given: proof.ProofOptions) -> EnumerationCheckpoint | None:
    file, every = given["checkpoint"], proof.interval_between(given)
    if file is None:
        return None
    if not file:
        raise UsageError("--checkpoint needs the name of a file; got ''")
    path = pathlib.Path(file)
    enumeration_checkpoint.FORMAT.require_place(path)
    return EnumerationCheckpoint(path, every)


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Handle Ctrl-C: the first one lets the work end in a consistent state; a second one interrupts at once."""
    pressed: list[int] = []

    def press(number: int, frame: object) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    try:
        before = signal.signal(signal.SIGINT, press)
    except ValueError:  # not in the main thread
        yield lambda: False
        return
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


def _found(solver: Solver) -> str:
    return f"{many(solver.found.count, 'position')} found, {solver.found.solved:,} of them solved"


def progress_parts(progress: Progress, seconds: float) -> list[str]:
    """Return parts of a progress line for an enumeration."""
    doing = {
        "estimate": "estimating",
        "positions": "finding positions",
        "values": "propagating values",
        "cycles": "solving cycles",
    }
    positions, solved = many(progress.positions, "position"), f"{progress.solved:,} solved"
    rate = f"{progress.positions / max(seconds, 1e-3):,.0f} positions/s"
    if progress.expected > progress.positions:
        positions += f" of about {progress.expected:,} or more in {progress.size / (1 << 20):,.0f} MB"
    return [doing[progress.step], positions, rate if progress.step == "positions" else solved]


def as_data(position: Position, solved: SolvedGame) -> dict[str, object]:
    """Return a solution for JSON."""
    text, state = capabilities.notation(position.game), position.state
    first, second = capabilities.player_names(position.game)
    return position.head() | {
        "method": solved.method,
        "value": solved.middle,
        "lower": solved.lower,
        "upper": solved.upper,
        "outcome": _outcome(position, solved),
        "distance": solved.distance,
        "action": None if solved.action is None else text.format_action(state, solved.action),
        "principal_variation": position.format_line(solved.principal_variation),
        "values": {
            text.format_action(state, choice.action): {"value": choice.middle, "distance": choice.distance}
            for choice in solved.choices
        },
        "positions": {
            "all": solved.positions,
            "by_player": {
                first: {"wins": solved.wins, "draws": solved.draws, "losses": solved.losses},
                second: {"wins": solved.losses, "draws": solved.draws, "losses": solved.wins},
            },
        },
        "complete": solved.complete,
        "exact": solved.exact,
        "speed": solved.speed,
        "note": solved.note,
        "statistics": {"positions": solved.positions, "seconds": solved.seconds},
    }


def _outcome(position: Position, solved: SolvedGame) -> str | None:
    """Return who wins, in words; None in a game of chance."""
    if capabilities.is_stochastic(position.game):
        return None
    first, second = capabilities.player_names(position.game)
    if solved.lower > 0 or solved.upper < 0:
        return f"{first if solved.lower > 0 else second} wins"
    return "not known" if solved.lower != 0 or solved.upper != 0 else "draw"


def echo_solved(position: Position, solved: SolvedGame, with_values: bool) -> None:
    """Print a solution for people."""
    text, (first, second) = capabilities.notation(position.game), capabilities.player_names(position.game)
    no_action = "none: the game is over" if position.over else ""
    chance = capabilities.is_stochastic(position.game)
    counts = f"{first} wins {solved.wins:,}, {solved.draws:,} drawn, {second} wins {solved.losses:,}"
    rows = position.rows() | {
        "value": position_table.value_text(solved, first),
        "outcome": _outcome(position, solved) or _chances(position, solved.middle),
        "distance": "" if chance else _in_plies(solved.distance),
        "action": no_action if solved.action is None else text.format_action(position.state, solved.action),
        "variation": " ".join(position.format_line(solved.principal_variation)),
        "positions": f"{solved.positions:,}" + ("" if chance else f": {counts}"),
    }
    if with_values:
        rows["values"] = ", ".join(
            f"{text.format_action(position.state, each.action)} {number(each.middle, DIGITS)}"
            + (f" in {each.distance}" if each.distance else "")
            for each in solved.choices
        )
    rows["statistics"] = f"{solved.method}, {solved.seconds:.3g} s, {solved.speed}"
    if solved.note:
        echo(f"ggp: note: {solved.note}", err=True)
    echo_rows(rows)


def _chances(position: Position, value: float) -> str:
    """Return a value to MAX as a probability of winning, in games of chance where a win is worth 1 and a loss -1."""
    game = position.game
    if not isinstance(game, Bounded) or tuple(game.bounds(game.initial_state())) != (-1, 1):
        return ""
    first = capabilities.player_names(game)[0]
    return f"{first} wins with probability {number((1 + value) / 2, DIGITS)}, a draw counted as half a win"


def _in_plies(distance: int | None) -> str:
    return "play repeats for ever" if distance is None else f"{many(distance, 'ply', 'plies')} to the end"
