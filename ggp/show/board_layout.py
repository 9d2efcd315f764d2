"""The layout of a drawn board in pixels: cells, their contents, counts and labels.

Nothing overlaps, whatever the counts: digits are in a separate strip beside the hollow, and things in a hollow are
drawn smaller if there are more of them.
"""

import functools
import unicodedata
from collections.abc import Iterable, Iterator
from math import cos, pi, sin, sqrt
from typing import Literal

import attrs

from ggp.game import MIN
from ggp.scene import BESIDE, TEXTS, Cell, Scene

UNIT = 64
"""The side of an ordinary cell."""
GAP = 3
"""Distance between the edge of a cell and its outline."""
RIM = 7
"""Distance between an outline and its content: room for a ring."""
STRIP = 24
"""The height of the strip for digits."""
SIDE_STRIP = 30
"""The width of the strip for a hollow's digits, if the strip is beside the hollow."""
BROADER = 1.2
"""A hollow with a greater ratio of width to height has its digits at its left or right."""
DIGITS = 20
LABEL = 16
LINE_LABEL = 14
FAR = (0.5, 0.58, 0.42, 0.65, 0.35)
"""Places where a line's label may be, as shares of the line's length from its start."""
CORNER = 1.5
"""Distance between the corner of a square on a chequered board and the square's label, small enough to clear a disc."""
BORDER = 10
"""Distance by which the board extends beyond its cells."""
EDGE = 5
"""Distance between the cells and an edge that belongs to a player; also half the width of such an edge."""
HEXAGON_CORNER = 1 / 6
"""How far a hexagon reaches above and below its cell, as a share of the cell."""
LARGEST_SEED = 7
SMALLEST_SEED = 1.2
"""Radii of seeds. If the seeds of a hollow would have to be smaller, only their number is shown."""


@attrs.frozen
class Box:
    """A rectangle, given by its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> "Box":
        """Return the rectangle whose middle is (x, y)."""
        return cls(x - width / 2, y - height / 2, width, height)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, margin: float) -> "Box":
        """Return the box with `margin` added on every side. A negative margin shrinks it, to a size of 0 at least."""
        margin = max(margin, -self.width / 2, -self.height / 2)
        return Box(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)

    def cut_off(self, side: Literal["top", "bottom", "left", "right"], size: float) -> tuple["Box", "Box"]:
        """Return a strip of that size along one side, and the rest of the box."""
        x, y, width, height = self.x, self.y, self.width, self.height
        match side:
            case "top":
                return Box(x, y, width, size), Box(x, y + size, width, height - size)
            case "bottom":
                return Box(x, y + height - size, width, size), Box(x, y, width, height - size)
            case "left":
                return Box(x, y, size, height), Box(x + size, y, width - size, height)
            case "right":
                return Box(x + width - size, y, size, height), Box(x, y, width - size, height)

    def overlaps(self, other: "Box", tolerance: float = 1e-6) -> bool:
        """Return whether the interiors of two rectangles overlap."""
        return (  # what is most often false first: this is asked of every pair of boxes
            self.x + self.width - other.x > tolerance
            and other.x + other.width - self.x > tolerance
            and self.y + self.height - other.y > tolerance
            and other.y + other.height - self.y > tolerance
            and min(self.width, self.height, other.width, other.height) > tolerance
        )


def hull(boxes: Iterable[Box]) -> Box:
    """Return the smallest rectangle around all of `boxes`; a point if there are none."""
    every = list(boxes) or [Box(0, 0, 0, 0)]
    left, top = min(box.x for box in every), min(box.y for box in every)
    return Box(left, top, max(box.right for box in every) - left, max(box.bottom for box in every) - top)


@attrs.frozen
class Placed:
    """A cell, and the positions of its parts."""

    cell: Cell
    box: Box
    """The rectangle of the cell without its label."""
    outline: Box
    inside: Box
    """The rectangle for the cell's text, or for the things in the cell."""
    digits: Box | None = None
    label: Box | None = None


