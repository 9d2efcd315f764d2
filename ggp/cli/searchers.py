"""`ggp searchers`: what can search."""

import click

from ggp.cli.games import echo_entry, entry_as_data
from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json
from ggp.cli.words import echo, echo_json, option_lines
from ggp.options import options_of
from ggp.searcher import Limits


@click.command("searchers", cls=Helpful)
@as_json
@click.pass_obj
def command(session: Session, as_json: bool) -> None:
    """List the searchers, with their options."""
    entries = session.registry.searchers.values()
    if as_json:
        echo_json([entry_as_data(entry) for entry in entries])
        return
    for entry in entries:
        echo_entry(entry)
    echo("Limits that every searcher takes (NAME:depth=8 is a searcher with its limits):")
    for line in option_lines(options_of(Limits)):
        echo(line)
