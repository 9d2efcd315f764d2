"""Pong Hau K'i, a game of two stones a side on five points."""

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp.board_game import require_possible
from ggp.scene import Colour

BOARD = ggp.Points("""
o       o
| \\   / |
|   o   |
| /   \\ |
o-------o
""")
MARKS = ".XO"
COLOURS: tuple[Colour, ...] = ("black", "white")


class Position(NamedTuple):
    """The piece on each point (0: none, 1: a stone of MAX, 2: a stone of MIN), and the player to move."""

    points: tuple[int, int, int, int, int]
    mover: int


@attrs.frozen
class PongHauKi(ggp.BoardGame[Position, int]):
    """Pong Hau K'i: move a stone to the free point; whoever cannot move has lost.

    Each player has two stones, and one point of five is free. Lines join the middle to the four corners, and
    neighbouring corners to each other, except for the two corners at the top. A repetition is a draw; with best play,
    the game is a draw, too.
    """

    name: ClassVar[str] = "pong-hau-ki"
    title: ClassVar[str] = "Pong Hau K'i"
    player_names: ClassVar[tuple[str, str]] = ("first", "second")
    repetition: ClassVar[str] = "draw"
    grid = BOARD
    pieces: ClassVar = {"X": (ggp.MAX, "●", "stone"), "O": (ggp.MIN, "○", "stone")}
    move_form = "[a-c][1-3]", "a1, the point of the stone that moves"

    occurrences: int = ggp.option(
        3, "the game is a draw when a position occurs this many times", minimum=2, maximum=100
    )

    def initial_state(self) -> Position:
        return Position((2, 2, 0, 1, 1), ggp.MAX)

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[int]:
        """Yield the points from which a stone can move to the free point."""
        for point in BOARD.joined[state.points.index(0)]:
            if state.points[point] == state.mover + 1:
                yield point

    def result(self, state: Position, action: int) -> Position:
        a, b, c, d, e = (
            state.mover + 1 if was == 0 else 0 if point == action else was for point, was in enumerate(state.points)
        )
        return Position((a, b, c, d, e), 1 - state.mover)

    def terminal_test(self, state: Position) -> bool:
        return not any(state.points[point] == state.mover + 1 for point in BOARD.joined[state.points.index(0)])

    def utility(self, state: Position, player: int) -> int:
        return -1 if player == state.mover else 1

    def canonical(self, state: Position) -> Position:
        """Return the position or its mirror image, whichever is less."""
        a, b, c, d, e = state.points
        return min(state, Position((b, a, c, e, d), state.mover))

    # what it looks like

    def marks(self, state: Position) -> list[str]:
        return [MARKS[stone] for stone in state.points]

    def parse_state(self, text: str) -> Position:
        marks, mover = self.parse_marks(text.upper())
        require_possible(text, sorted(marks) == sorted(".XXOO"), "each player has two stones on the board")
        a, b, c, d, e = (MARKS.index(mark) for mark in marks)
        return Position((a, b, c, d, e), mover)

    def draw(self, state: Position) -> str:
        return BOARD.draw(self.marks(state))

    def scene(self, state: Position) -> ggp.Scene:
        return self.board_scene(state, colours=COLOURS)
