"""The rules of tic-tac-toe, written once for both speeds.

A state is (x, o, mover): two boards of bits and who is to move. Bit c of a board is set where cell c holds a
stone; cells are counted row by row from 0. An action is the cell to mark.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ggp import MAX, CompiledForm

State = tuple[int, int, int]
WORD = 62
"""Cells that a board may have at machine speed: one bit each in a signed word."""


def lines(h: int, v: int, k: int) -> tuple[int, ...]:
    """Every line of `k` cells on a board of `h` rows and `v` columns, as a board of bits, by first cell."""
    found = []
    for row in range(h):
        for column in range(v):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + down * (k - 1), column + right * (k - 1)
                if last_row < h and 0 <= last_column < v:
                    cells = ((row + down * i) * v + column + right * i for i in range(k))
                    found.append(sum(1 << cell for cell in cells))
    return tuple(dict.fromkeys(found))  # with k = 1 the four directions are one line


def rules(h: int, v: int, k: int, compile: Callable[[Any], Any]) -> CompiledForm:
    """The operations of the game, each passed through `compile`."""
    size = h * v
    full = (1 << size) - 1
    winning = lines(h, v, k)
    weight = tuple(sum(line >> cell & 1 for line in winning) for cell in range(size))

    @compile
    def has_line(stones: int) -> bool:
        for line in winning:  # noqa: SIM110 - Numba has no any()
            if stones & line == line:
                return True
        return False

    @compile
    def to_move(state: State) -> int:
        return state[2]

    @compile
    def actions(state: State) -> Iterator[int]:
        taken = state[0] | state[1]
        for cell in range(size):
            if not taken >> cell & 1:
                yield cell

    @compile
    def result(state: State, cell: int) -> State:
        x, o, mover = state
        if mover == MAX:
            return x | 1 << cell, o, 1 - mover
        return x, o | 1 << cell, 1 - mover

    @compile
    def terminal_test(state: State) -> bool:
        x, o, mover = state
        if has_line(o if mover == MAX else x):  # only the last stone can have made a line
            return True
        return x | o == full

    @compile
    def utility(state: State) -> int:
        x, o, _ = state
        return 1 if has_line(x) else -1 if has_line(o) else 0

    @compile
    def bounds(state: State) -> tuple[int, int]:
        return -1, 1

    @compile
    def open_lines(state: State) -> float:
        x, o, _ = state
        difference = 0
        for line in winning:
            difference += (line & o == 0) - (line & x == 0)
        return difference / (len(winning) + 1)

    @compile
    def suggest(state: State, cell: int) -> int:
        return weight[cell]

    def encode(state: State) -> State:
        if size > WORD:
            raise OverflowError(f"a board of {size} cells does not fit in a machine word: {WORD} do")
        return state

    def decode(position: tuple[int, ...]) -> State:
        x, o, mover = position
        return int(x), int(o), int(mover)

    return CompiledForm(
        encode=encode,
        decode=decode,
        to_move=to_move,
        actions=actions,
        result=result,
        terminal_test=terminal_test,
        utility=utility,
        evaluations={"lines": open_lines},
        bounds=bounds,
        suggest=suggest,
    )
