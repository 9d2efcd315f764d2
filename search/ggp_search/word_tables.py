"""Transposition tables in machine words, shared by threads without locks.

An entry is the words of the key, a word of data, and, where values are floats, the bits of two bounds. A checksum of
all of it is laid over every word of the key (exclusive or), so an entry that two threads wrote at once is an entry of
no key: after R. Hyatt and T. Mann, A lockless transposition-table implementation for parallel search, ICGA Journal
25(1) (2002), with a mixed checksum in place of the bare data. The key is in it too, or else parts of two keys that
have the same data would make a third.

Two entries make a bucket. The first is kept for what took more work in this iteration, in states entered below it;
the second always gives way.
"""

from typing import Any

import attrs

from ggp_search.parts import Compile, Numbers, Operations
from ggp_search.tables import WHOLE
from ggp_search.words import bits_of, load, mix, save, spread, value_of

VALUE_BITS, DEPTH_BITS, CHOICE_BITS, GENERATION_BITS, WORK_BITS = 15, 12, 8, 7, 6
VALUES, DEPTHS, CHOICES = (1 << VALUE_BITS) - 1, (1 << DEPTH_BITS) - 1, (1 << CHOICE_BITS) - 1
WORKS = (1 << WORK_BITS) - 1
GENERATIONS = (1 << GENERATION_BITS) - 1
"""Iterations that a table can tell apart; then it is emptied."""
UPPER_AT, DEPTH_AT = VALUE_BITS, 2 * VALUE_BITS
CHOICE_AT = DEPTH_AT + DEPTH_BITS
WORK_AT = CHOICE_AT + CHOICE_BITS
GENERATION_AT = WORK_AT + WORK_BITS
REMEMBERED_FROM = 4
"""The height from which an entry is worth the way to memory; nearer to the horizon, searching again is as fast."""
ZERO = 1 << (VALUE_BITS - 1)
"""What stands for the value 0. The fields 0 and `VALUES` stand for no bound."""


@attrs.frozen
class Layout:
    """How entries lie in memory: how long they are, and the functions that read and write what is not key."""

    key_words: int
    value_words: int

    @property
    def entry_bytes(self) -> int:
        """The length of one entry."""
        return 8 * (self.key_words + 1 + self.value_words)

    @property
    def bucket_bytes(self) -> int:
        """The length of two."""
        return 2 * self.entry_bytes


def layout(key_words: int, integral: bool) -> Layout:
    """The layout for keys of so many words: integers fit into the word of data, floats take two words more."""
    return Layout(key_words, 0 if integral else 2)


def word_memory(operations: Operations, numbers: Numbers, layout: Layout, height: Any, compile: Compile[Any]) -> Any:
    """`probe` and `store` on the table at `live.table`, which has `live.buckets` buckets.

    Arguments:
        height: as `ggp_search.tables.by_depth` makes it; low states are not remembered.
    """
    bounds, key, score, nothing = operations.bounds, operations.key, operations.score, numbers.nothing
    read, write = (_floats if layout.value_words else _integers)(layout, numbers, compile)
    match, lay = _keys(layout, compile)
    data_at, entry, bucket = 8 * layout.key_words, layout.entry_bytes, layout.bucket_bytes
    digits = compile(magnitude)

    @compile
    def hash_of(known: Any) -> int:
        hashed = 0
        for word in known:
            hashed = mix(hashed, word)
        return hashed

    @compile
    def probe(state: Any, depth: int, alpha: float, beta: float, live: Any) -> tuple[float, float, Any]:
        lower, upper = bounds(state)
        if height(state, depth, live) < REMEMBERED_FROM:
            return lower, upper, nothing
        save(live.entered + 8 * depth, live.nodes)
        choice, known = nothing, key(state)
        hashed = hash_of(known)
        address = live.table + bucket * spread(hashed, live.buckets)
        data, first, second = match(address, known, hashed)
        if data == 0:
            data, first, second = match(address + entry, known, hashed)
        if data != 0:
            choice = (data >> CHOICE_AT & CHOICES) - 1
            plies = data >> DEPTH_AT & DEPTHS
            if plies == min(depth, WHOLE) and (plies == WHOLE or data >> GENERATION_AT == live.generation):
                live.table_hits += 1
                live.choice = choice
                low, high = read(data, first, second, score(state))
                return max(lower, low), min(upper, high), choice
        return lower, upper, choice

    @compile
    def store(state: Any, depth: int, lower: Any, upper: Any, choice: Any, live: Any) -> None:
        live.choice = choice
        if height(state, depth, live) < REMEMBERED_FROM:
            return
        known = key(state)
        hashed, plies = hash_of(known), min(depth, WHOLE)
        address = live.table + bucket * spread(hashed, live.buckets)
        work = digits(live.nodes - load(live.entered + 8 * depth))
        there = load(address + data_at)
        current = there >> GENERATION_AT == live.generation
        if current and there >> WORK_AT & WORKS > work and match(address, known, hashed)[0] == 0:
            address += entry
        chosen = choice + 1 if choice < CHOICES else 0
        data = live.generation << GENERATION_AT | work << WORK_AT | chosen << CHOICE_AT | plies << DEPTH_AT
        data, first, second = write(data, lower, upper, score(state))
        lay(address, known, hashed, data, first, second)

    return probe, store


