"""The rules of tic-tac-toe, and the capabilities that searches use."""

from collections.abc import Iterator, Mapping

import attrs

import ggp

State = tuple[int, int, int]
"""X's stones and O's stones as bits, and the player to move. Bit c is cell c; cells are numbered row by row from 0."""

WORD = 63
"""Number of bits of a machine word, not counting its sign."""


@attrs.frozen
class TicTacToeRules:
    """The rules of tic-tac-toe. An action is the cell to mark."""

    h: int = ggp.option(3, "rows of the board", minimum=1, maximum=19)
    v: int = ggp.option(3, "columns of the board", minimum=1, maximum=19)
    k: int = ggp.option(3, "cells in a row that win", minimum=1, maximum=19)

    cells: int = ggp.constant(lambda game: game.h * game.v)
    lines: tuple[int, ...] = ggp.constant(lambda game: _lines(game.h, game.v, game.k))
    """Every line of k cells, as bits."""
    weights: tuple[int, ...] = ggp.constant(
        lambda game: tuple(sum(line >> cell & 1 for line in game.lines) for cell in range(game.cells))
    )
    """Number of lines through each cell."""
    symmetries: tuple[tuple[int, ...], ...] = ggp.constant(
        lambda game: _symmetries(game.h, game.v) if game.cells <= WORD else ()
    )
    """For each rotation and reflection of the board, the image of each cell. Empty on boards of more than 63 cells,
    which are not compiled: trying all symmetries would take more time than it saves.
    """

    def initial_state(self) -> State:
        return 0, 0, ggp.MAX

    def to_move(self, state: State) -> ggp.Player:
        return state[2]

    def actions(self, state: State) -> Iterator[int]:
        free = (1 << self.cells) - 1 - (state[0] | state[1])
        while free:
            yield (free & -free).bit_length() - 1  # the lowest bit
            free &= free - 1

    def result(self, state: State, cell: int) -> State:
        x, o, mover = state
        if mover == ggp.MAX:
            return x | 1 << cell, o, ggp.MIN
        return x, o | 1 << cell, ggp.MAX

    def terminal_test(self, state: State) -> bool:
        x, o, mover = state
        if self.has_line(o if mover == ggp.MAX else x):  # only the last stone can have made a line
            return True
        return x | o == (1 << self.cells) - 1

    def utility(self, state: State, player: ggp.Player) -> int:
        value = 1 if self.has_line(state[0]) else -1 if self.has_line(state[1]) else 0
        return value if player == ggp.MAX else -value

    def has_line(self, stones: int) -> bool:
        for line in self.lines:  # noqa: SIM110 - any() takes twice the time when interpreted
            if stones & line == line:
                return True
        return False

    # What a search may use

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    def passed(self, state: State) -> State:
        """Return the state with the other player to move. A pass is never better than a move, since one more stone
        never hurts.
        """
        return state[0], state[1], 1 - state[2]

    def suggest(self, state: State, cell: int) -> int:
        """Return the priority of a cell: the more lines through the cell, the higher."""
        return self.weights[cell]

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        meaning = "lines of k without an O minus lines without an X, divided by the number of lines plus one"
        return {"lines": ggp.Evaluation(self.open_lines, meaning, bounded=True)}

    def open_lines(self, state: State) -> float:
        x, o, _ = state
        difference = 0
        for line in self.lines:
            difference += (line & o == 0) - (line & x == 0)
        return difference / (len(self.lines) + 1)

    def canonical(self, state: State) -> State:
        """Return the least of the rotations and reflections of the state."""
        x, o, mover = state
        least_x, least_o = x, o
        for symmetry in self.symmetries:
            new_x, new_o = _moved(x, symmetry), _moved(o, symmetry)
            if new_x < least_x or (new_x == least_x and new_o < least_o):
                least_x, least_o = new_x, new_o
        return least_x, least_o, mover


def _moved(stones: int, symmetry: tuple[int, ...]) -> int:
    """Return the stones after a symmetry is applied to the board."""
    moved = 0
    for cell, index in enumerate(symmetry):
        moved |= (stones >> cell & 1) << index
    return moved


def _lines(h: int, v: int, k: int) -> tuple[int, ...]:
    """Return every line of `k` cells on a board of `h` rows and `v` columns, as bits, sorted by first cell.

    Raises:
        OptionError: no line of `k` cells fits on the board.
    """
    lines = []
    for row in range(h):
        for column in range(v):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + down * (k - 1), column + right * (k - 1)
                if last_row < h and 0 <= last_column < v:
                    cells = ((row + down * i) * v + column + right * i for i in range(k))
                    lines.append(sum(1 << cell for cell in cells))
    if not lines:
        raise ggp.OptionError(f"k cannot be {k}: a board of {h} by {v} has no line of {k} cells")
    return tuple(dict.fromkeys(lines))  # with k = 1 the four directions are one line


def _symmetries(h: int, v: int) -> tuple[tuple[int, ...], ...]:
    """Return the rotations and reflections of the board except the identity, each as the images of all cells."""
    cells = [(row, column) for row in range(h) for column in range(v)]
    upright = [
        tuple((h - 1 - row if down else row) * v + (v - 1 - column if across else column) for row, column in cells)
        for down in (False, True)
        for across in (False, True)
    ]
    mirrored = [tuple(each[column * v + row] for row, column in cells) for each in upright] if h == v else []
    return tuple(each for each in dict.fromkeys(upright + mirrored) if each != tuple(range(h * v)))
