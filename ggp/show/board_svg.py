"""A board as SVG: any scene of any game, as one element for a file of its own or for a page.

from ggp.show.board_svg import board_svg
board_svg(ggp.scene(game, state), link=lambda action: f"?move={action}")
"""

import functools
import re
from collections.abc import Callable, Collection, Hashable
from math import inf
from xml.etree.ElementTree import Element, SubElement

import attrs

from ggp.game import MAX, MIN
from ggp.scene import BESIDE, DISCS, TEXTS, Cell, Scene, Shape
from ggp.show.board_layout import (
    CORNER,
    DIGITS,
    LABEL,
    LINE_LABEL,
    BoardLayout,
    Box,
    Placed,
    fitting,
    heap,
    hull,
    lay_out,
    wrapped,
)
from ggp.show.board_style import STYLE
from ggp.show.markup import markup

Link = Callable[[Hashable], str | None]
"""Returns the address of the link that plays an action; None for no link."""
Pick = Callable[[str], str | None]
"""Returns the address of the link that selects a cell, given by name, as the start of a move; see `Scene.picked`."""

MARGIN = 12
CAPTION = 16
BROADEST = 40
"""Maximum width of a picture, in characters of its caption; the caption would be too small if a wider board were scaled
down.
"""
NARROWEST = 240
"""Minimum width of a picture, so that its caption has room."""
LARGEST_MARK = 40
SMALLER_MARK = 26
"""Font size of marks outside the board."""
RING = 4.5
"""Distance of the ring that marks a changed cell from the cell's outline."""
DISC = 0.4
"""Radius of a disc, as a share of its cell."""
INNER = 0.74
"""Radius of the ring on MIN's discs, as a share of the disc; it makes them recognizable without colour."""
DOT = 0.13
"""Radius of the dot on an empty cell that can be chosen, as a share of the cell."""
POINT = 0.2
"""Radius of an empty point of a board with lines, as a share of its cell: no one takes it for a piece."""
MONOSPACED = 0.61
"""The width of a monospaced character, as a share of the font size."""


def board_svg(
    scene: Scene,
    *,
    link: Link | None = None,
    pick: Pick | None = None,
    changed: Collection[str] = (),
    title: str = "",
    identity: str = "board",
) -> str:
    """Return the board as one `<svg>` element with its style, for light and dark pages and for print.

    Every cell is a group with the class `cell` and the cell's name in `data-name`.

    Arguments:
        link: returns the address for an action; its cell becomes a link.
        pick: returns the address for selecting a cell from which moves start; the cell becomes a link, unless choosing
            it is an action itself.
        changed: the names of cells to mark as changed by the last move; see `Scene.changed_since`.
        title: a description of the picture for screen readers (default: the caption).
        identity: a prefix of the ids in the picture, different for each picture of a page.
    """
    drawing = Drawing(scene, lay_out(scene), link, pick, frozenset(changed), identity)
    return markup(drawing.draw(title))


def cell_drawer(scene: Scene) -> Callable[[Cell], str]:
    """Return a function that draws a cell of the scene, with any content, as a `<g>` element at its position."""
    drawing = Drawing(scene, lay_out(scene), None, None, frozenset(), "")

    def drawn(cell: Cell) -> str:
        root = Element("g")
        drawing.cell(root, drawing.layout.again(cell))
        return markup(root[0])

    return drawn


