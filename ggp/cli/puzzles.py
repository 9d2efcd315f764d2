"""`ggp puzzles`: make collections of puzzles."""

import json
import pathlib
from collections.abc import Sequence

import click

from ggp import files
from ggp.cli.console import echo
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.number_options import takes_number
from ggp.cli.session import Session, takes_game
from ggp.errors import GGPError
from ggp.play import puzzle


@click.group("puzzles", cls=HelpfulGroup)
def command() -> None:
    """Make collections of puzzles."""


@command.command("make", cls=Helpful)
@takes_game
@takes_number("--number", "Number of puzzles.", default=10, minimum=1)
@takes_number("--seed", "Seed of the random openings.", default=1)
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write them to this file, too.")
@click.pass_obj
def make(session: Session, name: str, parameters: Sequence[str], number: int, seed: int, output: str | None) -> None:
    """Make puzzles of a game from games between strong players.

    Each is a position in which exactly one move wins, proved by a search to the end. A line of JSON has the position,
    the winning line, and the plies that a search needs to prove it. A game ships its collection as puzzles/NAME.jsonl
    in its package; `ggp puzzle GAME --from FILE` plays one.
    """
    game = session.game(name, parameters)
    if output is not None:
        files.require_place(pathlib.Path(output), "file")
    lines = []
    for found in puzzle.make_puzzles(session.registry, game, number, seed):
        lines.append(json.dumps(puzzle.as_data(game, found)))
        echo(lines[-1])
    if not lines:
        raise GGPError(f"no puzzle of {game.name} was found: no position with exactly one winning move could be proved")
    if len(lines) < number:
        echo(f"found {len(lines)} puzzles; {number} were asked for", err=True)
    if output is not None:
        files.write_file(pathlib.Path(output), "".join(f"{line}\n" for line in lines).encode())
        echo(f"written: {output}", err=True)
