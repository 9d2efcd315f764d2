"""`ggp experiment`: experiments that a file describes."""

import contextlib
import html as markup
import pathlib

import click

from ggp.cli.console import echo, plain
from ggp.cli.experiment import ExperimentOptions, conduct
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.number_options import takes_number
from ggp.cli.session import Session
from ggp.errors import StoreError
from ggp.experiments import workshop
from ggp.experiments.page import STYLE
from ggp.experiments.plan_file import ExperimentPlan, Part, read_plan
from ggp.experiments.report import blocks, data, title
from ggp.experiments.results import Results
from ggp.files import reason, write_file
from ggp.show.document import document
from ggp.tables import ResultTable


@click.group("experiment", cls=HelpfulGroup, section="Compare")
def command() -> None:
    """Run an experiment that a file describes."""


@command.command("run", cls=Helpful)
@click.argument("file", metavar="FILE.toml", type=click.Path(exists=True, dir_okay=False))
@click.option("--out", metavar="FOLDER", help="Folder for the results (default: the file's name with -results).")
@takes_number("--processes", "Number of processes that play games (default: 1).", minimum=1, maximum=1024)
@click.option("--executor", metavar="dask:ADDRESS", help="Play on a cluster. Needs the extra `cluster`.")
@click.option("--check", is_flag=True, help="Check the file, and play nothing.")
@click.pass_obj
def run(session: Session, file: str, out: str | None, processes: int | None, executor: str | None, check: bool) -> None:
    """Play the games of an experiment, and write tables, plots and reports.

    The file names players, games with their parameters, limits, pairings and seeds. For each game, the folder gets a
    journal, games.csv, report.html, report.md, report.json and plot.svg. After an interruption,
    the same command continues from the journals. For all games together, games.csv, ratings.csv and report.html are
    written.
    """
    path = pathlib.Path(file)
    plan = read_plan(
        session.registry, path, tuple(str(pathlib.Path(each).resolve()) for each in session.registry.files)
    )
    total = sum(part.experiment.games for part in plan.parts)
    if check:
        echo(f"{path}: {len(plan.parts)} x {len(plan.parts[0].experiment.players)} players, {total:,} games")
        return
    folder = pathlib.Path(out) if out is not None else path.with_name(f"{path.stem}-results")
    played = workshop(processes, executor)
    summaries: list[tuple[str, Results, Part]] = []
    for index, part in enumerate(plan.parts, 1):
        name = f"{index}-{part.experiment.game}".replace(":", "-").replace("/", "-")
        own = _folder(folder / name)
        options = ExperimentOptions(
            games=None,
            plies=None,
            seed=part.experiment.seed,
            longest=part.experiment.longest,
            clock=part.experiment.clock,
            starts=None,
            workshop=played,
            journal=own / "journal.jsonl",
            reports=tuple(own / f"report.{ending}" for ending in ("html", "md", "json")),
            live=False,
            picture=own / "plot.svg",
            csv=str(own / "games.csv"),
            as_json=False,
        )
        if index > 1:
            echo()
        summaries.append((name, conduct(options, part.experiment, session, part.game, plan.sprt), part))
    _write_all(folder, plan, summaries)
    echo(f"written: {folder}", err=True)


def _folder(path: pathlib.Path) -> pathlib.Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the folder {path} cannot be made: {reason(error)}") from None
    return path


def _write_all(folder: pathlib.Path, plan: ExperimentPlan, summaries: list[tuple[str, Results, Part]]) -> None:
    """Write the tables and the report of all games together."""
    games, ratings = ResultTable(), ResultTable()
    parts = []
    for name, results, part in summaries:
        figures = plain(data(results, part.game, plan.sprt))
        games += results.rows
        for row in _rows(figures):
            ratings.append({"part": name, "game": part.experiment.game} | row)
        said = next((each for each in blocks(figures) if isinstance(each, str)), "")
        parts.append(
            f'<h2><a href="{markup.escape(name)}/report.html">{markup.escape(title(figures))}</a></h2>'
            f'<p class="verdict">{markup.escape(said)}</p>'
        )
    write_file(folder / "games.csv", games.to_csv().encode(), "table")
    write_file(folder / "ratings.csv", ratings.to_csv().encode(), "table")
    heading = markup.escape(plan.path.stem)
    page = document(plan.path.stem, STYLE, f"<main><h1>{heading}</h1>{''.join(parts)}</main>")
    write_file(folder / "report.html", page.encode(), "report")


def _rows(figures: dict[str, object]) -> list[dict[str, object]]:
    """Return a row for each player with its rating; without ratings, a row for each match."""
    with contextlib.suppress(KeyError, TypeError):
        return [
            {name: value for name, value in row.items() if not isinstance(value, list | dict)}
            for row in figures["ratings"]["players"]  # type: ignore[index]
        ]
    return [
        {name: value for name, value in match.items() if not isinstance(value, list | dict)}
        for match in figures["matches"]  # type: ignore[attr-defined]
    ]
