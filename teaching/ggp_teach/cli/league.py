"""`ggp league`: a round robin of the players in a folder."""

import hashlib
import pathlib
import re
from collections.abc import Sequence

import attrs
import click

from ggp.cli import completion
from ggp.cli.console import echo
from ggp.cli.experiment import ExperimentOptions, conduct, takes_experiment
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.session import Session, position_options
from ggp.errors import GGPError, UsageError
from ggp.experiments import Experiment, Journal, round_robin
from ggp.files import write_file
from ggp.play.text_format import to_text

GAMES = 20
"""Default number of games of each pair of players."""
LISTS = (".txt", ".players")
"""Suffixes of files that list players, one on each line, written as on the command line."""


@click.command("league", cls=Helpful, section="Learn and teach")
@click.argument("folder", metavar="FOLDER", type=click.Path(exists=True, file_okay=False))
@click.option("--game", "name", metavar="GAME", default="kalah", show_default=True, shell_complete=completion.games)
@position_options
@takes_number("--seconds", "Time for a move of a Python file.", default=1.0, minimum=0.01, maximum=86400, type=float)
@takes_number("--memory", "Memory of a Python file in MB.", default=1024, minimum=256, maximum=1 << 20)
@click.option("--records", metavar="FOLDER", help="Write every game to a file of this folder, for `ggp replay`.")
@takes_experiment
@click.pass_obj
def command(
    session: Session,
    /,
    folder: str,
    name: str,
    parameters: Sequence[str],
    board: str | None,
    moves: str | None,
    seconds: float,
    memory: int,
    records: str | None,
    **given: object,
) -> None:
    """Play a round robin of all players in a folder.

    A player may be a Python file with a function choose(game, state): it runs in a limited process with a clock. A
    player may also be a line of a file whose name ends in .txt or .players: a level, a searcher or an engine, written
    as for `ggp match`.

    A player that hangs, crashes, takes too much memory, prints too much, opens files or makes an illegal move loses the
    game. The report gives the reason. A journal keeps the games, so that the same command continues after an
    interruption.
    """
    position = session.position(name, parameters, board, moves)
    players = players_in(pathlib.Path(folder), seconds, memory)
    options = ExperimentOptions.of(given)
    experiment = options.experiment(session, position, players, round_robin(len(players)), GAMES)
    if options.journal is None:
        options = attrs.evolve(options, journal=pathlib.Path(folder) / f".league-{_fingerprint(experiment)}.journal")
    conduct(options, experiment, session, position.game)
    if records is not None:
        _write_records(options, experiment, pathlib.Path(records))


def players_in(folder: pathlib.Path, seconds: float = 1.0, memory: int = 1024) -> list[str]:
    """Return the players of a folder, in the form of the command line.

    Raises:
        UsageError: there are fewer than two players, or a player is named twice.
    """
    players: list[str] = []
    options = [f"seconds={seconds:g}"] * (seconds != 1) + [f"memory={memory}"] * (memory != 1024)
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "_")):
            continue
        if path.suffix == ".py" or (path.is_dir() and (path / "__init__.py").is_file()):
            players.append(f"python:{path}" + (f"?{','.join(options)}" if options else ""))
        elif path.suffix in LISTS and path.is_file():
            try:
                lines = path.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"{path} cannot be read: {error}") from None
            players += [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    if len(players) < 2:
        raise UsageError(
            f"a league needs two players or more, and {folder} has {len(players)}: a player is a file ending in .py, or"
            " a line of a file ending in .txt"
        )
    if len(set(players)) < len(players):
        twice = next(each for each in players if players.count(each) > 1)
        raise UsageError(f"the player {twice} is named twice in {folder}")
    return players


def _fingerprint(experiment: Experiment) -> str:
    """Return a name for the experiment; the name changes if the players' files change."""
    made = hashlib.sha256(repr(attrs.asdict(experiment)).encode())
    for player in experiment.players:
        if player.startswith("python:"):
            path = pathlib.Path(player.removeprefix("python:").partition("?")[0])
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                made.update(file.read_bytes())
    return made.hexdigest()[:12]


def _write_records(options: ExperimentOptions, experiment: Experiment, folder: pathlib.Path) -> None:
    assert options.journal is not None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GGPError(f"the folder {folder} cannot be made: {error.strerror}") from None
    journal = Journal.open(options.journal, experiment)
    journal.close()
    for number, outcome in sorted(journal.games.items()):
        names = [re.sub(r"\W+", "-", pathlib.Path(player.name).stem).strip("-") for player in outcome.record.players]
        path = folder / f"{number + 1:05}-{'-'.join(names)}.txt"
        write_file(path, to_text(outcome.record).encode(), "record")
    echo(f"{len(journal.games)} records: {folder}", err=True)
