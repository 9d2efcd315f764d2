"""Values to MAX of states and of moves that the server's own searches have found, for the curve and the review of a
game.

Values sent by a visitor, or found by a player that a visitor configured, are never stored here.
"""

import hashlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, Self

import attrs

from ggp import capabilities
from ggp.errors import GGPError
from ggp.game import MAX, AnyGame, State
from ggp.number_text import many
from ggp.play import background
from ggp.play.controller import known_result
from ggp.searcher import Limits, Searcher, SearchResult

MOST = 20_000
"""Maximum number of states with stored values."""
NODES = 5_000
"""Maximum number of nodes of a search for one point of a curve."""
GLANCE = 0.5
"""Seconds that the first search for a point may take."""
PATIENCE = 5.0
"""Seconds after which no more points of a curve are searched. Time that is left is used for points that were searched
hastily.
"""


@attrs.frozen
class StateValue:
    """The value of a state, and how reliable it is."""

    value: float
    exact: bool
    nodes: int
    depth: int = 0
    best: str = ""
    """A best action, in the game's notation; "" if the game is over or chance is to move."""
    hurried: bool = False
    """Whether the clock ended the search before it had entered `NODES` states.

    If so, the next request searches the state again.
    """

    def better_than(self, other: "StateValue") -> bool:
        """Return whether this value should replace `other`, a value of the same state."""
        return (self.exact, self.nodes) >= (other.exact, other.nodes)

    @property
    def sure(self) -> str:
        """How reliable the value is, in words."""
        return "exact" if self.exact else f"{many(self.depth, 'ply', 'plies')} deep"


class Kept(Protocol):
    """A stored value: a `StateValue` or a `ggp.play.review.MoveValue`."""

    @property
    def value(self) -> float: ...

    def better_than(self, other: Self) -> bool: ...


class Values(Protocol):
    """The interface of stores for values of states, by `key`, and of moves, by `move_key`."""

    def known(self, keys: Iterable[str]) -> Mapping[str, Kept]:
        """Return the known values."""

    def remember(self, key: str, value: Kept) -> None:
        """Store a value, unless a better one is known."""


@attrs.define
class ValueCache:
    """Values from all visitors' games, in memory; if there are too many, the least recently used ones are removed."""

    _values: OrderedDict[str, Kept] = attrs.field(factory=OrderedDict)
    _lock: threading.Lock = attrs.field(factory=threading.Lock)

    def known(self, keys: Iterable[str]) -> Mapping[str, Kept]:
        """See `Values`."""
        with self._lock:
            return {key: self._values[key] for key in keys if key in self._values}

    def remember(self, key: str, value: Kept) -> None:
        """See `Values`."""
        if not math.isfinite(value.value):
            return
        with self._lock:
            before = self._values.get(key)
            if before is None or value.better_than(before):
                self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > MOST:
                self._values.popitem(last=False)


def key(game: AnyGame, state: State) -> str:
    """Return the key under which the values of a state are stored."""
    return hashlib.sha256(repr((game.name, capabilities.parameters(game), state)).encode()).hexdigest()


def move_key(game: AnyGame, state: State, move: str) -> str:
    """Return the key under which the value of a move is stored, together with the value of the best move."""
    return f"{key(game, state)} {move}"


def state_value(values: Values, name: str) -> StateValue | None:
    """Return the known value of the state with the key `name`; None if no value is known."""
    found = values.known([name]).get(name)
    return found if isinstance(found, StateValue) else None


def learn(values: Values, game: AnyGame, state: State, result: SearchResult) -> StateValue:
    """Store the values that one of the server's searches has found; return the best known value of the state."""
    value, name = value_of(game, state, result), key(game, state)
    values.remember(name, value)
    return better(value, state_value(values, name))


def consult(values: Values, game: AnyGame, states: Iterable[State]) -> None:
    """Store what is known of states without a search, and of the states after their known moves."""
    for state in states:
        name = key(game, state)
        before = state_value(values, name)
        if game.terminal_test(state):
            values.remember(name, StateValue(float(game.utility(state, MAX)), True, 0))
        elif not (before and before.exact) and (known := known_result(game, state)):
            learn(values, game, state, known)
            for action, value in (known.values or {}).items():
                values.remember(key(game, game.result(state, action)), StateValue(float(value), True, 0))


def value_of(game: AnyGame, state: State, result: SearchResult) -> StateValue:
    """Return the value of a search result, with what is known about its reliability."""
    best = "" if result.action is None else capabilities.notation(game).format_action(state, result.action)
    done = result.statistics
    hurried = result.stopped == "seconds" and done.nodes < NODES
    return StateValue(float(result.value), result.exact, done.nodes, done.depth, best, hurried)


def better(value: StateValue, other: StateValue | None) -> StateValue:
    """Return the better of two values of the same state; `other` may be None."""
    return other if other and not value.better_than(other) else value


def along(
    game: AnyGame, states: Sequence[State], values: Values, searcher: Searcher | None, spent: float = 0.0
) -> list[StateValue | None]:
    """Return the values of states of a game.

    As long as there is time, search the states that have no value or a hurried one.

    Arguments:
        spent: seconds that the page has taken already.
    """
    end = time.monotonic() + PATIENCE - spent
    keys = [key(game, state) for state in states]
    consult(values, game, states)
    known = {name: value for name, value in values.known(keys).items() if isinstance(value, StateValue)}
    for seconds in GLANCE, PATIENCE:
        for state, name in zip(states, keys, strict=True):
            left = end - time.monotonic()
            if (name not in known or known[name].hurried) and searcher and left > 0:
                try:
                    limits = Limits(nodes=NODES, seconds=min(seconds, left))
                    result = _search(searcher, game, state, limits)
                    known[name] = learn(values, game, state, result)
                except GGPError:
                    searcher = None
    return [known.get(name) for name in keys]


def _search(searcher: Searcher, game: AnyGame, state: State, limits: Limits) -> SearchResult:
    return background.short_search(lambda each, report: each.search(game, state, limits, report=report), searcher)
