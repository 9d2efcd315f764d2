"""Bounds of the outcomes of a chance node, stored while the node is searched."""

from typing import ClassVar, Protocol

from ggp.compiler.intrinsics import bits_of, load, save, value_of
from ggp_search.constants import MAX_PLIES
from ggp_search.memory.buffer import ThreadMemory

NOTES = 64
"""Maximum number of outcomes of a chance node in machine code; games with more are searched by the interpreter."""
BOUNDLESS = 1e150
"""Numbers beyond this size were computed from `HUGE`, so they are not real bounds."""


class OutcomeBounds(Protocol):
    """Bounds of outcomes, by depth and outcome."""

    def store(self, depth: int, index: int, lower: float, upper: float) -> None:
        """Store the bounds of an outcome."""

    def probe(self, depth: int, index: int) -> tuple[float, float]:
        """Return the stored bounds of an outcome."""


class InterpretedOutcomeBounds:
    """Bounds of outcomes for interpreted searches."""

    def __init__(self) -> None:
        self.bounds: dict[tuple[int, int], tuple[float, float]] = {}

    def store(self, depth: int, index: int, lower: float, upper: float) -> None:
        self.bounds[depth, index] = lower, upper

    def probe(self, depth: int, index: int) -> tuple[float, float]:
        return self.bounds[depth, index]


class CompiledOutcomeBounds(ThreadMemory):
    """Bounds of outcomes in machine words: a row of `NOTES` pairs of floats for each depth."""

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(self) -> None:
        self.address = 0

    def room(self) -> tuple[str, int]:
        return "address", 16 * NOTES * (MAX_PLIES + 1)

    def store(self, depth: int, index: int, lower: float, upper: float) -> None:
        if index >= NOTES:
            raise OverflowError
        save(self.address + 16 * (depth * NOTES + index), bits_of(lower))
        save(self.address + 16 * (depth * NOTES + index) + 8, bits_of(upper))

    def probe(self, depth: int, index: int) -> tuple[float, float]:
        at = self.address + 16 * (depth * NOTES + index)
        return value_of(load(at)), value_of(load(at + 8))
