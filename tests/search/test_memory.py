"""The memory of a search is given back when the search is over."""

import gc

import pytest
from ggp_search.memory.buffer import Buffer

import ggp


def buffers():
    return {id(each) for each in gc.get_objects() if isinstance(each, Buffer)}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("alphabeta", {"table": 8}),
        pytest.param("mtdf", {}, marks=pytest.mark.slow),
        pytest.param("alphabeta", {"table": 8, "threads": 2}, marks=pytest.mark.slow),
        ("mcts", {}),
        pytest.param("dfpn", {}, marks=pytest.mark.slow),
    ],
)
def test_no_table_or_tree_is_alive_after_the_first_search_of_its_kind_or_the_second(name, options):
    registry = ggp.load_registry()
    game = registry.game("kalah", houses=2, seeds=3)
    before = buffers()
    for _ in range(2):
        found = registry.searcher(name, **options).search(game, game.initial_state(), ggp.Limits(nodes=2000))
        assert found.statistics.nodes > 0
        gc.collect()
        assert buffers() <= before  # other tests may hold some
