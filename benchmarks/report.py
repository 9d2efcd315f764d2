"""The benchmarks' report: sections of tables and targets, as Markdown."""

from collections.abc import Iterable, Sequence

import attrs

from benchmarks.rounds import Row, Timing, ratio

NONE = "-"


@attrs.frozen
class Target:
    """A bound for a figure, and the figure that was measured."""

    what: str
    wanted: str
    """The words "at least" or "at most" with the bound."""
    found: float | None
    """The measured figure; None if it could not be measured."""
    met: bool
    unit: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of a table."""
        if self.found is None:
            return self.what, self.wanted, NONE, "not measured"
        return self.what, self.wanted, f"{self.found:.3g}{self.unit}", "pass" if self.met else "MISS"


def at_least(what: str, least: float, figure: float | None) -> Target:
    """Return the target that `figure`, a ratio, is at least `least`."""
    return Target(what, f"at least {least:.3g}", figure, figure is not None and figure >= least)


def at_most(what: str, most: float, row: Row) -> Target:
    """Return the target that the time in `row` is at most `most` seconds."""
    figure = row.median if isinstance(row, Timing) else None
    return Target(what, f"at most {most:g} s", figure, figure is not None and figure <= most, " s")


@attrs.frozen
class ReportTable:
    """A table of texts."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """Return the table as Markdown; the columns after the first are aligned to the right."""
        cells = [self.header, *self.rows]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.header))]
        lines = [_line(row, widths) for row in cells]
        rule = "|" + "|".join("-" * (width + 1) + (":" if column else "-") for column, width in enumerate(widths)) + "|"
        return "\n".join([lines[0], rule, *lines[1:]])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    return "| " + " | ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]) + " |"


@attrs.frozen
class Section:
    """A section of the report, with tables and targets."""

    title: str
    text: str
    tables: tuple[ReportTable, ...]
    targets: tuple[Target, ...] = ()

    def markdown(self) -> str:
        """Return the section under its title."""
        return "\n\n".join([f"## {self.title}", self.text, *(report_table.markdown() for report_table in self.tables)])


def rates(rows: Sequence[Row]) -> ReportTable:
    """Return a row for each contender: its time, and its states a second relative to the first contender."""
    header = ("", "states", "seconds", "spread", "M states/s", "beside the first")
    return ReportTable(header, tuple(_rate(row, rows[0]) for row in rows))


def _rate(row: Row, first: Row) -> tuple[str, ...]:
    if not isinstance(row, Timing):
        return f"{row.name}: {row.why}", *[NONE] * 5
    beside = ratio(row, first)
    told = NONE if beside is None else f"{beside:.3g}"
    return row.name, f"{row.states:,}", seconds(row.median), spread(row), f"{row.rate / 1e6:.3g}", told


def seconds(value: float) -> str:
    """Write seconds with three digits."""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def spread(row: Timing) -> str:
    """Return the spread of the times of a contender's rounds, as a percentage."""
    return f"{row.spread:.0%}"


def targets(sections: Iterable[Section]) -> Section:
    """Return a section with one table of the targets of all sections."""
    rows = tuple(target.cells for section in sections for target in section.targets)
    report_table = ReportTable(("target", "wanted", "found", ""), rows)
    text = "Ratios of states a second, by processor time, unless a unit is given."
    return Section("Targets", text, (report_table,))
