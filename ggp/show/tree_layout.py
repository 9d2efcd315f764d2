"""The layout of a tree: each level is below the previous one, nothing overlaps, and children are in order under their
parent.

Source: E. M. Reingold and J. S. Tilford, Tidier drawings of trees, IEEE Transactions on Software Engineering 7 (1981);
A. J. Kennedy, Drawing trees, Journal of Functional Programming 6 (1996), for the mean of the leftmost and the rightmost
layout, which is tidy and symmetric.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

import attrs

from ggp.show.tree_marks import Mark, Symbol

SYMBOL: Mapping[Symbol, tuple[float, float]] = {
    "entered": (26, 26),
    "max": (46, 40),
    "min": (46, 40),
    "chance": (40, 40),
    "terminal": (26, 26),
    "estimate": (26, 26),
    "unvisited": (26, 26),
    "more": (0, 26),
}
"""Minimum width and height of each symbol; longer texts make it wider. All lengths are in pixels."""
NORMAL, SMALL = 14.0, 11.0
"""The font size of values and names, and the font size of all other texts."""
LINE = 13.0
"""Height of a line of small text."""
GAP = 10.0
"""Distance between neighbours."""
NARROW = {"max": 2, "min": 2, "chance": 3}
"""Number of characters that fit into a symbol of fixed size; a longer text is placed beside it."""
ABOVE = 0.72
"""Position of a branch's text, as a share of the branch's length from its top."""
STEEP, LOW, HIGH = 0.22, 52.0, 190.0
"""The vertical distance between two levels is STEEP times the width of the widest branch, but at least LOW and at most
HIGH.
"""
MARGIN = 14.0


@attrs.frozen
class MarkSize:
    """How far a mark extends from the centre of its symbol."""

    left: float
    right: float
    above: float
    below: float


@attrs.frozen
class TreeLayout:
    """The centres of the symbols, and the size of the whole picture."""

    places: Mapping[str, tuple[float, float]]
    sizes: Mapping[str, MarkSize]
    depths: Mapping[str, float]
    """How far each symbol extends below its centre."""
    width: float
    height: float


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text of that size; the estimate is too wide rather than too narrow."""
    return sum(map(_letter_width, text)) * size


def _letter_width(letter: str) -> float:
    """Return the width of a letter in units of the font size, in a font with wide letters."""
    if letter in " ,.:;|!'()[]-/fijlrt":
        return 0.42
    if letter.isascii() and letter not in "+=<>~#%&@mwMW":
        return 0.7
    return 1.05 if unicodedata.east_asian_width(letter) in "WF" else 0.95


def symbol(mark: Mark) -> tuple[float, float]:
    """Return the width and the height of a mark's symbol."""
    width, height = SYMBOL[mark.symbol]
    return (width if mark.symbol in NARROW else max(width, text_width(mark.inside, NORMAL) + 8)), height


def beside(mark: Mark) -> tuple[str, ...]:
    """Return the lines to the right of the symbol, including text that does not fit into it."""
    first, *rest = mark.beside or ("",)
    return (first, *rest) if has_room(mark) else (f"{mark.inside} {first}".rstrip(), *rest)


def has_room(mark: Mark) -> bool:
    """Return whether the text fits into the symbol."""
    return len(mark.inside) <= NARROW.get(mark.symbol, len(mark.inside))


def below(mark: Mark) -> tuple[str, ...]:
    """Return the lines under the symbol. If nothing is beside the symbol, the number of the visit is one of these
    lines.
    """
    return mark.below if mark.beside or not mark.order else (*mark.below, mark.order)


def size(mark: Mark) -> MarkSize:
    """Return the size of a mark together with its texts and the text of its branch."""
    width, height = symbol(mark)
    half = max(
        [width / 2, text_width(mark.branch, SMALL) / 2 / ABOVE] + [text_width(s, SMALL) / 2 for s in below(mark)]
    )
    lines = beside(mark)
    if not any(lines):
        return MarkSize(half, half, height / 2, height / 2 + LINE * len(below(mark)))
    texts = [text_width(lines[0], NORMAL), *(text_width(line, SMALL) for line in lines[1:])]
    left = width / 2 + 3 + text_width(mark.order, SMALL)
    return MarkSize(max(half, left), max(half, width / 2 + 5 + max(texts)), height / 2, height / 2)


def largest(sizes: Iterable[MarkSize]) -> MarkSize:
    """Return the smallest size that encloses all of `sizes`."""
    return MarkSize(*map(max, zip(*map(attrs.astuple, sizes), strict=True)))


