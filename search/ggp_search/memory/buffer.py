"""Memory for machine code: tables, and separate memory for each thread."""

import ctypes
import mmap

from ggp import compiler
from ggp.errors import NoMemoryError

_PRIVATE: dict[str, int] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
"""Flags for mmap; large pages are only available for memory that is private to the process."""


class ThreadMemory:
    """A part of a search whose memory is separate for each thread."""

    def room(self) -> tuple[str, int]:
        """Return the name of the variable that holds the memory's address, and the size of the memory in bytes."""
        raise NotImplementedError

    def begin(self, address: int, code: compiler.Code | None = None) -> None:
        """Initialise the memory of one thread, which is at `address` and consists of zeros; by default, do nothing.

        Arguments:
            code: the code that uses the memory; its first argument is a state.
        """


class Buffer:
    """Memory at a fixed address. All words are zero at first, and the system provides the memory only as it is used."""

    def __init__(self, size: int, *, large_pages: bool = True) -> None:
        room = max(size, mmap.PAGESIZE)
        try:
            self.memory = mmap.mmap(-1, room, **_PRIVATE)
        except (OSError, ValueError, OverflowError):
            raise NoMemoryError(f"there is no room in memory for {room >> 20:,} megabytes: ask for less") from None
        if large_pages and hasattr(mmap, "MADV_HUGEPAGE") and size >= 1 << 22:
            self.memory.madvise(mmap.MADV_HUGEPAGE)
        self._view = ctypes.c_char.from_buffer(self.memory)
        self.address = ctypes.addressof(self._view)
        self.size = size

    def clear(self) -> None:
        """Set all words to 0 again."""
        ctypes.memset(self.address, 0, self.size)
