"""Line charts: the value after each move, the Elo difference after each pair of games, and the strength over time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

import attrs

from ggp.show.markup import markup
from ggp.show.svg_elements import XY, circle, line, numbers, polygon, polyline
from ggp.show.value_text import rounded

POINTS = 100
"""Approximate maximum number of points that are links; in a longer game, only some points are links, and also the point
of the position shown.
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
    """The number at the right edge; it is 0 at the left."""
    low: float
    """The numbers at the lower and the upper edge."""
    high: float

    def at(self, across: float, up: float) -> XY:
        """Return the place of a point in pixels; a point beyond the lower or the upper edge is placed at the edge."""
        share = (self.high - min(max(up, self.low), self.high)) / (self.high - self.low)
        room = self.width - self.left - self.right, self.height - self.top - self.bottom
        return round(self.left + room[0] * across / self.last, 2), round(self.top + room[1] * share, 2)

    def horizontal(self, root: Element, value: float, css_class: str, words: str = "") -> tuple[Element, Element]:
        """Add a horizontal line with its number, or these words, on the left; return the line and the text."""
        height = self.at(0, value)[1]
        drawn = line(root, (self.left, height), (self.width - self.right, height), css_class)
        return drawn, label(root, (self.left - 8, height + 5), words or rounded(value), "scale")

    def curve(self, root: Element, points: Iterable[XY], css_class: str = "line") -> Element:
        """Add the line through some points, which are given by their numbers."""
        return polyline(root, [self.at(*point) for point in points], css_class)

    def band(self, root: Element, lower: Iterable[XY], upper: Iterable[XY]) -> None:
        """Add the area between two curves."""
        edge = [*(self.at(*point) for point in lower), *reversed([self.at(*point) for point in upper])]
        polygon(root, edge, "band")


def label(root: Element, point: XY, words: str, css_class: str) -> Element:
    """Add a text at a place; the style decides whether the text begins, ends or is centred there."""
    made = SubElement(root, "text", {"class": css_class} | numbers({"x": point[0], "y": point[1]}))
    made.text = words
    return made


def curve_svg(
    values: Sequence[float | None],
    seen: int,
    names: tuple[str, str],
    link: Callable[[int], str],
    verdicts: Mapping[int, str] | None = None,
    words: Callable[[float], str] = rounded,
) -> str:
    """Return the curve as one `<svg>` element; its style is the page's.

    Arguments:
        values: the value to MAX after each number of moves; None if unknown.
        seen: the number of moves to the position shown.
        names: the names of MAX and MIN.
        link: returns the address of the position after a number of moves.
        verdicts: "mistake" or "blunder" for the last move, by the number of moves.
        words: returns a value as it is read out.
    """
    shown = [value for value in values if value is not None]
    high, low = max([0.0, *shown]), min([0.0, *shown])
    if high == low:
        high, low = 1.0, -1.0
    axes = Axes(last=max(1, len(values) - 1), low=low, high=high)
    root = Element("svg", {"class": "curve", "viewBox": f"0 0 {axes.width} {axes.height}", "role": "group"})
    root.set("aria-labelledby", "curve-title")
    SubElement(root, "title", id="curve-title").text = _summary(shown, names, words)
    axes.horizontal(root, 0, "zero")
    for height in {high, low} - {0}:
        axes.horizontal(root, height, "level")
    for points in _pieces(values):
        axes.curve(root, points)
    every = -(-len(values) // POINTS)
    for moves, value in enumerate(values):
        verdict = (verdicts or {}).get(moves, "")
        if value is not None and (moves % every == 0 or moves == seen or verdict):
            told = f"After {moves} moves: {words(value)}{f', a {verdict}' if verdict else ''}"
            _point(root, axes.at(moves, value), link(moves), told, moves == seen, verdict)
    return markup(root)


ELO = 400
"""The greatest Elo difference of the picture; greater ones are drawn at its edge."""


def elo_svg(intervals: Sequence[tuple[float, float, float]], length: int, name: str) -> str:
    """Return the Elo difference after each pair of games as an `<svg>` element: a line in the band of its interval.

    Arguments:
        intervals: the difference and the bounds of its interval.
        length: the number of pairs of the whole match.
        name: the player whose difference it is.
    """
    axes = Axes(last=max(1, length), low=-ELO, high=ELO)
    root = Element("svg", {"class": "curve elo", "viewBox": f"0 0 {axes.width} {axes.height}", "role": "img"})
    root.set("aria-label", f"Elo difference of {name} after each pair of games, with its interval")
    for height in (ELO, 0, -ELO):
        axes.horizontal(root, height, "level" if height else "zero")
    best, lower, upper = zip((0.0, -ELO, ELO), *intervals, strict=True)
    axes.band(root, enumerate(lower), enumerate(upper))
    axes.curve(root, enumerate(best))
    circle(root, axes.at(len(intervals), best[-1]), 5, "dot current")
    return markup(root)


def _summary(shown: Sequence[float], names: tuple[str, str], words: Callable[[float], str]) -> str:
    if not shown:
        return "No value is known"
    now = f"from {words(shown[0])} at first to {words(shown[-1])}"
    return f"Value after each move, {now}; above zero is better for {names[0]}, below for {names[1]}"


def _point(root: Element, point: XY, address: str, words: str, current: bool, verdict: str) -> None:
    anchor = SubElement(root, "a", {"href": address, "aria-label": words})
    SubElement(circle(anchor, point, 12, "spot"), "title").text = words
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
