"""Random games with a value that is easy to compute: layered graphs with few distinct values."""

import functools
import itertools
import random
from collections.abc import Callable, Mapping
from typing import ClassVar

import attrs

from ggp.game import CHANCE, MAX, MIN, Evaluation, Player

TreeState = tuple[int, int, int]
"""(level, index in the level, sum banked so far)."""


@attrs.frozen
class Node:
    """One node of a layered tree. Without edges it is terminal."""

    mover: Player
    worth: int
    """The value to MAX, not counting the bank: the utility of a terminal node, the estimate of any other."""
    edges: tuple[tuple[int, int], ...] = ()
    """For each action, the index of the node to which it leads in the level below, and the amount that it banks for
    MAX.
    """
    weights: tuple[int, ...] = ()
    """If CHANCE moves, the weight of each outcome; its probability is its share of the sum."""


@attrs.frozen
class LayeredTree:
    """A game on levels of nodes; each node leads to nodes of the next level.

    A player may move twice in a row, and branches may meet again, so that tables find entries. Actions may bank an
    amount for MAX, so states with the same future may have different values: `score` is the bank, `key` the rest.
    """

    name: ClassVar[str] = "layered-tree"
    nodes: tuple[tuple[Node, ...], ...]
    """The nodes of each level; the first level has the root."""

    @property
    def stochastic(self) -> bool:
        """Whether chance moves in any state."""
        return any(node.mover == CHANCE and node.edges for row in self.nodes for node in row)

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        return {"estimate": Evaluation(self._worth, "the bank and the node's worth", separable=True, bounded=True)}

    def initial_state(self) -> TreeState:
        return (0, 0, 0)

    def to_move(self, state: TreeState) -> Player:
        return self._node(state).mover

    def actions(self, state: TreeState) -> range:
        return range(len(self._node(state).edges))

    def outcomes(self, state: TreeState) -> list[tuple[int, float]]:
        weights = self._node(state).weights
        return [(action, weight / sum(weights)) for action, weight in enumerate(weights)]

    def result(self, state: TreeState, action: int) -> TreeState:
        depth, _, banked = state
        below, gain = self._node(state).edges[action]
        return (depth + 1, below, banked + gain)

    def terminal_test(self, state: TreeState) -> bool:
        return not self._node(state).edges

    def utility(self, state: TreeState, player: Player) -> int:
        return self._worth(state) if player == MAX else -self._worth(state)

    def score(self, state: TreeState) -> int:
        return state[2]

    def key(self, state: TreeState) -> tuple[int, int]:
        return state[:2]

    def bounds(self, state: TreeState) -> tuple[float, float]:
        depth, index, banked = state
        low, high = self.ranges[depth][index]
        return banked + low, banked + high

    @functools.cached_property
    def ranges(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """For each node the least and the greatest value of the node and all below it, without the bank."""
        levels: list[list[tuple[float, float]]] = []
        for row in reversed(self.nodes):
            below = levels[-1] if levels else []
            lows = [min([node.worth] + [gain + below[child][0] for child, gain in node.edges]) for node in row]
            highs = [max([node.worth] + [gain + below[child][1] for child, gain in node.edges]) for node in row]
            levels.append([(float(low), float(high)) for low, high in zip(lows, highs, strict=True)])
        return tuple(map(tuple, reversed(levels)))

    def _node(self, state: TreeState) -> Node:
        return self.nodes[state[0]][state[1]]

    def _worth(self, state: TreeState) -> int:
        return state[2] + self._node(state).worth


def random_tree(
    rng: random.Random, *, stochastic: bool = False, depth: int = 5, width: int = 6, branching: int = 4
) -> LayeredTree:
    """Return a layered tree from a seeded generator; fast enough for tens of thousands of trees.

    Arguments:
        stochastic: whether CHANCE may be among the movers.
        depth: the maximum number of plies.
        width: the maximum number of nodes of a level.
        branching: the maximum number of actions of a node.
    """
    movers = (MAX, MIN, CHANCE) if stochastic else (MAX, MIN)
    return grow(rng.randint, movers, depth, width, branching)


def grow(
    integer: Callable[[int, int], int], movers: tuple[Player, ...], depth: int, width: int, branching: int
) -> LayeredTree:
    """Return a layered tree built from choices `integer(least, greatest)`; 0 is always the simplest choice."""
    plies = integer(1, depth)
    widths = [1] + [integer(1, width) for _ in range(plies)] + [0]
    levels = [
        tuple(_grow_node(integer, movers, here, below, branching) for _ in range(here))
        for here, below in itertools.pairwise(widths)
    ]
    return LayeredTree(tuple(levels))


GAINS = (0, 0, 0, 1, -1)
"""Amounts that an action may bank, each repeated in proportion to its probability."""


def _grow_node(
    integer: Callable[[int, int], int], movers: tuple[Player, ...], here: int, below: int, branching: int
) -> Node:
    """Return a node of a level with `here` nodes, above a level with `below` nodes."""
    worth = integer(-2, 2)
    ends_early = here > 1 and integer(0, 7) == 7
    if not below or ends_early:
        return Node(MAX, worth)
    mover = movers[integer(0, len(movers) - 1)]
    edges = tuple((integer(0, below - 1), GAINS[integer(0, len(GAINS) - 1)]) for _ in range(integer(1, branching)))
    weights = tuple(integer(1, 3) for _ in edges) if mover == CHANCE else ()
    return Node(mover, worth, edges, weights)
