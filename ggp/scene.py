"""A scene: the board of a state as a list of cells, and the one description that draws every picture of it.

Text, terminal, SVG, the web page, the notebook's board and the terminal app all draw the same scene, each once for
all games. A game that has one offers `scene(state)`, see `ggp.game.Scenic`; `ggp.capabilities.scene` gives any
game one.

    def scene(self, state):
        heaps = enumerate(state, start=1)
        cells = [Cell(f"heap {n}", x=n, y=0, count=stones, action=n if stones else None) for n, stones in heaps]
        return Scene(tuple(cells), caption="first to move", things=("stone", "stones"))

Places and sizes are in units of an ordinary cell's side, x to the right and y down. Cells do not overlap.
"""

from collections.abc import Hashable, Mapping
from typing import Literal

import attrs

Shade = Literal["", "dark", "light"]
"""The colour of a square of a chequered board."""
Shape = Literal["square", "hexagon", "round", "piece", "up", "down", "button", "plain"]
"""square: a field of a board; hexagon: one with a corner above and below, which reach a sixth of its height into the
rows beside it, so that 0.87 is the height that fits a width of 1; round: a hollow that holds things, with round ends,
and its count in a strip of the cell above or below; piece: a thing itself, such as a stone; up, down: a triangle, as
MAX's and MIN's nodes have in a tree; button: something to press beside the board (roll, hold); plain: text
alone, no outline."""

DISCS: Mapping[str, str] = {"●": "", "○": "", "♚": "♚", "♔": "♚"}
"""Texts of cells that pictures show as a disc of the owner's, and the sign on it: a man or a stone, a king."""


@attrs.frozen
class Cell:
    """One place of the board, or one thing to choose."""

    name: str
    """Its name, the same in every state and unlike every other cell's of the scene: "C", "South's store"."""
    x: float
    y: float
    """Its left upper corner."""
    width: float = 1
    height: float = 1
    shape: Shape = "square"
    text: str = ""
    """The text in it: a mark, a value."""
    count: int | None = None
    """How many things (seeds, stones) lie in it. They are drawn where there is room, and counted in digits."""
    label: str = ""
    """A short text at its edge: at the top of a square; of any other shape just outside of it, on the side that
    faces away from the scene's middle. At middle height that is MIN's above, and everybody else's below."""
    owner: int | None = None
    """The owner as `ggp.game.Player`: MAX, MIN, or None."""
    action: Hashable = None
    """The action that choosing it stands for in this state, None if it cannot be chosen."""
    hint: str = ""
    """The effect of choosing it, in words: "play C", "take 3"."""
    highlighted: bool = False
    """Whether it belongs to what should be seen first, such as a row that wins."""
    shade: Shade = ""
    """Its colour on a chequered board, whose cells touch each other; a square's label is in its corner there."""
    reach: tuple[str, ...] = ()
    """The names of other cells that may be clicked instead of it, such as those of its column."""


@attrs.frozen
class Line:
    """A line between the middles of two cells, by their names."""

    start: str
    end: str
    label: str = ""


@attrs.frozen
class Move:
    """An action that is chosen by two cells, by their names: first the one it starts from, then the one it ends in."""

    start: str
    end: str
    action: Hashable
    hint: str = ""
    """The effect of choosing it, in words: "play e2-e4"."""


@attrs.frozen
class Scene:
    """All that there is to see of a state."""

    cells: tuple[Cell, ...]
    caption: str = ""
    """A sentence below the board: who is to move, or how the game ended."""
    lines: tuple[Line, ...] = ()
    things: tuple[str, str] = ("", "")
    """The noun for things in the cells, singular and plural: ("seed", "seeds")."""

    moves: tuple[Move, ...] = ()
    """The actions that lead from one cell to another; no two have both cells in common."""

    @property
    def starts(self) -> frozenset[str]:
        """The names of the cells from which a move starts."""
        return frozenset(move.start for move in self.moves)

    @property
    def actions(self) -> frozenset[Hashable]:
        """Everything that can be chosen, by one cell or by two."""
        moves = {move.action for move in self.moves}
        return frozenset(moves | {cell.action for cell in self.cells if cell.action is not None})

    def picked(self, start: str) -> "Scene":
        """Return the scene in which `start` has been chosen first: it is highlighted, and choosing an end is the move.

        A name from which no move starts changes nothing.
        """
        if start not in self.starts:
            return self
        ends = {move.end: move for move in self.moves if move.start == start}
        cells = (
            attrs.evolve(cell, action=ends[cell.name].action, hint=ends[cell.name].hint)
            if cell.name in ends
            else attrs.evolve(cell, action=None, hint="", highlighted=cell.highlighted or cell.name == start)
            for cell in self.cells
        )
        return attrs.evolve(self, cells=tuple(cells))

    def turned(self, quarters: int) -> "Scene":
        """Return the scene turned clockwise by that many quarter turns; buttons and plain texts stay below it."""
        board = [cell for cell in self.cells if cell.shape not in ("button", "plain")]
        if not board or quarters % 4 == 0:
            return self
        left, top = min(cell.x for cell in board), min(cell.y for cell in board)
        right, bottom = max(cell.x + cell.width for cell in board), max(cell.y + cell.height for cell in board)
        higher = 0.0 if quarters % 2 == 0 else (right - left) - (bottom - top)

        def moved(cell: Cell) -> Cell:
            if cell.shape in ("button", "plain"):
                return attrs.evolve(cell, y=cell.y + higher if cell.y >= bottom else cell.y)
            x, y, width, height = cell.x - left, cell.y - top, cell.width, cell.height
            wide, high = right - left, bottom - top
            for _ in range(quarters % 4):
                x, y, width, height, wide, high = high - y - height, x, height, width, high, wide
            return attrs.evolve(cell, x=left + x, y=top + y, width=width, height=height)

        return attrs.evolve(self, cells=tuple(map(moved, self.cells)))

    def __getitem__(self, name: str) -> Cell:
        """Return the cell of that name."""
        return next(cell for cell in self.cells if cell.name == name)

    def changed_since(self, earlier: "Scene") -> frozenset[str]:
        """Return the names of the cells in which something else lies or stands than in `earlier`; no new cells."""
        before = {cell.name: (cell.count, cell.text) for cell in earlier.cells}
        return frozenset(
            cell.name
            for cell in self.cells
            if before.get(cell.name, (cell.count, cell.text)) != (cell.count, cell.text)
        )
