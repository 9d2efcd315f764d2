"""`ggp gdl`: commands for descriptions in GDL, for the classes that are made from them, and for writing ggp's games in
GDL.
"""

import click

from ggp.cli import completion
from ggp.cli.console import echo, echo_rows, say
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.session import Session, takes_game
from ggp_gdl.appearance import text_beside
from ggp_gdl.checks import unknown_relations
from ggp_gdl.description import DescriptionError, read
from ggp_gdl.export import export
from ggp_gdl.library import PREFIX, Named, find, folders, load, named_files, source_of, title
from ggp_gdl.protocol import PORT


@click.group("gdl", cls=HelpfulGroup, section="Games and searchers")
def command() -> None:
    """Show and write games in the Game Description Language.

    A description can be given wherever GAME is accepted: a file (`ggp play game.kif`), one of ggp's own descriptions
    (`ggp play gdl:tictactoe`), or one in the folder that GGP_GDL names.
    """


@command.command("list", cls=Helpful)
def list_command() -> None:
    """List the descriptions that have a name."""
    for folder in folders():
        echo_rows({PREFIX + name: title(name) for name in sorted(named_files(folder))}, title=18)


@command.command("show", cls=Helpful)
@click.argument("name", metavar="DESCRIPTION")
def show(name: str) -> None:
    """Print the Python class that is made from a description.

    If the game is too large for a class, print the functions that interpret the game's rules. If the rules use a
    relation that nothing defines, say so.
    """
    path = find(name if name.startswith(PREFIX) or "." in name else PREFIX + name)
    if path is None:
        raise DescriptionError(f"{name} is not a description: name a file such as game.kif, or one of `ggp gdl list`")
    load(Named(path, PREFIX + str(path)))
    text = path.read_text(errors="replace")
    for sentence in unknown_relations(read(text)):
        say(f"{path.name}, {sentence}; so this relation never holds")
    source, reason = source_of(text, PREFIX + path.stem, text_beside(path))
    if reason:
        echo(f"# The rules are interpreted: {reason}.")
    click.echo(source)


@command.command("write", cls=Helpful)
@takes_game
@click.pass_obj
def write(session: Session, name: str, parameters: tuple[str, ...]) -> None:
    """Print a small game of any plugin as a description in GDL."""
    click.echo(export(session.game(name, parameters)), nl=False)


@command.command("serve", cls=Helpful)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port; 0 chooses one.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address of this machine at which hosts reach the player."
)
@click.option(
    "--player", default="mcts", show_default=True, metavar="PLAYER", shell_complete=completion.players,
    help="Level or searcher that plays.",
)  # fmt: skip
@click.pass_obj
def serve(session: Session, port: int, host: str, player: str) -> None:
    """Serve a player to hosts of the GGP protocol, until Ctrl-C.

    A host of matches, such as the server of ggp-base, sends a description, a role and clocks, and asks for moves. The
    player plays every game of a kind that ggp plays; for any other game, it answers that it is busy.
    """
    from ggp.play import make_player
    from ggp_gdl.server import Player, Server

    make_player(session.registry, player, session.game("gdl:tictactoe", ()))
    with Server(host, port, Player(session.registry, player, say)) as server:
        say(f"{player} plays at {host}:{server.server_address[1]} for hosts of the GGP protocol; Ctrl-C ends it")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("ended")
