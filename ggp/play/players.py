"""Players: a human, a searcher, or the moves of a record. `ggp.play.player_parser` makes them from text."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from ggp import capabilities
from ggp.errors import GGPError, RecordError
from ggp.game import MAX, Action, AnyGame, Scored, State
from ggp.play.clock import UNTIMED, Clock
from ggp.searcher import Limits, Searcher, SearchResult

HUMAN = "human"
"""How a human player is written."""

DEFAULT_LIMITS = Limits(seconds=1)
"""Limits of a searcher's move if it was given none of its own."""


@attrs.frozen
class ChosenAction:
    """A player's choice: an action, and the search behind it."""

    action: Action
    thinking: SearchResult | None = None


class Participant(Protocol):
    """A participant in a match."""

    @property
    def name(self) -> str:
        """The player's name in reports."""

    @property
    def text(self) -> str:
        """The player as it is written on the command line, seeds included: it plays the same again."""

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """Return a legal action of `state`, in which this player is to move.

        Raises:
            GGPError: the player found none.
            KeyboardInterrupt: the user has pressed Ctrl-C.
        """


Ask = Callable[[AnyGame, Any, Clock], Any]
"""`ask(game, state, clock)` is the action that a human wants."""


@attrs.frozen
class Human:
    """A human player, asked for each move."""

    ask: Ask
    name: str = HUMAN

    @property
    def text(self) -> str:
        """See `Participant`."""
        return HUMAN if self.name == HUMAN else f"{HUMAN}:name={self.name}"

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `Participant`."""
        return ChosenAction(self.ask(game, state, clock))


Ties = Callable[[AnyGame, Any, tuple[Any, ...]], Any]
"""`ties(game, state, actions)`: the one to play of actions that are worth exactly the same."""


@attrs.frozen
class Machine:
    """A searcher that plays within limits, those of each move."""

    searcher: Searcher
    limits: Limits = DEFAULT_LIMITS
    name: str = attrs.field(default=attrs.Factory(lambda self: self.searcher.name, takes_self=True))
    text: str = attrs.field(default=attrs.Factory(lambda self: self.name, takes_self=True))
    ties: Ties | None = None
    """None takes the searcher's own choice."""

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `Participant`."""
        find = self.searcher.analyse if self.ties else self.searcher.search
        found = find(game, state, self._limits(clock))
        if found.stopped == "interrupt":
            raise KeyboardInterrupt
        if found.action is None:
            raise GGPError(f"{self.name} has found no move within its limits: give it more time, or more nodes")
        if self.ties and found.best_actions:
            found = _preferring(found, self.ties(game, state, found.best_actions))
        return ChosenAction(found.action, found)

    def _limits(self, clock: Clock) -> Limits:
        """Return the player's own limits, and no more time than the clock allows."""
        if clock.budget is None:
            return self.limits
        if self.limits == DEFAULT_LIMITS:
            return Limits(seconds=clock.budget)
        own = self.limits.seconds
        return attrs.evolve(self.limits, seconds=clock.budget if own is None else min(own, clock.budget))


def _preferring(found: SearchResult, action: Action) -> SearchResult:
    """Return the same choice with another of its best actions, without its principal variation."""
    if action == found.action:
        return found
    return attrs.evolve(found, action=action, principal_variation=(action,))


@attrs.frozen
class AtRandom:
    """Breaks ties at random: each is as likely as the others, and the same for the same seed and state."""

    seed: int

    def __call__(self, game: AnyGame, state: State, actions: tuple[Action, ...]) -> Action:
        return random.Random(f"{self.seed} {state!r}").choice(actions)


def by_score(game: AnyGame, state: State, actions: tuple[Action, ...]) -> Action:
    """Return the first of the best actions that bank most."""
    if not isinstance(game, Scored):
        raise GGPError(f"{game.name} has no score by which to break ties")
    sign = 1 if game.to_move(state) == MAX else -1
    return max(actions, key=lambda action: sign * game.score(game.result(state, action)))


@attrs.frozen
class Replayed:
    """A player who plays what a record says."""

    actions: Mapping[State, Action] = attrs.field(repr=False)
    """The action of each state of the record."""
    name: str = "replay"
    text: str = "replay"

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `Participant`."""
        if state not in self.actions:
            where = capabilities.notation(game).format_state(state)
            raise RecordError(f"{self.name} has no move in {where}: the position is not in the record")
        return ChosenAction(self.actions[state])
