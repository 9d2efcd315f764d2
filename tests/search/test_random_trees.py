"""On random trees every searcher finds what plain minimax finds, in all its settings."""

import itertools
import os
import random

import pytest
from hash_tree import HashTree, StochasticTree
from hypothesis import given
from hypothesis import strategies as st
from samples import but_slow, sampled

import ggp
from ggp.capabilities import play
from ggp.testing import minimax_value, random_tree, trees
from ggp.trace import Leaf

REGISTRY = ggp.load_registry()
DETERMINISTIC = ["minimax", "alphabeta", "scout", "negascout", "mtdf", "quiescence", "dfpn"]
CHANCE = ["expectiminimax", "star1", "star2"]
PLAIN = {"table": 0, "ordering": "none", "bounds": False, "speed": "interpreted"}
MAKE = {name: REGISTRY.searchers[name].factory for name in [*DETERMINISTIC, *CHANCE]}


def close(actual, expected):
    return actual == pytest.approx(expected, rel=1e-9, abs=1e-9)


def check(found, game, state, value):
    """The value, and the line that gives it as far as no chance moves."""
    assert close(found.value, value)
    end = play(game, state, found.principal_variation)
    assert close(minimax_value(game, end), value)
    if not game.terminal_test(state) and game.to_move(state) != ggp.CHANCE:
        assert found.action == found.principal_variation[0]


@pytest.mark.slow
def test_ten_thousand_trees():
    for seed in range(10_000):
        rng = random.Random(seed)
        tree = random_tree(rng, stochastic=seed % 2 == 1)
        state = tree.initial_state()
        value = minimax_value(tree, state)
        nodes = {}
        for name in CHANCE if tree.stochastic else [*DETERMINISTIC, *CHANCE]:
            found = MAKE[name](**PLAIN).search(tree, state)
            check(found, tree, state, value)
            assert found.complete
            assert found.exact
            nodes[name] = found.statistics.nodes
        if not tree.stochastic:
            assert nodes["alphabeta"] <= nodes["minimax"]
        assert nodes["star1"] <= nodes["expectiminimax"]


@pytest.mark.parametrize(
    ("name", "unpruned"), [("scout", "minimax"), ("star2", "expectiminimax"), ("star1", "expectiminimax")]
)
@given(data=st.data())
def test_a_searcher_looks_at_no_leaf_that_the_unpruned_search_does_not(name, unpruned, data):
    tree = data.draw(trees(stochastic=unpruned == "expectiminimax"))
    assert leaves(name, tree) <= leaves(unpruned, tree)


def leaves(name, tree):
    found, entered = set(), None
    for event in MAKE[name](**PLAIN).trace(tree, tree.initial_state()):
        if isinstance(event, Leaf):
            found.add(entered.state)
        entered = event
    return found


@given(tree=trees(), depth=st.integers(1, 4))
def test_a_depth_limit_gives_the_value_of_that_depth(tree, depth):
    state = tree.initial_state()
    value = minimax_value(tree, state, depth, tree.evaluations["estimate"])
    for name in DETERMINISTIC:
        assert MAKE[name](**PLAIN).search(tree, state, ggp.Limits(depth=depth)).value == value


@pytest.mark.slow
@given(tree=trees(), depth=st.integers(1, 5), data=st.data())
def test_values_and_best_actions_are_exact(tree, depth, data):
    state = tree.initial_state()
    if tree.terminal_test(state):
        return
    expected = {
        action: minimax_value(tree, tree.result(state, action), depth - 1, tree.evaluations["estimate"])
        for action in tree.actions(state)
    }
    best = (max if tree.to_move(state) == ggp.MAX else min)(expected.values())
    for name in DETERMINISTIC:
        options = data.draw(st.sampled_from(SETTINGS))
        found = MAKE[name](**options, speed="interpreted").analyse(tree, state, ggp.Limits(depth=depth))
        assert found.values == expected
        assert found.best_actions == tuple(action for action in expected if expected[action] == best)
        assert found.action in found.best_actions
        if options["ordering"] == "none" and not options["table"] and name not in ("mtdf", "dfpn"):
            assert found.action == found.best_actions[0]


