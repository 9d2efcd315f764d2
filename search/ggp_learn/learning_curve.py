"""The curve of learning: strength over time, and the share of best moves if it was measured, as SVG."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from ggp_search.learned.weights_file import Milestone

from ggp.cli.progress_line import duration
from ggp.show.markup import markup

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 60, 60, 16, 40


def curve(milestones: Sequence[Milestone]) -> str:
    """Return the curve as a complete SVG file: the Elo on the left, the share of best moves on the right."""
    root = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img")
    root.set("font-family", "sans-serif")
    root.set("font-size", "13")
    SubElement(root, "title").text = "Strength over the time of learning"
    SubElement(root, "rect", width=str(WIDTH), height=str(HEIGHT), fill="white")
    last = max([1.0, *(each.seconds for each in milestones)])
    highest = max([1.0, *(each.elo for each in milestones)])
    lowest = min([0.0, *(each.elo for each in milestones)])

    def across(seconds: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * seconds / last, 1)

    def up(share: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)

    for share in (0, 0.25, 0.5, 0.75, 1):
        elo = lowest + share * (highest - lowest)
        SubElement(root, "path", d=f"M{LEFT} {up(share)}H{WIDTH - RIGHT}", stroke="#ccc")
        _text(root, LEFT - 6, up(share) + 4, f"{elo:.0f}", "end", ELO)
        _text(root, across(share * last), HEIGHT - BOTTOM + 18, duration(share * last), "middle", "#333")
        if any(each.right is not None for each in milestones):
            _text(root, WIDTH - RIGHT + 6, up(share) + 4, f"{share:.0%}", "start", BEST)
    span = highest - lowest
    elos = [(across(0), up(-lowest / span))] + [(across(m.seconds), up((m.elo - lowest) / span)) for m in milestones]
    _line(root, elos, ELO)
    _line(root, [(across(m.seconds), up(m.right)) for m in milestones if m.right is not None], BEST)
    _text(root, LEFT, HEIGHT - 6, "Elo without search", "start", ELO)
    if any(each.right is not None for each in milestones):
        _text(root, WIDTH - RIGHT, HEIGHT - 6, "share of best moves", "end", BEST)
    return markup(root)


ELO, BEST = "#1f5fa8", "#b3490f"
"""Colours of the two lines and of their axes."""


def _text(root: Element, x: float, y: float, text: str, anchor: str, colour: str) -> None:
    found = SubElement(root, "text", x=str(x), y=str(y), fill=colour)
    found.set("text-anchor", anchor)
    found.text = text


def _line(root: Element, points: Sequence[tuple[float, float]], colour: str) -> None:
    if points:
        line = SubElement(root, "polyline", points=" ".join(f"{x},{y}" for x, y in points), stroke=colour, fill="none")
        line.set("stroke-width", "2")
