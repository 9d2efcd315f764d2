"""Monte Carlo tree search against exact values, at both speeds."""

import itertools
import math
import os
import random
import re
import signal
import time
from collections import Counter

import attrs
import pytest
from ggp_search import MonteCarlo
from ggp_search.memory import playout_tree
from ggp_search.memory.playout_tree import Scale
from ggp_tictactoe import TicTacToe
from ggp_toys import Nim, Pig, Tree
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp import CHANCE, MAX, MIN, Limits
from ggp.capabilities import evaluation, legal_actions, play
from ggp.compiler.intrinsics import load, mix, spread
from ggp.testing import LayeredTree, minimax_value, random_tree
from ggp.testing.trees import Node

MINUTELY = Pig(sides=3, goal=6, turns=6)
"""A game of chance that expectiminimax can search to its end."""


def search(game, state=None, limits=Limits(), **options):
    state = game.initial_state() if state is None else state
    return MonteCarlo(**{"speed": "interpreted"} | options).search(game, state, limits)


def analyse(game, state=None, limits=Limits(), **options):
    state = game.initial_state() if state is None else state
    return MonteCarlo(**{"speed": "interpreted"} | options).analyse(game, state, limits)


def same(result):
    """What must not depend on the machine."""
    timeless = attrs.evolve(result.statistics, seconds=0.0, compile_seconds=0.0)
    return attrs.evolve(result, statistics=timeless, speed="", note=None)


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
@pytest.mark.parametrize(
    ("board", "value", "actions"),
    [
        pytest.param("XX./OO./... X", 1, {2}, id="X fills a row"),
        pytest.param("XX./OO./X.. O", -1, {5}, id="O fills a row first"),
        pytest.param("X../.O./..X O", 0, {1, 3, 5, 7}, id="a corner would lose to a fork"),
        pytest.param("XO./.../... X", 1, {3, 4, 6}, id="three ways to two threats at once"),
    ],
)
def test_forced_play_is_proven(board, value, actions, speed):
    rows, mover = board.split()
    cells = rows.replace("/", "")
    boards = [sum(1 << place for place, mark in enumerate(cells) if mark == player) for player in "XO"]
    game, state = TicTacToe(), (*boards, "XO".index(mover))
    found = search(game, state, speed=speed)
    assert found.value == value == minimax_value(game, state)
    assert found.exact
    assert found.complete
    assert found.action in actions
    assert game.utility(play(game, state, found.principal_variation), MAX) == value


@pytest.mark.slow
def test_tic_tac_toe_is_a_draw():
    found = search(TicTacToe(), limits=Limits(nodes=3000))
    assert abs(found.value) < 0.5
    assert not found.exact
    assert minimax_value(TicTacToe(), TicTacToe().result((0, 0, MAX), found.action)) == 0


def test_twenty_thousand_playouts_prove_that_tic_tac_toe_is_a_draw():
    found = search(TicTacToe(), limits=Limits(nodes=20_000), speed="compiled")
    assert (found.value, found.exact, found.stopped) == (0, True, None)


def grown(seed, stochastic):
    return random_tree(random.Random(seed), stochastic=stochastic)


@given(st.integers(0, 100_000), st.booleans(), st.integers(0, 100))
def test_a_proved_value_is_the_minimax_value(tree_seed, stochastic, seed):
    tree = grown(tree_seed, stochastic)
    found = analyse(tree, seed=seed, playouts=600)
    if found.exact and found.values:
        assert math.isclose(found.value, minimax_value(tree, tree.initial_state()), abs_tol=1e-9)
        worth = minimax_value(tree, play(tree, tree.initial_state(), found.principal_variation))
        assert math.isclose(worth, found.value, abs_tol=1e-9)
    if found.exact and found.values and found.statistics.nodes + found.statistics.extra_nodes < 600:
        for action, value in found.values.items():
            below = tree.result(tree.initial_state(), action)
            assert math.isclose(value, minimax_value(tree, below), abs_tol=1e-9)


