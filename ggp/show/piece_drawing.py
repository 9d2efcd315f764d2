"""Pieces as SVG: what stands in a cell, in the colour of its owner."""

import unicodedata
from xml.etree.ElementTree import Element, SubElement

from ggp.game import MIN
from ggp.scene import Cell
from ggp.show.board_layout import Box, fitting
from ggp.show.svg_elements import XY, circle, line, number, numbers, rectangle, text

DISC = 0.4
"""Radius of a disc, as a share of its cell."""
INNER = 0.74
"""Radius of the ring on MIN's discs, as a share of the disc. The ring tells them from MAX's discs if the colours are
alike.
"""
GROOVES = (0.76, 0.46)
"""Radii of the grooves of a man, as shares of its radius."""
PAWN = (
    "M0-.38A.15.15 0 0 1 .095-.113L.16-.06V-.01H.085C.095.1.14.17.22.22L.28.27V.37H-.28V.27L-.22.22"
    "C-.14.17-.095.1-.085-.01H-.16V-.06L-.095-.113A.15.15 0 0 1 0-.38Z"
)
CROWN = "M-.2.13L-.25-.1L-.11 0L0-.18L.11 0L.25-.1L.2.13Z"
"""Outlines in a square from -0.5 to 0.5."""
PEBBLES = (
    "M-.42.06C-.44-.2-.2-.36.05-.34C.3-.33.45-.16.43.06C.41.28.2.36-.04.35C-.27.35-.4.26-.42.06Z",
    "M-.43-.03C-.4-.27-.15-.33.09-.35C.33-.36.44-.14.42.09C.4.3.16.35-.06.34C-.31.33-.46.2-.43-.03Z",
    "M-.4.02C-.42-.22-.24-.35.01-.35C.24-.35.42-.24.43-.01C.44.23.25.34.02.35C-.2.36-.38.25-.4.02Z",
)
"""Outlines of pebbles in a square from -0.5 to 0.5; neighbours have different ones."""
CROSS = 0.28
"""Half the side of a cross, and the radius of a ring, as a share of the cell."""
ROUND = 0.2
"""Radius of the corners of a domino, as a share of its cell."""
PIPS = ("", "5", "19", "159", "1379", "13579", "134679")
"""The places of the pips on the faces of a die. Places are numbered row by row, from 1 to 9."""
WRITTEN = frozenset({"disc", "stone", "man", "fill", "pancake"})
"""The pieces on which the text of their cell is written."""


def face(cell: Cell) -> str:
    """Return the letters and digits to write on a piece, without the circle in which terminals may show them; or ""."""
    plain = unicodedata.normalize("NFKC", cell.text)
    return plain if plain.isalnum() and cell.stands in WRITTEN else ""


def draw_piece(group: Element, cell: Cell, box: Box, *, towards: XY = (0, 0), ringed: bool = False) -> None:
    """Draw what stands in a cell.

    Arguments:
        box: the rectangle of the cell.
        towards: columns to the right and rows down to the other half of a domino.
        ringed: whether MIN's discs have a ring, because the colours of the two players look alike.
    """
    piece, size = cell.stands, min(box.width, box.height)
    match piece:
        case "fill":
            rectangle(group, box, "fill", 4)
        case "domino":
            _domino(group, box, towards)
        case "pancake":
            rectangle(group, box, "pancake", size / 2)
            rectangle(group, Box(box.x + size / 4, box.y, box.width - size / 2, size / 2).grown(-3), "shine", size / 4)
        case "pebble":
            _pebble(group, box)
        case "pawn":
            _path(group, PAWN, box, "pawn disc")
        case "cross" | "ring":
            _drawn(group, piece, box)
        case _:
            circle(group, box.middle, DISC * size, "disc")
            _relief(group, piece, box)
            if cell.owner == MIN and ringed and not face(cell):
                circle(group, box.middle, DISC * INNER * size, "rim")
    if face(cell):
        text(group, face(cell), box.middle, fitting(face(cell), box.grown(-size / 4), size), "sign")


