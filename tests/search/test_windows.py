"""Aspiration windows change no value; late-move reductions and futility change none that depends on no estimate."""

from types import SimpleNamespace

import pytest
from ggp_search import AlphaBeta, NegaScout
from ggp_search.engine.driver import aspiration_window
from ggp_search.engine.number_kind import ANY_NUMBERS
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.testing import minimax_value, trees

PLAIN = {"table": 0, "ordering": "none", "bounds": False, "speed": "interpreted"}
KALAH = ggp.load_registry().game("kalah", houses=3, seeds=3)


@pytest.mark.parametrize("searcher", [AlphaBeta, NegaScout])
@given(
    tree=trees(),
    depth=st.integers(1, 4),
    width=st.sampled_from([1e-3, 0.5, 1, 7]),
    table=st.sampled_from([0, 0.01]),
    nodes=st.sampled_from([None, 100]),
)
def test_aspiration_windows_change_no_value(searcher, tree, depth, width, table, nodes):
    state = tree.initial_state()
    options = PLAIN | {"aspiration": width, "table": table}
    found = searcher(**options).analyse(tree, state, ggp.Limits(depth=depth, nodes=nodes))
    if found.complete:
        assert found.value == minimax_value(tree, state, depth, tree.evaluations["estimate"])
        for action, value in found.values.items():
            below = minimax_value(tree, tree.result(state, action), depth - 1, tree.evaluations["estimate"])
            assert value == below


@given(tree=trees(), width=st.sampled_from([0.5, 3]))
def test_to_the_end_of_the_game_windows_and_reductions_find_the_exact_value(tree, width):
    state = tree.initial_state()
    for options in ({"aspiration": width}, {"reductions": 1}, {"aspiration": width, "reductions": 2}):
        found = NegaScout(**PLAIN, **options).search(tree, state)
        assert found.exact
        assert found.value == minimax_value(tree, state)


@given(tree=trees(), depth=st.integers(3, 6), reductions=st.integers(1, 3))
def test_with_reductions_a_value_that_is_called_exact_is(tree, depth, reductions):
    state = tree.initial_state()
    found = NegaScout(**PLAIN, reductions=reductions).search(tree, state, ggp.Limits(depth=depth))
    if found.exact:
        assert found.value == minimax_value(tree, state)


@given(tree=trees(), depth=st.integers(1, 5), futility=st.sampled_from([0.5, 2]))
def test_with_futility_a_value_that_is_called_exact_is(tree, depth, futility):
    state = tree.initial_state()
    found = NegaScout(**PLAIN, futility=futility).search(tree, state, ggp.Limits(depth=depth))
    if found.exact:
        assert found.value == minimax_value(tree, state)


def test_no_state_is_left_out_if_an_action_may_change_the_evaluation_by_more_than_it_ever_does():
    assert nodes(4, futility=1e6) == nodes(4)


def test_the_less_an_action_may_change_the_evaluation_the_fewer_states_are_entered():
    counts = [kalah_nodes(futility) for futility in (1, 4, 0)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def kalah_nodes(futility):
    found = NegaScout(**PLAIN, futility=futility).search(KALAH, KALAH.initial_state(), ggp.Limits(depth=5))
    return found.statistics.nodes


def nodes(depth, **options):
    game = ggp.load_registry().game("connectfour")
    found = NegaScout(**PLAIN, **options).search(game, game.initial_state(), ggp.Limits(depth=depth))
    return found.statistics.nodes


def test_reductions_enter_fewer_states_the_earlier_they_begin():
    counts = [nodes(6, reductions=reductions) for reductions in (1, 3, 0)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] / 2
    assert nodes(2, reductions=1) == nodes(2)


class Windows:
    """An engine whose searches all find one value, and which keeps the windows that were asked for."""

    numbers = ANY_NUMBERS

    def __init__(self, value, aspiration):
        self.value, self.windows = value, []
        self.search = SimpleNamespace(options=AlphaBeta(aspiration=aspiration))

    def within(self, state, depth, alpha, beta):
        self.windows.append((alpha, beta))
        return self.value


@pytest.mark.parametrize(
    ("value", "windows"),
    [
        pytest.param(0.5, [(-1, 1)], id="within"),
        pytest.param(10, [(-1, 1), (-1, 14)], id="too high"),
        pytest.param(-1, [(-1, 1), (-5, 1)], id="at the lower end, so it may be less"),
    ],
)
def test_a_window_grows_only_where_it_fails(value, windows):
    engine = Windows(value, 1.0)
    assert aspiration_window(engine, None, 3, 0) == value
    assert engine.windows == windows


def test_both_speeds_search_the_same_states_with_windows_and_reductions():
    options = {"table": 0, "ordering": "none", "bounds": False, "aspiration": 1, "reductions": 1, "futility": 1}
    state, limits = KALAH.initial_state(), ggp.Limits(depth=7)
    slow, fast = (
        NegaScout(**options, speed=speed).search(KALAH, state, limits) for speed in ("interpreted", "compiled")
    )
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert (slow.value, slow.action, slow.statistics.nodes) == (fast.value, fast.action, fast.statistics.nodes)
