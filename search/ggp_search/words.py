"""Machine words: memory at an address, hashing, and the bits of a float, for both speeds.

Each function here is ordinary Python. When Numba is at hand, `teach_numba` tells it what machine instructions each
stands for, and searches that are compiled use those. Words are signed, of 64 bits; addresses are in bytes.
"""

import ctypes
import functools
import math
import struct
from collections.abc import Iterator
from typing import Any

import attrs

_ALL = (1 << 64) - 1
_MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio (D. E. Knuth, The Art of Computer Programming 3, section 6.4)."""


def load(address: int) -> int:
    """The word at `address`."""
    return ctypes.c_int64.from_address(address).value


def save(address: int, word: int) -> None:
    """Put `word` at `address`."""
    ctypes.c_int64.from_address(address).value = word


def load_byte(address: int) -> int:
    """The byte at `address`, -128 to 127."""
    return ctypes.c_int8.from_address(address).value


def save_byte(address: int, byte: int) -> None:
    """Put `byte`, -128 to 127, at `address`."""
    ctypes.c_int8.from_address(address).value = byte


def mix(hashed: int, word: int) -> int:
    """The hash of all that has gone into `hashed`, and of `word`. Unsigned inside: signed words would overflow."""
    product = ((hashed ^ word) & _ALL) * _MULTIPLIER & _ALL
    return _signed(product ^ product >> 32)


def spread(hashed: int, count: int) -> int:
    """A number from 0 to `count` - 1 by the upper half of a hash; `count` is less than 2**31."""
    return ((hashed & _ALL) >> 32) * count >> 32


def bits_of(value: float) -> int:
    """The bits of a float as a word."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def value_of(bits: int) -> float:
    """The float that has these bits."""
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])


def words_of(value: Any) -> tuple[int, ...]:
    """Return the words that a value is made of: a number, or a nesting of tuples and frozen classes of them."""
    if isinstance(value, float):
        return (bits_of(value),)
    if isinstance(value, int):
        return (int(value),)
    parts = value if isinstance(value, tuple) else [getattr(value, each.name) for each in attrs.fields(type(value))]
    return tuple(word for part in parts for word in words_of(part))


def put_value(address: int, value: Any) -> None:
    """Put the words of a value at `address`."""
    for place, word in enumerate(words_of(value)):
        save(address + 8 * place, word)


def get_value(address: int, like: Any) -> Any:
    """Return the value at `address`, of the shape of `like`."""
    return _built(iter(load(address + 8 * place) for place in range(len(words_of(like)))), like)


def _built(words: Iterator[int], like: Any) -> Any:
    if isinstance(like, float):
        return value_of(next(words))
    if isinstance(like, int):
        return type(like)(next(words))
    if isinstance(like, tuple):
        parts = [_built(words, part) for part in like]
        return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
    return type(like)(*[_built(words, getattr(like, each.name)) for each in attrs.fields(type(like))])


def next_above(value: float) -> float:
    """The least float greater than `value`."""
    return math.nextafter(value, math.inf)


def next_below(value: float) -> float:
    """The greatest float less than `value`."""
    return math.nextafter(value, -math.inf)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


@functools.cache
def teach_numba() -> None:
    """Tell Numba what machine code stands for the functions above."""
    import numpy as np
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    word, byte = ir.IntType(64), ir.IntType(8)

    @intrinsic
    def load_word(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(builder.inttoptr(arguments[0], word.as_pointer()))

        return types.int64(types.int64), generate

    @intrinsic
    def save_word(typing: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.store(arguments[1], builder.inttoptr(arguments[0], word.as_pointer()))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    @intrinsic
    def load_one(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.sext(builder.load(builder.inttoptr(arguments[0], byte.as_pointer())), word)

        return types.int64(types.int64), generate

    @intrinsic
    def save_one(typing: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.store(builder.trunc(arguments[1], byte), builder.inttoptr(arguments[0], byte.as_pointer()))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    @intrinsic
    def float_bits(typing: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], word)

        return types.int64(types.float64), generate

    @intrinsic
    def bits_float(typing: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], ir.DoubleType())

        return types.float64(types.int64), generate

    multiplier, half, infinity = np.uint64(_MULTIPLIER), np.uint64(32), np.inf

    def mix_words(hashed, word):  # type: ignore[no-untyped-def]
        product = (np.uint64(hashed) ^ np.uint64(word)) * multiplier
        return np.int64(product ^ (product >> half))

    def spread_words(hashed, count):  # type: ignore[no-untyped-def]
        return np.int64(((np.uint64(hashed) >> half) * np.uint64(count)) >> half)

    overload(load)(lambda address: lambda address: load_word(address))  # type: ignore[call-arg]
    overload(save)(lambda address, word: lambda address, word: save_word(address, word))  # type: ignore[call-arg]
    overload(load_byte)(lambda address: lambda address: load_one(address))  # type: ignore[call-arg]
    overload(save_byte)(lambda address, byte: lambda address, byte: save_one(address, byte))  # type: ignore[call-arg]
    overload(mix)(lambda hashed, word: mix_words)
    overload(spread)(lambda hashed, count: spread_words)
    overload(bits_of)(lambda value: lambda value: float_bits(value))  # type: ignore[call-arg]
    overload(value_of)(lambda bits: lambda bits: bits_float(bits))  # type: ignore[call-arg]
    overload(next_above)(lambda value: lambda value: np.nextafter(value, infinity))
    overload(next_below)(lambda value: lambda value: np.nextafter(value, -infinity))
