"""Memory for machine code: tables, and what each thread needs to itself."""

import ctypes
import mmap
from typing import Any

from ggp.errors import UsageError

_PRIVATE: Any = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
"""mmap flags: only memory that is private to the process is given in large pages."""


class ThreadMemory:
    """A part of a search that uses memory which each thread has to itself."""

    def room(self) -> tuple[str, int]:
        """Return the variable that is the address of this memory, and its bytes."""
        raise NotImplementedError

    def begin(self, address: int) -> None:
        """Initialise one thread's memory at `address`, which is all zeros; by default, do nothing."""


class Buffer:
    """Memory at an address that does not move: zeros at first, and taken from the machine only as it is used."""

    def __init__(self, size: int, *, large_pages: bool = True) -> None:
        room = max(size, mmap.PAGESIZE)
        try:
            self.memory = mmap.mmap(-1, room, **_PRIVATE)
        except (OSError, ValueError, OverflowError):
            raise UsageError(f"there is no room in memory for {room >> 20:,} megabytes: ask for less") from None
        if large_pages and hasattr(mmap, "MADV_HUGEPAGE") and size >= 1 << 22:
            self.memory.madvise(mmap.MADV_HUGEPAGE)
        self._view = ctypes.c_char.from_buffer(self.memory)
        self.address = ctypes.addressof(self._view)
        self.size = size

    def clear(self) -> None:
        """Set all words to 0 again."""
        ctypes.memset(self.address, 0, self.size)
