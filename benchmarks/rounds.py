"""Interleaved rounds: the contenders, and the time that each of them took."""

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping

import attrs


class Unavailable(Exception):
    """Raised if a contender is not available on this machine; the message gives the reason."""


class Unequal(Exception):
    """Raised if contenders that search the same tree have not visited the same number of states."""


@attrs.frozen
class Contender:
    """Something that is timed."""

    run: Callable[[], object]
    count: Callable[[], int]
    """A function that runs the contender once, untimed, and returns the number of states that this run visits.
    """
    before: Callable[[], object] = lambda: None
    """A function that is called before each run. The time of this function does not count."""


@attrs.frozen
class Timing:
    """The time and the states of a contender."""

    name: str
    states: int
    """Number of states that one run visits."""
    seconds: tuple[float, ...]
    """The time of one run, for each round."""

    @property
    def median(self) -> float:
        """The median of the rounds, in seconds."""
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """The longest round minus the shortest, as a share of the median."""
        return (max(self.seconds) - min(self.seconds)) / self.median

    @property
    def rate(self) -> float:
        """States a second."""
        return self.states / self.median


@attrs.frozen
class Missing:
    """A contender that is not available."""

    name: str
    why: str


Row = Timing | Missing
Maker = Callable[[], Contender]
Clock = Callable[[], float]


def interleave(
    makers: Mapping[str, Maker], rounds: int, shortest: float, clock: Clock = time.process_time
) -> list[Row]:
    """Run the contenders in turn, several times; return one row for each name, in the given order.

    Arguments:
        makers: for each name, a function that makes the contender, or raises `Unavailable`.
        rounds: the number of turns of each contender, 1 or more.
        shortest: minimum length of a turn in seconds; a shorter run is repeated.
        clock: returns the time in seconds.
    """
    turns = [_turns(name, make, shortest, clock) for name, make in makers.items()]
    for _ in range(rounds):
        for each in turns:
            if isinstance(each, _Turns):
                each.take(clock)
    return [each.timing() if isinstance(each, _Turns) else each for each in turns]


@attrs.frozen
class _Turns:
    """A contender that is ready, and the times of its turns so far."""

    name: str
    contender: Contender
    states: int
    repeats: int
    seconds: list[float] = attrs.field(factory=list)

    def take(self, clock: Clock) -> None:
        """Run the contender as often as a turn requires."""
        gc.collect()
        self.seconds.append(sum(_timed(self.contender, clock) for _ in range(self.repeats)) / self.repeats)

    def timing(self) -> Timing:
        """Return the times of all turns."""
        return Timing(self.name, self.states, tuple(self.seconds))


def _turns(name: str, make: Maker, shortest: float, clock: Clock) -> _Turns | Missing:
    try:
        contender = make()
    except Unavailable as error:
        return Missing(name, str(error))
    contender.before()
    started = clock()
    states = contender.count()  # from here on it is warm
    repeats = 1 if clock() - started >= shortest else round(shortest / max(_timed(contender, clock), SHORT))
    return _Turns(name, contender, states, max(1, repeats))


def _timed(contender: Contender, clock: Clock) -> float:
    contender.before()
    started = clock()
    contender.run()
    return clock() - started


SHORT = 1e-6
"""Seconds below which the clock is too coarse to be trusted."""


def same_states(rows: Iterable[Row]) -> int | None:
    """Return the number of states that every row visited; None if no row visited any.

    Raises:
        Unequal: the contenders visited different numbers of states.
    """
    counts = {row.name: row.states for row in rows if isinstance(row, Timing)}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {states:,}" for name, states in counts.items())
        raise Unequal(f"the same tree should have as many states for all: {told}")
    return next(iter(counts.values()), None)


def ratio(better: Row, than: Row) -> float | None:
    """Return the states a second of `better`, divided by those of `than`; None if one of the two is missing."""
    if isinstance(better, Timing) and isinstance(than, Timing):
        return better.rate / than.rate
    return None
