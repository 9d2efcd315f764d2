"""Morris's positions, moves, and boards with their lines and symmetries, worked out once."""

import itertools
from collections.abc import Callable
from typing import NamedTuple

Place = tuple[int, int]
"""x to the right and y down, in the grid of the board."""


NOWHERE = -1
"""As a point: none."""


class Position(NamedTuple):
    """The men on the board and in the hands. Points are bits: point 0 is the least."""

    first: int
    """The points on which MAX's men stand."""
    second: int
    """Those of MIN's."""
    first_hand: int
    """Men that MAX has yet to place."""
    second_hand: int
    mover: int


class Move(NamedTuple):
    """A man is placed or moved, and may take one."""

    start: int
    """The point it leaves; -1 for a man from the hand."""
    end: int
    taken: int = NOWHERE
    """The point of the man that is taken; -1 for none."""


class Board(NamedTuple):
    """A board; sets of points are bits."""

    size: int
    """Columns, and rows, of the grid in which the points lie."""
    places: tuple[Place, ...]
    points: int
    all: int
    joined: tuple[int, ...]
    """For each point those next to it on a line."""
    mills: tuple[int, ...]
    """The lines of three."""
    mills_at: tuple[tuple[int, ...], ...]
    """For each point the mills through it."""
    symmetries: tuple[tuple[int, ...], ...]
    """Each takes a point to another and lines to lines; without the one that changes nothing."""


def board(size: int, rings: int, lines: list[tuple[Place, Place, Place]]) -> Board:
    """Return the board of these lines of three, each in order from end to end.

    Arguments:
        rings: squares one within another, whose exchange is a symmetry if there is more than one.
    """
    places = tuple(sorted({place for line in lines for place in line}, key=lambda place: (place[1], place[0])))
    number = {place: point for point, place in enumerate(places)}
    joined = [0] * len(places)
    for line in lines:
        for one, other in itertools.pairwise(line):
            joined[number[one]] |= 1 << number[other]
            joined[number[other]] |= 1 << number[one]
    mills = tuple(sum(1 << number[place] for place in line) for line in lines)
    middle = size // 2

    def turned(place: Place) -> Place:
        return size - 1 - place[1], place[0]

    def mirrored(place: Place) -> Place:
        return size - 1 - place[0], place[1]

    def exchanged(place: Place) -> Place:
        """Exchange the outer ring and the inner."""
        if rings == 1:
            return place
        across, down = place[0] - middle, place[1] - middle
        ring = max(abs(across), abs(down))
        other = middle + (middle - rings + 1) - ring
        return middle + across // ring * other, middle + down // ring * other

    made = _group([turned, mirrored, exchanged], places)
    symmetries = tuple(sorted(tuple(number[place] for place in image) for image in made if image != places))
    mills_at = tuple(tuple(mill for mill in mills if mill >> point & 1) for point in range(len(places)))
    return Board(size, places, len(places), (1 << len(places)) - 1, tuple(joined), mills, mills_at, symmetries)


def _group(moves: list[Callable[[Place], Place]], places: tuple[Place, ...]) -> set[tuple[Place, ...]]:
    """Return the images of the places under all that these moves can be put together to."""
    made, waiting = {places}, [places]
    while waiting:
        image = waiting.pop()
        for move in moves:
            after = tuple(map(move, image))
            if after not in made:
                made.add(after)
                waiting.append(after)
    return made


def _rows(size: int, levels: range) -> list[tuple[Place, Place, Place]]:
    """Return the horizontal lines of rings at these distances from the edge, and the vertical ones."""
    middle = size // 2
    found = []
    for level in levels:
        last = size - 1 - level
        for fixed in (level, last):
            found.append(((level, fixed), (middle, fixed), (last, fixed)))
    return found + [tuple((y, x) for x, y in line) for line in found]  # type: ignore[misc]


_SPOKES: list[tuple[Place, Place, Place]] = [
    ((3, 0), (3, 1), (3, 2)),
    ((3, 4), (3, 5), (3, 6)),
    ((0, 3), (1, 3), (2, 3)),
    ((4, 3), (5, 3), (6, 3)),
]
_CROSS: list[tuple[Place, Place, Place]] = [((1, 0), (1, 1), (1, 2)), ((0, 1), (1, 1), (2, 1))]
_DIAGONALS: list[tuple[Place, Place, Place]] = [((0, 0), (1, 1), (2, 2)), ((2, 0), (1, 1), (0, 2))]

SIX_SPOKES = (((2, 0), (2, 1)), ((2, 3), (2, 4)), ((0, 2), (1, 2)), ((3, 2), (4, 2)))
"""With six men the two rings are joined by lines of two points, on which there is no mill."""


def _six() -> Board:
    made = board(5, 2, _rows(5, range(2)))
    number = {place: point for point, place in enumerate(made.places)}
    joined = list(made.joined)
    for one, other in SIX_SPOKES:
        joined[number[one]] |= 1 << number[other]
        joined[number[other]] |= 1 << number[one]
    return made._replace(joined=tuple(joined))


BOARDS = {
    2: board(3, 1, _rows(3, range(1)) + _CROSS),
    3: board(3, 1, _rows(3, range(1)) + _CROSS + _DIAGONALS),
    6: _six(),
    9: board(7, 3, _rows(7, range(3)) + _SPOKES),
}
"""By the number of men; 2 is the board for three without diagonals."""
