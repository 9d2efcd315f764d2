"""`ggp rules`: how a game is played."""

from collections.abc import Sequence

import click

from ggp import capabilities
from ggp.cli.console import echo, echo_json, echo_text
from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json, takes_game


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
    first, *second = names
    echo(f"Players: {first}, who begins, and {second[0]}." if second else f"Player: {first}, alone.")
