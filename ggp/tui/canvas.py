"""A scene drawn with characters. Each character is stored with the cell that it belongs to.

The board is drawn as large as possible. If there is not enough room for the whole board, nothing is drawn; `needed`
returns the room for it.
"""

from collections.abc import Collection, Iterator
from math import floor

import attrs

from ggp.escapes import escaped
from ggp.game import MAX, MIN
from ggp.scene import TEXTS, Cell, Scene
from ggp.show.board_layout import UNIT, lay_out
from ggp.show.board_style import DARK

SCALES = ((12, 5), (10, 4), (8, 4), (7, 3), (6, 3), (5, 3), (6, 2), (5, 2), (4, 2), (4, 1), (3, 1), (2, 1))
"""Sizes of an ordinary cell, in columns and rows, the largest first."""
OWNERS = {MAX: DARK["first"], MIN: DARK["second"]}
"""The players' colours on the dark background of the app."""
SHAPES = {"up": "△", "down": "▽"}
FRAMES = {"square": "┌─┐│└┘", "button": "╭─╮│╰╯", "round": "╭─╮│╰╯", "chosen": "┏━┓┃┗┛"}
"""Frame characters: upper left, horizontal, upper right, vertical, lower left, lower right."""
UNFRAMED = TEXTS | {"piece"}
"""The shapes of cells without a frame."""
FRAMED = 4, 3
"""Minimum width and height of a cell with a frame."""

Size = tuple[int, int]
"""A size in columns and rows."""


@attrs.frozen
class Sign:
    """One character on the canvas."""

    text: str = " "
    style: str = ""
    """The style, in rich's syntax."""
    cell: str = ""
    """The name of the cell that the character belongs to."""


@attrs.frozen
class Area:
    """The position of a cell, in columns and rows."""

    cell: Cell
    left: int
    top: int
    width: int
    height: int

    @property
    def framed(self) -> bool:
        """Whether the cell has a frame: its shape requires one, and there is room for it."""
        return self.cell.shape not in UNFRAMED and self.width >= FRAMED[0] and self.height >= FRAMED[1]

    @property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2


@attrs.frozen
class Canvas:
    """A drawn scene."""

    areas: tuple[Area, ...]
    size: Size
    signs: list[list[Sign]]
    """The characters, row by row."""

    def cell_at(self, column: int, row: int) -> Cell | None:
        """Return the cell that is drawn at a position."""
        return next(
            (
                area.cell
                for area in self.areas
                if area.left <= column < area.left + area.width and area.top <= row < area.top + area.height
            ),
            None,
        )

    @property
    def text(self) -> str:
        """The drawing without colours."""
        return "\n".join("".join(sign.text for sign in row).rstrip() for row in self.signs)


def paint(scene: Scene, room: Size, changed: Collection[str] = (), chosen: str = "") -> Canvas | None:
    """Draw the scene as large as the room allows; return None if there is too little room.

    Arguments:
        changed: names of cells to mark as changed; see `Scene.changed_since`.
        chosen: the name of the selected cell, which gets a thick frame.
    """
    for scale in SCALES:
        areas = _areas(scene, scale)
        size = _size(areas)
        if size[0] <= room[0] and size[1] <= room[1] and all(map(_has_room, areas)):
            return _drawn(scene, scale, areas, size, changed, chosen)
    return None


def needed(scene: Scene) -> Size:
    """Return the minimum room for drawing the scene."""
    readable = [areas for areas in (_areas(scene, scale) for scale in SCALES) if all(map(_has_room, areas))]
    return min(map(_size, readable), key=lambda size: size[0] * size[1]) if readable else (1000, 1000)


def _areas(scene: Scene, scale: Size) -> tuple[Area, ...]:
    columns, rows = scale
    left = min((cell.x for cell in scene.cells), default=0)
    top = min((cell.y for cell in scene.cells), default=0)
    return tuple(
        Area(
            cell,
            x,
            y,
            _rounded((cell.x + cell.width - left) * columns) - x,
            _rounded((cell.y + cell.height - top) * rows) - y,
        )
        for cell in scene.cells
        for x, y in [(_rounded((cell.x - left) * columns), _rounded((cell.y - top) * rows))]
    )


def _rounded(value: float) -> int:
    return floor(value + 0.5 + 1e-9)


def _size(areas: tuple[Area, ...]) -> Size:
    return (
        max((area.left + area.width for area in areas), default=0),
        max((area.top + area.height for area in areas), default=0),
    )


def _has_room(area: Area) -> bool:
    """Return whether the cell's content fits, and for a hollow also the name in its frame."""
    frame = 2 if area.framed else 0
    if area.cell.shape == "round" and area.cell.label and not area.framed:
        return False
    return area.height >= 1 and area.width - frame >= max(1, len(_content(area)))


