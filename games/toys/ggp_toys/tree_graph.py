"""A game tree written out in full, as tables; and random game trees."""

import itertools
import random
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from ggp import CHANCE, MAX, MIN, Player

LEAF: Final = 3
"""The number that is stored as the player to move at a leaf, where nobody moves."""


@attrs.frozen
class Branch:
    """One action or outcome of a node: its name, its target, and its probability (1 for an action of a player)."""

    label: str
    target: str
    probability: float = 1.0
    quiet: bool = True
    """Whether the action hardly changes an estimate; quiescence search does not follow quiet actions."""


@attrs.frozen
class Node:
    """An inner node with its player, branches and estimate, or a leaf with its utility to MAX."""

    mover: int
    branches: tuple[Branch, ...] = ()
    utility: float = 0
    """A leaf's utility, or the estimate of an inner node."""


@attrs.frozen
class Graph:
    """A tree as tables of its nodes, numbered from 0, and of all branches.

    The branches of node n have the numbers from `first[n]` to `first[n + 1] - 1`.
    """

    root: int
    names: tuple[str, ...]
    movers: tuple[int, ...]
    utilities: tuple[float, ...]
    first: tuple[int, ...]
    labels: tuple[str, ...]
    targets: tuple[int, ...]
    probabilities: tuple[float, ...]
    quiet: tuple[bool, ...] = ()
    bounds: tuple[float, float] | None = None
    """Known bounds of all leaves and estimates; if None, the bounds are the least and the greatest of these numbers."""
    estimated: bool = False
    """Whether inner nodes have estimates."""

    @classmethod
    def of(
        cls,
        root: str,
        nodes: Mapping[str, Node],
        bounds: tuple[float, float] | None = None,
        *,
        estimated: bool = False,
    ) -> "Graph":
        """Return the tables of a tree, with its nodes in the order of `nodes`; the target of every branch is a name in
        `nodes`.
        """
        number = {name: index for index, name in enumerate(nodes)}
        branches = [branch for node in nodes.values() for branch in node.branches]
        return cls(
            root=number[root],
            names=tuple(nodes),
            movers=tuple(node.mover for node in nodes.values()),
            utilities=tuple(node.utility for node in nodes.values()),
            first=tuple(itertools.accumulate((len(node.branches) for node in nodes.values()), initial=0)),
            labels=tuple(branch.label for branch in branches),
            targets=tuple(number[branch.target] for branch in branches),
            probabilities=tuple(branch.probability for branch in branches),
            quiet=tuple(branch.quiet for branch in branches),
            bounds=bounds,
            estimated=estimated,
        )

    @property
    def leaves(self) -> tuple[float, ...]:
        """The utilities of the leaves."""
        return tuple(self.utilities[node] for node, mover in enumerate(self.movers) if mover == LEAF)

    @property
    def numbers(self) -> tuple[float, ...]:
        """The utilities of the leaves, and the estimates of inner nodes, if there are any."""
        return self.utilities if self.estimated else self.leaves

    def branches(self, node: int) -> range:
        """Return the numbers of the node's branches."""
        return range(self.first[node], self.first[node + 1])


def nodes_in_full(depth: int, branching: int) -> int:
    """Return the number of nodes of a tree in which every node that is not a leaf has `branching` branches."""
    return sum(branching**ply for ply in range(depth + 1))


def random_graph(depth: int, branching: int, utilities: tuple[int, int], chance: float, seed: int) -> Graph:
    """Return a full tree of `depth` plies. The utilities of its leaves are random integers between the two `utilities`.

    MAX moves at the root, and the players alternate. Each node below the root is a chance node with probability
    `chance`. The name of a node is the path to it: A, A.1, A.1.3.
    """
    draw = random.Random(seed)
    nodes: dict[str, Node] = {}
    row = ["A"]
    for ply in range(depth):
        for name in row:
            mover = CHANCE if ply and draw.random() < chance else (MAX, MIN)[ply % 2]
            nodes[name] = Node(mover, _branches(name, branching, mover, draw))
        row = [branch.target for name in row for branch in nodes[name].branches]
    for name in row:
        nodes[name] = Node(LEAF, utility=draw.randint(*utilities))
    return Graph.of("A", nodes)


def _branches(name: str, branching: int, mover: Player, draw: random.Random) -> tuple[Branch, ...]:
    labels = [str(number) for number in range(1, branching + 1)]
    weights = [draw.randint(1, 6) for _ in labels] if mover == CHANCE else [1] * branching
    shares: Iterable[float] = (weight / sum(weights) if mover == CHANCE else 1.0 for weight in weights)
    return tuple(Branch(label, f"{name}.{label}", share) for label, share in zip(labels, shares, strict=True))
