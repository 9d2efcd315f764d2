"""Awkward games for searchers: small and lawful, and made so that wrong shortcuts of a search become visible.

An `AwkwardGraph` is random and has a value that is easy to compute. What is awkward in an `AwkwardGraph`:

- a state is met at different depths, and each state has its own estimate: so an entry of a table must know its depth;
- estimates go beyond `bounds`, and depend on more than `key` and `score`;
- values are fractions, or millions;
- states with equal hashes differ;
- `canonical` mirrors states, whose actions have other names;
- a method that is called where the protocol does not allow it raises a `ProtocolError`.

A `Thicket` is too large to be searched to its end, and counts the states that a search enters.
"""

import functools
import random
import time
from collections.abc import Mapping
from typing import ClassVar, Final

import attrs

from ggp.game import CHANCE, MAX, MIN, Action, Evaluation, Player
from ggp.testing.graphs import Vertex

AwkwardState = tuple[int, int, bool]
"""(minus the vertex's index, units banked so far, whether the state is mirrored)."""

SCALES: Final = (1.0, 0.125, 1.0, 1000.0, 3e7)
"""Sizes of a unit. All values are exact in floating point."""
REACH: Final = 4
"""An edge leads at most this number of vertices ahead."""


class ProtocolError(AssertionError):
    """A method was called where the protocol does not allow it."""


@attrs.frozen
class AwkwardGraph:
    """A game on an acyclic graph whose edges lead ahead by one or more vertices. See this module's docstring."""

    name: ClassVar[str] = "awkward-graph"
    compiled: ClassVar[bool] = False
    """False, so that searches call the methods below, which check their arguments."""
    vertices: tuple[Vertex, ...]
    estimates: tuple[int, ...]
    """The estimate of each vertex, in units."""
    unit: float

    @property
    def stochastic(self) -> bool:
        """Whether chance moves in any state."""
        return any(vertex.mover == CHANCE and vertex.edges for vertex in self.vertices)

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        return {"estimate": Evaluation(self._estimate, "a random number, larger if more is banked")}

    def initial_state(self) -> AwkwardState:
        return 0, 0, True

    def to_move(self, state: AwkwardState) -> Player:
        return self._unfinished(state, "to_move").mover

    def actions(self, state: AwkwardState) -> tuple[int, ...]:
        names = range(len(self._unfinished(state, "actions").edges))
        return tuple(-1 - name for name in reversed(names)) if state[2] else tuple(names)

    def outcomes(self, state: AwkwardState) -> list[tuple[int, float]]:
        vertex = self._unfinished(state, "outcomes")
        if vertex.mover != CHANCE:
            raise ProtocolError(f"outcomes was called in {state}, in which CHANCE does not move")
        weights = vertex.weights[::-1] if state[2] else vertex.weights
        return [(each, weight / sum(weights)) for each, weight in zip(self.actions(state), weights, strict=True)]

    def result(self, state: AwkwardState, action: Action) -> AwkwardState:
        legal = self.actions(state)
        if type(action) is not int or action not in legal:
            raise ProtocolError(f"result was called for {action!r} in {state}, in which the actions are {legal}")
        index = -1 - action if state[2] else action
        target = self._vertex(state).edges[index]
        gain = (target + index) % 3 - 1
        return -target, state[1] + gain, (target + index) % 2 == 1

    def terminal_test(self, state: AwkwardState) -> bool:
        return not self._vertex(state).edges

    def utility(self, state: AwkwardState, player: Player) -> float:
        if not self.terminal_test(state):
            raise ProtocolError(f"utility was called in {state}, in which the game is not over")
        worth = self.unit * (state[1] + self._vertex(state).worth)
        return worth if player == MAX else -worth

    def score(self, state: AwkwardState) -> float:
        return self.unit * state[1]

    def key(self, state: AwkwardState) -> tuple[int, bool]:
        return state[0], state[2]

    def bounds(self, state: AwkwardState) -> tuple[float, float]:
        low, high = _extremes(self.vertices)[-state[0]]
        return self.unit * (state[1] + low), self.unit * (state[1] + high)

    def canonical(self, state: AwkwardState) -> AwkwardState:
        return state[0], state[1], False

    def _estimate(self, state: AwkwardState) -> float:
        if self.terminal_test(state):
            raise ProtocolError(f"the evaluation was called in {state}, in which the game is over")
        return self.unit * self.estimates[-state[0]] * (1 + state[1] % 3)

    def _vertex(self, state: AwkwardState) -> Vertex:
        return self.vertices[-state[0]]

    def _unfinished(self, state: AwkwardState, method: str) -> Vertex:
        if self.terminal_test(state):
            raise ProtocolError(f"{method} was called in {state}, in which the game is over")
        return self._vertex(state)


