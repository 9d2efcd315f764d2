"""Connect Four: the rules, capabilities for searches, and the scene."""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

import ggp
from ggp.board_game import require_possible, shown
from ggp.engine_dialect import Dialect

State = tuple[int, int, ggp.Player]
"""The stones of MAX and of MIN as bits, and the player to move. A column has height + 1 bits, with the lowest cell
first. The last bit of a column is always empty, so that no line continues in the next column.
"""

WIN, BLOCK, BLUNDER = 1000, 500, -500
"""Weights in suggestions of a stone that wins, of a stone that prevents a win, and of a stone on top of which the
opponent then wins.
"""
WORD = 63
"""Number of bits of a machine word, not counting its sign."""


@attrs.frozen
class ConnectFour(ggp.BoardGame[State, int]):
    """Connect Four: drop stones into columns in turn; four in a row wins, a full board is a draw."""

    name: ClassVar[str] = "connectfour"
    title: ClassVar[str] = "Connect Four"
    rules: ClassVar[str] = (
        "X and O take turns to drop a stone into a column, where it falls onto the stones already there. Whoever first "
        "has four stones in a row, across, upwards or diagonally, wins. A full board without such a row is a draw."
    )
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    pieces: ClassVar = {"X": (ggp.MAX, "●"), "O": (ggp.MIN, "○")}
    move_form = "[0-9]{1,2}", "the column's number: 1"

    width: int = ggp.option(7, "columns of the board", minimum=1, maximum=16)
    height: int = ggp.option(6, "rows of the board", minimum=1, maximum=16)
    connect: int = ggp.option(4, "stones in a row that win", minimum=2, maximum=16)
    scoring: str = ggp.option(
        "outcome",
        "the utility of a win: 1, or 1 plus the number of stones that the winner has left",
        choices=("outcome", "stones"),
    )

    bottom: int = ggp.constant(lambda game: sum(1 << column * (game.height + 1) for column in range(game.width)))
    """The lowest cell of every column, as bits."""
    columns: tuple[int, ...] = ggp.constant(
        lambda game: tuple((1 << game.height) - 1 << column * (game.height + 1) for column in range(game.width))
    )
    """The cells of each column, as bits."""
    board: int = ggp.constant(lambda game: sum(game.columns))
    """All cells, as bits."""
    steps: tuple[int, ...] = ggp.constant(lambda game: (1, game.height, game.height + 1, game.height + 2))
    """Distances from one cell of a line to the next, in bits: upwards, down to the right, to the right, and up to the
    right.
    """
    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.height, game.width, upward=True))

    def __attrs_post_init__(self) -> None:
        if self.connect > max(self.width, self.height):
            board = f"a board of {self.width} columns and {self.height} rows"
            raise ggp.OptionError(f"connect cannot be {self.connect}: {board} has no row of {self.connect} cells")

    def initial_state(self) -> State:
        return 0, 0, ggp.MAX

    def to_move(self, state: State) -> ggp.Player:
        return state[2]

    def landings(self, state: State) -> int:
        """Return the lowest empty cell of every column that is not full."""
        return (state[0] | state[1]) + self.bottom & self.board

    def actions(self, state: State) -> Iterator[int]:
        landings = self.landings(state)
        for column in range(self.width):
            if landings & self.columns[column]:
                yield column

    def result(self, state: State, column: int) -> State:
        first, second, mover = state
        stone = self.landings(state) & self.columns[column]
        return (first | stone, second, ggp.MIN) if mover == ggp.MAX else (first, second | stone, ggp.MAX)

    def has_line(self, stones: int) -> bool:
        for step in self.steps:
            run = stones
            for _ in range(self.connect - 1):
                run &= run >> step
            if run:
                return True
        return False

    def is_won(self, state: State) -> bool:
        return self.has_line(state[1] if state[2] == ggp.MAX else state[0])  # only the last stone can have made a line

    def terminal_test(self, state: State) -> bool:
        return self.is_won(state) or state[0] | state[1] == self.board

    def utility(self, state: State, player: ggp.Player) -> int:
        if not self.is_won(state):
            return 0
        worth = self.worth((state[0] | state[1]).bit_count())
        return -worth if state[2] == player else worth

    def worth(self, stones: int) -> int:
        """Return the value of a win with this many stones on the board; 0 if the board has fewer cells."""
        cells = self.width * self.height
        if stones > cells:
            return 0
        return (cells + 2 - stones) // 2 if self.scoring == "stones" else 1

    # what a search may use

    @property
    def arithmetic(self) -> str:
        """ "unchecked" if the bits of all columns fit into a machine word, otherwise "checked"."""
        return "unchecked" if self.width * (self.height + 1) <= WORD else "checked"

    def bounds(self, state: State) -> tuple[int, int]:
        most = self.worth((state[0] | state[1]).bit_count())
        return -most, most

    def value_bounds(self, state: State) -> tuple[int, int]:
        """Return bounds of the value; both are the exact value if the mover wins at once or cannot stop the opponent's
        win.
        """
        own, other = (state[0], state[1]) if state[2] == ggp.MAX else (state[1], state[0])
        landings, stones, dangers = self.landings(state), (own | other).bit_count(), self.completions(other)
        threats = dangers & landings
        safe = (threats or landings) & ~(dangers >> 1)
        if self.completions(own) & landings:
            least = most = self.worth(stones + 1)
        elif not safe or threats & threats - 1:
            least = most = -self.worth(stones + 2)
        else:
            least, most = -self.worth(stones + 4), self.worth(stones + 3)
        return (least, most) if state[2] == ggp.MAX else (-most, -least)

    def completions(self, stones: int) -> int:
        """Return the cells in which one more stone completes a line."""
        cells = 0
        for step in self.steps:
            for below in range(self.connect):
                line = self.board
                for index in range(1, below + 1):
                    line &= stones << index * step
                for index in range(1, self.connect - below):
                    line &= stones >> index * step
                cells |= line
        return cells

    def threats(self, state: State) -> float:
        empty = self.board & ~(state[0] | state[1])
        first, second = self.completions(state[0]) & empty, self.completions(state[1]) & empty
        return (first.bit_count() - second.bit_count()) / (self.width * self.height + 1)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "empty cells that complete a line of X, minus those for O, divided by the number of cells plus one"
        return {"threats": ggp.Evaluation(self.threats, meaning, separable=True, bounded=True)}

    def score(self, state: State) -> int:
        return 0

    def key(self, state: State) -> int:
        """Return one number for the stones of both players: each column has X's stones, and above them a stone that
        marks the height.
        """
        return state[0] + (state[0] | state[1]) + self.bottom

    def suggest(self, state: State, column: int) -> int:
        """Rank wins first, then stones that stop a win, then threats, then cells near the middle; blunders are last."""
        own, other = (state[0], state[1]) if state[2] == ggp.MAX else (state[1], state[0])
        stone = self.landings(state) & self.columns[column]
        if self.has_line(own | stone):
            return WIN
        if self.has_line(other | stone):
            return BLOCK
        centre = self.width - abs(2 * column + 1 - self.width)
        if self.has_line(other | stone << 1 & self.board):
            return BLUNDER + centre
        threats = self.completions(own | stone) & ~other
        return threats.bit_count() * 2 * self.width + centre

    def mirrored(self, stones: int) -> int:
        """Return the stones mirrored left to right."""
        across = 0
        for column in range(self.width):
            cells = stones >> column * (self.height + 1) & self.columns[0]
            across |= cells << (self.width - 1 - column) * (self.height + 1)
        return across

    def canonical(self, state: State) -> State:
        mirror = self.mirrored(state[0]), self.mirrored(state[1]), state[2]
        return mirror if mirror < state else state

    # text and scene

    def bit(self, cell: int) -> int:
        """Return the bit of a cell; cells are numbered row by row."""
        return 1 << self.grid.column(cell) * (self.height + 1) + self.grid.row(cell)

    def marks(self, state: State) -> list[str]:
        bits = [self.bit(cell) for cell in range(self.grid.size)]
        return ["X" if state[0] & bit else "O" if state[1] & bit else "." for bit in bits]

    def parse_state(self, text: str) -> State:
        """Read a board; or read the numbers of the columns that were played, from 1, as other solvers write a position:
        "4453".
        """
        if re.fullmatch("[1-9]+", text.strip(), re.ASCII):
            return self._played(text.strip())
        marks, mover = self.parse_marks(text)
        first, second = (sum(self.bit(c) for c, mark in enumerate(marks) if mark == sign) for sign in "XO")
        hangs = (first | second) & self.landings((first, second, mover)) != 0
        won = self.has_line(first if mover == ggp.MAX else second)
        require_possible(text, first.bit_count() - second.bit_count() == mover, "X moves first, and they take turns")
        require_possible(text, not hangs, "a stone has nothing below it")
        require_possible(text, not won, f"{'XO'[mover]} had won before the last move")
        return first, second, mover

    def _played(self, text: str) -> State:
        state = self.initial_state()
        for number, digit in enumerate(text, start=1):
            column = int(digit) - 1
            if self.terminal_test(state) or column not in self.actions(state):
                raise ggp.NotationError(f"{shown(text)} cannot be played: move {number}, column {digit}, is not legal")
            state = self.result(state, column)
        return state

    def format_action(self, state: State, column: int) -> str:
        return str(column + 1)

    def where(self, state: State, column: int) -> int:
        stone = self.landings(state) & self.columns[column]
        return next(cell for cell in range(column, self.grid.size, self.width) if self.bit(cell) & stone)

    def dialect(self, protocol: str) -> Dialect | None:
        """Return the numbers that OpenSpiel uses for actions."""
        if protocol != "openspiel":
            return None
        return Dialect(
            variant=f"connect_four(rows={self.height},columns={self.width},x_in_row={self.connect})",
            action=lambda state, action: str(action),
        )

    def scene(self, state: State) -> ggp.Scene:
        lines = [stones & self.completions(stones) for stones in state[:2]]
        numbers = [str(column + 1) for column in range(self.width)]

        def look(number: int, cell: ggp.Cell) -> ggp.Cell:
            column = range(self.grid.column(number), self.grid.size, self.width)
            others = () if cell.action is None else tuple(self.grid.name(each) for each in column if each != number)
            return attrs.evolve(cell, highlighted=bool(self.bit(number) & (lines[0] | lines[1])), reach=others)

        return self.board_scene(
            state,
            look,
            rows=(),
            columns=numbers,
            gravity=True,
            material="frame",
            colours=("red", "yellow"),
        )
