"""The random trees are good games, cover what they should, and expose wrong searches."""

import math
import random
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from ggp import CHANCE, MAX
from ggp.testing import LayeredTree, check_game, minimax_value, perft, random_tree, trees
from ggp.testing.trees import Node

INFINITY = math.inf


def alphabeta(game, state, alpha=-INFINITY, beta=INFINITY, *, fault=""):
    """A small fail-hard alpha-beta that can be made wrong in one way."""
    if game.terminal_test(state):
        return game.utility(state, MAX)
    mover = game.to_move(state)
    if fault == "players alternate":
        mover = state[0] % 2
    for action in game.actions(state):
        child = game.result(state, action)
        if fault == "the bank is forgotten":
            child = (child[0], child[1], 0)
        window = (INFINITY, INFINITY) if fault == "window upside down" else (alpha, beta)
        value = alphabeta(game, child, *window, fault=fault)
        if mover == MAX:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta + (-1 if fault == "cuts one too early" else 0):
            break
        if fault == "cuts after the first child" and state[0] > 1:
            break
        if fault == "looks at two children at most" and action == 1:
            break
    return alpha if mover == MAX else beta


FAULTS = [
    "players alternate",
    "the bank is forgotten",
    "window upside down",
    "cuts one too early",
    "cuts after the first child",
    "looks at two children at most",
]


@given(trees())
def test_a_right_alphabeta_agrees_with_plain_minimax(tree):
    assert alphabeta(tree, tree.initial_state()) == minimax_value(tree, tree.initial_state())


QUICK = settings(
    max_examples=100, derandomize=True, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def is_wrong(fault):
    def differs(tree):
        return alphabeta(tree, (0, 0, 0), fault=fault) != minimax_value(tree, (0, 0, 0))

    return differs


@pytest.mark.parametrize("fault", FAULTS)
def test_a_hundred_drawn_trees_expose(fault):
    assert find(trees(), is_wrong(fault), settings=QUICK)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("start", range(0, 2000, 100))
def test_any_hundred_random_trees_expose(fault, start):
    assert any(map(is_wrong(fault), (random_tree(random.Random(seed)) for seed in range(start, start + 100))))


def test_finding_nothing_wrong_in_a_right_search_is_possible():
    with pytest.raises(NoSuchExample):
        find(trees(), is_wrong(""), settings=QUICK)


@pytest.mark.parametrize("stochastic", [False, True])
@pytest.mark.parametrize("count", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_a_random_tree_keeps_every_promise(stochastic, count):
    for seed in range(count):
        check_game(random_tree(random.Random(seed), stochastic=stochastic), examples=10)


def test_chance_moves_only_where_it_is_asked_for():
    movers = {
        stochastic: {
            node.mover
            for seed in range(50)
            for level in random_tree(random.Random(seed), stochastic=stochastic).nodes
            for node in level
            if node.edges
        }
        for stochastic in (False, True)
    }
    assert movers == {False: {0, 1}, True: {0, 1, CHANCE}}


def test_a_player_moves_twice_running_and_branches_meet_again():
    drawn = [random_tree(random.Random(seed)) for seed in range(50)]
    assert any(
        tree.nodes[level][index].mover == tree.nodes[level + 1][below].mover
        for tree in drawn
        for level, nodes in enumerate(tree.nodes)
        for index, node in enumerate(nodes)
        for below, _ in node.edges
    )
    assert any(
        len({below for below, _ in node.edges}) < len(node.edges)
        for tree in drawn
        for level in tree.nodes
        for node in level
    )


@given(st.integers(0, 1000))
def test_the_same_seed_gives_the_same_tree(seed):
    assert random_tree(random.Random(seed)) == random_tree(random.Random(seed))


def test_perft_counts_lines_of_exactly_that_many_plies():
    leaf = Node(MAX, 1)
    inner = Node(1, 0, ((0, 0), (0, 1)))
    tree = LayeredTree(((Node(MAX, 0, ((0, 0), (1, 0), (0, 0))),), (inner, leaf), (leaf,)))
    assert [perft(tree, tree.initial_state(), depth) for depth in range(4)] == [1, 3, 4, 0]


def test_a_negative_depth_is_refused():
    with pytest.raises(ValueError, match=r"perft cannot look -1 plies ahead: the depth is 0 or more"):
        perft(random_tree(random.Random(1)), (0, 0, 0), -1)


def test_the_value_of_a_chance_node_is_the_mean_by_probability():
    leaves = (Node(MAX, -2), Node(MAX, 2))
    tree = LayeredTree(((Node(CHANCE, 0, ((0, 0), (1, 1)), (1, 3)),), leaves))
    assert minimax_value(tree, tree.initial_state()) == -2 / 4 + 3 * 3 / 4


def test_a_depth_limit_evaluates_where_it_ends():
    leaves = (Node(MAX, -2), Node(MAX, 2))
    tree = LayeredTree(((Node(MAX, 0, ((0, 0), (1, 0))),), leaves))
    assert minimax_value(tree, (0, 0, 0), 0, lambda state: 7) == 7
    assert minimax_value(tree, (0, 0, 0), 1, lambda state: 7) == 2


def test_what_needs_no_hypothesis_does_not_import_it():
    program = (
        "import sys, random, ggp.testing as kit; tree = kit.random_tree(random.Random(1));"
        "kit.perft(tree, tree.initial_state(), 2); sys.exit('hypothesis' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0  # noqa: S603
