"""The curve of learning: strength over time, and the share of best moves if it was measured, as SVG."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

import attrs
from ggp_search.learned.weights_file import Milestone

from ggp.cli.progress_line import duration
from ggp.show.line_chart import Axes, label
from ggp.show.markup import markup
from ggp.show.svg_elements import XY

ELO, BEST, TIME = "#1f5fa8", "#b3490f", "#333"
"""Colours of the two lines, and of the texts at the axis of each line."""


def curve(milestones: Sequence[Milestone]) -> str:
    """Return the curve as a complete SVG file: the Elo on the left, the share of best moves on the right."""
    elos = Axes(
        width=640, height=300, left=60, right=60, top=16, bottom=40,
        last=max([1.0, *(each.seconds for each in milestones)]),
        low=min([0.0, *(each.elo for each in milestones)]),
        high=max([1.0, *(each.elo for each in milestones)]),
    )  # fmt: skip
    shares = attrs.evolve(elos, low=0, high=1)
    measured = [each for each in milestones if each.right is not None]
    root = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {elos.width} {elos.height}", role="img")
    root.set("font-family", "sans-serif")
    root.set("font-size", "13")
    SubElement(root, "title").text = "Strength over the time of learning"
    SubElement(root, "rect", width=str(elos.width), height=str(elos.height), fill="white")
    edge, foot = elos.width - elos.right, elos.height - elos.bottom
    for share in (0, 0.25, 0.5, 0.75, 1):
        across, height = elos.left + share * (edge - elos.left), shares.at(0, share)[1]
        mark, number = shares.horizontal(root, share, "level", f"{elos.low + share * (elos.high - elos.low):.0f}")
        mark.set("stroke", "#ccc")
        _colour(number, "end", ELO)
        _text(root, (across, foot + 18), duration(share * elos.last), "middle", TIME)
        if measured:
            _text(root, (edge + 6, height + 4), f"{share:.0%}", "start", BEST)
    _stroke(elos.curve(root, [(0, 0), *((each.seconds, each.elo) for each in milestones)]), ELO)
    _text(root, (elos.left, elos.height - 6), "Elo without search", "start", ELO)
    if measured:
        _stroke(shares.curve(root, [(each.seconds, each.right or 0) for each in measured]), BEST)
        _text(root, (edge, elos.height - 6), "share of best moves", "end", BEST)
    return markup(root)


def _text(root: Element, point: XY, words: str, anchor: str, colour: str) -> None:
    _colour(label(root, point, words, "scale"), anchor, colour)


def _colour(drawn: Element, anchor: str, colour: str) -> None:
    # attributes and no style: the page that shows the curve while it grows allows none
    drawn.set("text-anchor", anchor)
    drawn.set("fill", colour)


def _stroke(drawn: Element, colour: str) -> None:
    for name, value in {"stroke": colour, "fill": "none", "stroke-width": "2"}.items():
        drawn.set(name, value)
