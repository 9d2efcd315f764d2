r"""`ggp.Points`: a board of points and lines, read from its picture: its geometry, its notation, and its scene.

    SQUARE = ggp.Points('''
        o-------o
        | \   / |
        |   o   |
        | /   \ |
        o-------o
    ''')

Points are numbered row by row from the top. They are named as in chess: a letter for the column, a number for the row.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Unpack, cast

import attrs

from ggp.bits import Bits
from ggp.game import AnyGame, Player, State
from ggp.grid import (
    EDGE,
    LETTERS,
    BoardPlace,
    Standing,
    button_cells,
    choices,
    edge_names,
    named_colours,
    parse_rows,
    split_mover,
    standing,
)
from ggp.options import constant
from ggp.scene import Cell, Colour, Line, PieceKind, Scene, SceneOptions

COLUMN, ROW = 4, 2
"""Characters between two columns of points in a drawing, and lines between two rows."""
STEPS = {"-": (1, 0), "|": (0, 1), "\\": (2, 1), "/": (-2, 1)}
"""The characters that draw a line, and the step from each to the next: characters to the right, and lines down."""
APART = 1.5
"""Distance of columns, and of rows, in a scene."""
WIDE = 1.4
"""Side of a point's cell."""
BYTE = 256


@attrs.frozen
class Points:
    """A board of at most 63 points and of lines that join them.

    In the picture, "o" is a point. Columns of points are four characters apart, and rows two lines. Lines of the board
    are drawn with - | \\ and / and lead without a gap from point to point; diagonals use every second character.
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
        """Return the next point on the line that is drawn with this character, or None."""
        across, down = STEPS[sign]
        x, y = self.places[point][0] * COLUMN + across, self.places[point][1] * ROW + down
        if self._sign(x, y) != sign:
            return None
        while self._sign(x, y) == sign:
            x, y = x + across, y + down
        if self._sign(x, y) != "o":
            raise ValueError(f"a line leads to line {y + 1}, character {x + 1}, where there is no point")
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

    def _lengths(self) -> list[int]:
        """Return the number of points in each row."""
        return [sum(row == each for _, row in self.places) for each in range(self.places[-1][1] + 1)]

    def format_position(self, marks: Sequence[str], mover: str) -> str:
        """Return the rows from the top, separated by "/", a blank, and the character of the player to move."""
        signs = iter(marks)
        rows = ("".join(next(signs) for _ in range(length)) for length in self._lengths())
        return f"{'/'.join(rows)} {mover}"

    def parse_position(self, text: str, allowed: str, movers: str) -> tuple[list[str], Player]:
        """Return the mark of each point and the player to move: the inverse of `format_position`.

        Arguments:
            movers: the characters of MAX and MIN.

        Raises:
            NotationError: the shape or a mark is wrong, or the player is missing.
        """
        board, mover = split_mover(text, movers)
        return list("".join(parse_rows(board, self._lengths(), allowed))), mover

    def draw(self, marks: Sequence[str]) -> str:
        """Return the picture with the mark of each point, and the names of rows and columns."""
        signs, rows = iter(marks), self.places[-1][1] + 1
        drawn = ["".join(next(signs) if sign == "o" else sign for sign in row) for row in self._rows]
        numbers = [" " if line % ROW else str(rows - line // ROW) for line in range(len(drawn))]
        letters = "   ".join(LETTERS[: max(column for column, _ in self.places) + 1])
        return "\n".join([*(f"{number} {row}" for number, row in zip(numbers, drawn, strict=True)), f"  {letters}"])

    # scenes

    def scene(
        self,
        game: AnyGame,
        state: State,
        marks: Sequence[str],
        pieces: Mapping[str, Standing],
        where: Callable[..., BoardPlace] = lambda action: action,
        colours: tuple[Colour, ...] = (),
        **board: Unpack[SceneOptions],
    ) -> Scene:
        """Return the scene of a state, with the names of rows and columns at the edges.

        Arguments:
            marks: the mark of each point.
            pieces: for each mark that is drawn, its owner, its character in terminals, and its piece in pictures
            (default: by the character).
            where: returns the place of a legal action: its point, its first and its last point, or None. Actions
                without a place, and those that share one, become buttons.
            board: properties of the board, such as `colours`; see `ggp.Scene`. The material is wood, unless another
                one is given.
        """
        chosen = choices(game, state, where, self.name)
        cells = []
        for point, (column, row) in enumerate(self.places):
            owner, sign, *piece = pieces.get(marks[point], (None, ""))
            box, action = (APART * column, APART * row, WIDE, WIDE), chosen.at.get(point)
            looks = Cell(self.name(point), *box, "round", sign, owner=owner, piece=cast(PieceKind, (*piece, "")[0]))
            cells.append(attrs.evolve(looks, action=action, hint=chosen.hint(action)))
        last = self.places[-1][1]
        rows = {str(last - row + 1): APART * row + WIDE / 2 for _, row in self.places}
        columns = {LETTERS[column]: APART * column + WIDE / 2 for column, _ in self.places}
        cells += edge_names(rows, columns, 0, APART * last + WIDE)
        cells += button_cells(chosen, APART * last + WIDE + EDGE + 0.2)
        joins = ((point, other) for point in range(self.size) for other in self.joined[point] if point < other)
        lines = tuple(Line(self.name(point), self.name(other)) for point, other in joins)
        colours = colours or named_colours(game)
        board.setdefault("material", "wood")
        return Scene(tuple(cells), standing(game, state), lines, moves=chosen.moves, colours=colours, **board)
