"""What `ggp match` and `ggp tournament` share: their options, and the course of an experiment."""

import json
import pathlib
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import click

from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.numbers import takes_number
from ggp.cli.session import Position, Session, as_json
from ggp.cli.words import columns, echo, echo_json, echo_line, many, plain, say
from ggp.errors import UsageError
from ggp.escapes import escaped
from ggp.experiments import SPRT, Experiment, Journal, Results, Workshop, outcomes, random_starts, read_starts, workshop
from ggp.experiments.experiment import LONGEST, as_texts, check_players
from ggp.experiments.plot import check_plot, plot
from ggp.experiments.report import data, markdown
from ggp.storage import write_file

EVERY = 30.0
"""Seconds between two lines of progress where standard error is no terminal; there it is one line, ever new."""

_OPTIONS = (
    takes_number("--games", "Games of each pair of players; must be even.", minimum=2, maximum=10_000_000),
    takes_number(
        "--plies",
        "Random plies before each start (default: 4, more if that gives too few starts).",
        minimum=0,
        maximum=10_000,
    ),
    click.option("--starts", metavar="FILE", help="Read the starting positions from a file, one on each line."),
    takes_number("--seed", "Seed of starts, dice and players.", default=0, minimum=0, maximum=(1 << 63) - 1),
    takes_number("--processes", "Processes that play (default: 1).", minimum=1, maximum=1024),
    click.option("--executor", metavar="dask:ADDRESS", help="Play on a cluster. Needs the extra `cluster`."),
    click.option("--journal", metavar="FILE", help="Save every game to this file; the same command resumes from it."),
    takes_number("--longest", "Moves after which a game is drawn.", default=LONGEST, minimum=1, maximum=10_000_000),
    click.option(
        "--report", "reports", metavar="FILE", multiple=True, help="Write the report to this .md or .json file."
    ),
    click.option(
        "--plot", "picture", metavar="FILE", help="Write a plot to this .svg or .png file. Needs the extra `plot`."
    ),
    as_json,
)


