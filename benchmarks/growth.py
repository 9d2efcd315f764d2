"""States and time by depth, as a table and as a plot."""

import pathlib

from benchmarks.ours import PLAIN, Whole, registry
from benchmarks.report import NONE, ReportTable, Section, seconds
from benchmarks.rounds import Row, Timing, interleave
from benchmarks.scale import Scale

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


def plot(series_by_name: Series, file: pathlib.Path) -> None:
    """Draw the series into a file; the file's name determines the format."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name, line in series_by_name.items():
        left.semilogy(list(line), [row.states for row in line.values()], marker=".", label=name)
        right.semilogy(list(line), [row.median for row in line.values()], marker=".", label=name)
    left.set(xlabel="depth (plies)", ylabel="states", title="Kalah(6,4), alpha-beta")
    right.set(xlabel="depth (plies)", ylabel="processor time (s)")
    left.legend()
    figure.savefig(file)
    pyplot.close(figure)
