"""`ggp puzzles`: make collections of puzzles."""

import json
import pathlib

import click

from ggp import files
from ggp.cli.console import echo
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.number_options import takes_number
from ggp.cli.session import Position, Session, takes_position
from ggp.errors import GGPError, UsageError
from ggp.play import puzzle
from ggp_solve.puzzles import puzzle_maker


@click.group("puzzles", cls=HelpfulGroup, section="Write your own")
def command() -> None:
    """Make collections of puzzles."""


@command.command("make", cls=Helpful)
@takes_position
@takes_number("--number", "Number of puzzles.", default=10, minimum=1)
@takes_number("--seed", "Seed of the random openings.", default=1)
@takes_number("--seconds", "Processor time to spend at most (default: no limit).", minimum=0.1, type=float)
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write the puzzles to this file, too.")
@click.option("--resume", is_flag=True, help="Keep the puzzles that the file has, and add what is missing.")
def make(
    session: Session,
    position: Position,
    number: int,
    seed: int,
    seconds: float | None,
    output: str | None,
    resume: bool,
) -> None:
    """Make puzzles of a game from games between strong players.

    Each puzzle is a position in which exactly one move wins. Searches to the end of the game prove this; if positions
    can come back, an enumeration does. A line of JSON has the position, the winning line, the plies that a search needs
    to prove the win, and the theme. A game ships its collection as puzzles/NAME.jsonl in its package; `ggp puzzle GAME
    --from FILE` plays the puzzles of a file.

    With --position, all games begin at that position, for example in an endgame. The file is written after each puzzle.
    Ctrl-C ends the command early, and --resume goes on from there.
    """
    game, start = position.game, position.state
    if resume and output is None:
        raise UsageError("--resume needs the file with the puzzles so far: add --output FILE")
    path = None if output is None else pathlib.Path(output)
    if path is not None:
        files.require_place(path, "file")
    begin = None if start == game.initial_state() else start
    maker = puzzle_maker(session.registry, game, seed=seed, seconds=seconds, start=begin)
    text = path.read_text(encoding="utf-8") if path is not None and resume and path.exists() else ""
    earlier = puzzle.read_puzzles(game, text)
    lines = [json.dumps(puzzle.as_data(game, each)) for each in earlier]
    for each in maker.puzzles(number, earlier):
        lines.append(json.dumps(puzzle.as_data(game, each)))
        echo(lines[-1])
        if path is not None:
            files.write_file(path, "".join(f"{line}\n" for line in lines).encode())
    if not lines:
        raise GGPError(f"no puzzle of {game.name} was found: no position with exactly one winning move could be proved")
    if len(lines) < number:
        echo(f"found {len(lines)} puzzles; {number} were asked for", err=True)
    if path is not None:
        echo(f"written: {path}", err=True)
