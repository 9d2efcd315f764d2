"""The states of an enumeration, packed to be stored in a file."""

from ggp_search.tablebases.packed_positions import PackedPositions, PositionLayout

from ggp.compiler.types import NotRepresentable
from ggp.errors import TablebaseError
from ggp_solve.enumeration.enumeration import Enumeration, TooLargeError
from ggp_solve.enumeration.speed import Compiled


def packed(found: Enumeration) -> PackedPositions:
    """Return the packed states of an enumeration.

    Raises:
        TablebaseError: the states have a type that cannot be stored.
    """
    if isinstance(found.run, Compiled):
        positions = found.positions
        layout = PositionLayout(found.run.kind, positions.packing, positions.stride)
        states = positions.memory.content(positions.stride * positions.count)
        return PackedPositions(layout, states, positions.plain_index(found.run))
    try:
        return PackedPositions.of([found.state(number) for number in range(found.count)])
    except NotRepresentable as error:
        raise TablebaseError(f"the states of {found.game.name} cannot be stored in a file: {error}") from None


def unpack_into(found: Enumeration, layout: PositionLayout, states: bytes) -> None:
    """Number packed states again, in an enumeration without positions.

    Raises:
        TooLargeError: the states do not fit in memory.
    """
    if isinstance(found.run, Compiled):
        fits = layout.kind == found.run.kind and found.positions.restore(layout, states, found.run, found.start)
    else:
        stored = PackedPositions(layout, states, b"")
        fits = all(found.positions.number(stored.state(number)) >= 0 for number in range(stored.count))
    if not fits:
        raise TooLargeError("the checkpoint's positions do not fit in memory: allow more with --memory MB")
