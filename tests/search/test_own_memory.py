"""Memory of a searcher's own holds the same at both speeds, and so both search the same states."""

import pathlib

import attrs
import pytest
from ggp_search import TreeSearcher
from ggp_search.engine.settings import ANY_NUMBERS, INTEGERS
from ggp_search.memory.allocator import Allocator
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.show.tree import fold
from ggp.testing import check_exact_searcher
from ggp.trace import Cut, Enter, Leaf

REGISTRY = ggp.load_registry()
REGISTRY.load_file(pathlib.Path(__file__).parents[2] / "examples" / "killers" / "ggp_killers" / "searcher.py")


def both_speeds(searcher, game, depth):
    found = []
    for speed in ("interpreted", "compiled"):
        done = attrs.evolve(searcher, speed=speed).search(game, game.initial_state(), ggp.Limits(depth=depth))
        counted = done.statistics
        assert (done.speed, done.note) == (speed, None)
        found.append((done.action, done.value, counted.nodes, counted.leaves, counted.cutoffs))
    return found


@pytest.mark.parametrize(
    ("name", "depth"),
    [("tictactoe", 7), *(pytest.param(*each, marks=pytest.mark.slow) for each in (("kalah", 7), ("morris", 3)))],
)
def test_killers_make_the_same_moves_at_both_speeds(name, depth):
    interpreted, compiled = both_speeds(REGISTRY.searcher("killers"), REGISTRY.game(name), depth)
    assert interpreted == compiled


def test_killers_spare_states_where_the_same_move_refutes_often():
    game = REGISTRY.game("tictactoe")
    nodes = [
        REGISTRY.searcher(name, speed="interpreted").search(game, game.initial_state(), ggp.Limits(depth=7))
        for name in ("killers", "negascout")
    ]
    assert nodes[0].value == nodes[1].value
    assert nodes[0].statistics.nodes < 0.6 * nodes[1].statistics.nodes


