"""Aspiration windows change no value; late-move reductions and futility change none that depends on no estimate."""

from types import SimpleNamespace

import pytest
from ggp_search import AlphaBeta, NegaScout
from ggp_search.engine.driver import aspiration_window
from ggp_search.engine.settings import ANY_NUMBERS
from hash_tree import HashTree
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


class Deepening(NegaScout):
    """Deepens where the depth is limited, too: then the table has an action for each state."""

    deepens = True


class PassingTree:
    """A tree in which a pass has the same result as the first action, so that passing is never better than moving."""

    def __init__(self, tree):
        self.tree = tree

    def __getattr__(self, name):
        return getattr(self.tree, name)

    def passed(self, state):
        return self.tree.result(state, next(iter(self.tree.actions(state))))


@given(tree=trees(), depth=st.integers(2, 7), nulls=st.integers(1, 2), singular=st.sampled_from([0, 0.5, 2]))
def test_with_null_moves_and_singular_extensions_a_value_that_is_called_exact_is(tree, depth, nulls, singular):
    state = tree.initial_state()
    searcher = Deepening(**PLAIN | {"table": 0.01}, nulls=nulls, singular=singular)
    found = searcher.search(PassingTree(tree), state, ggp.Limits(depth=depth))
    if found.exact:
        assert found.value == minimax_value(tree, state)
    assert searcher.search(PassingTree(tree), state).value == minimax_value(tree, state)


BOARD = ggp.load_registry().game("tictactoe", h=4, v=4, k=4)


def test_a_search_with_null_moves_enters_fewer_states_and_finds_the_same():
    options = {"table": 1, "ordering": "suggestion", "speed": "interpreted"}
    plain, passing = (
        NegaScout(**options, nulls=nulls).search(BOARD, BOARD.initial_state(), ggp.Limits(depth=5)) for nulls in (0, 1)
    )
    assert passing.statistics.nodes < plain.statistics.nodes
    assert (passing.value, passing.action) == (plain.value, plain.action)


def test_a_game_without_harmless_passes_is_searched_as_before():
    assert nodes(5, nulls=2) == nodes(5)


def test_a_pass_is_not_shown():
    with pytest.raises(
        ggp.UsageError,
        match=r"^negascout: a tree cannot show passes, since they are not actions of the game: use nulls=0$",
    ):
        NegaScout(nulls=2).trace(BOARD, BOARD.initial_state())


class Ladder:
    """A line of forced moves: each state has a second action, which loses at once; whoever comes to the end wins."""

    name = "ladder"
    length = 9

    def initial_state(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return range(2)

    def result(self, state, action):
        return state + 1 if action == 0 else -1 - state

    def terminal_test(self, state):
        return state < 0 or state == self.length

    def utility(self, state, player):
        value = 1 if state == self.length or -1 - state & 1 else -1
        return value if player == ggp.MAX else -value


def won_from(singular, speed="interpreted"):
    """Return the first depth at which the win at the end of the ladder is seen."""
    searcher, seen = Deepening(speed=speed, table=1, singular=singular), []
    searcher.search(Ladder(), 0, ggp.Limits(depth=20), report=seen.append)
    return next(each.statistics.depth for each in seen if each.value == 1)


def test_a_forced_line_is_searched_deeper_with_singular_extensions():
    assert won_from(singular=0) == Ladder.length
    assert won_from(singular=0.5) < Ladder.length


@pytest.mark.slow
def test_machine_code_searches_a_forced_line_deeper():
    assert won_from(singular=0.5, speed="compiled") < Ladder.length


class PassingHashTree(HashTree):
    """Random trees in which a pass is as good as the first action."""

    def passed(self, state):
        return self.result(state, 0)


@pytest.mark.slow
def test_machine_code_with_null_moves_calls_exact_what_is():
    game, searcher, exact = PassingHashTree(), NegaScout(**PLAIN | {"speed": "compiled", "nulls": 1}), 0
    for tree in range(40):
        state = game.root(tree, 8)
        found = searcher.search(game, state, ggp.Limits(depth=16))
        assert found.speed == "compiled"
        if found.exact:
            exact += 1
            assert found.value == minimax_value(game, state)
    assert exact > 5


def test_both_speeds_search_the_same_states_with_windows_and_reductions():
    options = {"table": 0, "ordering": "none", "bounds": False, "aspiration": 1, "reductions": 1, "futility": 1}
    state, limits = KALAH.initial_state(), ggp.Limits(depth=7)
    slow, fast = (
        NegaScout(**options, speed=speed).search(KALAH, state, limits) for speed in ("interpreted", "compiled")
    )
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert (slow.value, slow.action, slow.statistics.nodes) == (fast.value, fast.action, fast.statistics.nodes)
