"""Df-pn and quiescence find what their definitions say; symmetric states and repetitions change no value."""

import itertools
from typing import ClassVar

import pytest
from ggp_search import AlphaBeta, DfPn, Minimax, Quiescence
from ggp_search.engine.settings import INTEGERS
from ggp_search.memory.proof_numbers import INFINITE, CompiledProofTable, InterpretedProofTable, ProofNode, add
from ggp_tictactoe import TicTacToe
from ggp_toys import Pig
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.capabilities import play
from ggp.testing import minimax_value, trees

PLAIN = {"table": 0, "ordering": "none", "bounds": False, "speed": "interpreted"}


@given(tree=trees(), depth=st.one_of(st.none(), st.integers(1, 4)), table=st.sampled_from([0.001, 1]))
def test_dfpn_finds_the_minimax_value_and_those_of_all_actions(tree, depth, table):
    state = tree.initial_state()
    if tree.terminal_test(state):
        return
    found = DfPn(table=table, speed="interpreted").analyse(tree, state, ggp.Limits(depth=depth))
    below = {
        action: minimax_value(tree, tree.result(state, action), depth and depth - 1, tree.evaluations["estimate"])
        for action in tree.actions(state)
    }
    assert found.values == below
    assert found.value == minimax_value(tree, state, depth, tree.evaluations["estimate"])
    assert found.action in found.best_actions
    if depth is None:
        assert minimax_value(tree, play(tree, state, found.principal_variation)) == found.value


@pytest.mark.slow
def test_dfpn_enters_fewer_states_than_alphabeta_where_proofs_are_narrow():
    game = ggp.load_registry().game("kalah", houses=4, seeds=2)
    plain = AlphaBeta(**PLAIN).search(game, game.initial_state())
    found = DfPn(speed="interpreted").search(game, game.initial_state())
    assert (found.value, found.exact) == (plain.value, True)
    assert found.statistics.nodes < plain.statistics.nodes / 2


class Splits:
    """Take a heap of one or two, or split a larger one; whoever takes the last heap wins."""

    name = "splits"

    def initial_state(self):
        return (4, 0, ggp.MAX)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        for heap in range(2):
            if state[heap] > 2 and 0 in state[:2]:
                yield "split", heap, 1
            elif state[heap] > 0:
                yield "take", heap

    def result(self, state, action):
        heaps = [*state[:2]]
        if action[0] == "split":
            heaps[1 - action[1]] = action[2]
            heaps[action[1]] -= action[2]
        else:
            heaps[action[1]] = max(0, heaps[action[1]] - 2)
        return heaps[0], heaps[1], 1 - state[2]

    def terminal_test(self, state):
        return state[:2] == (0, 0)

    def utility(self, state, player):
        return -1 if state[2] == player else 1


def test_dfpn_searches_moves_of_several_lengths_alike_at_both_speeds():
    game = Splits()
    slow, fast = (DfPn(speed=speed).search(game, game.initial_state()) for speed in ("interpreted", "compiled"))
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert (slow.value, slow.action) == (fast.value, fast.action) == (-1, ("split", 0, 1))


def test_dfpn_refuses_chance():
    with pytest.raises(ggp.UnsupportedGameError, match="dfpn cannot search pig: pig is a game of chance"):
        DfPn().search(Pig(), Pig().initial_state())


@given(
    st.lists(
        st.tuples(st.integers(-50, 50), st.integers(1, 9), st.integers(0, INFINITE), st.integers(0, INFINITE)),
        max_size=60,
    )
)
def test_proof_numbers_in_words_are_those_of_the_dictionary_or_forgotten(entries):
    words, dictionary = CompiledProofTable(0.001, INTEGERS, 2), InterpretedProofTable(1)
    words.ask(), dictionary.ask()
    for number, depth, proof, disproof in entries:
        for table in (words, dictionary):
            table.store((number, -number), depth, ProofNode(proof, disproof), abs(number))
        assert words.probe((number, -number), depth) == ProofNode(proof, disproof)
    for number, depth, _, _ in entries:
        known = dictionary.probe((number, -number), depth)
        assert words.probe((number, -number), depth) in (known, None)
    words.ask()
    assert all(words.probe((number, -number), depth) is None for number, depth, _, _ in entries)


