"""Kalah in text: positions, houses and turns, both ways.

A position is `<houses a side, South's store, North's store, South's houses, North's houses> S`, or `N` if North is
to move; each side's houses from the one farthest from its store. The board in the brackets is that of the Kalah Game
Protocol 1.1.0. A house is a letter from A on, capital for South and small for North, and a whole turn is its houses
one after another. Read, but not written, are letters of either case, and numbers from 1 on.
"""

import re
from string import ascii_letters, ascii_uppercase

from ggp import NotationError
from ggp_kalah.packing import Packing, State

MOVERS = "SN"


def format_state(packing: Packing, state: State) -> str:
    """The position as text."""
    south, north = packing.unpack(state[0]), packing.unpack(state[1])
    fields = [packing.houses, south[-1], north[-1], *south[:-1], *north[:-1]]
    return f"<{','.join(map(str, fields))}> {MOVERS[state[2]]}"


def parse_state(packing: Packing, text: str) -> State:
    """The position that `text` stands for. If a side's houses are empty, all seeds go into their owners' stores.

    Raises:
        NotationError: the text is no position of this board, or has more seeds than it holds.
    """
    found = re.fullmatch(r"\s*<([^<>]*)>\s*([SNsn])\s*", text)
    if not found:
        raise NotationError(f"{shown(text)} is not a position of Kalah: {_right(packing)}")
    houses, (size, *stores_and_houses) = packing.houses, _numbers(packing, text, found[1].split(","))
    if size != houses:
        raise NotationError(f"{shown(text)} has {size} houses a side, and this game {houses}: {_right(packing)}")
    if len(stores_and_houses) != 2 + 2 * houses:
        raise NotationError(
            f"{shown(text)} has {len(stores_and_houses)} stores and houses,"
            f" and a board of {houses} houses a side {2 + 2 * houses}: {_right(packing)}"
        )
    if sum(stores_and_houses) > packing.capacity:
        raise NotationError(f"{shown(text)} has too many seeds: a board holds at most {packing.capacity}")
    south_store, north_store, *fields = stores_and_houses
    south, north = [*fields[:houses], south_store], [*fields[houses:], north_store]
    return packing.state(south, north, MOVERS.index(found[2].upper()))


def _numbers(packing: Packing, text: str, fields: list[str]) -> list[int]:
    for field in fields:
        if not re.fullmatch(r"\s*[0-9]{1,1000}\s*", field):
            raise NotationError(
                f"{shown(text)} is not a position of Kalah, since {shown(field)} is not a number of seeds:"
                f" {_right(packing)}"
            )
    return list(map(int, fields))


def _right(packing: Packing) -> str:
    zeros, fours = ["0"] * 2, ["4"] * 2 * packing.houses
    return f"it is written like <{','.join([str(packing.houses), *zeros, *fours])}> S"


def format_turn(turn: tuple[int, ...], mover: int) -> str:
    """The houses of a turn as letters."""
    letters = "".join(ascii_uppercase[house] for house in turn)
    return letters.lower() if mover else letters


def parse_turn(packing: Packing, text: str) -> tuple[int, ...]:
    """The houses that `text` names, whether or not the board has them; between numbers are spaces or commas.

    Raises:
        NotationError: it is neither letters nor numbers.
    """
    turn: list[int] = []
    for part in re.split(r"[\s,]+", text.strip()):
        if re.fullmatch(r"[A-Za-z]+", part):
            turn += [ascii_letters.index(letter.lower()) for letter in part]
        elif re.fullmatch(r"[0-9]{1,9}", part):
            turn.append(int(part) - 1)
        else:
            raise NotationError(f"{shown(text)} does not name a house: {_houses(packing)}")
    return tuple(turn)


def _houses(packing: Packing) -> str:
    return f"the houses are A to {ascii_uppercase[packing.houses - 1]}, or 1 to {packing.houses}"


def shown(text: str) -> str:
    """A text in quotes, cut if it is long."""
    return repr(text) if len(text) <= 80 else repr(text[:77] + "...")
