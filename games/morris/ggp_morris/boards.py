"""Morris's positions, moves, and boards with their lines and symmetries, worked out once."""

import itertools
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


def board(*rows: str, diagonals: bool = False) -> Board:
    """Return the board of a picture: "o" is a point, and points are joined that are neighbours or have a line between.

    Arguments:
        diagonals: whether the corners are joined to the middle, too.
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
    """Return the points' images under turning, mirroring, and exchanging the inner and the outer ring."""
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
"""By the number of men; 2 is the board for three without diagonals."""
