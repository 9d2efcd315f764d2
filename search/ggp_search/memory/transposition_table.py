"""Transposition tables: stored results of states, shared by all paths that lead to them.

An entry holds bounds of `value - score` and the best action, under the `key` of the canonical state (see `ggp.game`). A
search uses only entries of exactly its depth, or entries that hold to the end of the game. So a table never changes a
value. From an entry of an earlier iteration, only the best action is used, not the bounds. So a search is exact if its
last iteration meets no estimate.

An action is stored as its index among the canonical state's actions. To get the action back, these actions are listed.
So even a wrong entry gives a legal action.
"""

from collections.abc import Hashable
from typing import Any, ClassVar, Protocol, TypeAlias

from ggp.compiler.intrinsics import bits_of, hash_of, load, mix, prefetch, save, spread, value_of, words_of
from ggp.game import CHANCE, MAX, MIN, Action, CapableGame, State
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.settings import Numbers
from ggp_search.memory.buffer import Buffer, ThreadMemory

WHOLE = MAX_PLIES // 2
"""A search with more remaining plies than this counts as a search to the end of the game."""
MIN_CUTOFF_HEIGHT = 5
"""Minimum height of a state at which its children are probed. The children are then high enough to be stored, so
probing is worth the cost.
"""


class Heights(Protocol):
    """The part of a tablebase that a transposition table uses: the height of a state above the tablebase."""

    def height(self, state: State) -> int: ...


class TranspositionTable:
    """The common part of both transposition tables: keys, and how actions are stored."""

    prefetches: ClassVar[bool] = False
    """Whether `prefetch` does anything."""

    def __init__(
        self,
        game: CapableGame,
        numbers: Numbers,
        *,
        cuts: bool,
        separable: bool,
        symmetric: bool,
        foresees: bool = False,
        tablebase: Heights | None = None,
    ) -> None:
        """Prepare a table.

        Arguments:
            cuts: whether the game's bounds are used for every state.
            separable: whether the table is indexed by `key` and `score`; otherwise, it is indexed by the whole state.
            symmetric: whether the table is indexed by canonical states.
            foresees: whether the game's `value_bounds` are used for every state.
            tablebase: if given, the height of a state is the number of layers from the tablebase up to the state.
        """
        self.game = game
        self.lowest, self.highest = numbers.lowest, numbers.highest
        self.numbers, self.integral = numbers, numbers.integral
        self.cuts, self.separable, self.symmetric, self.tablebase = cuts, separable, symmetric, tablebase
        self.meets_symmetry = symmetric
        """Whether the search from the present root meets symmetric states (see `begin_from`)."""
        self.foresees = foresees

    def canonical(self, state: State) -> State:
        """Return the representative of all states symmetric to this one."""
        return self.game.canonical(state) if self.symmetric and self.meets_symmetry else state

    def prefetch(self, state: State, depth: int) -> None:
        """Prepare to probe a state soon: the processor fetches its entries from memory while it runs other code."""

    def begin_from(self, root: State) -> None:
        """Use canonical states only if two successors of the root are symmetric to each other.

        From other roots, canonical states cost more than they save. This was measured in eight games, at positions from
        2 to 24 plies after the start: canonical states save 0 to 5 % of the nodes, and take 0 to 46 % of the time. At
        the initial position, canonical states save half of the nodes and of the time.
        """
        game = self.game
        if self.symmetric and not game.terminal_test(root):
            children = {game.result(root, action) for action in game.actions(root)}
            self.meets_symmetry = len({game.canonical(child) for child in children}) < len(children)

    def key(self, canonical: State) -> Hashable:
        """Return the key under which the table stores a state."""
        return self.game.key(canonical) if self.separable else canonical

    def score(self, canonical: State) -> float:
        """Return the part of a state's value that the key does not determine."""
        return self.game.score(canonical) if self.separable else 0

    def bounds(self, state: State) -> tuple[float, float]:
        """Return bounds of a state's value that are known without the table."""
        if self.foresees:
            lower, upper = self.game.value_bounds(state)
        elif self.cuts:
            lower, upper = self.game.bounds(state)
        else:
            return self.lowest, self.highest
        return self.numbers.between(lower, upper)

    def height(self, state: State, depth: int) -> int:
        """Return the height of a state: the number of plies to search below it. States near the
        leaves are not stored.
        """
        if self.tablebase is None:
            return depth
        return min(depth, self.tablebase.height(state))

    def index(self, state: State, canonical: State, choice: Action | None) -> int:
        """Return the index of the canonical state's action that corresponds to `choice`; -1 if no action does."""
        if self.symmetric and state != canonical:
            # Symmetries are not known here, only their outcome: the same action leads to the same canonical state.
            image = self.game.canonical(self.game.result(state, choice))
            for index, action in enumerate(self.game.actions(canonical)):
                if self.game.canonical(self.game.result(canonical, action)) == image:
                    return index
            return -1
        for index, action in enumerate(self.game.actions(state)):
            if action == choice:
                return index
        return -1

    def action(self, state: State, canonical: State, index: int) -> Action | None:
        """Return the action of `state` that corresponds to action `index` of the canonical state; None if no action
        does.
        """
        candidate = None
        for number, action in enumerate(self.game.actions(canonical)):
            if number == index:
                candidate = action
                break
        if self.symmetric and candidate is not None and state != canonical:
            image = self.game.canonical(self.game.result(canonical, candidate))
            for action in self.game.actions(state):
                if self.game.canonical(self.game.result(state, action)) == image:
                    return action
            return None
        return candidate


