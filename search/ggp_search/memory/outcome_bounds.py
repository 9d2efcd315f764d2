"""Bounds of the outcomes of a chance node, stored while the node is searched."""

from typing import ClassVar, Protocol

from ggp.compiler.intrinsics import bits_of, load, save, value_of
from ggp_search.constants import MAX_PLIES
from ggp_search.memory.buffer import ThreadMemory

OUTCOMES = 64
"""Maximum number of outcomes of a chance node in machine code; games with more outcomes are searched by the
interpreter.
"""
BOUNDLESS = 1e150
"""Numbers beyond this size were computed from `HUGE`, so they are not real bounds."""


class OutcomeBounds(Protocol):
    """Bounds of the values of outcomes, by the depth of the chance node and the index of the outcome."""

    def store(self, depth: int, index: int, lower: float, upper: float) -> None:
        """Store the bounds of an outcome's value."""

    def probe(self, depth: int, index: int) -> tuple[float, float]:
        """Return the stored bounds of an outcome's value."""


class InterpretedOutcomeBounds:
    """Bounds of outcomes' values for interpreted searches."""

    def __init__(self) -> None:
        self.bounds: dict[tuple[int, int], tuple[float, float]] = {}

    def store(self, depth: int, index: int, lower: float, upper: float) -> None:
        self.bounds[depth, index] = lower, upper

    def probe(self, depth: int, index: int) -> tuple[float, float]:
        return self.bounds[depth, index]


class CompiledOutcomeBounds(ThreadMemory):
    """Bounds of outcomes in machine words: a row of `OUTCOMES` pairs of floats for each depth."""

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(self) -> None:
        self.address = 0

    def room(self) -> tuple[str, int]:
        return "address", 16 * OUTCOMES * (MAX_PLIES + 1)

    def store(self, depth: int, index: int, lower: float, upper: float) -> None:
        if index >= OUTCOMES:
            raise OverflowError
        save(self.address + 16 * (depth * OUTCOMES + index), bits_of(lower))
        save(self.address + 16 * (depth * OUTCOMES + index) + 8, bits_of(upper))

    def probe(self, depth: int, index: int) -> tuple[float, float]:
        at = self.address + 16 * (depth * OUTCOMES + index)
        return value_of(load(at)), value_of(load(at + 8))
