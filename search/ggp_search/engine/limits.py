"""Limits and cancellation: nodes, time and Ctrl-C, in one object.

A search runs in another thread, while the calling thread watches the clock and waits for Ctrl-C. (Python runs a signal
handler only after a call into machine code returns, so the main thread must not be inside such a call.) A search stops
only at its limit of nodes. To stop it, `Control` sets that limit to 0.
"""

import contextlib
import math
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Protocol, Self, TypeVar

from ggp.errors import FaultError
from ggp.plugin_faults import machine_call, machine_progress
from ggp.searcher import stop_requested
from ggp_search.engine.search import SearchStopped

AnswerT = TypeVar("AnswerT")
KeyT = TypeVar("KeyT")

PATIENCE = 0.2
"""Seconds between two checks for signals, if no time limit is nearer."""

FIRST_TURN = 100
"""Maximum number of nodes of a task in its first turn (see `Control.in_turns`). The number is small, since many tasks
need few nodes.
"""

TURN_GROWTH = 4
"""Factor by which the nodes of a turn grow; all earlier turns together cost a third of the last turn."""

GRACE = 3.0
"""ggp stops waiting for a cancelled search after this many seconds of processor time without progress."""

CLOCK = "GGP_CLOCK"
"""The environment variable that chooses the clock for time limits; "processor" means processor time."""

THREADS = sys.platform != "emscripten"
"""Whether the platform has threads. Python in a browser has no threads; the clock is then checked at every node."""


class Counter(Protocol):
    """Counts the nodes of a search, and holds their limit."""

    @property
    def nodes(self) -> int: ...

    limit: int


class Control:
    """The remaining limits of a search, and the reason why the search must end."""

    def __init__(self, nodes: int | None = None) -> None:
        self.reason: str | None = None
        """The reason why the search was stopped: "seconds", "nodes", "interrupt", or None."""
        self._most = sys.maxsize if nodes is None else nodes
        self._watched: list[weakref.ref[Counter]] = []
        self._lock = threading.Lock()
        self._paused = False
        self._deadline = self._pause_at = math.inf
        """The times to stop and to pause, if no thread watches the clock."""

    def watch(self, counter: Counter) -> None:
        """Watch the search that counts its nodes in `counter`, and give `counter` the limit of nodes."""
        with self._lock:
            self._watched.append(weakref.ref(counter))
            counter.limit = self._limit(self._most)

    def allow(self, nodes: int | None = None) -> None:
        """Let each watched search enter up to `nodes` more nodes, within the limit."""
        with self._lock:
            for counter in self._counters():
                wanted = sys.maxsize if nodes is None else counter.nodes + nodes
                counter.limit = self._limit(min(self._most, wanted))

    def in_turns(self, tasks: Mapping[KeyT, Callable[[], AnswerT]]) -> Iterator[tuple[KeyT, AnswerT]]:
        """Run the tasks in turns. As soon as a task is done, yield its key and its result.

        In each turn, a task may enter a limited number of nodes, and the limit grows from turn to turn. The first task
        may enter as many nodes as all other tasks together. So the tasks together enter a fixed multiple of the nodes
        of the task that ends first. If the first task ends first, the multiple is only about two.

        Raises:
            SearchStopped: a limit of the whole work is reached.
        """
        left, nodes, favourite = dict(tasks), FIRST_TURN, next(iter(tasks), None)
        while left:
            for key, task in list(left.items()):
                share = nodes * max(1, len(tasks) - 1) if key == favourite else nodes
                turn = self._begin_turn(share if len(left) > 1 else sys.maxsize)
                try:
                    answer = task()
                except SearchStopped:
                    # A task whose turn ended continues later; any other reason to stop the search stops the whole work.
                    if any(limit == counter.limit <= counter.nodes for counter, limit, outer in turn if limit < outer):
                        continue
                    raise
                finally:
                    self._end_turn(turn)
                del left[key]
                yield key, answer
            nodes *= TURN_GROWTH

    def _begin_turn(self, nodes: int) -> list[tuple[Counter, int, int]]:
        """Let each watched search enter up to `nodes` more nodes. Return the limit of each search for this turn, and
        its earlier limit.
        """
        with self._lock:
            counters = [(counter, int(counter.limit)) for counter in self._counters()]
            turn = [(counter, min(outer, counter.nodes + nodes), outer) for counter, outer in counters]
            for counter, limit, _ in turn:
                counter.limit = self._limit(limit)
            return turn

    def _end_turn(self, turn: list[tuple[Counter, int, int]]) -> None:
        with self._lock:
            for counter, limit, outer in turn:
                if counter.limit == limit:  # it was not stopped meanwhile
                    counter.limit = self._limit(outer)

    def _limit(self, nodes: int) -> int:
        if self.reason or self._paused:
            return 0
        return nodes if THREADS else _Clock(nodes, self)

    def look(self) -> bool:
        """Stop or pause if the time has come; return whether the search should end."""
        now = time.monotonic()
        if now >= self._deadline:
            self.stop("seconds")
        elif now >= self._pause_at:
            self._pause()
        return self.reason is not None or self._paused

    def stop(self, reason: str) -> None:
        """Stop all watched searches."""
        with self._lock:
            # The first reason counts: a stopped search may run into other limits while it ends. But Ctrl-C is never
            # lost: it ends more than this search.
            self.reason = reason if reason == "interrupt" else self.reason or reason
            self._halt()

    def check(self) -> None:
        """Raise SearchStopped if the search was stopped."""
        if self.reason:
            raise SearchStopped

    def _halt(self) -> None:
        for counter in self._counters():
            counter.limit = 0

    def _counters(self) -> list[Counter]:
        counters = [each() for each in self._watched]
        return [each for each in counters if each is not None]

    @contextlib.contextmanager
    def at_most(self, seconds: float | None) -> Iterator[None]:
        """Stop the work in the `with` block after `seconds`; later work is not stopped."""
        if seconds is None:
            yield
            return
        if not THREADS:
            # A pause, not a stop: after this block, the search may go on within its own limits.
            self._pause_at = time.monotonic() + seconds
            try:
                yield
            finally:
                self._pause_at, self._paused = math.inf, False
            return
        clock, over = _clock(threading.current_thread()), threading.Event()
        end = clock() + seconds

        def watch() -> None:
            while (left := end - clock()) > 0:
                if over.wait(left):
                    return
            self._pause()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()
            self._paused = False

    def _pause(self) -> None:
        with self._lock:
            self._paused = True
            self._halt()

    def run(
        self, task: Callable[[], AnswerT], seconds: float | None = None, look: Callable[[], None] | None = None
    ) -> AnswerT:
        """Run `task()` in another thread; return its result, or raise its exception.

        The task is stopped after `seconds`, by Ctrl-C, and by `ggp.searcher.stop_when`.

        Arguments:
            look: called several times a second while the task runs; an exception that it raises ends the task.

        Raises:
            FaultError: the search does not stop although it was asked to, because a call of the rules does not return.
        """
        if not THREADS:
            self._deadline = math.inf if seconds is None else time.monotonic() + seconds
            return task()
        answers: list[AnswerT] = []
        errors: list[BaseException] = []
        done = threading.Event()

        def body() -> None:
            try:
                answers.append(task())
            except BaseException as error:  # handed to the caller below
                errors.append(error)
            finally:
                done.set()

        thread = threading.Thread(target=body, name="ggp-search", daemon=True)
        clock, deadline = time.monotonic, None
        try:
            thread.start()
        except KeyboardInterrupt:
            if thread not in threading.enumerate():
                raise
            self.stop("interrupt")  # pressed while the thread was already at work, and `start` had not returned
        if seconds is not None:
            clock = _clock(thread)
            deadline = clock() + seconds
        stopping = _Stopping(thread)
        while not done.is_set():
            try:
                done.wait(PATIENCE if deadline is None else max(0.0, min(PATIENCE, deadline - clock())))
                if self.reason:
                    stopping.look()
                if look:
                    look()
                # `stop` only sets the limit of nodes to 0: the search ends by itself at its next node.
                if deadline is not None and clock() >= deadline:
                    self.stop("seconds")
                    deadline = None
                if stop_requested():
                    self.stop("interrupt")
            except KeyboardInterrupt:
                if self.reason == "interrupt":  # asked for twice: do not wait for it
                    raise
                self.stop("interrupt")
            except BaseException:
                self.stop("interrupt")
                raise
        thread.join()
        if errors:
            raise errors[0]
        return answers[0]