class InterpretedTable(TranspositionTable):
    """The table of interpreted searches: two dicts; when the newer one is full, the older one is dropped."""

    ENTRY_BYTES = 400
    """Size of an entry in bytes, measured with Kalah's states."""

    def __init__(self, megabytes: float, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.room = max(1, int(megabytes * (1 << 20) / self.ENTRY_BYTES / 2))
        self.young: dict[Hashable, tuple[int, int, float, float, int]] = {}
        self.old: dict[Hashable, tuple[int, int, float, float, int]] = {}
        self.generation = 0
        self.hits = 0

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        lower, upper = self.bounds(state)
        canonical = self.canonical(state)
        key = self.key(canonical)
        entry = self.young.get(key) or self.old.get(key)
        if entry is None:
            return lower, upper, None
        generation, plies, low, high, index = entry
        choice = self.action(state, canonical, index) if index >= 0 else None
        if plies == min(depth, WHOLE) and (generation == self.generation or plies == WHOLE):
            self.hits += 1
            secured = self.score(canonical)
            return max(lower, low + secured), min(upper, high + secured), choice
        return lower, upper, choice

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        if len(self.young) >= self.room:
            # Dropping a whole dict is cheap; choosing single entries to replace would cost more than it saves.
            self.young, self.old = {}, self.young
        canonical = self.canonical(state)
        secured = self.score(canonical)
        index = -1 if choice is None else self.index(state, canonical, choice)
        entry = self.generation, min(depth, WHOLE), lower - secured, upper - secured, index
        self.young[self.key(canonical)] = entry

    def clear(self) -> None:
        """Remove all entries."""
        self.young, self.old = {}, {}


# Machine words ---------------------------------------------------------------------------------------------------

VALUE_BITS, DEPTH_BITS, CHOICE_BITS, GENERATION_BITS, WORK_BITS = 15, 11, 8, 8, 6
VALUES, DEPTHS, CHOICES = (1 << VALUE_BITS) - 1, (1 << DEPTH_BITS) - 1, (1 << CHOICE_BITS) - 1
WORKS = (1 << WORK_BITS) - 1
GENERATIONS = (1 << GENERATION_BITS - 1) - 1
"""Number of iterations of a search that a table can distinguish; after that many iterations, the table is cleared."""
LAST_GENERATION = (1 << GENERATION_BITS) - 1
UPPER_AT, DEPTH_AT = VALUE_BITS, 2 * VALUE_BITS
CHOICE_AT = DEPTH_AT + DEPTH_BITS
WORK_AT = CHOICE_AT + CHOICE_BITS
GENERATION_AT = WORK_AT + WORK_BITS
MIN_STORED_HEIGHT = 4
"""Minimum height of a stored entry. Nearer to the leaves, searching again is as fast as reading from the table."""
MIN_STORED_WORK, MIN_CUTOFF_WORK = 8, 128
"""In a search to the end of the game, heights are unknown. In such a search, these numbers of nodes below a state
replace `MIN_STORED_HEIGHT` and `MIN_CUTOFF_HEIGHT`. The numbers were measured on Connect Four, where reading the table
takes half of the time.
"""
RECENT = 6
"""Base-2 logarithm of the number of states over which a mean of nodes is taken."""
ZERO = 1 << (VALUE_BITS - 1)
"""The code of the value 0. The codes 0 and `VALUES` mean that there is no bound."""


class CompiledTable(TranspositionTable, ThreadMemory):
    """The table of compiled searches: entries of 64-bit words, shared by threads without locks.

    An entry holds the words of the key, a word of data and, if values are floats, the bits of two bounds. Each word of
    the key is stored combined with a checksum of the entry (by exclusive or). So an entry that two threads wrote at
    once matches no key: this is the method of R. Hyatt and T. Mann, A lockless transposition-table implementation for
    parallel search, ICGA Journal 25(1) (2002), with a checksum instead of the bare data. The checksum covers the key,
    too. Otherwise, parts of two keys with the same data could match a third key.

    A bucket has two entries. The first entry holds the result that took more work (nodes below it) in this iteration.
    The second entry is always replaced.
    """

    prefetches = True
    variables: ClassVar[tuple[str, ...]] = (
        "address", "buckets", "generation", "oldest", "hits", "works", "meets_symmetry",
    )  # fmt: skip

    def __init__(self, key_words: int, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.key_words = key_words
        self.data_at = 8 * key_words
        self.entry = 8 * (key_words + (1 if self.integral else 3))
        self.address = 0
        self.buckets = 0
        self.generation = self.oldest = 1
        """`oldest` is the first generation of this search; older entries are of an earlier search in this memory."""
        self.hits = 0
        self.works = 0
        """Address of a row of numbers: for each depth, 16 times the recent mean of the nodes below a state. The address
        0 means that there is no row.
        """
        self.buffer: Any = None

    def room(self) -> tuple[str, int]:
        return "works", 8 * (MAX_PLIES + 1)

    def height(self, state: State, depth: int) -> int:
        if depth <= WHOLE or self.tablebase is not None or self.works == 0:
            return super().height(state, depth)
        work = load(self.works + 8 * depth) >> 4
        if work < MIN_STORED_WORK:
            return 0
        return MIN_CUTOFF_HEIGHT if work >= MIN_CUTOFF_WORK else MIN_STORED_HEIGHT

    def allocate(self, megabytes: float, spare: "SpareMemory | None" = None) -> None:
        """Allocate memory for the entries.

        Arguments:
            spare: memory of an earlier search, which is used if it fits.
        """
        bucket = 2 * self.entry
        size = max(bucket, int(megabytes * (1 << 20)) // bucket * bucket)
        self.buffer, used = (spare.take(self, size) if spare else None) or (Buffer(size), 0)
        self.generation = self.oldest = used + 1
        self.address, self.buckets = self.buffer.address, self.buffer.size // bucket

    def clear(self) -> None:
        """Remove all entries."""
        self.buffer.clear()

    def words(self, canonical: State) -> tuple[int, ...]:
        """Return the words of a state's key."""
        key = words_of(self.key(canonical))
        if len(key) != self.key_words:
            raise OverflowError  # keys are longer than the first one
        return key

    def prefetch(self, state: State, depth: int) -> None:
        """See `TranspositionTable.prefetch`."""
        if self.height(state, depth) >= MIN_STORED_HEIGHT:
            hashed = hash_of(self.words(self.canonical(state)))
            prefetch(self.address + 2 * self.entry * spread(hashed, self.buckets))

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        lower, upper = self.bounds(state)
        # The game's bounds decide already, or nothing is stored so near to the leaves: spare the canonical state.
        if lower >= beta or upper <= alpha or lower == upper or self.height(state, depth) < MIN_STORED_HEIGHT:
            return lower, upper, None
        canonical = self.canonical(state)
        key = self.words(canonical)
        hashed = hash_of(key)
        address = self.address + 2 * self.entry * spread(hashed, self.buckets)
        data, first, second = self.read_entry(address, key, hashed)
        if data == 0:
            data, first, second = self.read_entry(address + self.entry, key, hashed)
        if data == 0:
            return lower, upper, None
        choice, index = None, (data >> CHOICE_AT & CHOICES) - 1
        if index >= 0:
            choice = self.action(state, canonical, index)
        plies = data >> DEPTH_AT & DEPTHS
        # Bounds count only at their own depth, or a table would change values; the action is a hint at any depth.
        # Bounds from estimates count within their iteration, those of whole games for good.
        if plies == min(depth, WHOLE) and (plies == WHOLE or data >> GENERATION_AT == self.generation):
            self.hits += 1
            low, high = self.read(data, first, second, self.score(canonical))
            return max(lower, low), min(upper, high), choice
        return lower, upper, choice

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        if depth > WHOLE and self.works != 0:
            mean = load(self.works + 8 * depth)
            # A running mean in integers: each state moves it by 1/64 of the difference.
            save(self.works + 8 * depth, mean + ((work << 4) - mean >> RECENT))
        if self.height(state, depth) < MIN_STORED_HEIGHT:
            return
        canonical = self.canonical(state)
        key = self.words(canonical)
        hashed = hash_of(key)
        address = self.address + 2 * self.entry * spread(hashed, self.buckets)
        size = magnitude(work)
        there = load(address + self.data_at)
        current = there >> GENERATION_AT == self.generation
        # The first entry keeps its result if that took more work, unless it is of an earlier iteration or of this very
        # state.
        if current and there >> WORK_AT & WORKS > size and self.read_entry(address, key, hashed)[0] == 0:
            address += self.entry
        chosen = 0
        if choice is not None:
            chosen = self.index(state, canonical, choice) + 1
            # The field of an action has 8 bits: the bounds are stored, the action is not.
            if chosen > CHOICES:
                chosen = 0
        data = self.generation << GENERATION_AT | size << WORK_AT | chosen << CHOICE_AT | min(depth, WHOLE) << DEPTH_AT
        data, first, second = self.write(data, lower, upper, self.score(canonical))
        self.lay(address, key, hashed, data, first, second)

    def read(self, data: int, first: int, second: int, secured: float) -> tuple[float, float]:
        """Return the bounds that are stored in the words of an entry."""
        if self.integral:
            low, high = data & VALUES, data >> UPPER_AT & VALUES
            lower = self.lowest if low == 0 else low - ZERO + secured
            return lower, self.highest if high == VALUES else high - ZERO + secured
        return value_of(first) + secured, value_of(second) + secured

    def write(self, data: int, lower: float, upper: float, secured: float) -> tuple[int, int, int]:
        """Return the words of an entry with these bounds.

        A bound that is too large to be stored is left out or weakened.
        """
        if self.integral:
            # Rounded towards "no bound": a bound beyond the field must become a weaker one, never a stronger one.
            low = int(min(max(lower - secured + ZERO, 0), VALUES - 1))
            high = int(max(min(upper - secured + ZERO, VALUES), 1))
            return data | high << UPPER_AT | low, 0, 0
        return data, bits_of(float(lower - secured)), bits_of(float(upper - secured))

    def read_entry(self, address: int, key: tuple[int, ...], hashed: int) -> tuple[int, int, int]:
        """Return the data words of an entry if its key is `key`, otherwise zeros.

        Each word is read only once, since another thread could change it between the check and the use.
        """
        data, first, second = load(address + self.data_at), 0, 0
        if data >> GENERATION_AT < self.oldest:  # nothing, or an entry of an earlier search
            return 0, 0, 0
        if not self.integral:
            first, second = load(address + self.data_at + 8), load(address + self.data_at + 16)
        summed = mix(mix(mix(hashed, data), first), second)
        for index, word in enumerate(key):
            if load(address + 8 * index) ^ summed != word:
                return 0, 0, 0
        return data, first, second

    def lay(self, address: int, key: tuple[int, ...], hashed: int, data: int, first: int, second: int) -> None:
        """Write an entry to memory."""
        summed = mix(mix(mix(hashed, data), first), second)
        for index, word in enumerate(key):
            save(address + 8 * index, word ^ summed)
        save(address + self.data_at, data)
        if not self.integral:
            save(address + self.data_at + 8, first)
            save(address + self.data_at + 16, second)


class SpareMemory:
    """The memory of a searcher's last table, for its next search.

    Fresh memory costs time, as the system has to set it to zero: 10 ms for 64 MB, more than a small search takes. A
    search that gets used memory ignores the old entries, which it recognizes by their generations. So it finds and
    stores the same as in fresh memory.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[Buffer, int, tuple[int, bool]]] = []

    def put(self, table: CompiledTable, generation: int) -> None:
        """Keep the memory of a table that is no longer used; `generation` is the last generation that it stored."""
        if table.buffer.size <= MOST_KEPT and generation + 1 + GENERATIONS <= LAST_GENERATION:
            self._kept[:] = [(table.buffer, generation, (table.key_words, table.integral))]

    def take(self, table: CompiledTable, size: int) -> tuple[Buffer, int] | None:
        """Return memory of this size for a table with such entries, and the last generation in it. Return None if no
        memory fits. In both cases, the memory is no longer kept here.
        """
        try:
            buffer, generation, entries = self._kept.pop()
        except IndexError:
            return None
        fits = buffer.size == size and entries == (table.key_words, table.integral)
        return (buffer, generation) if fits else None


MOST_KEPT = 64 << 20
"""Maximum size, in bytes, of memory that is kept between searches: the default size of a table."""


AnyTable: TypeAlias = InterpretedTable | CompiledTable


def magnitude(number: int) -> int:
    """Return the number of binary digits of a number that is not negative, from the exponent of a float."""
    return (bits_of(float(number)) >> 52) - 1022 if number else 0


class EnhancedCutoffs:
    """Enhanced transposition cutoffs: table entries of the children bound the value of their parent.

    Source: J. Schaeffer and A. Plaat, New advances in alpha-beta searching, Proceedings of the 1996 ACM 24th Annual
    Conference on Computer Science.
    """

    def __init__(self, table: AnyTable) -> None:
        self.memory, self.game = table, table.game

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        table, game = self.memory, self.game
        lower, upper, choice = table.probe(state, depth, alpha, beta)
        if table.height(state, depth) < MIN_CUTOFF_HEIGHT or lower >= beta or upper <= alpha or lower == upper:
            return lower, upper, choice
        mover = game.to_move(state)
        if mover != CHANCE:
            if table.prefetches:
                for action in game.actions(state):
                    table.prefetch(game.result(state, action), depth - 1)
            for action in game.actions(state):
                child = game.result(state, action)
                if not game.terminal_test(child):
                    low, high, _ = table.probe(child, depth - 1, alpha, beta)
                    if mover == MAX and low >= beta:
                        return low, upper, action
                    if mover == MIN and high <= alpha:
                        return lower, high, action
        return lower, upper, choice

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        self.memory.store(state, depth, lower, upper, choice, work)
