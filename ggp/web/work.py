"""Work in threads: so much at once, so much in line, so much of one visitor, and so long.

The server's own loop never waits for a game or a search. Each piece of work has a thread to itself. When its time is
over, or nobody wants its answer any more, the searches in it are told to end (see `ggp.searcher.until`); what goes on
nevertheless, a game's rules that come to no end, is interrupted where it is.
"""

import asyncio
import contextlib
import ctypes
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from ggp.searcher import until
from ggp.web.problems import BusyError, TooManyError, TooMuchError

Answer = TypeVar("Answer")

GRACE = 1.0
"""Seconds that a search has to end after it was told to."""


class TimeIsOverError(BaseException):
    """Raised in the middle of whatever goes on too long; no rule of a game catches it."""


class Task(threading.Thread):
    """A piece of work in a thread of its own, which can be told to end."""

    def __init__(self, work: Callable[[], Any], ended: Callable[["Task"], None]) -> None:
        super().__init__(name="ggp-work", daemon=True)
        self.answer: Any = None
        self.error: BaseException | None = None
        self._work, self._ended = work, ended
        self._told = threading.Event()
        self._lock = threading.Lock()
        self._over = False

    def run(self) -> None:
        """Work, and keep the answer or what was raised instead."""
        try:
            with until(self._told.is_set):
                self.answer = self._work()
        except BaseException as error:  # whoever waits for the answer gets it
            self.error = error
        finally:
            with self._lock:
                self._over = True
            self._ended(self)

    def tell_to_end(self) -> None:
        """End the searches in it."""
        self._told.set()

    def break_off(self) -> None:
        """End it, wherever it is, as soon as it runs Python."""
        with self._lock:
            if not self._over and self.ident is not None:
                raised = ctypes.py_object(TimeIsOverError)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), raised)


class Workshop:
    """Where work is done.

    Arguments:
        at_once: pieces of work that go on at the same time.
        waiting: pieces that wait for others to end, at most.
        each: pieces of one visitor, waiting or not, at most.
        seconds: what a piece may take.
        what: what it is, in words: "searches".
    """

    def __init__(self, what: str, *, at_once: int, waiting: int, each: int, seconds: float) -> None:
        self.what, self.seconds = what, seconds
        self._at_once, self._waiting, self._each = at_once, waiting, each
        self._places = asyncio.Semaphore(at_once)
        self._visitors: Counter[str] = Counter()
        self._tasks: set[Task] = set()

    @property
    def under_way(self) -> int:
        """Pieces of work that wait or go on."""
        return sum(self._visitors.values())

    async def do(self, visitor: str, work: Callable[[], Answer]) -> Answer:
        """What `work()` answers or raises.

        Raises:
            TooManyError, BusyError: the visitor has, or all have, too much under way.
            TooMuchError: it took longer than it may.
        """
        ended = asyncio.Event()
        task = await self.begin(visitor, work, ended.set)
        try:
            await asyncio.wait_for(ended.wait(), self.seconds)
        except TimeoutError:
            task.tell_to_end()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), GRACE)
            raise self._too_slow() from None
        finally:
            task.tell_to_end()
            task.break_off()
        if isinstance(task.error, KeyboardInterrupt | TimeIsOverError):
            raise self._too_slow() from None
        if task.error:
            raise task.error
        answer: Answer = task.answer
        return answer

    async def begin(self, visitor: str, work: Callable[[], Any], ended: Callable[[], None]) -> Task:
        """Begin a piece of work as soon as there is a place for it; `ended()` is called in the loop.

        The place is free again when the work has ended, even if nobody waits for that. Raises as `do` does.
        """
        self._admit(visitor)
        try:
            await self._places.acquire()
        except BaseException:
            self._forget(visitor)
            raise
        loop = asyncio.get_running_loop()

        def leave(task: Task) -> None:
            self._tasks.discard(task)
            self._places.release()
            self._forget(visitor)
            ended()

        def over(task: Task) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
                loop.call_soon_threadsafe(leave, task)

        task = Task(work, over)
        self._tasks.add(task)
        task.start()
        return task

    def _too_slow(self) -> TooMuchError:
        return TooMuchError(f"this took more than {self.seconds:g} seconds, which is all that a page gives to it")

    def _admit(self, visitor: str) -> None:
        if self._visitors[visitor] >= self._each:
            raise TooManyError(f"you have {self._each} {self.what} under way, which is the most: let one end first")
        if self.under_way >= self._at_once + self._waiting:
            raise BusyError(f"{self.under_way} {self.what} are under way, which is the most: try again in a moment")
        self._visitors[visitor] += 1

    def _forget(self, visitor: str) -> None:
        self._visitors[visitor] -= 1
        if self._visitors[visitor] <= 0:
            del self._visitors[visitor]

    def close(self) -> None:
        """Tell everything to end."""
        for task in tuple(self._tasks):
            task.tell_to_end()