@attrs.frozen
class BoardLayout:
    """The cells of a scene with their positions, and the board below them, if any."""

    cells: tuple[Placed, ...]
    board: Box | None
    edges: Box | None = None
    """The rectangle around the edges of a board that belong to players."""
    touching: bool = False
    """Whether cells touch, as the squares of a board with a material do."""
    centre: tuple[float, float] = (0.0, 0.0)
    """The middle of the board; labels are on the side away from it."""
    line_labels: tuple[Box | None, ...] = ()
    """The position of each line's label; None for a line that has no label, or no room for its label."""

    @functools.cached_property
    def boxes(self) -> list[Box]:
        """All rectangles that are in use."""
        labels = [placed.label for placed in self.cells if placed.label]
        return [placed.box for placed in self.cells] + labels + [each for each in (self.board, self.edges) if each]

    def again(self, cell: Cell) -> "Placed":
        """Place a cell, perhaps with another content, at the position of the cell with the same name."""
        there = self.by_name[cell.name]
        placed = _placed(cell, there.box, *self.centre, self.touching)
        return placed if cell.shape == "square" else attrs.evolve(placed, label=there.label)

    @functools.cached_property
    def by_name(self) -> dict[str, Placed]:
        return {placed.cell.name: placed for placed in self.cells}


def lay_out(scene: Scene) -> BoardLayout:
    """Compute the position of every part of the scene."""
    boxes = [_box(cell) for cell in scene.cells]
    hollows = [box for cell, box in zip(scene.cells, boxes, strict=True) if cell.shape == "round"]
    across, middle = hull(hollows or boxes).middle
    board, touching = _board(scene, boxes, hollows), bool(scene.material)
    placed = [_placed(cell, box, across, middle, touching) for cell, box in zip(scene.cells, boxes, strict=True)]
    squares = [box for cell, box in zip(scene.cells, boxes, strict=True) if cell.shape in ("square", "hexagon")]
    edges = (
        hull(squares).grown(UNIT * HEXAGON_CORNER + EDGE * 2) if any(each is not None for each in scene.edges) else None
    )
    layout = BoardLayout(tuple(_labelled(placed, board, middle)), board, edges, touching, (across, middle))
    return attrs.evolve(layout, line_labels=tuple(_line_labels(scene, layout)))


def _board(scene: Scene, boxes: list[Box], hollows: list[Box]) -> Box | None:
    """Return the rectangle of the board.

    If the board has a material, it encloses the cells and the names of rows and columns; otherwise, it encloses the
    hollows. A board of hexagons has the shape of its hexagons. In a game with dice, everything lies on a table.
    """
    if hollows and not scene.lines:
        return hull(hollows).grown(BORDER)
    if not scene.material or any(cell.shape == "hexagon" for cell in scene.cells):
        return None
    if all(cell.shape in ON_TABLE for cell in scene.cells):
        return hull(boxes).grown(BORDER)
    cells = zip(scene.cells, boxes, strict=True)
    return hull(box for cell, box in cells if _is_on_board(cell)).grown(BORDER)


ON_TABLE = BESIDE | {"score"}
"""The shapes of cells that may lie on a table without a board."""


def _is_on_board(cell: Cell) -> bool:
    """Return whether the cell lies on a board that has a material."""
    empty = cell.shape == "plain" and not cell.text
    return cell.shape not in BESIDE - {"coordinate"} or cell.shade != "" or empty


def _line_labels(scene: Scene, layout: BoardLayout) -> Iterator[Box | None]:
    taken = [box for box in layout.boxes if box not in (layout.board, layout.edges)]
    for line in scene.lines:
        (x1, y1), (x2, y2) = (layout.by_name[name].outline.middle for name in (line.start, line.end))
        width, height = text_width(line.label, LINE_LABEL), LINE_LABEL * 1.25
        places = (Box.around(x1 + (x2 - x1) * far, y1 + (y2 - y1) * far, width, height) for far in FAR)
        room = next((box for box in places if not any(map(box.overlaps, taken))), None) if line.label else None
        taken += [room] if room else []
        yield room