def test_most_random_trees_are_proven():
    proven = [search(grown(seed, stochastic=False), playouts=500).exact for seed in range(100)]
    assert sum(proven) > 90


@settings(max_examples=30)
@given(st.integers(0, 100_000), st.booleans(), st.integers(0, 20), st.integers(0, 3))
def test_priors_and_cut_offs_change_no_proved_value(tree_seed, stochastic, prior, cutoff):
    tree = grown(tree_seed, stochastic)
    found = search(tree, playouts=600, prior=prior, cutoff=cutoff)
    if found.exact:
        assert math.isclose(found.value, minimax_value(tree, tree.initial_state()), abs_tol=1e-9)
    assert found.statistics.nodes <= 600


def test_a_prior_leads_playouts_to_what_the_evaluation_promises():
    game = TicTacToe()

    def corner(state):
        return 1.0 if state[0] & 1 else 0.0

    plain, led = (search(game, limits=Limits(nodes=60), evaluation=corner, prior=prior) for prior in (0, 50))
    assert led.action == 0
    assert plain.action != 0


def test_a_playout_that_is_cut_off_at_once_is_worth_the_evaluation():
    game = TicTacToe()
    found = search(game, limits=Limits(nodes=40), evaluation=lambda state: 0.25, cutoff=0, prior=0)
    assert found.value == 0.25


@settings(max_examples=30)
@given(st.integers(0, 100_000), st.booleans(), st.integers(1, 4))
def test_with_a_limit_of_depth_the_value_is_that_of_minimax_to_that_depth(tree_seed, stochastic, depth):
    tree = grown(tree_seed, stochastic)
    found = search(tree, limits=Limits(depth=depth), playouts=600)
    right = minimax_value(tree, tree.initial_state(), depth, evaluation(tree))
    whole = minimax_value(tree, tree.initial_state())
    if found.statistics.nodes < 600:
        assert math.isclose(found.value, right, abs_tol=1e-9)
    if found.exact:
        assert math.isclose(right, whole, abs_tol=1e-9)


def is_best(tree, action):
    root = tree.initial_state()
    below = {each: minimax_value(tree, tree.result(root, each)) for each in tree.actions(root)}
    right = (max if tree.to_move(root) == MAX else min)(below.values())
    return math.isclose(below[action], right, abs_tol=1e-9)


@pytest.mark.parametrize(("nodes", "share"), [(10, 0.8), (40, 0.95), (300, 1)])
def test_the_more_playouts_the_oftener_the_choice_is_best(nodes, share):
    """Of those trees whose root offers a choice that matters."""
    right = []
    for seed in range(200):
        tree = grown(seed, stochastic=True)
        choices = list(tree.actions(tree.initial_state()))
        if tree.to_move(tree.initial_state()) != CHANCE and not all(is_best(tree, action) for action in choices):
            right.append(is_best(tree, search(tree, limits=Limits(nodes=nodes)).action))
    assert len(right) > 70
    assert sum(right) / len(right) >= share


@pytest.mark.parametrize("mover", [MAX, MIN])
def test_both_players_want_their_own(mover):
    leaves = tuple(Node(MAX, worth) for worth in (-1, 1, 0))
    tree = LayeredTree(((Node(mover, 0, ((0, 0), (1, 0), (2, 0))),), leaves))
    found = search(tree)
    assert (found.action, found.value) == ((1, 1) if mover == MAX else (0, -1))


@pytest.mark.slow
def test_the_value_of_a_game_of_chance_nears_expectiminimax():
    right = minimax_value(MINUTELY, MINUTELY.initial_state())
    found = search(MINUTELY, limits=Limits(nodes=100_000), speed="compiled")
    assert math.isclose(found.value, right, abs_tol=0.03)


