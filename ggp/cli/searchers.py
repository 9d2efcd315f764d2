"""`ggp searchers`: the searchers with their options."""

import click

from ggp.cli import completion
from ggp.cli.console import echo, echo_json, echo_options, echo_text
from ggp.cli.games import echo_entry, echo_summary, entry_as_data
from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json
from ggp.options import options_of
from ggp.searcher import Limits


@click.command("searchers", cls=Helpful)
@click.argument("names", nargs=-1, metavar="[SEARCHER]...", shell_complete=completion.searchers)
@as_json
@click.pass_obj
def command(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """List the searchers, or print everything about the searchers that are named."""
    searchers = session.registry.searchers
    entries = [searchers[session.registry.searcher(name).name] for name in names] or list(searchers.values())
    if as_json:
        echo_json([entry_as_data(entry) for entry in entries])
        return
    if names:
        for entry in entries:
            echo_entry(entry)
    else:
        listed = [option for entry in entries for option in entry.options]
        shared = [option for option in dict.fromkeys(listed) if listed.count(option) > len(entries) / 2]
        for entry in entries:
            echo_summary(entry, [option.name for option in shared])
        echo()
        echo("Options that most searchers share:")
        echo_options(shared)
        echo()
    echo("Limits of every searcher, written as alphabeta:depth=8:")
    echo_options(options_of(Limits))
    if not names:
        echo()
        echo_text("`ggp searchers NAME` lists all options of a searcher.")
