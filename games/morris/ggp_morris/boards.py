"""Morris's positions, moves, and boards with their lines and symmetries, which are computed once."""

import itertools
from typing import NamedTuple

Place = tuple[int, int]
"""A point's coordinates in the grid of the board: x to the right and y down."""


NOWHERE = -1
"""Stands for no point."""


class Position(NamedTuple):
    """The men on the board and in the hands. A set of points is an integer, with point 0 as its lowest bit."""

    first: int
    """The points with MAX's men."""
    second: int
    """The points with MIN's men."""
    first_hand: int
    """Number of men that MAX has not placed yet."""
    second_hand: int
    mover: int


class Move(NamedTuple):
    """A man that is placed or moved, and a man that is taken, if any."""

    start: int
    """The point that the man leaves; -1 for a man from the hand."""
    end: int
    taken: int = NOWHERE
    """The point of the man that is taken; -1 for none."""


class Board(NamedTuple):
    """A board; sets of points are bits."""

    size: int
    """Number of rows, and of columns, of the grid in which the points lie."""
    places: tuple[Place, ...]
    points: int
    all: int
    joined: tuple[int, ...]
    """For each point, its neighbours on lines."""
    mills: tuple[int, ...]
    """The lines of three."""
    mills_at: tuple[tuple[int, ...], ...]
    """For each point, the mills that include it."""
    symmetries: tuple[tuple[int, ...], ...]
    """The symmetries except the identity: each maps points to points and lines to lines."""


def board(*rows: str, diagonals: bool = False) -> Board:
    """Return the board in a picture: "o" is a point, and neighbouring points, or those with a line between them, are
    joined.

    Arguments:
        diagonals: whether the corners are joined to the middle.
    """
    places = tuple((x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "o")
    number = {place: point for point, place in enumerate(places)}
    joined, mills = [0] * len(places), []

    def beside(place: Place, across: int, down: int) -> Place | None:
        x, y = place[0] + across, place[1] + down
        while y < len(rows) and x < len(rows) and rows[y][x] == ("-" if across else "|"):
            x, y = x + across, y + down
        return (x, y) if (x, y) in number else None

    for place in places:
        slanting = [(1, 1), (-1, 1)] if diagonals and sum(place) % 2 == 0 else []
        for way in [(1, 0), (0, 1), *slanting]:
            second = beside(place, *way)
            if second:
                joined[number[place]] |= 1 << number[second]
                joined[number[second]] |= 1 << number[place]
                third = beside(second, *way)
                if third:
                    mills.append(1 << number[place] | 1 << number[second] | 1 << number[third])
    mills_at = tuple(tuple(mill for mill in mills if mill >> point & 1) for point in range(len(places)))
    everything = (1 << len(places)) - 1
    symmetries = _symmetries(places, len(rows) // 2)
    return Board(len(rows), places, len(places), everything, tuple(joined), tuple(mills), mills_at, symmetries)


def _symmetries(places: tuple[Place, ...], middle: int) -> tuple[tuple[int, ...], ...]:
    """Return the points' images under rotations, reflections, and exchange of the inner and the outer ring."""
    rings = {max(abs(x - middle), abs(y - middle)) for x, y in places} - {0}
    images = set()
    for turns, mirrored, exchanged in itertools.product(range(4), (False, True), (False, True)):
        image = []
        for place in places:
            x, y = place[0] - middle, place[1] - middle
            for _ in range(turns):
                x, y = -y, x
            ring = max(abs(x), abs(y))
            if exchanged and ring:
                other = min(rings) + max(rings) - ring
                x, y = x // ring * other, y // ring * other
            image.append(places.index((middle - x if mirrored else middle + x, middle + y)))
        images.add(tuple(image))
    return tuple(sorted(images - {tuple(range(len(places)))}))


THREE = ("ooo", "ooo", "ooo")
SIX = ("o-o-o", "|ooo|", "oo oo", "|ooo|", "o-o-o")
NINE = ("o--o--o", "|o-o-o|", "||ooo||", "ooo ooo", "||ooo||", "|o-o-o|", "o--o--o")
BOARDS = {2: board(*THREE), 3: board(*THREE, diagonals=True), 6: board(*SIX), 9: board(*NINE)}
"""The boards, by the number of men; 2 stands for the board for three men without diagonals."""
