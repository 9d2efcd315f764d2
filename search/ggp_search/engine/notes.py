"""Bounds of a chance node's outcomes, kept while the node is searched."""

from typing import Any, ClassVar, Protocol

from ggp.compiler.memory import bits_of, load, save, value_of
from ggp_search.engine.memory import MAX_PLIES

NOTES = 64
"""Outcomes of one chance node that machine code can keep notes of; a game with more runs interpreted."""


class Notes(Protocol):
    """Bounds by depth and outcome."""

    def note(self, depth: int, index: int, lower: Any, upper: Any) -> None:
        """Keep the bounds of an outcome."""

    def recall(self, depth: int, index: int) -> tuple[Any, Any]:
        """Return the bounds kept there."""


class DictionaryNotes:
    """Notes for interpreted searches."""

    def __init__(self) -> None:
        self.bounds: dict[tuple[int, int], tuple[Any, Any]] = {}

    def note(self, depth: int, index: int, lower: Any, upper: Any) -> None:
        """See `Notes`."""
        self.bounds[depth, index] = lower, upper

    def recall(self, depth: int, index: int) -> tuple[Any, Any]:
        """See `Notes`."""
        return self.bounds[depth, index]


class WordNotes:
    """Notes in machine words: a row of `NOTES` pairs of floats for each depth."""

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(self) -> None:
        self.address = 0

    def room(self) -> tuple[str, int]:
        """Return the variable that is the address of memory which each thread has to itself, and its bytes."""
        return "address", 16 * NOTES * (MAX_PLIES + 1)

    def note(self, depth: int, index: int, lower: Any, upper: Any) -> None:
        """See `Notes`."""
        if index >= NOTES:
            raise OverflowError
        save(self.address + 16 * (depth * NOTES + index), bits_of(lower))
        save(self.address + 16 * (depth * NOTES + index) + 8, bits_of(upper))

    def recall(self, depth: int, index: int) -> tuple[Any, Any]:
        """See `Notes`."""
        at = self.address + 16 * (depth * NOTES + index)
        return value_of(load(at)), value_of(load(at + 8))
