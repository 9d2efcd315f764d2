"""Hexapawn: the rules, capabilities for searches, and the scene."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

import ggp
from ggp.board_game import MOVE, require_possible

EMPTY, WHITE, BLACK = 0, 1, 2
MARKS = ".WB"

State = tuple[tuple[int, ...], ggp.Player]
"""The piece in each cell, row by row from White's side, and the player to move."""
Action = tuple[int, int]
"""The cell that a pawn leaves, and the cell that it enters."""


@attrs.frozen
class Hexapawn(ggp.BoardGame[State, Action]):
    """Hexapawn: chess with only pawns; whoever reaches the last row, or leaves the opponent without a move, wins."""

    name: ClassVar[str] = "hexapawn"
    title: ClassVar[str] = "Hexapawn"
    rules: ClassVar[str] = (
        "White and Black each have a row of pawns, and move one in turn: a step forward to an empty cell, or a step "
        "diagonally forward that captures what stands there. Whoever brings a pawn to the last row wins, and whoever "
        "cannot move loses."
    )
    player_names: ClassVar[tuple[str, str]] = ("White", "Black")
    pieces: ClassVar = {"W": (ggp.MAX, "♙"), "B": (ggp.MIN, "♟")}
    move_form = MOVE, "b1-b2, or b1xc2 for a capture"

    rows: int = ggp.option(3, "rows of the board", minimum=3, maximum=12)
    columns: int = ggp.option(3, "columns of the board", minimum=1, maximum=12)

    size: int = ggp.constant(lambda game: game.rows * game.columns)
    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.rows, game.columns, upward=True))

    def initial_state(self) -> State:
        return (WHITE,) * self.columns + (EMPTY,) * (self.size - 2 * self.columns) + (BLACK,) * self.columns, ggp.MAX

    def to_move(self, state: State) -> ggp.Player:
        return state[1]

    def actions(self, state: State) -> Iterator[Action]:
        board, mover = state
        own, other, ahead = (WHITE, BLACK, self.columns) if mover == ggp.MAX else (BLACK, WHITE, -self.columns)
        for start in range(self.size):
            target = start + ahead
            if board[start] == own and 0 <= target < self.size:
                if board[target] == EMPTY:
                    yield start, target
                if start % self.columns > 0 and board[target - 1] == other:
                    yield start, target - 1
                if start % self.columns < self.columns - 1 and board[target + 1] == other:
                    yield start, target + 1

    def result(self, state: State, action: Action) -> State:
        board, mover = state
        start, target = action
        moved = tuple(EMPTY if c == start else board[start] if c == target else board[c] for c in range(self.size))
        return moved, 1 - mover

    def terminal_test(self, state: State) -> bool:
        if self.has_arrived(state[0], 1 - state[1]):
            return True
        for _ in self.actions(state):
            return False
        return True

    def has_arrived(self, board: tuple[int, ...], player: ggp.Player) -> bool:
        """Return whether one of the player's pawns is in the last row."""
        if player == ggp.MAX:
            return any(board[cell] == WHITE for cell in range(self.size - self.columns, self.size))
        return any(board[cell] == BLACK for cell in range(self.columns))

    def utility(self, state: State, player: ggp.Player) -> int:
        return -1 if state[1] == player else 1  # the last move has won

    # what a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    def pawns(self, state: State) -> float:
        difference = sum(1 if mark == WHITE else -1 if mark == BLACK else 0 for mark in state[0])
        return difference / (self.columns + 1)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "White's pawns minus Black's, divided by a side's pawns at the start plus one"
        return {"pawns": ggp.Evaluation(self.pawns, meaning, bounded=True)}

    def canonical(self, state: State) -> State:
        board, mover = state
        across = self.columns - 1
        mirror = tuple(board[cell + across - 2 * (cell % self.columns)] for cell in range(self.size))
        return (mirror, mover) if mirror < board else state

    # text and scene

    def marks(self, state: State) -> list[str]:
        return [MARKS[mark] for mark in state[0]]

    def parse_state(self, text: str) -> State:
        marks, mover = self.parse_marks(text)
        board = tuple(MARKS.index(mark) for mark in marks)
        won, most = self.has_arrived(board, mover), max(board.count(WHITE), board.count(BLACK))
        require_possible(text, not won, f"{self.player_names[mover]} had won before the last move")
        require_possible(text, most <= self.columns, f"each side has {self.columns} pawns at most")
        return board, mover

    def scene(self, state: State) -> ggp.Scene:
        return self.board_scene(state, below=ggp.MAX, material="wood", chequered=True)