class Dare:
    """A coin decides: either many coins toss for 1 or -1, or a player is safe at 0, or tosses on and loses anyway."""

    name = "dare"
    tosses = 14

    def __init__(self, player):
        self.player = player

    def initial_state(self):
        return ("toss", 0)

    def to_move(self, state):
        return self.player if state[0] == "choose" else CHANCE

    def actions(self, state):
        return ["dare", "safe"] if state[0] == "choose" else [0, 1]

    def outcomes(self, state):
        return [(0, 0.5), (1, 0.5)]

    def result(self, state, action):
        phase, tossed, *coins = state
        if phase == "choose":
            return ("end", 0) if action == "safe" else ("lose", 0, *coins)
        if phase == "toss":
            return ("spin" if action else "choose", 0, action)
        return ("end" if tossed == self.tosses else phase, tossed + 1, *coins, action)

    def terminal_test(self, state):
        return state[0] == "end"

    def utility(self, state, player):
        _, tossed, *coins = state
        loss = 0 if tossed == 0 else 1 if coins[0] == 0 else 1 - 2 * coins[-1]
        return -loss if player == self.player else loss


@pytest.mark.parametrize("player", [MAX, MIN])
def test_a_proved_bound_counts_instead_of_a_worse_playout(player):
    found = search(Dare(player), limits=Limits(nodes=400))
    assert not found.exact
    assert abs(found.value) < 0.2


def test_playouts_for_the_values_are_counted_apart():
    game, state = TicTacToe(), (0b000_000_011, 0b000_110_000, MAX)
    plain, more = (find(game, state).statistics for find in (search, analyse))
    assert (plain.nodes, plain.leaves, plain.extra_nodes) == (more.nodes, more.leaves, 0)
    assert more.leaves <= more.nodes
    assert more.extra_nodes > 0


def test_where_chance_moves_first_the_value_is_the_mean_of_the_outcomes():
    state = MINUTELY.result(MINUTELY.initial_state(), 0)
    assert MINUTELY.to_move(state) == CHANCE
    found = analyse(MINUTELY, state, Limits(nodes=1500))
    assert found.action is None
    assert found.principal_variation == ()
    assert found.best_actions == ()
    assert list(found.values) == [1, 2, 3]
    assert math.isclose(found.value, sum(found.values.values()) / 3, abs_tol=0.1)


TO_THE_END = [TicTacToe(), Nim((3, 4, 5)), MINUTELY, Tree(depth=3, chance=0.4, seed=5)]
PLAYS = [(game, Limits(nodes=700)) for game in TO_THE_END] + [(MINUTELY, Limits(depth=3))]


@pytest.mark.parametrize(("game", "limits"), PLAYS, ids=repr)
def test_both_speeds_find_the_same_to_the_last_bit(game, limits):
    slow, fast = (analyse(game, limits=limits, seed=7, speed=speed) for speed in ("interpreted", "compiled"))
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert same(slow) == same(fast)


@pytest.mark.slow
def test_both_speeds_find_the_same_with_priors_and_cut_offs():
    options = {"evaluation": "mobility", "prior": 5, "cutoff": 2, "seed": 7}
    game = ggp.load_registry().game("othello", size=4)
    slow, fast = (
        analyse(game, limits=Limits(nodes=300), speed=speed, **options) for speed in ("interpreted", "compiled")
    )
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert same(slow) == same(fast)


@given(st.integers(0, 2**62 - 1))
@settings(max_examples=20)
def test_the_same_seed_finds_the_same(seed):
    first, second = (search(MINUTELY, limits=Limits(nodes=150), seed=seed) for _ in range(2))
    assert same(first) == same(second)


def test_another_seed_plays_otherwise():
    assert len({search(MINUTELY, limits=Limits(nodes=150), seed=seed, prior=0).value for seed in range(10)}) == 10