SETTINGS = [
    {"table": table, "ordering": ordering, "bounds": bounds, "etc": etc}
    for table, ordering, bounds, etc in itertools.product(
        [0, 0.01, 1], ["none", "table", "evaluation"], [False, True], [False, True]
    )
]


@pytest.mark.parametrize("options", sampled(SETTINGS, 5))  # five, with which each of all parts is drawn
@pytest.mark.parametrize("limits", [ggp.Limits(), ggp.Limits(depth=3), ggp.Limits(nodes=1_000_000)])
def test_no_setting_changes_a_value(options, limits):
    for seed in range(30 if os.environ.get("CI") == "true" else 9):
        tree = random_tree(random.Random(seed), stochastic=seed % 3 == 0)
        state = tree.initial_state()
        value = minimax_value(tree, state, limits.depth, tree.evaluations["estimate"])
        for name in CHANCE if tree.stochastic else DETERMINISTIC:
            found = MAKE[name](**options, speed="interpreted").search(tree, state, limits)
            assert close(found.value, value)
            if limits.depth is None:
                check(found, tree, state, value)
                assert found.exact


COMPILED_SETTINGS = [
    PLAIN | {"speed": "compiled"},
    {"table": 0, "ordering": "suggestion", "bounds": True, "speed": "compiled"},
    {"table": 1, "ordering": "none", "bounds": False, "etc": False, "speed": "compiled"},
    {"table": 1, "ordering": "suggestion", "speed": "compiled"},
    {"table": 0.001, "ordering": "evaluation", "speed": "compiled"},
    {"table": 1, "ordering": "table", "bounds": False, "speed": "compiled"},
]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param(name, options, marks=pytest.mark.slow if (place + 2 * turn) % 6 else (), id=f"{name}-{options}")
        for turn, name in enumerate(("alphabeta", "negascout", "star2"))
        for place, options in enumerate(COMPILED_SETTINGS)
    ],
)
def test_compiled_searches_find_the_same_on_trees_without_end(name, options):
    game = StochasticTree() if name in CHANCE else HashTree()
    searcher = MAKE[name](**options)
    for tree in range(150):
        state = game.root(tree, 2 + tree % 5)
        depth = 1 + tree % 3 if tree % 2 else None
        value = minimax_value(game, state, depth, game.worth)
        found = searcher.search(game, state, ggp.Limits(depth=depth))
        assert found.speed == "compiled"
        assert close(found.value, value)
        if depth is None:
            check(found, game, state, value)


@pytest.mark.parametrize("name", sampled(["scout", "minimax", "mtdf", "star1", "expectiminimax"], 3))
def test_the_other_searchers_with_everything_on(name):
    test_compiled_searches_find_the_same_on_trees_without_end(name, COMPILED_SETTINGS[3])


@pytest.mark.parametrize("name", but_slow([*DETERMINISTIC, *CHANCE], "alphabeta", "dfpn", "star2"))
def test_plain_searches_go_through_the_same_states_at_both_speeds(name):
    game = StochasticTree() if name in CHANCE else HashTree()
    for tree in range(60):
        state, limits = game.root(tree, 5), ggp.Limits(depth=4)
        found = [
            MAKE[name](**PLAIN | {"speed": speed}).search(game, state, limits) for speed in ("interpreted", "compiled")
        ]
        counts = [
            (each.statistics.nodes, each.statistics.leaves, each.statistics.cutoffs, each.action) for each in found
        ]
        assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "name", ["alphabeta", *(pytest.param(name, marks=pytest.mark.slow) for name in ("negascout", "mtdf"))]
)
def test_threads_find_the_same_value(name):
    game = HashTree()
    searcher = MAKE[name](threads=3, table=0.05, speed="compiled")
    for tree in range(25):
        state = game.root(tree, 9)
        assert searcher.search(game, state).value == minimax_value(game, state)