Outline = list[tuple[float, float]]
"""The extent of a tree at each level: how far it extends to the left and right of the root's middle."""


def lay_out(marks: Sequence[Mark], sizes: Mapping[str, MarkSize]) -> TreeLayout:
    """Compute the positions of the marks, which are listed from left to right, each after its parent.

    Arguments:
        sizes: the size of each mark, by key.
    """
    below: dict[str, list[str]] = {mark.key: [] for mark in marks}
    for mark in marks:
        if mark.parent is not None:
            below[mark.parent].append(mark.key)
    shifts: dict[str, float] = {}
    outlines: dict[str, Outline] = {}
    for mark in reversed(marks):
        children = below[mark.key]
        parts = [outlines.pop(child) for child in children]
        places = _abreast(parts)
        shifts |= zip(children, places, strict=True)
        own = (-sizes[mark.key].left, sizes[mark.key].right)
        outlines[mark.key] = [own, *_together(parts, places)]
    return _placed(marks, sizes, shifts)


def _abreast(parts: list[Outline]) -> list[float]:
    """Return the horizontal positions of the roots of trees that are placed side by side under a parent at 0."""
    leftmost = _packed(parts)
    mirrored = [[(-right, -left) for left, right in part] for part in reversed(parts)]
    rightmost = [-x for x in reversed(_packed(mirrored))]
    return [(one + other) / 2 for one, other in zip(_centred(leftmost), _centred(rightmost), strict=True)]


def _packed(parts: list[Outline]) -> list[float]:
    """Return positions of the roots as far to the left as possible, with the first root at 0."""
    places: list[float] = []
    edge: list[float] = []  # how far to the right each level is taken
    for part in parts:
        x = max((edge[row] + GAP - part[row][0] for row in range(min(len(edge), len(part)))), default=0.0)
        places.append(x)
        edge = [x + right for _, right in part] + edge[len(part) :]
    return places


def _centred(places: list[float]) -> list[float]:
    middle = (places[0] + places[-1]) / 2 if places else 0.0
    return [x - middle for x in places]


def _together(parts: list[Outline], places: list[float]) -> Outline:
    """Return the outline of all trees together, each at its position."""
    outline: Outline = []
    for part, x in zip(parts, places, strict=True):
        for row, (left, right) in enumerate(part):
            here = (x + left, x + right)
            if row < len(outline):
                outline[row] = min(outline[row][0], here[0]), max(outline[row][1], here[1])
            else:
                outline.append(here)
    return outline


def _placed(marks: Sequence[Mark], sizes: Mapping[str, MarkSize], shifts: Mapping[str, float]) -> TreeLayout:
    if not marks:
        return TreeLayout({}, {}, {}, 2 * MARGIN, 2 * MARGIN)
    across: dict[str, float] = {}
    row_of: dict[str, int] = {}
    for mark in marks:
        up = mark.parent
        across[mark.key] = 0.0 if up is None else across[up] + shifts[mark.key]
        row_of[mark.key] = 0 if up is None else row_of[up] + 1
    start = min(across[key] - size.left for key, size in sizes.items() if key in across) - MARGIN
    width = max(across[key] + size.right for key, size in sizes.items() if key in across) + MARGIN - start
    heights, bottom = _heights(marks, sizes, shifts, row_of)
    places = {key: (x - start, heights[row_of[key]]) for key, x in across.items()}
    depths = {mark.key: symbol(mark)[1] / 2 for mark in marks}
    return TreeLayout(places, sizes, depths, width, bottom + MARGIN)


def _heights(
    marks: Sequence[Mark], sizes: Mapping[str, MarkSize], shifts: Mapping[str, float], row_of: Mapping[str, int]
) -> tuple[list[float], float]:
    """Return the vertical position of each level's middle, and the bottom of the picture."""
    levels = 1 + max(row_of.values())
    above, under, widest = [0.0] * levels, [0.0] * levels, [0.0] * levels
    for mark in marks:
        here = row_of[mark.key]
        above[here] = max(above[here], sizes[mark.key].above)
        under[here] = max(under[here], sizes[mark.key].below)
        widest[here] = max(widest[here], abs(shifts.get(mark.key, 0.0)))
    heights = [MARGIN + above[0]]
    for here in range(1, levels):
        between = min(max(LOW, STEEP * widest[here]), HIGH)
        heights.append(heights[-1] + under[here - 1] + between + above[here])
    return heights, heights[-1] + under[-1]