def test_memory_that_learns_from_what_a_table_has_lost_is_no_fault_of_the_rules(monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")  # new code is compared with the rules in deep searches, too
    searcher = type("New", (type(REGISTRY.searcher("killers")),), {})(speed="compiled", table=1)
    game = REGISTRY.game("tictactoe")
    found = searcher.search(game, game.initial_state(), ggp.Limits(depth=6))
    assert (found.speed, found.note, found.value) == ("compiled", None, 1 / 9)


@pytest.mark.slow
def test_killers_change_no_value():
    check_exact_searcher(REGISTRY.searcher("killers"))


def test_killers_are_watched_with_their_cuts_though_the_order_is_their_own():
    game, searcher = REGISTRY.game("tictactoe"), REGISTRY.searcher("killers")
    limits = ggp.Limits(depth=3)
    events = list(searcher.trace(game, game.initial_state(), limits))
    found = attrs.evolve(searcher, speed="interpreted").search(game, game.initial_state(), limits)
    root = fold(game, events).root
    assert (root.lower, root.upper, root.choice) == (found.value, found.value, found.action)
    assert sum(isinstance(each, Enter) for each in events) == found.statistics.nodes
    assert sum(isinstance(each, Leaf) for each in events) == found.statistics.leaves
    cuts = [each for each in events if isinstance(each, Cut)]
    assert len(cuts) == found.statistics.cutoffs
    assert {searcher.source[each.line].strip() for each in cuts} == {
        "break  # MIN has a better option higher up",
        "break  # MAX has a better option higher up",
    }
    assert "def killers_first(" in "".join(searcher.source)


def remembering(game, search, state, depth, alpha, beta, choice):
    """Alpha-beta that enters actions which were good before first, and counts states and plies in every kind of row."""
    own = search.own
    own.entered[0] = own.entered[0] + 1
    met = own.states.number(state)
    if met >= 0:
        own.times[met] = own.times[met] + 1
    own.sums[depth] = own.sums[depth] + 0.5 * met
    is_max = game.to_move(state) == ggp.MAX
    best = search.lowest if is_max else search.highest
    for good in (True, False):
        for action in game.actions(state):
            number = own.index.number(action)
            was_good = own.history[number] > 0 and not own.latest.holds(depth, action) and own.sums[depth] < 1000
            was_good = was_good and own.entered[0] % 3 > 0
            if was_good == good and not (is_max and best >= beta) and not (not is_max and best <= alpha):
                child = search.value(game.result(state, action), depth - 1, alpha, beta)
                if (child > best) if is_max else (child < best):
                    best, choice = child, action
                if is_max:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
                if alpha >= beta:
                    own.history[number] = own.history[number] + depth * depth
                    own.latest.put(depth, action)
    return best, choice


class Everything:
    def __init__(self, memory):
        self.states, self.index = memory.state_index(50), memory.action_index(20)
        self.times, self.history = memory.integers(50), memory.integers(20)
        self.entered = memory.integers(1)
        self.sums = memory.floats(memory.depths)
        self.latest = memory.actions(memory.depths)


@attrs.frozen(kw_only=True)
class Remembering(TreeSearcher):
    """Remembering: alpha-beta with all kinds of memory."""

    name = "remembering"
    recursion = staticmethod(remembering)

    def own_memory(self, memory):
        return Everything(memory)


@pytest.mark.slow
def test_every_kind_of_memory_is_the_same_at_both_speeds():
    interpreted, compiled = both_speeds(Remembering(), REGISTRY.game("tictactoe"), 6)
    assert interpreted == compiled


STEPS = st.lists(
    st.tuples(st.sampled_from(["row", "floats", "put", "copy", "index"]), st.integers(0, 4), st.integers(0, 9))
)


@given(steps=STEPS)
def test_words_hold_what_lists_and_dictionaries_do(steps):
    kept = []
    for memory in (Allocator(ANY_NUMBERS), Allocator(INTEGERS, 2, 1)):
        row, floats, places = memory.integers(5), memory.floats(5), memory.actions(5)
        states, actions = memory.state_index(6), memory.action_index(4)
        seen = []
        for kind, index, number in steps:
            if kind == "row":
                row[index] = number
            elif kind == "floats":
                floats[index] = number / 4
            elif kind == "put":
                places.put(index, number)
            elif kind == "copy":
                places.copy(index, number % 5)
            else:
                seen += [states.number((index, number)), actions.number(number)]
            seen += [row[index], floats[index], places.holds(index, number)]
        kept.append((seen, [row[index] for index in range(len(row))]))
    assert kept[0] == kept[1]


@pytest.mark.parametrize("index", [-1, 5])
def test_words_beyond_a_row_are_not_touched(index):
    memory = Allocator(INTEGERS, 2, 1)
    for use in (
        lambda: memory.integers(5)[index],
        lambda: memory.floats(5).__setitem__(index, 1.0),
        lambda: memory.actions(5).put(index, 1),
        lambda: memory.actions(5).copy(0, index),
    ):
        with pytest.raises(IndexError):
            use()


class Known:
    """The value of each state at its last visit, and the depth of that visit."""

    def __init__(self, memory):
        self.states, self.depths = memory.state_index(2_000), memory.integers(2_000)
        self.values = memory.values(2_000)


def remembering(game, search, state, depth, choice):
    number = search.own.states.number(state)
    if number >= 0 and search.own.depths[number] == depth and choice is not None:
        return search.own.values[number], choice
    is_max = game.to_move(state) == ggp.MAX
    best = search.lowest if is_max else search.highest
    for action in game.actions(state):
        value = search.value(game.result(state, action), depth - 1)
        if (is_max and value > best) or (not is_max and value < best):
            best, choice = value, action
    if number >= 0:
        search.own.depths[number], search.own.values[number] = depth, best
        best = search.own.values[number]
    return best, choice


@attrs.frozen(kw_only=True)
class Rememberer(TreeSearcher):
    """Rememberer: minimax whose values come from memory of its own."""

    name = "rememberer"
    recursion = staticmethod(remembering)
    windowed = False

    def own_memory(self, memory):
        return Known(memory)


@pytest.mark.parametrize("name", ["kalah", "tictactoe"])
def test_values_in_memory_are_whole_numbers_or_fractions_as_the_game_has_them(name):
    interpreted, compiled = both_speeds(Rememberer(table=0), REGISTRY.game(name), 3)
    assert interpreted == compiled
