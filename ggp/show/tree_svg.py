"""A search tree as SVG: one element for a file of its own or for a page.

from ggp.show.tree import fold
from ggp.show.tree_svg import tree_svg
tree_svg(fold(game, searcher.trace(game, state)))
"""

import re
from collections.abc import Iterator
from math import hypot
from xml.etree.ElementTree import Element, SubElement

from ggp.show import node_text
from ggp.show.markup import markup
from ggp.show.search_tree import SearchTree
from ggp.show.tree_layout import ABOVE, LINE, TreeLayout, below, beside, has_room, lay_out, size, symbol
from ggp.show.tree_marks import Labels, Mark, marks
from ggp.show.tree_style import STYLE

Point = tuple[float, float]


def tree_svg(tree: SearchTree, *, labels: Labels = "window", identity: str = "tree", title: str = "") -> str:
    """Return the tree as one `<svg>` element with its style, for light and dark pages and for print.

    Every mark is a group with the class `mark`, the class of its kind, and its key in `data-key`. The key of a visit is
    its number in the order of visits. In an unfinished tree, the visit of the last event has the class `current`.

    Arguments:
        labels: the text at a node: "window" for its value and the search window; "ranges" for the range of its value.
        identity: a prefix of the ids in the picture, different for each picture of a page.
        title: a short description of the picture.
    """
    shown = marks(tree, labels)
    layout = lay_out(shown, {mark.key: size(mark) for mark in shown})
    root = frame(layout, identity, title or "A search tree", summary(tree))
    for mark in shown:
        draw_branch(root, mark, layout)
    current = str(tree.current.order) if tree.path and tree.current else None
    for mark in shown:
        group = draw_mark(root, mark, layout)
        if mark.key == current:
            group.set("class", f"{group.get('class')} current")
    return markup(root)


def summary(tree: SearchTree) -> str:
    """Return a description of the tree in words, for screen readers."""
    if tree.root is None:
        return "Nothing was visited."
    cut = sum(len(visit.cut) for visit in tree.all_shown())
    value = f"the value is {node_text.value(tree.game, tree.root)}" if tree.root.closed else "not finished"
    return f"{tree.visits:,} {'visit' if tree.visits == 1 else 'visits'}, {value}, {cut:,} successors not visited."


def frame(layout: TreeLayout, identity: str, title: str, description: str) -> Element:
    """Return a picture that has only the background."""
    width, height = _number(layout.width), _number(layout.height)
    root = Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "class": "ggp-tree", "viewBox": f"0 0 {width} {height}"}
        | {"width": width, "height": height, "role": "group"}
        | {"aria-labelledby": f"{identity}-title", "aria-describedby": f"{identity}-text"},
    )
    SubElement(root, "title", id=f"{identity}-title").text = clean(title)
    SubElement(root, "desc", id=f"{identity}-text").text = clean(description)
    SubElement(root, "style").text = STYLE
    SubElement(root, "rect", {"class": "ground", "width": width, "height": height})
    return root


def draw_branch(root: Element, mark: Mark, layout: TreeLayout) -> Element:
    """Return the branch that leads to a mark; a branch that was cut has two strokes across it."""
    group = SubElement(root, "g", {"class": _classes("way", mark)})
    if mark.parent is not None:
        (x1, y1), (x2, y2) = _ends(mark, layout)
        SubElement(group, "path", {"class": "branch", "d": _path([(x1, y1), (x2, y2)])})
        if mark.symbol == "unvisited":
            SubElement(group, "path", {"class": "cut", "d": _cut((x1, y1), (x2, y2))})
    return group


def _ends(mark: Mark, layout: TreeLayout) -> tuple[Point, Point]:
    """Return the two ends of a branch: below the parent's symbol, and on top of the mark's own symbol."""
    assert mark.parent is not None
    (x1, y1), (x2, y2) = layout.places[mark.parent], layout.places[mark.key]
    return (x1, y1 + layout.depths[mark.parent]), (x2, y2 - symbol(mark)[1] / 2)


