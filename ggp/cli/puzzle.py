"""`ggp puzzle`: find the only move that wins."""

import sys
from collections.abc import Sequence

import attrs
import click

from ggp import capabilities
from ggp.cli.console import assignments, echo, echo_json, echo_text
from ggp.cli.help import Helpful
from ggp.cli.match_view import echo_board
from ggp.cli.number_options import takes_number
from ggp.cli.prompt import BackError, InputEndedError, Prompt, QuitError, ResignError
from ggp.cli.session import Session, as_json, takes_game
from ggp.errors import UsageError
from ggp.files import read_bytes
from ggp.game import AnyGame
from ggp.play import puzzle
from ggp.play.puzzle import Puzzle

COMMANDS = {
    "hint": "names the theme",
    "rules": "prints the rules",
    "quit": "shows the solution",
    "?": "shows this",
}
"""Words that can be entered instead of the move, each with its meaning."""


@click.command("puzzle", cls=Helpful)
@takes_game
@takes_number("--number", "Number of the puzzle (default: today's).", minimum=1)
@click.option(
    "--from", "file", metavar="FILE", type=click.Path(dir_okay=False), help="File that `ggp puzzles make` has written."
)
@click.option("--solution", is_flag=True, help="Print the solution instead of asking for it.")
@as_json
@click.pass_obj
def command(
    session: Session,
    name: str,
    parameters: Sequence[str],
    number: int | None,
    file: str | None,
    solution: bool,
    as_json: bool,
) -> None:
    """Find the only move that wins: today's puzzle of a game, the same for everybody.

    You may try as often as you like; `quit` ends the puzzle. With --json, the puzzle and its solution are printed.
    """
    game = session.game(name, parameters)
    chosen = _chosen(session, game, puzzle.today() if number is None else number, file)
    if as_json:
        head = {"game": game.name, "parameters": capabilities.parameters(game), "number": chosen.number}
        echo_json(head | puzzle.as_data(game, chosen) | {"explanation": puzzle.explanation(game, chosen)})
        return
    scene = capabilities.scene(game, chosen.state)
    own = assignments(capabilities.changed_parameters(game))
    title = f"Puzzle {chosen.number} of {capabilities.title(game)} {own}".rstrip()
    echo_text(title if chosen.depth is None else f"{title}: a search needs {chosen.depth} plies to prove it")
    echo_board(game, chosen.state, scene, ())
    if not solution:
        _ask(game, chosen)
    else:
        echo_text(puzzle.explanation(game, chosen))


def _chosen(session: Session, game: AnyGame, number: int, file: str | None) -> Puzzle:
    if file is None:
        return puzzle.puzzle(session.registry, game, number)
    puzzles = puzzle.read_puzzles(game, read_bytes(file).decode(errors="replace"))
    if not puzzles:
        raise UsageError(f"{file} has no puzzle: `ggp puzzles make {game.name} --output {file}` writes some")
    return attrs.evolve(puzzles[(number - 1) % len(puzzles)], number=number)


def _ask(game: AnyGame, solved: Puzzle) -> None:
    """Ask for the move until it is right, or the human gives up."""
    text, prompt = (
        capabilities.notation(game),
        Prompt(sys.stdin, quiet=False, theme=solved.theme or puzzle.theme(game, solved), commands=COMMANDS),
    )
    echo("Find the only move that wins.")
    while True:
        try:
            action = prompt.ask(game, solved.state)
        except (QuitError, BackError, ResignError, InputEndedError):
            echo_text(f"The solution: {puzzle.explanation(game, solved)}")
            return
        if action == solved.action:
            echo_text(f"Right: {puzzle.explanation(game, solved)}")
            return
        echo(f"No, {text.format_action(solved.state, action)} does not win. Try again, or quit to see the solution.")
