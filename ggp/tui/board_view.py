"""The board as a Textual widget, controlled by mouse and keys."""

from collections import deque
from collections.abc import Collection, Iterable
from math import hypot, inf
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from ggp.scene import Cell, Scene
from ggp.tui.canvas import Area, Canvas, Sign, needed, paint

DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
STEP = 0.16
"""Seconds for which each frame of an animation is shown."""
ASIDE = 3
"""Factor by which distance to the side counts more than distance in the direction of an arrow key, to find the next
cell.
"""


class BoardView(Widget, can_focus=True):
    """Shows a scene as large as possible; shows a message if there is too little room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"walk('{key}')", show=False) for key in DIRECTIONS),
        Binding("enter,space", "choose", "Play"),
    ]

    class Chosen(Message):
        """Sent when the user has chosen the action of a cell."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    class Missed(Message):
        """Sent after a click without effect, with the reason."""

        def __init__(self, sentence: str) -> None:
            super().__init__()
            self.sentence = sentence

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._scene = self._whole = Scene(())
        self._changed: Collection[str] = ()
        self._at = ""
        self._canvas: Canvas | None = None
        self._way: deque[Scene] = deque()
        """The frames of the animation that are still to be shown before the scene itself."""
        self._timer: Timer | None = None

    @property
    def canvas(self) -> Canvas | None:
        """The drawing; None if there is too little room."""
        return self._canvas

    @property
    def at(self) -> str:
        """The name of the cell selected by the keys."""
        return self._at

    def show(self, scene: Scene, changed: Collection[str] = (), way: Iterable[Scene] = ()) -> None:
        """Show another scene. The cell selected by keys stays selected if it can still be chosen.

        Arguments:
            way: frames of an animation that are shown before the scene. The actions of the new scene can be chosen at
            once.
        """
        self._scene = self._whole = scene
        self._changed = changed
        if self.app.animation_level != "none":
            self._way.extend(way)
            if self._way and self._timer is None:
                self._timer = self.set_interval(STEP, self._go_on)
        choices = [cell.name for cell in scene.cells if self._can_be_chosen(cell)]
        if self._at not in choices:
            self._at = choices[0] if choices else ""
        self._draw()

    def _go_on(self) -> None:
        """Show the next frame, or the final scene."""
        if self._way:
            self._way.popleft()
        if not self._way and self._timer:
            self._timer.stop()
            self._timer = None
        self._draw()

    def _can_be_chosen(self, cell: Cell) -> bool:
        return cell.action is not None or cell.name in self._scene.starts

    def _choose(self, cell: Cell) -> None:
        """Play the cell's action, or select the cell as the start of a move; selecting it again clears it."""
        self._at = cell.name
        if cell.action is not None:
            self.post_message(self.Chosen(cell))
            return
        was_picked = self._scene == self._whole.picked(cell.name)
        self._scene = self._whole if was_picked else self._whole.picked(cell.name)
        self._draw()

    def _draw(self) -> None:
        chosen = self._at if self.has_focus else ""
        size = self.size.width, self.size.height
        if self._way:
            self._canvas = paint(self._way[0], size)
        else:
            self._canvas = paint(self._scene, size, self._changed, chosen)
        self.refresh()

    def on_resize(self) -> None:
        """Draw the board again for the new size."""
        self._draw()

    def on_focus(self) -> None:
        """Show the selected cell."""
        self._draw()

    def on_blur(self) -> None:
        """Hide the selection."""
        self._draw()

    def render_line(self, y: int) -> Strip:
        """See Textual."""
        base = self.rich_style
        if self._canvas is None:
            return self._apology(y, base)
        left, top = self._corner(self._canvas)
        row = self._canvas.signs[y - top] if 0 <= y - top < len(self._canvas.signs) else []
        parts = [Segment(" " * left, base), *(_segment(sign, base) for sign in row)]
        return Strip(parts).adjust_cell_length(self.size.width, base)

    def _apology(self, y: int, base: Style) -> Strip:
        """Return a line of the message that there is too little room."""
        width = max(1, self.size.width)
        columns, rows = needed(self._scene)
        sentence = (
            f"The board needs {columns} columns and {rows} rows, but has {self.size.width} and {self.size.height}: "
            "make the window larger, or enter moves below."
        )
        lines: list[str] = [""]
        for word in sentence.split():
            joined = f"{lines[-1]} {word}".strip()
            lines = [*lines[:-1], joined] if len(joined) <= width else [*lines, word]
        text = lines[y] if y < len(lines) else ""
        return Strip([Segment(text, base + Style(bold=True))]).adjust_cell_length(width, base)

    def _corner(self, canvas: Canvas) -> tuple[int, int]:
        """Return the corner of the board, which is centred."""
        return max(0, (self.size.width - canvas.size[0]) // 2), max(0, (self.size.height - canvas.size[1]) // 2)

    def on_click(self, event: events.Click) -> None:
        """Play the action of the clicked cell."""
        if self._canvas is None:
            self.post_message(self.Missed("There is too little room for the board."))
            return
        left, top = self._corner(self._canvas)
        cell = self._canvas.cell_at(event.x - left, event.y - top)
        if cell is None:
            return
        if not self._can_be_chosen(cell):
            reaching = (each for each in self._scene.cells if cell.name in each.reach)
            cell = next(reaching, cell)
        if not self._can_be_chosen(cell):
            self.post_message(self.Missed(f"{cell.name} cannot be chosen now."))
            return
        self._choose(cell)

    def action_choose(self) -> None:
        """Play the action of the selected cell."""
        cell = next((cell for cell in self._scene.cells if cell.name == self._at), None)
        if self._canvas is None:
            self.post_message(self.Missed("There is too little room for the board."))
        elif cell is None:
            self.post_message(self.Missed("There is nothing to choose now."))
        else:
            self._choose(cell)

    def action_walk(self, direction: str) -> None:
        """Select the nearest cell in a direction, among those that can be chosen."""
        areas = [area for area in (self._canvas.areas if self._canvas else ()) if self._can_be_chosen(area.cell)]
        here = next((area for area in areas if area.cell.name == self._at), None)
        if here is None:
            return
        nearest = min(areas, key=lambda area: _distance(here, area, DIRECTIONS[direction]))
        if _distance(here, nearest, DIRECTIONS[direction]) < inf:
            self._at = nearest.cell.name
            self._draw()


def _distance(here: Area, there: Area, direction: tuple[int, int]) -> float:
    """Return the distance to a cell for an arrow key's direction; infinite if the cell does not lie in that
    direction.
    """
    x, y = there.middle[0] - here.middle[0], 2 * (there.middle[1] - here.middle[1])
    along, aside = x * direction[0] + y * direction[1], abs(x * direction[1]) + abs(y * direction[0])
    return hypot(along, ASIDE * aside) if along > 0 else inf


def _segment(sign: Sign, base: Style) -> Segment:
    return Segment(sign.text, base + Style.parse(sign.style) if sign.style else base)
