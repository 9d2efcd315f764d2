"""Two threads on one search, compared with two independent processes. Wall-clock time."""

import concurrent.futures
import multiprocessing
import time

import attrs

from benchmarks.ours import Whole, registry
from benchmarks.report import Section, at_least, rates
from benchmarks.rounds import Contender, Row, Timing, Unequal, interleave
from benchmarks.scale import Scale

SEARCHER = "alphabeta:table=64"
GAIN = 1.5
SHARE = 0.8
"""Two threads should gain at least this share of what two processes gain."""
FREE = 1.3
"""Minimum gain of two processes. With less gain, another program is using the second core, so threads cannot
be judged.
"""


def independent(searcher: str, depth: int) -> int:
    """Search once in a separate process; return the number of states visited."""
    return Whole(registry().game("kalah"), searcher, depth).run().statistics.nodes


@attrs.frozen
class Pair:
    """Two processes that run the same search at the same time."""

    pool: concurrent.futures.Executor
    depth: int

    def run(self) -> int:
        """Run both processes once; return the total number of states that they visited."""
        searches = [self.pool.submit(independent, SEARCHER, self.depth) for _ in range(2)]
        return sum(each.result() for each in searches)

    def contender(self) -> Contender:
        """Return the two processes as a contender. They are started, and load what they need, before the clock
        starts.
        """
        return Contender(self.run, self.run)


def parallel(scale: Scale) -> Section:
    """Compare one thread, two threads, and two processes."""
    game, depth = registry().game("kalah"), scale.threads_depth
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        rows = interleave(
            {
                "one thread": Whole(game, SEARCHER, depth).contender,
                "two threads": Whole(game, f"{SEARCHER},threads=2", depth).contender,
                "two processes, a search each": Pair(pool, depth).contender,
            },
            scale.whole_rounds,
            0.0,
            time.perf_counter,
        )
    one, two, pair = rows
    if isinstance(one, Timing) and isinstance(pair, Timing) and pair.states != 2 * one.states:
        raise Unequal(f"two processes should visit twice as many states as one: {pair.states:,}, {one.states:,}")
    threads, processes = _gain(one, two, 1), _gain(one, pair, 2)
    free = processes is None or processes >= FREE
    least = min(GAIN, SHARE * processes) if processes and free else GAIN
    return Section(
        f"Two threads: Kalah(6,4), `{SEARCHER}`, depth {depth}",
        f"Seconds are wall-clock time, so other work on the machine has an effect. {_told(processes)}",
        (rates(rows),),
        (
            at_least(
                f"Two threads beside one ({GAIN}, or {SHARE} of two processes' gain)", least, threads if free else None
            ),
        ),
    )


def _gain(one: Row, other: Row, work: int) -> float | None:
    """Return the speed of `other` divided by that of `one`, where `other` does `work` times as much; None if either is
    missing.
    """
    if isinstance(one, Timing) and isinstance(other, Timing):
        return work * one.median / other.median
    return None


def _told(processes: float | None) -> str:
    if processes is None:
        return "Two processes could not be started."
    if processes < FREE:
        return f"Two processes gain only {processes:.3g}: the second core was not free, so threads are not judged."
    return f"Two processes gain {processes:.3g}."
