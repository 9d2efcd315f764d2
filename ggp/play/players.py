"""Who plays: a human, or any searcher.

A player is written as `human`, or as a searcher with its options and limits (`NAME:depth=6,table=64`).
"""

from collections.abc import Callable
from typing import Any, Protocol

import attrs

from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import Game
from ggp.plugins import Registry
from ggp.searcher import Limits, Searcher, SearchResult

HUMAN = "human"
"""How a human player is written."""

DEFAULT_LIMITS = Limits(seconds=1)
"""What a searcher may take for a move if it was given no limit of its own."""


@attrs.frozen
class Choice:
    """What a player answers: an action, and what it thought."""

    action: Any
    thinking: SearchResult | None = None


class Participant(Protocol):
    """Somebody who takes part in a match."""

    @property
    def name(self) -> str:
        """What the player is called in reports."""

    def choose(self, game: Game[Any, Any], state: Any) -> Choice:
        """A legal action of `state`, in which this player is to move.

        Raises:
            GGPError: the player found none.
            KeyboardInterrupt: the user has pressed Ctrl-C.
        """


@attrs.frozen
class Human:
    """A player who is asked."""

    ask: Callable[[Game[Any, Any], Any], Any]
    """`ask(game, state)` is the action that the human wants."""
    name: str = HUMAN

    def choose(self, game: Game[Any, Any], state: Any) -> Choice:
        return Choice(self.ask(game, state))


@attrs.frozen
class Machine:
    """A searcher that plays within limits, those of each move."""

    searcher: Searcher
    limits: Limits = DEFAULT_LIMITS
    name: str = attrs.field(default=attrs.Factory(lambda self: self.searcher.name, takes_self=True))

    def choose(self, game: Game[Any, Any], state: Any) -> Choice:
        found = self.searcher.search(game, state, self.limits)
        if found.stopped == "interrupt":
            raise KeyboardInterrupt
        if found.action is None:
            raise GGPError(f"{self.name} has found no move within its limits: give it more time, or more nodes")
        return Choice(found.action, found)


def make_player(
    registry: Registry, text: str, game: Game[Any, Any], ask: Callable[[Game[Any, Any], Any], Any]
) -> Participant:
    """The player that `text` stands for.

    Arguments:
        text: "human", or a searcher with its options and limits.
        ask: asks a human for an action.

    Raises:
        UnknownNameError: there is no such searcher; the message lists those there are.
        OptionError: one of its options is wrong.
        UnsupportedGameError: it cannot play the game.
    """
    if text.strip() == HUMAN:
        return Human(ask)
    searcher, limits = registry.parse_searcher(text)
    registry.require(searcher, game)
    return Machine(searcher, DEFAULT_LIMITS if limits == Limits() else limits, text)


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
