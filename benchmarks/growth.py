"""States and time by depth, as a table and as a plot."""

import math
import pathlib
from collections.abc import Callable
from xml.etree.ElementTree import SubElement

from benchmarks.ours import PLAIN, Whole, registry
from benchmarks.report import NONE, ReportTable, Section, seconds
from benchmarks.rounds import Row, Timing, interleave
from benchmarks.scale import Scale
from ggp.files import write_file
from ggp.show.line_chart import Axes, drawing, label, svg_file

LINES = {
    "plain, interpreted": f"alphabeta:{PLAIN},speed=interpreted",
    "plain, compiled": f"alphabeta:{PLAIN},speed=compiled",
    "with table and ordering, compiled": "alphabeta:table=64,ordering=suggestion,speed=compiled",
}
PLAIN_MOST = 15
"""Depth to which the plain search is shown."""

Series = dict[str, dict[int, Timing]]


def series(scale: Scale) -> Series:
    """Return the cost of each search, by depth in plies."""
    game = registry().game("kalah")
    most = scale.interpreted_growth, min(PLAIN_MOST, scale.growth_depth), scale.growth_depth
    deepest = dict(zip(LINES, most, strict=True))
    series_by_name: Series = {name: {} for name in LINES}
    for depth in range(1, scale.growth_depth + 1):
        names = [name for name in LINES if depth <= deepest[name]]
        rows = interleave({name: Whole(game, LINES[name], depth).contender for name in names}, scale.whole_rounds, 0.0)
        for row in rows:
            if isinstance(row, Timing):
                series_by_name[row.name][depth] = row
    return series_by_name


def section(series_by_name: Series) -> Section:
    """Return the series as a table."""
    depths = sorted({depth for line in series_by_name.values() for depth in line})
    header = ("depth", *(f"{what}, {name}" for name in series_by_name for what in ("states", "seconds")))
    rows = [
        (str(depth), *(cell for line in series_by_name.values() for cell in _cells(line.get(depth))))
        for depth in depths
    ]
    return Section("Kalah(6,4), alpha-beta by depth", "Whole searches.", (ReportTable(header, tuple(rows)),))


def growth(scale: Scale) -> Section:
    """Measure states and time by depth."""
    return section(series(scale))


def _cells(row: Row | None) -> tuple[str, str]:
    return (f"{row.states:,}", seconds(row.median)) if isinstance(row, Timing) else (NONE, NONE)


COLOURS = ("first", "second", "third")
"""CSS classes of the lines of the plot, in the order of `LINES`."""


def plot(series_by_name: Series, file: pathlib.Path) -> None:
    """Draw the series into an SVG file: states and time on logarithmic scales."""
    root = drawing(1000, 400, "Kalah(6,4), alpha-beta by depth: states and processor time")
    figures: dict[str, Callable[[Timing], float]] = {
        "states": lambda row: row.states,
        "processor time in seconds": lambda row: row.median,
    }
    for part, (title, figure) in enumerate(figures.items()):
        lines = [[(depth, math.log10(figure(row))) for depth, row in line.items()] for line in series_by_name.values()]
        heights = [height for line in lines for _, height in line]
        low, high = math.floor(min(heights)), math.floor(max(heights)) + 1
        last = max(depth for line in lines for depth, _ in line)
        axes = Axes(width=500, height=400, left=60, top=60, bottom=40, last=last, low=low, high=high)
        panel = SubElement(root, "svg", x=str(500 * part), width="500", height="400")
        powers = range(low, high + 1)
        axes.frame(panel, {power: f"1e{power}" for power in powers}, {depth: str(depth) for depth in range(last + 1)})
        label(panel, (axes.left, axes.height - 2), f"{title}, by depth in plies", "start")
        for colour, (name, line) in zip(COLOURS, zip(series_by_name, lines, strict=True), strict=False):
            axes.curve(panel, line, "line" if colour == "first" else f"line {colour}")
            label(panel, (axes.left, 18 + 16 * COLOURS.index(colour)), name, "start", colour)
    write_file(file, svg_file(root).encode(), "plot")
