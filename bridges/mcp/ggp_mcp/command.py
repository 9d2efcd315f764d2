"""`ggp mcp`: a server of the Model Context Protocol."""

import click

from ggp.cli.help import Helpful
from ggp.cli.session import Session
from ggp.progress import shown, unseen


@click.command("mcp", cls=Helpful, section="Play")
@click.pass_obj
def command(session: Session) -> None:
    """Serve games to assistants by the Model Context Protocol, over standard input and output.

    The tools list games, describe rules, show positions as text and picture, play, analyse and solve. A caller's input
    opens no file, and every answer comes within a few seconds. Needs the extra `mcp`.
    """
    from ggp_mcp.server import server

    shown.set(unseen)
    server(session.registry).run()
