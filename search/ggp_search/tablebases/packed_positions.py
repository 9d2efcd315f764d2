"""Packed positions: states in as few bits as they need, and an index from the hash of a state to its number.

Files hold positions in this form. While a game is enumerated at machine speed, `ggp_solve.memory.positions` has
the positions in memory, in the same layout.
"""

import functools
from collections.abc import Sequence

import attrs

from ggp.compiler.encoding import build, flatten, signed
from ggp.compiler.intrinsics import ALL, hash_of, mix, spread
from ggp.compiler.types import NotRepresentable, Type, join, type_of
from ggp.game import State

Bytes = bytes | memoryview
BitField = tuple[int, int, int, int]
"""Where and how a packed state holds a word: the word's least value, a mask, a shift in bits, and an offset in
bytes.
"""


@attrs.frozen
class PositionLayout:
    """How states are packed: each word is stored in a field with as many bits as it needs."""

    kind: Type
    """The type of the states."""
    fields: tuple[BitField, ...]
    stride: int
    """Size of a packed state in bytes."""

    @property
    def mask(self) -> int:
        """A mask of all bits that the fields use."""
        return sum((mask & ALL) << shift + 8 * byte for _, mask, shift, byte in self.fields)

    def words(self, state: State) -> list[int] | None:
        """Return the words of a state; None if the state has another type."""
        try:
            return flatten(state, self.kind)
        except NotRepresentable:
            return None

    def packed(self, words: Sequence[int]) -> int | None:
        """Return the words packed into one number; None if a word does not fit into its field."""
        number = 0
        for word, (low, mask, shift, byte) in zip(words, self.fields, strict=True):
            part = word - low & ALL
            if part & ~(mask & ALL):
                return None
            number |= part << shift + 8 * byte
        return number

    def state(self, number: int) -> State:
        """Return the state that is packed in this number."""
        fields = self.fields
        words = (signed((number >> shift + 8 * byte & mask & ALL) + low & ALL) for low, mask, shift, byte in fields)
        return build(words, self.kind)


def lay_out(lows: Sequence[int], highs: Sequence[int]) -> tuple[tuple[BitField, ...], int]:
    """Return fields for words with these least and greatest values, and the size in bytes of a packed state.

    No field crosses the boundary of a 64-bit word; the widest fields are placed first.
    """
    bits = [(high - low).bit_length() for low, high in zip(lows, highs, strict=True)]
    fields, used = [(0, 0, 0, 0)] * len(bits), [0]
    # Widest first (first-fit decreasing): narrow fields fill the gaps that wide ones leave.
    for number in sorted(range(len(bits)), key=lambda number: -bits[number]):
        byte = next((byte for byte, taken in enumerate(used) if taken + bits[number] <= 64), len(used))
        if byte == len(used):
            used.append(0)
        shift = used[byte] if bits[number] else 0
        fields[number] = lows[number], signed((1 << bits[number]) - 1), shift, 8 * byte
        used[byte] += bits[number]
    return tuple(fields), 8 * (len(used) - 1) + max(1, -(-used[-1] // 8))


def hash_words(words: Sequence[int]) -> int:
    """Return the hash of a state with these words."""
    return mix(hash_of(words), 0)


@attrs.frozen(eq=False)
class PackedPositions:
    """States, numbered from 0 and packed into bytes."""

    layout: PositionLayout
    states: Bytes
    """The packed states in the order of their numbers."""
    index: Bytes
    """Slots of four bytes each: a state's number plus 1, or 0. A state's number is in the slot of the state's hash, or
    in the next slot that was free.
    """
    mask: int = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "mask", self.layout.mask)

    @classmethod
    def of(cls, states: Sequence[State]) -> "PackedPositions":
        """Pack some states.

        Raises:
            NotRepresentable: the states have no common type.
        """
        kind: Type = functools.reduce(join, map(type_of, states))
        rows = [flatten(state, kind) for state in states]
        columns = list(zip(*rows, strict=True))
        lows, highs = [min(0, *column) for column in columns], [max(0, *column) for column in columns]
        layout = PositionLayout(kind, *lay_out(lows, highs))
        slots = len(rows) * 3 // 2 + 1
        numbers, entries = [0] * slots, []
        for number, words in enumerate(rows):
            slot = spread(hash_words(words), slots)
            while numbers[slot]:
                slot = (slot + 1) % slots
            numbers[slot] = number + 1
            entries.append((layout.packed(words) or 0).to_bytes(layout.stride, "little"))
        return cls(layout, b"".join(entries), b"".join(number.to_bytes(4, "little") for number in numbers))

    @property
    def count(self) -> int:
        """Number of states."""
        return len(self.states) // self.layout.stride

    @property
    def slots(self) -> int:
        """Number of slots of the index."""
        return len(self.index) // 4

    def entry(self, number: int) -> int:
        """Return a packed state."""
        at = number * self.layout.stride
        return int.from_bytes(self.states[at : at + self.layout.stride], "little") & self.mask

    def state(self, number: int) -> State:
        """Return the state with this number."""
        return self.layout.state(self.entry(number))

    def find(self, state: State) -> int:
        """Return the number of a state; -1 if it has none."""
        words = self.layout.words(state)
        packed = None if words is None else self.layout.packed(words)
        if words is None or packed is None:
            return -1
        slot, count = spread(hash_words(words), self.slots), self.count
        # Bounded: in a damaged file without an empty slot, probing would never end.
        for _ in range(self.slots):
            number = int.from_bytes(self.index[4 * slot : 4 * slot + 4], "little") - 1
            if number < 0 or number >= count or self.entry(number) == packed:
                return number if number < count else -1
            slot = (slot + 1) % self.slots
        return -1
