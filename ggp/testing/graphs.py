"""Random games whose states come back: graphs with cycles, small enough to be solved by any method."""

import random
from typing import ClassVar

import attrs

from ggp.game import CHANCE, MAX, MIN, Player


@attrs.frozen
class Vertex:
    """One state of a graph; a vertex without edges is terminal."""

    mover: Player
    worth: int
    """The utility to MAX of a terminal state."""
    edges: tuple[int, ...] = ()
    """For each action, the index of the state that it leads to."""
    weights: tuple[int, ...] = ()
    """If CHANCE moves, the weight of each outcome; its probability is its weight divided by the sum of all weights."""


@attrs.frozen
class CyclicGraph:
    """A game on a directed graph: a state is the index of a vertex, an action the index of an edge.

    Without chance, a state that comes back ends the game as a draw. With chance, play continues.
    """

    name: ClassVar[str] = "graph"
    vertices: tuple[Vertex, ...]

    @property
    def stochastic(self) -> bool:
        """Whether chance moves in any state."""
        return any(vertex.mover == CHANCE and vertex.edges for vertex in self.vertices)

    @property
    def repetition(self) -> str:
        """See `ggp.game.Repeating`."""
        return "continues" if self.stochastic else "draw"

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> Player:
        return self.vertices[state].mover

    def actions(self, state: int) -> range:
        return range(len(self.vertices[state].edges))

    def outcomes(self, state: int) -> list[tuple[int, float]]:
        weights = self.vertices[state].weights
        return [(action, weight / sum(weights)) for action, weight in enumerate(weights)]

    def result(self, state: int, action: int) -> int:
        return self.vertices[state].edges[action]

    def terminal_test(self, state: int) -> bool:
        return not self.vertices[state].edges

    def utility(self, state: int, player: Player) -> int:
        worth = self.vertices[state].worth
        return worth if player == MAX else -worth


def random_graph(
    rng: random.Random, *, stochastic: bool = False, vertices: int = 12, branching: int = 3, ends: float = 0.3
) -> CyclicGraph:
    """Return a random graph; the same seed of `rng` gives the same graph.

    Arguments:
        stochastic: whether CHANCE may be among the movers.
        vertices: the maximum number of states.
        branching: the maximum number of actions of a state.
        ends: the approximate share of terminal states.
    """
    movers = (MAX, MIN, CHANCE) if stochastic else (MAX, MIN)
    count = rng.randint(2, vertices)
    drawn = []
    for index in range(count):
        mover, worth = rng.choice(movers), rng.randint(-2, 2)
        if index and (rng.random() < ends or index == count - 1):  # the first is no end, and the last is one
            drawn.append(Vertex(MAX, worth))
            continue
        edges = tuple(rng.randrange(count) for _ in range(rng.randint(1, branching)))
        weights = tuple(rng.randint(1, 3) for _ in edges) if mover == CHANCE else ()
        drawn.append(Vertex(mover, worth, edges, weights))
    return CyclicGraph(tuple(drawn))
