"""Pong Hau K'i, a game of two stones a side on five points."""

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp.grid import read_action, shown, standing

NEIGHBOURS = ((2, 3), (2, 4), (0, 1, 3, 4), (0, 2, 4), (1, 2, 3))
"""For each point, the points joined to it by a line. 0 and 1 are at the top, 2 in the middle, 3 and 4 at the bottom."""
PLACES = ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2))
"""The position of each point in a drawing: x and y."""
MARKS = ".XO"


class Position(NamedTuple):
    """The piece on each point (0: none, 1: a stone of MAX, 2: a stone of MIN), and the player to move."""

    points: tuple[int, int, int, int, int]
    mover: int


@attrs.frozen
class PongHauKi:
    """Pong Hau K'i: move a stone to the free point; who cannot move has lost.

    Each player has two stones, and one point of five is free. Lines join the middle to the four corners, and the
    corners to each other except for the two at the top. A repetition is a draw, and so is the game with best play.
    """

    name: ClassVar[str] = "pong-hau-ki"
    title: ClassVar[str] = "Pong Hau K'i"
    player_names: ClassVar[tuple[str, str]] = ("first", "second")
    value_step: ClassVar[int] = 1
    repetition: ClassVar[str] = "draw"

    occurrences: int = ggp.option(3, "occurrences of a position that make a draw", minimum=2, maximum=100)

    def initial_state(self) -> Position:
        return Position((2, 2, 0, 1, 1), ggp.MAX)

    def to_move(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[int]:
        """Yield the points from which a stone can move; its target is the free point."""
        for point in NEIGHBOURS[state.points.index(0)]:
            if state.points[point] == state.mover + 1:
                yield point

    def result(self, state: Position, action: int) -> Position:
        a, b, c, d, e = (
            state.mover + 1 if was == 0 else 0 if point == action else was for point, was in enumerate(state.points)
        )
        return Position((a, b, c, d, e), 1 - state.mover)

    def terminal_test(self, state: Position) -> bool:
        return not any(state.points[point] == state.mover + 1 for point in NEIGHBOURS[state.points.index(0)])

    def utility(self, state: Position, player: int) -> int:
        return -1 if player == state.mover else 1

    def canonical(self, state: Position) -> Position:
        """Return the position or its mirror image, whichever is less."""
        a, b, c, d, e = state.points
        return min(state, Position((b, a, c, e, d), state.mover))

    # what it looks like

    def format_state(self, state: Position) -> str:
        a, b, c, d, e = (MARKS[point] for point in state.points)
        return f"{a}{b}/{c}/{d}{e} {MARKS[state.mover + 1]}"

    def parse_state(self, text: str) -> Position:
        board, _, mover = text.strip().upper().partition(" ")
        marks = board.replace("/", "")
        if sorted(marks) != sorted(".XXOO") or board != f"{marks[:2]}/{marks[2]}/{marks[3:]}":
            raise ggp.NotationError(f"{shown(text)} is not a position: write one like OO/./XX X, two stones a side")
        if mover not in ("X", "O"):
            raise ggp.NotationError(f"{shown(text)} does not say who is to move: X or O, after a blank")
        a, b, c, d, e = (MARKS.index(mark) for mark in marks)
        return Position((a, b, c, d, e), MARKS.index(mover) - 1)

    def format_action(self, state: Position, action: int) -> str:
        return "abcde"[action]

    def parse_action(self, state: Position, text: str) -> int:
        return read_action(self, state, text, "[a-e]", "d, the point of the stone that moves")

    def draw(self, state: Position) -> str:
        a, b, c, d, e = (MARKS[point] for point in state.points)
        return f"  {a}   {b}     a   b\n  |\\ /|\n  | {c} |       c\n  |/ \\|\n  {d}---{e}     d   e"

    def scene(self, state: Position) -> ggp.Scene:
        legal = () if self.terminal_test(state) else tuple(self.actions(state))
        cells = tuple(
            ggp.Cell(
                "abcde"[point],
                x,
                y,
                shape="round",
                text=MARKS[state.points[point]].strip("."),
                owner=state.points[point] - 1 if state.points[point] else None,
                action=point if point in legal else None,
                hint=f"move {'abcde'[point]}" if point in legal else "",
            )
            for point, (x, y) in enumerate(PLACES)
        )
        lines = tuple(
            ggp.Line("abcde"[point], "abcde"[other])
            for point, joined in enumerate(NEIGHBOURS)
            for other in joined
            if point < other
        )
        return ggp.Scene(cells, standing(self, state), lines)
