"""ABDADA: threads that share one search.

Each thread runs the whole search on a common table, and postpones actions that another thread is searching.

All threads search the first action of a state. Each other action is postponed while some thread is searching it; later,
its result is in the table. The actions being searched are marked in a small array of hashes, without locks. A wrong or
lost mark costs time, but never changes a value.

A thread that has finished a state overtakes the threads that are still searching it: they leave the state at once, and
take its value from the table. When threads did not leave such states, the second thread of a search of Kalah to depth
20 spent most of its time below states that the first thread had cut.

Actions of a state whose window is open on a side are not divided among the threads: the value of each action narrows
the window of the next action so much that searching both at once takes longer than searching one after the other (at
depth 22 of a game of Kalah: 1.6 times the nodes of one thread, otherwise 0.9 times).

Source: T. Kerrigan, Simplified ABDADA (2017), after J.-C. Weill, The ABDADA distributed minimax search algorithm, ICCA
Journal 19(1) (1996).
"""

import ctypes
import queue
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, ClassVar, TypeAlias

from ggp import compiler
from ggp.compiler.intrinsics import get_value, hash_of, load, mix, put_value, save, spread, words_of
from ggp.game import Action, CapableGame, State
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.ordering import ROW, RowOrder
from ggp_search.engine.search import Search
from ggp_search.memory.buffer import Buffer

MIN_SHARED_HEIGHT = 5
"""Minimum height of a state at which threads mark actions, and which an overtaken thread leaves. Below this height,
searches are so short that neither would save time.
"""
MARKS = 1 << 12
"""Number of marks in the array."""
MOST_THREADS = 256
"""Maximum number of threads that can be overtaken."""
MIN_PARALLEL_DEPTH = 8
"""Minimum depth in plies at which several threads are worth their cost."""
MIN_PARALLEL_NODES = 64
"""Other threads are started only if the limit leaves at least this number of nodes."""
DEPTHS = (1 << 12) - 1
"""The bits of a number that hold a depth."""


class Overtaken(Exception):
    """Raised in a thread if another thread has finished a state that this thread is searching."""


class SharedOrder(RowOrder):
    """The order of `RowOrder`, except that actions which other threads are searching come last.

    Each thread has a line: for each depth, a number for the state that the thread is searching there (0: none), and the
    mark of the action that it is searching there (0: none). After the line comes the number of the state in which the
    thread was overtaken.
    """

    variables: ClassVar[tuple[str, ...]] = ("rows", "busy", "is_open")

    def __init__(
        self, table: Any, game: CapableGame, by: str, evaluation: Callable[[State], float], action_words: int
    ) -> None:
        super().__init__(game, by, evaluation, action_words)
        self.table = table
        self.buffer = Buffer(8 * (MARKS + 1 + MOST_THREADS))
        self.busy = self.buffer.address
        """The address of the array; after it come the number of threads and the addresses of their lines."""
        self.is_open = False
        """Whether the window of the state that was entered last is open on a side, as it is before a first value."""
        self.line_at = super().room()[1]
        self.overtaken_at = 16 * (MAX_PLIES + 1)

    def room(self) -> tuple[str, int]:
        return "rows", self.line_at + self.overtaken_at + 16

    def begin(self, address: int, code: compiler.Code | None = None) -> None:
        """Make a thread's line known to the other threads."""
        counted = self.busy + 8 * MARKS
        if load(counted) < MOST_THREADS:
            save(counted, load(counted) + 1)
            save(counted + 8 * load(counted), address + self.line_at)

    def clear(self) -> None:
        """Remove what an earlier search of any thread has left, since the search may have been stopped anywhere."""
        counted = self.busy + 8 * MARKS
        ctypes.memset(self.busy, 0, 8 * MARKS)
        for index in range(load(counted)):
            ctypes.memset(load(counted + 8 + 8 * index), 0, self.overtaken_at + 16)

    def number_of(self, state: State, depth: int) -> int:
        """Return a number for a state at a depth, from which the depth can be read."""
        hashed = hash_of(words_of(self.table.key(self.table.canonical(state))))
        return hashed & ~DEPTHS | depth

    def address_of(self, mark: int) -> int:
        """Return the address of a mark in the array."""
        return self.busy + 8 * spread(mark, MARKS)

    def order(self, state: State, depth: int, choice: Action | None) -> Iterator[Action]:
        is_shared = self.table.height(state, depth) >= MIN_SHARED_HEIGHT and not self.is_open
        line = self.rows + self.line_at + 16 * depth
        number = load(line)
        if choice is not None:
            yield choice
        row = self.rows + self.width * ROW * depth
        count, waiting = self.fill(state, depth, choice, row), 0
        for first in range(min(count, ROW)):
            action = self.pick(row, first, min(count, ROW), choice)
            # The first action is never postponed: its value gives every thread its window.
            if not is_shared or (first == 0 and choice is None):
                yield action
            else:
                mark = mix(mix(number, hash_of(words_of(action))), 1) | 1
                slot = self.address_of(mark)
                if load(slot) == mark:  # another thread is at it
                    # At most `first` actions wait, so this overwrites only entries that were already yielded.
                    put_value(row + self.width * waiting + 8, action)
                    waiting += 1
                else:
                    # Without a lock: two threads may both search the action, which costs time but changes no value.
                    save(slot, mark)
                    save(line + 8, mark)
                    yield action
                    save(line + 8, 0)
                    save(slot, 0)
        for later in range(waiting):
            yield get_value(row + self.width * later + 8, choice)
        if count > ROW:
            for action in self.beyond_row(state, choice):
                yield action

    def enter(self, number: int, depth: int, is_open: bool) -> None:
        """Begin to search a state.

        Raises:
            Overtaken: another thread has finished a state on the way from the root to this one.
        """
        line = self.rows + self.line_at
        overtaken = load(line + self.overtaken_at)
        if overtaken != 0:
            save(line + self.overtaken_at, 0)
            # If the state is no longer in the line, the thread has left it by itself.
            if load(line + 16 * (overtaken & DEPTHS)) == overtaken:
                save(line + self.overtaken_at + 8, overtaken)
                raise Overtaken
        save(line + 16 * depth, number)
        self.is_open = is_open

    def was_overtaken(self, number: int) -> bool:
        """Return whether the thread was overtaken in this state."""
        return load(self.rows + self.line_at + self.overtaken_at + 8) == number

    def overtake(self, number: int, depth: int) -> None:
        """Tell the other threads that this thread has finished a state."""
        line, counted = self.rows + self.line_at, self.busy + 8 * MARKS
        for index in range(load(counted)):
            other = load(counted + 8 + 8 * index)
            if other != line and load(other + 16 * depth) == number:
                save(other + self.overtaken_at, number)

    def leave(self, depth: int) -> None:
        """Stop searching a state; remove the mark of the last action, which is still in the array after a cutoff."""
        line = self.rows + self.line_at + 16 * depth
        mark = load(line + 8)
        save(line, 0)
        save(line + 8, 0)
        if mark != 0 and load(self.address_of(mark)) == mark:
            save(self.address_of(mark), 0)


