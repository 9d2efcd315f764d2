"""On Kalah positions, every searcher in every setting agrees with minimax, whatever the rules and the evaluation."""

import random

import pytest

import ggp
from ggp.capabilities import play

REGISTRY = ggp.load_registry()
NAMES = ["alphabeta", "scout", "negascout", "mtdf"]
VARIANTS = [
    {"capture": "standard"},
    {"capture": "empty", "seeds": 3},
    {"capture": "none", "houses": 4},
    {"majority": True, "seeds": 2},
    {"scoring": "outcome", "seeds": 2},
    {"scoring": "outcome", "majority": True, "houses": 3},
    {"turn": "whole", "houses": 3, "seeds": 2},
]
EVALUATIONS = list(REGISTRY.game("kalah").evaluations)


def slow(cases):
    return [pytest.param(each, marks=pytest.mark.slow) for each in cases]


def positions(game, count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        state = game.initial_state()
        for _ in range(rng.randrange(12)):
            if game.terminal_test(state):
                break
            state = game.result(state, rng.choice(list(game.actions(state))))
        yield state


def value_of(game, found, state, evaluate):
    end = play(game, state, found.principal_variation)
    return game.utility(end, ggp.MAX) if game.terminal_test(end) else evaluate(end)


@pytest.mark.parametrize("variant", [VARIANTS[0], *slow(VARIANTS[1:])], ids=str)
def test_every_variant(variant):
    game = REGISTRY.game("kalah", **variant)
    minimax = REGISTRY.searcher("minimax", speed="interpreted")
    searchers = [REGISTRY.searcher(name, table=table, speed="interpreted") for name in NAMES for table in (0, 1)]
    searchers += [REGISTRY.searcher("alphabeta", table=1), REGISTRY.searcher("negascout")]
    for state in positions(game, 12, seed=1):
        limits = ggp.Limits(depth=4)
        value = minimax.search(game, state, limits).value
        for searcher in searchers:
            found = searcher.search(game, state, limits)
            assert found.value == value
            assert value_of(game, found, state, next(iter(game.evaluations.values()))) == value


@pytest.mark.parametrize("name", [EVALUATIONS[0], *slow(EVALUATIONS[1:])])
def test_every_evaluation(name):
    game = REGISTRY.game("kalah")
    minimax = REGISTRY.searcher("minimax", evaluation=name, speed="interpreted")
    searchers = [
        REGISTRY.searcher(searcher, evaluation=name, table=table, speed=speed)
        for searcher, table, speed in [
            ("alphabeta", 1, "compiled"),
            ("scout", 0, "compiled"),
            ("alphabeta", 1, "interpreted"),
            ("mtdf", 1, "interpreted"),
        ]
    ]
    for state in positions(game, 8, seed=2):
        value = minimax.search(game, state, ggp.Limits(depth=4)).value
        for searcher in searchers:
            found = searcher.search(game, state, ggp.Limits(depth=4))
            assert found.value == pytest.approx(value, rel=1e-12)
            assert value_of(game, found, state, game.evaluations[name]) == pytest.approx(value, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [6, 8])
def test_deeper_with_everything_on(depth):
    game = REGISTRY.game("kalah")
    plain = REGISTRY.searcher("alphabeta", table=0, ordering="none", bounds=False)
    searchers = [REGISTRY.searcher(name, table=2) for name in NAMES]
    searchers += [REGISTRY.searcher("alphabeta", table=0.001), REGISTRY.searcher("negascout", table=2, threads=2)]
    for state in positions(game, 10, seed=3):
        value = plain.search(game, state, ggp.Limits(depth=depth)).value
        for searcher in searchers:
            for limits in (ggp.Limits(depth=depth), ggp.Limits(depth=depth, nodes=100_000_000)):
                assert searcher.search(game, state, limits).value == value


def test_a_callers_own_evaluation_is_used_and_said_to_be_interpreted():
    game = REGISTRY.game("kalah")
    found = REGISTRY.searcher("alphabeta", evaluation=lambda state: 7).search(
        game, game.initial_state(), ggp.Limits(depth=3)
    )
    assert (found.value, found.speed) == (7, "interpreted")
    assert "the caller's own" in found.note


def test_boards_too_large_for_machine_words_run_interpreted_and_say_so():
    game = REGISTRY.game("kalah", houses=12, seeds=4)
    found = REGISTRY.searcher("alphabeta").search(game, game.initial_state(), ggp.Limits(depth=3))
    assert found.speed == "interpreted"
    assert "does not fit in 64 bits" in found.note
