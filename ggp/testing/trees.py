"""Random games whose value anyone can work out: layered graphs with few distinct values."""

import functools
import itertools
import random
from collections.abc import Callable, Mapping
from typing import ClassVar

import attrs

from ggp.game import CHANCE, MAX, MIN, Evaluation, Player

TreeState = tuple[int, int, int]
"""(level, index in the level, what has been banked on the way)."""


@attrs.frozen
class Node:
    """One place in a layered tree. Without edges it is terminal."""

    mover: Player
    worth: int
    """To MAX, besides what is banked: the utility of a terminal node, the estimate of another."""
    edges: tuple[tuple[int, int], ...] = ()
    """For each action, the index of the node below in the next level, and what the action banks for MAX."""
    weights: tuple[int, ...] = ()
    """Where CHANCE moves, each outcome's weight: its probability is its share of the sum."""


@attrs.frozen
class LayeredTree:
    """A game on levels of nodes, each leading to nodes of the next level.

    A player may move twice running, and branches may meet again, so that a table has something to find. What is
    banked on the way makes states with the same future that are worth different things: `score` is the bank, `key`
    the rest.
    """

    name: ClassVar[str] = "layered-tree"
    levels: tuple[tuple[Node, ...], ...]

    @property
    def stochastic(self) -> bool:
        """Whether chance moves anywhere."""
        return any(node.mover == CHANCE and node.edges for level in self.levels for node in level)

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
        level, _, banked = state
        below, gain = self._node(state).edges[action]
        return (level + 1, below, banked + gain)

    def terminal_test(self, state: TreeState) -> bool:
        return not self._node(state).edges

    def utility(self, state: TreeState, player: Player) -> int:
        return self._worth(state) if player == MAX else -self._worth(state)

    def score(self, state: TreeState) -> int:
        return state[2]

    def key(self, state: TreeState) -> tuple[int, int]:
        return state[:2]

    def bounds(self, state: TreeState) -> tuple[float, float]:
        level, index, banked = state
        low, high = _ranges(self.levels)[level][index]
        return banked + low, banked + high

    def _node(self, state: TreeState) -> Node:
        return self.levels[state[0]][state[1]]

    def _worth(self, state: TreeState) -> int:
        return state[2] + self._node(state).worth


@functools.lru_cache(maxsize=64)
def _ranges(levels: tuple[tuple[Node, ...], ...]) -> list[list[tuple[float, float]]]:
    """Return for each node the least and the greatest value that it or anything below it has, without the bank."""
    found: list[list[tuple[float, float]]] = []
    for level in reversed(levels):
        below = found[-1] if found else []
        lows = [min([node.worth] + [gain + below[child][0] for child, gain in node.edges]) for node in level]
        highs = [max([node.worth] + [gain + below[child][1] for child, gain in node.edges]) for node in level]
        found.append([(float(low), float(high)) for low, high in zip(lows, highs, strict=True)])
    return found[::-1]


def random_tree(
    rng: random.Random, *, stochastic: bool = False, depth: int = 5, width: int = 6, branching: int = 4
) -> LayeredTree:
    """Return a layered tree from a seeded generator, fast enough for tens of thousands.

    Arguments:
        stochastic: whether CHANCE may be among the movers.
        depth: the most plies to the end.
        width: the most nodes of a level.
        branching: the most actions of a node.
    """
    movers = (MAX, MIN, CHANCE) if stochastic else (MAX, MIN)
    return grow(rng.randint, movers, depth, width, branching)


def grow(
    integer: Callable[[int, int], int], movers: tuple[Player, ...], depth: int, width: int, branching: int
) -> LayeredTree:
    """Return a layered tree whose every choice is an `integer(least, greatest)`; as 0 it chooses what is simplest."""
    plies = integer(1, depth)
    widths = [1] + [integer(1, width) for _ in range(plies)] + [0]
    levels = [
        tuple(_grow_node(integer, movers, here, below, branching) for _ in range(here))
        for here, below in itertools.pairwise(widths)
    ]
    return LayeredTree(tuple(levels))


GAINS = (0, 0, 0, 1, -1)
"""Amounts that an action banks, each listed as often as it is likely."""


def _grow_node(
    integer: Callable[[int, int], int], movers: tuple[Player, ...], here: int, below: int, branching: int
) -> Node:
    """Return a node of a level of `here` nodes, above a level of `below`."""
    worth = integer(-2, 2)
    ends_early = here > 1 and integer(0, 7) == 7
    if not below or ends_early:
        return Node(MAX, worth)
    mover = movers[integer(0, len(movers) - 1)]
    edges = tuple((integer(0, below - 1), GAINS[integer(0, len(GAINS) - 1)]) for _ in range(integer(1, branching)))
    weights = tuple(integer(1, 3) for _ in edges) if mover == CHANCE else ()
    return Node(mover, worth, edges, weights)
