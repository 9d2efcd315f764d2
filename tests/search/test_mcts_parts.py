"""What can be added to Monte Carlo tree search: decisive moves, all moves as first, a tree that is kept."""

import math
import random
from collections import Counter
from types import SimpleNamespace

import attrs
import pytest
from ggp_search import Flat, MonteCarlo
from ggp_search.algorithms.mcts import first_moves, mean_value, minimax_backup, playout_action, simulation, virtual_loss
from ggp_search.engine.playout_driver import MonteCarloDriver
from ggp_search.engine.search import SearchStopped
from ggp_search.engine.settings import ANY_NUMBERS
from ggp_search.memory import playout_tree
from ggp_search.memory.allocator import Allocator
from ggp_tictactoe import TicTacToe
from ggp_toys import Nim, Pig
from hash_tree import HashTree, StochasticTree
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp import CHANCE, MAX, MIN, Limits, capabilities
from ggp.capabilities import legal_actions
from ggp.compiler.intrinsics import load
from ggp.errors import OptionError
from ggp.testing import minimax_value, random_tree

MINUTELY = Pig(sides=3, goal=6, turns=6)
"""A game of chance that expectiminimax can search to its end."""


def search(game, state=None, limits=Limits(), **options):
    state = game.initial_state() if state is None else state
    return MonteCarlo(**{"speed": "interpreted"} | options).search(game, state, limits)


def analyse(game, limits, **options):
    return MonteCarlo(**options).analyse(game, game.initial_state(), limits)


def same(result):
    """What must not depend on the machine."""
    timeless = attrs.evolve(result.statistics, seconds=0.0, compile_seconds=0.0)
    return attrs.evolve(result, statistics=timeless, speed="", note=None)


def grown(seed, stochastic):
    return random_tree(random.Random(seed), stochastic=stochastic)


PARTS = [
    {"decisive": "winning"},
    {"decisive": "both"},
    {"rave": 50},
    {"rave": 50, "reference": 5},
    {"minimax": 0.3},
    {"rave": 50, "reference": 5, "minimax": 0.3, "decisive": "both"},
]
SUGGESTED = [{"suggested": 0.5}, {"suggested": 1.0}, {"suggested": 0.5, "decisive": "both", "rave": 50}]
"""Parts for games with suggestions only."""


@settings(max_examples=30)
@given(st.integers(0, 100_000), st.booleans(), st.sampled_from(PARTS))
def test_no_part_changes_a_proved_value(tree_seed, stochastic, options):
    tree = grown(tree_seed, stochastic)
    found = search(tree, playouts=600, **options)
    if found.exact:
        assert math.isclose(found.value, minimax_value(tree, tree.initial_state()), abs_tol=1e-9)
    assert found.statistics.nodes <= 600


@pytest.mark.parametrize(
    "game", [TicTacToe(), pytest.param(MINUTELY, marks=pytest.mark.slow)], ids=lambda game: game.name
)
@pytest.mark.parametrize("options", [PARTS[-1], *[pytest.param(each, marks=pytest.mark.slow) for each in PARTS[:-1]]])
def test_both_speeds_find_the_same_with_each_part(game, options):
    slow, fast = (
        analyse(game, Limits(nodes=300), speed=speed, seed=7, **options) for speed in ("interpreted", "compiled")
    )
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert same(slow) == same(fast)


@settings(max_examples=30)
@given(st.integers(0, 100_000), st.booleans(), st.sampled_from([None, 2, 3]), st.sampled_from(SUGGESTED))
def test_no_suggested_move_changes_a_proved_value(tree_seed, stochastic, depth, options):
    tree = StochasticTree() if stochastic else HashTree()
    state = tree.root(tree_seed, 4)
    found = search(tree, state, Limits(nodes=600, depth=depth), **options)
    if found.exact:
        assert math.isclose(found.value, minimax_value(tree, state), abs_tol=1e-9)
    elif found.complete:
        assert math.isclose(found.value, minimax_value(tree, state, depth, tree.worth), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("game", "state"),
    [(TicTacToe(), TicTacToe().initial_state()), (StochasticTree(), StochasticTree().root(5, 9))],
    ids=["tictactoe", "hash-tree"],
)
@pytest.mark.parametrize(
    "options", [SUGGESTED[-1], *[pytest.param(each, marks=pytest.mark.slow) for each in SUGGESTED[:-1]]]
)
@pytest.mark.parametrize("searcher", [MonteCarlo, Flat])
def test_both_speeds_find_the_same_with_suggested_moves(searcher, game, state, options):
    if searcher is Flat:
        options = {"suggested": options["suggested"]}
    slow, fast, other = (
        searcher(speed=speed, seed=7, **chosen).analyse(game, state, Limits(nodes=300))
        for speed, chosen in (("interpreted", options), ("compiled", options), ("interpreted", {}))
    )
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert same(slow) == same(fast)
    assert slow.values != other.values


