"""`ggp games`: what can be played."""

from typing import Any

import click

from ggp import capabilities
from ggp.cli import completion
from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json
from ggp.cli.words import described, echo, echo_json, hanging, option_lines, width
from ggp.game import Described
from ggp.plugins import Entry


@click.command("games", cls=Helpful)
@click.argument("names", nargs=-1, metavar="[GAME]...", shell_complete=completion.games)
@as_json
@click.pass_obj
def command(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """List the games, with their parameters.

    Of games that are named, the evaluations and what the players are called are listed too.
    """
    games = {name: session.game(name, ()) for name in names}
    entries = [session.registry.games[name] for name in names] or list(session.registry.games.values())
    if as_json:
        echo_json([entry_as_data(entry) | (_more(games[entry.name]) if games else {}) for entry in entries])
        return
    for entry in entries:
        echo_entry(entry)
        if games:
            _echo_more(games[entry.name])


def entry_as_data(entry: Entry) -> dict[str, Any]:
    """A game or a searcher as what a program reads."""
    options = [described(option) for option in entry.options]
    return {"name": entry.name, "summary": entry.summary, "source": entry.source, "parameters": options}


def echo_entry(entry: Entry) -> None:
    """A game or a searcher for people: name, summary, source, parameters."""
    source = f"[{entry.source}]"
    gap = width() - len(entry.name) - len(source)
    echo(f"{entry.name}{' ' * max(gap, 2)}{source}")
    for line in hanging("", entry.summary or "(its author says nothing about it)", 2):
        echo(line)
    for line in option_lines(entry.options):
        echo(line)
    echo()


def _more(game: Any) -> dict[str, Any]:
    offered = capabilities.evaluations(game)
    known = {"title": game.title, "rules": game.rules} if isinstance(game, Described) else {}
    return known | {
        "players": capabilities.player_names(game),
        "chance": capabilities.is_stochastic(game),
        "evaluations": {name: each.meaning for name, each in offered.items()},
    }


def _echo_more(game: Any) -> None:
    if isinstance(game, Described):
        for line in hanging("", game.rules, 2):
            echo(line)
    first, second = capabilities.player_names(game)
    chance = ", and chance moves" if capabilities.is_stochastic(game) else ""
    echo(f"  players: {first} (MAX) and {second} (MIN){chance}")
    echo("  evaluations (values to MAX):")
    for name, each in capabilities.evaluations(game).items():
        for line in hanging(f"    {name}", each.meaning, 18):
            echo(line)
    if not capabilities.evaluations(game):
        echo("    none: a game that is not finished counts as 0")
    echo()
