"""What an action is: one house, or all the houses of a turn, from the first to the one that ends it.

A whole turn is a tuple of houses in the game, and a number in the compiled form: the houses from the lowest digits
up, each one more than its index. What makes and plays such numbers is made for both speeds, as `rules`.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ggp_kalah.packing import Compile, Packing, State
from ggp_kalah.rules import Play, Rules

MACHINE_BITS = 63
"""The bits of a machine's integer without its sign."""


@attrs.frozen(kw_only=True)
class TurnRule:
    """One of the two kinds of action, and the ways between it and houses and numbers."""

    interpreted: Callable[[Rules, Packing], Rules]
    """The rules of the game, from those of single houses."""
    compiled: Callable[[Rules, Packing, Compile], Rules]
    """The rules of the compiled form, from those of single houses."""
    houses: Callable[[Any], tuple[int, ...]]
    """The houses of an action."""
    action: Callable[[tuple[int, ...]], Any]
    """The action of these houses; what is none in any state if there is no such action."""
    encode: Callable[[Any, Packing], int]
    """The number of an action."""
    decode: Callable[[int, Packing], Any]
    """The action of a number."""


def pack(turn: tuple[int, ...], packing: Packing) -> int:
    """The number of a turn."""
    return sum(house + 1 << packing.houses.bit_length() * place for place, house in enumerate(turn))


def unpack(number: int, packing: Packing) -> tuple[int, ...]:
    """The houses of a turn."""
    digit, turn = packing.houses.bit_length(), []
    while number:
        turn.append((number & (1 << digit) - 1) - 1)
        number >>= digit
    return tuple(turn)


def tuples(plays: Rules, packing: Packing) -> Rules:
    """The rules whose actions are whole turns as tuples, from those of single houses; never compiled."""
    numbers = _numbers(plays, packing, _ANY_LENGTH, lambda function: function)

    def actions(state: State) -> Iterator[Any]:
        return (unpack(number, packing) for number in numbers.actions(state))

    def result(state: State, turn: Any) -> State:
        return functools.reduce(plays.result, turn, state)

    def suggest(state: State, turn: Any) -> int:
        return numbers.suggest(state, pack(turn, packing))

    return attrs.evolve(plays, actions=actions, result=result, suggest=suggest)


_ANY_LENGTH = 1 << 62


def numbers(plays: Rules, packing: Packing, compile: Compile) -> Rules:
    """The rules whose actions are whole turns as numbers, from those of single houses.

    Where a turn takes more houses than fit into a machine's integer (21 for 4 to 7 houses a side), `actions` raises
    OverflowError instead of leaving it out.
    """
    return _numbers(plays, packing, MACHINE_BITS, compile)


def _numbers(plays: Rules, packing: Packing, room: int, compile: Compile) -> Rules:
    """As `numbers`, with `room` bits for a turn."""
    result = _taking(plays, packing.houses, compile)
    actions = _turns(plays, result, packing, room, compile)
    return attrs.evolve(plays, actions=actions, result=result, suggest=_gaining(packing, result, compile))


def _taking(plays: Rules, houses: int, compile: Compile) -> Play:
    """result(state, turn): every house of the turn, one after the other."""
    play, digit = plays.result, houses.bit_length()
    lowest = (1 << digit) - 1

    @compile
    def result(state: State, turn: int) -> State:
        while turn:
            state = play(state, (turn & lowest) - 1)
            turn >>= digit
        return state

    return result


def _turns(
    plays: Rules, result: Play, packing: Packing, room: int, compile: Compile
) -> Callable[[State], Iterator[int]]:
    """actions(state): every turn, in the order of its houses. It goes back by replaying, and so needs no stack."""
    play, terminal_test = plays.result, plays.terminal_test
    bits, mask, houses, digit = packing.bits, packing.mask, packing.houses, packing.houses.bit_length()

    @compile
    def actions(start: State) -> Iterator[int]:
        mover = start[2]
        state, turn, at, house = start, 0, 0, 0  # `at`: the bits that the houses played so far take
        while turn or house < houses:
            if house == houses:  # back to before the last house played, and on to the next: its digit is that
                at -= digit
                house = turn >> at
                turn -= house << at
                state = result(start, turn)
            elif (state[1] if mover else state[0]) >> bits * house & mask:
                if at + digit > room:
                    raise OverflowError("a turn takes more houses than fit into one number at machine speed")
                after = play(state, house)
                if after[2] == mover and not terminal_test(after):
                    state, turn, at, house = after, turn + (house + 1 << at), at + digit, 0
                else:
                    yield turn + (house + 1 << at)
                    house += 1
            else:
                house += 1

    return actions


def _gaining(packing: Packing, result: Play, compile: Compile) -> Callable[[State, int], int]:
    """suggest(state, turn): the seeds that the turn brings into the own store."""
    store = packing.store

    @compile
    def suggest(state: State, turn: int) -> int:
        after = result(state, turn)
        return (after[1] >> store) - (state[1] >> store) if state[2] else (after[0] >> store) - (state[0] >> store)

    return suggest


TURNS = {
    "single": TurnRule(
        interpreted=lambda plays, packing: plays,
        compiled=lambda plays, *_: plays,
        houses=lambda house: (house,),
        action=lambda houses: houses[0] if len(houses) == 1 else houses,
        encode=lambda house, packing: int(house),
        decode=lambda number, packing: int(number),
    ),
    "whole": TurnRule(interpreted=tuples, compiled=numbers, houses=tuple, action=tuple, encode=pack, decode=unpack),
}
"""What an action may be, by name."""