@functools.lru_cache(maxsize=64)
def _extremes(vertices: tuple[Vertex, ...]) -> list[tuple[int, int]]:
    """Return the least and the greatest final result below each vertex, in units. A final result is the utility plus
    the points banked on the way.
    """
    extremes: dict[int, tuple[int, int]] = {}
    for index in reversed(range(len(vertices))):
        vertex = vertices[index]
        below = [
            ((target + number) % 3 - 1 + extremes[target][0], (target + number) % 3 - 1 + extremes[target][1])
            for number, target in enumerate(vertex.edges)
        ] or [(vertex.worth, vertex.worth)]
        extremes[index] = min(low for low, _ in below), max(high for _, high in below)
    return [extremes[index] for index in range(len(vertices))]


def random_awkward_graph(rng: random.Random, *, stochastic: bool = False, vertices: int = 14) -> AwkwardGraph:
    """Return a random awkward graph; the same seed of `rng` gives the same graph.

    Arguments:
        stochastic: whether CHANCE may be among the movers.
        vertices: the number of vertices.
    """
    movers = (MAX, MIN, CHANCE) if stochastic else (MAX, MIN)
    drawn = []
    for index in range(vertices):
        mover, ahead = rng.choice(movers), min(REACH, vertices - 1 - index)
        edges = tuple(index + rng.randint(1, ahead) for _ in range(rng.randint(2, 3))) if ahead else ()
        if index > 2 and rng.random() < 0.1:
            edges = ()
        weights = tuple(rng.randint(1, 3) for _ in edges) if edges and mover == CHANCE else ()
        drawn.append(Vertex(mover if edges else MAX, rng.randint(-4, 4), edges, weights))
    estimates = tuple(rng.randint(-9, 9) for _ in drawn)
    return AwkwardGraph(tuple(drawn), estimates, rng.choice(SCALES))


GRACE = 3.0
"""Seconds that a search of a `Thicket` has in any case: a search looks for a request to stop only a few times a second.
"""


class OverrunError(AssertionError):
    """A search went far beyond its limit."""


class Thicket:
    """A game too large to be searched to its end, which counts the states that a search enters.

    Arguments:
        most: the number of states after which `OverrunError` is raised, at the earliest after `GRACE`.
    """

    name: ClassVar[str] = "thicket"
    compiled: ClassVar[bool] = False
    stochastic: ClassVar[bool] = False
    PLIES: ClassVar[int] = 40
    SIZE: ClassVar[int] = 100_003

    def __init__(self, most: int) -> None:
        self.most = most
        self.began = 0.0
        self.entered = 0

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        return {"estimate": Evaluation(lambda state: state[1] % 7 - 3, "a number without a meaning")}

    def initial_state(self) -> tuple[int, int]:
        return 0, 1

    def to_move(self, state: tuple[int, int]) -> Player:
        return MAX if state[1] % 5 < 3 else MIN

    def actions(self, state: tuple[int, int]) -> tuple[int, ...]:
        return 1, 2, 3, 4

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        self.entered += 1
        self.began = self.began or time.monotonic()
        if self.entered > self.most and time.monotonic() > self.began + GRACE:
            raise OverrunError(f"it has entered {self.most:,} states, and goes on")
        return state[0] + 1, (state[1] * 31 + action * 7919) % self.SIZE

    def terminal_test(self, state: tuple[int, int]) -> bool:
        return state[0] == self.PLIES

    def utility(self, state: tuple[int, int], player: Player) -> int:
        worth = state[1] % 9 - 4
        return worth if player == MAX else -worth
