"""SVG elements: circles, rectangles, lines and texts, with numbers rounded to a hundredth of a pixel."""

import functools
import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from ggp.show.board_layout import Box

XY = tuple[float, float]


def circle(parent: Element, middle: XY, radius: float, css_class: str) -> Element:
    geometry = {"cx": middle[0], "cy": middle[1], "r": radius}
    return SubElement(parent, "circle", {"class": css_class} | numbers(geometry))


def rectangle(parent: Element, box: Box, css_class: str, corner: float) -> Element:
    """Add a rectangle whose corners are rounded with the radius `corner`."""
    sides = {"x": box.x, "y": box.y, "width": box.width, "height": box.height, "rx": corner}
    return SubElement(parent, "rect", {"class": css_class} | numbers(sides))


def line(parent: Element, start: XY, end: XY, css_class: str) -> Element:
    ends = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    return SubElement(parent, "line", {"class": css_class} | numbers(ends))


def polygon(parent: Element, corners: Iterable[XY], css_class: str) -> Element:
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return SubElement(parent, "polygon", {"class": css_class, "points": points, "stroke-linejoin": "round"})


def polyline(parent: Element, points: Iterable[XY], css_class: str) -> Element:
    path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return SubElement(parent, "polyline", {"class": css_class, "points": path})


def text(parent: Element, content: str, middle: XY, size: float, css_class: str) -> Element:
    """Add a line of text that is centred on a point."""
    geometry = {"x": middle[0], "y": middle[1] + 0.36 * size, "font-size": size}
    element = SubElement(parent, "text", {"class": css_class} | numbers(geometry))
    element.text = clean(content)
    element.tail = " "  # it stands alone for those who hear it, too
    return element


def numbers(values: dict[str, float]) -> dict[str, str]:
    return {name: number(value) for name, value in values.items()}


@functools.lru_cache(10_000)
def number(value: float) -> str:
    """Return a number rounded to a hundredth of a pixel."""
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")  # + 0: no -0


def clean(content: str) -> str:
    """Remove the control characters that XML forbids."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "�", content)
