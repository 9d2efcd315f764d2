"""The curve of learning: strength over time, and the share of best moves if it was measured, as SVG."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import attrs
from ggp_search.learned.weights_file import Milestone

from ggp.number_text import number
from ggp.show.line_chart import Axes, drawing, label

QUARTERS = (0, 0.25, 0.5, 0.75, 1)


def curve(milestones: Sequence[Milestone], width: float = 640, height: float = 300) -> Element:
    """Return the curve, of this size in pixels: the Elo on the left, the share of best moves on the right."""
    elos = Axes(
        width=width, height=height, left=60, right=60, top=16, bottom=40,
        last=max([1.0, *(each.seconds for each in milestones)]),
        low=min([0.0, *(each.elo for each in milestones)]),
        high=max([1.0, *(each.elo for each in milestones)]),
    )  # fmt: skip
    measured = [each for each in milestones if each.right is not None]
    root = drawing(elos.width, elos.height, "Strength over the time of learning")
    heights = [elos.low + share * (elos.high - elos.low) for share in QUARTERS]
    times = [share * elos.last for share in QUARTERS]
    unit, seconds = ("min", 60) if elos.last >= 120 else ("s", 1)
    below = {each: f"{number(round(each / seconds, 1))} {unit}" for each in times}
    elos.frame(root, {each: str(round(each)) for each in heights}, below)
    elos.curve(root, [(0, 0), *((each.seconds, each.elo) for each in milestones)])
    label(root, (elos.left, elos.height - 2), "Elo without search", "start", "first")
    if measured:
        shares = attrs.evolve(elos, low=0, high=1)
        shares.notes(root, {each: f"{each:.0%}" for each in QUARTERS}, "second")
        shares.curve(root, [(each.seconds, each.right or 0) for each in measured], "line second")
        label(root, (elos.width - elos.right, elos.height - 2), "share of best moves", "end", "second")
    return root
