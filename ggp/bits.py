"""`ggp.Bits`: an immutable set of the cells 0 to 63 of a board, in one machine word.

    taken = Bits.of(3, 9)
    9 in taken, list(taken), len(taken)             # True, [3, 9], 2
    taken.including(0) & ~taken << 1                # the usual operators of sets, and shifts of all cells at once

For boards of up to 63 cells, ordinary integers are enough. A board of 64 cells uses the sign bit of a machine word,
where Python's integers and machine words behave differently. The operators of `Bits` give the same results in both.
"""

from collections.abc import Callable, Iterator
from typing import Final

import attrs

CELLS: Final = 64
"""Number of cells: a set can hold the cells 0 to CELLS - 1."""
ALL: Final = (1 << CELLS) - 1


@attrs.frozen(init=False, repr=False)
class Bits:
    """A set of cells. Cell c is in the set if bit c of `word` is set."""

    word: int
    """The set as a number: at least 0 and less than 2**64."""

    def __init__(self, word: int = 0) -> None:
        """Create the set whose bits are those of `word`.

        Raises:
            ValueError: the word is negative, or has more than 64 bits.
        """
        if not 0 <= word <= ALL:
            raise ValueError(f"a word of Bits is at least 0 and less than 2**64; got {word}")
        _set(self, word)

    @classmethod
    def of(cls, *cells: int) -> "Bits":
        """Return the set of these cells.

        Raises:
            ValueError: a cell is not from 0 to 63.
        """
        word = 0
        for cell in cells:
            word |= _bit(cell)
        return _made(word)

    def __contains__(self, cell: int) -> bool:
        return cell >= 0 and self.word >> cell & 1 == 1

    def __iter__(self) -> Iterator[int]:
        """Yield the cells in ascending order."""
        word = self.word
        while word:
            yield (word & -word).bit_length() - 1
            word &= word - 1

    def __len__(self) -> int:
        return self.word.bit_count()

    def __bool__(self) -> bool:
        return self.word != 0

    def __or__(self, other: "Bits") -> "Bits":
        return _made(self.word | other.word)

    def __and__(self, other: "Bits") -> "Bits":
        return _made(self.word & other.word)

    def __xor__(self, other: "Bits") -> "Bits":
        return _made(self.word ^ other.word)

    def __sub__(self, other: "Bits") -> "Bits":
        """Return the cells of this set that are not in the other."""
        return _made(self.word & ~other.word)

    def __invert__(self) -> "Bits":
        """Return the cells, of all 64, that are not in this set."""
        return _made(self.word ^ ALL)

    def __lshift__(self, count: int) -> "Bits":
        """Return the set with `count` added to each cell; cells above 63 are dropped."""
        return _made(self.word << count & ALL if count < CELLS else 0)

    def __rshift__(self, count: int) -> "Bits":
        """Return the set with `count` subtracted from each cell; cells below 0 are dropped."""
        return _made(self.word >> count)

    def __lt__(self, other: "Bits") -> bool:
        """Return whether this word is less than the other. The order lets a game choose one of several states."""
        return self.word < other.word

    def lowest(self) -> int:
        """Return the lowest cell; -1 if the set is empty."""
        return (self.word & -self.word).bit_length() - 1

    def including(self, cell: int) -> "Bits":
        """Return the set with this cell.

        Raises:
            ValueError: the cell is not from 0 to 63.
        """
        return _made(self.word | _bit(cell))

    def excluding(self, cell: int) -> "Bits":
        """Return the set without this cell.

        Raises:
            ValueError: the cell is not from 0 to 63.
        """
        return _made(self.word & ~_bit(cell))

    def __repr__(self) -> str:
        return f"Bits.of({', '.join(map(str, self))})"


_set: Callable[[Bits, int], None] = Bits.word.__set__  # type: ignore[attr-defined]  # past the frozen class's guard
_new = object.__new__


def _made(word: int) -> Bits:
    """Return the set of a word that is known to be valid. Skipping the check makes it three times as fast."""
    bits = _new(Bits)
    _set(bits, word)
    return bits


def _bit(cell: int) -> int:
    if not 0 <= cell < CELLS:
        raise ValueError(f"the cells of Bits are 0 to {CELLS - 1}; got {cell}")
    return 1 << cell
