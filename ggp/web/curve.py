"""The evaluation curve: the value to MAX after each move, as SVG."""

from collections.abc import Callable, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

from ggp.show.markup import markup
from ggp.show.worth import rounded

WIDTH, HEIGHT, LEFT, MARGIN = 360, 150, 44, 12
POINTS = 100
"""Approximate maximum number of points that are links; in a longer game only some are, and the position shown."""


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
    known = [value for value in values if value is not None]
    high, low = max([0.0, *known]), min([0.0, *known])
    if high == low:
        high, low = 1.0, -1.0
    last = max(1, len(values) - 1)

    def place(moves: int, value: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - MARGIN) * moves / last
        return round(across, 2), round(MARGIN + (HEIGHT - 2 * MARGIN) * (high - value) / (high - low), 2)

    root = Element("svg", {"class": "curve", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "group"})
    root.set("aria-labelledby", "curve-title")
    SubElement(root, "title", id="curve-title").text = _summary(known, names, words)
    _level(root, 0, place(0, 0)[1], "zero")
    for level in {high, low} - {0}:
        _level(root, level, place(0, level)[1], "level")
    for points in _pieces(values):
        line = " ".join(f"{x},{y}" for x, y in (place(*point) for point in points))
        SubElement(root, "polyline", {"class": "line", "points": line})
    every = -(-len(values) // POINTS)
    for moves, value in enumerate(values):
        verdict = (verdicts or {}).get(moves, "")
        if value is not None and (moves % every == 0 or moves == seen or verdict):
            told = f"After {moves} moves: {words(value)}{f', a {verdict}' if verdict else ''}"
            _point(root, place(moves, value), link(moves), told, moves == seen, verdict)
    return markup(root)


ELO = 400
"""The greatest Elo difference of the picture; greater ones are at its edge."""


def elo_svg(found: Sequence[tuple[float, float, float]], length: int, name: str) -> str:
    """Return the Elo difference after each pair of games as an `<svg>` element: a line in the band of its interval.

    Arguments:
        found: the difference and the bounds of its interval.
        length: the number of pairs of the whole match.
        name: the player whose difference it is.
    """
    root = Element("svg", {"class": "curve elo", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img"})
    root.set("aria-label", f"Elo difference of {name} after each pair of games, with its interval")

    def place(pairs: int, elo: float) -> str:
        across = LEFT + (WIDTH - LEFT - MARGIN) * pairs / max(1, length)
        shown = min(max(elo, -ELO), ELO)
        return f"{across:.1f},{MARGIN + (HEIGHT - 2 * MARGIN) * (ELO - shown) / (2 * ELO):.1f}"

    for level in (ELO, 0, -ELO):
        height = MARGIN + (HEIGHT - 2 * MARGIN) * (ELO - level) / (2 * ELO)
        _level(root, level, height, "level" if level else "zero")
    high = [place(pairs, each[2]) for pairs, each in enumerate(found, 1)]
    low = [place(pairs, each[1]) for pairs, each in enumerate(found, 1)]
    first = [place(0, ELO)], [place(0, -ELO)]
    SubElement(root, "polygon", {"class": "band", "points": " ".join([*first[0], *high, *reversed(low), *first[1]])})
    line = [place(0, 0), *(place(pairs, each[0]) for pairs, each in enumerate(found, 1))]
    SubElement(root, "polyline", {"class": "line", "points": " ".join(line)})
    x, y = line[-1].split(",")
    SubElement(root, "circle", {"class": "dot current", "cx": x, "cy": y, "r": "5"})
    return markup(root)


def _summary(known: Sequence[float], names: tuple[str, str], words: Callable[[float], str]) -> str:
    if not known:
        return "No value is known"
    now = f"from {words(known[0])} at first to {words(known[-1])}"
    return f"Value after each move, {now}; above zero is better for {names[0]}, below for {names[1]}"


def _level(root: Element, value: float, height: float, kind: str) -> None:
    ends = {"x1": LEFT, "x2": WIDTH - MARGIN, "y1": height, "y2": height}
    SubElement(root, "line", {"class": kind} | {name: f"{each:g}" for name, each in ends.items()})
    text = SubElement(root, "text", {"x": str(LEFT - 8), "y": f"{height + 5:g}", "class": "scale"})
    text.text = rounded(value)


def _point(root: Element, place: tuple[float, float], address: str, words: str, current: bool, verdict: str) -> None:
    anchor = SubElement(root, "a", {"href": address, "aria-label": words})
    spot = {"class": "spot", "cx": f"{place[0]:g}", "cy": f"{place[1]:g}", "r": "12"}
    SubElement(SubElement(anchor, "circle", spot), "title").text = words
    dot = {
        "class": " ".join(filter(None, ("dot", "current" if current else "", verdict))),
        "cx": spot["cx"],
        "cy": spot["cy"],
        "r": "6" if current else "5" if verdict else "3.5",
    }
    SubElement(anchor, "circle", dot)


def _pieces(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Return runs of points without a gap; each run is drawn as one line."""
    pieces: list[list[tuple[int, float]]] = [[]]
    for moves, value in enumerate(values):
        if value is not None:
            pieces[-1].append((moves, value))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]
