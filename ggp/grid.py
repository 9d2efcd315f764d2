"""`ggp.Grid`: the geometry, notation and scene of a board of rows and columns.

A board game creates a grid from its parameters and uses it in its rules and its scene::

    @functools.cached_property
    def grid(self):
        return ggp.Grid(self.rows, self.columns)

Cells are numbered row by row from 0. Cells are named as in chess: a letter for the column, a number for the row.
"""

import re
from collections.abc import Iterable, Sequence

import attrs

from ggp.bits import CELLS, Bits
from ggp.board_game import (  # noqa: F401 - some are here for the programs of users, who import them from this module
    BUTTONS,
    EDGE,
    LETTERS,
    LISTED,
    LONGEST,
    MOVE,
    BoardOptions,
    BoardPlace,
    Choices,
    Draw,
    Layout,
    NumberedBoard,
    Standing,
    button_cells,
    choices,
    edge_names,
    marked,
    named_colours,
    parse_rows,
    read_action,
    require_possible,
    shown,
    split_mover,
    standing,
)
from ggp.errors import NotationError
from ggp.options import constant
from ggp.scene import Cell, Shade, Shape

HEXAGON = 0.87
"""Height of a row of hexagons of width 1: the square root of 3/4."""


@attrs.frozen
class Grid(NumberedBoard):
    """A board of rows and columns.

    With `upward`, row 0 is at the bottom, as in chess; otherwise at the top. The methods take and return `Bits` of 64
    cells. The sets of a larger board have as many cells as the board. `grid.bits()` is the empty set.
    """

    rows: int
    columns: int
    upward: bool = False

    size: int = constant(lambda grid: grid.rows * grid.columns)
    """The number of cells."""
    first_row: Bits = constant(lambda grid: _cells(grid, range(1), range(grid.columns)))
    last_row: Bits = constant(lambda grid: _cells(grid, range(grid.rows - 1, grid.rows), range(grid.columns)))
    first_column: Bits = constant(lambda grid: _cells(grid, range(grid.rows), range(1)))
    last_column: Bits = constant(lambda grid: _cells(grid, range(grid.rows), range(grid.columns - 1, grid.columns)))
    board: Bits = constant(lambda grid: _cells(grid, range(grid.rows), range(grid.columns)))
    """All cells."""
    _staying: tuple[Bits, ...] = constant(lambda grid: tuple(map(grid._in_their_row, grid._steps())))
    """For each step from -columns to columns, the cells that stay in their row when moved by that step."""

    def cell(self, row: int, column: int) -> int:
        return row * self.columns + column

    def row(self, cell: int) -> int:
        return cell // self.columns

    def column(self, cell: int) -> int:
        return cell % self.columns

    # sets of cells

    def bits(self, *cells: int) -> Bits:
        """Return the set that consists of `cells`.

        Raises:
            ValueError: a cell is not from 0 to 63; on a board with more than 64 cells, the cell is not on the board.
        """
        return Bits.of(*cells, width=max(CELLS, self.size))

    def row_cells(self, row: int) -> Bits:
        """Return the cells of a row."""
        return self.first_row << row * self.columns

    def shift(self, bits: Bits, rows: int, columns: int) -> Bits:
        """Return the cells moved by `rows` rows and `columns` columns; cells that leave the board are dropped.

        Arguments:
            rows: between -R and R, if the board has R rows.
            columns: between -C and C, if the board has C columns.
        """
        staying = bits & self._staying[self.columns + columns]
        offset = rows * self.columns + columns
        return staying << offset & self.board if offset >= 0 else staying >> -offset

    def _steps(self) -> range:
        return range(-self.columns, self.columns + 1)

    def _in_their_row(self, step: int) -> Bits:
        """Return the cells that stay in their row when moved by `step` columns."""
        return _cells(self, range(self.rows), range(max(0, -step), min(self.columns, self.columns - step)))

    def flip_rows(self, bits: Bits) -> Bits:
        """Return the set mirrored top to bottom."""
        flipped = self.bits()
        for row in range(self.rows):
            flipped |= (bits >> row * self.columns & self.first_row) << (self.rows - 1 - row) * self.columns
        return flipped

    def flip_columns(self, bits: Bits) -> Bits:
        """Return the set mirrored left to right."""
        flipped = self.bits()
        for column in range(self.columns):
            flipped |= (bits >> column & self.first_column) << self.columns - 1 - column
        return flipped

    def transpose(self, bits: Bits) -> Bits:
        """Return the set with rows and columns exchanged, on a square board."""
        if self.rows != self.columns:
            raise ValueError(f"only a square board can be transposed; got {self.rows} rows of {self.columns}")
        transposed = self.bits()
        for cell in bits:
            transposed = transposed.including(self.cell(self.column(cell), self.row(cell)))
        return transposed

    def rotate(self, bits: Bits) -> Bits:
        """Return the set after a quarter turn that takes the first row to the last column, on a square board."""
        return self.flip_columns(self.transpose(bits))

    # text

    def name(self, cell: int) -> str:
        """Return the name of a cell: "a1" for cell 0, "b1" for the next in its row."""
        return f"{LETTERS[self.column(cell)]}{self.row(cell) + 1}"

    def parse_name(self, text: str) -> int:
        """Return the cell whose name is `text`.

        Raises:
            NotationError: the text is not a cell of the board.
        """
        matched = re.fullmatch(r"([a-z])([1-9][0-9]?)", text.strip().lower(), re.ASCII)
        column, row = (LETTERS.index(matched[1]), int(matched[2]) - 1) if matched else (self.columns, self.rows)
        if column >= self.columns or row >= self.rows:
            last = self.name(self.size - 1)
            raise NotationError(f"{shown(text)} is not a cell of the board: the cells are a1 to {last}")
        return self.cell(row, column)

    def from_top(self) -> Iterable[int]:
        """Return the row numbers in the order in which they are shown, from the top."""
        return reversed(range(self.rows)) if self.upward else range(self.rows)

    def _rows_of_cells(self) -> list[Sequence[int]]:
        return [range(row * self.columns, (row + 1) * self.columns) for row in self.from_top()]

    def _layout(self, draw: Draw, options: BoardOptions) -> Layout:
        hexagonal, chequered = options.pop("hexagonal", False), options.pop("chequered", False)
        rows, columns = options.pop("rows", None), options.pop("columns", None)
        rows = [str(row + 1) for row in range(self.rows)] if rows is None else rows
        columns = LETTERS[: self.columns] if columns is None else columns
        apart = EDGE / 2 if options.get("edges") else 0  # the names stand beside the edges that belong to players
        shape: Shape = "hexagon" if hexagonal else "square"
        lean, height = (0.5, HEXAGON) if hexagonal else (0, 1.0)
        cells = []
        for line, row in enumerate(self.from_top()):
            left, top = line * lean, line * height
            if rows:
                cells.append(Cell(f"row {rows[row]}", left - EDGE - apart, top, EDGE, height, "coordinate", rows[row]))
            for column in range(self.columns):
                shade: Shade = "" if not chequered else "light" if (row + column) % 2 else "dark"
                cells.append(draw(self.cell(row, column), left + column, top, 1, height, shape, shade))
        below = self.upward and not options.get("gravity")
        for column, letter in enumerate(columns):
            x, y = column + (1 - EDGE) / 2, self.rows * height + apart if below else -EDGE - apart
            cells.append(Cell(f"column {letter}", x, y, EDGE, EDGE, "coordinate", letter))
        return cells, self.rows * height + (EDGE if below and columns else 0) + 0.25


def _cells(grid: Grid, rows: range, columns: range) -> Bits:
    """Return the set of the cells in the given rows and columns."""
    # Adding a word for each row is faster than adding each cell. This matters, since every game with a grid is made
    # when games are listed.
    row = sum(1 << column for column in columns)
    return Bits(sum(row << each * grid.columns for each in rows), max(CELLS, grid.size))
