"""Interleaved rounds: who contends, and how long each took."""

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Sequence

import attrs


class Unavailable(Exception):
    """A contender cannot be had on this machine; says why."""


class Unequal(Exception):
    """Contenders that should have searched the same tree did not."""


@attrs.frozen
class Contender:
    """Something that is timed."""

    name: str
    run: Callable[[], object]
    count: Callable[[], int]
    """Runs it once, without the clock, and tells the states that one run visits."""
    before: Callable[[], object] = lambda: None
    """Called before each run, without the clock."""


@attrs.frozen
class Timing:
    """What a contender took."""

    name: str
    states: int
    """States that one run visits."""
    seconds: tuple[float, ...]
    """Of one run, for each round."""

    @property
    def median(self) -> float:
        """The median of the rounds, in seconds."""
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """The longest less the shortest round, as a part of the median."""
        return (max(self.seconds) - min(self.seconds)) / self.median

    @property
    def rate(self) -> float:
        """States a second."""
        return self.states / self.median


@attrs.frozen
class Missing:
    """A contender that cannot be had."""

    name: str
    why: str


Row = Timing | Missing
Maker = Callable[[], Contender]
Clock = Callable[[], float]


def interleave(
    makers: Sequence[tuple[str, Maker]], rounds: int, shortest: float, clock: Clock = time.process_time
) -> list[Row]:
    """One row for each name, in their order.

    Arguments:
        makers: names, and what makes the contender or raises `Unavailable`.
        rounds: how often each has its turn, 1 or more.
        shortest: seconds that a turn takes at least; what is shorter runs several times in it.
        clock: in seconds.
    """
    rows: list[Row | None] = []
    ready: list[tuple[int, Contender, int, int]] = []
    for place, (name, make) in enumerate(makers):
        try:
            contender = make()
        except Unavailable as error:
            rows.append(Missing(name, str(error)))
            continue
        rows.append(None)
        contender.before()
        started = clock()
        states = contender.count()  # warm, from here on
        long = clock() - started >= shortest
        ready.append((place, contender, states, 1 if long else _repeats(contender, shortest, clock)))
    seconds: dict[int, list[float]] = {place: [] for place, *_ in ready}
    for _ in range(rounds):
        for place, contender, _, repeats in ready:
            gc.collect()
            seconds[place].append(sum(_timed(contender, clock) for _ in range(repeats)) / repeats)
    for place, _, states, _ in ready:
        rows[place] = Timing(makers[place][0], states, tuple(seconds[place]))
    return [row for row in rows if row is not None]


def _timed(contender: Contender, clock: Clock) -> float:
    contender.before()
    started = clock()
    contender.run()
    return clock() - started


def _repeats(contender: Contender, shortest: float, clock: Clock) -> int:
    return max(1, round(shortest / max(_timed(contender, clock), 1e-6)))


def same_states(rows: Iterable[Row]) -> int | None:
    """How many states all the rows visited; None if there is no row that visited any.

    Raises:
        Unequal: they visited different numbers of states.
    """
    counts = {row.name: row.states for row in rows if isinstance(row, Timing)}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {states:,}" for name, states in counts.items())
        raise Unequal(f"the same tree should have as many states for all: {told}")
    return next(iter(counts.values()), None)


def ratio(better: Row, than: Row) -> float | None:
    """How many times as many states a second `better` visits; None if one of the two is missing."""
    if isinstance(better, Timing) and isinstance(than, Timing):
        return better.rate / than.rate
    return None