def _cut(start: Point, end: Point) -> str:
    """Draw two short strokes across a branch."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    along, across = ((x2 - x1) / length, (y2 - y1) / length), (-(y2 - y1) / length, (x2 - x1) / length)
    strokes = []
    for shift in (-2.5, 2.5):
        x, y = x1 + 0.36 * (x2 - x1) + shift * along[0], y1 + 0.36 * (y2 - y1) + shift * along[1]
        strokes.append(_path([(x - 7 * across[0], y - 7 * across[1]), (x + 7 * across[0], y + 7 * across[1])]))
    return " ".join(strokes)


def draw_mark(root: Element, mark: Mark, layout: TreeLayout) -> Element:
    """Return the symbol of a mark and its texts."""
    group = SubElement(root, "g", {"class": _classes("mark", mark), "data-key": mark.key, "role": "img"})
    SubElement(group, "title").text = clean(mark.description)
    if mark.branch:
        (x1, y1), (x2, y2) = _ends(mark, layout)
        _text(group, mark.branch, (x1 + ABOVE * (x2 - x1), y1 + ABOVE * (y2 - y1) + 4), "action")
    if path := outline(mark, layout.places[mark.key]):
        SubElement(group, "path", {"class": "symbol", "d": path})
    for css_class, point, text in texts(mark, layout.places[mark.key]):
        _text(group, text, point, css_class)
    return group


def texts(mark: Mark, middle: Point = (0, 0)) -> Iterator[tuple[str, Point, str]]:
    """Yield the texts in the symbol, beside the symbol and below it. For each text, yield its kind, its position and
    its words.
    """
    x, y = middle
    width, height = symbol(mark)
    if mark.inside and has_room(mark):
        yield "inside value", (x, y + {"max": 12, "min": -3}.get(mark.symbol, 5)), mark.inside
    lines = beside(mark)
    if any(lines):
        top = y - LINE * (len(lines) - 1) / 2 + 4
        for index, line in enumerate(lines):
            yield "beside window" if index else "beside value", (x + width / 2 + 5, top + LINE * index), line
    if mark.order and mark.beside:
        yield "order before", (x - width / 2 - 3, y + 4), mark.order
    for index, line in enumerate(below(mark), start=1):
        yield "order" if line == mark.order else "below", (x, y + height / 2 + LINE * index - 2), line


def outline(mark: Mark, middle: Point = (0, 0)) -> str:
    """Return the outline of a mark's symbol, as a path."""
    x, y = middle
    width, height = symbol(mark)
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    match mark.symbol:
        case "max":
            return _path([(x, top), (right, bottom), (left, bottom)]) + "Z"
        case "min":
            return _path([(x, bottom), (right, top), (left, top)]) + "Z"
        case "more":
            return ""
    corner = {"terminal": 2.0, "unvisited": 2.0, "chance": height / 2}.get(mark.symbol, 12.0)
    return _rounded(left, right, top, bottom, corner)


def _rounded(left: float, right: float, top: float, bottom: float, corner: float) -> str:
    """Return a rectangle with round corners as a path; with corners of half its size, it is a circle."""
    turn = f"A{_number(corner)} {_number(corner)} 0 0 1 "
    sides = [
        ((left + corner, top), (right - corner, top)),
        ((right, top + corner), (right, bottom - corner)),
        ((right - corner, bottom), (left + corner, bottom)),
        ((left, bottom - corner), (left, top + corner)),
    ]
    path = "".join(
        f"L{_point(one)}L{_point(other)}{turn}{_point(after[0])}"
        for (one, other), after in zip(sides, [*sides[1:], sides[0]], strict=True)
    )
    return "M" + path[1:] + "Z"


def _classes(base: str, mark: Mark) -> str:
    return f"{base} {mark.symbol}" + " principal" * mark.principal


def _text(group: Element, text: str, point: Point, css_class: str) -> None:
    element = SubElement(group, "text", {"class": css_class, "x": _number(point[0]), "y": _number(point[1])})
    element.text = clean(text)


def _path(points: list[Point]) -> str:
    return "M" + "L".join(map(_point, points))


def _point(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """Return a number rounded to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def clean(text: str) -> str:
    """Remove the control characters that XML forbids."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "�", text)
