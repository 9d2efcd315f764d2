"""Reads the geometry of a drawn board: shapes and texts as rectangles and circles, in the picture's units."""

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
DIGIT, CAPITAL, OTHER = 0.7, 0.87, 0.73
"""What signs take of the font's size at most: those of DejaVu Sans Bold, which is a wide font."""
ASCENT, DESCENT = 0.76, 0.24


class Rectangle(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Rectangle", slack: float = 0.02) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        along = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > slack and along > slack

    def holds(self, other: "Rectangle", slack: float = 0.02) -> bool:
        within = self.left - slack <= other.left and other.right <= self.right + slack
        return within and self.top - slack <= other.top and other.bottom <= self.bottom + slack


class Picture:
    """One board."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)  # noqa: S314 - drawn on the spot
        left, top, width, height = map(float, self.root.attrib["viewBox"].split())
        self.page = Rectangle(left, top, left + width, top + height)
        self.cells = {
            group.attrib["data-name"]: group for group in self.root.iter(f"{SVG}g") if "data-name" in group.attrib
        }

    def texts(self, element: ElementTree.Element | None = None) -> dict[str, Rectangle]:
        """Where texts stand, by what they are and say."""
        found = (self.root if element is None else element).iter(f"{SVG}text")
        return {
            f"{each.get('class')} {each.text} at {each.get('x')}, {each.get('y')}": text_box(each) for each in found
        }

    def outlines(self, kind: str = "outline") -> dict[str, Rectangle]:
        """Where the outlines of cells, or their rings, are, by the cells' names."""
        shapes = {name: group.find(f"{SVG}rect[@class='{kind}']") for name, group in self.cells.items()}
        return {name: rectangle(shape) for name, shape in shapes.items() if shape is not None}

    def faults(self) -> Iterator[str]:
        """What overlaps and should not."""
        texts, outlines = self.texts(), self.outlines()
        yield from (f"{text} leaves the page" for text, box in texts.items() if not self.page.holds(box))
        yield from (f"{name} leaves the page" for name, box in outlines.items() if not self.page.holds(box))
        for (one, here), (other, there) in itertools.combinations(texts.items(), 2):
            if here.meets(there):
                yield f"{one} meets {other}"
        for (one, here), (other, there) in itertools.combinations(outlines.items(), 2):
            if here.meets(there):
                yield f"the outlines of {one} and {other} meet"
        for text, box in texts.items():
            for name, outline in outlines.items():
                if box.meets(outline) and not outline.holds(box):
                    yield f"{text} meets the rim of {name}"
        for name, ring in self.outlines("ring").items():
            if name in outlines and not outlines[name].holds(ring):
                yield f"the ring of {name} crosses its rim"
            yield from (
                f"the ring of {name} meets {other}"
                for other in outlines
                if other != name and ring.meets(outlines[other])
            )
            yield from (
                f"the ring of {name} meets {text}"
                for text, box in texts.items()
                if ring.meets(box) and not ring.holds(box)
            )
        for name, group in self.cells.items():
            yield from seed_faults(name, group, outlines)


def seed_faults(name: str, group: ElementTree.Element, outlines: dict[str, Rectangle]) -> Iterator[str]:
    """What seeds do that they should not."""
    seeds = [
        (float(each.attrib["cx"]), float(each.attrib["cy"]), float(each.attrib["r"]))
        for each in group.iter(f"{SVG}circle")
        if each.attrib["class"] == "seed"
    ]
    if not seeds:
        return
    rim = group.find(f"{SVG}rect[@class='outline']")
    assert rim is not None
    corner = float(rim.attrib["rx"])
    left, top, right, bottom = outlines[name]
    for x, y, radius in seeds:
        inset = max(corner, radius)
        across = max(left + inset - x, 0, x - right + inset)
        along = max(top + inset - y, 0, y - bottom + inset)
        if math.hypot(across, along) > inset - radius + 0.02:
            yield f"a seed lies across the rim of {name}"
        box = Rectangle(x - radius, y - radius, x + radius, y + radius)
        yield from (f"{text} of {name} meets a seed" for text, at in boxes(group).items() if at.meets(box))
    for (x, y, radius), (x2, y2, _) in itertools.combinations(seeds, 2):
        if math.hypot(x - x2, y - y2) < 2 * radius - 0.02:
            yield f"two seeds of {name} meet"


def boxes(group: ElementTree.Element) -> dict[str, Rectangle]:
    return {each.text or "": text_box(each) for each in group.iter(f"{SVG}text")}


def rectangle(shape: ElementTree.Element) -> Rectangle:
    left, top, width, height = (float(shape.attrib[name]) for name in ("x", "y", "width", "height"))
    return Rectangle(left, top, left + width, top + height)


def text_box(text: ElementTree.Element) -> Rectangle:
    """The room that a text takes, in the widest of the usual fonts."""
    x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
    mono = "font-family" in text.attrib
    weight = 0.93 if text.get("class") == "caption" else 1  # not bold
    half = sum(0.603 if mono else advance(sign) * weight for sign in text.text or "") * size / 2
    return Rectangle(x - half, y - ASCENT * size, x + half, y + DESCENT * size / 3)


def advance(sign: str) -> float:
    return DIGIT if sign.isdigit() else CAPITAL if sign.isupper() else 0.4 if sign in " .,:" else OTHER
