"""Find the board in the shape of plain states. Some numbers form its rows, and other numbers say where pieces are."""

import collections
import math
from collections.abc import Mapping, Sequence

import attrs
from ggp_search.learned.state_words import WordRows, parts

from ggp.game import State

SMALLEST = 9
"""Minimum number of cells of a board that is found from the shape of the states."""


def places_by_shape(state: State) -> dict[int, tuple[float, float]]:
    """Return the column and the row of each word of a state that is a cell of a board, by the word's index. Return {}
    if no words look like a board.
    """
    rows: dict[str, list[int]] = collections.defaultdict(list)
    for number, (path, _) in enumerate(parts(state)):
        rows[path.rpartition("/")[0]].append(number)
    boards: dict[str, list[list[int]]] = collections.defaultdict(list)
    for path, numbers in rows.items():
        boards[path.rpartition("/")[0] if path else "/"].append(numbers)
        width = math.isqrt(len(numbers))
        if width * width == len(numbers):
            boards[f"{path} as a square"] = [numbers[start : start + width] for start in range(0, len(numbers), width)]
    sound = [board for board in boards.values() if len(board) > 1 and len(set(map(len, board))) == 1]
    best = max(sound, key=lambda board: sum(map(len, board)), default=[])
    places = {number: (float(x), float(y)) for y, row in enumerate(best) for x, number in enumerate(row)}
    return places if len(places) >= SMALLEST else {}


@attrs.frozen
class PieceWords:
    """The words that say where a piece stands: the number of its cell, or its row and its column."""

    words: tuple[int, ...]
    factors: tuple[int, ...]

    def cell(self, words: Sequence[int] | Mapping[int, int]) -> int:
        """Return the number of the piece's cell."""
        return sum(factor * words[number] for number, factor in zip(self.words, self.factors, strict=True))


def pieces_by_shape(
    state: State, words: WordRows, grid: Mapping[int, tuple[float, float]], others: Sequence[int]
) -> list[PieceWords]:
    """Return the pieces whose places are given by other words of a state.

    A place is the number of a cell, or a pair of row and column.
    """
    width, height = (1 + int(max(point[axis] for point in grid.values())) for axis in (0, 1))
    together: dict[str, list[int]] = collections.defaultdict(list)
    for number, (point, _) in enumerate(parts(state)):
        if number in others:
            together[point.rpartition("/")[0]].append(number)
    pairs = [pair for point, pair in together.items() if point and len(pair) == 2]
    pieces = []
    for pair in pairs:
        orders = [PieceWords((row, column), (width, 1)) for row, column in (pair, pair[::-1])]
        orders = [each for each in orders if (words[:, each.words] < (height, width)).all()]
        if orders:
            pieces.append(min(orders, key=lambda each: _variety(words, grid, each)))
    paired = {number for piece in pieces for number in piece.words}
    for number in others:
        values = set(words[:, number].tolist())
        if number not in paired and len(values) > SMALLEST // 2 and max(values) < len(grid):
            pieces.append(PieceWords((number,), (1,)))
    return pieces


def _variety(words: WordRows, grid: Mapping[int, tuple[float, float]], piece: PieceWords) -> int:
    """Return how many different contents a piece's cell has: few if the piece's words are read in the right order."""
    numbers = list(grid)
    return len({row[numbers[piece.cell(row)]] for row in words.tolist()})
