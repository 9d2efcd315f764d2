"""Tables of proof and disproof numbers for one question at a time: is the value at least a bound?"""

import math
from typing import ClassVar, NamedTuple

import attrs

from ggp.compiler.intrinsics import hash_of, load, mix, save, spread, words_of
from ggp.game import State
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.settings import Numbers
from ggp_search.memory.buffer import Buffer
from ggp_search.memory.transposition_table import WHOLE

NUMBER_BITS = 28
INFINITE = (1 << NUMBER_BITS) - 1
"""The number that stands for infinitely many leaves: the statement cannot be proved, or cannot be disproved."""

LEAST_BUCKETS = 1 << 12
"""Minimum number of buckets; with fewer, the search might lose entries that it needs, and might never end."""


def add(first: int, second: int) -> int:
    """Return the sum of two numbers; it is infinite only if one of the numbers is infinite."""
    if first == INFINITE or second == INFINITE:
        return INFINITE
    # Saturate below INFINITE, which would mean that the sum is a proof or a disproof.
    return min(first + second, INFINITE - 1)


class ProofNode(NamedTuple):
    """A node of the search: how close the question about its state is to an answer."""

    proof: int
    """The least number of leaves that must be proved to prove that the value is at least the bound."""
    disproof: int
    """The least number of leaves that must be disproved to prove that the value is less than the bound."""

    @property
    def decided(self) -> bool:
        """Whether the question is proved (0, INFINITE) or disproved (INFINITE, 0)."""
        return self.proof == 0 or self.disproof == 0


NEW, PROVED, DISPROVED = ProofNode(1, 1), ProofNode(0, INFINITE), ProofNode(INFINITE, 0)


class ProofTable:
    """The base class of the tables of interpreted and compiled searches: it has the values of leaves that were
    reached.
    """

    least: float
    """The least value that is at least the bound, of the leaves reached since the question was asked."""
    greatest: float
    """The greatest value that is less than the bound, of the leaves reached since the question was asked."""

    def meet(self, value: float, bound: float) -> None:
        """Update `least` or `greatest` with the value of a leaf."""
        if value >= bound:
            self.least = min(self.least, value)
        else:
            self.greatest = max(self.greatest, value)


class InterpretedProofTable(ProofTable):
    """The table of interpreted searches: two dicts; when the newer dict is full, the older dict is dropped."""

    ENTRY_BYTES = 300
    """Size of an entry in bytes, measured with Kalah's states."""

    def __init__(self, megabytes: float) -> None:
        self.room = max(1000, int(megabytes * (1 << 20) / self.ENTRY_BYTES / 2))
        self.young: dict[tuple[State, int], ProofNode] = {}
        self.old: dict[tuple[State, int], ProofNode] = {}
        self.least, self.greatest = math.inf, -math.inf

    def ask(self) -> None:
        """Begin a new question: forget the numbers of the previous question."""
        self.young, self.old = {}, {}
        self.least, self.greatest = math.inf, -math.inf

    def probe(self, state: State, depth: int) -> ProofNode | None:
        """Return the node of a state; None if it is not in the table."""
        key = state, min(depth, WHOLE)
        return self.young.get(key) or self.old.get(key)

    def store(self, state: State, depth: int, node: ProofNode, work: int) -> None:
        """Store the node of a state; `work` nodes were entered to find its numbers."""
        if len(self.young) >= self.room:
            self.young, self.old = {}, self.young
        self.young[state, min(depth, WHOLE)] = node


# The words of an entry, in bytes from its beginning.
NUMBERS, TAG, WORK, KEY = range(0, 4 * 8, 8)
"""Offsets in an entry.

The first word holds the proof number and the disproof number, the second the depth and the question, and the third the
number of nodes that were entered. The words of the state follow.
"""


@attrs.frozen
class ProofEntry:
    """An entry in the table of compiled searches."""

    address: int

    @property
    def node(self) -> ProofNode:
        """The node that is stored."""
        numbers = load(self.address + NUMBERS)
        return ProofNode(numbers & INFINITE, numbers >> NUMBER_BITS & INFINITE)

    @property
    def question(self) -> int:
        """The number of the question that the node belongs to."""
        return load(self.address + TAG) // MAX_PLIES

    @property
    def work(self) -> int:
        """Number of nodes that were entered to find the numbers."""
        return load(self.address + WORK)

    def holds(self, key: tuple[int, ...], tag: int) -> bool:
        """Return whether the entry belongs to the state with these words, and to this depth and question."""
        if load(self.address + TAG) != tag:
            return False
        return all(load(self.address + KEY + 8 * index) == word for index, word in enumerate(key))

    def write(self, key: tuple[int, ...], tag: int, node: ProofNode, work: int) -> None:
        """Replace the entry."""
        for index, word in enumerate(key):
            save(self.address + KEY + 8 * index, word)
        save(self.address + WORK, work)
        save(self.address + TAG, tag)
        save(self.address + NUMBERS, node.disproof << NUMBER_BITS | node.proof)


class CompiledProofTable(ProofTable):
    """The table of compiled searches.

    A bucket has two entries. The first entry holds the result that took more work; the second entry is always replaced.
    """

    variables: ClassVar[tuple[str, ...]] = ("address", "buckets", "question", "least", "greatest")

    def __init__(self, megabytes: float, numbers: Numbers, state_words: int) -> None:
        self.lowest, self.highest = numbers.lowest, numbers.highest
        self.entry = KEY + 8 * state_words
        self.buckets = max(LEAST_BUCKETS, int(megabytes * (1 << 20)) // (2 * self.entry))
        self.buffer = Buffer(2 * self.entry * self.buckets)
        self.address = self.buffer.address
        self.question = 0
        self.least = self.highest
        self.greatest = self.lowest

    def ask(self) -> None:
        self.question += 1  # whatever is in the table belongs to another one now
        self.least, self.greatest = self.highest, self.lowest

    def probe(self, state: State, depth: int) -> ProofNode | None:
        key, tag = words_of(state), self.tag(depth)
        entry = self.first_of(key, tag)
        if not entry.holds(key, tag):
            entry = self.second_of(entry)
            if not entry.holds(key, tag):
                return None
        return entry.node

    def store(self, state: State, depth: int, node: ProofNode, work: int) -> None:
        key, tag = words_of(state), self.tag(depth)
        entry = self.first_of(key, tag)
        if entry.question == self.question and entry.work > work and not entry.holds(key, tag):
            entry = self.second_of(entry)
        entry.write(key, tag, node, work)

    def tag(self, depth: int) -> int:
        """Return the word for a depth and the present question."""
        return self.question * MAX_PLIES + min(depth, WHOLE)

    def first_of(self, key: tuple[int, ...], tag: int) -> ProofEntry:
        """Return the first entry of the bucket for a state."""
        return ProofEntry(self.address + 2 * self.entry * spread(mix(hash_of(key), tag), self.buckets))

    def second_of(self, first: ProofEntry) -> ProofEntry:
        """Return the other entry of a bucket."""
        return ProofEntry(first.address + self.entry)
