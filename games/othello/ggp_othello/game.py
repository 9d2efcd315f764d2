"""Othello: the rules, capabilities for searches, and the scene."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp import Bits
from ggp.board_game import CELL
from ggp.engine_dialect import Dialect

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
CORNER = 6
"""Weight of a corner in the evaluation, in moves: the number of legal moves at the start, plus two."""
LAST = 4
"""With at most this many empty cells, moves are not ranked: ranking would take more time than it saves."""


class State(NamedTuple):
    """The discs of both players, and the player to move."""

    black: Bits
    white: Bits
    mover: ggp.Player


@attrs.frozen
class Othello(ggp.BoardGame[State, int]):
    """Othello: enclose discs to turn them over; whoever has more discs at the end wins.

    An action is the cell of the disc, or `skip`, which is legal only if no disc can be placed.
    """

    name: ClassVar[str] = "othello"
    title: ClassVar[str] = "Othello"
    rules: ClassVar[str] = (
        "Black and White take turns to place a disc. In one or more directions, the disc must enclose a straight row"
        " of the other's discs between itself and another disc of its colour; all enclosed discs are turned over. A "
        "player who cannot place a disc passes. When neither can, the game is over, and whoever has more discs wins."
    )
    player_names: ClassVar[tuple[str, str]] = ("Black", "White")
    pieces: ClassVar = {"X": (ggp.MAX, "●"), "O": (ggp.MIN, "○")}
    move_form = f"{CELL}|pass", "d3, or pass"

    size: int = ggp.option(8, "rows and columns of the board", choices=(4, 6, 8, 10, 12))

    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.size, game.size))
    skip: int = ggp.constant(lambda game: game.size * game.size)
    """The action of passing."""
    corners: Bits = ggp.constant(
        lambda game: (game.grid.first_row | game.grid.last_row) & (game.grid.first_column | game.grid.last_column)
    )

    def initial_state(self) -> State:
        low, high = self.size // 2 - 1, self.size // 2
        black = self.grid.bits(self.grid.cell(low, high), self.grid.cell(high, low))
        white = self.grid.bits(self.grid.cell(low, low), self.grid.cell(high, high))
        return State(black, white, ggp.MAX)

    def to_move(self, state: State) -> ggp.Player:
        return state.mover

    def sides(self, state: State) -> tuple[Bits, Bits]:
        """Return the mover's discs, and the opponent's discs."""
        return (state.black, state.white) if state.mover == ggp.MAX else (state.white, state.black)

    def places(self, own: Bits, other: Bits) -> Bits:
        """Return the empty cells in which a new disc would turn over others."""
        cells, empty = self.grid.bits(), self.grid.board - own - other
        for rows, columns in DIRECTIONS:
            enclosed = self.grid.shift(own, rows, columns) & other
            enclosed |= self.grid.shift(enclosed, rows, columns) & other
            # By pairs of discs from here on: half as many steps. A line has at most `size - 2` discs.
            pairs = self.grid.shift(other, rows, columns) & other
            for _ in range((self.size - 4) // 2):
                enclosed |= self.grid.shift(enclosed, 2 * rows, 2 * columns) & pairs
            cells |= self.grid.shift(enclosed, rows, columns) & empty
        return cells

    def turned(self, own: Bits, other: Bits, cell: int) -> Bits:
        """Return the discs that a disc in `cell` turns over."""
        discs = self.grid.bits()
        for rows, columns in DIRECTIONS:
            enclosed = self.grid.shift(self.grid.bits(cell), rows, columns) & other
            for _ in range(self.size - 3):  # a loop without tests is faster than one that ends with the line
                enclosed |= self.grid.shift(enclosed, rows, columns) & other
            if self.grid.shift(enclosed, rows, columns) & own:
                discs |= enclosed
        return discs

    def actions(self, state: State) -> Iterator[int]:
        own, other = self.sides(state)
        places = self.places(own, other)
        if not places:
            yield self.skip
        for cell in places:
            yield cell

    def result(self, state: State, action: int) -> State:
        if action == self.skip:
            return State(state.black, state.white, 1 - state.mover)
        own, other = self.sides(state)
        turned = self.turned(own, other, action)
        own, other = own.including(action) | turned, other - turned
        return State(own, other, ggp.MIN) if state.mover == ggp.MAX else State(other, own, ggp.MAX)

    def terminal_test(self, state: State) -> bool:
        own, other = self.sides(state)
        is_full = own | other == self.grid.board
        return is_full or (not self.places(own, other) and not self.places(other, own))

    def utility(self, state: State, player: ggp.Player) -> int:
        margin = len(state.black) - len(state.white)
        return margin if player == ggp.MAX else -margin

    # what a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -self.size * self.size, self.size * self.size

    def mobility(self, state: State) -> int:
        moves = len(self.places(state.black, state.white)) - len(self.places(state.white, state.black))
        corners = len(state.black & self.corners) - len(state.white & self.corners)
        most = self.size * self.size
        return max(-most, min(most, moves + CORNER * corners))

    def discs(self, state: State) -> int:
        return len(state.black) - len(state.white)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        moves = f"Black's moves minus White's; each corner held counts as {CORNER} moves"
        return {
            "mobility": ggp.Evaluation(self.mobility, moves, bounded=True),
            "discs": ggp.Evaluation(self.discs, "Black's discs minus White's", bounded=True),
        }

    def suggest(self, state: State, action: int) -> int:
        """Rank corners first, then moves that leave the opponent the fewest moves."""
        own, other = self.sides(state)
        if action == self.skip or len(own | other) + LAST >= self.skip:
            return 0
        turned = self.turned(own, other, action)
        replies = self.places(other - turned, own.including(action) | turned)
        return (self.skip if action in self.corners else 0) - len(replies)

    def canonical(self, state: State) -> State:
        """Return the least of the eight rotations and reflections of the board."""
        black, white, best = state.black, state.white, state
        for _ in range(4):
            black, white = self.grid.transpose(black), self.grid.transpose(white)
            if black < best.black or (black == best.black and white < best.white):
                best = State(black, white, state.mover)
            black, white = self.grid.flip_columns(black), self.grid.flip_columns(white)
            if black < best.black or (black == best.black and white < best.white):
                best = State(black, white, state.mover)
        return best

    # text and scene

    def where(self, state: State, action: int) -> int | None:
        return None if action == self.skip else action

    def format_action(self, state: State, action: int) -> str:
        return "pass" if action == self.skip else self.grid.name(action)

    def dialect(self, protocol: str) -> Dialect | None:
        """Return the notation of GTP or OpenSpiel; GTP counts rows from the top, as we do."""
        if protocol == "openspiel" and self.size == 8:
            return Dialect(variant="othello", action=lambda state, action: str(action))
        if protocol != "gtp":
            return None
        return Dialect(variant="Othello", action=self.format_action, size=self.size, setup=self._setup)

    def _setup(self, state: State) -> tuple[str, ...]:
        """Return grhino's command that sets up a position: 64 marks, and the player to move."""
        return (f"grhino-setup_board {''.join(self.marks(state)).replace('.', '-')} {'bw'[state.mover]}",)

    def scene(self, state: State) -> ggp.Scene:
        scores = len(state.black), len(state.white)
        return self.board_scene(state, material="felt", scores=scores, things=("disc", "discs"))