class _Stopping:
    """A search that was asked to stop. The search stops at its next node, unless its machine code never reaches one."""

    def __init__(self, thread: threading.Thread) -> None:
        self.thread = thread
        self._seen: tuple[object, object] | None = None
        self._since = 0.0

    def look(self) -> None:
        """Raise FaultError if the same call of machine code has entered no node for `GRACE` seconds."""
        frame = sys._current_frames().get(self.thread.ident or 0)
        progress = machine_progress(frame) if frame is not None else None
        if progress is None:
            self._seen = None
        elif self._seen != (frame, progress):
            self._seen, self._since = (frame, progress), time.process_time()
        elif time.process_time() - self._since > GRACE:
            raise FaultError(f"{self._call(frame)} has not returned, and the search cannot be stopped")

    @staticmethod
    def _call(frame: FrameType | None) -> str:
        """Return the game, and the call of the game's rules that does not return."""
        assert frame is not None
        assert frame.f_back is not None
        engine, state = frame.f_back.f_locals["self"], frame.f_locals["values"][0]
        return f"{engine.game.name} failed: {machine_call(engine.game, state)}"


class _Clock(int):
    """A limit of nodes that checks the clock at each comparison. Python evaluates `nodes >= limit` by the method of
    this class, because the class is a subclass of int.
    """

    def __new__(cls, nodes: int, control: Control) -> Self:
        limit = super().__new__(cls, nodes)
        limit._control = control
        return limit

    _control: Control

    def __le__(self, nodes: int) -> bool:
        return self._control.look() or int(self) <= nodes


def _clock(thread: threading.Thread) -> Callable[[], float]:
    """Return the clock for a time limit on the work of a thread.

    The clock is the wall clock. If GGP_CLOCK asks for it, the clock is the thread's processor time, which does not
    depend on other work of the machine.
    """
    if os.environ.get(CLOCK) != "processor" or not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    latest = 0.0

    def used() -> float:
        nonlocal latest
        with contextlib.suppress(OSError):  # the thread has ended
            latest = time.clock_gettime(time.pthread_getcpuclockid(thread.ident or 0)) if thread.is_alive() else latest
        return latest

    return used
