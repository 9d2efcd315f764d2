"""Intrinsics: memory at an address, hashing, and the bits of a float, at both speeds.

Each function here is ordinary Python; compiled code uses machine instructions instead. Words are signed and have 64
bits; addresses are in bytes.
"""

import ctypes
import math
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ggp.compiler.encoding import build, flatten, signed
from ggp.compiler.types import type_of

GivenT = TypeVar("GivenT")
ValueT = TypeVar("ValueT")

ALL = (1 << 64) - 1
MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio (D. E. Knuth, The Art of Computer Programming 3, section 6.4)."""


def load(address: int) -> int:
    """Return the word at `address`."""
    return ctypes.c_int64.from_address(address).value


def save(address: int, word: int) -> None:
    """Store `word` at `address`."""
    ctypes.c_int64.from_address(address).value = word


def prefetch(address: int) -> None:
    """Ask the processor to bring the word at `address` into its cache; the code does not wait for it."""


def publish(address: int, word: int) -> None:
    """Store `word` at `address` for other threads: a thread that reads it also sees everything stored before it."""
    save(address, word)


def add_to(address: int, number: int) -> None:
    """Add a whole number to the word at `address`, in one step even if other threads do so too."""
    save(address, signed((load(address) + number) & ALL))


def add_float_to(address: int, number: float) -> None:
    """Add a number to the float at `address`, in one step even if other threads do so too."""
    save(address, bits_of(value_of(load(address)) + number))


def load_byte(address: int) -> int:
    """Return the byte at `address`, -128 to 127."""
    return ctypes.c_int8.from_address(address).value


def save_byte(address: int, byte: int) -> None:
    """Store `byte`, -128 to 127, at `address`."""
    ctypes.c_int8.from_address(address).value = byte


def mix(hashed: int, word: int) -> int:
    """Return the hash of `word` and of everything hashed before (`hashed`)."""
    product = ((hashed ^ word) & ALL) * MULTIPLIER & ALL
    return signed(product ^ product >> 32)


def hash_of(words: Sequence[int]) -> int:
    """Return the hash of some words."""
    hashed = 0
    for word in words:
        hashed = mix(hashed, word)
    return hashed


def spread(hashed: int, count: int) -> int:
    """Return a number from 0 to `count` - 1, computed from the upper half of a hash; `count` must
    be less than 2**31.
    """
    return ((hashed & ALL) >> 32) * count >> 32


def count_of(items: Iterable[object]) -> int:
    """Return the number of items. Compiled code does not compute the items if it can tell how many there are, and that
    computing them raises no exception.
    """
    count = 0
    for _ in items:
        count += 1
    return count


def item_at(items: Iterable[ValueT], index: int) -> ValueT:
    """Return the item with an index; the first has index 0.

    The caller has already run through the items, and so knows that they can all be computed: compiled code does not
    compute the items before this one if it can tell how many there are.

    Raises:
        IndexError: there are no more items than the index, or the index is negative.
    """
    if index < 0:
        raise IndexError
    for each in items:
        if index == 0:
            return each
        index -= 1
    raise IndexError


def random_item(items_of: Callable[[GivenT], Iterable[ValueT]], given: GivenT, word: int) -> tuple[ValueT, int]:
    """Return the item of `items_of(given)` that a random word chooses, and the number of items.

    Compiled code makes no list, but counts the items first, unless that takes loops within loops within loops.

    Raises:
        IndexError: there is no item.
    """
    return listed_item(items_of(given), word)


def listed_item(items: Iterable[ValueT], word: int) -> tuple[ValueT, int]:
    """Return the item that a random word chooses, and the number of items."""
    listed = list(items)
    count = len(listed)
    return listed[spread(word, count)], count


def bits_of(value: float) -> int:
    """Return the bits of a float as a word."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def value_of(bits: int) -> float:
    """Return the float with these bits."""
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])


def next_above(value: float) -> float:
    """Return the least number greater than `value`: a float, or the next whole number that floats can represent."""
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return value + 1
    return math.nextafter(value, math.inf)


def next_below(value: float) -> float:
    """Return the greatest number less than `value`: a float, or the previous whole number that floats can represent."""
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return value - 1
    return math.nextafter(value, -math.inf)


def words_of(value: object) -> tuple[int, ...]:
    """Return the words of a value."""
    return tuple(flatten(value, type_of(value)))


def put_value(address: int, value: object) -> None:
    """Store the words of a value at `address`."""
    for index, word in enumerate(words_of(value)):
        save(address + 8 * index, word)


def get_value(address: int, like: ValueT) -> ValueT:
    """Return the value at `address`, with the type of `like`."""
    kind = type_of(like)
    words = iter([load(address + 8 * index) for index in range(len(flatten(like, kind)))])
    made: ValueT = build(words, kind)
    return made


FIELD = 32
"""Size of a field's description in a layout, in bytes: four words for least number, mask, shift and first byte."""


def pack(address: int, value: object, layout: int) -> None:
    """Store the words of a value at `address`, each in its field of a layout.

    Arguments:
        layout: the address of the descriptions of the fields, one field for each word of the value. A field stores the
            difference between the word and the field's least number, which must fit into the field's mask.
    """
    pack_words(address, words_of(value), layout)


def unpack(address: int, like: ValueT, layout: int) -> ValueT:
    """Return the value whose words are stored in fields at `address`; it has the type of `like`."""
    made: ValueT = build(iter(unpack_words(address, len(words_of(like)), layout)), type_of(like))
    return made


def is_packed(address: int, value: object, layout: int) -> bool:
    """Return whether the fields at `address` hold the words of a value."""
    return words_of(unpack(address, value, layout)) == words_of(value)


def fits(value: object, layout: int) -> bool:
    """Return whether each word of a value fits into its field of a layout."""
    return words_fit(words_of(value), layout)


def pack_words(address: int, words: Sequence[int], layout: int) -> None:
    """Store words at `address`, each in its own field of a layout."""
    for index, word in enumerate(words):
        low, mask, shift, shift_in_word = _field(layout, index)
        kept = load(address + shift_in_word) & ~signed((mask & ALL) << shift & ALL)
        save(address + shift_in_word, kept | signed(((word - low) & ALL) << shift & ALL))


def unpack_words(address: int, count: int, layout: int) -> list[int]:
    """Return the words in the first `count` fields of a layout at `address`."""
    words = []
    for index in range(count):
        low, mask, shift, shift_in_word = _field(layout, index)
        words.append(signed((((load(address + shift_in_word) & ALL) >> shift & mask) + low) & ALL))
    return words


def words_fit(words: Sequence[int], layout: int) -> bool:
    """Return whether each word fits into its field of a layout."""
    return not any(
        (word - low) & ALL & ~mask
        for word, (low, mask, _, _) in ((each, _field(layout, i)) for i, each in enumerate(words))
    )


def _field(layout: int, index: int) -> list[int]:
    """Return a field's least number, mask, shift and first byte."""
    return [load(layout + FIELD * index + 8 * part) for part in range(4)]
