"""Morris's boards."""

import ggp

THREE = """
o---o---o
|   |   |
o---o---o
|   |   |
o---o---o
"""
THREE_WITH_DIAGONALS = r"""
o---o---o
| \ | / |
o---o---o
| / | \ |
o---o---o
"""
SIX = """
o-------o-------o
|       |       |
|   o---o---o   |
|   |       |   |
o---o       o---o
|   |       |   |
|   o---o---o   |
|       |       |
o-------o-------o
"""
NINE = """
o-----------o-----------o
|           |           |
|   o-------o-------o   |
|   |       |       |   |
|   |   o---o---o   |   |
|   |   |       |   |   |
o---o---o       o---o---o
|   |   |       |   |   |
|   |   o---o---o   |   |
|   |       |       |   |
|   o-------o-------o   |
|           |           |
o-----------o-----------o
"""
TWELVE = r"""
o-----------o-----------o
| \         |         / |
|   o-------o-------o   |
|   | \     |     / |   |
|   |   o---o---o   |   |
|   |   |       |   |   |
o---o---o       o---o---o
|   |   |       |   |   |
|   |   o---o---o   |   |
|   | /     |     \ |   |
|   o-------o-------o   |
| /         |         \ |
o-----------o-----------o
"""


def board(men: int, diagonals: bool) -> ggp.Points:
    """Return the board for `men` men of each player. Only the board for three men depends on `diagonals`."""
    three = THREE_WITH_DIAGONALS if diagonals else THREE
    return ggp.Points({3: three, 6: SIX, 9: NINE, 12: TWELVE}[men])
