"""The compiled form: the same rules on 63-bit words, by hand (the identity) and through Numba."""

import json
import pathlib

import pytest
from boards import VARIANTS, name, walk
from ggp_kalah import Kalah

import ggp

COUNTS = json.loads((pathlib.Path(__file__).parents[1] / "data" / "search_counts.json").read_text())
SIZES = [(1, 5), (2, 7), (3, 9), (4, 3), (6, 4), (6, 40), (7, 8), (8, 2), (12, 0)]


def identity(function):
    return function


def agree(game, form, seed, seen):
    """Play one random game and compare every operation; `seen` makes a compiled function callable."""
    to_move, actions, result = seen(form.to_move), form.actions, seen(form.result)
    evaluations = {name: seen(function) for name, function in form.evaluations.items()}
    for state, action in walk(game, seed):
        position = form.encode(state)
        assert form.decode(position) == state
        assert seen(form.terminal_test)(position) == (action is None)
        assert tuple(seen(form.bounds)(position)) == game.bounds(state)
        assert seen(form.score)(position) == game.score(state)
        assert len(seen(form.key)(position)) == 3
        values = {name: function(position) for name, function in evaluations.items()}
        assert values == {name: function(state) for name, function in game.evaluations.items()}
        if action is None:
            assert seen(form.utility)(position) == game.utility(state, ggp.MAX)
            continue
        assert to_move(position) == game.to_move(state)
        numbers = [form.encode_action(state, each) for each in game.actions(state)]
        assert list(seen(actions)(position)) == numbers
        assert [form.decode_action(state, number) for number in numbers] == list(game.actions(state))
        for each, number in zip(game.actions(state), numbers, strict=True):
            assert seen(form.suggest)(position, number) == game.suggest(state, each)
            assert form.decode(seen(result)(position, number)) == game.result(state, each)


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
def test_the_form_agrees_with_the_game_in_random_play(variant):
    for houses, seeds in SIZES:
        game = Kalah(houses, seeds, **variant)
        for seed in range(2):
            agree(game, game.compiled(identity), seed, identity)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        Kalah(),
        Kalah(2, 7, capture="empty", majority=True, scoring="outcome"),
        Kalah(4, 5, capture="none", turn="whole"),
        Kalah(7, 9, majority=True),
    ],
    ids=repr,
)
def test_machine_code_agrees_with_the_game_in_random_play(game):
    numba = pytest.importorskip("numba")
    form = game.compiled(numba.extending.register_jitable)
    compiled = {}

    def seen(function):
        if function not in compiled:
            compiled[function] = (
                listing(numba, function)
                if function is form.actions
                else numba.njit(lambda *arguments: function(*arguments))
            )
        return compiled[function]

    for seed in range(10):
        agree(game, form, seed, seen)


def listing(numba, actions):
    """A compiled function that draws all actions from the generator."""

    @numba.njit
    def all_actions(position):
        return [action for action in actions(position)]  # noqa: C416

    return all_actions


def alphabeta(form, evaluate, jit):
    """Plain alpha-beta that counts the states it enters; `form`'s functions and `evaluate` on positions."""
    actions, result, terminal_test, utility = form.actions, form.result, form.terminal_test, form.utility

    @jit
    def value(position, depth, alpha, beta, count):
        count[0] += 1
        if terminal_test(position):
            return utility(position) * 1.0
        if depth == 0:
            return evaluate(position) * 1.0
        best = -1000.0 if position[2] == 0 else 1000.0
        for action in actions(position):
            child = value(result(position, action), depth - 1, alpha, beta, count)
            if position[2] == 0:
                best = max(best, child)
                alpha = max(alpha, best)
            else:
                best = min(best, child)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scoring", "evaluation", "depths"),
    [("margin", "margin", "alphabeta_margin"), ("outcome", "hundredth", "alphabeta_outcome_states")],
)
def test_machine_code_visits_as_many_states_as_independent_programs(scoring, evaluation, depths):
    numba = pytest.importorskip("numba")
    game = Kalah(scoring=scoring)
    form = game.compiled(numba.extending.register_jitable)
    value = alphabeta(form, form.evaluations[evaluation], numba.njit)
    counts = {depth: known[0] if isinstance(known, list) else known for depth, known in COUNTS[depths].items()}
    for depth, known in counts.items():
        count = numba.typed.List([0])
        value(form.encode(game.initial_state()), int(depth), -1000.0, 1000.0, count)
        assert count[0] == known


def test_interpreted_search_visits_as_many_states_as_independent_programs():
    game = Kalah()
    form = game.compiled(identity)
    value = alphabeta(form, form.evaluations["margin"], identity)
    for depth in range(1, 9):
        count = [0]
        found = value(form.encode(game.initial_state()), depth, -1000, 1000, count)
        assert [count[0], found] == COUNTS["alphabeta_margin"][str(depth)]


@pytest.mark.parametrize(
    ("houses", "most"),
    [
        (1, 2**31 - 2),
        (2, 2**21 - 2),
        (3, 2**15 - 2),
        (6, 510),
        (7, 126),
        (8, 126),
        (9, 62),
        (10, 30),
        (11, 30),
        (12, 14),
    ],
)
def test_a_board_with_more_seeds_than_a_machine_word_holds_is_refused(houses, most):
    game = Kalah(houses, seeds=most)
    form = game.compiled(identity)
    sides = [[1, *[0] * (houses - 1), most // 2], [1, *[0] * (houses - 1), most - most // 2 - 2]]
    fits = game.packing.state(*sides, ggp.MIN)
    assert form.decode(form.encode(fits)) == fits
    assert max(form.encode(fits)) < 2**63
    sides[0][0] += 1
    with pytest.raises(OverflowError, match=f"{most + 1} seeds do not fit: .* at most {most} seeds at machine speed"):
        form.encode(game.packing.state(*sides, ggp.MIN))
