r"""`ggp.Points`: the geometry, notation and scene of a board of points and lines, which is read from its picture.

    SQUARE = ggp.Points('''
        o-------o
        | \   / |
        |   o   |
        | /   \ |
        o-------o
    ''')

Points are numbered row by row from the top. Points are named as in chess: a letter for the column, a number for the
row.
"""

import functools
import inspect
from collections.abc import Iterator, Mapping, Sequence

import attrs

from ggp.bits import Bits
from ggp.board_game import EDGE, LETTERS, BoardOptions, Draw, Layout, NumberedBoard, edge_names
from ggp.options import constant
from ggp.scene import Line

COLUMN, ROW = 4, 2
"""The distance of columns of points in a drawing, in characters; and the distance of rows, in lines."""
STEPS = {"-": (1, 0), "|": (0, 1), "\\": (2, 1), "/": (-2, 1)}
"""The characters that draw a line. For each, the step to the next character: (characters to the right, lines down)."""
APART = 1.5
"""Distance of columns, and of rows, in a scene."""
WIDE = 1.4
"""Side of a point's cell."""
BYTE = 256


@attrs.frozen
class Points(NumberedBoard):
    """A board of at most 63 points and of lines that join them.

    In the picture, "o" is a point. Columns of points are four characters apart, and rows two lines. Lines of the board
    are drawn with - | \\ and /, without a gap from point to point. A diagonal moves two characters to the side in each
    line of the picture.
    """

    picture: str

    _rows: tuple[str, ...] = constant(lambda points: tuple(inspect.cleandoc(points.picture).splitlines()))
    places: tuple[tuple[int, int], ...] = constant(lambda points: tuple(points._places()))
    """Column and row of each point; row 0 is at the top."""
    size: int = constant(lambda points: len(points.places))
    """Number of points."""
    board: Bits = constant(lambda points: Bits.of(*range(points.size)))
    """All points."""
    joined: tuple[Bits, ...] = constant(lambda points: tuple(points._joined()))
    """For each point, the points joined to it by a line."""
    threes: tuple[Bits, ...] = constant(lambda points: tuple(points._threes()))
    """All sets of three points in a straight row, each joined to the next."""
    threes_at: tuple[tuple[Bits, ...], ...] = constant(lambda points: tuple(map(points._threes_at, points.board)))
    """For each point, those of the `threes` that include it."""
    symmetries: tuple[tuple[int, ...], ...] = constant(lambda points: tuple(points._symmetries()))
    """The symmetries except the identity: each maps points to points, lines to lines, and threes to threes."""

    def _places(self) -> Iterator[tuple[int, int]]:
        for row, text in enumerate(self._rows):
            for column, sign in enumerate(text):
                if sign == "o":
                    if column % COLUMN or row % ROW:
                        where = f"line {row + 1}, character {column + 1}"
                        raise ValueError(f"points are {COLUMN} characters and {ROW} lines apart; got one at {where}")
                    yield column // COLUMN, row // ROW

    def _ahead(self, point: int, sign: str) -> int | None:
        """Return the next point on the line that leaves `point` and is drawn with `sign`; None if there is no such
        line.
        """
        across, down = STEPS[sign]
        x, y = self.places[point][0] * COLUMN + across, self.places[point][1] * ROW + down
        if self._sign(x, y) != sign:
            return None
        while self._sign(x, y) == sign:
            x, y = x + across, y + down
        if self._sign(x, y) != "o":
            raise ValueError(
                f"a line of the board ends in row {y + 1} of the picture, at character {x + 1}, where there is no point"
            )
        return self.places.index((x // COLUMN, y // ROW))

    def _sign(self, x: int, y: int) -> str:
        """Return the character at a place of the picture; a blank outside of it."""
        return self._rows[y][x] if 0 <= y < len(self._rows) and 0 <= x < len(self._rows[y]) else " "

    def _joined(self) -> Iterator[Bits]:
        pairs = [(point, self._ahead(point, sign)) for point in range(self.size) for sign in STEPS]
        for point in range(self.size):
            later = [end for start, end in pairs if start == point and end is not None]
            yield Bits.of(*later, *(start for start, end in pairs if end == point))

    def _threes(self) -> Iterator[Bits]:
        for point in range(self.size):
            for sign in STEPS:
                second = self._ahead(point, sign)
                third = None if second is None else self._ahead(second, sign)
                if second is not None and third is not None:
                    yield Bits.of(point, second, third)

    def _threes_at(self, point: int) -> tuple[Bits, ...]:
        return tuple(three for three in self.threes if point in three)

    def _symmetries(self) -> Iterator[tuple[int, ...]]:
        """Yield the symmetries, each as the images of all points.

        Symmetries are found by backtracking; the next point to map is the one with most neighbours that are mapped.
        """

        def extended(images: Mapping[int, int]) -> Iterator[Mapping[int, int]]:
            placed = Bits.of(*images)
            if placed == self.board:
                yield images
                return
            point = max(self.board - placed, key=lambda point: len(self.joined[point] & placed))
            possible = self.board - Bits.of(*images.values())
            for other, image in images.items():
                near = self.joined[image]
                possible = possible & near if other in self.joined[point] else possible - near
            for image in possible:
                yield from extended({**images, point: image})

        for images in extended({}):
            moved = {Bits.of(*(images[point] for point in three)) for three in self.threes}
            if moved == set(self.threes) and any(point != image for point, image in images.items()):
                yield tuple(images[point] for point in range(self.size))

    def image(self, symmetry: int, points: Bits) -> Bits:
        """Return the image of these points under a symmetry, given by its number."""
        word, first = 0, symmetry * self._bytes * BYTE
        for byte in range(self._bytes):
            word |= self._images[first + byte * BYTE + (points.word >> 8 * byte & BYTE - 1)]
        return Bits(word)

    @functools.cached_property
    def _bytes(self) -> int:
        """Number of bytes for a set of all points."""
        return (self.size + 7) // 8

    @functools.cached_property
    def _images(self) -> tuple[int, ...]:
        """For each symmetry and each byte of a set of points, the images of the byte's 256 values."""
        by_byte = []
        for images in self.symmetries:
            for first in range(0, self.size, 8):
                byte = images[first : first + 8]
                by_byte += [sum(1 << byte[bit] for bit in Bits(word) if bit < len(byte)) for word in range(BYTE)]
        return tuple(by_byte)

    # text

    def name(self, point: int) -> str:
        """Return the name of a point: "a1" at the lower left."""
        column, row = self.places[point]
        return f"{LETTERS[column]}{self.places[-1][1] - row + 1}"

    def _rows_of_cells(self) -> list[Sequence[int]]:
        rows = range(self.places[-1][1] + 1)
        return [[point for point, (_, row) in enumerate(self.places) if row == each] for each in rows]

    def draw(self, marks: Sequence[str]) -> str:
        """Return the picture with the mark of each point, and the names of rows and columns."""
        signs, rows = iter(marks), self.places[-1][1] + 1
        drawn = ["".join(next(signs) if sign == "o" else sign for sign in row) for row in self._rows]
        numbers = [" " if line % ROW else str(rows - line // ROW) for line in range(len(drawn))]
        letters = "   ".join(LETTERS[: max(column for column, _ in self.places) + 1])
        return "\n".join([*(f"{number} {row}" for number, row in zip(numbers, drawn, strict=True)), f"  {letters}"])

    # scenes

    def _layout(self, draw: Draw, options: BoardOptions) -> Layout:
        joins = ((point, other) for point in range(self.size) for other in self.joined[point] if point < other)
        options.setdefault("lines", tuple(Line(self.name(point), self.name(other)) for point, other in joins))
        options.setdefault("material", "wood")
        places = enumerate(self.places)
        cells = [draw(point, APART * column, APART * row, WIDE, WIDE, "round", "") for point, (column, row) in places]
        last = self.places[-1][1]
        rows = {str(last - row + 1): APART * row + WIDE / 2 for _, row in self.places}
        columns = {LETTERS[column]: APART * column + WIDE / 2 for column, _ in self.places}
        cells += edge_names(rows, columns, 0, APART * last + WIDE)
        return cells, APART * last + WIDE + EDGE + 0.2
