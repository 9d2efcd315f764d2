"""The rules of Kalah on packed boards, written once for both speeds.

Every function is closed over integers and other functions only, and keeps to the part of Python that Numba
compiles. It is made by a factory that is handed `compile`: the identity, and Kalah runs interpreted; or Numba's
decorator, and the same lines become machine code. `own` is the word of the side that plays, `other` its opponent's.
"""

from collections.abc import Callable, Iterator

import attrs

from ggp_kalah import values
from ggp_kalah.packing import Compile, Packing, State

Words = tuple[int, int]
Choosing = tuple[Callable[[State], int], Callable[[State], Iterator[int]]]
Play = Callable[[State, int], State]
Sow = Callable[[int, int, int], tuple[int, int, int]]
Taken = Callable[[int], int]
Captured = Callable[[int, int, int], int]
Test = Callable[[State], bool]


@attrs.frozen(kw_only=True)
class Rules:
    """The operations of one variant of Kalah on packed states. Values are to South, who is MAX."""

    to_move: Callable[[State], int]
    actions: Callable[[State], Iterator[int]]
    result: Callable[[State, int], State]
    terminal_test: Callable[[State], bool]
    utility: Callable[[State], int]
    score: Callable[[State], int]
    key: Callable[[State], State]
    bounds: Callable[[State], tuple[int, int]]
    suggest: Callable[[State, int], int]
    captured: Callable[[int, int, int], int]
    """captured(own, other, house): how many seeds playing the house would capture, its own last seed included."""


def rules(packing: Packing, capture: str, majority: bool, scoring: str, compile: Compile) -> Rules:
    """The rules of a variant, an action being one house; every function has been passed through `compile`.

    Arguments:
        packing: how the states are packed. Nothing here checks that their seeds fit.
        capture: "standard", "empty" or "none".
        majority: whether the game ends as soon as a store holds more than half of all seeds.
        scoring: "margin" or "outcome".
    """
    to_move, actions = _choosing(packing, compile)
    taken = CAPTURES[capture](compile)
    captured = _capturing(packing, taken, compile)
    margin, left = values.counting(packing, compile)
    secured = scoring == "margin" and not majority  # then what is in the stores counts, and matters no more
    score, key = values.secured(packing, margin, compile) if secured else values.open_to_the_end(compile)
    return Rules(
        to_move=to_move,
        actions=actions,
        result=_playing(packing, taken, _sowing(packing, compile), compile),
        terminal_test=(_decided if majority else _emptied)(packing, compile),
        utility=margin if scoring == "margin" else values.outcome(margin, compile),
        score=score,
        key=key,
        bounds=(values.margin_bounds if scoring == "margin" else values.outcome_bounds)(margin, left, compile),
        suggest=_suggesting(packing, captured, compile),
        captured=captured,
    )


def _choosing(packing: Packing, compile: Compile) -> Choosing:
    """Whose turn it is, and the houses that can be played: those with seeds, the farthest from the store first."""
    bits, mask, all_houses = packing.bits, packing.mask, packing.all_houses

    @compile
    def to_move(state: State) -> int:
        return state[2]

    @compile
    def actions(state: State) -> Iterator[int]:
        south, north, mover = state
        own = (north if mover else south) & all_houses
        house = 0
        while own:
            if own & mask:
                yield house
            own >>= bits
            house += 1

    return to_move, actions


def _sowing(packing: Packing, compile: Compile) -> Sow:
    """sow(own, other, house): all seeds of the house, one by one around the board past the opponent's store.

    The ring has 2m + 1 places: 0 to m - 1 are the own houses, m is the own store, m + 1 to 2m are the opponent's
    houses. Returns the words after sowing, and the place of the last seed.
    """
    bits, mask, store, own_store = packing.bits, packing.mask, packing.store, packing.houses
    ring, other_lap = 2 * own_store + 1, packing.seed_each
    own_lap = other_lap | 1 << store

    @compile
    def sow(own: int, other: int, house: int) -> tuple[int, int, int]:
        at = bits * house
        seeds = own >> at & mask
        own -= seeds << at
        if seeds >= ring:  # whole laps
            own += seeds // ring * own_lap
            other += seeds // ring * other_lap
            seeds %= ring
        last = house + seeds
        at += bits
        if last <= own_store:
            return own + (own_lap >> store + bits - bits * seeds << at), other, last
        own += own_lap >> at << at
        if last < ring:
            return own, other + (own_lap >> bits * (ring - last)), last
        last -= ring
        return own + (own_lap >> store - bits * last), other + other_lap, last

    return sow


