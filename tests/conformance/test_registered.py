"""Whatever is registered keeps its promises: a plugin is tested by being installed."""

import random

import pytest

import ggp
from ggp.capabilities import legal_actions
from ggp.testing import check_exact_searcher, check_game, check_searcher, check_searchers_agree

REGISTRY = ggp.load_registry()

VARIANTS = {
    "kalah": [
        {"houses": 1, "seeds": 3},
        {"houses": 2, "seeds": 9, "capture": "empty"},
        {"houses": 3, "seeds": 2, "capture": "none", "majority": True},
        {"houses": 3, "seeds": 3, "turn": "whole"},
        {"houses": 4, "seeds": 2, "scoring": "outcome"},
        {"houses": 4, "seeds": 3, "scoring": "outcome", "majority": True, "capture": "empty", "turn": "whole"},
        {"houses": 12, "seeds": 1},
        {"seeds": 0},
    ],
    "nim": [{"heaps": (1,)}, {"heaps": (2, 2), "misere": True}, {"heaps": (5, 5, 5)}],
    "pig": [{"goal": 5}, {"sides": 2, "goal": 4}],
    "tree": [{"seed": seed} for seed in (2, 3)] + [{"seed": 4, "depth": 3, "branching": 4}],
    "tictactoe": [{"h": 4, "v": 3, "k": 3}, {"h": 1, "v": 1, "k": 1}, {"h": 5, "v": 5, "k": 4}],
}
"""Parameters besides the defaults, of the games that we know."""

INEXACT = {"random", "mcts"}
"""Searchers that do not promise minimax's value."""

GAMES = [pytest.param(name, {}, id=name) for name in REGISTRY.games] + [
    pytest.param(name, parameters, id=f"{name}-{number}")
    for name, variants in VARIANTS.items()
    for number, parameters in enumerate(variants)
]


def test_all_plugins_load():
    assert REGISTRY.problems == []


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_the_game_keeps_its_promises(name, parameters):
    check_game(REGISTRY.game(name, **parameters), examples=20)


@pytest.mark.parametrize("name", REGISTRY.searchers)
@pytest.mark.parametrize("depth", [None, 1, 3])
def test_the_searcher_keeps_its_contract_on_random_trees(name, depth):
    nodes = 200 if name in INEXACT else None  # what samples would do so for as long as it may
    check_searcher(REGISTRY.searcher(name), limits=ggp.Limits(depth=depth, nodes=nodes), examples=20)


@pytest.mark.parametrize("name", sorted(set(REGISTRY.searchers) - INEXACT))
@pytest.mark.parametrize("depth", [None, 1, 2, 4])
def test_the_searcher_finds_minimax_on_random_trees(name, depth):
    check_exact_searcher(REGISTRY.searcher(name), limits=ggp.Limits(depth=depth), examples=40)


@pytest.mark.parametrize("name", REGISTRY.games)
def test_all_searchers_agree_in_random_positions(name, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")  # machine speed is compared with it elsewhere
    game, rng = REGISTRY.game(name), random.Random(name)
    searchers = [REGISTRY.searcher(each) for each in REGISTRY.searchers if each not in INEXACT]
    for plies in (0, 1, 5, 20):
        state = game.initial_state()
        for _ in range(plies):
            actions = legal_actions(game, state)
            state = game.result(state, rng.choice(actions)) if actions else state
        check_searchers_agree(game, state, searchers, ggp.Limits(depth=2))
