"""Positions: the states of a game, numbered in the order in which they were found, and the codes of values.

In files, positions have the form of `PackedPositions`.
"""

from collections.abc import Hashable, Sequence
from typing import ClassVar

from ggp_search.tablebases.packed_positions import BitField, PackedPositions, PositionLayout, hash_words, lay_out

from ggp.compiler.encoding import signed
from ggp.compiler.intrinsics import (
    ALL,
    FIELD,
    bits_of,
    fits,
    is_packed,
    load,
    pack,
    prefetch,
    save,
    save_byte,
    spread,
    unpack,
    value_of,
    words_of,
)
from ggp.game import State
from ggp_solve.enumeration.speed import Compiled, Runner
from ggp_solve.memory.columns import Memory, MemoryColumn

MOST_CODES = {1: 255, 2: 65_534}
"""Maximum number of different values of a game, by the number of bytes of a code."""
FIRST_SLOTS = 1 << 12
FULL = 4, 5
"""Maximum share of used slots of an index, as numerator and denominator; an index that is fuller is slow."""
TRIMMED = 9, 10
"""Share of used slots of an index that does not grow any more, as numerator and denominator."""
GROWTH = 1.6
"""Factor by which the number of slots of a full index grows."""
LEAST_GROWTH = 1.02
"""Minimum growth factor of an index.

If there is not enough memory to grow this much, the index takes all that is left.
"""
AHEAD = 8
"""Number of states that are hashed while the processor fetches a slot of the index from memory."""
SPARE = 1 << 20
"""Number of further numbers that an index has, for states that threads have found but not numbered yet."""
RANGE = 16
"""Number of bytes for the least and the greatest value of a word."""


class Positions:
    """States, numbered from 0, for interpreted code."""

    variables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, most: int) -> None:
        self.most = most
        self._numbers: dict[Hashable, int] = {}
        self._states: list[object] = []

    @property
    def count(self) -> int:
        """Number of states."""
        return len(self._states)

    def state(self, number: int, like: State = None) -> State:
        """Return the state that has a given number; `like` is any state, which gives the type."""
        return self._states[number]

    def prefetch(self, state: State) -> None:
        """Prepare for looking up a state soon."""

    def find(self, state: State) -> int:
        """Return the number of a state; -1 if it has no number."""
        return self._numbers.get(state, -1)

    def number(self, state: State) -> int:
        """Return the number of a state, which is added if it is new; -1 if there is no room for it."""
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            if number >= self.most:
                del self._numbers[state]
                return -1
            self._states.append(state)
        return number

    def grow(self, run: Runner, like: State) -> bool:
        """Make room for more states, and return whether that was possible."""
        return False

    def trim(self, run: Runner, like: State) -> None:
        """Release the memory that the states do not use."""

    def packed(self, run: Runner) -> PackedPositions:
        """Return all states as they are stored in files.

        Raises:
            NotRepresentable: the states have no type that can be stored.
        """
        return PackedPositions.of(self._states)

    def restore(self, layout: PositionLayout, states: bytes, run: Runner, like: State) -> bool:
        """Restore packed states into an empty table; return whether they fit."""
        stored = PackedPositions(layout, states, b"")
        return all(self.number(stored.state(number)) >= 0 for number in range(stored.count))


