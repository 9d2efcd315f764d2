"""Columns: long rows of numbers of one size, as arrays in Python or as raw memory for machine code."""

import array
from typing import Any

CODES = {1: "B", 2: "H", 4: "I", 8: "q"}
"""The array's code for so many bytes; numbers of fewer than eight bytes are not negative."""


class Column:
    """A row of whole numbers, for interpreted code."""

    def __init__(self, width: int, length: int = 0) -> None:
        self.width = width
        self._numbers: Any = array.array(CODES[width], bytes(width * length))
        self.get = self._numbers.__getitem__
        self.put = self._numbers.__setitem__

    def __len__(self) -> int:
        return len(self._numbers)

    def grow(self, length: int) -> None:
        """Make the column as long as this; what is added is 0."""
        self._numbers.frombytes(bytes(self.width * (length - len(self._numbers))))

    def free(self) -> None:
        """Give the memory back."""
        self.__init__(self.width)  # type: ignore[misc]


class Fractions(Column):
    """A row of floating-point numbers, for interpreted code."""

    def __init__(self, length: int = 0) -> None:
        self.width = 8
        self._numbers = array.array("d", bytes(8 * length))
        self.get = self._numbers.__getitem__
        self.put = self._numbers.__setitem__

    def free(self) -> None:
        self.__init__()  # type: ignore[misc]
