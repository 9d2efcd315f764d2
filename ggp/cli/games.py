"""`ggp games`: the games with their parameters."""

from collections.abc import Collection

import click

from ggp import capabilities
from ggp.cli import completion
from ggp.cli.console import assignments, described, echo, echo_ends, echo_json, echo_options, echo_rows, echo_text
from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json
from ggp.errors import UnknownNameError
from ggp.game import AnyGame, Described
from ggp.plugin_entries import Entry


@click.command("games", cls=Helpful)
@click.argument("names", nargs=-1, metavar="[GAME]...", shell_complete=completion.games)
@as_json
@click.pass_obj
def command(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """List the games, or print everything about the games that are named.

    With GAME, print its rules, parameters, players and evaluations. With `openspiel:`, list the games of OpenSpiel.
    """
    prefixes = [name.rstrip(":") for name in names if name.endswith(":")]
    listed = (
        [each for prefix in prefixes for each in _names(session, prefix)] if prefixes else list(session.registry.games)
    )
    single = [name for name in names if not name.endswith(":")]
    entries = [session.registry.game_entry(name) for name in (*single, *(listed if prefixes or not names else ()))]
    games = {name: session.game(name, ()) for name in single}
    if as_json:
        echo_json(
            [entry_as_data(entry) | (_more(games[entry.name]) if entry.name in games else {}) for entry in entries]
        )
        return
    for entry in entries:
        if entry.name in games:
            echo_entry(entry)
            echo_more(games[entry.name])
        else:
            echo_summary(entry)
    if not games:
        echo()
        echo_text("`ggp games NAME` explains the parameters of a game, `ggp rules NAME` prints its rules.")


def _names(session: Session, prefix: str) -> tuple[str, ...]:
    """Return the names of all games with a prefix, such as `openspiel`.

    Raises:
        UnknownNameError: no plugin lists games with this prefix.
    """
    names = session.registry.game_names(prefix)
    if not names:
        raise UnknownNameError(
            f"no plugin lists games whose names begin with {prefix}: (openspiel: needs the extra openspiel)"
        )
    return names


def entry_as_data(entry: Entry) -> dict[str, object]:
    """Return the description of a game or a searcher for JSON."""
    options = [described(option) for option in entry.options]
    return {"name": entry.name, "summary": entry.summary, "source": entry.source, "parameters": options}


def echo_summary(entry: Entry, shared: Collection[str] = ()) -> None:
    """Print a plugin's name, source, summary, and options with defaults; options in `shared` are left out."""
    echo_ends(entry.name, f"[{entry.source}]")
    echo_text(entry.summary or "(no description)", indent=2)
    own = {option.name: option.default for option in entry.options if option.name not in shared}
    if own:
        echo_text(assignments(own), indent=4)


def echo_entry(entry: Entry) -> None:
    """Print a plugin's name, source, summary, and every option with its meaning."""
    echo_summary(entry, [option.name for option in entry.options])
    echo_options(entry.options)
    echo()


def _more(game: AnyGame) -> dict[str, object]:
    offered = capabilities.evaluations(game)
    described = {"title": game.title, "rules": game.rules} if isinstance(game, Described) else {}
    return described | {
        "players": capabilities.players(game),
        "chance": capabilities.is_stochastic(game),
        "evaluations": {name: each.meaning for name, each in offered.items()},
    }


def echo_more(game: AnyGame) -> None:
    """Print the rules of a game, its players and its evaluations."""
    if isinstance(game, Described):
        echo_text(game.rules, indent=2)
    names = capabilities.players(game)
    who = " and ".join(f"{name} ({side})" for name, side in zip(names, ("MAX", "MIN"), strict=False))
    chance = ", and chance moves" if capabilities.is_stochastic(game) else ""
    echo(f"  {'players' if len(names) > 1 else 'player'}: {who}{chance}")
    echo("  evaluations (values to MAX):")
    meanings = {name: each.meaning for name, each in capabilities.evaluations(game).items()}
    echo_rows(meanings or {"none": "a game that is not finished counts as 0"}, indent=4, title=14)
    echo()