class Five:
    """One position with five moves; the game suggests the second and the fourth most."""

    def actions(self, state):
        return range(5)

    def suggest(self, state, action):
        return (-3, -1, -2, -1, -9)[action]


@pytest.mark.parametrize(
    ("suggested", "shares"),
    [(0, [0.2] * 5), (0.5, [0.1, 0.35, 0.1, 0.35, 0.1]), (1, [0, 0.5, 0, 0.5, 0])],
)
def test_a_share_of_the_moves_is_what_the_game_suggests_most(suggested, shares):
    game, tree = Five(), playout_tree.PlayoutTree(1 << 14, 0, 0.7, 0.9)
    asked = SimpleNamespace(game=game, own=tree, options=SimpleNamespace(suggested=suggested, decisive="none"))
    played = Counter(playout_action(game, asked, None) for _ in range(4_000))
    assert [played[action] / 4_000 for action in range(5)] == pytest.approx(shares, abs=0.03)


@pytest.mark.parametrize("searcher", [MonteCarlo, Flat])
@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_a_game_without_suggestions_refuses_suggested_moves(searcher, speed):
    with pytest.raises(OptionError, match=r"^suggested must be 0: nim has no suggestions; got 0\.5$"):
        searcher(suggested=0.5, speed=speed).search(Nim(), Nim().initial_state(), Limits(nodes=9))


@pytest.mark.parametrize("searcher", [MonteCarlo, Flat])
def test_suggested_moves_are_explained(searcher):
    def said(**options):
        return searcher(**options).explain(TicTacToe(), TicTacToe().initial_state()).get("playouts")

    assert said() is None
    assert said(suggested=0.25) == "with probability 0.25, a move is the one that the game suggests most"


def test_the_evaluation_has_a_share_in_games_that_have_one():
    kalah, nim, limits = ggp.load_registry().game("kalah"), Nim(heaps=(3, 4, 5)), Limits(nodes=60)
    assert capabilities.evaluations(kalah)
    assert not capabilities.evaluations(nim)

    def values(game, **options):
        return MonteCarlo(speed="interpreted", **options).analyse(game, game.initial_state(), limits).values

    assert values(kalah) == values(kalah, minimax=0.3) != values(kalah, minimax=0)
    assert values(kalah) == values(kalah, prior=10) != values(kalah, prior=0)
    assert values(nim) == values(nim, minimax=0, prior=0) != values(nim, evaluation=lambda state: 1 - state[1])


def test_learned_weights_that_come_with_a_game_have_half_unless_the_depth_is_limited():
    registry, mixed = ggp.load_registry(), {"evaluation": "learned", "minimax": 0.5}
    game, bare = registry.game("connectfour"), registry.game("connectfour", width=6)

    def values(game, limits=Limits(nodes=60), **options):
        return MonteCarlo(speed="interpreted", **options).analyse(game, game.initial_state(), limits).values

    assert values(game) == values(game, **mixed) != values(game, evaluation="default")
    assert values(game, evaluation="default") == values(game, evaluation="default", minimax=0.3)
    assert values(game, minimax=0.2) == values(game, evaluation="learned", minimax=0.2) != values(game)
    assert values(bare) == values(bare, evaluation="default")  # nothing was learned about that board
    shallow = Limits(nodes=60, depth=4)
    assert values(game, shallow) == values(game, shallow, evaluation="default") != values(game, shallow, **mixed)


def test_with_a_prior_even_a_few_playouts_choose_by_the_evaluation():
    def corner(state):
        return 1.0 if state[0] & 0b100 else 0.0

    found = search(TicTacToe(), limits=Limits(nodes=3), evaluation=corner, minimax=0)
    assert found.action == 2
    assert search(TicTacToe(), limits=Limits(nodes=3), evaluation=corner, minimax=0, prior=0).action != 2