@pytest.mark.parametrize("nodes", [1, 2, 10, 999, 1000, 1001])
def test_nodes_are_playouts(nodes):
    found = search(MINUTELY, limits=Limits(nodes=nodes))
    assert found.statistics.nodes == nodes
    assert (found.complete, found.stopped) == (False, "nodes")
    assert 0 < found.statistics.leaves <= nodes


def test_without_a_limit_it_makes_as_many_playouts_as_the_option_says():
    found = search(MINUTELY, playouts=123)
    assert found.statistics.nodes == 123
    assert (found.complete, found.exact, found.stopped) == (True, False, None)


def test_a_time_limit_stops_it_with_the_result_so_far():
    began = time.monotonic()
    found = search(TicTacToe(6, 6, 4), limits=Limits(seconds=0.2))
    assert (found.complete, found.stopped) == (False, "seconds")
    assert found.action in range(36)
    assert time.monotonic() - began >= 0.2


def test_an_interrupt_stops_it_with_the_result_so_far():
    asked = []

    def interrupt(found):
        if not asked:  # once, whenever there is something to keep
            asked.append(found)
            os.kill(os.getpid(), signal.SIGINT)

    game = TicTacToe(6, 6, 4)
    found = MonteCarlo(speed="compiled").search(game, game.initial_state(), Limits(seconds=600), report=interrupt)
    assert (found.complete, found.stopped) == (False, "interrupt")
    assert found.action in range(36)


def test_the_answer_so_far_is_reported_whenever_the_playouts_have_doubled():
    seen = []
    found = MonteCarlo(speed="compiled").search(
        MINUTELY, MINUTELY.initial_state(), Limits(nodes=5000), report=seen.append
    )
    assert [each.statistics.nodes for each in seen] == [1000, 2000, 4000, 5000]
    assert same(attrs.evolve(seen[-1], complete=False, stopped="nodes")) == same(found)


def test_a_game_that_is_over_is_worth_its_utility():
    state = (0b111, 0b11000, MIN)
    found = analyse(TicTacToe(), state)
    assert (found.value, found.action, found.exact, found.values, found.best_actions) == (1, None, True, {}, ())
    assert found.principal_variation == ()


def test_a_search_deeper_than_the_stack_is_refused():
    with pytest.raises(ggp.DepthError, match="depth 4001 is deeper than the stack allows: at most 4000 plies"):
        search(TicTacToe(), limits=Limits(depth=4001))


class Endless:
    """MAX and MIN pass the turn for ever."""

    name = "endless"
    stochastic = False
    repetition = "continues"

    def initial_state(self):
        return MAX

    def to_move(self, state):
        return state

    def actions(self, state):
        return ["pass", "move"]

    def result(self, state, action):
        return 1 - state

    def terminal_test(self, state):
        return False

    def utility(self, state, player):
        raise AssertionError("it has no end")


def test_a_game_without_end_is_estimated_at_the_horizon():
    found = search(Endless(), limits=Limits(nodes=3))
    assert (found.value, found.exact, found.statistics.nodes) == (0, False, 3)


def test_a_long_line_of_single_actions_is_no_trouble():
    line = Tree(depth=20, branching=1, low=5, high=5)
    assert search(line).value == 5


class Decided(Endless):
    """Worth 3, whatever is played."""

    def bounds(self, state):
        return 3, 3


def test_where_the_bounds_meet_the_value_is_proven_at_once():
    found = analyse(Decided(), limits=Limits(nodes=100))
    assert (found.value, found.action, found.values) == (3, "pass", {"pass": 3, "move": 3})
    assert found.best_actions == ("pass", "move")
    assert found.statistics.nodes == 1


