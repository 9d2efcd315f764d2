"""Levels: the strengths of machine players by name, the weakest first."""

from collections.abc import Mapping

from ggp.game import AnyGame, Levelled
from ggp.plugins import Registry

DEFAULT_LEVELS = {"easy": "depth=1", "medium": "nodes=1000", "hard": "nodes=30000"}
"""The limits of the preferred searcher at each level, for games without levels of their own."""


def levels(registry: Registry, game: AnyGame) -> Mapping[str, str]:
    """Return the searcher of each level of `game`, as written on the command line.

    Raises:
        UnsupportedGameError: the game has no levels, and no searcher that is installed can serve it.
    """
    if isinstance(game, Levelled):
        return game.levels
    searcher = registry.preferred_searcher(game)
    return {name: f"{searcher}:{limits}" for name, limits in DEFAULT_LEVELS.items()}


def with_time(registry: Registry, game: AnyGame, seconds: int) -> str:
    """Return the strongest level with this time for a move in place of its own limits, as players are written.

    Raises as `levels` does.
    """
    return f"{list(levels(registry, game))[-1]}:seconds={seconds}"


def varied(registry: Registry, player: str, game: AnyGame) -> str:
    """Return a level that chooses at random among equally good moves, so that games against it differ.

    Any other player, and a level with its own `ties`, is returned unchanged. Raises as `levels` does.
    """
    own = levels(registry, game).get(player)
    return f"{player}:ties=random" if own and "ties=" not in own else player
