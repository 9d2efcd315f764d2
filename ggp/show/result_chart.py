"""Chart of a search result: a bar for each move from a common zero, the principal variation, and statistics."""

from collections.abc import Callable, Mapping
from typing import Protocol
from xml.etree.ElementTree import Element, SubElement, tostring

import attrs

from ggp import capabilities
from ggp.game import MAX, MIN, Action, AnyGame, State
from ggp.number_text import number
from ggp.show.board_layout import Box
from ggp.show.svg_elements import rectangle
from ggp.show.value_text import rounded, value_text

MOST = 40
"""Maximum number of moves with a bar; if there are more, only the best ones have a bar."""
COLUMNS = 24
"""Width of the bars in text, in columns."""


class StatisticsLike(Protocol):
    """The fields of `ggp.searcher.Statistics` that the chart reads."""

    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class ResultLike(Protocol):
    """The fields of a `ggp.searcher.SearchResult` that the chart reads."""

    @property
    def action(self) -> Action: ...
    @property
    def value(self) -> float: ...
    @property
    def exact(self) -> bool: ...
    @property
    def stopped(self) -> str | None: ...
    @property
    def principal_variation(self) -> tuple[Action, ...]: ...
    @property
    def values(self) -> Mapping[Action, float] | None: ...
    @property
    def best_actions(self) -> tuple[Action, ...]: ...
    @property
    def speed(self) -> str: ...
    @property
    def statistics(self) -> StatisticsLike: ...


@attrs.frozen
class Bar:
    """A move and its value to MAX."""

    name: str
    value: float
    start: float
    """The position at which the bar begins, as a share of the width."""
    length: float
    """The length of the bar, as a share of the width."""
    best: bool


@attrs.frozen
class Chart:
    """The moves in the game's order, with bars from a common zero."""

    bars: tuple[Bar, ...]
    zero: float
    """The position of zero, as a share of the width."""
    more: int = 0
    """Number of moves without a bar."""


def chart(result: ResultLike, mover: int | None, name: Callable[[Action], str], most: int = MOST) -> Chart:
    """Return the chart of the values of the moves; if the search found only one value, the chart of that value.

    Arguments:
        mover: the player to move, if any; if there are too many moves, the best moves for this player are shown.
        name: returns the text of an action.
        most: maximum number of moves with a bar.
    """
    values = dict(result.values or ({} if result.action is None else {result.action: result.value}))
    shown = set(sorted(values, key=values.__getitem__, reverse=mover != MIN)[:most])
    best = {result.action, *result.best_actions}
    low, high = min([0.0, *values.values()]), max([0.0, *values.values()])
    span = (high - low) or 1.0
    return Chart(
        tuple(
            Bar(name(action), value, (min(value, 0.0) - low) / span, abs(value) / span, action in best)
            for action, value in values.items()
            if action in shown
        ),
        abs(low) / span,
        len(values) - len(shown),
    )


@attrs.frozen(repr=False)
class Analysis:
    """The result of a search of `state`: a table with bars in a notebook, text anywhere else.

    `Searcher.analyse` finds the values of all moves, `Searcher.search` only that of the best move.
    """

    game: AnyGame
    state: State
    found: ResultLike

    def __repr__(self) -> str:
        width = max((len(bar.name) for bar in self.chart.bars), default=0)
        rows = [f"{'*' if bar.best else ' '} {bar.name:<{width}}  {_bar(bar, self.chart)}" for bar in self.chart.bars]
        more = [f"  {self.chart.more} more"] if self.chart.more else []
        return "\n".join([self.head, *rows, *more, *self.notes])

    def _repr_html_(self) -> str:
        return _html_table(self.head, self.chart, self.notes)

    @property
    def chart(self) -> Chart:
        """The values of the moves."""
        mover = MAX if self.game.terminal_test(self.state) else self.game.to_move(self.state)
        text = capabilities.notation(self.game)
        return chart(self.found, mover, lambda action: text.format_action(self.state, action))

    @property
    def head(self) -> str:
        """The value in words."""
        return f"{value_text(self.game, self.found.value, exact=self.found.exact)}, {sure(self.found)}"

    @property
    def notes(self) -> list[str]:
        """The principal variation and the statistics, in words."""
        line = capabilities.format_line(self.game, self.state, self.found.principal_variation)
        return [f"best play: {' '.join(line)}"] * bool(line) + [searched(self.found)]


