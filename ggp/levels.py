"""Levels: how strong a machine plays, by name, the weakest first."""

from collections.abc import Mapping
from typing import Any

from ggp.errors import UnsupportedGameError
from ggp.game import Game, Levelled
from ggp.plugins import Registry

DEFAULT_LEVELS = {"easy": "depth=1", "medium": "nodes=1000", "hard": "nodes=30000"}
"""The limits of the preferred searcher, in a game that has no levels of its own."""


def levels(registry: Registry, game: Game[Any, Any]) -> Mapping[str, str]:
    """The searcher, as it is written on the command line, that each level of `game` stands for.

    Raises:
        UnsupportedGameError: the game has no levels, and no searcher that is installed can serve it.
    """
    if isinstance(game, Levelled):
        return game.levels
    searcher = preferred_searcher(registry, game)
    return {name: f"{searcher}:{limits}" for name, limits in DEFAULT_LEVELS.items()}


def preferred_searcher(registry: Registry, game: Game[Any, Any]) -> str:
    """The name of the searcher that suits `game` best, of those that can serve it.

    Searchers may say how far they are to be preferred by a class attribute `preference`, an integer (0 if they
    say nothing); among equals the first by name is taken.

    Raises:
        UnsupportedGameError: no searcher that is installed can serve the game.
    """
    able = registry.searchers_for(game)
    if not able:
        raise UnsupportedGameError(f"no searcher that is installed can search {game.name}")
    return max(able, key=lambda name: getattr(registry.searchers[name].factory, "preference", 0))
