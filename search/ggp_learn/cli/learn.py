"""`ggp learn`: learn to evaluate positions of a game by self-play."""

import contextlib
import pathlib
from collections.abc import Sequence

import attrs
import click
from ggp_search.learned.weights_file import FORMAT, Milestone
from ggp_search.learned.weights_path import default_path

from ggp import capabilities
from ggp.cli.console import assignments, echo, echo_json, echo_rows
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import takes_picture, write_picture
from ggp.cli.progress_line import ProgressLine, duration
from ggp.cli.session import Session, as_json, takes_game
from ggp.errors import GGPError, UsageError
from ggp.experiments.executors import workshop
from ggp.files import locked
from ggp.game import AnyGame
from ggp.number_text import many
from ggp.plugin_faults import require_sound
from ggp.show.line_chart import svg_file
from ggp.show.value_text import rounded
from ggp_learn.accuracy import SolvedPosition, solved_positions
from ggp_learn.learning_curve import curve
from ggp_learn.rounds import learn_together
from ggp_learn.training import Training, TrainingProgress

MINUTES = 10
"""Default time to learn."""
EXAM = 100
"""Number of positions with exact values on which the learning is measured."""


@click.command("learn", cls=Helpful, section="Search and learn")
@takes_game
@takes_number("--minutes", "Time to learn.", metavar="MINUTES", type=float, minimum=0.001, maximum=1e6)
@takes_number("--games", "Number of games of self-play (default: as many as there is time for).", minimum=1)
@takes_number(
    "--threads",
    "Threads that learn together; with one thread, the same seed gives the same weights.",
    default=2,
    minimum=1,
    maximum=64,
)
@takes_number(
    "--tuples",
    "Number of tuples: more tuples learn more, but play more slowly (default: chosen automatically).",
    minimum=1,
    maximum=1000,
)
@click.option(
    "--executor",
    metavar="dask:ADDRESS",
    help="Learn on a cluster, with as many workers as --threads says. Needs the extra `cluster`.",
)
@takes_number(
    "--seed", "Seed of the choice of tuples and of random moves.", default=0, minimum=0, maximum=(1 << 31) - 1
)
@click.option(
    "--to", "file", metavar="FILE", help="File of the weights (default: the user's own, where `learned` finds it)."
)
@click.option(
    "--pack",
    metavar="FILE",
    help="Also write the weights alone, rounded and compressed: a small file, for playing or for shipping with a game.",
)
@click.option("--restart", is_flag=True, help="Forget what was learned before.")
@click.option("--measure", is_flag=True, help="Also measure the share of best moves while learning, by exact values.")
@takes_picture("--plot", "the curve of strength")
@click.option("--quiet", is_flag=True, help="Print no progress.")
@as_json
@click.pass_obj
def command(
    session: Session,
    name: str,
    parameters: Sequence[str],
    minutes: float | None,
    games: int | None,
    threads: int,
    tuples: int | None,
    executor: str | None,
    seed: int,
    file: str | None,
    pack: str | None,
    restart: bool,
    measure: bool,
    plot: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Learn to evaluate positions of a game by self-play.

    Only the rules are needed. The result is the evaluation `learned`, for every searcher:
    `alphabeta:evaluation=learned`. Running the same command again continues the learning. Ctrl-C stops learning: what
    was learned is kept, and the exit status is 130.
    """
    game = session.game(name, parameters)
    require_sound(game, game.initial_state(), session.registry.game_entry(name))
    for option, named in {"--to": file, "--pack": pack}.items():
        if named == "":
            raise UsageError(f"{option} needs the name of a file; got ''")
    shop = None if executor is None else workshop(executor=executor)
    path = pathlib.Path(file) if file else default_path(game)
    for target in filter(None, (file, pack)):
        FORMAT.require_place(pathlib.Path(target))
    seconds = 60 * (minutes if minutes is not None else MINUTES if games is None else 1e6)
    path.parent.mkdir(parents=True, exist_ok=True)
    with ProgressLine(limit=seconds if games is None else None) as line:

        def report(progress: TrainingProgress) -> None:
            if not quiet:
                share = progress.games_now / games if games else None
                line.show(*progress_parts(progress), share=share)

        with locked(path.with_name(f"{path.name}.lock"), f"waiting for another process that writes {path}"):
            training = (None if restart else Training.resume(game, path)) or Training.begin(
                game, seed=seed, tuples=tuples
            )
            if measure:
                training.exam = _exam(training, line, quiet)
            interrupted = False
            before = training.games
            with contextlib.ExitStack() as stack:
                try:
                    if shop is None:
                        reached = training.run(seconds, games, threads=threads, path=path, report=report)
                    else:
                        plugins = [str(pathlib.Path(file).resolve()) for file in session.registry.files]
                        reached = learn_together(
                            training, shop, threads, seconds, games, plugins=plugins, path=path, report=report
                        )
                except KeyboardInterrupt:
                    interrupted = True
                    stack.close()
            if interrupted:
                raise Stopped(f"interrupted: {many(training.games, 'game')} learned, in {path}", INTERRUPTED)
    if pack:
        training.save(pathlib.Path(pack), packed=True)
    if plot is not None:
        write_picture(plot, svg_file(curve(reached.milestones)))
    if training.note:
        echo(f"ggp: note: {training.note}", err=True)
    if as_json:
        echo_json(as_data(training, reached, path))
    else:
        echo_learned(training, reached, path, before, name, session.registry.preferred_searcher(game))


def _exam(training: Training, line: ProgressLine, quiet: bool) -> tuple[SolvedPosition, ...]:
    """Return positions with exact values."""

    def solved(count: int, unsolved: int) -> None:
        if not quiet:
            line.show(f"solving positions: {count:,} of {EXAM:,}", share=count / EXAM)

    solved_set = solved_positions(training.game, EXAM, report=solved)
    if not solved_set.positions:
        raise GGPError(f"--measure needs positions with exact values, and none of {training.game.name} was solved")
    return solved_set.positions


def progress_parts(progress: TrainingProgress) -> list[str]:
    """Return the parts of the line that shows the progress of learning."""
    marks = progress.milestones
    gained = ""
    if len(marks) > 1:
        ago = duration(max(0.0, progress.seconds - marks[-2].seconds))
        gained = f"Elo {marks[-1].elo - marks[-2].elo:+.0f} against {ago} ago"
    right = f"{marks[-1].right:.0%} best moves" if marks and marks[-1].right is not None else ""
    return [
        many(progress.games, "game"),
        f"{progress.rate:,.0f} games/s",
        right,
        gained,
        f"value {rounded(progress.value)}",
    ]


def as_data(training: Training, progress: TrainingProgress, path: pathlib.Path) -> dict[str, object]:
    """Return what was learned, for JSON."""
    plan = training.network.plan
    return {
        "game": training.game.name,
        "parameters": capabilities.parameters(training.game),
        "file": str(path),
        "games": progress.games,
        "games_now": progress.games_now,
        "games_per_second": progress.rate,
        "seconds": progress.seconds,
        "seed": training.seed,
        "value": progress.value,
        "cells": len(plan.board.cells),
        "symmetries": len(plan.board.symmetries),
        "players_alike": plan.board.colours is not None,
        "tuples": len(plan.tuples),
        "weights": plan.entries * plan.sides,
        "milestones": [attrs.asdict(each) for each in progress.milestones],
    }


def echo_learned(
    training: Training, done: TrainingProgress, path: pathlib.Path, before: int, typed: str, searcher: str
) -> None:
    """Print what was learned, for people.

    Arguments:
        typed: the name of the game as it was entered, which may be a file.
        searcher: the searcher in the suggested command.
    """
    game, plan = training.game, training.network.plan
    cells, maps = many(len(plan.board.cells), "cell"), len(plan.board.symmetries)
    symmetries = f", {many(maps, 'symmetry', 'symmetries')}" if maps > 1 else ""
    symmetries += ", players alike" if plan.board.colours else ""
    went = f" ({before:,} of them before)" if before else ""
    name = capabilities.player_names(game)[0]
    echo_rows(
        {
            "game": f"{game.name} {assignments(capabilities.parameters(game))}".rstrip(),
            "board": f"{cells}{symmetries}; {many(len(plan.tuples), 'tuple')}, {plan.entries * plan.sides:,} weights",
            "games": f"{done.games:,}{went}, {done.rate:,.0f} games/s, {duration(done.seconds)} of learning",
            **({} if len(capabilities.players(game)) == 1 else {"strength": _strength(done)}),
            "value": f"{rounded(done.value)} to {name}, at the start",
            "file": str(path),
            "use": f"ggp match {typed}{_options(game)} {_player(searcher, game, path)} "
            "mcts:evaluation=default,seconds=0.1 --games 20",
        }
    )


def _player(searcher: str, game: AnyGame, path: pathlib.Path) -> str:
    """Return the player for the suggested match, as it is written on the command line."""
    evaluation = "learned" if path == default_path(game) else f"learned:{path}"
    return f"{searcher}:evaluation={evaluation},seconds=0.1"


def _options(game: AnyGame) -> str:
    return "".join(f" --option {name}={value}" for name, value in capabilities.changed_parameters(game).items())


def _strength(progress: TrainingProgress) -> str:
    def text(each: Milestone) -> str:
        right = "" if each.right is None else f", {each.right:.0%} best moves"
        return f"Elo {each.elo:+.0f}{right} after {duration(each.seconds)}"

    return "; ".join(map(text, progress.milestones[-3:])) + " (without search, against itself)"
