"""Tables of proof and disproof numbers for one question at a time: is the value at least a bound?"""

import math
from typing import ClassVar

from ggp.compiler.intrinsics import load, mix, save, spread, words_of
from ggp.game import State
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.number_kind import Numbers
from ggp_search.memory.buffer import Buffer
from ggp_search.memory.transposition_table import WHOLE, hash_of

NUMBER_BITS = 28
INFINITE = (1 << NUMBER_BITS) - 1
"""The number of a statement that cannot be proved, or disproved."""

LEAST_BUCKETS = 1 << 12
"""Minimum number of buckets; with fewer, the search might lose entries that it needs, and never end."""


def add(first: int, second: int) -> int:
    """Return the sum of two numbers; it is infinite only if one of them is."""
    if first == INFINITE or second == INFINITE:
        return INFINITE
    # Saturate below INFINITE, which would mean that the sum is a proof or a disproof.
    return min(first + second, INFINITE - 1)


class ProofNumbers:
    """The part that both tables share: the values of the leaves that were met."""

    least: float
    """The least value of a leaf that was at least the bound, since the question was asked."""
    greatest: float
    """The greatest value of a leaf that was less than the bound."""

    def meet(self, value: float, bound: float) -> None:
        """Count the value of a leaf in."""
        if value >= bound:
            self.least = min(self.least, value)
        else:
            self.greatest = max(self.greatest, value)


class InterpretedProofNumbers(ProofNumbers):
    """The table of interpreted searches: two dicts; when the newer one is full, the older one is dropped."""

    ENTRY_BYTES = 300
    """Size of an entry in bytes, measured with Kalah's states."""

    def __init__(self, megabytes: float) -> None:
        self.room = max(1000, int(megabytes * (1 << 20) / self.ENTRY_BYTES / 2))
        self.young: dict[tuple[State, int], tuple[int, int]] = {}
        self.old: dict[tuple[State, int], tuple[int, int]] = {}
        self.least, self.greatest = math.inf, -math.inf

    def ask(self) -> None:
        """Begin a new question: forget the numbers of the previous one."""
        self.young, self.old = {}, {}
        self.least, self.greatest = math.inf, -math.inf

    def probe(self, state: State, depth: int) -> tuple[int, int]:
        """Return the proof and disproof number of a state; 0 and 0 if it is unknown."""
        known = state, min(depth, WHOLE)
        return self.young.get(known) or self.old.get(known) or (0, 0)

    def store(self, state: State, depth: int, proof: int, disproof: int, work: int) -> None:
        """Store the numbers of a state; `work` nodes were entered to find them."""
        if len(self.young) >= self.room:
            self.young, self.old = {}, self.young
        self.young[state, min(depth, WHOLE)] = proof, disproof


class CompiledProofNumbers(ProofNumbers):
    """The table of compiled searches. An entry holds the words of the state, a word with depth and question, and a word
    with both numbers.

    A bucket has two entries. The first holds the result that took more work; the second is always replaced.
    """

    variables: ClassVar[tuple[str, ...]] = ("address", "buckets", "question", "least", "greatest")

    def __init__(self, megabytes: float, numbers: Numbers, state_words: int) -> None:
        self.lowest, self.highest = numbers.lowest, numbers.highest
        self.entry = 8 * (state_words + 3)
        self.buckets = max(LEAST_BUCKETS, int(megabytes * (1 << 20)) // (2 * self.entry))
        self.buffer = Buffer(2 * self.entry * self.buckets)
        self.address = self.buffer.address
        self.question = 0
        self.least = self.highest
        self.greatest = self.lowest

    def ask(self) -> None:
        self.question += 1  # whatever is in the table belongs to another one now
        self.least, self.greatest = self.highest, self.lowest

    def probe(self, state: State, depth: int) -> tuple[int, int]:
        known = words_of(state)
        tag = self.question * MAX_PLIES + min(depth, WHOLE)
        address = self.place(known, tag)
        if not self.is_at(address, known, tag):
            address += self.entry
            if not self.is_at(address, known, tag):
                return 0, 0
        data = load(address + self.entry - 8)
        return data & INFINITE, data >> NUMBER_BITS & INFINITE

    def store(self, state: State, depth: int, proof: int, disproof: int, work: int) -> None:
        known = words_of(state)
        tag = self.question * MAX_PLIES + min(depth, WHOLE)
        address = self.place(known, tag)
        current = load(address + self.entry - 16) // MAX_PLIES == self.question
        if current and load(address + self.entry - 24) > work and not self.is_at(address, known, tag):
            address += self.entry
        for place, word in enumerate(known):
            save(address + 8 * place, word)
        save(address + self.entry - 24, work)
        save(address + self.entry - 16, tag)
        save(address + self.entry - 8, disproof << NUMBER_BITS | proof)

    def place(self, known: tuple[int, ...], tag: int) -> int:
        """Return the address of the bucket for a state."""
        return self.address + 2 * self.entry * spread(mix(hash_of(known), tag), self.buckets)

    def is_at(self, address: int, known: tuple[int, ...], tag: int) -> bool:
        """Return whether the entry belongs to the given state."""
        if load(address + self.entry - 16) != tag:
            return False
        return all(load(address + 8 * place) == word for place, word in enumerate(known))
