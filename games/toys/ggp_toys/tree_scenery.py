"""A game tree as a scene: the current node, the nodes below it, and lines between them."""

from collections.abc import Iterator, Mapping

import attrs

from ggp import CHANCE, MAX, MIN, Cell, Line, Player, Scene
from ggp.scene import Shape

SHAPES: Mapping[Player, Shape] = {MAX: "up", MIN: "down", CHANCE: "round"}
LEVEL = 1.8
"""From one level to the next."""
LONG = 3
"""Signs of a branch's label beyond which the levels are farther apart, and the nodes too."""
SIZE = 1.1
NEXT = 1.2
"""From one node to the next at its side."""
ROW = 12
"""Nodes side by side where they are too many for lines."""


@attrs.frozen
class Node:
    """A node to be drawn, with its children by the actions that lead to them."""

    name: str
    text: str = ""
    mover: Player | None = None
    """The player to move; none at a leaf."""
    action: object = None
    """The action that leads here from where the game stands."""
    label: str = ""
    """Of the branch that leads here."""
    current: bool = False
    """Whether the game stands here."""
    children: tuple["Node", ...] = ()

    @property
    def leaves(self) -> int:
        """How many nodes it takes side by side."""
        return sum(child.leaves for child in self.children) or 1


def scene(root: Node, caption: str) -> Scene:
    """Return the tree from the root down; of a node with very many children, these in rows without lines."""
    if len(root.children) > ROW:
        return Scene((_cell(root, 0, 0), *_rows(root.children)), caption)
    lines = tuple(_lines(root))
    spread = 1.4 if any(len(line.label) > LONG for line in lines) else 1
    return Scene(tuple(_cells(root, 0, 0, spread)), caption, lines)


def _cells(node: Node, left: float, top: float, spread: float) -> Iterator[Cell]:
    """Yield the node in the middle above those below it, which take the width from `left` on."""
    yield _cell(node, spread * NEXT * (left + (node.leaves - 1) / 2), spread * top)
    for child in node.children:
        yield from _cells(child, left, top + LEVEL, spread)
        left += child.leaves


def _rows(children: tuple[Node, ...]) -> Iterator[Cell]:
    for place, child in enumerate(children):
        yield _cell(child, place % ROW * NEXT, LEVEL + place // ROW * NEXT)


def _cell(node: Node, x: float, y: float) -> Cell:
    leaf = node.mover is None
    return Cell(
        node.name,
        x,
        y,
        SIZE,
        SIZE,
        "square" if leaf else SHAPES[node.mover or MAX],
        text=node.text,
        label=node.name if leaf else "",
        owner=node.mover if node.mover in (MAX, MIN) else None,
        action=node.action,
        hint=f"go to {node.name} by {node.label}" if node.action is not None else "",
        highlighted=node.current,
    )


def _lines(node: Node) -> Iterator[Line]:
    for child in node.children:
        yield Line(node.name, child.name, child.label)
        yield from _lines(child)