def _box(cell: Cell) -> Box:
    return Box(cell.x * UNIT, cell.y * UNIT, cell.width * UNIT, cell.height * UNIT)


def _side(cell: Cell, box: Box, middle: float) -> int:
    """Return on which side of the scene's middle the cell is: -1 above, 1 below, 0 at middle height."""
    height = box.middle[1] - middle
    return 0 if abs(height) <= 1e-6 else -1 if height < 0 else 1


def _above(cell: Cell, box: Box, middle: float) -> bool:
    """Return whether the side of the cell that is away from the middle of the scene is its upper side."""
    side = _side(cell, box, middle)
    return side < 0 or (side == 0 and cell.owner == MIN)


def _placed(cell: Cell, box: Box, across: float, middle: float, touching: bool) -> Placed:
    touching = cell.shade != "" or (touching and cell.shape in ("square", "edge"))
    outline = box if touching else box.grown(-GAP)
    if cell.shape == "round" and cell.count is not None:
        return _hollow(cell, box, outline, across, middle)
    inside, digits, label = _inside(cell, outline), None, None
    if cell.shape == "square" and cell.label and touching:
        label = Box(outline.x + CORNER, outline.y + CORNER, 14, 11)
    elif cell.shape == "square" and cell.label:
        label, inside = inside.cut_off("top", min(LABEL, inside.height / 3))
    if cell.shape == "score":
        if cell.label:
            label, inside = inside.cut_off("top", min(LABEL * 1.2, inside.height / 3))
        return Placed(cell, box, outline, inside, inside, label)
    if cell.count is not None and cell.shape != "tray":
        width = min(inside.width / (2 if cell.text else 1), text_width(f"{cell.count}", DIGITS) + RIM)
        digits, inside = inside.cut_off("right" if cell.shape == "plain" else "left", width)
    return Placed(cell, box, outline, inside, digits, label)


def _hollow(cell: Cell, box: Box, outline: Box, across: float, middle: float) -> Placed:
    """Place a hollow and the strip for its digits, which is on the side away from the middle of the board. If the
    hollow is at middle height, an equal strip is left free on the other side.

    The strip is above or below the hollow, or at its left or right if the hollow is much broader than high.
    """
    if box.width > BROADER * box.height and abs(box.middle[0] - across) > 1e-6:
        strip = min(SIDE_STRIP, outline.width / 3)
        digits, hollow = outline.cut_off("left" if box.middle[0] < across else "right", strip)
        return Placed(cell, box, hollow, hollow.grown(-RIM), digits)
    strip, above = min(STRIP, outline.height / 3), _above(cell, box, middle)
    digits, hollow = outline.cut_off("top" if above else "bottom", strip)
    if _side(cell, box, middle) == 0:
        _, hollow = hollow.cut_off("bottom" if above else "top", strip)
    return Placed(cell, box, hollow, hollow.grown(-RIM), digits)


def _inside(cell: Cell, outline: Box) -> Box:
    """Return the largest rectangle in an outline that content can use."""
    if cell.shape in ("up", "down"):
        x, y = outline.middle
        away = outline.height / 6 if cell.shape == "up" else -outline.height / 6
        return Box.around(x, y + away, outline.width * 0.56, outline.height * 0.32)
    if cell.shape in TEXTS or (cell.shape == "button" and cell.count is None):
        return outline
    if cell.shape in ("round", "piece") and cell.count is None:
        return outline.grown(-min(outline.width, outline.height) * 0.15)
    return outline.grown(-RIM)


