"""Breakthrough: the rules, capabilities for searches, and the scene."""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp import Bits
from ggp.board_game import MOVE, require_possible
from ggp.engine_dialect import Dialect

ARRIVAL, CAPTURE, LOSS = 1000, 100, 50
"""Weights in `suggest`: of a move that wins, of a capture, and of the loss of the piece that moves."""
WORTH = (0.0, 3.6, 2.8, 2.1, 1.5, 1.0, 0.8, 1.0)
"""Value of a piece, by the number of its steps to the goal."""
FORESEEN, SCALE, TEMPO, THREAT, FURTHER, RACE = 0.95, 4.0, 0.2, 0.6, 0.2, 8.0


class State(NamedTuple):
    """The pieces of both players, and the player to move."""

    white: Bits
    black: Bits
    mover: ggp.Player


class Step(NamedTuple):
    """A move of one piece."""

    start: int
    target: int


@attrs.frozen
class Breakthrough(ggp.BoardGame[State, Step]):
    """Breakthrough: step straight or diagonally forward, capture diagonally; whoever reaches the last row wins."""

    name: ClassVar[str] = "breakthrough"
    title: ClassVar[str] = "Breakthrough"
    rules: ClassVar[str] = (
        "White and Black each have two rows of pieces, and move one in turn: a step straight or diagonally forward to "
        "an empty cell, or a step diagonally forward that captures what stands there. Whoever first brings a piece to "
        "the last row, or captures all of the other player's pieces, wins."
    )
    player_names: ClassVar[tuple[str, str]] = ("White", "Black")
    pieces: ClassVar = {"W": (ggp.MAX, "♙"), "B": (ggp.MIN, "♟")}
    move_form = MOVE, "b2-b3, or b2xc3 for a capture"

    rows: int = ggp.option(8, "rows of the board", minimum=4, maximum=8)
    columns: int = ggp.option(8, "columns of the board", minimum=2, maximum=8)

    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.rows, game.columns, upward=True))

    def initial_state(self) -> State:
        grid = self.grid
        white, black = grid.row_cells(0) | grid.row_cells(1), grid.last_row | grid.row_cells(self.rows - 2)
        return State(white, black, ggp.MAX)

    def to_move(self, state: State) -> ggp.Player:
        return state.mover

    def actions(self, state: State) -> Iterator[Step]:
        white, black, mover = state
        own, ahead = (white, 1) if mover == ggp.MAX else (black, -1)
        for sideways in (-1, 0, 1):
            barred = own if sideways else white | black
            for target in self.grid.shift(own, ahead, sideways) - barred:
                yield Step(target - ahead * self.columns - sideways, target)

    def result(self, state: State, step: Step) -> State:
        white, black, mover = state
        if mover == ggp.MAX:
            return State(white.excluding(step.start).including(step.target), black.excluding(step.target), ggp.MIN)
        return State(white.excluding(step.target), black.excluding(step.start).including(step.target), ggp.MAX)

    def terminal_test(self, state: State) -> bool:
        white, black, mover = state
        if mover == ggp.MAX:
            return bool(black & self.grid.first_row) or not white
        return bool(white & self.grid.last_row) or not black

    def utility(self, state: State, player: ggp.Player) -> int:
        return -1 if state.mover == player else 1  # the last move has won

    # what a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    def value_bounds(self, state: State) -> tuple[int, int]:
        """Return the value of a win if a piece stands one row from its goal and cannot be captured, or if a piece can
        safely step to such a place. Otherwise, return the bounds of all values.
        """
        grid, (white, black, mover) = self.grid, state
        own, other, ahead = (white, black, 1) if mover == ggp.MAX else (black, white, -1)
        near_last, near_first = grid.row_cells(self.rows - 2), grid.row_cells(1)
        goal, gate = (near_last, near_first) if mover == ggp.MAX else (near_first, near_last)
        arriving, coming = other & gate, own & grid.shift(goal, -ahead, 0)
        captured = grid.shift(own, ahead, -1) | grid.shift(own, ahead, 1)
        lost = grid.shift(other, -ahead, -1) | grid.shift(other, -ahead, 1)
        to_goal = grid.shift(coming, ahead, -1) | grid.shift(coming, ahead, 1) | grid.shift(coming, ahead, 0) - other
        if len(own & goal) > 0 or (len(arriving) == 0 and len(to_goal - lost) > 0):
            return (1, 1) if mover == ggp.MAX else (-1, -1)
        if len(arriving) > 1 or len(arriving - captured) > 0:
            return (-1, -1) if mover == ggp.MAX else (1, 1)
        return -1, 1

    def advance(self, state: State) -> float:
        total = 0
        for row in range(self.rows):
            cells = self.grid.row_cells(row)
            total += len(state.white & cells) * (self.rows + row)
            total -= len(state.black & cells) * (2 * self.rows - 1 - row)
        return total / (4 * self.rows * self.columns)

    def prospect(self, state: State) -> float:
        """Return an estimate of White's chance to win.

        The estimate depends on three things: the steps of each piece to its goal, the pieces that can be captured, and
        the race between pieces that can no longer be stopped.
        """
        lower, upper = self.value_bounds(state)
        if lower == upper:
            return lower * FORESEEN  # not the value itself: a search would take it for the end of the game
        white, black, mover = state
        ours, theirs, tempo = (white, black, 1) if mover == ggp.MAX else (black, white, -1)
        total = self.side(white, 1) - self.side(black, -1)
        threats = len(self.loose(theirs, ours, -tempo))
        total += tempo * (TEMPO + (THREAT if threats > 0 else 0) + FURTHER * threats)
        total -= tempo * FURTHER * len(self.loose(ours, theirs, tempo))
        mine, other = self.free_steps(ours, theirs, tempo), self.free_steps(theirs, ours, -tempo)
        total += tempo * RACE * ((mine < self.rows and mine <= other) - (other < mine))
        return FORESEEN * total / (SCALE + abs(total))

    def side(self, own: Bits, ahead: int) -> float:
        """Return the value of one player's pieces; `ahead`, 1 or -1, is the direction in which the player moves."""
        total = 0.0
        for steps in range(1, self.rows):
            pieces = own & self.grid.row_cells(self.rows - 1 - steps if ahead == 1 else steps)
            total += WORTH[min(steps, len(WORTH) - 1)] * len(pieces)
        return total

    def loose(self, own: Bits, other: Bits, ahead: int) -> Bits:
        """Return the pieces that the other player could capture without losing as much in return."""
        grid = self.grid
        left, right = grid.shift(other, -ahead, -1), grid.shift(other, -ahead, 1)
        west, east = grid.shift(own, ahead, -1), grid.shift(own, ahead, 1)
        return own & (((left | right) - (west | east)) | ((left & right) - (west & east)))

    def free_steps(self, own: Bits, other: Bits, ahead: int) -> int:
        """Return the least number of steps to the goal, over the pieces that the other player can no longer stop. If
        there are no such pieces, return the number of rows.
        """
        grid, reached = self.grid, other
        for _ in range(self.rows - 2):
            aside = grid.shift(reached, -ahead, -1) | grid.shift(reached, -ahead, 1)
            reached = other | grid.shift(reached, -ahead, 0) | aside
        free = own - reached
        if not free:
            return self.rows
        for steps in range(1, self.rows):
            if free & grid.row_cells(self.rows - 1 - steps if ahead == 1 else steps):
                return steps
        return self.rows

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "pieces by their steps to the goal, threats, and the race of pieces that cannot be stopped"
        advance = "a piece is worth the rows of the board plus the rows it has advanced; White's sum minus Black's"
        return {
            "prospect": ggp.Evaluation(self.prospect, meaning, bounded=True),
            "advance": ggp.Evaluation(self.advance, advance, bounded=True),
        }

    def suggest(self, state: State, step: Step) -> int:
        """Rank winning moves first, then captures, then moves of the most advanced pieces; moves that lose a piece for
        nothing come last.
        """
        row = self.grid.row(step.target)
        own, other, ahead = (state.white, state.black, 1) if state.mover == ggp.MAX else (state.black, state.white, -1)
        come = row if state.mover == ggp.MAX else self.rows - 1 - row
        if come == self.rows - 1:
            return ARRIVAL
        target = Bits.of(step.target)
        attackers = len(other & (self.grid.shift(target, ahead, -1) | self.grid.shift(target, ahead, 1)))
        guards = own.excluding(step.start) & (self.grid.shift(target, -ahead, -1) | self.grid.shift(target, -ahead, 1))
        is_lost = attackers > len(guards)
        return come + (CAPTURE if step.target in other else 0) - (LOSS if is_lost else 0)

    def canonical(self, state: State) -> State:
        white, black = self.grid.flip_columns(state.white), self.grid.flip_columns(state.black)
        if white < state.white or (white == state.white and black < state.black):
            return State(white, black, state.mover)
        return state

    # text and scene

    def parse_state(self, text: str) -> State:
        white, black, mover = state = super().parse_state(text)
        won, most = self.terminal_test(State(white, black, 1 - mover)), 2 * self.columns
        require_possible(text, not won, f"{self.player_names[mover]} had won before the last move")
        require_possible(text, max(len(white), len(black)) <= most, f"each side has {most} pieces at most")
        return state

    def format_action(self, state: State, step: Step) -> str:
        return self.grid.format_move(*step, captures=step.target in state.white | state.black)

    def dialect(self, protocol: str) -> Dialect | None:
        """Return two notations.

        Chess variants use `P` and `p` for the pieces, on the board of chess. In OpenSpiel, Black moves first, from the
        bottom of our board.
        """
        if protocol == "openspiel":
            return Dialect(variant=f"breakthrough(rows={self.rows},columns={self.columns})", action=self._upside_down)
        if protocol != "uci" or (self.rows, self.columns) != (8, 8):
            return None
        return Dialect(variant="breakthrough", action=self._coordinates, state=self._fen, parse_state=self._from_fen)

    def _coordinates(self, state: State, step: Step) -> str:
        return self.grid.name(step.start) + self.grid.name(step.target)

    def _upside_down(self, state: State, step: Step) -> str:
        (a, b), (c, d) = (("abcdefgh"[self.grid.column(cell)], self.rows - self.grid.row(cell)) for cell in step)
        return f"{a}{b}{c}{d}{'*' if step.target in (state.white | state.black) else ''}"

    def _fen(self, state: State) -> str:
        board, mover = self.format_state(state).split()
        pieces = board.translate({ord("W"): "P", ord("B"): "p"})
        return f"{re.sub('[.]+', lambda empty: str(len(empty[0])), pieces)} {mover.lower()} - - 0 1"

    def _from_fen(self, text: str) -> State:
        board, mover = [*text.split(), "", ""][:2]
        marks = re.sub("[0-9]", lambda empty: "." * int(empty[0]), board).translate({ord("P"): "W", ord("p"): "B"})
        return self.parse_state(f"{marks} {mover.upper()}")

    def scene(self, state: State) -> ggp.Scene:
        return self.board_scene(state, below=ggp.MAX, material="wood", chequered=True)
