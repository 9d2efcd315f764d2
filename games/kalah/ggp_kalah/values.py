"""What a packed state of Kalah is worth to South: utility, score and key, bounds. For both speeds, as `rules`."""

from collections.abc import Callable

from ggp_kalah.packing import Compile, Packing, State

Count = Callable[[State], int]
Key = Callable[[State], State]
Bounds = Callable[[State], tuple[int, int]]


def counting(packing: Packing, compile: Compile) -> tuple[Count, Count]:
    """margin(state), South's store minus North's, and left(state), all that is still in the houses. In seeds."""
    mask, store, all_houses = packing.mask, packing.store, packing.all_houses

    @compile
    def margin(state: State) -> int:
        return (state[0] >> store) - (state[1] >> store)

    @compile
    def left(state: State) -> int:
        return ((state[0] & all_houses) + (state[1] & all_houses)) % mask

    return margin, left


def outcome(margin: Count, compile: Compile) -> Count:
    """utility(state): 1 if South's store is the fuller one, -1 if North's is, 0 if they are equal."""

    @compile
    def utility(state: State) -> int:
        seeds = margin(state)
        return 1 if seeds > 0 else -1 if seeds < 0 else 0

    return utility


def secured(packing: Packing, margin: Count, compile: Compile) -> tuple[Count, Key]:
    """score(state) and key(state) where the stores count to the end, and nothing else depends on them."""
    all_houses = packing.all_houses

    @compile
    def key(state: State) -> State:
        return state[0] & all_houses, state[1] & all_houses, state[2]

    return margin, key


def open_to_the_end(compile: Compile) -> tuple[Count, Key]:
    """score(state) and key(state) where what the stores are worth depends on all the rest."""

    @compile
    def score(state: State) -> int:
        return 0

    @compile
    def key(state: State) -> State:
        return state

    return score, key


def margin_bounds(margin: Count, left: Count, compile: Compile) -> Bounds:
    """bounds(state): a side gains at most what is in the houses, also if the game ends before they are empty."""

    @compile
    def bounds(state: State) -> tuple[int, int]:
        seeds, most = margin(state), left(state)
        return seeds - most, seeds + most

    return bounds


def outcome_bounds(margin: Count, left: Count, compile: Compile) -> Bounds:
    """bounds(state): -1 to 1, or what is left of it once a store holds half of all seeds or more."""

    @compile
    def bounds(state: State) -> tuple[int, int]:
        seeds, most = margin(state), left(state)
        least = 1 if seeds > most else 0 if seeds == most else -1
        greatest = -1 if seeds < -most else 0 if seeds == -most else 1
        return least, greatest

    return bounds
