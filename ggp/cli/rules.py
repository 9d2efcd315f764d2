"""`ggp rules`: how a game is played."""

from collections.abc import Sequence

import click

from ggp import capabilities
from ggp.cli.console import echo, echo_json, echo_text
from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json, takes_game
from ggp.game import MAX


@click.command("rules", cls=Helpful)
@takes_game
@as_json
@click.pass_obj
def command(session: Session, name: str, parameters: Sequence[str], as_json: bool) -> None:
    """Print the rules of a game."""
    game = session.game(name, parameters)
    title, text = capabilities.title(game), capabilities.rules(game)
    names = capabilities.players(game)
    if as_json:
        echo_json({"game": game.name, "title": title, "rules": text, "players": names})
        return
    echo(title)
    echo_text(text or "(this game has no description of its rules)")
    if len(names) == 1:
        echo(f"Player: {names[0]}, alone.")
        return
    # Chance may move first, and then it decides who begins.
    mover = game.to_move(game.initial_state())
    first, second = (f"{each}, who begins" if side == mover else each for side, each in enumerate(names))
    echo(f"Players: {first}{',' if mover == MAX else ''} and {second}.")
