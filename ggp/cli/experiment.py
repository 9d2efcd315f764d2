"""Options of `ggp match` and `ggp tournament`, and how both run an experiment."""

import contextlib
import json
import pathlib
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import click

from ggp import capabilities
from ggp.cli.console import echo, echo_json, echo_line, echo_table, plain, say
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.live_view import LiveView, standing
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.progress_line import ProgressLine, duration
from ggp.cli.session import Position, Session, as_json
from ggp.errors import UsageError
from ggp.experiments import (
    SPRT,
    Experiment,
    Journal,
    Results,
    Workshop,
    even_starts,
    outcomes,
    random_starts,
    read_starts,
    workshop,
)
from ggp.experiments.experiment import LONGEST, as_texts, check_players, play_job
from ggp.experiments.page import page
from ggp.experiments.plot import check_plot, plot
from ggp.experiments.report import Block, blocks, data, markdown, overall, overall_blocks, title
from ggp.experiments.results import together
from ggp.experiments.starts import EVEN
from ggp.files import require_place, write_file
from ggp.game import AnyGame
from ggp.markdown import markdown_table
from ggp.number_text import many
from ggp.play.records import TimeControl

EVERY = 30.0
"""Seconds between two lines of progress if standard error is not a terminal; on a terminal, one line is updated."""

_OPTIONS = (
    takes_number("--games", "Games of each pair of players; must be even.", minimum=2, maximum=10_000_000),
    takes_number(
        "--plies",
        "Number of random plies before each start (default: 4, more if that gives too few starts).",
        minimum=0,
        maximum=10_000,
    ),
    click.option(
        "--starts",
        metavar="FILE|even",
        help="Read the starts from a file, one on each line; even: of many random starts, take the most even ones.",
    ),
    takes_number("--seed", "Seed of starts, dice and players.", default=0, minimum=0, maximum=(1 << 63) - 1),
    takes_number("--processes", "Number of processes that play games (default: 1).", minimum=1, maximum=1024),
    click.option("--executor", metavar="dask:ADDRESS", help="Play on a cluster. Needs the extra `cluster`."),
    click.option("--journal", metavar="FILE", help="Save every game to this file; the same command resumes from it."),
    takes_number(
        "--longest",
        "Number of moves after which a game counts as a draw.",
        default=LONGEST,
        minimum=1,
        maximum=10_000_000,
    ),
    click.option(
        "--clock",
        metavar="game=S,increment=S,move=S",
        help="Seconds for the game, an increment for each move, or seconds for each move; exceeding a limit loses.",
    ),
    click.option("--html", metavar="FILE", help="Write the report to this file, as a page with plots."),
    click.option("--live", is_flag=True, help="Show the games in the terminal, move by move, as they are played."),
    click.option(
        "--report", "reports", metavar="FILE", multiple=True, help="Write the report to this .md or .json file."
    ),
    click.option(
        "--plot", "picture", metavar="FILE", help="Write a plot to this .svg file: ratings, or the score of a match."
    ),
    takes_csv,
    as_json,
)


GAMES_OF_A_TEST = 4000
"""Default number of games of each pair of players if a sequential test may stop them early."""

takes_sprt = click.option(
    "--sprt",
    metavar="elo0=0,elo1=20",
    help="Stop as soon as a sequential probability ratio test decides between these Elo differences.",
)
"""The option that asks for a sequential test of each pair of players."""