def magnitude(number: int) -> int:
    """The binary digits of a number that is not negative: the exponent of a float holds them."""
    return (bits_of(float(number)) >> 52) - 1022 if number else 0


def _keys(layout: Layout, compile: Compile[Any]) -> Any:
    """`match(address, known, hashed)`, an entry's words besides the key if that is `known`, else zeros; `lay` writes.

    Each word is read once, so that what has been checked is what is used.
    """
    data_at, first_at, second_at = (8 * (layout.key_words + place) for place in range(3))
    with_values = layout.value_words > 0

    @compile
    def match(address: int, known: Any, hashed: int) -> tuple[int, int, int]:
        data, first, second = load(address + data_at), 0, 0
        if data == 0:
            return 0, 0, 0
        if with_values:
            first, second = load(address + first_at), load(address + second_at)
        summed = mix(mix(mix(hashed, data), first), second)
        for place, word in enumerate(known):
            if load(address + 8 * place) ^ summed != word:
                return 0, 0, 0
        return data, first, second

    @compile
    def lay(address: int, known: Any, hashed: int, data: int, first: int, second: int) -> None:
        summed = mix(mix(mix(hashed, data), first), second)
        for place, word in enumerate(known):
            save(address + 8 * place, word ^ summed)
        save(address + data_at, data)
        if with_values:
            save(address + first_at, first)
            save(address + second_at, second)

    return match, lay


def _integers(layout: Layout, numbers: Numbers, compile: Compile[Any]) -> Any:
    """`read` and `write` of bounds that fit into the word of data; one that is too large is no bound, or a weaker."""
    lowest, highest = numbers.lowest, numbers.highest

    @compile
    def read(data: int, first: int, second: int, secured: int) -> tuple[int, int]:
        low, high = data & VALUES, data >> UPPER_AT & VALUES
        return lowest if low == 0 else low - ZERO + secured, highest if high == VALUES else high - ZERO + secured

    @compile
    def write(data: int, lower: int, upper: int, secured: int) -> tuple[int, int, int]:
        low = min(max(lower - secured + ZERO, 0), VALUES - 1)
        high = max(min(upper - secured + ZERO, VALUES), 1)
        return data | high << UPPER_AT | low, 0, 0

    return read, write


def _floats(layout: Layout, numbers: Numbers, compile: Compile[Any]) -> Any:
    """`read` and `write` of bounds in two words of their own."""

    @compile
    def read(data: int, first: int, second: int, secured: float) -> tuple[float, float]:
        return value_of(first) + secured, value_of(second) + secured

    @compile
    def write(data: int, lower: float, upper: float, secured: float) -> tuple[int, int, int]:
        return data, bits_of(lower - secured), bits_of(upper - secured)

    return read, write
