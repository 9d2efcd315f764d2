"""The board of Kalah as people know it, in plain text.

South sits below and sows to the right, North sits above and sows to the left; each player's store is on the right
hand. So the seeds go around counter-clockwise, and opposite houses face each other.
"""

from ggp_kalah.notation import format_turn
from ggp_kalah.packing import Packing, State


def draw(packing: Packing, state: State, caption: str) -> str:
    """The board with the letters of the houses and the stores' owners, and the caption below it."""
    south, north = packing.unpack(state[0]), packing.unpack(state[1])
    digits = max(len(str(seeds)) for seeds in south + north)
    width = max(5 if packing.houses < 12 else 4, digits + 1)  # so that 12 houses fit into 80 columns
    line = "+".join(["", *["-" * width] * (packing.houses + 2), ""])
    between = line[width + 1 : -width - 1]
    *south_houses, south_store = (_centred(str(seeds), width) for seeds in south)
    *north_houses, north_store = (_centred(str(seeds), width) for seeds in north)
    letters = [[format_turn((house,), mover).center(width) for house in range(packing.houses)] for mover in (0, 1)]
    blank, wall = " " * width, "|"
    rows = [
        "North".center(width + 2) + " ".join(reversed(letters[1])),
        line,
        wall.join(["", blank, *reversed(north_houses), blank, ""]),
        wall + north_store + between + south_store + wall,
        wall.join(["", blank, *south_houses, blank, ""]),
        line,
        " " * (width + 2) + " ".join(letters[0]) + "South".center(width + 2),
        caption,
    ]
    return "\n".join(row.rstrip() for row in rows)


def _centred(number: str, width: int) -> str:
    """The number in the middle; of one with two digits the last, so that most numbers stand in columns."""
    return number.center(width) if len(number) > 2 else f"{number}{' ' * (width // 2)}".rjust(width)
