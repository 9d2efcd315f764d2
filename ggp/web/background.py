"""Work in the background: a search that is slow to compile goes on interpreted.

The compiler cannot be stopped: it goes on in a thread of its own after the answer, and the next search finds the code.
"""

import contextlib
import contextvars
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from ggp.searcher import Report, Searcher, SearchResult, stop_requested, stop_when

FoundT = TypeVar("FoundT")

COMPILING = 4.0
"""Seconds that a search may be without a result before the interpreted one replaces it."""
GRACE = 0.5
"""Seconds in which a search ends when it is asked to; if it takes longer, it is compiling."""
LAST = 60.0
"""Seconds that a worker which has been replaced may go on compiling."""
LOOK = 0.1

_threads: set[threading.Thread] = set()
"""Threads that go on after their answer."""


def result_within(seconds: float, task: Callable[[], FoundT], begun: threading.Event | None = None) -> FoundT | None:
    """Return the result of `task()`, or None if it is still compiling then; it goes on.

    Arguments:
        begun: once it is set, the task may take as long as it likes.

    Raises:
        KeyboardInterrupt: the task was asked to end, and ended without a result.
        Exception: what the task raised.
    """
    found: list[FoundT] = []
    errors: list[BaseException] = []
    late = threading.Event()

    def body() -> None:
        try:
            with stop_when(late.is_set):
                found.append(task())
        except BaseException as error:  # handed to the caller below
            errors.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(body,), name="ggp-background", daemon=True)
    thread.start()
    _wait(thread, seconds, begun)
    late.set()
    thread.join(GRACE)
    if errors:
        raise errors[0]
    if found:
        return found[0]
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
    """Return the same searcher without machine speed; None if it has no choice of speeds, or has made it."""
    given: Any = searcher
    return attrs.evolve(given, speed="interpreted") if getattr(searcher, "speed", None) == "auto" else None


def search(
    find: Callable[[Searcher, Report], SearchResult], searcher: Searcher, report: Report | None = None
) -> SearchResult:
    """Return the result of `find(searcher, report)`; of the interpreted searcher if compiling takes long."""
    slow, begun = interpreted(searcher), threading.Event()

    def look(found: SearchResult) -> None:
        begun.set()
        if report:
            report(found)

    if slow is None:
        return find(searcher, look)
    with contextlib.suppress(KeyboardInterrupt):
        found = result_within(COMPILING, lambda: find(searcher, look), begun)
        if found:
            return found
    if stop_requested():
        raise KeyboardInterrupt
    return find(slow, look)


def busy() -> bool:
    """Return whether something goes on after its answer."""
    _threads.difference_update([thread for thread in _threads if not thread.is_alive()])
    return bool(_threads)


def finish() -> None:
    """Wait for what goes on, up to a minute."""
    end = time.monotonic() + LAST
    for thread in tuple(_threads):
        thread.join(max(0.0, end - time.monotonic()))
