"""A board as SVG: any scene of any game, as one element for a file of its own or for a page.

from ggp.show.board_svg import board_svg
board_svg(ggp.scene(game, state), link=lambda action: f"?move={action}")
"""

import functools
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from math import hypot, inf
from typing import Literal
from xml.etree.ElementTree import Element, SubElement

import attrs

from ggp.game import MAX, MIN
from ggp.scene import BESIDE, TEXTS, Cell, Colour, Scene, Shape
from ggp.show.board_layout import (
    DIGITS,
    EDGE,
    HEXAGON_CORNER,
    LABEL,
    LINE_LABEL,
    UNIT,
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
from ggp.show.piece_drawing import DISC, draw_die, draw_piece, face
from ggp.show.svg_elements import XY, circle, clean, line, number, polygon, polyline, rectangle, text

Link = Callable[[Hashable], str | None]
"""Returns the address of the link that plays an action; None for no link."""
Pick = Callable[[str], str | None]
"""Returns the address of the link that selects a cell, given by name, as the start of a move; see `Scene.picked`."""

MARGIN = 12
CLOSE = 4
"""Margin of a picture whose board has a material: the rim of the board is a margin, too."""
CAPTION = 16
BROADEST = 30
"""Maximum width of a picture, in characters of its caption.

If a wider board were scaled down, the caption would be too small.
"""
NARROWEST = 240
"""Minimum width of a picture, so that its caption has room."""
LARGEST_MARK = 40
SMALLER_MARK = 26
"""Font size of marks outside the board."""
TRAY = 0.12
"""Width of the rim of a tray, as a share of its height."""
RING = 4.5
"""Distance between the outline of a changed cell and the ring that marks it."""
HEAD = 22
"""Length and width of the head of an arrow."""
LIGHT_COLOURS = frozenset({"white", "yellow"})
USUAL: tuple[Colour, Colour] = ("blue", "red")
"""The players' colours if the scene names none."""
HOLE = 0.43
"""Radius of a hole in a frame, as a share of its cell."""
DOT = 0.13
"""Radius of the dot on an empty cell that can be chosen, as a share of the cell."""
POINT = 0.1
"""Radius of an empty point of a board with lines, as a share of its cell. It is too small to be taken for a piece."""
END = 0.11
"""Radius of a dot where lines meet."""
MONOSPACED = 0.61
"""The width of a monospaced character, as a share of the font size."""


def board_svg(
    scene: Scene,
    *,
    link: Link | None = None,
    pick: Pick | None = None,
    changed: Collection[str] = (),
    arrows: Collection["Arrow"] = (),
    title: str = "",
    identity: str = "board",
) -> str:
    """Return the board as one `<svg>` element with its style, for light and dark pages and for print.

    Every cell is a group with the class `cell` and the cell's name in `data-name`.

    Arguments:
        link: returns the address that plays an action; the action's cell becomes a link to it.
        pick: returns the address that selects a cell as the start of a move. The cell links to it, unless clicking on
            the cell plays an action.
        changed: the names of cells to mark as changed by the last move; see `Scene.changed_since`.
        arrows: moves to point at.
        title: a description of the picture for screen readers (default: the caption).
        identity: a prefix of the ids in the picture, different for each picture of a page.
    """
    drawing = Drawing(scene, lay_out(scene), link, pick, frozenset(changed), identity, tuple(arrows))
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
class Arrow:
    """An arrow that points at a move: from cell to cell, by name, or a ring around one cell."""

    start: str
    end: str
    meaning: Literal["best", "threat"] = "best"


@attrs.frozen
class Drawing:
    """Draws one board."""

    scene: Scene
    layout: BoardLayout
    link: Link | None
    pick: Pick | None
    changed: frozenset[str]
    identity: str
    arrows: tuple["Arrow", ...] = ()

    def draw(self, title: str) -> Element:
        """Return the whole picture."""
        board = hull(self.layout.boxes)
        width = max(board.width, NARROWEST)
        largest = max(CAPTION, width / BROADEST)
        caption = wrapped(clean(self.scene.told), width, largest)
        height = board.height + 1.4 * largest * len(caption)
        margin = CLOSE if self.layout.board and self.scene.material else MARGIN
        whole = Box(board.middle[0] - width / 2, board.y, width, height).grown(margin)
        root = self._root(whole, title)
        rectangle(root, whole, "ground", 0)
        self.draw_ground(root)
        # What reaches other cells is above them, and dots are above the lines that end there.
        for placed in sorted(
            self.layout.cells, key=lambda placed: (placed.cell.shape == "dot", bool(placed.cell.reach))
        ):
            self.cell(root, placed)
        for arrow in self.arrows:
            self._draw_arrow(root, arrow)
        for row, written in enumerate(caption, start=1):
            size = fitting(written, whole.grown(-margin), largest)
            text(root, written, (whole.middle[0], board.bottom + (1.4 * row - 0.55) * largest), size, "caption")
        return root

    def _root(self, whole: Box, title: str) -> Element:
        names = f"{self.identity}-title", f"{self.identity}-text"
        root = Element("svg", xmlns="http://www.w3.org/2000/svg")
        material = [f"on-{self.scene.material}"] if self.scene.material else []
        root.set("class", " ".join(["ggp-board", *material, colour_classes(self.scene)]))
        root.set("viewBox", " ".join(number(each) for each in (whole.x, whole.y, whole.width, whole.height)))
        root.set("width", number(whole.width))
        root.set("height", number(whole.height))
        root.set("role", "group" if self.link else "img")
        root.set("aria-labelledby", " ".join(names))
        if self.scene.gravity:
            root.set("data-gravity", "")
        SubElement(root, "title", id=names[0]).text = clean(title or self.scene.caption or "A board")
        SubElement(root, "desc", id=names[1]).text = clean(self._description())
        SubElement(root, "style").text = STYLE
        return root

    def _description(self) -> str:
        """Return a description of the board, cell by cell."""
        told = (cell for cell in self.scene.cells if cell.shape not in ("coordinate", "dot"))
        cells = [describe(self.scene, cell) for cell in told if cell.count is not None or cell.text]
        return ". ".join(part for part in (self.scene.caption, "; ".join(cells)) if part)

    @functools.cached_property
    def starts(self) -> frozenset[str]:
        return self.scene.starts

    @functools.cached_property
    def has_points(self) -> bool:
        """Whether pieces stand on points joined by lines; the nodes of a tree do not count as points."""
        cells = self.scene.cells
        return bool(self.scene.lines) and not any(cell.shape in ("up", "down", "square") for cell in cells)

    @functools.cached_property
    def dotted(self) -> bool:
        """Whether empty cells that can be chosen have a dot; they have none if all cells can be chosen."""
        empty = [cell for cell in self.scene.cells if _is_empty(cell)]
        return not all(cell.action is not None for cell in empty) and not self.scene.gravity

    @functools.cached_property
    def ringed(self) -> bool:
        """Whether MIN's discs have a ring: they have one if both players' colours are dark, or both are light."""
        first, second = self.scene.colours or USUAL
        return (first in LIGHT_COLOURS) == (second in LIGHT_COLOURS)

    def draw_ground(self, root: Element) -> None:
        """Draw what is under the cells: the board, the edges that belong to players, and the lines."""
        if self.layout.board:
            rectangle(root, self.layout.board, "board", 22 if not self.scene.material else 10)
        if self.scene.material == "frame":
            squares = (placed.box for placed in self.layout.cells if placed.cell.shape == "square")
            rectangle(root, hull(squares), "wall", 0)
        for side, owner in zip(SIDES, self.scene.edges, strict=False):
            if owner is not None:
                polyline(root, self._edge(side), f"rand {'max' if owner == MAX else 'min'}")
        for each in self.scene.lines:
            start, end = (self.layout.by_name[name].outline.middle for name in (each.start, each.end))
            line(root, start, end, "line")
        for each, box in zip(self.scene.lines, self.layout.line_labels, strict=True):
            if box:
                text(root, each.label, box.middle, LINE_LABEL, "line-label")

    def _edge(self, side: str) -> Iterator[XY]:
        """Yield the corners of an edge of the board, along the outer sides of the outermost cells."""
        board = [placed for placed in self.layout.cells if placed.cell.shape in ("square", "hexagon")]
        lines: dict[float, list[Placed]] = {}
        for placed in board:
            cell = placed.cell  # on a corner, rows go down to the right: half a cell for each cell's height
            row = cell.y / cell.height - 2 * cell.x if self.scene.on_corner else cell.y
            lines.setdefault(round(row, 3), []).append(placed)
        rows = [sorted(row, key=lambda placed: placed.box.x) for _, row in sorted(lines.items())]
        cells = {
            "top": rows[0],
            "right": [row[-1] for row in rows],
            "bottom": rows[-1],
            "left": [row[0] for row in rows],
        }[side]
        for placed in cells:
            box = placed.outline
            corners = _corners(box.grown(EDGE), "hexagon" if placed.cell.shape == "hexagon" else "square")
            turn = 1 if self.scene.on_corner else 0
            yield from (
                corners[(number + turn) % len(corners)] for number in OUTER[placed.cell.shape == "hexagon"][side]
            )

    def _draw_arrow(self, root: Element, arrow: "Arrow") -> None:
        """Draw an arrow from cell to cell, or a ring around the one cell of a move."""
        group = SubElement(root, "g", {"class": f"arrow {arrow.meaning}", "aria-hidden": "true"})
        start, end = (self.layout.by_name[name].outline for name in (arrow.start, arrow.end))
        if start == end:
            radius = min(end.width, end.height) / 2
            circle(group, end.middle, radius - RING if radius > 3 * RING else 3 * RING, "around")
            return
        (x, y), (to_x, to_y) = start.middle, end.middle
        far = hypot(to_x - x, to_y - y)
        across, along = (to_x - x) / far, (to_y - y) / far
        neck = to_x - HEAD * across, to_y - HEAD * along
        line(group, (x, y), neck, "shaft")
        over, down = -along * HEAD / 2, across * HEAD / 2
        wings = (neck[0] + over, neck[1] + down), (neck[0] - over, neck[1] - down)
        polygon(group, ((to_x, to_y), *wings), "head")

    def cell(self, root: Element, placed: Placed) -> None:
        """Add a cell, as a link if it has an address."""
        cell = placed.cell
        address, hint = self._address(cell)
        sentence = describe(self.scene, cell)
        if address is not None:
            sentence = f"{sentence} — {hint}"
            root = SubElement(root, "a", {"href": clean(address), "aria-label": clean(sentence)})
            for name in (cell.name, *cell.reach) if cell.reach else ():
                rectangle(root, self.layout.by_name[name].box, "reach", 0)
            if cell.shape == "round" and not self.has_points:
                _touched(root, placed.box)  # a finger may hit the digits beside a hollow, too, or its corners
            elif cell.shape == "hexagon":
                polygon(root, _corners(placed.box, cell.shape), "touch")  # or the gap between two hexagons
                root[-1].attrib |= TOUCHED
        group = SubElement(root, "g", {"class": self._classes(cell), "data-name": clean(cell.name)})
        SubElement(group, "title").text = clean(sentence)
        self._draw_place(group, placed)
        if placed.label:
            text(group, cell.label, placed.label.middle, fitting(cell.label, placed.label, LABEL), "label")
        if cell.shape == "tray":
            self._draw_tray(group, placed)
        elif cell.count is not None:
            _things(group, placed, cell.count)
        if _is_empty(cell) and cell.action is not None and self.dotted:
            circle(group, placed.box.middle, DOT * min(placed.box.width, placed.box.height), "dot")
        self._draw_content(group, placed)
        if self.scene.material == "frame" and cell.shape == "square":
            _hole(group, placed.box)
            if cell.name in self.changed:
                circle(group, placed.box.middle, DOT * UNIT, "ring")

    def _draw_place(self, group: Element, placed: Placed) -> None:
        """Draw the place of a cell, without the cell's content."""
        cell, outline = placed.cell, placed.outline
        if cell.shape == "edge":
            self._draw_edge(group, placed)
        elif cell.shape == "dot":
            circle(group, outline.middle, END * UNIT, "end")
        elif cell.shape == "die":
            draw_die(group, cell, outline)
        elif cell.shape == "piece" and cell.stands:
            _outline(group, placed.box, "square", "reach")
        elif self.has_points and cell.shape == "round":
            radius = POINT * min(placed.box.width, placed.box.height)
            circle(group, placed.box.middle, radius, "outline")
            rectangle(group, placed.box, "reach", 0)
        elif cell.shade or (self.layout.touching and cell.shape == "square"):
            rectangle(group, outline, "outline", 0)
        elif cell.shape not in TEXTS and cell.shape != "tray":
            _outline(group, outline, cell.shape, "outline")
        if cell.name in self.changed and cell.shape not in BESIDE:
            self._draw_mark(group, placed)

    def _draw_mark(self, group: Element, placed: Placed) -> None:
        """Draw the mark of the last move: a square is tinted, and any other place gets a line."""
        cell, outline = placed.cell, placed.outline
        if cell.shape in ("piece", "score") or self.scene.material == "frame":
            return  # a piece is drawn in another colour, and a frame covers what is behind it
        if cell.shape == "edge":
            line(group, *_ends(placed.box), "ring")
        elif cell.shape == "square":
            rectangle(group, outline, "ring tint", 0 if self.layout.touching or cell.shade else 4)
        elif cell.shape == "hexagon" or self.has_points:
            room = self._room(placed)
            radius = (DISC + 0.06) * min(room.width, room.height)
            circle(group, placed.box.middle, radius, "ring")
        else:
            _outline(group, outline.grown(-RING), cell.shape, "ring")

    def _draw_edge(self, group: Element, placed: Placed) -> None:
        """Draw a line between two dots, and the area in which it can be clicked: up to the centres of the boxes beside
        it.
        """
        box = placed.box
        (x, y), across = box.middle, box.width > box.height
        half = (box.width + box.height) / 2
        start, end = _ends(box)
        polygon(
            group,
            (start, (x, y - half), end, (x, y + half)) if across else (start, (x + half, y), end, (x - half, y)),
            "reach",
        )
        line(group, start, end, "drawn" if placed.cell.text else "undrawn")

    def _draw_tray(self, group: Element, placed: Placed) -> None:
        """Draw the pieces in a tray, side by side if there is room. Otherwise, each piece covers half of the previous
        piece.
        """
        box, count = placed.outline, placed.cell.count or 0
        rectangle(group, box, "outline", box.height / 2)
        groove = box.grown(-TRAY * box.height)
        rectangle(group, groove, "slot", groove.height / 2)
        size = groove.height / (2 * DISC) * 0.95
        step = min(size * 0.95, (groove.width - size) / max(count - 1, 1))
        left = box.middle[0] - ((count - 1) * step + size) / 2
        for each in range(count):
            draw_piece(group, placed.cell, Box(left + each * step, box.middle[1] - size / 2, size, size))

    def _draw_content(self, group: Element, placed: Placed) -> None:
        """Draw the piece in a cell, or its text."""
        cell = placed.cell
        if cell.shape in ("edge", "dot", "die", "tray"):
            return
        if cell.stands and (cell.piece or cell.shape not in TEXTS):
            draw_piece(group, cell, self._room(placed), towards=self._towards(placed), ringed=self.ringed)
        elif cell.text and cell.shape != "piece":
            mono = MONOSPACED if cell.shape == "plain" else None
            largest = SMALLER_MARK if cell.shape in BESIDE else LARGEST_MARK
            size = fitting(cell.text, placed.inside, COORDINATE if cell.shape == "coordinate" else largest, mono)
            mark = text(group, cell.text, placed.inside.middle, size, "mark")
            if mono:
                mark.set("font-family", "ui-monospace, DejaVu Sans Mono, monospace")
                mark.set("xml:space", "preserve")

    def _room(self, placed: Placed) -> Box:
        """Return the rectangle in which a piece is drawn: in general, the piece's cell. A box with an owner fills the
        whole area between the lines. In a hexagon, a stone covers the whole cell; in a round hollow, it leaves the rim
        free.
        """
        cell, box = placed.cell, placed.box
        if cell.shape == "hexagon":
            return Box.around(*box.middle, 1.06 * box.width, 1.06 * box.width)
        if cell.shape == "round" and not self.has_points:
            return box.grown(-0.1 * min(box.width, box.height))
        narrow = any(each.shape == "edge" for each in self.scene.cells)
        return box.grown(UNIT * 0.1) if cell.stands == "fill" and narrow else box

    def _towards(self, placed: Placed) -> XY:
        """Return the direction of the other half of a domino."""
        other = self.layout.by_name.get(placed.cell.joined)
        if other is None or other.cell.joined != placed.cell.name:
            return 0, 0
        (x, y), (to_x, to_y) = placed.box.middle, other.box.middle
        return (1 if to_x > x + 1 else -1 if to_x < x - 1 else 0), (1 if to_y > y + 1 else -1 if to_y < y - 1 else 0)

    def _address(self, cell: Cell) -> tuple[str | None, str]:
        """Return the address of a cell's link (None if the cell has no link), and what the link does, in words."""
        if cell.action is not None:
            return self.link(cell.action) if self.link else None, cell.hint or f"play {cell.name}"
        address = self.pick(cell.name) if self.pick and cell.name in self.starts else None
        return address, f"move from {called(cell)}"

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


TOUCHED = {"fill": "none", "pointer-events": "all"}
"""Attributes of invisible elements that can be clicked."""
SIDES = ("top", "right", "bottom", "left")
OUTER = (
    {"top": (0, 1), "right": (1, 2), "bottom": (3, 2), "left": (0, 3)},
    {"top": (0, 1, 2), "right": (1, 2, 3), "bottom": (5, 4, 3), "left": (0, 5, 4)},
)
"""For a square and for a hexagon: the corners at each side, in the order of the rows and columns."""
COORDINATE = 18
"""Font size of the names of rows and columns."""


def colour_classes(scene: Scene) -> str:
    """Return the CSS classes for the players' colours."""
    colours: Sequence[Colour] = scene.colours or USUAL
    return " ".join(f"{player}-{colour}" for player, colour in zip(("first", "second"), colours, strict=False))


def describe(scene: Scene, cell: Cell) -> str:
    """Return a cell in words: its name and its content. A label that is not the name comes first."""
    name = called(cell)
    one, many = scene.things
    count = "" if cell.count is None else f"{cell.count} {one if cell.count == 1 else many}".strip()
    content = ", ".join(part.strip() for part in (_said(scene, cell), count) if part.strip() and part != cell.name)
    return f"{name}: {content}" if content else name


def _said(scene: Scene, cell: Cell) -> str:
    """Return the content of a cell in words, such as "white man" or "blue stone 3", instead of the terminal's signs."""
    colours = scene.colours or USUAL
    owner = len(colours) if cell.owner is None else cell.owner
    colour = "".join(colours[owner : owner + 1]) if cell.text else ""
    if cell.shape == "edge":
        return f"{colour} line" if cell.text.strip() else ""
    if cell.shape == "dot":
        return ""
    if not cell.stands or not cell.text or cell.stands in ("cross", "ring"):
        return cell.text
    piece = ("" if colour else "filled") if cell.stands == "fill" else cell.stands
    return " ".join(filter(None, (colour, piece, face(cell))))


def called(cell: Cell) -> str:
    """Return the name of a cell, with the label that is written there: "22 (c6)"; a label that is a part of the name
    is not repeated.
    """
    return cell.name if cell.label in cell.name else f"{cell.label} ({cell.name})"


def _ends(box: Box) -> tuple[XY, XY]:
    """Return the dots between which the line of an edge is drawn."""
    (x, y), half = box.middle, (box.width + box.height) / 2
    return ((x - half, y), (x + half, y)) if box.width > box.height else ((x, y - half), (x, y + half))


def _is_empty(cell: Cell) -> bool:
    """Return whether a cell of the board is empty."""
    return cell.shape in ("square", "hexagon", "round") and not cell.text and cell.count is None


def _things(group: Element, placed: Placed, count: int) -> None:
    """Draw the things in a cell, and their number."""
    if placed.cell.shape not in ("plain", "score"):
        radius, places = heap(count, placed.inside.width, placed.inside.height)
        x, y = placed.inside.middle
        for across, along in places:
            circle(group, (x + across, y + along), radius, "seed")
    if placed.digits:
        digits = str(count)
        largest = inf if placed.cell.shape == "score" else DIGITS
        text(group, digits, placed.digits.middle, fitting(digits, placed.digits, largest), "digits")


def _touched(link: Element, box: Box) -> None:
    """Make the whole area of a box clickable, without drawing it."""
    rectangle(link, box, "touch", 0)
    link[-1].attrib |= TOUCHED


def _outline(group: Element, box: Box, shape: Shape, css_class: str) -> None:
    corners = _corners(box, shape)
    if corners and shape != "square":
        polygon(group, corners, css_class)
        return
    round_off = {"round": inf, "piece": inf, "button": 10}.get(shape, 4)
    rectangle(group, box, css_class, min(round_off, box.width / 2, box.height / 2))


def _hole(group: Element, box: Box) -> None:
    """Draw the frame in front of a cell, with a round hole."""
    (x, y), radius = box.middle, HOLE * min(box.width, box.height)
    square = f"M{number(box.x)} {number(box.y)}h{number(box.width)}v{number(box.height)}h{number(-box.width)}z"
    arc = f"a{number(radius)} {number(radius)} 0 1 0"
    hole = f"M{number(x - radius)} {number(y)}{arc} {number(2 * radius)} 0{arc} {number(-2 * radius)} 0z"
    SubElement(group, "path", {"class": "frame", "d": square + hole, "fill-rule": "evenodd"})
    circle(group, (x, y), radius, "bore")


def _corners(box: Box, shape: Shape) -> tuple[tuple[float, float], ...]:
    """Return the corners of a shape with straight sides."""
    middle, left, right, top, bottom = box.middle[0], box.x, box.right, box.y, box.bottom
    match shape:
        case "up":
            return (middle, top), (right, bottom), (left, bottom)
        case "down":
            return (middle, bottom), (right, top), (left, top)
        case "hexagon":
            over = box.height * HEXAGON_CORNER
            upper, lower = ((left, top + over), (middle, top - over), (right, top + over)), bottom - over
            return *upper, (right, lower), (middle, bottom + over), (left, lower)
        case "square":
            return (left, top), (right, top), (right, bottom), (left, bottom)
    return ()