def takes_experiment(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of an experiment; the command gets them as one `Plan` by `Plan.of`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@attrs.frozen(kw_only=True)
class Plan:
    """The options of an experiment, read and checked."""

    games: int | None
    plies: int | None
    seed: int
    longest: int
    starts: pathlib.Path | None
    workshop: Workshop
    journal: pathlib.Path | None
    reports: tuple[pathlib.Path, ...]
    picture: pathlib.Path | None
    as_json: bool

    @classmethod
    def of(cls, given: dict[str, Any]) -> "Plan":
        """The plan that the options of the command line make.

        Raises:
            UsageError: one of them is wrong, or they do not go together.
        """
        if given["games"] is not None and given["games"] % 2:
            raise UsageError(
                f"--games must be even (each start is played twice with sides swapped); got {given['games']}"
            )
        if given["starts"] is not None and given["plies"] is not None:
            raise UsageError("--starts and --plies cannot be used together: one reads starts, the other draws them")
        paths = tuple(map(pathlib.Path, given["reports"]))
        for path in paths:
            _check_report(path)
        picture = _path(given["picture"])
        if picture:
            check_plot(picture)
        return cls(
            games=given["games"],
            plies=given["plies"],
            seed=given["seed"],
            longest=given["longest"],
            starts=_path(given["starts"]),
            workshop=workshop(given["processes"], given["executor"]),
            journal=_path(given["journal"]),
            reports=paths,
            picture=picture,
            as_json=given["as_json"],
        )

    def experiment(
        self,
        session: Session,
        position: Position,
        players: Sequence[str],
        couples: tuple[tuple[int, int], ...],
        default: int,
    ) -> Experiment:
        """The experiment of these players; `default` is how many games a couple plays where nothing is said.

        Raises: as `make_player`, `random_starts` and `read_starts`.
        """
        game = position.game
        check_players(session.registry, game, players)
        pairs = None if self.games is None else self.games // 2
        if self.starts:
            starts = read_starts(game, position.state, self.starts, pairs)
        else:
            starts = random_starts(game, position.state, pairs or default // 2, self.plies, self.seed)
        if len(set(starts)) < len(starts) and self.plies != 0:
            say(
                f"only {len(set(starts))} of the {len(starts)} starts are different: from the same start, players"
                " who leave nothing to chance play the same games again, which says nothing new"
            )
        return Experiment(
            game=game.name,
            parameters=as_texts(game),
            players=tuple(players),
            couples=couples,
            starts=starts,
            seed=self.seed,
            longest=self.longest,
            plugins=tuple(str(pathlib.Path(file).resolve()) for file in session.files),
        )


def _path(text: str | None) -> pathlib.Path | None:
    return None if text is None else pathlib.Path(text)


def _check_report(path: pathlib.Path) -> None:
    if path.suffix not in (".md", ".json"):
        raise UsageError(f"no report can be written to {path}: its name ends in .md or .json")
    if not path.parent.is_dir():
        raise UsageError(f"no report can be written to {path}: there is no directory {path.parent}")


def conduct(plan: Plan, experiment: Experiment, game: Any, sprt: SPRT | None = None) -> None:
    """Play the games, show how it goes, and report.

    Raises:
        Stopped: by Ctrl-C; what was played is reported nevertheless.
        GGPError: a game failed, or the journal cannot be used.
    """
    results = Results(experiment)
    journal = Journal.open(plan.journal, experiment) if plan.journal else None
    progress = Progress(experiment.games, len(journal.games) if journal else 0)
    if journal and journal.damaged:
        lines = many(journal.damaged, "damaged line")
        say(f"{plan.journal} has {lines}: what is lost is played again")
    interrupted = False
    games = outcomes(experiment, plan.workshop, journal)
    try:
        for outcome in games:
            results.add(outcome)
            progress.show(results)
            if sprt and sprt.accepted(results.meetings[0].pairs):
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        progress.close()
        games.close()  # type: ignore[attr-defined]
        if journal:
            journal.close()
    report(plan, results, game, sprt)
    if interrupted:
        again = "; the same command goes on from there" if journal else "; with --journal they would be kept"
        raise Stopped(f"interrupted after {results.games} of {experiment.games} games{again}", INTERRUPTED)


def report(plan: Plan, results: Results, game: Any, sprt: SPRT | None) -> None:
    """Print the report and write it into files.

    Raises:
        GGPError: a file cannot be written.
    """
    found: dict[str, Any] = plain(data(results, game, sprt))
    page = markdown(found)
    if plan.as_json:
        echo_json(found)
    else:
        for line in page.splitlines():
            (echo if line.startswith("|") else echo_line)(line)  # a row of a table stays whole
    for path in plan.reports:
        text = page if path.suffix == ".md" else json.dumps(found, indent=2) + "\n"
        write_file(path, text.encode(), "report")
    if plan.picture:
        plot(results, plan.picture)


class Progress:
    """Says on standard error how an experiment goes."""

    def __init__(self, games: int, kept: int) -> None:
        self._games = games
        self._kept = kept
        self._started = self._shown = time.monotonic()
        self._live = sys.stderr.isatty()
        self._width = 0
        if kept:
            echo(f"{kept} of {games} games are in the journal", err=True)

    def show(self, results: Results) -> None:
        """Say it, if it is time."""
        now = time.monotonic()
        if now - self._shown < (0.2 if self._live else EVERY):
            return
        self._shown = now
        line = f"{results.games} of {self._games} games{self._left(results.games, now)}{_standing(results)}"
        if self._live:
            line = line[: int(columns(sys.stderr)) - 1]
            click.echo(f"\r{escaped(line).ljust(self._width)}", nl=False, err=True)
            self._width = len(line)
        else:
            echo(line, err=True)

    def _left(self, games: int, now: float) -> str:
        played = games - self._kept
        if played <= 0:
            return ""
        seconds = (now - self._started) / played * (self._games - games)
        return f", about {_duration(seconds)} left"

    def close(self) -> None:
        """End the line."""
        if self._live and self._width:
            echo(err=True)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _standing(results: Results) -> str:
    """Of a match, how it stands."""
    if len(results.meetings) != 1:
        return ""
    (meeting,) = results.meetings
    best, low, high = meeting.pairs.elo()
    return f": +{meeting.wins} ={meeting.draws} -{meeting.losses}, Elo {best:+.0f} ({low:+.0f} to {high:+.0f})"
