"""The layout of values in memory, as LLVM lays out the types of `ggp.compiler.lowering.type_text`."""

import functools

from ggp.compiler.types import BOOL, BOTTOM, NONE, BitsOf, Optional, RecordOf, Tuple, Type


@functools.cache
def parts(kind: Type) -> tuple[tuple[int, bool], ...]:
    """Return for each word of a value its offset in bytes, and whether it is a bit."""
    return _parts(kind)[0]


@functools.cache
def size_in_bytes(kind: Type) -> int:
    """Return the distance in bytes between neighbouring values in an array."""
    return _parts(kind)[1]


def steps(kind: Type) -> list[int]:
    """Return the offset in bytes of each part of a tuple, record, object or optional value."""
    inner = (BOOL, kind.item) if isinstance(kind, Optional) else kind.items  # type: ignore[attr-defined]
    offset, offsets = 0, []
    for each in inner:
        _, size, step = _parts(each)
        offset = -(-offset // step) * step
        offsets.append(offset)
        offset += size
    return offsets


def _parts(kind: Type) -> tuple[tuple[tuple[int, bool], ...], int, int]:
    """Return for each word of a value its offset and whether it is a bit; also return the value's size and alignment.
    Offsets, size and alignment are in bytes.
    """
    if isinstance(kind, (Tuple, RecordOf, Optional)):
        inner = (BOOL, kind.item) if isinstance(kind, Optional) else kind.items
        places: list[tuple[int, bool]] = []
        offset, alignment = 0, 1
        for each in inner:
            own, size, step = _parts(each)
            offset = -(-offset // step) * step
            places.extend((offset + at, bit) for at, bit in own)
            offset += size
            alignment = max(alignment, step)
        return tuple(places), -(-offset // alignment) * alignment, alignment
    if kind in (NONE, BOTTOM):
        return (), 1, 1
    if kind == BOOL:
        return ((0, True),), 1, 1
    if isinstance(kind, BitsOf):
        return tuple((8 * index, False) for index in range(kind.words)), 8 * kind.words, 8
    return ((0, False),), 8, 8
