"""`ggp.Bits`: an immutable set of the cells of a board, in one or more machine words.

    taken = Bits.of(3, 9)
    9 in taken, list(taken), len(taken)             # True, [3, 9], 2
    taken.including(0) & ~taken << 1                # the usual operators of sets, and shifts of all cells at once
    Bits.of(3, 120, width=121)                      # a board of 121 cells; without a width, a set has 64

For boards of up to 63 cells, ordinary integers are enough. A board of 64 cells uses the sign bit of a machine word; if
this bit is set, machine words behave unlike Python's integers. A larger board needs several words. The operators of
`Bits` give the same results in all these cases.
"""

from collections.abc import Callable, Iterator
from typing import Final

import attrs

CELLS: Final = 64
"""Number of cells of a set that is made without a width."""


@attrs.frozen(init=False, repr=False)
class Bits:
    """A set of cells from 0 to width - 1. Cell c is in the set if bit c of `word` is set.

    The two sets of an operator must have the same width.
    """

    word: int
    """The set as a number: at least 0 and less than 2**width."""
    width: int
    """The number of cells of the board; the set can contain the cells 0 to width - 1."""

    def __init__(self, word: int = 0, width: int = CELLS) -> None:
        """Create the set with the bits of `word`.

        Raises:
            ValueError: the word is negative, or has more bits than the width; or the width is less than 1.
        """
        if width < 1:
            raise ValueError(f"the width of Bits is a number of cells, 1 or more; got {width}")
        if not 0 <= word < 1 << width:
            raise ValueError(f"a word of Bits is at least 0 and less than 2**{width}; got {word}")
        _set_word(self, word)
        _set_width(self, width)

    @classmethod
    def of(cls, *cells: int, width: int = CELLS) -> "Bits":
        """Return the set of these cells.

        Raises:
            ValueError: a cell is not from 0 to width - 1.
        """
        word = 0
        for cell in cells:
            word |= _bit(cell, width)
        return cls(word, width)

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
        if self.width != other.width:
            raise _differing(self, other)
        return _made(self.word | other.word, self.width)

    def __and__(self, other: "Bits") -> "Bits":
        if self.width != other.width:
            raise _differing(self, other)
        return _made(self.word & other.word, self.width)

    def __xor__(self, other: "Bits") -> "Bits":
        if self.width != other.width:
            raise _differing(self, other)
        return _made(self.word ^ other.word, self.width)

    def __sub__(self, other: "Bits") -> "Bits":
        """Return the cells of this set that are not in the other set."""
        if self.width != other.width:
            raise _differing(self, other)
        return _made(self.word & ~other.word, self.width)

    def __invert__(self) -> "Bits":
        """Return all cells that are not in this set."""
        return _made(self.word ^ (1 << self.width) - 1, self.width)

    def __lshift__(self, count: int) -> "Bits":
        """Return the set with `count` added to each cell; cells beyond the width are dropped."""
        return _made(self.word << count & (1 << self.width) - 1 if count < self.width else 0, self.width)

    def __rshift__(self, count: int) -> "Bits":
        """Return the set with `count` subtracted from each cell; cells below 0 are dropped."""
        return _made(self.word >> count, self.width)

    def __lt__(self, other: "Bits") -> bool:
        """Return whether the word of this set is less than the word of the other set. With this order, a game can
        choose the least of several equivalent states.
        """
        if self.width != other.width:
            raise _differing(self, other)
        return self.word < other.word

    def lowest(self) -> int:
        """Return the lowest cell; -1 if the set is empty."""
        return (self.word & -self.word).bit_length() - 1

    def including(self, cell: int) -> "Bits":
        """Return the set with this cell.

        Raises:
            ValueError: the cell is not from 0 to width - 1.
        """
        return _made(self.word | _bit(cell, self.width), self.width)

    def excluding(self, cell: int) -> "Bits":
        """Return the set without this cell.

        Raises:
            ValueError: the cell is not from 0 to width - 1.
        """
        return _made(self.word & ~_bit(cell, self.width), self.width)

    def __repr__(self) -> str:
        width = [] if self.width == CELLS else [f"width={self.width}"]
        return f"Bits.of({', '.join([*map(str, self), *width])})"


_set_word: Callable[[Bits, int], None] = Bits.word.__set__  # type: ignore[attr-defined]  # past the frozen class's guard
_set_width: Callable[[Bits, int], None] = Bits.width.__set__  # type: ignore[attr-defined]
_new = object.__new__


def _made(word: int, width: int) -> Bits:
    """Return the set for a word that is known to be valid. This is three times as fast as the constructor, which checks
    the word.
    """
    bits = _new(Bits)
    _set_word(bits, word)
    _set_width(bits, width)
    return bits


def _differing(one: Bits, other: Bits) -> ValueError:
    """Return the error for an operator with sets of different widths."""
    return ValueError(f"sets of {one.width} and {other.width} cells cannot be combined; give both the same width")


def _bit(cell: int, width: int) -> int:
    if not 0 <= cell < width:
        raise ValueError(f"the cells of Bits are 0 to {width - 1}; got {cell}")
    return 1 << cell
