"""Work in the background: a search that takes long to compile runs in the interpreter instead.

The compiler cannot be stopped. Compiling continues in another thread after the response, and the next search uses the
compiled code.
"""

import contextlib
import contextvars
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import attrs

from ggp.capabilities import legal_actions
from ggp.game import AnyGame, State
from ggp.options import changed
from ggp.play.clock import Clock
from ggp.play.players import ChosenAction, Machine
from ggp.progress import shown, unseen
from ggp.searcher import Report, Searcher, SearchResult, TwoSpeed, stop_requested, stop_when, unhurried

FoundT = TypeVar("FoundT")

COMPILING = 4.0
"""Seconds to wait for a first result of a compiled search before the interpreted search replaces it."""
AT_PLAY = 0.7
"""Seconds to wait for the compiler in a match that a person plays. If the player's time for a move is longer, wait that
long, but at most `COMPILING`.
"""
LONG_MOVE = 0.5
"""If the front end can tell the human why, a machine player with at least this many seconds for a move waits for the
compiler before its first move.

In half a second, interpreted `mcts` played only 24 random games of Hex; compiled, it plays thousands.
"""
PATIENCE = 60.0
"""Maximum number of seconds for which a machine player waits for the compiler before its first move."""
HURRIED = 1.0
"""Maximum seconds of an interpreted search in a match that a person plays, if the player has no limit of time."""
GRACE = 0.5
"""Maximum number of seconds that a search takes to end after it was asked to; a search that takes longer is still being
compiled.
"""
LAST = 60.0
"""Seconds that a replaced worker may continue to compile."""
LOOK = 0.1

_threads: set[threading.Thread] = set()
"""Threads that continue after their response was sent."""


def result_within(seconds: float, task: Callable[[], FoundT], begun: threading.Event | None = None) -> FoundT | None:
    """Return the result of `task()`, or None if it is still compiling after `seconds`; the task then continues.

    Arguments:
        begun: after this is set, the task has no time limit.

    Raises:
        KeyboardInterrupt: the task was asked to end, and has no result.
        Exception: the exception raised by the task.
    """
    results: list[FoundT] = []
    errors: list[BaseException] = []
    late = threading.Event()

    def body() -> None:
        try:
            with stop_when(late.is_set), unhurried():
                results.append(task())
        except BaseException as error:  # handed to the caller below
            errors.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(body,), name="ggp-background", daemon=True)
    thread.start()
    _wait(thread, seconds, begun)
    late.set()
    thread.join(GRACE)
    if errors:
        raise errors[0]
    if results:
        return results[0]
    _threads.add(thread)
    if stop_requested():
        raise KeyboardInterrupt
    return None


def _wait(thread: threading.Thread, seconds: float, begun: threading.Event | None) -> None:
    end = time.monotonic() + seconds
    while thread.is_alive() and not stop_requested():
        if time.monotonic() > end and not (begun and begun.is_set()):
            return
        thread.join(LOOK)


def interpreted(searcher: Searcher) -> Searcher | None:
    """Return the searcher with interpreted speed; None if it has no such option, or a speed was chosen explicitly."""
    automatic = isinstance(searcher, TwoSpeed) and searcher.speed == "auto"
    return changed(searcher, speed="interpreted") if automatic else None


def search(
    find: Callable[[Searcher, Report], SearchResult],
    searcher: Searcher,
    report: Report | None = None,
    patience: float | None = None,
) -> SearchResult:
    """Return the result of `find(searcher, report)`, by the interpreted searcher if compiling takes too long.

    Arguments:
        patience: seconds to wait for a first result; None: `COMPILING`.
    """
    slow, begun = interpreted(searcher), threading.Event()

    def look(result: SearchResult) -> None:
        begun.set()
        if report:
            report(result)

    if slow is None:
        return find(searcher, look)
    result = None
    with contextlib.suppress(KeyboardInterrupt):
        result = result_within(COMPILING if patience is None else patience, lambda: find(searcher, look), begun)
    if result and (result.stopped != "interrupt" or stop_requested()):
        return result
    if stop_requested():
        raise KeyboardInterrupt
    # A result that was stopped came just after the time to wait: its code is compiled by now.
    return find(searcher if result else slow, look)


def short_search(find: Callable[[Searcher, Report], SearchResult], searcher: Searcher) -> SearchResult:
    """Search as `search` does. While a thread is still compiling, a short search does not wait in another thread, but
    is interpreted at once.
    """
    slow = interpreted(searcher) if busy() else None
    return find(slow, lambda _: None) if slow else search(find, searcher)


def choose(machine: Machine, game: AnyGame, state: State, clock: Clock) -> ChosenAction:
    """Return a machine's choice against a person, who should not wait for a compiler without knowing why. Until the
    search is compiled, it runs interpreted, for at most `HURRIED` seconds if it has no limit of time. A search with a
    limit of depth or nodes waits until it is compiled, since a limit of time would change its result. A search with
    `LONG_MOVE` seconds for a move waits, too, if the front end shows that the search is being compiled. Raises as
    `Machine.choose` does.
    """
    own, began = machine.limits, time.perf_counter()
    forced = len(legal_actions(game, state)) == 1
    reproducible = clock.budget is None and own.seconds is None and (own.depth is not None or own.nodes is not None)
    if forced or reproducible:
        return machine.choose(game, state, clock)

    def find(searcher: Searcher, report: Report) -> SearchResult:
        limits = attrs.evolve(own, seconds=HURRIED) if searcher is not machine.searcher and own.seconds is None else own
        waited = time.perf_counter() - began  # for the compiler, if the search that is compiled was given up
        result = attrs.evolve(machine, searcher=searcher, limits=limits).think(game, state, clock, report)
        if searcher is machine.searcher:
            return result
        compiling = result.statistics.compile_seconds + waited
        return attrs.evolve(result, statistics=attrs.evolve(result.statistics, compile_seconds=compiling))

    slow = interpreted(machine.searcher)
    if slow is None:
        return machine.choose(game, state, clock)
    result = find(slow, lambda _: None) if busy() else None
    if result is None:
        waits = shown.get() is not unseen and own.seconds is not None and own.seconds >= LONG_MOVE
        patience = PATIENCE if waits else min(max(AT_PLAY, own.seconds or 0), COMPILING)
        result = search(find, machine.searcher, patience=patience)
    if result.stopped == "interrupt":
        raise KeyboardInterrupt
    return ChosenAction(result.action, result)


def busy() -> bool:
    """Return whether a thread still works after its response was sent."""
    _threads.difference_update([thread for thread in _threads if not thread.is_alive()])
    return bool(_threads)


def finish() -> None:
    """Wait, for a minute at most, until all threads that continue after their response have ended."""
    end = time.monotonic() + LAST
    for thread in tuple(_threads):
        thread.join(max(0.0, end - time.monotonic()))
