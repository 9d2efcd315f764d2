"""The memory of a search is given back when the search is over."""

import gc

import pytest
from ggp_search.memory.buffer import Buffer

import ggp


@pytest.fixture
def no_buffer():
    """Whether no memory of a search is alive that was taken in this test; what is older is not looked at, nor is it
    collected, which would take seconds after thousands of tests.
    """

    def none_alive():
        gc.collect()
        return not any(isinstance(each, Buffer) for each in gc.get_objects())

    gc.freeze()
    yield none_alive
    gc.unfreeze()


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
def test_no_table_or_tree_is_alive_after_the_first_search_of_its_kind_or_the_second(name, options, no_buffer):
    registry = ggp.load_registry()
    game = registry.game("kalah", houses=2, seeds=3)
    for _ in range(2):
        found = registry.searcher(name, **options).search(game, game.initial_state(), ggp.Limits(nodes=2000))
        assert found.statistics.nodes > 0
        assert no_buffer()
