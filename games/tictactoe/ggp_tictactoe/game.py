"""Tic-tac-toe for people: boards and cells in text, the drawing and the scene.

A board is written as its rows from the top, separated by "/": `X.O/.X./..O`. X moves if both players have the same
number of stones. On boards of up to nine cells, cells are numbered row by row from 1; on larger boards, a cell is
row-column: `2-3`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

from ggp import MAX, MIN, Cell, IllegalActionError, NotationError, Scene
from ggp.board_game import standing
from ggp.engine_dialect import Dialect
from ggp.scene import PieceKind
from ggp_tictactoe.rules import State, TicTacToeRules

SMALL = 9
"""Maximum number of cells of a board whose cells are numbered."""
OWNERS = {"X": MAX, "O": MIN}
PIECES: Mapping[str, PieceKind] = {"X": "cross", "O": "ring"}


@attrs.frozen
class TicTacToe(TicTacToeRules):
    """Tic-tac-toe: X and O mark cells in turn; k marks in a row win, and a full board is a draw.

    The parameters are AIMA's. A win is worth 1, a loss -1, a draw 0.
    """

    name: ClassVar[str] = "tictactoe"
    title: ClassVar[str] = "Tic-tac-toe"
    rules: ClassVar[str] = (
        "X and O mark an empty cell in turn. Whoever has three of their marks in a row, across, down or "
        "diagonally, wins; a full board without such a row is a draw. (On larger boards the row that wins may be "
        "longer.)"
    )
    player_names: ClassVar[tuple[str, str]] = ("X", "O")

    @property
    def is_small(self) -> bool:
        """Whether the board is so small that a single number names each cell."""
        return self.cells <= SMALL

    def marks(self, state: State) -> list[str]:
        """Return the mark of each cell: X, O or "."."""
        x, o, _ = state
        return ["X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(self.cells)]

    def format_state(self, state: State) -> str:
        marks = "".join(self.marks(state))
        return "/".join(marks[start : start + self.v] for start in range(0, self.cells, self.v))

    def parse_state(self, text: str) -> State:
        """Return the state that `text` describes.

        Raises:
            NotationError: the text has the wrong shape, or the position cannot occur if X moves first.
        """
        marks = text.strip().upper().replace("/", "")
        if len(marks) != self.cells or set(marks) - set("XO.") or not self._has_rows(text.strip()):
            example = self.format_state(self.initial_state())
            shape = f"{self.h} rows of {self.v} cells, each X, O or a dot, with / between, like {example}"
            raise NotationError(f"{text!r} is not a board of tictactoe: it is written as {shape}")
        x, o = (sum(1 << cell for cell, mark in enumerate(marks) if mark == stone) for stone in "XO")
        excess = x.bit_count() - o.bit_count()
        if excess not in (0, 1):
            counts = f"X has {x.bit_count()} cells and O has {o.bit_count()}"
            raise NotationError(f"{text!r} cannot occur: {counts}, but X moves first and they take turns")
        mover = MAX if excess == 0 else MIN
        if self.has_line(o if mover else x):
            early, late = self.player_names[mover], self.player_names[1 - mover]
            raise NotationError(f"{text!r} cannot occur: {early} has {self.k} in a row, yet {late} moved after that")
        return x, o, mover

    def _has_rows(self, text: str) -> bool:
        """Return whether all rows have the right length, or are not separated by "/"."""
        return "/" not in text or [len(row) for row in text.split("/")] == [self.v] * self.h

    def format_action(self, state: State, cell: int) -> str:
        return self._name(cell)

    def _name(self, cell: int) -> str:
        return str(cell + 1) if self.is_small else f"{cell // self.v + 1}-{cell % self.v + 1}"

    def parse_action(self, state: State, text: str) -> int:
        """Return the cell that `text` names, as a number or as row-column.

        Raises:
            NotationError: the text does not name a cell of the board.
            IllegalActionError: the cell is taken, or the game is over.
        """
        cell, board = self._cell(text.strip()), self.format_state(state)
        if cell is None:
            cells = f"the cells are {self._name(0)} to {self._name(self.cells - 1)}"
            raise NotationError(f"{text.strip()!r} is not a cell: {cells}")
        if self.terminal_test(state):
            raise IllegalActionError(f"{text.strip()!r} cannot be played: the game is over in {board}")
        if cell not in self.actions(state):
            free = ", ".join(map(self._name, self.actions(state)))
            raise IllegalActionError(f"cell {text.strip()} is taken in {board}: the empty cells are {free}")
        return cell

    def _cell(self, text: str) -> int | None:
        named = re.fullmatch(r"(?:([0-9]{1,4})-)?([0-9]{1,4})", text)
        if not named:
            return None
        row, number = named.groups()
        if row is None:
            return int(number) - 1 if 1 <= int(number) <= self.cells else None
        inside = 1 <= int(row) <= self.h and 1 <= int(number) <= self.v
        return (int(row) - 1) * self.v + int(number) - 1 if inside else None

    def draw(self, state: State) -> str:
        """Return the board with numbers in its empty cells (on larger boards, rows and columns have numbers), and the
        player to move.
        """
        return "\n".join([*(self._numbered(state) if self.is_small else self._ruled(state)), standing(self, state)])

    def _numbered(self, state: State) -> Iterator[str]:
        shown = [mark if mark != "." else str(cell + 1) for cell, mark in enumerate(self.marks(state))]
        for start in range(0, self.cells, self.v):
            if start:
                yield "+".join(["---"] * self.v)
            yield "|".join(f" {mark} " for mark in shown[start : start + self.v]).rstrip()

    def _ruled(self, state: State) -> Iterator[str]:
        marks = self.marks(state)
        yield "   " + "".join(f"{column:3}" for column in range(1, self.v + 1))
        for row in range(self.h):
            yield f"{row + 1:3}" + "".join(f"{mark:>3}" for mark in marks[row * self.v : (row + 1) * self.v])

    def dialect(self, protocol: str) -> Dialect | None:
        """Return how OpenSpiel numbers the actions; None for other boards and protocols."""
        if protocol != "openspiel" or (self.h, self.v, self.k) != (3, 3, 3):
            return None
        return Dialect(variant="tic_tac_toe", action=lambda state, action: str(action))

    def scene(self, state: State) -> Scene:
        """Return a scene with a cell for each cell of the board, the winning row highlighted; larger boards have
        numbers at the sides.
        """
        return Scene((*self._fields(state), *self._numbers()), standing(self, state), material="paper")

    def _fields(self, state: State) -> Iterator[Cell]:
        over, row = self.terminal_test(state), self._winning_row(state)
        for cell, mark in enumerate(self.marks(state)):
            name, free = self._name(cell), mark == "."
            yield Cell(
                name,
                x=cell % self.v,
                y=cell // self.v,
                text="" if free else mark,
                piece="" if free else PIECES[mark],
                label=name if self.is_small and free else "",
                owner=OWNERS.get(mark),
                action=cell if free and not over else None,
                hint=f"put {self.player_names[state[2]]} in {name}" if free and not over else "",
                highlighted=bool(row >> cell & 1),
            )

    def _winning_row(self, state: State) -> int:
        """Return the cells of all complete lines, as bits."""
        row = 0
        for line in self.lines:
            if line in (state[0] & line, state[1] & line):
                row |= line
        return row

    def _numbers(self) -> Iterator[Cell]:
        """Yield the numbers of rows and columns for boards whose cells have no single number."""
        if not self.is_small:
            for row in range(self.h):
                yield Cell(f"row {row + 1}", -0.5, row, 0.5, 1, "coordinate", text=str(row + 1))
            for column in range(self.v):
                yield Cell(f"column {column + 1}", column + 0.25, -0.5, 0.5, 0.5, "coordinate", text=str(column + 1))
