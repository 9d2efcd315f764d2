"""What states are worth: score and key, bounds, and what the evaluations promise of them."""

import functools
import itertools

import pytest
from boards import VARIANTS, name, states, walk
from ggp_kalah import Kalah
from samples import sampled

import ggp

SINGLE = [variant for variant in VARIANTS if variant["turn"] == "single"]


def minimax(game):
    """The value of a state to a depth (None: to the end), the leaves worth what `evaluate` says."""

    @functools.cache
    def value(state, depth, evaluate=None):
        if game.terminal_test(state):
            return game.utility(state, ggp.MAX)
        if depth == 0:
            return evaluate(state)
        children = [
            value(game.result(state, action), None if depth is None else depth - 1, evaluate)
            for action in game.actions(state)
        ]
        return max(children) if game.to_move(state) == ggp.MAX else min(children)

    return value


def small_states(game):
    """Return all states with a few contents of the houses, and each split of four seeds between the stores."""
    found = []
    for south in ([1, 0], [0, 2], [1, 1], [2, 1]):
        for north in ([0, 1], [1, 2]):
            for mover in (ggp.MAX, ggp.MIN):
                for store in range(5):
                    state = game.state([*south, store], [*north, 4 - store], mover)
                    found += [] if game.terminal_test(state) else [state]
    return found


def by_key(game, worth):
    """For each key the values of `worth(state) - score(state)` that occur."""
    found = {}
    for state in small_states(game):
        found.setdefault(game.key(state), set()).add(round(worth(state) - game.score(state), 9))
    return found


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
def test_a_value_is_the_score_and_what_the_key_decides(variant):
    game = Kalah(houses=2, **variant)
    value = minimax(game)
    assert all(len(rest) == 1 for rest in by_key(game, lambda state: value(state, None)).values())


@pytest.mark.parametrize("variant", SINGLE, ids=name)
def test_a_separable_evaluation_is_the_score_and_what_the_key_decides(variant):
    game = Kalah(houses=2, **variant)
    for evaluate in game.evaluations.values():
        assert evaluate.separable == all(len(rest) == 1 for rest in by_key(game, evaluate).values())
        if evaluate.separable:
            value = minimax(game)
            searched = by_key(game, lambda state, value=value, evaluate=evaluate: value(state, 3, evaluate))
            assert all(len(rest) == 1 for rest in searched.values())


def test_the_stores_drop_out_of_the_key_where_they_can():
    keys = {
        (scoring, majority): len(by_key(game := Kalah(2, scoring=scoring, majority=majority), game.score))
        for scoring in ("margin", "outcome")
        for majority in (False, True)
    }
    assert keys[("margin", False)] == 16
    assert keys[("outcome", False)] == 80
    assert min(keys[("margin", True)], keys[("outcome", True)]) > 16


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
def test_bounds_hold_and_close_in_to_the_end(variant):
    game = Kalah(houses=3, seeds=3, **variant)
    for seed in range(30):
        played = [state for state, _ in walk(game, seed)]
        utility = game.utility(played[-1], ggp.MAX)
        bounds = [game.bounds(state) for state in played]
        assert all(lower <= utility <= upper for lower, upper in bounds)
        assert all(before[0] <= after[0] <= after[1] <= before[1] for before, after in itertools.pairwise(bounds))


@pytest.mark.parametrize(
    ("scoring", "position", "bounds"),
    [
        ("margin", "<2,3,1,1,2,0,4> S", (-5, 9)),
        ("margin", "<2,3,1,0,0,0,0> S", (2, 2)),
        ("outcome", "<2,3,1,1,2,0,4> S", (-1, 1)),
        ("outcome", "<2,5,1,1,1,0,1> S", (1, 1)),
        ("outcome", "<2,4,1,1,1,0,1> S", (0, 1)),
        ("outcome", "<2,1,4,1,1,0,1> S", (-1, 0)),
        ("outcome", "<2,1,5,1,1,0,1> S", (-1, -1)),
    ],
)
def test_bounds_are_these(scoring, position, bounds):
    game = Kalah(houses=2, scoring=scoring)
    assert game.bounds(game.parse_state(position)) == bounds


@pytest.mark.parametrize("variant", sampled(SINGLE, 5), ids=name)
def test_the_evaluations_declared_bounded_are_those_that_never_leave_the_bounds(variant):
    sizes = [(1, 3), (2, 2), (3, 4), (6, 4), (4, 300)]
    outside = set()
    for game in [Kalah(houses, seeds, **variant) for houses, seeds in sizes]:
        for state in states(game, 20):
            lower, upper = game.bounds(state)
            outside |= {name for name, each in game.evaluations.items() if not lower <= each(state) <= upper}
    assert outside == {name for name, each in game.evaluations.items() if not each.bounded}


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
def test_an_action_is_quiet_if_it_captures_nothing_and_is_the_only_one_of_its_turn(variant):
    game, seen = Kalah(houses=4, seeds=3, **variant), set()
    for state, action in itertools.chain.from_iterable(walk(game, seed) for seed in range(5)):
        if action is not None:
            words = game.explain(state, action)
            quiet = "captures" not in words and "ends in the store" not in words
            assert game.quiet(state, action) == quiet
            seen.add(quiet)
    assert seen == {True, False}