def test_a_full_tree_grows_no_more_and_stays_in_its_memory(monkeypatch):
    kept, tree = 2_000, playout_tree.PlayoutTree(2_000, 0, 0.7, 0.9)
    monkeypatch.setattr(MonteCarlo, "own_memory", lambda searcher, memory: tree)
    found = search(TicTacToe(), limits=Limits(nodes=300), minimax=0, prior=0)
    address = tree.address
    assert found.statistics.nodes == 300
    assert tree.root.visits == 300
    assert kept - 10 * playout_tree.NODE < load(address + playout_tree.USED) - address <= kept
    assert not any(load(address + place) for place in range(kept, len(tree.buffer.memory), 8))


class Brittle:
    """Numbers that double: beyond 64 bits once play has gone on for some time."""

    name = "brittle"

    def initial_state(self):
        return (1 << 30, 0, MAX)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        return state[0] * 2, state[1] + action, 1 - state[2]

    def terminal_test(self, state):
        return state[1] >= 60

    def utility(self, state, player):
        return 1 if (state[1] % 3 == 0) == (player == MAX) else -1


def test_where_machine_code_fails_it_goes_on_interpreted():
    limits = Limits(nodes=50)
    message = r"machine code of brittle failed below \(1073741824, 0, 0\): a number grew beyond 64 bits"
    found = search(Brittle(), limits=limits, speed="auto")
    assert found.speed == "interpreted"
    assert re.search(message, found.note)
    assert same(found) == same(search(Brittle(), limits=limits))
    with pytest.raises(ggp.GGPError, match=message):
        search(Brittle(), limits=limits, speed="compiled")


def test_winning_counts_before_the_margin_of_a_win():
    tree = with_children((1, 1, -50, 50), (1, 20, -50, 50))
    sure, bold = tree.root.children()
    for result in (1, 1, 1):
        sure.count(result)
    for result in (20, -2, -2):
        bold.count(result)
    assert sure.mean_value() < bold.mean_value()
    assert Scale(0.9, 0.1 / 20).worth(sure) > Scale(0.9, 0.1 / 20).worth(bold)
    assert Scale(0.0, 1 / 20).worth(sure) < Scale(0.0, 1 / 20).worth(bold)


def test_results_are_scaled_by_the_greatest_so_far_and_those_without_margins_not_at_all():
    tree = playout_tree.PlayoutTree(1 << 12, 0, 0.7, 0.9)
    for result in (-1, 1):
        tree.meet(result)
    assert tree.scale() == Scale(0.0, 1.0)
    assert tree.exploration(tree.scale()) == 2 * 0.7
    tree.meet(-20)
    assert tree.scale() == Scale(0.9, (1 - 0.9) / 20)
    assert tree.exploration(tree.scale()) == pytest.approx(0.7 * (0.9 + 0.005 + 0.9 + 0.1))


def with_children(*children):
    """Return a tree of a root whose children have these (visits, mean, lower, upper)."""
    tree = playout_tree.PlayoutTree(1 << 12, 0, 1.0, 0.9)
    assert tree.expand(tree.root, len(children))
    for child, (visits, mean, lower, upper) in zip(tree.root.children(), children, strict=True):
        for _ in range(visits):
            child.count(mean)
        child.prove(lower, upper)
    return tree


@pytest.mark.parametrize(
    ("children", "best"),
    [
        pytest.param([(5, 0.9, -1, 1), (9, 0.2, -1, 1)], 1, id="the most visited"),
        pytest.param([(90, -0.5, -1, 1), (2, 0, 0, 0)], 1, id="a sure draw before a likely loss"),
        pytest.param([(90, 0.5, -1, 1), (2, 0, 0, 0)], 0, id="a likely win before a sure draw"),
        pytest.param([(90, 1, -1, 1), (2, 1, 1, 1)], 1, id="a sure win before a likely one"),
        pytest.param([(90, -1, -1, -1), (0, 0, -1, 1), (2, -1, -1, 1)], 2, id="what may be better than a sure loss"),
        pytest.param([(90, 0, -1, 0), (2, 0, 0, 0)], 1, id="no hope for more than what is sure"),
        pytest.param([(0, 0, -1, 1), (1, -1, -1, -1)], 1, id="nothing that was not visited"),
        pytest.param([(0, 0, -1, 1)], None, id="nothing visited at all"),
    ],
)
def test_the_choice_among_children(children, best):
    assert with_children(*children).root.best(MAX) == best
    mirrored = with_children(*[(visits, -mean, -upper, -lower) for visits, mean, lower, upper in children])
    assert mirrored.root.best(MIN) == best
    assert mirrored.root.best(CHANCE) is None


