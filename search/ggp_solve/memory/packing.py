"""The states of an enumeration, packed to be stored in a file."""

import functools
from typing import Any

from ggp_search.tablebases.position_table import PositionLayout, hash_words, lay_out

from ggp.compiler.encoding import flatten
from ggp.compiler.intrinsics import spread
from ggp.compiler.types import NotRepresentable, Type, join, type_of
from ggp.errors import TablebaseError
from ggp_solve.enumeration.enumeration import Enumeration, TooLargeError
from ggp_solve.enumeration.speed import Compiled


def packed(found: Enumeration) -> tuple[PositionLayout, bytes, bytes]:
    """Return the layout of an enumeration's packed states, their bytes, and the bytes of the index.

    Raises:
        TablebaseError: the states have a type that cannot be stored.
    """
    return _packed(found) if found.compiled else _pack(found)


def _packed(found: Enumeration) -> tuple[PositionLayout, bytes, bytes]:
    """Return the layout of a compiled enumeration's states, their bytes, and the bytes of the index."""
    positions, run = found.positions, found.run
    layout = PositionLayout(run.kind, positions.packing, positions.stride)  # type: ignore[union-attr]
    return layout, positions.memory.content(positions.stride * positions.count), positions.plain_index(run)


def _pack(found: Enumeration) -> tuple[PositionLayout, bytes, bytes]:
    """Pack the states of an interpreted enumeration; return the same as `_packed`."""
    states = [found.state(number) for number in range(found.count)]
    try:
        kind: Type = functools.reduce(join, map(type_of, states))
        rows = [flatten(state, kind) for state in states]
    except NotRepresentable as error:
        raise TablebaseError(f"the states of {found.game.name} cannot be stored in a file: {error}") from None
    columns: list[Any] = list(zip(*rows, strict=True))
    layout = PositionLayout(
        kind, *lay_out([min(0, *column) for column in columns], [max(0, *column) for column in columns])
    )
    slots = len(rows) * 3 // 2 + 1
    numbers, entries = [0] * slots, []
    for number, words in enumerate(rows):
        slot = spread(hash_words(words), slots)
        while numbers[slot]:
            slot = (slot + 1) % slots
        numbers[slot] = number + 1
        entries.append((layout.packed(words) or 0).to_bytes(layout.stride, "little"))
    return layout, b"".join(entries), b"".join(number.to_bytes(4, "little") for number in numbers)


def unpack_into(found: Enumeration, layout: PositionLayout, states: bytes) -> None:
    """Number packed states again, in an enumeration without positions.

    Raises:
        TooLargeError: the states do not fit in memory.
    """
    if isinstance(found.run, Compiled):
        if layout.kind != found.run.kind or not found.positions.restore(layout, states, found.run, found.start):
            raise TooLargeError("the checkpoint's positions do not fit in memory: allow more with --memory MB")
        return
    mask = layout.mask
    for at in range(0, len(states), layout.stride):
        packed_state = int.from_bytes(states[at : at + layout.stride], "little") & mask
        if found.positions.number(layout.state(packed_state)) < 0:
            raise TooLargeError("the checkpoint's positions do not fit in memory: allow more with --memory MB")