def _labelled(cells: list[Placed], board: Box | None, middle: float) -> Iterator[Placed]:
    """Yield the cells with their labels. Each label is placed outside its cell, on the first of four sides where it has
    room.
    """
    taken = [placed.box for placed in cells]
    for placed in cells:
        cell = placed.cell
        if cell.label and cell.shape not in ("square", "score"):
            places = [box for box in _beside(placed, board, middle) if not any(map(box.overlaps, taken))]
            if board and cell.shape == "round":  # not between two hollows, if there is room outside
                places.sort(key=board.overlaps)
            room = next(iter(places), None)
            placed = attrs.evolve(placed, label=room)
            taken += [room] if room else []
        yield placed


def _beside(placed: Placed, board: Box | None, middle: float) -> Iterator[Box]:
    box, gap = placed.box, BORDER + 2 if board and placed.cell.shape == "round" else 2
    (x, y), height = box.middle, LABEL * 1.25
    width = text_width(placed.cell.label, LABEL) + 4
    above = Box(x - width / 2, box.y - gap - height, width, height)
    below = Box(x - width / 2, box.bottom + gap, width, height)
    yield from (above, below) if _above(placed.cell, box, middle) else (below, above)
    yield Box(box.x - gap - width, y - height / 2, width, height)
    yield Box(box.right + gap, y - height / 2, width, height)


def text_width(text: str, size: float, mono: float | None = None) -> float:
    """Return an upper bound of the width of a line of text of that size, for any usual font."""
    return size * sum(mono or _advance(sign) for sign in text)


def _advance(sign: str) -> float:
    """Return the width of a bold character in units of the font size, in the widest of the usual fonts."""
    if unicodedata.east_asian_width(sign) in "WF" or sign in "MW@%mw—" or ord(sign) > 0x2000:
        return 1.12
    if sign in NARROW:
        return 0.48
    return 0.88 if sign.isupper() or sign in "+=<>~#&" else 0.74


NARROW = " .,:;'|!()[]/-Iijl"


def fitting(text: str, box: Box, largest: float, mono: float | None = None) -> float:
    """Return the font size, `largest` at most, for which a line of text fits into a box."""
    return min(largest, box.height / 1.2, box.width / max(text_width(text, 1, mono), 1e-9))


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return the text in lines that are no wider than the given width, if its words allow it."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) * REGULAR <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


REGULAR = 0.94
"""The width of regular letters, as a share of the width of bold ones."""


@functools.lru_cache(4096)
def heap(count: int, width: float, height: float) -> tuple[float, tuple[tuple[float, float], ...]]:
    """Return the radius of the seeds in a hollow of that size, and their positions relative to its middle.

    The seeds lie as in the head of a sunflower: seed n lies at the golden angle from seed n - 1, on a circle whose area
    is larger by one seed. (H. Vogel, A better way to construct the sunflower head, Mathematical Biosciences, 1979.) If
    there is no room, no positions are returned.
    """
    if count == 0:
        return 0, ()
    across, along, least = width / 2, height / 2, min(width, height) / 2
    outer = sqrt(count - 0.5)
    radius = min(LARGEST_SEED, least * CLOSE / (outer + CLOSE))
    if radius < SMALLEST_SEED:
        return 0, ()
    spread = min(1.0, LARGEST_SEED / CLOSE * outer / (least - radius)) if radius == LARGEST_SEED else 1.0
    close = (least - radius) / outer * spread
    wide, high = (min((each - radius) / outer, LOOSE * close) for each in (across, along))
    if count == 1:
        return radius, ((0, 0),)
    angles = (n * GOLDEN_ANGLE for n in range(count))
    places = ((sqrt(n + 0.5), angle) for n, angle in enumerate(angles))
    return radius, tuple((wide * far * cos(angle), high * far * sin(angle)) for far, angle in places)


GOLDEN_ANGLE = pi * (3 - sqrt(5))
LOOSE = 1.3
"""Maximum ratio of the distances between seeds in the two directions."""
CLOSE = 0.72
"""Slightly less than half the least distance between two seeds, if seed n is sqrt(n + 0.5) away from the middle."""
