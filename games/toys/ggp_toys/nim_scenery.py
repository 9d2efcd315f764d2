"""The heaps of Nim as a scene: every stone can be chosen, and is taken with those after it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ggp import Cell, Scene

if TYPE_CHECKING:
    from ggp_toys.nim import Nim, State

ROW = 25
"""Stones side by side; a larger heap has more rows."""
STONE = 0.5
NAME = 2.5
"""The width of a heap's name and number."""


def scene(game: "Nim", state: "State", caption: str) -> Scene:
    """The heaps one below the other."""
    cells: list[Cell] = []
    top = 0.0
    for heap, stones in enumerate(state[:-1], start=1):
        cells.append(Cell(f"heap {heap}", 0, top, NAME, STONE, "plain", text=f"heap {heap}", count=stones))
        cells += _stones(heap, stones, top)
        top += STONE * max(1, -(-stones // ROW)) + 0.25
    return Scene(tuple(cells), caption, things=("stone", "stones"))


def _stones(heap: int, stones: int, top: float) -> Iterator[Cell]:
    for stone in range(1, stones + 1):
        x, y = NAME + (stone - 1) % ROW * STONE, top + (stone - 1) // ROW * STONE
        taken = stones - stone + 1
        words = f"take {taken} stone{'' if taken == 1 else 's'} of heap {heap}"
        yield Cell(f"heap {heap}, stone {stone}", x, y, STONE, STONE, "piece", action=(heap, taken), hint=words)