class MemoryPositions:
    """States, numbered from 0, for machine code.

    The states are packed, in the order of their numbers. Each word is stored in a field that has just enough bits for
    the words found so far. When a word does not fit into its field, all states are packed again. An index maps the hash
    of a state to its number, by open addressing with linear probing (D. E. Knuth, The Art of Computer Programming 3,
    section 6.4). Unused bits of an entry hold a part of the hash, so that a state is rarely compared with a different
    one.

    Arguments:
        most: the maximum number of states.
        words: the words of any state.
        memory: maximum memory of states, index and `besides`, in bytes.
        besides: the number of bytes for each state that other parts of the enumeration need.
    """

    variables: ClassVar[tuple[str, ...]] = (
        "count", "keys", "slots", "room", "stride", "layout", "extents", "misfit", "numbers", "tags",
    )  # fmt: skip

    def __init__(self, most: int, words: Sequence[int], memory: int = 1 << 30, besides: int = 0) -> None:
        self.most, self.budget, self.besides = most, memory, besides
        self.words = len(words)
        """Number of words of a state."""
        self.fields, self.ranges, self.wider = (Memory(FIELD * self.words) for _ in range(3))
        """The fields of the words, the least and greatest value of each word so far, and the fields to use after
        `grow`.
        """
        self.layout, self.extents = self.fields.address, self.ranges.address
        for index, word in enumerate(words):
            _save_words(self.extents + RANGE * index, min(0, word), max(0, word))
        self.stride = self._lay_out(self.fields.address)
        """Size of a packed state in bytes."""
        self.memory = Memory(min(memory, 8 * self.words * most))
        self.keys = self.memory.address
        self.count = 0
        self.misfit = 0
        """1 if a state did not fit into its fields, otherwise 0."""
        self.index = MemoryColumn(4, 0)
        """The entries of the index.

        An entry is 0, or a state's number plus 1 in the lower bits and bits of its hash in the higher ones.
        """
        self._renew_index(FIRST_SLOTS)

    def state(self, number: int, like: State) -> State:
        return unpack(self.keys + self.stride * number, like, self.layout)

    def prefetch(self, state: State) -> None:
        """Prepare for looking up a state soon: the processor fetches the state's slot in the index from memory."""
        prefetch(self.index.address + self.index.width * spread(hash_of(state), self.slots))

    def find(self, state: State) -> int:
        return self.look_up(state, hash_of(state))

    def look_up(self, state: State, hashed: int) -> int:
        """Return the number of a state by its hash; -1 if it has none."""
        return (self.index.get(self.slot_of(state, hashed)) & self.numbers) - 1

    def slot_of(self, state: State, hashed: int) -> int:
        """Return the slot of a state in the index, or the empty slot that a new state would get."""
        slot, tag = spread(hashed, self.slots), hashed & self.tags
        entry = self.index.get(slot)
        while entry != 0:
            # The bits of the hash are compared first: comparing a packed state costs far more.
            if entry & self.tags == tag and self.holds((entry & self.numbers) - 1, state):
                break
            slot += 1
            if slot == self.slots:
                slot = 0
            entry = self.index.get(slot)
        return slot

    def holds(self, number: int, state: State) -> bool:
        """Return whether the position with a number is the given state."""
        return is_packed(self.keys + self.stride * number, state, self.layout)

    def number(self, state: State) -> int:
        hashed = hash_of(state)
        slot = self.slot_of(state, hashed)
        stored = self.index.get(slot)
        if stored != 0:
            return (stored & self.numbers) - 1
        number = self.count
        if number >= self.room:
            return -1
        if not fits(state, self.layout):
            # Only record the wider ranges: repacking all states is left to `grow`.
            self.misfit = 1
            for index, word in enumerate(words_of(state)):
                address = self.extents + RANGE * index
                save(address, min(load(address), word))
                save(address + 8, max(load(address + 8), word))
            return -1
        pack(self.keys + self.stride * number, state, self.layout)
        self.index.put(slot, number + 1 | hashed & self.tags)
        self.count = number + 1
        return number

    @property
    def size(self) -> int:
        """Size in bytes of the states found so far, with the index and other parts of the enumeration."""
        return 4 * self.slots + (self.stride + self.besides) * self.count

    def _renew_index(self, slots: int) -> None:
        """Replace the index by an empty one with `slots` slots, whose entries have just enough bits for the numbers of
        states.
        """
        self.slots = slots
        self.index.renew(slots)
        self.numbers = (1 << (slots + SPARE).bit_length()) - 1
        self.tags = 0xFFFFFFFF & ~self.numbers
        self.room = self._room()
        """Number of states for which the index is large enough."""

    def trim(self, run: Runner, like: State) -> None:
        """Make the index as small as possible, when all states have been found."""
        slots = max(FIRST_SLOTS, self.count * TRIMMED[1] // TRIMMED[0] + 2)
        if slots < self.slots:
            self._renew_index(slots)
            run(reindex, self, self.count, like)

    def plain_index(self, run: Runner) -> bytes:
        """Return the index with only the numbers of the states: the bits of hashes are removed."""
        plain = MemoryColumn(4, self.slots)
        run(copy_numbers, self, plain.address)
        return plain.content(self.slots)

    def _room(self) -> int:
        """Return the number of states for which the index and the memory are large enough."""
        return min(self.most, self.slots * FULL[0] // FULL[1], self.memory.size // self.stride)

    def grow(self, run: Runner, like: State) -> bool:
        """Make room for more states or wider ones, and return whether that was possible.

        Arguments:
            run: runs a function at machine speed, `run(function, known, *values)`.
            like: any state.
        """
        if self.misfit:
            self.misfit = 0
            stride = max(self.stride, self._lay_out(self.wider.address))
            if (self.count + 1) * stride > self.memory.size:
                return False
            run(repack, self, stride, self.wider.address, like)
            self.fields, self.wider = self.wider, self.fields
            self.layout, self.stride = self.fields.address, stride
            self.room = self._room()
            return self.room > self.count
        each = self.stride + self.besides
        most = int(self.budget / (4 + each * FULL[0] / FULL[1]))  # slots that are affordable when all are taken
        slots = min(int(self.slots * GROWTH), most, self.most * FULL[1] // FULL[0] + 2)
        if slots < self.slots * LEAST_GROWTH:
            return False
        self._renew_index(slots)
        run(reindex, self, self.count, like)
        return self.room > self.count

    def packed(self, run: Compiled) -> PackedPositions:
        """See `Positions`."""
        layout = PositionLayout(run.kind, self.packing, self.stride)
        return PackedPositions(layout, self.memory.content(self.stride * self.count), self.plain_index(run))

    def restore(self, layout: PositionLayout, states: bytes, run: Compiled, like: State) -> bool:
        """See `Positions`."""
        count = len(states) // layout.stride
        if layout.kind != run.kind or len(states) > self.memory.size or count > self.most:
            return False
        for index, field in enumerate(layout.fields):
            _save_words(self.layout + FIELD * index, *field)
            low, mask = field[:2]
            _save_words(self.extents + RANGE * index, low, signed(low + (mask & ALL) & ALL))
        self.memory.fill(states)
        self.stride, self.count = layout.stride, count
        self._renew_index(max(FIRST_SLOTS, count * FULL[1] // FULL[0] + 1))
        run(reindex, self, count, like)
        return True

    def _lay_out(self, fields: int) -> int:
        """Write a layout, for words in the ranges found so far, at the address `fields`; return the size in bytes of a
        packed state.
        """
        ranges = ([load(self.extents + RANGE * index + at) for index in range(self.words)] for at in (0, 8))
        made, stride = lay_out(*ranges)
        for index, field in enumerate(made):
            _save_words(fields + FIELD * index, *field)
        return stride

    @property
    def packing(self) -> tuple[BitField, ...]:
        """The layout of the packed states."""
        a, b, c, d = ([load(self.layout + FIELD * index + at) for index in range(self.words)] for at in range(0, 32, 8))
        return tuple(zip(a, b, c, d, strict=True))


def _save_words(address: int, *words: int) -> None:
    for index, word in enumerate(words):
        save(address + 8 * index, word)


def hash_of(state: State) -> int:
    """Return a hash of a state."""
    return hash_words(words_of(state))


def repack(positions: MemoryPositions, stride: int, layout: int, like: State) -> None:
    """Pack all states again, into entries of the same size or of a larger size. Begin with the last state, so that no
    state is overwritten.
    """
    for number in range(positions.count - 1, -1, -1):
        state = positions.state(number, like)
        pack(positions.keys + stride * number, state, layout)


def reindex(positions: MemoryPositions, count: int, like: State) -> None:
    """Put all states into a new index; `like` is any state."""
    for number in range(count):
        if number + AHEAD < count:
            positions.prefetch(positions.state(number + AHEAD, like))
        hashed = hash_of(positions.state(number, like))
        slot = spread(hashed, positions.slots)
        while positions.index.get(slot) != 0:
            slot += 1
            if slot == positions.slots:
                slot = 0
        positions.index.put(slot, number + 1 | hashed & positions.tags)


def copy_numbers(positions: MemoryPositions, address: int) -> None:
    """Write the numbers of the index to an address, four bytes each."""
    for slot in range(positions.slots):
        number = positions.index.get(slot) & positions.numbers
        for byte in range(4):
            save_byte(address + 4 * slot + byte, number >> 8 * byte)


class Codes:
    """Values and their codes, numbered from 1 in the order of discovery; for interpreted code."""

    variables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, most: int) -> None:
        self.most, self.refused = most, 0
        """The maximum number of values, and whether there were more (`refused`)."""
        self._codes: dict[float, int] = {}

    def code(self, value: float) -> int:
        """Return the code of a value, which is added if it is new; 0 if there are too many values."""
        if value not in self._codes and len(self._codes) == self.most:
            self.refused = 1
            return 0
        return self._codes.setdefault(value, len(self._codes) + 1)

    def find(self, value: float) -> int:
        """Return the code of a value; 0 if it has no code."""
        return self._codes.get(value, 0)

    @property
    def values(self) -> list[float]:
        """The values in the order of their codes."""
        return list(self._codes)


class MemoryCodes:
    """Values and their codes, for machine code."""

    variables: ClassVar[tuple[str, ...]] = ("address", "count", "most", "refused")

    def __init__(self, most: int) -> None:
        self.most, self.refused = most, 0
        self.memory = Memory(8 * MOST_CODES[2])
        self.address = self.memory.address
        self.count = 0

    def find(self, value: float) -> int:
        word = bits_of(value + 0.0)
        for index in range(self.count):
            if load(self.address + 8 * index) == word:
                return index + 1
        return 0

    def code(self, value: float) -> int:
        code = self.find(value)
        if code:
            return code
        if self.count == self.most:
            self.refused = 1
            return 0
        save(self.address + 8 * self.count, bits_of(value + 0.0))
        self.count += 1
        return self.count

    @property
    def values(self) -> list[float]:
        """The values in the order of their codes."""
        return [value_of(load(self.address + 8 * index)) for index in range(self.count)]
