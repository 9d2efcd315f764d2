"""Constants of every search."""

from typing import Final

MAX_PLIES: Final = 4_000
"""Maximum depth of a search; the stack does not allow a deeper one."""
HUGE: Final = 1e300
"""A number that stands for infinity in the arithmetic of chance nodes, since infinity times 0 is not a number."""
