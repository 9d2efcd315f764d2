"""A game tree as a scene: the current node, the nodes below it, and lines between them."""

from collections.abc import Iterator, Mapping

import attrs

from ggp import CHANCE, MAX, MIN, Cell, Line, Player, Scene
from ggp.scene import Shape

SHAPES: Mapping[Player, Shape] = {MAX: "up", MIN: "down", CHANCE: "round"}
LEVEL = 1.8
"""Distance between levels."""
LONG = 3
"""If a branch's label has more characters than this, levels and nodes are placed farther apart."""
SIZE = 1.1
NEXT = 1.2
"""Distance between neighbouring nodes."""
ROW = 12
"""Number of nodes side by side in a picture with too many nodes to draw the lines between them."""


@attrs.frozen
class Node:
    """A node to draw, with its children by action."""

    name: str
    text: str = ""
    mover: Player | None = None
    """The player to move; None at a leaf."""
    action: object = None
    """The action that leads here from the current node."""
    label: str = ""
    """The label of the branch that leads here."""
    current: bool = False
    """Whether this is the current node of the game."""
    children: tuple["Node", ...] = ()

    @property
    def leaves(self) -> int:
        """Return the number of leaves below the node, which is its width."""
        return sum(child.leaves for child in self.children) or 1


def scene(root: Node, caption: str) -> Scene:
    """Return the scene of the tree from the root down.

    If a node has very many children, they are shown in rows without lines.
    """
    if len(root.children) > ROW:
        return Scene((_cell(root, "", 0, 0), *_rows(root.children)), caption)
    lines = tuple(_lines(root))
    spread = 1.4 if any(len(line.label) > LONG for line in lines) else 1
    return Scene(tuple(_cells(root, "", 0, 0, spread)), caption, lines)


def _cells(node: Node, above: str, left: float, top: float, spread: float) -> Iterator[Cell]:
    """Yield the cells of a node and of all nodes below it. The node is centred above the nodes below it, which use the
    width from `left` on.

    Arguments:
        above: the name of the root; "" if the node is the root itself.
    """
    yield _cell(node, above, spread * NEXT * (left + (node.leaves - 1) / 2), spread * top)
    for child in node.children:
        yield from _cells(child, above or node.name, left, top + LEVEL, spread)
        left += child.leaves


def _rows(children: tuple[Node, ...]) -> Iterator[Cell]:
    for index, child in enumerate(children):
        yield _cell(child, "", index % ROW * NEXT, LEVEL + index // ROW * NEXT)


def _cell(node: Node, above: str, x: float, y: float) -> Cell:
    leaf = node.mover is None
    # "A.3.3.1.2" would be too small to be read below "A.3.3"
    short = node.name.removeprefix(above) if node.name.startswith(f"{above}.") else node.name
    return Cell(
        node.name,
        x,
        y,
        SIZE,
        SIZE,
        "square" if leaf else SHAPES[node.mover or MAX],
        text=short if node.text == node.name else node.text,
        label=short if leaf else "",
        owner=node.mover if node.mover in (MAX, MIN) else None,
        action=node.action,
        hint=f"go to {node.name} by {node.label}" if node.action is not None else "",
        highlighted=node.current,
    )


def _lines(node: Node) -> Iterator[Line]:
    for child in node.children:
        yield Line(node.name, child.name, child.label)
        yield from _lines(child)
