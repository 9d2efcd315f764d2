"""Scenes: the board of a state as a list of cells, from which every picture is drawn.

Text, SVG, the web page, the notebook and the terminal app all draw the same scene, by code that knows no game. A game
provides it by `scene(state)` (see `ggp.game.Scenic`); `ggp.capabilities.scene` returns a plain one for any other game.

    def scene(self, state):
        heaps = enumerate(state, start=1)
        cells = [Cell(f"heap {n}", x=n, y=0, count=stones, action=n if stones else None) for n, stones in heaps]
        return Scene(tuple(cells), caption="first to move", things=("stone", "stones"))

Positions and sizes are in units of an ordinary cell's side. x points to the right and y down. Cells do not overlap.
"""

from collections.abc import Hashable, Mapping
from typing import Literal

import attrs

Shade = Literal["", "dark", "light"]
"""The colour of a square of a chequered board."""
Shape = Literal["square", "hexagon", "round", "piece", "up", "down", "button", "plain", "coordinate"]
"""The shape of a cell.

square: a field of a board; hexagon: a field with a corner above and below, which reach into the neighbouring rows by a
sixth of its height (a height of 0.87 fits a width of 1); round: a hollow with round ends that holds things, with its
count in a strip above or below; piece: a thing itself, such as a stone, whose text is for terminals alone; up, down:
a triangle, as for MAX's and MIN's nodes in a tree; button: something to press beside the board (roll, hold); plain:
text without an outline; coordinate: the name of a row or column at the edge of the board, which turns with it.
"""
TEXTS = frozenset({"plain", "coordinate"})
"""The shapes of cells that are text alone."""
BESIDE = frozenset({"button", "plain", "coordinate"})
"""The shapes of cells that are beside the board."""

DISCS: Mapping[str, str] = {"●": "", "○": "", "♚": "♚", "♔": "♚"}
"""Texts that pictures show as a disc in the owner's colour, with the character on it: men or stones, and kings."""


@attrs.frozen
class Cell:
    """One place of the board, or one button beside it."""

    name: str
    """The cell's name: unique in the scene, and the same in every state: "C", "South's store"."""
    x: float
    y: float
    """Coordinates of the upper left corner."""
    width: float = 1
    height: float = 1
    shape: Shape = "square"
    text: str = ""
    """The text in the cell: a mark, a value."""
    count: int | None = None
    """The number of things (seeds, stones) in the cell. They are drawn if there is room, and counted in digits."""
    label: str = ""
    """A short text at the cell's edge: at the top of a square, and outside any other shape, on the side away from the
    middle of the scene. At middle height it is above MIN's cells and below all others.
    """
    owner: int | None = None
    """The owner as `ggp.game.Player`: MAX, MIN, or None."""
    action: Hashable = None
    """The action that is played by choosing the cell in this state; None if it cannot be chosen."""
    hint: str = ""
    """The effect of choosing the cell, in words: "play C", "take 3"."""
    highlighted: bool = False
    """Whether to emphasize the cell, for example as part of a winning row."""
    shade: Shade = ""
    """The cell's colour on a chequered board, whose cells touch; a label is then in the corner."""
    reach: tuple[str, ...] = ()
    """The names of other cells that may be clicked instead of this one, such as those of its column."""


@attrs.frozen
class Line:
    """A line between the middles of two cells, which are given by name."""

    start: str
    end: str
    label: str = ""


@attrs.frozen
class Move:
    """An action that is chosen by two cells, given by name: the first is where it starts, the second where it ends."""

    start: str
    end: str
    action: Hashable
    hint: str = ""
    """The effect of the move, in words: "play e2-e4"."""


@attrs.frozen
class Scene:
    """All that a picture of a state shows."""

    cells: tuple[Cell, ...]
    caption: str = ""
    """A sentence below the board: the player to move, or how the game ended."""
    lines: tuple[Line, ...] = ()
    things: tuple[str, str] = ("", "")
    """The noun for things in the cells, singular and plural: ("seed", "seeds")."""

    moves: tuple[Move, ...] = ()
    """The actions that lead from one cell to another; no two of them have the same two cells."""
    below: int | None = None
    """The player who sits below the board; None if the players have no sides, and the board is never turned. This and
    the following are properties of the game: they are the same in every state.
    """
    gravity: bool = False
    """Whether pieces fall: they come in from above, and the board is never turned."""

    @property
    def turnable(self) -> bool:
        """Whether the board may be turned."""
        return self.below is not None and not self.gravity

    @property
    def starts(self) -> frozenset[str]:
        """The names of the cells from which a move starts."""
        return frozenset(move.start for move in self.moves)

    @property
    def actions(self) -> frozenset[Hashable]:
        """All actions that can be chosen, by one cell or by two."""
        moves = {move.action for move in self.moves}
        return frozenset(moves | {cell.action for cell in self.cells if cell.action is not None})

    def picked(self, start: str) -> "Scene":
        """Return the scene after choosing `start` as the first cell of a move: choosing an end then completes the move.

        The cell `start` is highlighted. If no move starts there, the scene is unchanged.
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
        """Return the scene turned clockwise by `quarters` quarter turns; buttons and plain texts stay below the board.

        Coordinates turn with the board, and stay on the edges on which they are before, or after one quarter turn. A
        board that is not `turnable` is returned as it is.
        """
        board = [cell for cell in self.cells if cell.shape not in BESIDE or cell.shade]
        if not board or quarters % 4 == 0 or not self.turnable:
            return self
        left, top = min(cell.x for cell in board), min(cell.y for cell in board)
        right, bottom = max(cell.x + cell.width for cell in board), max(cell.y + cell.height for cell in board)
        higher = 0.0 if quarters % 2 == 0 else (right - left) - (bottom - top)

        def moved(cell: Cell) -> Cell:
            if cell.shape in BESIDE and cell.shape != "coordinate" and not cell.shade:
                return attrs.evolve(cell, y=cell.y + higher if cell.y >= bottom else cell.y)
            x, y, width, height = cell.x - left, cell.y - top, cell.width, cell.height
            wide, high = right - left, bottom - top
            for _ in range(quarters % 4):
                x, y, width, height, wide, high = high - y - height, x, height, width, high, wide
            if cell.shape == "coordinate" and quarters % 4 >= 2:  # back to its edge
                beside = x >= wide or x + width <= 0
                x, y = (wide - x - width, y) if beside else (x, high - y - height)
            return attrs.evolve(cell, x=left + x, y=top + y, width=width, height=height)

        return attrs.evolve(self, cells=tuple(map(moved, self.cells)))

    def __getitem__(self, name: str) -> Cell:
        """Return the cell with that name."""
        return next(cell for cell in self.cells if cell.name == name)

    def changed_since(self, earlier: "Scene") -> frozenset[str]:
        """Return the names of the cells whose content differs from that in `earlier`; new cells do not count."""
        before = {cell.name: (cell.count, cell.text) for cell in earlier.cells}
        return frozenset(
            cell.name
            for cell in self.cells
            if before.get(cell.name, (cell.count, cell.text)) != (cell.count, cell.text)
        )