@attrs.frozen
class Drawing:
    """Draws one board."""

    scene: Scene
    layout: BoardLayout
    link: Link | None
    pick: Pick | None
    changed: frozenset[str]
    identity: str

    def draw(self, title: str) -> Element:
        """Return the whole picture."""
        board = hull(self.layout.boxes)
        width = max(board.width, NARROWEST)
        largest = max(CAPTION, width / BROADEST)
        caption = wrapped(_clean(self.scene.caption), width, largest)
        height = board.height + 1.4 * largest * len(caption)
        page = Box(board.middle[0] - width / 2, board.y, width, height).grown(MARGIN)
        root = self._root(page, title)
        _rectangle(root, page, "ground", 0)
        self.draw_ground(root)
        for placed in sorted(self.layout.cells, key=lambda placed: bool(placed.cell.reach)):  # above what they reach
            self.cell(root, placed)
        for row, text in enumerate(caption, start=1):
            size = fitting(text, page.grown(-MARGIN), largest)
            _text(root, text, (page.middle[0], board.bottom + (1.4 * row - 0.3) * largest), size, "caption")
        return root

    def _root(self, page: Box, title: str) -> Element:
        names = f"{self.identity}-title", f"{self.identity}-text"
        root = Element("svg", xmlns="http://www.w3.org/2000/svg")
        root.set("class", "ggp-board")
        root.set("viewBox", " ".join(_number(each) for each in (page.x, page.y, page.width, page.height)))
        root.set("width", _number(page.width))
        root.set("height", _number(page.height))
        root.set("role", "group" if self.link else "img")
        root.set("aria-labelledby", " ".join(names))
        SubElement(root, "title", id=names[0]).text = _clean(title or self.scene.caption or "A board")
        SubElement(root, "desc", id=names[1]).text = _clean(self._in_words())
        SubElement(root, "style").text = STYLE
        return root

    def _in_words(self) -> str:
        """Return a description of the board, cell by cell."""
        cells = [describe(self.scene, cell) for cell in self.scene.cells if cell.count is not None or cell.text]
        return ". ".join(part for part in (self.scene.caption, "; ".join(cells)) if part)

    @functools.cached_property
    def starts(self) -> frozenset[str]:
        return self.scene.starts

    @functools.cached_property
    def has_points(self) -> bool:
        """Whether pieces stand on points joined by lines; the nodes of a tree are no such points."""
        cells = self.scene.cells
        return bool(self.scene.lines) and not any(cell.shape in ("up", "down", "square") for cell in cells)

    @functools.cached_property
    def dotted(self) -> bool:
        """Whether empty cells that can be chosen have a dot: they have, unless all cells can be chosen."""
        empty = [cell for cell in self.scene.cells if _is_empty(cell)]
        return not all(cell.action is not None for cell in empty)

    def draw_ground(self, root: Element) -> None:
        """Draw the ground under the cells."""
        if self.layout.wood:
            _rectangle(root, self.layout.wood, "wood", 22)
        for line in self.scene.lines:
            (x1, y1), (x2, y2) = (self.layout.by_name[name].outline.middle for name in (line.start, line.end))
            ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
            SubElement(root, "line", {"class": "line"} | {name: _number(each) for name, each in ends.items()})
        for line, box in zip(self.scene.lines, self.layout.line_labels, strict=True):
            if box:
                _text(root, line.label, box.middle, LINE_LABEL, "line-label")

    def cell(self, root: Element, placed: Placed) -> None:
        """Add a cell, as a link if it has an address."""
        cell = placed.cell
        address, hint = self._address(cell)
        words = describe(self.scene, cell)
        if address is not None:
            words = f"{words} — {hint}"
            root = SubElement(root, "a", {"href": _clean(address), "aria-label": _clean(words)})
            for name in (cell.name, *cell.reach) if cell.reach else ():
                _rectangle(root, self.layout.by_name[name].box, "reach", 0)
        group = SubElement(root, "g", {"class": self._classes(cell), "data-name": _clean(cell.name)})
        SubElement(group, "title").text = _clean(words)
        if cell.shade:
            _rectangle(group, placed.outline, "outline", 0)
        elif self.has_points and _is_empty(cell):
            _circle(group, placed.box, POINT, "outline")
            _outline(group, placed.outline, cell.shape, "reach")
        elif cell.shape not in TEXTS:
            _outline(group, placed.outline, cell.shape, "outline")
        if cell.name in self.changed and cell.shape not in TEXTS:  # a text beside the board is changed by every move
            least = min(placed.outline.width, placed.outline.height)
            within = 0 if cell.shape == "button" else min(RING, least / 8)  # a narrow cell has a mark within, too
            within = CORNER / 2 if cell.shade else RING / 2 if cell.text in DISCS else within
            _outline(group, placed.outline.grown(-within), cell.shape, "ring")
        if placed.label:
            _text(group, cell.label, placed.label.middle, fitting(cell.label, placed.label, LABEL), "label")
        if cell.count is not None:
            _things(group, placed, cell.count)
        if _is_empty(cell) and cell.action is not None and self.dotted:
            _circle(group, placed.box, DOT, "dot")
        if cell.text in DISCS and cell.shape not in TEXTS:
            self.disc(group, placed)
        elif cell.text and cell.shape != "piece":
            mono = MONOSPACED if cell.shape == "plain" else None
            largest = SMALLER_MARK if cell.shape in BESIDE else LARGEST_MARK
            size = fitting(cell.text, placed.inside, largest, mono)
            mark = _text(group, cell.text, placed.inside.middle, size, "mark")
            if mono:
                mark.set("font-family", "ui-monospace, DejaVu Sans Mono, monospace")
                mark.set("xml:space", "preserve")

    def disc(self, group: Element, placed: Placed) -> None:
        """Draw the disc in a cell, with a ring if it is MIN's, and with the character of a king."""
        cell, sign = placed.cell, DISCS[placed.cell.text]
        _circle(group, placed.box, DISC, "disc")
        if cell.owner == MIN:
            _circle(group, placed.box, DISC * INNER, "rim")
        if sign:
            _text(group, sign, placed.box.middle, DISC * min(placed.box.width, placed.box.height), "sign")

    def _address(self, cell: Cell) -> tuple[str | None, str]:
        """Return the link of a cell, if it has one, and the effect of following it, in words."""
        if cell.action is not None:
            return self.link(cell.action) if self.link else None, cell.hint or f"play {cell.name}"
        address = self.pick(cell.name) if self.pick and cell.name in self.starts else None
        return address, f"move from {cell.name}"

    def _classes(self, cell: Cell) -> str:
        classes = {
            "cell": True,
            cell.shape: True,
            cell.shade: bool(cell.shade),
            "empty": _is_empty(cell),
            "node": bool(self.scene.lines),
            "max": cell.owner == MAX,
            "min": cell.owner == MIN,
            "playable": cell.action is not None or cell.name in self.starts,
            "highlighted": cell.highlighted,
            "changed": cell.name in self.changed,
        }
        return " ".join(name for name, holds in classes.items() if holds)


