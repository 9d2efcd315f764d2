"""The front page and the form for a new game, as data for the templates."""

import contextlib
import functools
import re
from collections.abc import Mapping
from urllib.parse import quote

import attrs
from markupsafe import Markup

from ggp import capabilities
from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import MAX, Player
from ggp.levels import elo, usual_level
from ggp.options import Option
from ggp.play.player_parser import offered_players
from ggp.plugin_entries import Entry
from ggp.plugins import Registry
from ggp.web import visitor_players
from ggp.web.address import Address, side_names
from ggp.web.views import picture, typed

FIRST = 3
"""Number of parameters that are shown at once; the others are behind "more"."""


@attrs.frozen
class FormField:
    """A parameter of a game in the form for a new game."""

    option: Option
    name: str
    control: str
    """"number", "choice" or "text"."""
    value: str
    choices: tuple[str, ...] = ()
    whole: bool = True
    given: bool = False
    """Whether the value differs from the default."""


def field(option: Option, name: str, given: Mapping[str, str]) -> FormField:
    """Return the field for a parameter, filled with `given` or its default."""
    value, usual = given.get(name, typed(option.default)), typed(option.default)
    made = functools.partial(FormField, option, name, value=value, given=value != usual)
    if option.choices:
        return made("choice", choices=tuple(map(typed, option.choices)))
    if option.accepts(bool):
        return made("choice", choices=("no", "yes", *(["none"] if option.optional else [])))
    if option.accepts(tuple) or option.optional or option.words or not re.fullmatch(r"-?\d+(\.\d+)?", value):
        return made("text")
    return made("number", whole=option.accepts(int))


def form(registry: Registry, entry: Entry, given: Mapping[str, str], trouble: str = "") -> dict[str, object]:
    """Return the page of a new game.

    Arguments:
        given: the values that the visitor has filled in.
        trouble: a message about a wrong value.
    """
    sides, blank = side_names(entry), Address(entry.name, side_names(entry))
    names = {option.name: blank.parameter(option.name) for option in entry.options}
    fields = [field(option, names[option.name], given) for option in entry.options if visitor_players.offered(option)]
    return {
        "title": capabilities.title(entry.factory),
        "rules": capabilities.rules(entry.factory),
        "entry": entry,
        "fields": fields[:FIRST],
        "more": fields[FIRST:],
        "sides": [
            (sides[player], name, *_chosen(registry, entry, given, player))
            for player, name in enumerate(capabilities.players(entry.factory))
        ],
        "levels": _levels(registry, entry),
        "searchers": _able(registry, entry),
        "given": given,
        "trouble": trouble,
    }


def _chosen(registry: Registry, entry: Entry, given: Mapping[str, str], player: Player) -> tuple[str, str]:
    """Return the player selected for a side, and the text in the field for any other player."""
    text, levels = given.get(side_names(entry)[player]), _levels(registry, entry)
    if text is None:
        return ("human" if player == MAX or not levels else usual_level(registry, registry.game(entry.name))), ""
    return (text, "") if text in ("human", *levels) else ("human", text)


def _levels(registry: Registry, entry: Entry) -> dict[str, str]:
    """Return the levels of the game with its usual parameters, each with the text that is shown: name and Elo."""
    try:
        game = registry.game(entry.name)
    except GGPError:
        return {}
    ratings = elo(registry, game)
    named = {
        name: f"{name} (Elo {ratings[name]:+.0f})" if name in ratings else name
        for name in visitor_players.level_players(registry, game)
    }
    return named | {name: f"{name} (an engine)" for name in offered_players(registry, game)}


def _able(registry: Registry, entry: Entry) -> list[str]:
    try:
        return list(registry.searchers_for(registry.game(entry.name)))
    except GGPError:
        return []


@attrs.frozen
class Card:
    """A game on the front page."""

    entry: Entry
    title: str
    picture: Markup | None
    trouble: str = ""
    chance: bool = False
    url: str = ""
    """The address of a game against the machine."""
    exercise: bool = False
    """Whether the game is a tree to study rather than a game to play."""


def cards(registry: Registry) -> list[Card]:
    """Return all games, sorted by title: first those to play, then exercises."""
    shown = [card(registry, entry) for entry in registry.games.values()]
    return sorted(shown, key=lambda each: (each.exercise, bool(each.trouble), each.title))


def card(registry: Registry, entry: Entry) -> Card:
    """Return a game with a picture of its start, or with a message if the game cannot be built.

    A game that is deferred (its class says so) is not built for the front page, since that may take long.
    """
    if capabilities.declared(entry.factory, "deferred"):
        return Card(entry, capabilities.title(entry.factory), None, url=f"/new/{quote(entry.name, safe='')}")
    try:
        game = registry.game(entry.name)
        scene = attrs.evolve(capabilities.scene(game, game.initial_state()), caption="")
        exercise = any(cell.shape in ("up", "down") for cell in scene.cells)  # nodes of a tree
        shown = picture(scene, identity=f"card-{entry.name}", title=f"How {entry.name} starts")
        opponent = "human"
        if len(capabilities.players(game)) == 2:
            with contextlib.suppress(UnsupportedGameError):
                opponent = usual_level(registry, game)
        players = ("human", opponent)
        url = Address(entry.name, side_names(entry), players=players).url()
        return Card(
            entry,
            capabilities.title(entry.factory),
            shown,
            chance=capabilities.is_stochastic(game),
            url=url,
            exercise=exercise,
        )
    except Exception as error:
        why = f"It cannot be played now: {' '.join(str(error).split())[:200]}"
        return Card(entry, capabilities.title(entry.factory), None, why)