def test_children_with_equal_playouts_or_proofs_are_equally_good():
    assert with_children((9, 0.2, -1, 1), (5, 0.9, -1, 1), (9, 0.1, -1, 1)).root.best_children(MAX) == [0, 2]
    assert with_children((9, 0.2, -1, 1), (2, 1, 1, 1), (3, 1, 1, 1)).root.best_children(MAX) == [1, 2]


def test_a_mean_stays_within_the_proved_bounds():
    tree = with_children((4, -0.5, 0, 1), (4, 0.5, -1, 0), (0, 0, -1, 1))
    assert [child.mean_value(0.25) for child in tree.root.children()] == [0, 0, 0.25]


def test_random_numbers_are_even_and_successive_ones_independent():
    drawn = [spread(mix(mix(0, number), number), 6) for number in range(10_000, 46_000)]
    for counted in (Counter(drawn), Counter(itertools.pairwise(drawn))):
        expected = sum(counted.values()) / 6 ** (2 if isinstance(next(iter(counted)), tuple) else 1)
        chi_squared = sum((count - expected) ** 2 / expected for count in counted.values())
        degrees = len(counted) - 1
        assert abs(chi_squared - degrees) < 4 * math.sqrt(2 * degrees)


@pytest.mark.parametrize("name", ["kalah", "tictactoe", "nim", "pig", "fig52", "tree"])
def test_it_serves_every_game(name):
    registry = ggp.load_registry()
    game = registry.game(name)
    searcher = registry.searcher("mcts", playouts=30, speed="interpreted")
    assert searcher.unsupported_reason(game) is None
    found = searcher.analyse(game, game.initial_state())
    assert found.action in legal_actions(game, game.initial_state())
    assert found.action == found.principal_variation[0]


class Pairs:
    """Take one or two stones from one of two heaps; actions are tuples, and `result` takes them apart."""

    name = "pairs"

    def initial_state(self):
        return (4, 5, MAX)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        for heap in range(2):
            for stones in range(1, min(2, state[heap]) + 1):
                yield heap, stones

    def result(self, state, action):
        heap, stones = action
        first, second, mover = state
        return (first - stones, second, 1 - mover) if heap == 0 else (first, second - stones, 1 - mover)

    def terminal_test(self, state):
        return state[0] + state[1] == 0

    def utility(self, state, player):
        return -1 if state[2] == player else 1


@pytest.mark.parametrize("game", [Pairs(), ggp.load_registry().game("checkers")], ids=lambda game: game.name)
def test_actions_that_are_taken_apart_are_searched_at_machine_speed_with_the_same_result(game):
    compiled = search(game, limits=Limits(nodes=50), speed="compiled")
    assert compiled.speed == "compiled"
    assert same(compiled) == same(search(game, limits=Limits(nodes=50)))


@pytest.mark.parametrize("limits", [Limits(), Limits(nodes=500), Limits(seconds=0.2), Limits(depth=7)], ids=str)
@pytest.mark.parametrize("name", ["einstein", "pig"])
def test_a_search_reaches_beyond_chance(name, limits, monkeypatch):
    monkeypatch.setenv("GGP_CLOCK", "processor")  # a limit of time leaves some, however busy the machine is
    game = ggp.load_registry().game(name)
    found = search(game, limits=limits, playouts=500)
    assert found.statistics.depth >= len(found.principal_variation)
    assert found.statistics.depth > 1