def test_a_search_says_which_evaluation_has_which_share():
    def said(game=ggp.load_registry().game("connectfour"), **options):
        return MonteCarlo(**options).explain(game, game.initial_state())["evaluation"]

    rest = "in the value of a move; the rest comes from playouts"
    assert said() == f"learned: counts as 10 playouts, a share of 0.5 {rest}"
    assert said(evaluation="default", prior=1, minimax=0) == f"threats: counts as 1 playout, a share of 0 {rest}"
    assert said(evaluation=lambda state: 0.0, prior=0) == f"the caller's: counts as 0 playouts, a share of 0.3 {rest}"
    assert said(Nim(heaps=(3, 4, 5))) == "none: playouts alone"


def test_playouts_are_cut_where_positions_come_back_if_there_is_an_evaluation():
    def values(name, **options):
        game = ggp.load_registry().game(name)
        return MonteCarlo(speed="interpreted", **options).analyse(game, game.initial_state(), Limits(nodes=20)).values

    assert values("awari") == values("awari", cutoff=30) != values("awari", cutoff=31)
    assert values("kalah") == values("kalah", cutoff=1000) != values("kalah", cutoff=30)
    assert values("pong-hau-ki") == values("pong-hau-ki", cutoff=1000) != values("pong-hau-ki", cutoff=30)


FILLED = (0b000_000_011, 0b000_110_000, MAX)
"""Tic-tac-toe: X fills a row with 2, or else O fills one with 3."""


@pytest.mark.parametrize(("decisive", "playouts"), [("winning", 3), ("both", 3)])
def test_a_decisive_move_is_tried_first(decisive, playouts):
    found = search(TicTacToe(), FILLED, Limits(nodes=playouts), decisive=decisive)
    assert (found.action, found.value, found.exact) == (2, 1, True)


@pytest.mark.parametrize(
    ("board", "decisive", "result"),
    [
        pytest.param(FILLED, "winning", 1, id="who can win at once does"),
        pytest.param((0b000_000_011, 0b100_010_000, MIN), "both", 0, id="who would lose at once prevents it"),
    ],
)
def test_playouts_play_decisive_moves(board, decisive, result):
    """In the second position, X threatens the first row; O prevents it, threatens a diagonal itself, and so on."""
    options = {"decisive": decisive, "prior": 0}
    results = {search(TicTacToe(), board, Limits(nodes=1), seed=seed, **options).value for seed in range(20)}
    assert (results == {1}) if result else 1 not in results


def test_a_playout_under_way_ends_when_the_time_is_over():
    entered = []

    class Walk(Nim):
        def result(self, state, action):
            entered.append(state)
            if len(entered) == 5:
                search.limit = 0  # as `Control.stop` does
            return super().result(state, action)

    options = SimpleNamespace(cutoff=1000, rave=0, decisive="none", suggested=0)
    own = SimpleNamespace(random_word=lambda: 0)
    search = SimpleNamespace(limit=1, chance=False, watched=False, tablebase=None, options=options, own=own)
    game = Walk(heaps=(50,))
    with pytest.raises(SearchStopped):
        simulation(game, search, game.initial_state(), 1000)
    assert len(entered) == 5


def test_a_side_that_moves_again_is_not_kept_from_winning():
    game = ggp.load_registry().game("kalah", houses=2, seeds=2)
    slow = search(game, limits=Limits(nodes=40), decisive="both")
    assert slow.action in legal_actions(game, game.initial_state())


def test_all_moves_as_first_count_the_moves_of_their_own_player_only():
    game = TicTacToe()
    plan = MonteCarlo(speed="interpreted", rave=10, prior=0).plan(game, game.initial_state(), Limits(nodes=2))
    driver = MonteCarloDriver(plan, None, with_values=False, kept=None)
    driver.run()
    root = driver.tree.root
    counted = [root.as_first(index).visits for index in range(root.number_of_children)]
    assert root.children()[0].visits == 1
    assert counted[0] == 1  # the move itself
    assert 3 <= sum(counted) <= 5  # and those that X played later, but none of O's