def _content(area: Area) -> str:
    """Return the text in the middle of a cell."""
    cell = area.cell
    inside = " ".join(part for part in (cell.text, "" if cell.count is None else str(cell.count)) if part)
    if cell.shape in TEXTS:
        return inside
    if cell.shape == "piece":
        return inside or "●"
    text = SHAPES.get(cell.shape, "") + inside
    if not text and not area.framed:
        text = cell.label if 0 < len(cell.label) <= area.width else "·"
    return text


def _drawn(
    scene: Scene, scale: Size, areas: tuple[Area, ...], size: Size, changed: Collection[str], chosen: str
) -> Canvas:
    signs = [[Sign()] * size[0] for _ in range(size[1])]
    _draw_lines(scene, areas, signs)
    for area in areas:
        _draw_cell(area, signs, area.cell.name in changed, area.cell.name == chosen)
    _draw_line_labels(scene, scale, signs)
    return Canvas(areas, size, signs)


def _draw_cell(area: Area, signs: list[list[Sign]], changed: bool, chosen: bool) -> None:
    cell = area.cell
    edge = f"bold {DARK['play']}" if cell.action is not None else "dim"
    inside = _style(cell, changed, chosen and not area.framed)
    for row in range(area.top, area.top + area.height):
        for column in range(area.left, area.left + area.width):
            signs[row][column] = Sign(" ", inside, cell.name)
    if area.framed:
        frame = FRAMES["chosen"] if chosen else FRAMES.get(cell.shape, FRAMES["round"])
        for row, text in zip(range(area.top, area.top + area.height), _frame(area, frame), strict=True):
            _write(signs, area.left, row, text, edge, cell.name)
    _write_in_middle(area, signs, inside)


def _frame(area: Area, frame: str) -> Iterator[str]:
    """Yield the rows of a frame. The label is in the upper edge, or for MAX's cells in the lower edge."""
    inner = area.width - 2
    label = area.cell.label if len(area.cell.label) <= inner else ""
    below = area.cell.owner == MAX and area.cell.shape == "round"
    yield frame[0] + ("" if below else label).center(inner, frame[1]) + frame[2]
    for _ in range(area.height - 2):
        yield frame[3] + " " * inner + frame[3]
    yield frame[4] + (label if below else "").center(inner, frame[1]) + frame[5]


def _write_in_middle(area: Area, signs: list[list[Sign]], style: str) -> None:
    text = _content(area)
    frame = 2 if area.framed else 0
    room = area.width - frame
    if not area.framed and area.cell.shape not in UNFRAMED and len(text) + 2 <= room:
        text = f"[{text}]" if area.cell.action is not None or area.cell.shape == "square" else f" {text} "
    left = area.left + frame // 2 + (0 if area.cell.shape == "plain" else (room - len(text)) // 2)
    _write(signs, left, area.top + (area.height - 1) // 2, text, style, area.cell.name)


def _style(cell: Cell, changed: bool, chosen: bool) -> str:
    owner = OWNERS.get(cell.owner, "") if cell.owner is not None else ""
    styles = {
        owner: bool(owner) and not changed,
        DARK["changed"]: changed,
        "bold": changed or cell.highlighted or cell.action is not None,
        "underline": cell.action is not None and cell.shape not in ("piece", "button"),
        "reverse": cell.highlighted or chosen,
    }
    return " ".join(style for style, holds in styles.items() if holds)


def _write(signs: list[list[Sign]], left: int, row: int, text: str, style: str, cell: str) -> None:
    for column, sign in enumerate(text, start=left):
        if 0 <= row < len(signs) and 0 <= column < len(signs[row]):
            signs[row][column] = Sign(escaped(sign)[0], style, cell)


def _draw_lines(scene: Scene, areas: tuple[Area, ...], signs: list[list[Sign]]) -> None:
    """Draw dotted lines between the middles of cells; the cells are drawn over them."""
    middles = {area.cell.name: area.middle for area in areas}
    for line in scene.lines:
        (x1, y1), (x2, y2) = middles[line.start], middles[line.end]
        steps = max(1, _rounded(max(abs(x2 - x1) / 2, abs(y2 - y1))))
        for step in range(steps + 1):
            part = step / steps
            _write(signs, int(x1 + (x2 - x1) * part), int(y1 + (y2 - y1) * part), "·", "dim", "")


def _draw_line_labels(scene: Scene, scale: Size, signs: list[list[Sign]]) -> None:
    if not scene.lines:
        return
    left, top = min(cell.x for cell in scene.cells), min(cell.y for cell in scene.cells)
    for line, box in zip(scene.lines, lay_out(scene).line_labels, strict=True):
        if box:
            x, y = (box.middle[0] / UNIT - left) * scale[0], (box.middle[1] / UNIT - top) * scale[1]
            column, row = _rounded(x - len(line.label) / 2), int(y)
            if all(0 <= row < len(signs) and not sign.cell for sign in signs[row][column : column + len(line.label)]):
                _write(signs, column, row, line.label, "", "")
