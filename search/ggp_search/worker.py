"""The search runs in a thread of its own; the calling thread keeps the clock and listens for Ctrl-C.

A signal handler waits until a call into machine code returns. So the caller waits where it can be interrupted, and
tells the search to stop through `Stop`.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ggp.searcher import asked_to_end

Answer = TypeVar("Answer")

PATIENCE = 0.2
"""Seconds between two looks at the signals where no time limit is nearer."""


class Stop:
    """Tells a running search to stop, and remembers why."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._live: list[Any] = []

    def watch(self, live: Any) -> None:
        """Let `live` (anything with a `limit` of nodes) be stopped by this."""
        self._live.append(live)
        if self.reason:
            live.limit = 0

    def now(self, reason: str) -> None:
        """Stop everything that is watched."""
        self.reason = self.reason or reason
        for live in self._live:
            live.limit = 0


class Alarm:
    """Stops what runs under it after some seconds, without stopping what comes after."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._over = False

    @contextlib.contextmanager
    def watching(self, live: Any) -> Iterator[None]:
        """Let `live` be stopped when the time is over, but no later than the end of this."""
        if self._seconds is None:
            yield
            return
        timer = threading.Timer(self._seconds, self._ring, (live,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._over = True

    def _ring(self, live: Any) -> None:
        with self._lock:
            if not self._over:
                live.limit = 0


def run(
    task: Callable[[], Answer], stop: Stop, seconds: float | None = None, look: Callable[[], None] | None = None
) -> Answer:
    """What `task()` answers or raises, from a thread of its own; meanwhile `look()` is called some times a second.

    After `seconds`, by Ctrl-C, and where `ggp.searcher.until` says so, it is told to stop.
    """
    answers: list[Answer] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def body() -> None:
        try:
            answers.append(task())
        except BaseException as error:  # handed to the caller below
            errors.append(error)
        finally:
            done.set()

    deadline = None if seconds is None else time.monotonic() + seconds
    thread = threading.Thread(target=body, name="ggp-search", daemon=True)
    thread.start()
    while not done.is_set():
        try:
            done.wait(_patience(deadline))
            if look:
                look()
            if deadline is not None and time.monotonic() >= deadline:
                stop.now("seconds")
                deadline = None
            if asked_to_end():
                stop.now("interrupt")
        except KeyboardInterrupt:
            if stop.reason == "interrupt":  # asked for twice: do not wait for it
                raise
            stop.now("interrupt")
    thread.join()
    if errors:
        raise errors[0]
    return answers[0]


def _patience(deadline: float | None) -> float:
    return PATIENCE if deadline is None else max(0.0, min(PATIENCE, deadline - time.monotonic()))
