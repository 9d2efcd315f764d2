"""What an unfinished game of Kalah may be worth to South: estimates by name. For both speeds, as `rules`."""

from collections.abc import Mapping
from math import exp

from ggp import Evaluation
from ggp_kalah.packing import Compile, Evaluate, Packing, State
from ggp_kalah.rules import Rules
from ggp_kalah.values import counting

MEANINGS = {
    "margin": "South's store minus North's, in seeds",
    "scaled": "store margin / (half of all seeds + 1), the margin taken as half of all seeds at most: within (-1, 1)",
    "hundredth": "store margin / 100",
    "logistic": "2 / (1 + exp(-2 x)) - 1 for x = store margin / (half of all seeds + 1): within (-1, 1)",
    "seeds": "seeds on South's side, houses and store, minus those on North's",
    "mobility": "houses of South's that hold seeds minus houses of North's that do",
    "weighted": "5 for each extra turn and, for each capture, 1 and its seeds, as if it were that side's move;"
    " plus the seeds on that side; South's minus North's",
    "reply": "the mover's store after a play minus the opponent's after the best reply, by the best play, in seeds;"
    " with North to move, its negative",
}
"""Each evaluation's formula, with its unit."""

SEPARABLE = ("margin", "seeds", "weighted", "reply")
"""Those that are the store margin plus what the houses alone decide."""
BOUNDED = {
    ("margin", False): ("margin", "seeds", "reply"),
    ("margin", True): ("margin", "seeds", "reply", "scaled", "hundredth", "logistic"),
    ("outcome", False): (),
    ("outcome", True): ("scaled", "logistic"),
}
"""By scoring and majority, those within the bounds. Some count seeds that could all be in the stores at the end. The
others have the sign of the store margin and at most its size, and by outcome less than 1; that is within the bounds as
long as these leave a draw or a turn open, and where a majority ends the game they do to the end."""


def declared(functions: Mapping[str, Evaluate], majority: bool, scoring: str) -> dict[str, Evaluation]:
    """The evaluations with what they promise in a variant; the default is the first.

    By outcome, and where a majority ends the game, the key is the whole state, and so all are separable.
    """
    default = "margin" if scoring == "margin" else "scaled"
    bounded = BOUNDED[scoring, majority]
    names = sorted(functions, key=lambda name: name != default)
    separable = SEPARABLE if scoring == "margin" and not majority else tuple(functions)
    return {
        name: Evaluation(
            functions[name],
            MEANINGS[name],
            separable=name in separable,
            bounded=name in bounded,
        )
        for name in names
    }


def evaluations(packing: Packing, plays: Rules, compile: Compile) -> dict[str, Evaluate]:
    """The evaluations of a variant by name, every function passed through `compile`; `plays` have single houses."""
    return {
        **_of_stores(packing, compile),
        **_of_sides(packing, compile),
        "weighted": _weighted(packing, plays, compile),
        "reply": _reply(packing, plays, compile),
    }


def _of_stores(packing: Packing, compile: Compile) -> dict[str, Evaluate]:
    """Those that go by the stores."""
    mask = packing.mask
    margin, _ = counting(packing, compile)

    @compile
    def scaled(state: State) -> float:
        total, twice = state[0] % mask + state[1] % mask, 2 * margin(state)
        return max(-total, min(total, twice)) / (total + 2)

    @compile
    def hundredth(state: State) -> float:
        return margin(state) / 100

    @compile
    def logistic(state: State) -> float:
        total = state[0] % mask + state[1] % mask
        return 2 / (1 + exp(-4 * margin(state) / (total + 2))) - 1

    return {"margin": margin, "scaled": scaled, "hundredth": hundredth, "logistic": logistic}


def _of_sides(packing: Packing, compile: Compile) -> dict[str, Evaluate]:
    """Those that go by what is on each side."""
    bits, mask, all_houses = packing.bits, packing.mask, packing.all_houses

    @compile
    def playable(word: int) -> int:
        count, word = 0, word & all_houses
        while word:
            if word & mask:
                count += 1
            word >>= bits
        return count

    @compile
    def seeds(state: State) -> int:
        return state[0] % mask - state[1] % mask

    @compile
    def mobility(state: State) -> int:
        return playable(state[0]) - playable(state[1])

    return {"seeds": seeds, "mobility": mobility}


def _weighted(packing: Packing, plays: Rules, compile: Compile) -> Evaluate:
    bits, mask, houses, captured = packing.bits, packing.mask, packing.houses, plays.captured
    ring = 2 * houses + 1

    @compile
    def prospects(own: int, other: int) -> int:
        worth = own % mask
        for house in range(houses):
            seeds = own >> bits * house & mask
            if seeds and (house + seeds) % ring == houses:
                worth += 5
            elif seeds:
                size = captured(own, other, house)
                worth += size + 1 if size else 0
        return worth

    @compile
    def weighted(state: State) -> int:
        return prospects(state[0], state[1]) - prospects(state[1], state[0])

    return weighted


def _reply(packing: Packing, plays: Rules, compile: Compile) -> Evaluate:
    store, mask = packing.store, packing.mask
    actions, result, terminal_test = plays.actions, plays.result, plays.terminal_test
    margin, _ = counting(packing, compile)

    @compile
    def best_store(state: State) -> int:
        mover = state[2]
        best = state[mover] >> store
        for house in actions(state):
            best = max(best, result(state, house)[mover] >> store)
        return best

    @compile
    def reply(state: State) -> int:
        if terminal_test(state):
            return margin(state)
        mover = state[2]
        best = -mask  # less than any number of seeds
        for house in actions(state):
            after = result(state, house)
            other = after[1 - mover] >> store
            if not terminal_test(after):
                other = best_store((after[0], after[1], 1 - mover))
            best = max(best, (after[mover] >> store) - other)
        return -best if mover else best

    return reply
