"""The tree of a Monte Carlo search in machine words: its layout in memory, and how to read it.

It begins with a header, followed by nodes; the children of a node are adjacent, in the order of the actions. States and
actions are not stored: a walk down the tree recomputes them.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import attrs

from ggp.compiler.intrinsics import bits_of, load, mix, save, value_of
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp_search.constants import HUGE
from ggp_search.memory.buffer import Buffer

# The words of the header, in bytes from its beginning.
ROOT, USED, END, RANDOM, EXPLORATION, LEAST, GREATEST = range(0, 7 * 8, 8)
"""Offsets in the header: the node where playouts begin, the first free byte, the end of the memory; the number of
random words drawn; the exploration constant, and the least and greatest result so far (floats).
"""
HEADER = 8 * 8

# The words of a node, in bytes from its beginning.
VISITS, TOTAL, LOWER, UPPER, CHILDREN, COUNT = range(0, 6 * 8, 8)
"""Offsets in a node: the number of playouts through it, the sum of their results (a float), the proved bounds of its
value to MAX (two floats), its first child (0 if it has none yet) and the number of children.
"""
NODE = 6 * 8


class PlayoutTree:
    """A tree in memory, with one node at first."""

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(self, size: int, seed: int, exploration: float) -> None:
        """Create a tree with room for `size` bytes."""
        self.buffer = Buffer(size)
        self.address = address = self.buffer.address
        root = address + HEADER
        save(address + ROOT, root)
        save(address + USED, root + NODE)
        save(address + END, address + size)
        save(address + RANDOM, mix(mix(0, seed), 1) >> 2)  # far from where another seed begins
        save(address + EXPLORATION, bits_of(exploration))
        save(address + LEAST, bits_of(float("inf")))
        save(address + GREATEST, bits_of(float("-inf")))
        save(root + LOWER, bits_of(-HUGE))
        save(root + UPPER, bits_of(HUGE))

    @property
    def root(self) -> "PlayoutNode":
        """The node of the root state."""
        return PlayoutNode(self.address + HEADER)

    def begin_at(self, node: "PlayoutNode") -> None:
        """Let playouts begin at this node from now on."""
        save(self.address + ROOT, node.address)


@attrs.frozen
class PlayoutNode:
    """A node of the tree."""

    address: int

    @property
    def visits(self) -> int:
        """Number of playouts through the node."""
        return load(self.address + VISITS)

    @property
    def lower(self) -> float:
        """The proved lower bound of its value to MAX."""
        return value_of(load(self.address + LOWER))

    @property
    def upper(self) -> float:
        """The proved upper bound of its value to MAX."""
        return value_of(load(self.address + UPPER))

    @property
    def proved(self) -> bool:
        """Whether its value is proved."""
        return self.lower >= self.upper

    def mean_value(self, unvisited: float = 0.0) -> float:
        """Return the mean of its playouts, or `unvisited` if there are none, limited to its proved bounds."""
        mean = value_of(load(self.address + TOTAL)) / self.visits if self.visits else unvisited
        return min(max(mean, self.lower), self.upper)

    def bound(self, sign: int) -> float:
        """Return the proved lower bound of the node's value to MAX (`sign` 1), or the upper bound (-1)."""
        return self.lower if sign > 0 else self.upper

    def children(self) -> Sequence["PlayoutNode"]:
        """Return its children in the order of the actions; none if it has not been expanded."""
        first, count = load(self.address + CHILDREN), load(self.address + COUNT)
        return [PlayoutNode(first + place * NODE) for place in range(count)]

    def best(self, mover: int) -> int | None:
        """Return the index of the best child for `mover`: the most visited one that is not proved worse than another.

        If no child promises more than the best proved value, the child with that value is chosen. Returns None if no
        child was visited, or if CHANCE moves.
        """
        sign = 1 if mover == MAX else -1
        visited = {place: child for place, child in enumerate(self.children()) if child.visits}
        if mover == CHANCE or not visited:
            return None
        surest = max(visited, key=lambda place: sign * visited[place].bound(sign))
        safe = visited[surest].bound(sign)
        hopeful = [place for place, child in visited.items() if sign * child.bound(-sign) > sign * safe]
        most = max(hopeful, key=lambda place: visited[place].visits, default=surest)
        return most if sign * visited[most].mean_value() >= sign * safe else surest


def path(game: AnyGame, state: State, root: PlayoutNode) -> Iterator[tuple[int, Action]]:
    """Yield who moves and what is played from the root on, as far as the tree goes: the best action of a player, and
    the most visited outcome of chance.
    """
    while not game.terminal_test(state):
        mover, children = game.to_move(state), root.children()
        place = root.best(mover)
        if mover == CHANCE and children:
            place = max(range(len(children)), key=lambda each: children[each].visits)
        if place is None or not children[place].visits:
            break
        action = list(game.actions(state))[place]
        yield mover, action
        state, root = game.result(state, action), children[place]