def describe(scene: Scene, cell: Cell) -> str:
    """Return a cell in words: its name and its content."""
    one, many = scene.things
    count = "" if cell.count is None else f"{cell.count} {one if cell.count == 1 else many}".strip()
    content = ", ".join(part.strip() for part in (cell.text, count) if part.strip() and part != cell.name)
    return f"{cell.name}: {content}" if content else cell.name


def _is_empty(cell: Cell) -> bool:
    """Return whether a cell of the board is empty."""
    return cell.shape in ("square", "hexagon", "round") and not cell.text and cell.count is None


def _circle(group: Element, box: Box, part: float, kind: str) -> None:
    """Draw a circle in the middle of a box; `part` is its radius as a share of the box."""
    (x, y), radius = box.middle, part * min(box.width, box.height)
    SubElement(group, "circle", {"class": kind, "cx": _number(x), "cy": _number(y), "r": _number(radius)})


def _things(group: Element, placed: Placed, count: int) -> None:
    """Draw the things in a cell, and their number."""
    if placed.cell.shape != "plain":
        radius, places = heap(count, placed.inside.width, placed.inside.height)
        x, y = placed.inside.middle
        for across, along in places:
            seed = {"cx": x + across, "cy": y + along, "r": radius}
            SubElement(group, "circle", {"class": "seed"} | {name: _number(each) for name, each in seed.items()})
    if placed.digits:
        text = str(count)
        _text(group, text, placed.digits.middle, fitting(text, placed.digits, DIGITS), "digits")


def _outline(group: Element, box: Box, shape: Shape, kind: str) -> None:
    corners = _corners(box, shape)
    if corners:
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        SubElement(group, "polygon", {"class": kind, "points": points, "stroke-linejoin": "round"})
        return
    round_off = {"round": inf, "piece": inf, "button": 10}.get(shape, 4)
    _rectangle(group, box, kind, min(round_off, box.width / 2, box.height / 2))


def _corners(box: Box, shape: Shape) -> tuple[tuple[float, float], ...]:
    """Return the corners of a shape that is not a rectangle."""
    middle, left, right, top, bottom = box.middle[0], box.x, box.right, box.y, box.bottom
    match shape:
        case "up":
            return (middle, top), (right, bottom), (left, bottom)
        case "down":
            return (middle, bottom), (right, top), (left, top)
        case "hexagon":
            over = box.height / 6
            upper, lower = ((left, top + over), (middle, top - over), (right, top + over)), bottom - over
            return *upper, (right, lower), (middle, bottom + over), (left, lower)
    return ()


def _rectangle(parent: Element, box: Box, kind: str, corner: float) -> Element:
    sides = {"x": box.x, "y": box.y, "width": box.width, "height": box.height, "rx": corner}
    return SubElement(parent, "rect", {"class": kind} | {name: _number(each) for name, each in sides.items()})


def _text(parent: Element, text: str, middle: tuple[float, float], size: float, kind: str) -> Element:
    """Return a line of text around a point."""
    x, y = middle
    place = {"x": x, "y": y + 0.36 * size, "font-size": size}
    element = SubElement(parent, "text", {"class": kind} | {name: _number(each) for name, each in place.items()})
    element.text = _clean(text)
    element.tail = " "  # it stands alone for those who hear it, too
    return element


@functools.lru_cache(10_000)
def _number(value: float) -> str:
    """Return a number rounded to a hundredth of a pixel."""
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")  # + 0: no -0


def _clean(text: str) -> str:
    """Remove the control characters that XML forbids."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "�", text)
