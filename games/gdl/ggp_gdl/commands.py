"""`ggp gdl`: descriptions in GDL, the classes that are made from them, and descriptions of games of ours."""

import click

from ggp.cli.console import echo, echo_rows
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.session import Session, takes_game
from ggp_gdl.description import DescriptionError
from ggp_gdl.export import export
from ggp_gdl.library import PREFIX, find, folders, load, named_files, source_of, title


@click.group("gdl", cls=HelpfulGroup, section="Games and searchers")
def command() -> None:
    """Show and write games in the Game Description Language.

    Wherever GAME is accepted, a description is too: a file (`ggp play game.kif`), one of ours (`ggp play
    gdl:tictactoe`), or one in the folder that GGP_GDL names.
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

    If the game is too large for a class, print the functions by which its rules are interpreted.
    """
    path = find(name if name.startswith(PREFIX) or "." in name else PREFIX + name)
    if path is None:
        raise DescriptionError(f"{name} is not a description: name a file such as game.kif, or one of `ggp gdl list`")
    load(path, PREFIX + str(path))
    source, reason = source_of(path.read_text(errors="replace"), PREFIX + path.stem)
    if reason:
        echo(f"# The rules are interpreted: {reason}.")
    click.echo(source)


@command.command("write", cls=Helpful)
@takes_game
@click.pass_obj
def write(session: Session, name: str, parameters: tuple[str, ...]) -> None:
    """Print a small game of any plugin as a description in GDL."""
    click.echo(export(session.game(name, parameters)), nl=False)