def _playing(packing: Packing, taken: Taken, sow: Sow, compile: Compile) -> Play:
    """result(state, house): sow and capture; and if that leaves a side without seeds, all go into the stores."""
    bits, mask, store, all_houses = packing.bits, packing.mask, packing.store, packing.all_houses
    own_store = packing.houses

    @compile
    def capture(own: int, other: int, house: int) -> tuple[int, int]:
        opposite = store - bits * (house + 1)
        seeds = taken(other >> opposite & mask)
        if seeds:
            return own + (seeds << store) - (1 << bits * house), other - (seeds - 1 << opposite)
        return own, other

    @compile
    def result(state: State, house: int) -> State:
        south, north, mover = state
        if mover:
            own, other, last = sow(north, south, house)
        else:
            own, other, last = sow(south, north, house)
        if last < own_store and own >> bits * last & mask == 1:
            own, other = capture(own, other, last)
        if not (own & all_houses and other & all_houses):
            own, other = own % mask << store, other % mask << store
        if last == own_store:  # an extra turn
            return (other, own, 1) if mover else (own, other, 0)
        return (other, own, 0) if mover else (own, other, 1)

    return result


def _standard(compile: Compile) -> Taken:
    """The last seed and the opposite house are taken, unless that is empty."""

    @compile
    def taken(opposite: int) -> int:
        return opposite + 1 if opposite else 0

    return taken


def _empty(compile: Compile) -> Taken:
    """The last seed is taken even if the opposite house is empty."""

    @compile
    def taken(opposite: int) -> int:
        return opposite + 1

    return taken


def _none(compile: Compile) -> Taken:
    """Nothing is taken."""

    @compile
    def taken(opposite: int) -> int:
        return 0

    return taken


CAPTURES: dict[str, Callable[[Compile], Taken]] = {"standard": _standard, "empty": _empty, "none": _none}
"""The capture rules: each makes taken(opposite), how many seeds go into the store when the last seed falls into an
empty house of the own side, that seed included, if so many are in the opposite house."""


def _emptied(packing: Packing, compile: Compile) -> Test:
    """The game ends when a side's houses are empty; both are, since the seeds have gone into the stores."""
    all_houses = packing.all_houses

    @compile
    def terminal_test(state: State) -> bool:
        return not state[0] & all_houses

    return terminal_test


def _decided(packing: Packing, compile: Compile) -> Test:
    """The game ends also when a store holds more than half of all seeds."""
    mask, store, all_houses = packing.mask, packing.store, packing.all_houses

    @compile
    def terminal_test(state: State) -> bool:
        south, north, _ = state
        half = (south % mask + north % mask) // 2
        return not south & all_houses or south >> store > half or north >> store > half

    return terminal_test


def _capturing(packing: Packing, taken: Taken, compile: Compile) -> Captured:
    """captured(own, other, house): what a play would capture, without playing it."""
    bits, mask, houses, store = packing.bits, packing.mask, packing.houses, packing.store
    ring = 2 * houses + 1

    @compile
    def captured(own: int, other: int, house: int) -> int:
        seeds = own >> bits * house & mask
        passed = house + seeds >= ring  # the opponent's houses, each of which gets a seed
        last = house + seeds - ring if passed else house + seeds
        if seeds > ring or last >= houses or (last != house and own >> bits * last & mask):
            return 0
        opposite = other >> store - bits * (last + 1) & mask
        return taken(opposite + 1 if passed else opposite)

    return captured


EXTRA_TURN = 1 << 40
"""What an extra turn promises: more than any capture."""


def _suggesting(packing: Packing, captured: Captured, compile: Compile) -> Callable[[State, int], int]:
    """suggest(state, house): extra turns, then captures by size, then the nearest to the store."""
    bits, mask, houses = packing.bits, packing.mask, packing.houses
    ring = 2 * houses + 1

    @compile
    def suggest(state: State, house: int) -> int:
        south, north, mover = state
        own, other = (north, south) if mover else (south, north)
        if (house + (own >> bits * house & mask)) % ring == houses:
            return EXTRA_TURN + house
        return captured(own, other, house) * houses + house

    return suggest