def draw_die(group: Element, cell: Cell, box: Box) -> None:
    """Draw a die with the pips of its face; a number above six is written in digits."""
    size = min(box.width, box.height)
    die = Box.around(*box.middle, size, size)
    rectangle(group, die, "outline", size / 5)
    places = PIPS[int(cell.text)] if cell.text in tuple("123456") else ""
    for spot in map(int, places):
        down, right = divmod(spot - 1, 3)
        middle = die.middle[0] + (right - 1) * size * 0.27, die.middle[1] + (down - 1) * size * 0.27
        circle(group, middle, size * 0.085, "pip")
    if cell.text and not places:
        text(group, cell.text, die.middle, fitting(cell.text, die.grown(-size / 6), size / 2), "pips")


def _relief(group: Element, piece: str, box: Box) -> None:
    """Draw what makes a disc a man, a king or a stone."""
    (x, y), size = box.middle, min(box.width, box.height)
    if piece in ("man", "king"):
        for share in GROOVES if piece == "man" else GROOVES[:1]:
            circle(group, box.middle, DISC * share * size, "groove")
    if piece == "king":
        _path(group, CROWN, box, "crown")
    if piece == "stone":
        geometry = {"cx": x - 0.13 * size, "cy": y - 0.17 * size, "rx": 0.14 * size, "ry": 0.09 * size}
        SubElement(group, "ellipse", {"class": "shine"} | numbers(geometry))


def _path(group: Element, outline: str, box: Box, css_class: str) -> None:
    (x, y), size = box.middle, min(box.width, box.height)
    where = f"translate({number(x)} {number(y)}) scale({number(size)})"
    SubElement(
        group, "path", {"class": css_class, "d": outline, "transform": where, "vector-effect": "non-scaling-stroke"}
    )


def _pebble(group: Element, box: Box) -> None:
    """Draw an uneven stone, whose form and shade follow from its place."""
    (x, y), size = box.middle, min(box.width, box.height)
    which = round(x / size + 2 * y / size) % len(PEBBLES)
    _path(group, PEBBLES[which], box, f"pebble grey{which}")
    geometry = {"cx": x - 0.1 * size, "cy": y - 0.16 * size, "rx": 0.19 * size, "ry": 0.08 * size}
    SubElement(group, "ellipse", {"class": "shine"} | numbers(geometry))


def _drawn(group: Element, piece: str, box: Box) -> None:
    (x, y), far = box.middle, CROSS * min(box.width, box.height)
    if piece == "ring":
        circle(group, box.middle, far, "drawn")
        return
    line(group, (x - far, y - far), (x + far, y + far), "drawn")
    line(group, (x + far, y - far), (x - far, y + far), "drawn")


def _domino(group: Element, box: Box, towards: XY) -> None:
    """Draw half a domino, open on the side of the other half. If there is no other half, draw a whole tile."""
    size = min(box.width, box.height)
    right, down = towards
    if not (right or down):
        rectangle(group, box.grown(-size / 10), "disc tile", ROUND * size)
        return
    # Drawn as if the other half were below, and then turned.
    gap, corner, half = 0.1 * size, ROUND * size, size / 2
    side, top = half - gap, -half + gap
    outline = (
        f"M{number(-side)} {number(half)}V{number(top + corner)}Q{number(-side)} {number(top)} {number(corner - side)}"
        f" {number(top)}H{number(side - corner)}Q{number(side)} {number(top)} {number(side)} {number(top + corner)}"
        f"V{number(half)}"
    )
    turn = {(0, 1): 0, (-1, 0): 90, (0, -1): 180, (1, 0): 270}[(round(right), round(down))]
    x, y = box.middle
    where = f"translate({number(x)} {number(y)}) rotate({turn})"
    SubElement(group, "path", {"class": "disc tile", "d": outline, "transform": where})
    half_line = line(group, (-side * 0.7, half), (side * 0.7, half), "groove")
    half_line.set("transform", where)