def test_only_what_is_infinite_makes_a_sum_infinite():
    assert (add(1, 2), add(INFINITE, 0), add(INFINITE - 1, INFINITE - 1)) == (3, INFINITE, INFINITE - 1)


class Loud:
    """A tree in which some actions are noisy."""

    def __init__(self, tree):
        self.tree = tree

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.tree, name)

    def quiet(self, state, action):
        return (state[0] + state[1] + action) % 3 > 0


def quiescent_value(game, state, depth, extension):
    """The definition: at the horizon, whoever moves chooses between the estimate and the noisy actions."""
    if game.terminal_test(state):
        return game.utility(state, ggp.MAX)
    values = [] if depth > 0 else [game.evaluations["estimate"](state)]
    if depth > -extension:
        for action in game.actions(state):
            if depth > 0 or not game.quiet(state, action):
                values.append(quiescent_value(game, game.result(state, action), depth - 1, extension))
    return (max if game.to_move(state) == ggp.MAX else min)(values)


@pytest.mark.parametrize("table", [0, 1])
@given(tree=trees(), depth=st.integers(1, 3), extension=st.integers(0, 3))
def test_quiescence_looks_at_noisy_actions_beyond_the_horizon(table, tree, depth, extension):
    game = Loud(tree)
    searcher = Quiescence(**PLAIN | {"table": table}, extension=extension)
    found = searcher.search(game, game.initial_state(), ggp.Limits(depth=depth))
    assert found.value == quiescent_value(game, game.initial_state(), depth, extension)


@given(tree=trees(), depth=st.integers(1, 3))
def test_quiescence_is_alphabeta_where_the_game_does_not_say_what_is_quiet(tree, depth):
    searchers = (Quiescence(**PLAIN), AlphaBeta(**PLAIN))
    quiet, plain = (each.search(tree, tree.initial_state(), ggp.Limits(depth=depth)) for each in searchers)
    assert (quiet.value, quiet.statistics.nodes) == (plain.value, plain.statistics.nodes)


class Takeaway:
    """Two heaps, whose order does not matter: take one or two from either; whoever takes the last one wins."""

    name: ClassVar[str] = "takeaway"

    def initial_state(self):
        return (7, 6, ggp.MAX)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [(heap, taken) for heap in (0, 1) for taken in (1, 2) if taken <= state[heap]]

    def result(self, state, action):
        assert action in self.actions(state)
        heap, taken = action
        heaps = [state[0] - taken, state[1]] if heap == 0 else [state[0], state[1] - taken]
        return (*heaps, 1 - state[2])

    def terminal_test(self, state):
        return state[0] + state[1] == 0

    def utility(self, state, player):
        return -1 if state[2] == player else 1


class Passing(Takeaway):
    """Takeaway with a pass in the worst place for a search that takes None for no action."""

    def initial_state(self):
        return (4, 3, ggp.MAX, False)

    def actions(self, state):
        return [*super().actions(state), None] if not state[3] else super().actions(state)

    def result(self, state, action):
        if action is None:
            return (*state[:2], 1 - state[2], True)
        return (*super().result(state, action), state[3])


@pytest.mark.parametrize(
    ("ordering", "speed"),
    [
        ("table", "interpreted"),
        ("evaluation", "interpreted"),
        ("table", "compiled"),
        pytest.param("evaluation", "compiled", marks=pytest.mark.slow),
    ],
)
def test_no_order_leaves_out_an_action_that_is_none(ordering, speed):
    game = Passing()
    value = minimax_value(game, game.initial_state())
    found = AlphaBeta(table=1, ordering=ordering, speed=speed).search(game, game.initial_state())
    assert (found.value, found.exact) == (value, True)


class Mirrored(Takeaway):
    def canonical(self, state):
        return (*sorted(state[:2]), state[2])


class Merging(Takeaway):
    """A game that breaks the law of keys: states with one key have different actions."""

    def score(self, state):
        return 0

    def key(self, state):
        return (*sorted(state[:2]), state[2])

    @property
    def evaluations(self):
        return {"none": ggp.Evaluation(lambda state: 0, separable=True)}