def takes_experiment(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of an experiment. The command turns their values into an `ExperimentOptions` object by
    `ExperimentOptions.of`.
    """
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@attrs.frozen(kw_only=True)
class ExperimentOptions:
    """The options of an experiment, read and checked."""

    games: int | None
    plies: int | None
    seed: int
    longest: int
    clock: TimeControl | None
    starts: str | None
    """The name of a file of starts, or `EVEN`; None: random starts."""
    workshop: Workshop
    journal: pathlib.Path | None
    reports: tuple[pathlib.Path, ...]
    live: bool
    picture: pathlib.Path | None
    csv: str | None
    as_json: bool

    @classmethod
    def of(cls, given: dict[str, Any]) -> "ExperimentOptions":
        """Return the options that were given on the command line, after checking them.

        Raises:
            UsageError: an option is wrong, or two options exclude each other.
        """
        if given["games"] is not None and given["games"] % 2:
            raise UsageError(
                f"--games must be even (each start is played twice with sides swapped); got {given['games']}"
            )
        if given["starts"] not in (None, EVEN) and given["plies"] is not None:
            raise UsageError("--starts and --plies cannot be used together: one reads starts, the other draws them")
        if given["live"] and (given["executor"] or (given["processes"] or 1) > 1):
            raise UsageError("--live shows one game at a time: leave out --processes and --executor")
        paths = tuple(map(pathlib.Path, (*given["reports"], *([given["html"]] if given["html"] else []))))
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
            clock=None if given["clock"] is None else TimeControl.parse(given["clock"]),
            starts=given["starts"],
            workshop=workshop(given["processes"], given["executor"]),
            journal=_path(given["journal"]),
            reports=paths,
            live=given["live"],
            picture=picture,
            csv=given["csv"],
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
        """Return the experiment with these players. Without --games, each pair of players plays `default` games.

        Raises: as `make_player`, `random_starts`, `even_starts` and `read_starts`.
        """
        game = position.game
        if len(capabilities.players(game)) == 1:
            raise UsageError(f"{game.name} is for one player: give a game for two, or see ggp play {game.name}")
        check_players(session.registry, game, players)
        pairs = None if self.games is None else self.games // 2
        if self.starts == EVEN:
            with ProgressLine(every=EVERY) as line:
                starts = even_starts(
                    session.registry, game, position.state, pairs or default // 2, self.plies, self.seed, say=line.show
                )
        elif self.starts is not None:
            starts = read_starts(game, position.state, _file_of_starts(self.starts), pairs)
        else:
            starts = random_starts(game, position.state, pairs or default // 2, self.plies, self.seed)
        if len(set(starts)) < len(starts) and self.plies != 0:
            say(
                f"only {len(set(starts))} of the {len(starts)} starts are different: from the same start, players"
                " without random choices repeat the same games, which adds no information"
            )
        return Experiment(
            game=game.name,
            parameters=as_texts(game),
            players=tuple(players),
            couples=couples,
            starts=starts,
            seed=self.seed,
            longest=self.longest,
            clock=self.clock,
            plugins=tuple(str(pathlib.Path(file).resolve()) for file in session.registry.files),
        )


def _file_of_starts(name: str) -> pathlib.Path:
    path = pathlib.Path(name)
    if not path.exists():
        raise UsageError(
            f"{name} cannot be read: there is no such file; --starts takes a file of start positions, or the word"
            f" {EVEN} for the most even of many random starts"
        )
    return path


def _path(text: str | None) -> pathlib.Path | None:
    return None if text is None else pathlib.Path(text)


def _check_report(path: pathlib.Path) -> None:
    if path.suffix not in (".md", ".json", ".html"):
        raise UsageError(f"the name of a report must end in .md, .json or .html; got {path}")
    if not path.parent.is_dir():
        raise UsageError(f"no report can be written to {path}: there is no directory {path.parent}")
    require_place(path, "report")


def conduct(
    options: ExperimentOptions, experiment: Experiment, session: Session, game: AnyGame, sprt: SPRT | None = None
) -> Results:
    """Play the games, show the progress, and print the report; return the results.

    Arguments:
        sprt: a sequential test of each pair of players; two players stop playing each other when their test is decided.

    Raises:
        Stopped: the user pressed Ctrl-C; the games played so far are reported.
        GGPError: a game failed, or the journal cannot be used.
    """
    results, interrupted = played(options, experiment, session, game, sprt)
    report(options, results, game, sprt)
    if interrupted:
        raise interrupted
    return results


def conduct_all(
    options: ExperimentOptions,
    experiments: Sequence[tuple[AnyGame, Experiment]],
    session: Session,
    sprt: SPRT | None = None,
) -> None:
    """Play several games with the same players, each as `conduct` does; then print the ratings over all games.

    The names of journals, reports and plots get the number and the name of the game, as in report-2-nim.html.
    """
    finished: list[Results] = []
    data_of: list[dict[str, object]] = []
    stopped: Stopped | None = None
    for index, (game, experiment) in enumerate(experiments, 1):
        name = f"{index}-{experiment.game}".replace(":", "-").replace("/", "-")
        own = attrs.evolve(
            options,
            csv=None,
            journal=_named(options.journal, name),
            reports=tuple(path.with_stem(f"{path.stem}-{name}") for path in options.reports),
            picture=_named(options.picture, name),
        )
        results, stopped = played(own, experiment, session, game, sprt)
        finished.append(results)
        data_of.append(plain(data(results, game, sprt)))
        write_reports(own, results, data_of[-1], game)
        if not options.as_json and options.csv != STANDARD_OUTPUT:
            echo_report(data_of[-1])
            echo()
        if stopped:
            break
    whole: dict[str, object] = plain(overall(finished))
    if options.csv is not None:
        write_csv(options.csv, together(finished).rows)
    if options.as_json:
        echo_json({"experiments": data_of} | whole)
    elif options.csv != STANDARD_OUTPUT:
        _echo_blocks(overall_blocks(whole))
    if stopped:
        raise stopped


def _named(path: pathlib.Path | None, name: str) -> pathlib.Path | None:
    return None if path is None else path.with_stem(f"{path.stem}-{name}")


def played(
    options: ExperimentOptions, experiment: Experiment, session: Session, game: AnyGame, sprt: SPRT | None
) -> tuple[Results, Stopped | None]:
    """Play the games and show the progress; return the results, and the interruption if the user pressed Ctrl-C.

    Raises: as `conduct`.
    """
    results = Results(experiment)
    journal = Journal.open(options.journal, experiment) if options.journal else None
    if journal and journal.damaged:
        lines = many(journal.damaged, "damaged line")
        say(f"{options.journal} has {lines}: the lost games are played again")
    interrupted = False
    live = LiveView(session.registry, game) if options.live else None
    decided: set[int] = set()
    games = outcomes(
        experiment,
        options.workshop,
        journal,
        live.play if live else play_job,
        needed=lambda number: experiment.meeting(number)[0] not in decided,
    )
    line = ProgressLine(every=EVERY)
    with contextlib.nullcontext() if live else line:
        progress = ExperimentProgress(line, experiment.games, len(journal.games) if journal else 0)
        try:
            for outcome in games:
                results.add(outcome)
                if live:
                    live.stands(results, outcome)
                else:
                    progress.show(results)
                couple, _, _ = experiment.meeting(outcome.number)
                if sprt and sprt.accepted(results.meetings[couple].pairs):
                    decided.add(couple)
        except KeyboardInterrupt:
            interrupted = True
            if sys.stderr.isatty():
                echo(err=True)  # the terminal's ^C stands alone
        finally:
            games.close()  # type: ignore[attr-defined]
            if journal:
                journal.close()
    if not interrupted:
        return results, None
    again = "; the same command resumes from there" if journal else "; with --journal they would be saved"
    return results, Stopped(f"interrupted after {results.games} of {experiment.games} games{again}", INTERRUPTED)


def report(options: ExperimentOptions, results: Results, game: AnyGame, sprt: SPRT | None) -> None:
    """Print the report, and write it to the files that were asked for.

    Raises:
        GGPError: a file cannot be written.
    """
    figures: dict[str, object] = plain(data(results, game, sprt))
    if options.csv is not None:
        write_csv(options.csv, results.rows)
    if options.as_json:
        echo_json(figures)
    elif options.csv == STANDARD_OUTPUT:
        pass
    else:
        echo_report(figures)
    write_reports(options, results, figures, game)


def write_reports(options: ExperimentOptions, results: Results, figures: Mapping[str, object], game: AnyGame) -> None:
    """Write the report to the files that were asked for; `figures` are its data.

    Raises:
        GGPError: a file cannot be written.
    """
    for path in options.reports:
        write_file(path, _written(path, figures, results, game).encode(), "report")
    if options.picture:
        plot(figures, results, options.picture)


def _written(path: pathlib.Path, figures: Mapping[str, object], results: Results, game: AnyGame) -> str:
    """Return the report in the format that the file's extension asks for."""
    if path.suffix == ".html":
        return page(figures, results, game)
    return markdown(figures) if path.suffix == ".md" else json.dumps(figures, indent=2) + "\n"


def echo_report(figures: Mapping[str, object]) -> None:
    """Print the report: in a terminal wrapped to its width, otherwise as Markdown."""
    if not sys.stdout.isatty():
        echo(markdown(figures).rstrip("\n"))
        return
    echo_line(title(figures))
    for block in blocks(figures):
        echo()
        _echo_block(block)


def _echo_blocks(parts: Sequence[Block]) -> None:
    for index, block in enumerate(parts):
        if index:
            echo()
        _echo_block(block)


def _echo_block(block: Block) -> None:
    if isinstance(block, str):
        echo_line(block)
    elif sys.stdout.isatty():
        echo_table(block)
    else:
        echo(markdown_table(block).rstrip("\n"))


class ExperimentProgress:
    """Reports the progress of an experiment on standard error."""

    def __init__(self, line: ProgressLine, games: int, journaled: int) -> None:
        self._line = line
        self._games = games
        self._journaled = journaled
        self._started: tuple[float, int] | None = None
        if journaled:
            echo(f"{journaled} of {games} games are in the journal", err=True)

    def show(self, results: Results) -> None:
        """Print the results so far."""
        now = time.monotonic()
        if self._started is None and results.games > self._journaled:  # the first game compiles
            self._started = now, results.games
        parts = [f"{results.games} of {self._games} games"]
        if len(results.meetings) == 1:
            parts += standing(results.meetings[0], results.experiment.players)
        self._line.show(*parts, self._left(results.games, now), share=results.games / self._games)

    def _left(self, games: int, now: float) -> str:
        """Return an estimate of the remaining time; "" until enough games were played."""
        if self._started is None or games - self._started[1] < ENOUGH or now - self._started[0] < SETTLED:
            return ""
        seconds = (now - self._started[0]) / (games - self._started[1]) * (self._games - games)
        return f"{duration(seconds)} left"


ENOUGH = 4
"""Number of games, after the first one, that are played before the remaining time is estimated."""
SETTLED = 2.0
"""Seconds that pass after the first game before the remaining time is estimated."""
