"""Checkers (English draughts): the rules, capabilities for searches, and the scene."""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp.board_game import require_possible, shown
from ggp.engine_dialect import Dialect

SQUARES = 32
OFF = -1
"""The target of a step or a jump that would leave the board."""
DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1))
"""For each direction, the number of rows down and of columns to the right. Black's men use the first two directions,
White's men the other two.
"""
BOARD, ROW = 0xFFFFFFFF, 0b1111
ODD_ROWS = 0xF0F0F0F0
"""The rows whose dark squares begin in the first column; in all other rows they begin in the second column."""
FIRST_COLUMN, LAST_COLUMN = 0x10101010, 0x08080808
BLACK_MEN, WHITE_MEN = 0x00000FFF, 0xFFF00000
"""The first three rows and the last three rows, as bits."""


class State(NamedTuple):
    """Bits of the 32 dark squares, numbered from Black's side: squares with black pieces, with white pieces, and with
    kings of either colour.
    """

    black: int
    white: int
    kings: int
    mover: ggp.Player
    quiet: int
    """Number of moves since the last capture or the last move of a man."""


class Move(NamedTuple):
    """A whole move: a step, or all jumps of a turn."""

    start: int
    target: int
    captured: int
    """Bits of the squares that are jumped over."""


def _square(row: int, column: int) -> int:
    return row * 4 + column // 2 if 0 <= row < 8 and 0 <= column < 8 else OFF


