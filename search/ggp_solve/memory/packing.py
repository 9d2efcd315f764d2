"""The states of an enumeration, packed to be stored in a file."""

from ggp_search.tablebases.packed_positions import PackedPositions, PositionLayout

from ggp.compiler.types import NotRepresentable
from ggp.errors import TablebaseError
from ggp_solve.enumeration.enumeration import Enumeration, TooLargeError
from ggp_solve.enumeration.speed import Compiled


def packed(enumeration: Enumeration) -> PackedPositions:
    """Return the packed states of an enumeration.

    Raises:
        TablebaseError: the states have a type that cannot be stored.
    """
    if isinstance(enumeration.run, Compiled):
        positions = enumeration.positions
        layout = PositionLayout(enumeration.run.kind, positions.packing, positions.stride)
        states = positions.memory.content(positions.stride * positions.count)
        return PackedPositions(layout, states, positions.plain_index(enumeration.run))
    try:
        return PackedPositions.of([enumeration.state(number) for number in range(enumeration.count)])
    except NotRepresentable as error:
        raise TablebaseError(f"the states of {enumeration.game.name} cannot be stored in a file: {error}") from None


def unpack_into(enumeration: Enumeration, layout: PositionLayout, states: bytes) -> None:
    """Number packed states again, in an enumeration without positions.

    Raises:
        TooLargeError: the states do not fit in memory.
    """
    if isinstance(enumeration.run, Compiled):
        fits = layout.kind == enumeration.run.kind and enumeration.positions.restore(
            layout, states, enumeration.run, enumeration.start
        )
    else:
        stored = PackedPositions(layout, states, b"")
        fits = all(enumeration.positions.number(stored.state(number)) >= 0 for number in range(stored.count))
    if not fits:
        raise TooLargeError("the checkpoint's positions do not fit in memory: allow more with --memory MB")