def test_rave_prefers_a_move_that_was_good_later():
    tree = playout_tree.PlayoutTree(1 << 14, 0, 0.0, 0.9, Allocator(ANY_NUMBERS), all_moves=True)
    assert tree.expand(tree.root, 2)
    tree.root.child(0).count(0.0)
    tree.root.as_first(1).count(1.0)
    asked = SimpleNamespace(options=SimpleNamespace(rave=10), own=tree)

    def value_of(index):
        return mean_value(asked, tree.scale(), tree.root.child(index), tree.root.as_first(index))

    assert [value_of(index) for index in (0, 1)] == [0.0, 1.0]
    tree.root.child(1).count(-1.0, playouts=10_000)
    assert value_of(1) < -0.9


def moves_with_a_kept_tree(game, moves=4, **options):
    """Return the results of a search for each move of one player, and the visits of the roots; the other plays first
    actions, and chance has its first outcomes.
    """
    searcher, state, results, visits = MonteCarlo(**{"speed": "interpreted"} | options), game.initial_state(), [], []
    while not game.terminal_test(state) and len(results) < moves:
        if game.to_move(state) == MAX:
            results.append(searcher.search(game, state, Limits(nodes=150)))
            visits.append(searcher.kept[0].engine.search.own.root.visits if searcher.kept else 0)
            state = game.result(state, results[-1].action)
        else:
            state = game.result(state, next(iter(game.actions(state))))
    return results, visits


def test_playouts_of_the_lines_that_were_played_count_again_if_the_tree_is_kept():
    results, visits = moves_with_a_kept_tree(Nim((3, 4, 5)), moves=2, keep=True)
    fresh, _ = moves_with_a_kept_tree(Nim((3, 4, 5)), moves=1)
    assert same(results[0]) == same(fresh[0])
    assert [found.statistics.nodes for found in results] == [150, 150]
    assert visits[0] == 150 < visits[1]


@pytest.mark.parametrize(
    "game", [Nim((3, 4, 5)), pytest.param(MINUTELY, marks=pytest.mark.slow)], ids=lambda one: one.name
)
def test_both_speeds_keep_the_same_tree(game):
    slow, fast = (
        moves_with_a_kept_tree(game, keep=True, rave=20, speed=speed) for speed in ("interpreted", "compiled")
    )
    assert [same(found) for found in slow[0]] == [same(found) for found in fast[0]]
    assert slow[1] == fast[1]


@settings(max_examples=20)
@given(st.integers(0, 100_000), st.booleans())
def test_a_kept_tree_proves_no_wrong_value(tree_seed, stochastic):
    game = grown(tree_seed, stochastic)
    searcher, state = MonteCarlo(speed="interpreted", keep=True), game.initial_state()
    while not game.terminal_test(state):
        if game.to_move(state) != CHANCE:
            found = searcher.search(game, state, Limits(nodes=60))
            if found.exact:
                value = minimax_value(game, state)
                assert math.isclose(found.value, value, abs_tol=1e-9)
                assert math.isclose(minimax_value(game, game.result(state, found.action)), value, abs_tol=1e-9)
        state = game.result(state, list(game.actions(state))[-1])


@pytest.mark.parametrize(
    "second",
    [
        pytest.param((Nim((3, 4, 6)), (3, 4, 6), Limits(nodes=50), {}), id="another game"),
        pytest.param((Nim((3, 4, 5)), (0, 1, 1), Limits(nodes=50), {}), id="a position that is not soon reached"),
        pytest.param((Nim((3, 4, 5)), (3, 4, 4), Limits(nodes=50, depth=3), {}), id="a limit of depth"),
        pytest.param((Nim((3, 4, 5)), (3, 4, 4), Limits(nodes=50), {"tree": 0.001}), id="a tree without room"),
    ],
)
def test_elsewhere_a_new_tree_is_begun(second):
    game, heaps, limits, options = second
    searcher, first = MonteCarlo(speed="interpreted", keep=True, **options), Nim((3, 4, 5))
    searcher.search(first, first.initial_state(), Limits(nodes=100))
    state = (*heaps, MIN)
    alone = MonteCarlo(speed="interpreted", **options).search(game, state, limits)
    assert same(searcher.search(game, state, limits)) == same(alone)


def test_a_tree_without_room_is_kept_if_it_has_more_playouts_than_the_search_adds():
    game, searcher = Nim((3, 4, 5)), MonteCarlo(speed="interpreted", keep=True, tree=0.001)
    searcher.search(game, game.initial_state(), Limits(nodes=1_000))
    tree = searcher.kept[0].engine.search.own
    assert tree.share_used > 0.5
    before = tree.root.child(0).visits
    assert before > 10
    reply = game.result(game.initial_state(), next(iter(game.actions(game.initial_state()))))
    searcher.search(game, reply, Limits(nodes=10))
    assert searcher.kept[0].engine.search.own.root.visits == before + 10


