"""Dots and Boxes: the rules, capabilities for searches, and the scene."""

import itertools
import re
from collections.abc import Hashable, Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp import Bits, Cell
from ggp.board_game import LETTERS, MOVE, edge_names, marked, require_possible, shown
from ggp.engine_dialect import Dialect
from ggp.scene import Shape

CLOSING, GIVING = 10, -10
"""Weights in suggestions: of each box that a line completes, and of each box whose third side the line draws."""

DOT = 0.3
"""Length of the sides of a dot's cell; also the width of a line's cell."""
SHAPES: Mapping[str, Shape] = {"•": "dot", "■": "plain", " ": "plain"}
"""The shapes of dots, closed boxes and open boxes. All other cells are lines."""


class State(NamedTuple):
    """The lines drawn, the boxes of both players, and the player to move."""

    horizontal: Bits
    vertical: Bits
    first: int
    second: int
    mover: ggp.Player


@attrs.frozen
class DotsAndBoxes(ggp.BoardGame[State, int]):
    """Dots and Boxes: draw lines between dots; whoever closes a box owns it and moves again.

    An action is a line. The horizontal lines are numbered row by row from 0, followed by the vertical lines.
    """

    name: ClassVar[str] = "dotsandboxes"
    title: ClassVar[str] = "Dots and Boxes"
    rules: ClassVar[str] = (
        "The players take turns to draw a line between two neighbouring dots. Whoever draws the fourth side of a box "
        "owns it and moves again. When all lines are drawn, the margin in boxes is what counts."
    )
    player_names: ClassVar[tuple[str, str]] = ("first", "second")
    pieces: ClassVar = {"-": (None, "━━━", ""), "|": (None, "┃", ""), "•": (None, "•", ""), "■": (None, "■", "fill")}
    move_form = MOVE, "a1-b1 across, or a1-a2 down"

    rows: int = ggp.option(3, "rows of boxes", minimum=1, maximum=7)
    columns: int = ggp.option(3, "columns of boxes", minimum=1, maximum=7)

    across: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.rows + 1, game.columns))
    """The horizontal lines: line (r, c) is the upper side of box (r, c)."""
    upright: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.rows, game.columns + 1))
    """The vertical lines: line (r, c) is the left side of box (r, c)."""
    dots: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.rows + 1, game.columns + 1))
    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(2 * game.rows + 1, 2 * game.columns + 1))
    """The grid of the drawing: dot (r, c) is at (2 r, 2 c), with lines and boxes between the dots."""

    def initial_state(self) -> State:
        return State(Bits(), Bits(), 0, 0, ggp.MAX)

    def to_move(self, state: State) -> ggp.Player:
        return state.mover

    def actions(self, state: State) -> Iterator[int]:
        for line in self.across.board - state.horizontal:
            yield line
        for line in self.upright.board - state.vertical:
            yield self.across.size + line

    def sides(self, horizontal: Bits, vertical: Bits, row: int, column: int) -> int:
        """Return how many sides of a box are drawn; 0 for a box outside the board."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return 0
        above, left = self.across.cell(row, column), self.upright.cell(row, column)
        drawn = (above in horizontal) + (above + self.columns in horizontal)
        return drawn + (left in vertical) + (left + 1 in vertical)

    def beside(self, horizontal: Bits, vertical: Bits, line: int, sides: int) -> int:
        """Return how many of the two boxes beside a line have exactly this many sides drawn."""
        if line < self.across.size:
            row, column = self.across.row(line), self.across.column(line)
            other_row, other_column = row - 1, column
        else:
            row, column = self.upright.row(line - self.across.size), self.upright.column(line - self.across.size)
            other_row, other_column = row, column - 1
        count = self.sides(horizontal, vertical, row, column) == sides
        return count + (self.sides(horizontal, vertical, other_row, other_column) == sides)

    def result(self, state: State, line: int) -> State:
        horizontal, vertical, first, second, mover = state
        if line < self.across.size:
            horizontal = horizontal.including(line)
        else:
            vertical = vertical.including(line - self.across.size)
        closed = self.beside(horizontal, vertical, line, 4)
        if not closed:
            return State(horizontal, vertical, first, second, 1 - mover)
        if mover == ggp.MAX:
            return State(horizontal, vertical, first + closed, second, mover)
        return State(horizontal, vertical, first, second + closed, mover)

    def terminal_test(self, state: State) -> bool:
        return state.first + state.second == self.rows * self.columns

    def utility(self, state: State, player: ggp.Player) -> int:
        margin = state.first - state.second
        return margin if player == ggp.MAX else -margin

    # what a search may use

    def score(self, state: State) -> int:
        return state.first - state.second

    def key(self, state: State) -> Hashable:
        return state.horizontal, state.vertical, state.mover

    def bounds(self, state: State) -> tuple[int, int]:
        left = self.rows * self.columns - state.first - state.second
        return self.score(state) - left, self.score(state) + left

    def boxes(self, state: State) -> int:
        open_boxes = 0
        for row in range(self.rows):
            for column in range(self.columns):
                if self.sides(state.horizontal, state.vertical, row, column) == 3:
                    open_boxes += 1
        return self.score(state) + (open_boxes if state.mover == ggp.MAX else -open_boxes)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "boxes of the first player minus the second's; boxes with three sides count for the player to move"
        return {"boxes": ggp.Evaluation(self.boxes, meaning, separable=True, bounded=True)}

    def suggest(self, state: State, line: int) -> int:
        """Prefer the lines that close a box; put last the lines that let the opponent close a box."""
        closes = self.beside(state.horizontal, state.vertical, line, 3)
        gives = self.beside(state.horizontal, state.vertical, line, 2)
        return CLOSING * closes + GIVING * gives

    def canonical(self, state: State) -> State:
        """Return the least of the turned and mirrored boards: four of them, or eight if the board is square."""
        horizontal, vertical = state.horizontal, state.vertical
        least_horizontal, least_vertical = horizontal, vertical
        for view in range(8 if self.rows == self.columns else 4):
            if view == 4:
                horizontal, vertical = self.transposed(horizontal, vertical)
            elif view % 2:
                horizontal, vertical = self.across.flip_rows(horizontal), self.upright.flip_rows(vertical)
            else:
                horizontal, vertical = self.across.flip_columns(horizontal), self.upright.flip_columns(vertical)
            if horizontal < least_horizontal or (horizontal == least_horizontal and vertical < least_vertical):
                least_horizontal, least_vertical = horizontal, vertical
        return State(least_horizontal, least_vertical, state.first, state.second, state.mover)

    def transposed(self, horizontal: Bits, vertical: Bits) -> tuple[Bits, Bits]:
        """Return the lines of a square board with rows and columns exchanged."""
        across, upright = Bits(), Bits()
        for line in vertical:
            across = across.including(self.across.cell(self.upright.column(line), self.upright.row(line)))
        for line in horizontal:
            upright = upright.including(self.upright.cell(self.across.column(line), self.across.row(line)))
        return across, upright

    # text and scene

    def where(self, state: State, line: int) -> int:
        return self.cell_of(line)

    def cell_of(self, line: int) -> int:
        """Return the cell of `grid` where a line is drawn."""
        if line < self.across.size:
            return self.grid.cell(2 * self.across.row(line), 2 * self.across.column(line) + 1)
        line -= self.across.size
        return self.grid.cell(2 * self.upright.row(line) + 1, 2 * self.upright.column(line))

    def place_name(self, index: int) -> str:
        """Return the name of a dot, the names of both ends of a line, or the names of two corners of a box."""
        row, column = self.grid.row(index), self.grid.column(index)
        start, end = self.dots.cell(row // 2, column // 2), self.dots.cell((row + 1) // 2, (column + 1) // 2)
        return self.dots.name(start) if start == end else self.dots.format_move(start, end)

    def boxes_closed(self, state: State) -> list[tuple[int, int]]:
        """Return the row and the column of each box whose four sides are drawn."""
        boxes = itertools.product(range(self.rows), range(self.columns))
        return [box for box in boxes if self.sides(state.horizontal, state.vertical, *box) == 4]

    def marks(self, state: State) -> list[str]:
        marks = ["•" if self.grid.row(index) % 2 == 0 else " " for index in range(self.grid.size)]
        for line in range(self.across.size + self.upright.size):
            marks[self.cell_of(line)] = "-" if line < self.across.size else "|"
        for line in self.actions(state):
            marks[self.cell_of(line)] = "."
        for row, column in self.boxes_closed(state):
            marks[self.grid.cell(2 * row + 1, 2 * column + 1)] = "■"
        return marks

    def format_state(self, state: State) -> str:
        rows = self.grid.format_board(self.marks(state)).split("/")
        lines = "/".join(row[1 - number % 2 :: 2] for number, row in enumerate(rows))  # without dots and boxes
        return f"{lines} {state.first}:{state.second} {self.player_names[state.mover]}"

    def parse_state(self, text: str) -> State:
        matched = re.fullmatch("([^ ]+) ([0-9]{1,2}):([0-9]{1,2}) (first|second)", text.strip(), re.ASCII)
        if not matched:
            example = self.format_state(self.initial_state())
            raise ggp.NotationError(f"{shown(text)} is not a position: write lines, boxes and the mover like {example}")
        rows = matched[1].split("/")
        across = self.across.parse_board("/".join(rows[0::2]), "-.")
        upright = self.upright.parse_board("/".join(rows[1::2]), "|.")
        lines, mover = (marked(across, "-"), marked(upright, "|")), self.player_names.index(matched[4])
        state = State(*lines, int(matched[2]), int(matched[3]), mover)
        closed, owned = len(self.boxes_closed(state)), state.first + state.second
        reason = f"it shows {closed} closed boxes, but the scores {state.first} and {state.second} add up to {owned}"
        require_possible(text, closed == owned, reason)
        return state

    def format_action(self, state: State, line: int) -> str:
        return self.place_name(self.cell_of(line))

    def dialect(self, protocol: str) -> Dialect | None:
        """Return how OpenSpiel numbers the actions; None for any other protocol."""
        if protocol != "openspiel":
            return None
        return Dialect(
            variant=f"dots_and_boxes(num_rows={self.rows},num_cols={self.columns},utility_margin=true)",
            action=lambda state, action: str(action),
        )

    def scene(self, state: State) -> ggp.Scene:
        marks = self.marks(state)

        def look(index: int, cell: Cell) -> Cell:
            """Return a cell of the scene, with the rows and columns of lines made narrow."""
            row, column = divmod(index, self.grid.columns)
            shape = SHAPES.get(marks[index], "edge")
            cell = attrs.evolve(cell, name=self.place_name(index), shape=shape, unowned=True)
            x, y = column // 2 + column % 2 * DOT, row // 2 + row % 2 * DOT
            return attrs.evolve(cell, x=x, y=y, width=(DOT, 1 - DOT)[column % 2], height=(DOT, 1 - DOT)[row % 2])

        scene = self.board_scene(state, look, rows=(), columns=(), material="paper", scores=(state.first, state.second))
        rows = {str(row + 1): row + DOT / 2 for row in range(self.rows + 1)}
        columns = {LETTERS[column]: column + DOT / 2 for column in range(self.columns + 1)}
        names = edge_names(rows, columns, -DOT / 2, self.rows + DOT * 1.5)
        return attrs.evolve(scene, cells=(*scene.cells, *names), things=("box", "boxes"))
