"""Games in GDL: random playouts of the classes that are made from descriptions, compared with ggp's own classes."""

import os
import statistics
from collections.abc import Iterable, Iterator

import attrs
from ggp_gdl.game import PackedGame
from ggp_gdl.library import PREFIX, folders, named_files
from ggp_search.engine.limits import CLOCK
from ggp_search.playouts import PlayoutRate, measure

from benchmarks.ours import registry
from benchmarks.report import NONE, ReportTable, Section, Target, at_least
from benchmarks.scale import Scale
from ggp import GGPError
from ggp.game import AnyGame

OWN = {
    "tictactoe": "tictactoe",
    "connectfour": "connectfour",
    "breakthrough": "breakthrough",
    "reversi": "othello",
    "hexapawn": "hexapawn",
    "ponghauki": "pong-hau-ki",
}
"""For each description, by its name: ggp's own class with the same rules."""
BARS = {"tictactoe": 0.2, "connectfour": 0.2, "breakthrough": 0.2, "reversi": 0.2}
"""For some descriptions: the minimum speed, as a share of the speed of ggp's own class."""
LEAST = 0.05
"""Minimum length of a measurement, in seconds."""


@attrs.frozen
class Measured:
    """The measured playouts of a description and of ggp's own class; each list has one item for each round."""

    name: str
    form: str
    described: list[PlayoutRate]
    own: list[PlayoutRate]

    @property
    def beside(self) -> float | None:
        """The playouts a second, divided by those of ggp's own class; None if there is no such class."""
        if not self.own:
            return None
        return _median(self.described, "playouts_a_second") / _median(self.own, "playouts_a_second")

    @property
    def states(self) -> float:
        """States a second."""
        return _median(self.described, "states_a_second")

    def cells(self) -> tuple[str, ...]:
        """Return the row of the table for this description."""
        rate = f"{_median(self.described, 'playouts_a_second'):,.0f}"
        own = f"{_median(self.own, 'playouts_a_second'):,.0f}" if self.own else NONE
        beside = NONE if self.beside is None else f"{self.beside:.2f}"
        return self.name, self.form, self.described[0].speed, f"{self.states:,.0f}", rate, own, beside


def _median(rates: Iterable[PlayoutRate], name: str) -> float:
    return float(statistics.median(getattr(each, name) for each in rates))


def gdl(scale: Scale) -> Section:
    """Compare descriptions in GDL with ggp's own classes."""
    before = os.environ.get(CLOCK)
    os.environ[CLOCK] = "processor"
    try:
        measured = list(_measured(scale))
    finally:
        if before is None:
            del os.environ[CLOCK]
        else:
            os.environ[CLOCK] = before
    rows = sorted((each for each in measured if isinstance(each, Measured)), key=lambda each: -each.states)
    header = ("description", "form", "speed", "states/s", "playouts/s", "playouts/s of our class", "beside it")
    return Section(
        "Games in GDL, random playouts",
        "The playouts run in one thread, in turn with those of our own class if the same game has one. The form says"
        " how conditions are tested: by code (a line for each), by tables (a branching program), or by the rules as"
        " they stand. Other descriptions are measured too if GGP_GDL names their folder.",
        (ReportTable(header, (*(row.cells() for row in rows), *(row for row in measured if isinstance(row, tuple)))),),
        tuple(_targets(rows)),
    )


def _targets(rows: Iterable[Measured]) -> Iterator[Target]:
    for each in rows:
        if each.name in BARS and each.own:
            yield at_least(f"{each.name} in GDL: playouts beside our own class", BARS[each.name], each.beside)


def _measured(scale: Scale) -> Iterator[Measured | tuple[str, ...]]:
    names = sorted({name for folder in folders() for name in named_files(folder)})
    for name in names:
        if scale.descriptions and name not in scale.descriptions:
            continue
        try:
            game = registry().game(PREFIX + name)
        except GGPError as error:
            yield f"{name}: {error}", *[NONE] * 6
            continue
        own = registry().game(OWN[name]) if name in OWN else None
        rounds = [(_rate(game, scale), _rate(own, scale) if own else None) for _ in range(scale.whole_rounds)]
        yield Measured(name, _form(game), [one for one, _ in rounds], [other for _, other in rounds if other])


def _rate(game: AnyGame, scale: Scale) -> PlayoutRate:
    return measure(game, game.initial_state(), seconds=max(LEAST, scale.shortest))


def _form(game: object) -> str:
    if not isinstance(game, PackedGame):
        return "rules"
    return "tables" if hasattr(game, "run") else "code"
