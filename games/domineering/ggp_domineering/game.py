"""Domineering: the rules, capabilities for searches, and the scene."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import attrs

import ggp
from ggp import Bits
from ggp.board_game import MOVE

FIRST = {"vertical": ggp.MAX, "horizontal": ggp.MIN}


class State(NamedTuple):
    """The covered cells, and the player to move."""

    covered: Bits
    mover: ggp.Player


@attrs.frozen
class Domineering(ggp.BoardGame[State, int]):
    """Domineering: cover two cells with a domino, one player upright, the opponent across; whoever cannot move loses.

    An action is the upper or the left cell of the domino.
    """

    name: ClassVar[str] = "domineering"
    title: ClassVar[str] = "Domineering"
    rules: ClassVar[str] = (
        "The players take turns to put a domino onto two empty cells beside each other. Vertical's dominoes "
        "stand upright, Horizontal's lie across. Whoever has no room for another domino loses."
    )
    player_names: ClassVar[tuple[str, str]] = ("Vertical", "Horizontal")
    pieces: ClassVar = {"#": (None, "■", "domino")}
    movers = "VH"
    move_form = MOVE, "a1-a2, or a1-b1 across"

    rows: int = ggp.option(8, "rows of the board", minimum=1, maximum=8)
    columns: int = ggp.option(8, "columns of the board", minimum=1, maximum=8)
    first: str = ggp.option("vertical", "who moves first", choices=tuple(FIRST))

    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.rows, game.columns))

    def initial_state(self) -> State:
        return State(Bits(), FIRST[self.first])

    def to_move(self, state: State) -> ggp.Player:
        return state.mover

    def places(self, covered: Bits, player: ggp.Player) -> Bits:
        """Return the cells in which the upper or left half of the player's domino can lie."""
        empty = self.grid.board - covered
        beside = self.grid.shift(empty, -1, 0) if player == ggp.MAX else self.grid.shift(empty, 0, -1)
        return empty & beside

    def step(self, player: ggp.Player) -> int:
        """Return the distance between the numbers of the two cells that the player's dominoes cover."""
        return self.columns if player == ggp.MAX else 1

    def actions(self, state: State) -> Iterator[int]:
        for cell in self.places(state.covered, state.mover):
            yield cell

    def result(self, state: State, cell: int) -> State:
        covered, mover = state
        return State(covered.including(cell).including(cell + self.step(mover)), 1 - mover)

    def terminal_test(self, state: State) -> bool:
        return not self.places(state.covered, state.mover)

    def utility(self, state: State, player: ggp.Player) -> int:
        return -1 if state.mover == player else 1

    # what a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    def packed(self, cells: Bits, player: ggp.Player) -> int:
        """Return how many of the player's dominoes fit into `cells` side by side."""
        count, (down, right) = 0, ((1, 0) if player == ggp.MAX else (0, 1))
        for line in range(self.rows - 1 if player == ggp.MAX else self.columns - 1):
            ahead = self.grid.row_cells(line) if player == ggp.MAX else self.grid.first_column << line
            starts = cells & ahead & self.grid.shift(cells, -down, -right)
            cells = cells - starts - self.grid.shift(starts, down, right)
            count += len(starts)
        return count

    def value_bounds(self, state: State) -> tuple[int, int]:
        """Return bounds that prove a win for a side if it is sure to place more dominoes than its opponent has room
        for.

        If the opponent is to move, an equal number is enough.
        """
        covered, mover = state
        upright, across = self.sure(covered, ggp.MAX, mover), self.sure(covered, ggp.MIN, mover)
        empty = self.grid.board - covered
        if upright + mover > self.packed(empty, ggp.MIN):
            return 1, 1
        if across + 1 - mover > self.packed(empty, ggp.MAX):
            return -1, -1
        return -1, 1

    def sure(self, covered: Bits, player: ggp.Player, mover: ggp.Player) -> int:
        """Return the number of dominoes that the player is sure to place.

        All safe dominoes are sure. Of the others, the player places one in each turn, and the opponent destroys the
        room of at most two in each turn.
        """
        empty, grid = self.grid.board - covered, self.grid
        row, column = (0, 1) if player == ggp.MAX else (1, 0)  # to the next cell in the other's direction
        safe = empty - grid.shift(empty, row, column) - grid.shift(empty, -row, -column)
        others = self.packed(empty - safe, player)
        return self.packed(safe, player) + (others + 2 * (player == mover)) // 3

    def lead(self, covered: Bits) -> int:
        """Return how many of Vertical's dominoes fit side by side, minus how many of Horizontal's.

        Safe dominoes count twice.
        """
        empty, grid = self.grid.board - covered, self.grid
        no_neighbour = empty - grid.shift(empty, 0, 1) - grid.shift(empty, 0, -1)
        alone = empty - grid.shift(empty, 1, 0) - grid.shift(empty, -1, 0)
        upright = self.packed(empty, ggp.MAX) + self.packed(no_neighbour, ggp.MAX)
        return upright - self.packed(empty, ggp.MIN) - self.packed(alone, ggp.MIN)

    def room(self, state: State) -> float:
        return self.lead(state.covered) / (self.rows * self.columns + 1)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = (
            "dominoes that Vertical can place side by side minus Horizontal's, safe ones counted twice, divided by the "
            "number of cells plus one"
        )
        return {"room": ggp.Evaluation(self.room, meaning, bounded=True)}

    def suggest(self, state: State, cell: int) -> int:
        """Return the priority of an action: a greater lead of the mover in room comes first, then fewer moves of the
        opponent.
        """
        covered, other = self.result(state, cell)
        lead = self.lead(covered)
        return 64 * (lead if state.mover == ggp.MAX else -lead) - len(self.places(covered, other))

    def canonical(self, state: State) -> State:
        """Return the least of the board and its mirror images (up and down, left and right, and both)."""
        least, covered = state.covered, self.grid.flip_rows(state.covered)
        least = min(least, covered, self.grid.flip_columns(covered), self.grid.flip_columns(state.covered))
        return State(least, state.mover)

    # text and scene

    def format_action(self, state: State, cell: int) -> str:
        return self.grid.format_move(cell, cell + self.step(state.mover))

    def scene(self, state: State) -> ggp.Scene:
        def look(number: int, cell: ggp.Cell) -> ggp.Cell:
            return attrs.evolve(cell, unowned=True)  # a position does not tell who covered a cell

        return self.board_scene(state, look, material="wood")
