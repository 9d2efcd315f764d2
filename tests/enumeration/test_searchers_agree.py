"""Every tree searcher finds the value of a game with cycles that enumeration finds, and calls it exact."""

import random

import pytest
from ggp_solve.solver import solve

import ggp
from ggp.testing import random_graph

REGISTRY = ggp.load_registry()
SEARCHERS = [
    *("minimax", "alphabeta", "scout", "negascout", "mtdf", "quiescence", "expectiminimax", "star1", "star2"),
    *("alphabeta:table=0,ordering=none,bounds=no", "mtdf:table=1"),
]


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 200), marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize("text", SEARCHERS)
def test_a_searcher_finds_the_value_of_graphs_with_cycles(text, seeds):
    searcher, _ = REGISTRY.parse_searcher(f"{text}{',' if ':' in text else ':'}speed=interpreted")
    for seed in seeds:
        graph = random_graph(random.Random(seed), vertices=10)
        found = searcher.search(graph, graph.initial_state())
        assert (found.value, found.exact) == (solve(graph, graph.initial_state()).value, True), seed


@pytest.mark.parametrize("stochastic", [False, True])
def test_monte_carlo_tree_search_ends_on_graphs_with_cycles(stochastic):
    searcher, _ = REGISTRY.parse_searcher("mcts:speed=interpreted")
    for seed in range(5):
        graph = random_graph(random.Random(seed), vertices=10, stochastic=stochastic)
        found = searcher.search(graph, graph.initial_state(), ggp.Limits(nodes=300))
        assert -2 <= found.value <= 2
