"""Random playouts and flat Monte Carlo search: known frequencies, and the same at both speeds."""

from typing import ClassVar

import attrs
import pytest
from ggp_search import Flat, playouts
from ggp_search.engine.engine import RulesRefuseError
from ggp_search.playouts import PlayoutCounts, measure, refusal
from ggp_tictactoe import TicTacToe
from ggp_toys import Pig, Tree

import ggp
from ggp import CHANCE, MAX, MIN, Limits
from ggp.testing import LayeredTree
from ggp.testing.trees import Node

PIG = Pig(sides=3, goal=6, turns=6)


def measured(game, *, playouts, speed="interpreted", seed=0):
    return measure(game, game.initial_state(), seconds=None, playouts=playouts, speed=speed, seed=seed)


def counts(rate):
    return {name: getattr(rate, name) for name in ("playouts", *PlayoutCounts.variables[2:])}


def test_random_tic_tac_toe_is_won_as_often_as_exact_enumeration_says():
    found = measured(TicTacToe(), playouts=2000)
    assert found.playouts == 2000
    # 737, 363 and 160 of 1260 by the rules of probability
    assert found.wins / found.playouts == pytest.approx(737 / 1260, abs=0.04)
    assert found.losses / found.playouts == pytest.approx(363 / 1260, abs=0.04)


def test_length_and_branching_are_those_of_a_regular_tree():
    found = measured(Tree(depth=4, branching=3), playouts=10)
    assert (found.length, found.branching, found.plies, found.unfinished) == (4, 3, 40, 0)


@pytest.mark.parametrize("game", [TicTacToe(), PIG], ids=lambda game: game.name)
def test_both_speeds_play_the_same_games(game):
    slow, fast = (measured(game, playouts=150, speed=speed, seed=3) for speed in ("interpreted", "compiled"))
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert counts(slow) == counts(fast)


def test_threads_play_different_games_and_are_counted_together():
    game = TicTacToe()
    one, two = (
        measure(game, game.initial_state(), seconds=None, playouts=300, threads=threads, speed="compiled")
        for threads in (1, 2)
    )
    assert (one.threads, two.threads, two.playouts) == (1, 2, 600)
    assert two.wins not in (one.wins, 2 * one.wins)


def search(game, state=None, limits=Limits(nodes=200), **options):
    state = game.initial_state() if state is None else state
    return Flat(**{"speed": "interpreted"} | options).analyse(game, state, limits)


def tree_of(mover, *replies):
    """Return a tree of two plies: for each action of the root, the values after the replies."""
    other = MIN if mover == MAX else MAX
    leaves = tuple(Node(MAX, value) for values in replies for value in values)
    places = iter(range(len(leaves)))
    middle = tuple(Node(other, 0, tuple((next(places), 0) for _ in values)) for values in replies)
    root = Node(mover, 0, tuple((index, 0) for index in range(len(replies))))
    return LayeredTree(((root,), middle, leaves))


@pytest.mark.parametrize("selection", ["even", "ucb"])
@pytest.mark.parametrize("mover", [MAX, MIN])
def test_it_prefers_the_better_mean_to_the_better_answer(mover, selection):
    sign = 1 if mover == MAX else -1
    game = tree_of(mover, [0, 0], [4 * sign, 4 * sign, -1 * sign])
    found = search(game, selection=selection, winning=0.0)
    assert found.action == list(game.actions(game.initial_state()))[1]
    assert not found.exact


def test_playouts_are_shared_evenly_or_given_to_what_is_promising():
    game = tree_of(MAX, [1], [-1])
    even, ucb = (search(game, selection=selection) for selection in ("even", "ucb"))
    assert even.values == ucb.values == dict(zip(game.actions(game.initial_state()), (1, -1), strict=True))
    assert even.statistics.nodes == ucb.statistics.nodes == 200


def test_where_chance_moves_the_value_is_the_mean():
    state = PIG.result(PIG.initial_state(), 0)
    assert PIG.to_move(state) == CHANCE
    found = search(PIG, state, Limits(nodes=900))
    assert found.action is None
    assert found.value == pytest.approx(sum(found.values.values()) / 3, abs=0.1)


@pytest.mark.parametrize("selection", ["even", "ucb"])
def test_both_speeds_find_the_same_by_flat_search(selection):
    slow, fast = (search(PIG, selection=selection, seed=7, speed=speed) for speed in ("interpreted", "compiled"))
    assert (slow.speed, fast.speed) == ("interpreted", "compiled")
    assert attrs.evolve(slow, speed="", statistics=None) == attrs.evolve(fast, speed="", statistics=None)


def test_a_move_that_wins_at_once_is_seen():
    assert search(TicTacToe(), (0b000_000_011, 0b000_110_000, MAX)).action == 2


class Refusal(ggp.GGPError):
    """A heap of seven cannot be."""


@attrs.frozen
class Refusing:
    """Take one to three stones from a heap; the rules refuse a heap of seven."""

    name: ClassVar[str] = "refusing"

    def initial_state(self):
        return (30, MAX)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, action):
        if state[0] - action == 7:
            raise Refusal(f"a heap of {state[0] - action}")
        return (state[0] - action, 1 - state[1])

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if state[1] == player else 1


@pytest.mark.parametrize("searcher", ["mcts", "alphabeta", "flat"])
def test_a_state_that_the_rules_refuse_ends_a_compiled_search_with_their_sentence(searcher):
    game = Refusing()
    with pytest.raises(ggp.GGPError, match=r"^a heap of 7$"):
        ggp.load_registry().searcher(searcher, speed="compiled").search(
            game, game.initial_state(), ggp.Limits(nodes=5_000)
        )


def test_a_state_that_random_games_do_not_meet_is_told_below_the_root(monkeypatch):
    monkeypatch.setattr(playouts, "SECONDS_TO_REFUSE", 0.1)
    game = Refusing()
    error = refusal(game, (3, MAX), RulesRefuseError(game, (3, MAX), Refusal))
    assert str(error) == (
        "refusing cannot be searched: its rules refuse a state reached from (3, 0) (A heap of seven cannot be)"
    )
