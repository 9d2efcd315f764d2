"""A scene: the board of a state as a list of cells, and the one description that draws every picture of it.

Text, terminal, SVG, the web page, the notebook's board and the terminal app all draw the same scene, each once for
all games. A game that has one offers `scene(state)`, see `ggp.game.Scenic`; `ggp.capabilities.scene` gives any
game one.

    def scene(self, state):
        heaps = [Cell(f"heap {n}", x=n, y=0, count=stones, action=n if stones else None) for n, stones in enumerate(state)]
        return Scene(tuple(heaps), caption="first to move")

Places and sizes are in units of an ordinary cell's side, x to the right and y down. Cells do not overlap.
"""

from typing import Any, Literal

import attrs

from ggp.game import Player

Shape = Literal["square", "round", "button", "plain"]
"""square: a field of a board; round: a hollow that holds things, an ellipse as large as the cell; button: something
to press that is no place on the board (roll, hold); plain: text alone, no outline."""


@attrs.frozen
class Cell:
    """One place of the board, or one thing to choose."""

    name: str
    """What it is called, the same in every state and unlike every other cell of the scene: "C", "South's store"."""
    x: float
    y: float
    """Its left upper corner."""
    width: float = 1
    height: float = 1
    shape: Shape = "square"
    text: str = ""
    """What stands in it: a mark, a value."""
    count: int | None = None
    """How many things (seeds, stones) lie in it. They are drawn where there is room, and counted in digits."""
    label: str = ""
    """A short text just outside of it, on the side that faces away from the scene's middle."""
    owner: Player | None = None
    """Whose it is: MAX, MIN, or nobody's."""
    action: Any = None
    """The action that choosing it stands for in this state, None if it cannot be chosen."""
    highlighted: bool = False
    """Whether it belongs to what should be seen first, such as a row that wins."""


@attrs.frozen
class Line:
    """A line between the middles of two cells, by their names."""

    start: str
    end: str
    label: str = ""


@attrs.frozen
class Scene:
    """All that there is to see of a state."""

    cells: tuple[Cell, ...]
    caption: str = ""
    """A sentence below the board: who is to move, or how the game ended."""
    lines: tuple[Line, ...] = ()

    def __getitem__(self, name: str) -> Cell:
        """The cell of that name."""
        return next(cell for cell in self.cells if cell.name == name)

    def changed_since(self, earlier: "Scene") -> frozenset[str]:
        """The names of the cells in which something else lies or stands than in `earlier`."""
        before = {cell.name: (cell.count, cell.text) for cell in earlier.cells}
        return frozenset(each.name for each in self.cells if before.get(each.name) != (each.count, each.text))
