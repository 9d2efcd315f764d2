"""`ggp kgp`: play Kalah on a server of the Kalah Game Protocol."""

import os

import click

from ggp.cli import completion
from ggp.cli.console import echo, say
from ggp.cli.help import Helpful
from ggp.cli.session import Session
from ggp.number_text import many

TOKEN = "GGP_KGP_TOKEN"  # noqa: S105 - the name of an environment variable


@click.command("kgp", cls=Helpful, section="Play")
@click.argument("server")
@click.option(
    "--player", default="hard", show_default=True, metavar="PLAYER", shell_complete=completion.players,
    help="Level or searcher that plays.",
)  # fmt: skip
@click.pass_obj
def command(session: Session, server: str, player: str) -> None:
    """Play Kalah on a server of the Kalah Game Protocol, until the server says goodbye.

    SERVER is HOST:PORT, or ws://HOST:PORT for WebSocket (extra `kgp`). The server decides the size of the board and the
    time. The environment variable GGP_KGP_TOKEN holds the token that identifies the player to a server.
    """
    from ggp_kgp.client import play

    answered = play(session.registry, server, player, say, os.environ.get(TOKEN, ""))
    echo(f"the server has ended the session; {many(answered, 'move')} sent")
