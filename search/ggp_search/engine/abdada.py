"""ABDADA: threads that share one search.

Each thread runs the whole search on a common table, and postpones actions that another thread is searching.

All threads search the first action of a state. Each other action is postponed while some thread is searching it; later,
its result is in the table. The actions being searched are recorded in a small array of hashes, without locks: a wrong
or lost record costs time, but never changes a value.

Source: T. Kerrigan, Simplified ABDADA (2017), after J.-C. Weill, The ABDADA distributed minimax search algorithm, ICCA
Journal 19(1) (1996).
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from ggp.compiler.intrinsics import get_value, load, mix, put_value, save, spread, words_of
from ggp.game import Action, CapableGame, State
from ggp_search.engine.ordering import ROW, RowOrder
from ggp_search.engine.search import StateMemory
from ggp_search.memory.buffer import Buffer
from ggp_search.memory.transposition_table import hash_of

MIN_SHARED_HEIGHT = 5
"""Minimum height of a state whose actions are recorded; at lower heights, searches are too short."""
NOTES = 1 << 12
"""Number of records in the array."""
MIN_PARALLEL_DEPTH = 8
"""Minimum depth in plies at which several threads are worth their cost."""
MIN_PARALLEL_NODES = 64
"""Other threads are started only if the limit leaves at least this number of nodes."""


class SharedOrder(RowOrder):
    """The order of `RowOrder`, except that actions which other threads are searching come last."""

    variables: ClassVar[tuple[str, ...]] = ("rows", "busy")

    def __init__(
        self, table: Any, game: CapableGame, by: str, evaluation: Callable[[State], float], action_words: int
    ) -> None:
        super().__init__(game, by, evaluation, action_words)
        self.table = table
        self.buffer = Buffer(8 * NOTES)
        self.busy = self.buffer.address
        """The address of the array."""

    def note_of(self, state: State, action: Action) -> int:
        """Return the hash that marks an action as being searched."""
        hashed = hash_of(words_of(self.table.key(self.table.canonical(state))))
        return mix(mix(hashed, hash_of(words_of(action))), 1) | 1

    def place_of(self, note: int) -> int:
        """Return the address of a record in the array."""
        return self.busy + 8 * spread(note, NOTES)

    def order(self, state: State, depth: int, choice: Action | None) -> Iterator[Action]:
        if choice is not None:
            yield choice
        row = self.rows + self.width * ROW * depth
        count, waiting = self.fill(state, depth, choice, row), 0
        is_low = self.table.height(state, depth) < MIN_SHARED_HEIGHT
        for first in range(min(count, ROW)):
            action = self.pick(row, first, min(count, ROW), choice)
            # The first action is never postponed: its value gives every thread its window.
            if is_low or (first == 0 and choice is None):
                yield action
            else:
                note = self.note_of(state, action)
                slot = self.place_of(note)
                if load(slot) == note:  # another thread is at it
                    # At most `first` actions wait, so this overwrites only entries that were already yielded.
                    put_value(row + self.width * waiting + 8, action)
                    waiting += 1
                else:
                    # Without a lock: two threads may both search the action, which costs time but changes no value.
                    save(slot, note)
                    yield action
                    save(slot, 0)
        for later in range(waiting):
            yield get_value(row + self.width * later + 8, choice)
        if count > ROW:
            for action in self.beyond_row(state, choice):
                yield action

    def done(self, state: State, depth: int, choice: Action | None) -> None:
        """Remove the record of the action that caused a cutoff, since it is still in the array."""
        if choice is not None and self.table.height(state, depth) >= MIN_SHARED_HEIGHT:
            note = self.note_of(state, choice)
            if load(self.place_of(note)) == note:
                save(self.place_of(note), 0)


class SharedMemory:
    """A memory of values that also removes the records of a state when the search leaves the state."""

    def __init__(self, memory: StateMemory, ordering: SharedOrder) -> None:
        self.memory, self.ordering, self.table = memory, ordering, ordering.table

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        """See `ggp_search.memory.transposition_table.StateMemory`."""
        return self.memory.probe(state, depth, alpha, beta)

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        """See `ggp_search.memory.transposition_table.StateMemory`."""
        self.memory.store(state, depth, lower, upper, choice, work)
        self.ordering.done(state, depth, choice)
