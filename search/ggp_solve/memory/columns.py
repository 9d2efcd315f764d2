"""Columns: long rows of numbers of one size, as Python arrays, or as memory for machine code."""

import array
import ctypes
import mmap
import sys
from typing import Any, ClassVar

from ggp.compiler.intrinsics import bits_of, load, load_byte, save, save_byte, value_of

CODES = {1: "B", 2: "H", 3: "I", 4: "I", 8: "q"}
"""The type code of `array` for each width in bytes; only the numbers of eight bytes are signed."""
PADDING = 8
"""Number of bytes after the last number of a column; they are needed because whole words are read."""


class Column:
    """A row of numbers for interpreted code: integers, or floats if `fractions` is true."""

    variables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, width: int, length: int, *, fractions: bool = False) -> None:
        self.width = width
        self._code = "d" if fractions else CODES[width]
        self.renew(length)

    def renew(self, length: int) -> None:
        """Replace the content by `length` zeros."""
        numbers: Any = array.array(self._code)
        numbers.frombytes(bytes(numbers.itemsize * length))
        self.get = numbers.__getitem__
        self.put = numbers.__setitem__
        self._numbers = numbers

    def content(self, count: int) -> bytes:
        """Return the bytes of the first `count` numbers, in little-endian order."""
        numbers = self._numbers[:count]
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers.tobytes()

    def fill(self, content: bytes) -> None:
        """Set the first numbers; `content` has their bytes, as in the method `content`."""
        numbers: Any = array.array(self._code, content)
        if sys.byteorder == "big":
            numbers.byteswap()
        self._numbers[: len(numbers)] = numbers

    def free(self) -> None:
        """Free the memory."""
        self.renew(0)


def width_for(greatest: int) -> int:
    """Return the number of bytes for an integer from 0 to `greatest`."""
    return next(width for width in (1, 2, 3, 4, 8) if greatest < 1 << 8 * width - (width == 8))


class Memory:
    """Reserved memory of a given size in bytes; the system provides each page when it is first written to."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pages = mmap.mmap(-1, size + PADDING)
        self._view = ctypes.c_char.from_buffer(self._pages)
        self.address = ctypes.addressof(self._view)

    def content(self, size: int) -> bytes:
        """Return the first `size` bytes."""
        return self._pages[:size]

    def fill(self, content: bytes) -> None:
        """Set the first bytes."""
        self._pages[: len(content)] = content

    def free(self) -> None:
        """Free the memory."""
        if not self._pages.closed:
            # The pages cannot be closed while a view of them exists.
            del self._view
            self._pages.close()


class MemoryColumn:
    """A row of integers in memory, for machine code."""

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(self, width: int, length: int) -> None:
        self.width = width
        self.memory = Memory(width * length)
        self.address = self.memory.address

    def get(self, index: int) -> int:
        """Return a number."""
        address = self.address + index * self.width
        # The width is a constant in machine code: all branches but one are cut.
        if self.width == 1:
            return load_byte(address) & 0xFF
        if self.width == 2:
            return load(address) & 0xFFFF
        if self.width == 3:
            return load(address) & 0xFFFFFF
        if self.width == 4:
            return load(address) & 0xFFFFFFFF
        return load(address)

    def put(self, index: int, number: int) -> None:
        """Store a number. Other bytes are not written, so threads may store adjacent numbers at the same time."""
        address = self.address + index * self.width
        if self.width == 8:
            save(address, number)
        else:
            # Byte by byte: a whole word would also write the neighbours, which other threads may be changing.
            save_byte(address, number)
            if self.width > 1:
                save_byte(address + 1, number >> 8)
            if self.width > 2:
                save_byte(address + 2, number >> 16)
            if self.width > 3:
                save_byte(address + 3, number >> 24)

    def content(self, count: int) -> bytes:
        """See `Column`."""
        return self.memory.content(self.width * count)

    def fill(self, content: bytes) -> None:
        """See `Column`."""
        self.memory.fill(content)

    def renew(self, length: int) -> None:
        """Replace the content by `length` zeros."""
        self.memory.free()
        self.memory = Memory(self.width * length)
        self.address = self.memory.address

    def free(self) -> None:
        """Free the memory."""
        self.memory.free()


def two_bytes(column: "AnyColumn", count: int) -> bytes:
    """Return the first `count` numbers of a column as two bytes each; the column itself has one or two bytes for each
    number.
    """
    content: bytes = column.content(count)
    if column.width == 1:
        numbers = array.array("H", memoryview(content))
        if sys.byteorder == "big":
            numbers.byteswap()
        content = numbers.tobytes()
    return content


class MemoryFractions(MemoryColumn):
    """A row of floating-point numbers in memory, for machine code."""

    def __init__(self, length: int) -> None:
        super().__init__(8, length)

    def get(self, index: int) -> float:  # type: ignore[override]
        return value_of(load(self.address + 8 * index))

    def put(self, index: int, number: float) -> None:
        save(self.address + 8 * index, bits_of(number))


AnyColumn = Column | MemoryColumn
Fractions = Column | MemoryFractions