def states(game):
    found, waiting = set(), [game.initial_state()]
    while waiting:
        state = waiting.pop()
        if state not in found and not game.terminal_test(state):
            found.add(state)
            waiting += [game.result(state, action) for action in game.actions(state)]
    return sorted(found)


@pytest.mark.parametrize("etc", [False, True])
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_a_table_of_canonical_states_maps_actions_back(etc, every):
    searcher = AlphaBeta(table=1, ordering="table", etc=etc, speed="interpreted")
    for state in states(Takeaway())[::every]:
        value = Minimax(**PLAIN).search(Takeaway(), state).value
        found = searcher.search(Mirrored(), state)
        assert found.value == value
        end = play(Mirrored(), state, found.principal_variation)
        assert minimax_value(Takeaway(), end) == value
        assert minimax_value(Takeaway(), Takeaway().result(state, found.action)) == value


def test_a_table_of_canonical_states_saves_work():
    start, options = (5, 5, ggp.MAX), {"table": 1, "ordering": "none", "speed": "interpreted"}
    nodes = [AlphaBeta(**options).search(game, start).statistics.nodes for game in (Mirrored(), Takeaway())]
    assert nodes[0] < 0.8 * nodes[1]


@pytest.mark.parametrize("ordering", ["none", "table"])
def test_no_table_makes_an_action_that_is_not_legal(ordering):
    """Not even one of a game that breaks its promises: `result` asserts that its action is legal."""
    for table in (0.001, 1):
        for state in states(Merging()):
            AlphaBeta(table=table, ordering=ordering, speed="interpreted").analyse(Merging(), state)


class Rounds(Takeaway):
    """Takeaway in which a player may also pass, if the other has not just done so, so that states come back."""

    repetition: ClassVar[object] = "draw"

    def initial_state(self):
        return (3, 2, ggp.MAX)

    def actions(self, state):
        return [*Takeaway.actions(self, state), (0, 0)]


def retrograde_values(game):
    """Values by iteration over all states, where endless play is a draw."""
    values = dict.fromkeys(states(game), 0)
    changed = True
    while changed:
        changed = False
        for state in values:
            children = [game.result(state, action) for action in game.actions(state)]
            known = [values[each] if each in values else game.utility(each, ggp.MAX) for each in children]
            value = (max if game.to_move(state) == ggp.MAX else min)(known)
            if value != values[state]:
                values[state], changed = value, True
    return values


@pytest.mark.parametrize(
    ("table", "speed"),
    [
        *itertools.product((0, 1), ("interpreted",)),
        pytest.param(0, "compiled", marks=pytest.mark.slow),
        (1, "compiled"),
    ],
)
def test_a_search_of_a_game_that_repeats_ends_with_its_value(table, speed):
    searcher, game = AlphaBeta(**PLAIN | {"table": table, "speed": speed}), Rounds()
    for state, value in retrograde_values(game).items():
        found = searcher.search(game, state)
        assert (found.value, found.exact, found.speed) == (value, True, speed)
        line = found.principal_variation
        reached = [state, *(play(game, state, line[:length]) for length in range(1, len(line)))]
        assert len(set(reached)) == len(reached)  # best play ends where a state comes back


def test_tictactoe_is_a_draw_by_dfpn():
    found = DfPn(speed="interpreted").search(TicTacToe(), TicTacToe().initial_state())
    assert (found.value, found.exact) == (0, True)


class CountedOthello(type(ggp.load_registry().game("othello"))):
    """Othello that counts how often a state's canonical state is computed."""

    name = "countedothello"
    calls: ClassVar[list[object]] = []

    def canonical(self, state):
        self.calls.append(state)
        return super().canonical(state)


@pytest.mark.parametrize(("moves", "symmetric"), [((), True), (("d3", "c5"), False)])
def test_canonical_states_are_used_where_symmetric_successors_show_that_they_pay(moves, symmetric):
    game = CountedOthello()
    state = game.initial_state()
    for move in moves:
        state = game.result(state, game.parse_action(state, move))
    game.calls.clear()
    AlphaBeta(speed="interpreted", table=1).search(game, state, ggp.Limits(depth=3))
    children = len(list(game.actions(state)))
    assert (len(game.calls) > children) == symmetric
