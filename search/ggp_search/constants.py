"""Constants of every search."""

from typing import Final

MAX_PLIES: Final = 4_000
"""Greatest depth of a search: the stack allows no deeper one."""
HUGE: Final = 1e300
"""Stands for infinity in the arithmetic of chance nodes, since infinity times 0 is not a number."""