def _reached(distance: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each square and each direction, the square at this distance."""
    places = [(square // 4, square % 4 * 2 + (square // 4 + 1) % 2) for square in range(SQUARES)]
    return tuple(tuple(_square(y + distance * a, x + distance * b) for a, b in DIRECTIONS) for y, x in places)


STEPS, JUMPS = _reached(1), _reached(2)


def stepped(squares: int, way: int) -> int:
    """Return, as bits, the squares one step from each of `squares`, in the direction with the index `way`."""
    even, odd = squares & ~ODD_ROWS, squares & ODD_ROWS
    if way == 0:
        return (even << 4 | (odd & ~FIRST_COLUMN) << 3) & BOARD
    if way == 1:
        return ((even & ~LAST_COLUMN) << 5 | odd << 4) & BOARD
    if way == 2:
        return even >> 4 | (odd & ~FIRST_COLUMN) >> 5
    return (even & ~LAST_COLUMN) >> 3 | odd >> 4


def before(squares: int, way: int) -> int:
    """Return, as bits, the squares from which one step in the direction with the index `way` leads to one of
    `squares`.
    """
    return stepped(squares, 3 - way)


@attrs.frozen
class Checkers(ggp.BoardGame[State, Move]):
    """Checkers, or English draughts: capture by jumping, crown your men, and leave the opponent without a move."""

    name: ClassVar[str] = "checkers"
    title: ClassVar[str] = "Checkers"
    rules: ClassVar[str] = (
        "Men step diagonally forward to an empty dark square, or jump over an opponent's piece to the empty square "
        "behind it, which captures that piece; the same piece goes on jumping as long as it can. If you can capture, "
        "you must. A man that comes to the last row becomes a king, which ends the move; kings go and jump backwards "
        "too. Whoever has no move loses. Too many moves without a capture or a man's move make a draw."
    )
    player_names: ClassVar[tuple[str, str]] = ("Black", "White")
    pieces: ClassVar = {
        "b": (ggp.MAX, "●", "man"),
        "B": (ggp.MAX, "♚", "king"),
        "w": (ggp.MIN, "○", "man"),
        "W": (ggp.MIN, "♔", "king"),
    }
    move_form = r"[0-9]{1,2}[-x][0-9]{1,2}(:[0-9.]+)?", "11-15, or 15x22 for a capture"

    patience: int = ggp.option(
        80, "a draw after this many moves without a capture or a man's move; 0: after a repetition", minimum=0
    )

    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(8, 8))

    def initial_state(self) -> State:
        return State(BLACK_MEN, WHITE_MEN, 0, ggp.MAX, 0)

    @property
    def repetition(self) -> str | None:
        """See `ggp.game.Repeating`: a position can repeat only if quiet moves are not counted."""
        return None if self.patience else "draw"

    def to_move(self, state: State) -> ggp.Player:
        return state.mover

    def ways(self, state: State, square: int) -> range:
        """Return the indices of the directions in which the mover's piece on a square may move."""
        is_king = state.kings >> square & 1
        first = 2 if state.mover == ggp.MIN and not is_king else 0
        return range(first, 4 if is_king else first + 2)

    def movable(self, state: State, way: int) -> int:
        """Return the mover's pieces, as bits, that may move in a direction."""
        if state.mover == ggp.MAX:
            return state.black if way < 2 else state.black & state.kings
        return state.white if way >= 2 else state.white & state.kings

    def jumpers(self, state: State) -> int:
        """Return the mover's pieces, as bits, that can capture."""
        other = state.white if state.mover == ggp.MAX else state.black
        free, squares = BOARD & ~(state.black | state.white), 0
        for way in range(4):
            squares |= self.movable(state, way) & before(other & before(free, way), way)
        return squares

    def steppers(self, state: State) -> int:
        """Return the mover's pieces, as bits, that have an empty square before them."""
        free, squares = BOARD & ~(state.black | state.white), 0
        for way in range(4):
            squares |= self.movable(state, way) & before(free, way)
        return squares

    def actions(self, state: State) -> Iterator[Move]:
        jumpers = self.jumpers(state)
        left = jumpers if jumpers else self.steppers(state)
        taken = state.black | state.white
        while left:
            start = (left & -left).bit_length() - 1
            left &= left - 1
            if jumpers:
                yield from self.captures(state, start, start, 0)
            else:
                for way in self.ways(state, start):
                    target = STEPS[start][way]
                    if target != OFF and not taken >> target & 1:
                        yield Move(start, target, 0)

    def captures(self, state: State, start: int, square: int, captured: int) -> list[Move]:
        """Return the complete moves of a piece that began at `start` and has jumped to `square` so far."""
        other = (state.white if state.mover == ggp.MAX else state.black) & ~captured
        taken = (state.black | state.white) & ~(1 << start)
        moves: list[Move] = []
        for way in self.ways(state, start):
            over, target = STEPS[square][way], JUMPS[square][way]
            if target != OFF and other >> over & 1 and not taken >> target & 1:
                jumped = captured | 1 << over
                crowned = self.is_crowned(state, start, target)
                further = [] if crowned else self.captures(state, start, target, jumped)
                if not further:
                    moves.append(Move(start, target, jumped))
                for move in further:
                    if move not in moves:  # a king may come round both ways
                        moves.append(move)
        return moves

    def is_crowned(self, state: State, start: int, target: int) -> bool:
        """Return whether the mover's piece from `start` is a man that reaches its last row at `target`."""
        last = SQUARES // 4 - 1 if state.mover == ggp.MAX else 0
        return target // 4 == last and not state.kings >> start & 1

    def result(self, state: State, move: Move) -> State:
        black, white, kings, mover, quiet = state
        start, target, captured = move
        is_man = not kings >> start & 1
        own, other = (black, white) if mover == ggp.MAX else (white, black)
        own, other = own & ~(1 << start) | 1 << target, other & ~captured
        if not is_man or self.is_crowned(state, start, target):
            kings = kings & ~(1 << start) | 1 << target
        kings &= ~captured
        quiet = 0 if captured or is_man or not self.patience else quiet + 1
        return (
            State(own, other, kings, ggp.MIN, quiet) if mover == ggp.MAX else State(other, own, kings, ggp.MAX, quiet)
        )

    def can_move(self, state: State) -> bool:
        return self.steppers(state) != 0 or self.jumpers(state) != 0

    def terminal_test(self, state: State) -> bool:
        return 0 < self.patience <= state.quiet or not self.can_move(state)

    def utility(self, state: State, player: ggp.Player) -> int:
        if self.can_move(state):
            return 0
        return -1 if state.mover == player else 1

    # what a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    def material(self, state: State) -> float:
        black, white, kings, _, _ = state
        total = 20 * (black.bit_count() - white.bit_count())
        total += 10 * ((black & kings).bit_count() - (white & kings).bit_count())
        for row in range(8):
            cells = ROW << 4 * row & ~kings
            total += row * (black & cells).bit_count() - (7 - row) * (white & cells).bit_count()
        return total / 400

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "a man is worth 20 plus its rows advanced, a king 30; Black's sum minus White's, divided by 400"
        return {"material": ggp.Evaluation(self.material, meaning, bounded=True)}

    def suggest(self, state: State, move: Move) -> int:
        """Rank the moves that capture most first, then the moves that make a king."""
        return 2 * move.captured.bit_count() + (1 if self.is_crowned(state, move.start, move.target) else 0)

    # text and scene

    def cell(self, square: int) -> int:
        """Return the cell that a dark square has on the whole board."""
        return square * 2 + (square // 4 + 1) % 2

    def marks(self, state: State) -> list[str]:
        marks = ["."] * self.grid.size
        for square in range(SQUARES):
            mark = "b" if state.black >> square & 1 else "w" if state.white >> square & 1 else "."
            marks[self.cell(square)] = mark.upper() if state.kings >> square & 1 else mark
        return marks

    def format_state(self, state: State) -> str:
        return f"{super().format_state(state)} {state.quiet}"

    def parse_state(self, text: str) -> State:
        position, _, quiet = text.strip().rpartition(" ")
        if not re.fullmatch("[0-9]{1,9}", quiet, re.ASCII):
            example = self.format_state(self.initial_state())
            raise ggp.NotationError(
                f"{shown(text)} is not a position: write rows, player and number of quiet moves, like {example}"
            )
        marks, mover = self.parse_marks(position)
        dark = [marks[self.cell(square)] for square in range(SQUARES)]
        is_dark = len(marks) - marks.count(".") == SQUARES - dark.count(".")
        require_possible(text, is_dark, "a piece stands on a light square")
        black, white, kings = (sum(1 << s for s in range(SQUARES) if dark[s] in each) for each in ("bB", "wW", "BW"))
        require_possible(text, "w" not in dark[:4] and "b" not in dark[28:], "a man stands in its last row")
        require_possible(text, max(black.bit_count(), white.bit_count()) <= 12, "each side has 12 pieces at most")
        return State(black, white, kings, mover, min(int(quiet), self.patience))

    def format_action(self, state: State, move: Move) -> str:
        """Write the numbers of the squares where the move starts and ends, counted from 1.

        If several captures start and end on the same squares, the squares that they jump over are added.
        """
        start, target, captured = move
        text = f"{start + 1}{'x' if captured else '-'}{target + 1}"
        if sum(each[:2] == move[:2] for each in self.actions(state)) > 1:
            text += ":" + ".".join(str(square + 1) for square in range(SQUARES) if captured >> square & 1)
        return text

    def dialect(self, protocol: str) -> Dialect | None:
        """Return OpenSpiel's notation, in which each jump of a move is an action; None for other protocols.

        OpenSpiel's first player, who sits below, is Black here. In OpenSpiel, a game is a draw after 40 moves without a
        capture, even if men have moved.
        """
        if protocol != "openspiel" or self.patience == 0:
            return None

        def cell(square: int) -> str:
            return "hgfedcba"[self.cell(square) % 8] + str(square // 4 + 1)

        def action(state: State, move: Move) -> str:
            return ",".join(cell(one) + cell(other) for one, other in itertools.pairwise(self.way(state, move)))

        return Dialect(variant="checkers", action=action)

    def way(self, state: State, move: Move) -> list[int]:
        """Return the squares on which the piece lands, from the first to the last."""
        if not move.captured:
            return [move.start, move.target]

        def further(square: int, left: int) -> list[int] | None:
            if not left:
                return [square] if square == move.target else None
            for way in self.ways(state, move.start):
                over, target = STEPS[square][way], JUMPS[square][way]
                rest = further(target, left & ~(1 << over)) if target != OFF and left >> over & 1 else None
                if rest:
                    return [square, *rest]
            return None

        return further(move.start, move.captured) or [move.start, move.target]

    def where(self, state: State, move: Move) -> tuple[int, ...]:
        return tuple(map(self.cell, self.way(state, move)))

    def scene(self, state: State) -> ggp.Scene:
        labels = {self.cell(square): str(square + 1) for square in range(SQUARES)}

        def look(number: int, cell: ggp.Cell) -> ggp.Cell:
            if number in labels:
                return attrs.evolve(cell, shade="dark", label=labels[number])
            return attrs.evolve(cell, shade="light", shape="plain")

        scores = state.black.bit_count(), state.white.bit_count()
        scene = self.board_scene(state, look, rows=(), columns=(), below=ggp.MIN, material="wood")
        return attrs.evolve(scene, scores=scores, things=("piece", "pieces"))
