"""Two threads on one search, beside what two processes gain that know nothing of each other. Wall-clock time."""

import concurrent.futures
import multiprocessing
import time

import attrs

from benchmarks.ours import Whole, registry
from benchmarks.report import Section, at_least, rates
from benchmarks.rounds import Contender, Timing, interleave
from benchmarks.scale import Scale

SEARCHER = "alphabeta:table=64"
GAIN = 1.5
SHARE = 0.8
"""Of what two processes gain."""


def independent(searcher: str, depth: int) -> int:
    """One search in a process of its own; the states that it visited."""
    return Whole(registry().game("kalah"), searcher, depth).run().statistics.nodes


@attrs.frozen
class Pair:
    """Two processes that search the same at the same time."""

    pool: concurrent.futures.Executor
    depth: int

    def run(self) -> int:
        """Both once; the states of both."""
        searches = [self.pool.submit(independent, SEARCHER, self.depth) for _ in range(2)]
        return sum(each.result() for each in searches)

    def contender(self) -> Contender:
        """It as a contender; the processes are started, and have loaded what they need, before the clock is."""
        return Contender("pair", self.run, self.run)


def parallel(scale: Scale) -> Section:
    """One thread, two threads, and two processes."""
    game, depth = registry().game("kalah"), scale.threads_depth
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        rows = interleave(
            [
                ("one thread", Whole(game, SEARCHER, depth).contender),
                ("two threads", Whole(game, f"{SEARCHER},threads=2", depth).contender),
                ("two processes, a search each", Pair(pool, depth).contender),
            ],
            scale.whole_rounds,
            0.0,
            time.perf_counter,
        )
    one, two, pair = rows
    gain = one.median / two.median if isinstance(one, Timing) and isinstance(two, Timing) else None
    processes = 2 * one.median / pair.median if isinstance(one, Timing) and isinstance(pair, Timing) else None
    least = min(GAIN, SHARE * processes) if processes else GAIN
    told = "" if processes is None else f" Two processes gain {processes:.3g}."
    return Section(
        f"Two threads: Kalah(6,4), `{SEARCHER}`, depth {depth}",
        f"Wall-clock time, so other work on the machine tells.{told}",
        (rates(rows),),
        (at_least(f"Two threads beside one ({GAIN}, or {SHARE} of two processes' gain)", least, gain),),
    )
