"""Hex: the rules, capabilities for searches, and the scene."""

import itertools
from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

import ggp
from ggp import Bits
from ggp.board_game import CELL, require_possible
from ggp.engine_dialect import Dialect
from ggp.scene import Colour

State = tuple[Bits, Bits, ggp.Player]
"""The stones of MAX and of MIN, with cells numbered row by row, and the player to move."""

EDGES = (ggp.MAX, ggp.MIN, ggp.MAX, ggp.MIN)
COLOURS: tuple[Colour, ...] = ("red", "blue")


@attrs.frozen
class Hex(ggp.BoardGame[State, int]):
    """Hex: put stones on hexagons; X wins by a chain from top to bottom, O by one from left to right."""

    name: ClassVar[str] = "hex"
    title: ClassVar[str] = "Hex"
    rules: ClassVar[str] = (
        "X and O take turns to put a stone on an empty hexagon. X wins by joining the top row to the bottom row with a "
        "chain of neighbouring stones, O by joining the left column to the right one. A full board always has one such "
        "chain, so that no game is drawn."
    )
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    pieces: ClassVar = {"X": (ggp.MAX, "●", "stone"), "O": (ggp.MIN, "○", "stone")}
    move_form = CELL, "b3"

    size: int = ggp.option(7, "rows and columns of the board", minimum=1, maximum=19)

    grid: ggp.Grid = ggp.constant(lambda game: ggp.Grid(game.size, game.size))
    edges: tuple[tuple[Bits, Bits], tuple[Bits, Bits]] = ggp.constant(lambda game: game._edges())
    """The two edges that MAX must connect, and the two edges that MIN must connect."""

    def _edges(self) -> tuple[tuple[Bits, Bits], tuple[Bits, Bits]]:
        grid = self.grid
        return (grid.first_row, grid.last_row), (grid.first_column, grid.last_column)

    def initial_state(self) -> State:
        return self.grid.bits(), self.grid.bits(), ggp.MAX

    def to_move(self, state: State) -> ggp.Player:
        return state[2]

    def actions(self, state: State) -> Iterator[int]:
        yield from self.grid.board - state[0] - state[1]

    def result(self, state: State, cell: int) -> State:
        first, second, mover = state
        return (
            (first.including(cell), second, ggp.MIN) if mover == ggp.MAX else (first, second.including(cell), ggp.MAX)
        )

    def neighbours(self, cells: Bits) -> Bits:
        """Return the neighbours of these cells: each cell has two in its own row, two above and two below."""
        east, west = (cells - self.grid.last_column) << 1, (cells - self.grid.first_column) >> 1
        south, north = (cells | west) << self.size, (cells | east) >> self.size
        return (east | west | south | north) & self.grid.board

    def reached(self, cells: Bits, stones: Bits) -> Bits:
        """Return the cells, and all stones that are connected to them by chains."""
        wider = cells | self.neighbours(cells) & stones
        while wider != cells:
            cells, wider = wider, wider | self.neighbours(wider) & stones
        return cells

    def has_won(self, stones: Bits, player: ggp.Player) -> bool:
        start, goal = self.edges[player]
        return bool(self.reached(stones & start, stones) & goal)

    def terminal_test(self, state: State) -> bool:
        first, second, mover = state
        return self.has_won(second, ggp.MIN) if mover == ggp.MAX else self.has_won(first, ggp.MAX)

    def utility(self, state: State, player: ggp.Player) -> int:
        return -1 if state[2] == player else 1  # the last stone has won

    # what a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    def value_bounds(self, state: State) -> tuple[int, int]:
        """Return the value of a win as both bounds if a player's connection can no longer be prevented; otherwise
        return -1 and 1.
        """
        first, second, mover = state
        if self.is_sure(first, second, ggp.MAX, mover):
            return 1, 1
        return (-1, -1) if self.is_sure(second, first, ggp.MIN, mover) else (-1, 1)

    def passed(self, state: State) -> State:
        """Return the same board with the opponent to move.

        A pass gains nothing, since one more stone never hurts its owner.
        """
        return state[0], state[1], 1 - state[2]

    def is_sure(self, own: Bits, other: Bits, player: ggp.Player, mover: ggp.Player) -> bool:
        """Return whether the player is sure to connect both edges. The player may add one stone if it is their turn.

        Two empty cells between stones connect the stones: if the opponent takes one cell, the player takes the other.
        """
        start, goal = self.edges[player]
        near, empty = self.grown(own, start, self.grid.board - own - other)
        far, empty = self.grown(own, goal, empty)
        last = (self.neighbours(near) | start) & (self.neighbours(far) | goal) & empty
        return bool(near & (far | goal)) or len(last) > 1 or (len(last) == 1 and mover == player)

    def grown(self, own: Bits, edge: Bits, empty: Bits) -> tuple[Bits, Bits]:
        """Return the stones that chains, or pairs of empty cells, connect to an edge; also return the empty cells that
        are in none of these pairs.
        """
        chain, longer = ~own, self.reached(own & edge, own)
        while longer != chain:
            chain, apart, around = longer, own - longer, self.neighbours(longer) | edge
            while apart:
                stone = self.grid.bits(apart.lowest())
                between = around & self.neighbours(stone) & empty
                if len(between) > 1:
                    for _ in range(2):
                        empty, between = empty.excluding(between.lowest()), between.excluding(between.lowest())
                    longer = self.reached(longer | stone, own)
                    around = self.neighbours(longer) | edge
                apart -= longer | stone
        return chain, empty

    def missing(self, own: Bits, other: Bits, player: ggp.Player) -> int:
        """Return the least number of stones that complete the player's chain.

        If no chain is possible, return the number of all cells.
        """
        start, goal = self.edges[player]
        count, cells = 0, self.reached(own & start, own)
        while not cells & goal:
            wider = (cells | self.neighbours(cells) | start) - other
            if wider == cells:
                return self.size * self.size
            count, cells = count + 1, self.reached(wider, own)
        return count

    def lead(self, first: Bits, second: Bits) -> int:
        return self.missing(second, first, ggp.MIN) - self.missing(first, second, ggp.MAX)

    def distance(self, state: State) -> float:
        return self.lead(state[0], state[1]) / (self.size * self.size + 1)

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "the fewest stones for a chain of O, minus those for X, divided by the number of cells plus one"
        return {"distance": ggp.Evaluation(self.distance, meaning, bounded=True)}

    def suggest(self, state: State, cell: int) -> int:
        """Prefer cells that help the mover's chain and hinder the opponent's; among equals, the middle of the board."""
        first, second, mover = self.result(state, cell)
        lead = self.lead(first, second)
        row, column = cell // self.size, cell % self.size
        aside = abs(2 * row + 1 - self.size) + abs(2 * column + 1 - self.size)
        return 2 * self.size * (lead if mover == ggp.MIN else -lead) - aside

    def turned(self, stones: Bits) -> Bits:
        """Return the stones after turning the board by 180 degrees."""
        cells, last = self.grid.bits(), self.grid.size - 1
        for cell in stones:
            cells = cells.including(last - cell)
        return cells

    def canonical(self, state: State) -> State:
        half_turn = self.turned(state[0]), self.turned(state[1]), state[2]
        return half_turn if half_turn < state else state

    # text and scene

    def parse_state(self, text: str) -> State:
        first, second, mover = state = super().parse_state(text)
        require_possible(text, len(first) - len(second) == mover, "X moves first, and they take turns")
        won = self.has_won(second if mover else first, mover)
        require_possible(text, not won, f"{'XO'[mover]} had won before the last move")
        return state

    def winning_chain(self, state: State) -> Bits:
        """Return the stones of the chain that has won."""
        winner = 1 - state[2]
        stones, (start, goal) = state[0] if winner == ggp.MAX else state[1], self.edges[winner]
        return self.reached(self.reached(stones & start, stones) & goal, stones)

    def dialect(self, protocol: str) -> Dialect | None:
        """Return the notation of GTP or OpenSpiel. In GTP, black begins and joins top and bottom, like our X."""
        if protocol == "gtp":
            return Dialect(variant="Hex", action=self.format_action, size=self.size, setup=self._setup)
        if protocol != "openspiel":
            return None
        return Dialect(variant=f"hex(board_size={self.size})", action=lambda state, action: str(action))

    def _setup(self, state: State) -> tuple[str, ...]:
        """Return commands that put the stones on the board, in turn."""
        moves = [("bw"[side], cell) for pair in itertools.zip_longest(*state[:2]) for side, cell in enumerate(pair)]
        return tuple(f"play {colour} {self.grid.name(cell)}" for colour, cell in moves if cell is not None)

    def scene(self, state: State) -> ggp.Scene:
        chain = self.winning_chain(state) if self.terminal_test(state) else self.grid.bits()

        def look(number: int, cell: ggp.Cell) -> ggp.Cell:
            return attrs.evolve(cell, highlighted=number in chain)

        scene = self.board_scene(state, look, hexagonal=True, material="wood", colours=COLOURS, edges=EDGES)
        if chain:
            return scene
        return attrs.evolve(scene, caption=f"{scene.caption}, {('top to bottom', 'left to right')[state[2]]}")
