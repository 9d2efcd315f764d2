"""Whole searches with their driver: the gain of each enhancement, the depth in two seconds, the growth of states."""

import math

from benchmarks.ours import PLAIN, Whole, registry
from benchmarks.report import NONE, ReportTable, Section, at_most, rates, seconds, spread
from benchmarks.rounds import Missing, Row, Timing, Unequal, interleave
from benchmarks.scale import Scale
from ggp.game import AnyGame

DEEP = ("alphabeta", "negascout", "mtdf")
"""Searchers without options, as users get them."""

ENDLESS = 10**12
"""A limit of nodes that is never reached. Such a limit makes a searcher use iterative deepening."""

SHALLOW = (
    f"alphabeta:{PLAIN}",
    f"scout:{PLAIN}",
    f"negascout:{PLAIN}",
    "alphabeta:table=0,ordering=none,bounds=yes",
    "alphabeta:table=0,ordering=evaluation,bounds=no",
    "alphabeta:table=0,ordering=suggestion,bounds=no",
    "alphabeta:table=64,ordering=none,bounds=no,etc=no",
    "alphabeta:table=64,ordering=table,bounds=no,etc=no",
    "alphabeta:table=64,ordering=evaluation,bounds=no,etc=no",
    "alphabeta:table=64,ordering=suggestion,bounds=no,etc=no",
    f"alphabeta:table=64,ordering=table,nodes={ENDLESS}",
    "mtdf:table=64,ordering=table",
)
"""Searchers on Kalah(6,4), one for each row: features are added to the plain search one by one."""

STRONG = (
    "alphabeta:table=64,ordering=suggestion",
    "alphabeta:table=0,ordering=suggestion,bounds=no",
    "alphabeta:table=0,ordering=suggestion,bounds=yes",
    "alphabeta:table=64,ordering=suggestion,bounds=no,etc=no",
    "alphabeta:table=64,ordering=suggestion,bounds=no",
    "alphabeta:table=64,ordering=suggestion,etc=no",
    "alphabeta:table=1,ordering=suggestion",
    "alphabeta:table=256,ordering=suggestion",
    f"alphabeta:table=64,ordering=suggestion,nodes={ENDLESS}",
    "scout:table=64,ordering=suggestion",
    "negascout:table=64,ordering=suggestion",
    f"negascout:table=64,ordering=suggestion,nodes={ENDLESS}",
    "mtdf:table=64,ordering=suggestion",
    "alphabeta:table=64,ordering=suggestion,threads=2",
    "negascout:table=64,ordering=suggestion,threads=2",
    "mtdf:table=64,ordering=suggestion,threads=2",
)
"""Searchers at greater depth, one for each row: features of the strong search are removed or replaced one by one."""

PIG = (
    f"expectiminimax:{PLAIN}",
    f"star1:{PLAIN}",
    f"star2:{PLAIN}",
    "star1:table=0,ordering=none,bounds=yes",
    "star2:table=0,ordering=none,bounds=yes",
    "star1:table=0,ordering=evaluation,bounds=yes",
    "star2:table=0,ordering=evaluation,bounds=yes",
    "expectiminimax:table=64,ordering=none",
    "star1:table=64,ordering=evaluation",
    "star2:table=64,ordering=evaluation",
)
"""The same on Pig."""


def ablation(scale: Scale) -> Section:
    """Return the gain of each enhancement at a fixed depth."""
    shallow, strong, pig = scale.ablation_depth, scale.strong_depth, scale.ablation_pig_depth
    rows, rounds = scale.ablation_rows, scale.whole_rounds
    return Section(
        "What each enhancement earns",
        f"Kalah(6,4) at depth {shallow} and at depth {strong}, and Pig with its defaults at depth {pig}; in each"
        " table, all searchers find the same value. A row's name is the searcher: `ggp search GAME --searcher ...`"
        " runs it. States are"
        " those of all iterations. Seconds are processor time of all threads. They include the principal variation,"
        " and memory for the table, which is new for each search.",
        (
            _ablated(registry().game("kalah"), SHALLOW[:rows], shallow, rounds),
            _ablated(registry().game("kalah"), STRONG[:rows], strong, rounds),
            _ablated(registry().game("pig"), PIG[:rows], pig, rounds),
        ),
    )


def _ablated(game: AnyGame, searchers: tuple[str, ...], depth: int, rounds: int) -> ReportTable:
    searches = [Whole(game, searcher, depth) for searcher in searchers]
    rows = interleave({each.searcher: each.contender for each in searches}, rounds, 0.0)
    _same_values(searches)
    header = (
        f"{game.name}, depth {depth}",
        "states",
        "seconds",
        "spread",
        "states beside the first",
        "seconds beside the first",
    )
    return ReportTable(header, tuple(_beside(row, rows[0]) for row in rows))


def _same_values(searches: list[Whole]) -> None:
    values = {each.searcher: each.found.value for each in searches if each.found}
    first = next(iter(values.values()))
    for searcher, value in values.items():
        if not math.isclose(value, first, rel_tol=1e-9, abs_tol=1e-12):
            raise Unequal(f"{searcher} finds {value!r} where {searches[0].searcher} finds {first!r}")


def _beside(row: Row, first: Row) -> tuple[str, ...]:
    if isinstance(row, Missing):
        return f"`{row.name}`: {row.why}", *[NONE] * 5
    told: tuple[str, ...] = (NONE, NONE)
    if isinstance(first, Timing):
        told = f"{row.states / first.states:.3g}", f"{row.median / first.median:.3g}"
    return f"`{row.name}`", f"{row.states:,}", seconds(row.median), spread(row), *told


def deep(scale: Scale) -> Section:
    """Measure Kalah(6,4) from the start, to the depth that should be reached in two seconds."""
    game = registry().game("kalah")
    makers = {searcher: Whole(game, searcher, scale.deep).contender for searcher in DEEP}
    rows = interleave(makers, scale.whole_rounds, 0.0)
    return Section(
        f"Kalah(6,4) to depth {scale.deep}",
        "The searchers have no options, and run in one thread.",
        (rates(rows),),
        tuple(at_most(f"Kalah(6,4) to depth {scale.deep}, {row.name}", 2, row) for row in rows),
    )
