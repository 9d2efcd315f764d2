"""Draw charts as SVG, for pages and files: lines and bands in a frame of numbers, such as the curve of the values after
each move.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

import attrs

from ggp.show.markup import markup
from ggp.show.svg_elements import XY, circle, line, numbers, polygon, polyline
from ggp.show.value_text import rounded

POINTS = 100
"""Approximate maximum number of points that are links.

In a longer game, only some points are links, among them the point of the position shown.
"""


@attrs.frozen(kw_only=True)
class Axes:
    """The size of a chart and the numbers at its edges."""

    width: float = 360
    height: float = 150
    left: float = 44
    """The margins in pixels."""
    right: float = 12
    top: float = 12
    bottom: float = 12
    last: float
    """The number at the right edge; the number at the left edge is 0."""
    low: float
    """The numbers at the lower and the upper edge."""
    high: float

    def at(self, across: float, up: float) -> XY:
        """Return the place of a point in pixels; a point beyond the lower or the upper edge is placed at the edge."""
        share = (self.high - min(max(up, self.low), self.high)) / (self.high - self.low)
        room = self.width - self.left - self.right, self.height - self.top - self.bottom
        return round(self.left + room[0] * across / self.last, 2), round(self.top + room[1] * share, 2)

    def frame(
        self, root: Element, left: Mapping[float, str], below: Mapping[float, str] | None = None, zero: float = 0
    ) -> None:
        """Add a horizontal line at each number of `left`, with its text, and write the texts of `below` under the
        chart. The line at `zero` has a class of its own.
        """
        for value, text in left.items():
            height = self.at(0, value)[1]
            css_class = "zero" if value == zero else "level"
            line(root, (self.left, height), (self.width - self.right, height), css_class)
            label(root, (self.left - 8, height + 5), text, "end")
        for value, text in (below or {}).items():
            label(root, (self.at(value, self.low)[0], self.height - self.bottom + 22), text)

    def notes(self, root: Element, right: Mapping[float, str], css_class: str = "scale") -> None:
        """Write each text of `right` at the right edge, at the height of its number."""
        for value, text in right.items():
            label(root, (self.width - self.right + 8, self.at(0, value)[1] + 5), text, "start", css_class)

    def curve(self, root: Element, points: Iterable[XY], css_class: str = "line") -> None:
        """Add the line through some points, which are given in the numbers of the chart, not in pixels."""
        polyline(root, [self.at(*point) for point in points], css_class)

    def band(self, root: Element, lower: Iterable[XY], upper: Iterable[XY]) -> None:
        """Add the area between two curves."""
        edge = [*(self.at(*point) for point in lower), *reversed([self.at(*point) for point in upper])]
        polygon(root, edge, "band")


def label(root: Element, point: XY, text: str, anchor: str = "middle", css_class: str = "scale") -> None:
    """Add a text that begins ("start"), ends ("end") or is centred ("middle") at `point`, as `anchor` says."""
    attributes = {"class": css_class, "text-anchor": anchor}
    SubElement(root, "text", attributes | numbers({"x": point[0], "y": point[1]})).text = text


def drawing(width: float, height: float, title: str, css_class: str = "chart") -> Element:
    """Return the root of a picture of this size; its elements are styled by the page, or by `svg_file`."""
    root = Element("svg", {"class": css_class}, viewBox=f"0 0 {width:g} {height:g}", role="img")
    root.set("aria-label", title)
    return root


BLUE, RED, GREEN, GREY = "#1f5fa8", "#b3490f", "#12813f", "#57606a"
STROKE = {"fill": "none", "stroke-width": "2"}
PAINT = {
    "level": {"stroke": "#d0d7de"},
    "zero": {"stroke": GREY},
    "line": STROKE | {"stroke": BLUE},
    "line second": STROKE | {"stroke": RED},
    "line third": STROKE | {"stroke": GREEN},
    "band": {"fill": BLUE, "fill-opacity": "0.2"},
    "error": STROKE | {"stroke": BLUE},
    "dot": {"fill": BLUE},
    "scale": {"fill": GREY},
    "heading": {"font-size": "14"},
    "first": {"fill": BLUE},
    "second": {"fill": RED},
    "third": {"fill": GREEN},
}
"""The look of a chart in a file: the SVG attributes of each class of elements."""


HEADING = 30
"""Height of the title in a file, in pixels."""


def svg_file(root: Element) -> str:
    """Return a chart as a complete SVG file, on white, with its title above it."""
    width, height = map(float, root.get("viewBox", "").split()[2:])
    label(root, (width / 2, -12), root.get("aria-label", ""), css_class="heading")
    for element in root.iter():
        # attributes, since not every program that shows SVG files reads style sheets
        for name, value in PAINT.get(element.get("class", ""), {}).items():
            element.set(name, value)
    root.insert(0, Element("rect", y=str(-HEADING), width="100%", height="100%", fill="white"))
    root.set("viewBox", f"0 {-HEADING} {width:g} {height + HEADING:g}")
    for name, value in {"xmlns": "http://www.w3.org/2000/svg", "font-family": "sans-serif", "font-size": "13"}.items():
        root.set(name, value)
    return markup(root)


def curve_svg(
    values: Sequence[float | None],
    seen: int,
    names: tuple[str, str],
    link: Callable[[int], str],
    verdicts: Mapping[int, str] | None = None,
    value_text: Callable[[float], str] = rounded,
) -> str:
    """Return the curve as one `<svg>` element, which the page's style sheet styles.

    Arguments:
        values: the value to MAX after each number of moves; None if unknown.
        seen: the number of moves to the position shown.
        names: the names of MAX and MIN.
        link: returns the address of the position after a number of moves.
        verdicts: "mistake" or "blunder" for the last move, by the number of moves.
        value_text: returns a value as it is read out.
    """
    shown = [value for value in values if value is not None]
    high, low = max([0.0, *shown]), min([0.0, *shown])
    if high == low:
        high, low = 1.0, -1.0
    axes = Axes(last=max(1, len(values) - 1), low=low, high=high)
    root = Element("svg", {"class": "curve", "viewBox": f"0 0 {axes.width} {axes.height}", "role": "group"})
    root.set("aria-labelledby", "curve-title")
    SubElement(root, "title", id="curve-title").text = _summary(shown, names, value_text)
    axes.frame(root, {height: rounded(height) for height in (0, low, high)})
    for points in _pieces(values):
        axes.curve(root, points)
    every = -(-len(values) // POINTS)
    for moves, value in enumerate(values):
        verdict = (verdicts or {}).get(moves, "")
        if value is not None and (moves % every == 0 or moves == seen or verdict):
            told = f"After {moves} moves: {value_text(value)}{f', a {verdict}' if verdict else ''}"
            _point(root, axes.at(moves, value), link(moves), told, moves == seen, verdict)
    return markup(root)


def _summary(shown: Sequence[float], names: tuple[str, str], value_text: Callable[[float], str]) -> str:
    if not shown:
        return "No value is known"
    now = f"from {value_text(shown[0])} at first to {value_text(shown[-1])}"
    return f"Value after each move, {now}; above zero is better for {names[0]}, below for {names[1]}"


def _point(root: Element, point: XY, address: str, text: str, current: bool, verdict: str) -> None:
    anchor = SubElement(root, "a", {"href": address, "aria-label": text})
    SubElement(circle(anchor, point, 12, "spot"), "title").text = text
    css_class = " ".join(filter(None, ("dot", "current" if current else "", verdict)))
    circle(anchor, point, 6 if current else 5 if verdict else 3.5, css_class)


def _pieces(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Return runs of points without a gap; each run is drawn as one line."""
    pieces: list[list[tuple[int, float]]] = [[]]
    for moves, value in enumerate(values):
        if value is not None:
            pieces[-1].append((moves, value))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]