class SharedSearch(Search):
    """A search that shares its states with other threads."""

    def searched(
        self,
        state: State,
        depth: int,
        alpha: float,
        beta: float,
        lower: float,
        upper: float,
        choice: Action | None,
    ) -> float:
        """See `Search.searched`. If another thread finishes the state first, its value is taken from the table."""
        ordering: Any = self.ordering
        if self.table.height(state, depth) < MIN_SHARED_HEIGHT:
            return Search.searched(self, state, depth, alpha, beta, lower, upper, choice)
        is_null = self.integral and min(beta, upper) - max(alpha, lower) == 1
        is_open = not is_null and (alpha == self.lowest or beta == self.highest)
        number, extended = ordering.number_of(state, depth), self.extended
        ordering.enter(number, depth, is_open)
        try:
            best = Search.searched(self, state, depth, alpha, beta, lower, upper, choice)
        except Overtaken:
            ordering.leave(depth)
            if not ordering.was_overtaken(number):
                raise
            self.extended = extended
            return self.value(state, depth, alpha, beta)
        if self.path is None:  # otherwise, the value may depend on the path, and is not in the table
            ordering.overtake(number, depth)
        ordering.leave(depth)
        return best


class HelperThreads:
    """Threads that wait for tasks.

    The threads are started once: most searches for the principal variation take less time than the start of a thread.
    """

    NAME: ClassVar[str] = "ggp helper"

    def __init__(self, count: int) -> None:
        self.count, self.started = count, False
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()

    def run(self, function: Callable[..., None], *arguments: object) -> "Future[None]":
        """Let a thread call a function. A task that no thread has begun can be cancelled."""
        if not self.started:
            self.started = True
            for _ in range(self.count):
                threading.Thread(target=_work, args=(self._tasks,), name=self.NAME, daemon=True).start()
                weakref.finalize(self, self._tasks.put, None)
        future: Future[None] = Future()
        self._tasks.put((future, function, arguments))
        return future


Task: TypeAlias = "tuple[Future[None], Callable[..., None], tuple[object, ...]]"


def _work(tasks: "queue.SimpleQueue[Task | None]") -> None:
    """Run the tasks in a queue until the queue yields None."""
    while task := tasks.get():
        future, function, arguments = task
        runs, failure = future.set_running_or_notify_cancel(), None
        if runs:
            try:
                function(*arguments)
            except BaseException as error:  # raised again where the result is waited for
                failure = error
        # When somebody hears that the task is over, its engine and memory may have no other owner.
        del task, function, arguments
        if failure is not None:
            future.set_exception(failure)
        elif runs:
            future.set_result(None)
        del future, failure
