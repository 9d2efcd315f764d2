"""Options for the two players, under the names of each game."""

import re

import click

from ggp import capabilities
from ggp.cli import completion
from ggp.cli.help import Helpful
from ggp.cli.number_options import CommandT
from ggp.cli.session import Session
from ggp.errors import UsageError
from ggp.game import AnyGame
from ggp.plugin_entries import Entry
from ggp.plugins import Registry

SIDES = ("first", "second")
"""The options for MAX and for MIN in every game."""


class PlayCommand(Helpful):
    """A command that also accepts the options for players under the names of any game, such as `--south`."""

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        parameters = super().get_params(context)
        taken = {option for parameter in parameters for option in parameter.opts}
        games = _registry(context).games
        names = sorted({name for entry in games.values() for name in side_names(entry)})
        return parameters + [
            click.Option([f"--{name}", keyword(name)], hidden=True, shell_complete=completion.players)
            for name in names
            if f"--{name}" not in taken
        ]

    def extra_hint(self, context: click.Context, argument: str) -> str:
        """See `Helpful`: the usual mistake is to type a player after the game."""
        return f"a player is given by an option, such as --second {argument}"


def _registry(context: click.Context) -> Registry:
    if context.resilient_parsing:  # the shell completes: no word of what cannot be used
        return completion.registry(context)
    return context.ensure_object(Session).registry


def side_names(entry: Entry) -> tuple[str, ...]:
    """Return the game-specific names of the options for players: `south` and `north`."""
    return tuple(map(option_name, capabilities.players(entry.factory)))


def option_name(name: str) -> str:
    """Return a player's name as the name of an option."""
    return "-".join(name.lower().split())


def keyword(option: str) -> str:
    """Return the name of an option for a player as a Python identifier."""
    return "side_" + re.sub(r"\W", "_", option)


def takes_players(command: CommandT) -> CommandT:
    """Add `--first` and `--second`."""
    for side, who in zip(reversed(SIDES), ("MIN", "MAX, who usually moves first"), strict=True):
        command = click.option(
            f"--{side}", metavar="PLAYER", shell_complete=completion.players, help=f"Player of {who}."
        )(command)
    return command


def sides(game: AnyGame, given: dict[str, str | None]) -> tuple[str | None, str | None]:
    """Return the texts of MAX's and MIN's player, whichever options gave them; None for a player that was not given.

    Raises:
        UsageError: a name that the game's players do not have, or a side given twice.
    """
    own = [option_name(name) for name in capabilities.players(game)]
    places = {name: side for side, name in enumerate(SIDES)} | {keyword(name): side for side, name in enumerate(own)}
    texts: list[str | None] = [None, None]
    for name, text in given.items():
        if text is None:
            continue
        if name not in places:
            wrong = name.removeprefix("side_")
            has = "its player is" if len(own) == 1 else "its players are"
            raise UsageError(f"{game.name} has no player {wrong!r}: {has} --{' and --'.join(own)}")
        side = places[name]
        if texts[side] is not None:
            raise UsageError(f"--{SIDES[side]} and --{own[side]} are the same player: give one of them")
        texts[side] = text
    first, second = texts
    return first, second