@pytest.mark.parametrize(
    "options",
    [{}, *[pytest.param(each, marks=pytest.mark.slow) for each in ({"rave": 50, "reference": 5}, {"minimax": 0.3})]],
)
def test_two_threads_in_one_tree_count_all_their_playouts_and_prove_no_wrong_value(options):
    game = Nim((3, 4, 5))
    searcher = MonteCarlo(speed="compiled", threads=2, **options)
    found = searcher.search(game, game.initial_state(), Limits(nodes=3_000))
    assert found.speed == "compiled"
    assert found.statistics.nodes == 3_000 or found.exact
    if found.exact:
        assert found.value == minimax_value(game, game.initial_state())


def test_each_of_two_threads_has_its_own_room_in_the_tree():
    tree = playout_tree.PlayoutTree(1 << 14, 0, 0.7, 0.9, threads=2)
    parts = [(load(header + playout_tree.USED), load(header + playout_tree.END)) for header in tree.headers]
    assert tree.root.address < parts[0][0] < parts[0][1] <= parts[1][0] < parts[1][1] <= tree.address + (1 << 14)
    assert load(tree.headers[0] + playout_tree.RANDOM) != load(tree.headers[1] + playout_tree.RANDOM)


def test_a_playout_under_way_counts_as_lost_only_for_other_threads():
    tree = playout_tree.PlayoutTree(1 << 14, 0, 0.7, 0.9, threads=2)
    assert tree.expand(tree.root, 2)
    child = tree.root.child(0)
    tree.count(child, 1.0, 4)
    asked = SimpleNamespace(options=SimpleNamespace(threads=2), own=tree)
    loss = virtual_loss(asked, child, MAX)
    assert (child.visits, child.mean_value()) == (4, 0.75)
    tree.expect(child, -loss)
    assert child.mean_value() == 1.0
    assert virtual_loss(SimpleNamespace(options=SimpleNamespace(threads=1)), child, MAX) == 0.0


def test_a_bound_that_another_thread_has_proved_is_never_widened():
    tree = playout_tree.PlayoutTree(1 << 14, 0, 0.7, 0.9, threads=2)
    tree.root.prove(0.0, 1.0)
    tree.root.prove(-1.0, 0.5)
    assert (tree.root.lower, tree.root.upper) == (0.0, 0.5)


def test_a_position_with_few_playouts_is_judged_by_the_counts_of_its_ancestor():
    tree = playout_tree.PlayoutTree(1 << 14, 0, 0.7, 0.9, Allocator(ANY_NUMBERS), all_moves=True, references=True)
    assert tree.expand(tree.root, 2)
    assert tree.expand(tree.root.child(0), 2)
    below = tree.root.child(0)
    tree.root.count(0.0, 10)
    tree.refer("a", MAX, 7, tree.root.as_first(1))

    def counted(action, mover, playout):
        asked = SimpleNamespace(options=SimpleNamespace(rave=10, reference=5), own=tree, nodes=playout)
        return first_moves(asked, below, 0, action, mover)

    assert counted("a", MAX, 7) == tree.root.as_first(1)
    others = [counted("a", MIN, 7), counted("b", MAX, 7), counted("a", MAX, 8)]
    assert others == [below.as_first(0)] * 3  # of the other player, another action, another playout
    below.count(0.0, 5)
    assert counted("a", MAX, 7) == below.as_first(0)


@pytest.mark.parametrize(("mover", "best"), [(MAX, 3.0), (MIN, -2.0)])
def test_estimates_are_backed_up_by_minimax(mover, best):
    tree = playout_tree.PlayoutTree(1 << 14, 0, 0.7, 0.9, Allocator(ANY_NUMBERS), estimates=True)
    assert tree.expand(tree.root, 3)
    for index, estimate in enumerate((1.0, -2.0, 3.0)):
        tree.root.set_estimate(tree.root.child(index), estimate)
    game = SimpleNamespace(to_move=lambda state: mover)
    assert minimax_backup(game, None, None, tree.root) == best
    assert [tree.weigh(each) for each in (4.0, -2.0, 8.0)] == [1.0, -0.5, 1.0]