def plain_table(result: ResultLike) -> str:
    """Return the HTML of a result without its game; actions are shown by `repr`."""
    line = " ".join(map(str, result.principal_variation))
    notes = [f"best play: {line}"] * bool(line) + [searched(result)]
    notes.append("Actions are shown as the game stores them; ggp.show.Analysis(game, state, found) names them.")
    return _html_table(f"{number(result.value)} to MAX, {sure(result)}", chart(result, MAX, str), notes)


def sure(result: ResultLike) -> str:
    """Return in words how far the search went, and so whether the value is exact."""
    if result.exact:
        return "exact"
    depth = result.statistics.depth
    return f"looking {depth} {'ply' if depth == 1 else 'plies'} ahead"


def searched(result: ResultLike) -> str:
    """Return the statistics of the search, in words."""
    done = result.statistics
    states = f"{done.nodes:,} {'state' if done.nodes == 1 else 'states'}"
    stopped = ", cut short" if result.stopped else ""
    return f"{states}, depth {done.depth}, {done.seconds:.2g} s, {result.speed}{stopped}"


def _bar(bar: Bar, chart: Chart) -> str:
    """Return the value, and its bar as text, drawn from the common zero."""
    zero = round(chart.zero * COLUMNS)
    start, end = sorted((zero, round((bar.start if bar.value < 0 else bar.start + bar.length) * COLUMNS)))
    signs = " " * start + "■" * (end - start)
    return f"{rounded(bar.value):>6}  {signs:<{zero}}{'' if end > zero else '│'}".rstrip()


STYLE = """
.ggp-analysis{font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif;font-size:14px;line-height:1.4}
.ggp-analysis table{border-collapse:collapse;border:0;margin:0}
.ggp-analysis caption{text-align:left;font-weight:600;padding:.2em 0;color:inherit;caption-side:top}
.ggp-analysis tr{background:none!important}
.ggp-analysis th,.ggp-analysis td{border:0;padding:.15em .6em .15em 0;font-weight:400;text-align:left!important}
.ggp-analysis td{text-align:right!important;font-variant-numeric:tabular-nums}
.ggp-analysis .best{font-weight:700}
.ggp-analysis .bars{min-width:16em;width:20em;padding-right:0}
.ggp-analysis .bars svg{display:block;width:100%;height:1.1em;background:#88888822}
.ggp-analysis p{margin:.2em 0}
"""


def _html_table(head: str, chart: Chart, notes: list[str]) -> str:
    root = Element("div", {"class": "ggp-analysis"})
    SubElement(root, "style").text = STYLE
    element = SubElement(root, "table")
    SubElement(element, "caption").text = head
    for bar in chart.bars:
        _row(SubElement(element, "tr"), bar, chart.zero)
    more = [f"{chart.more} more moves have no bar."] * bool(chart.more)
    for note in [*more, *notes]:
        SubElement(root, "p").text = note
    return tostring(root, encoding="unicode", method="html")


def _row(row: Element, bar: Bar, zero: float) -> None:
    attributes = {"class": "best"} if bar.best else {}
    SubElement(row, "th", {"scope": "row"} | attributes).text = f"{bar.name} (best)" if bar.best else bar.name
    SubElement(row, "td", attributes).text = rounded(bar.value)
    SubElement(row, "td", {"class": "bars"}).append(bar_picture(bar, zero))


def bar_picture(bar: Bar, zero: float) -> Element:
    """Return a bar and the common zero as `<svg>`. A page stretches it, and the page's style may change its colours."""
    root = Element(
        "svg", {"aria-hidden": "true", "focusable": "false"}, viewBox="0 0 100 12", preserveAspectRatio="none"
    )
    side = "max" if bar.value > 0 else "min" if bar.value < 0 else "none"
    drawn = rectangle(root, Box(100 * bar.start, 1, 100 * bar.length, 10), side, 0)
    drawn.set("fill", "#d1503f" if bar.value < 0 else "#2f7fd6")
    rectangle(root, Box(min(100 * zero, 99.4), 0, 0.6, 12), "zero", 0).set("fill", "currentColor")
    return root
