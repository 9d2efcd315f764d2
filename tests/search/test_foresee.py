"""The option `foresee`: what the game knows of the value without search causes cutoffs at a limited depth, too."""

import random

import pytest
from ggp_search import AlphaBeta, NegaScout

import ggp
from ggp.searcher import Limits

REGISTRY = ggp.load_registry()
GAME = REGISTRY.game("domineering", rows=4, columns=4)


def positions(number):
    """Return positions of random games, some plies before their ends."""
    dice, found = random.Random(1), []
    while len(found) < number:
        state = GAME.initial_state()
        for _ in range(dice.randrange(1, 4)):
            if not GAME.terminal_test(state):
                state = GAME.result(state, dice.choice(list(GAME.actions(state))))
        if not GAME.terminal_test(state):
            found.append(state)
    return found


def value(state, depth=None, searcher=AlphaBeta, **options):
    limits = Limits(depth=depth)
    return searcher(**{"speed": "interpreted", "table": 1} | options).search(GAME, state, limits).value


@pytest.mark.parametrize("searcher", [AlphaBeta, NegaScout])
def test_what_is_foreseen_is_true_and_seen_sooner(searcher):
    sooner = 0
    for state in positions(40):
        plain = value(state, 2, searcher)
        foreseen = value(state, 2, searcher, foresee=True)
        if abs(foreseen) == 1:
            assert foreseen == value(state)
        if abs(plain) == 1:
            assert foreseen == plain
        sooner += abs(foreseen) == 1 > abs(plain)
    assert sooner > 5


def test_both_speeds_foresee_the_same():
    state = positions(1)[0]
    for depth in (1, 3):
        assert value(state, depth, foresee=True) == value(state, depth, foresee=True, speed="compiled")


def test_a_search_to_the_end_has_the_same_value_and_fewer_states():
    state = GAME.initial_state()
    plain, foreseen = (
        AlphaBeta(speed="interpreted", table=1, foresee=each).search(GAME, state) for each in (False, True)
    )
    assert (foreseen.value, foreseen.exact) == (plain.value, True)
    assert foreseen.statistics.nodes < plain.statistics.nodes


@pytest.mark.parametrize(
    ("options", "seen"),
    [({"foresee": True}, True), ({}, False), ({"foresee": True, "bounds": False}, False)],
)
def test_explain_says_whether_it_foresees(options, seen):
    told = AlphaBeta(table=1, **options).explain(GAME, GAME.initial_state(), Limits(depth=3))["bounds"]
    assert ("foresees" in told) == seen
