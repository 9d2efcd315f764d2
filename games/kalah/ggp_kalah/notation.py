"""The notation of Kalah: positions, houses and turns as text.

A position is `<houses a side, South's store, North's store, South's houses, North's houses> S`. `S` says that South is
to move, and `N` that North is. Houses are listed from the one farthest from the player's store. The board in the
brackets is written as in the Kalah Game Protocol 1.1.0. A house is a letter from A on: a capital letter for South, a
small letter for North. A whole turn is the sequence of its houses. Input may also use letters of either case, and
numbers from 1.
"""

import re
from string import ascii_letters, ascii_uppercase

from ggp import NotationError
from ggp.escapes import short
from ggp_kalah.rules import KalahRules, State

MOVERS = "SN"


def format_state(game: KalahRules, state: State) -> str:
    """Return the position as text."""
    south, north = game.unpack(state[0]), game.unpack(state[1])
    fields = [game.houses, south[-1], north[-1], *south[:-1], *north[:-1]]
    return f"<{','.join(map(str, fields))}> {MOVERS[state[2]]}"


def parse_state(game: KalahRules, text: str) -> State:
    """Return the position that `text` describes. If a side's houses are empty, all seeds go into their owners' stores.

    Raises:
        NotationError: the text is not a position of this board, or has too many seeds.
    """
    matched = re.fullmatch(r"\s*<([^<>]*)>\s*([SNsn])\s*", text)
    if not matched:
        raise NotationError(f"{shown(text)} is not a position of Kalah: {_example(game)}")
    houses, (size, *stores_and_houses) = game.houses, _numbers(game, text, matched[1].split(","))
    if size != houses:
        raise NotationError(f"{shown(text)} has {size} houses a side, and this game has {houses}: {_example(game)}")
    if len(stores_and_houses) != 2 + 2 * houses:
        raise NotationError(
            f"{shown(text)} has {len(stores_and_houses)} stores and houses,"
            f" and a board with {houses} houses a side has {2 + 2 * houses}: {_example(game)}"
        )
    if sum(stores_and_houses) > game.capacity:
        raise NotationError(
            f"{shown(text)} has too many seeds: a board that starts with {game.seeds} in each house"
            f" holds at most {game.capacity}"
        )
    south_store, north_store, *fields = stores_and_houses
    south, north = [*fields[:houses], south_store], [*fields[houses:], north_store]
    return game.state(south, north, MOVERS.index(matched[2].upper()))


def _numbers(game: KalahRules, text: str, fields: list[str]) -> list[int]:
    for field in fields:
        if not re.fullmatch(r"\s*[0-9]{1,1000}\s*", field):
            raise NotationError(
                f"{shown(text)} is not a position of Kalah, since {shown(field)} is not a number of seeds:"
                f" {_example(game)}"
            )
    return list(map(int, fields))


def _example(game: KalahRules) -> str:
    zeros, fours = ["0"] * 2, ["4"] * 2 * game.houses
    return f"it is written like <{','.join([str(game.houses), *zeros, *fours])}> S"


def format_turn(houses: tuple[int, ...], mover: int) -> str:
    """Return the houses of a turn as letters."""
    letters = "".join(map(ascii_uppercase.__getitem__, houses))
    return letters.lower() if mover else letters


def parse_turn(game: KalahRules, text: str) -> tuple[int, ...]:
    """Return the houses that `text` names, even if the board does not have them; numbers are separated by spaces or
    commas.

    Raises:
        NotationError: the text consists of neither letters nor numbers.
    """
    turn: list[int] = []
    for part in re.split(r"[\s,]+", text.strip()):
        if re.fullmatch(r"[A-Za-z]+", part):
            turn += [ascii_letters.index(letter.lower()) for letter in part]
        elif re.fullmatch(r"[0-9]{1,9}", part):
            turn.append(int(part) - 1)
        else:
            right = f"the houses are A to {ascii_uppercase[game.houses - 1]}, or 1 to {game.houses}"
            raise NotationError(f"{shown(text)} does not name a house: {right}")
    return tuple(turn)


def shown(text: str) -> str:
    """Return a text in quotes, shortened if it is long."""
    return repr(short(text, 80))
