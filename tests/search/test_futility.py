"""Futility cuts by a margin that is measured: `futility=auto`."""

from typing import ClassVar

import attrs
import pytest
from ggp_search import NegaScout
from ggp_search.engine.futility import measured_margin
from hash_tree import HashTree

import ggp
from ggp.testing import minimax_value

PLAIN = {"table": 0, "ordering": "none", "bounds": False, "speed": "interpreted"}


@attrs.frozen
class Scaled(HashTree):
    """Random trees in which all values are multiplied by a factor."""

    name: ClassVar[str] = "scaled-tree"
    factor: float = ggp.option(1, "factor of all values")

    @property
    def evaluations(self):
        return {"worth": ggp.Evaluation(self.worth)}

    def worth(self, state):
        return self.factor * (self.drawn(state, 1, 5) - 2 + state[3])

    def initial_state(self):
        return self.root(0, 20)


@attrs.frozen
class Points:
    """Each of 40 plies adds up to 3 points for its mover, or up to `most` once in `every` plies. A move may win."""

    name: ClassVar[str] = "points"
    most: int = ggp.option(50, "most points of a rare ply")
    every: int = ggp.option(40, "plies from one rare ply to the next")
    wins: bool = ggp.option(False, "whether each player may also end the game, and win")

    @property
    def evaluations(self):
        return {"points": ggp.Evaluation(self.points)}

    def points(self, state):
        return state[1]

    def initial_state(self):
        return (0, 0)

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        return range(5 if self.wins else 4)

    def result(self, state, action):
        ply, points = state
        gain = self.most if action == 3 and ply % self.every == self.every - 1 else action
        return (
            (40, 1000 if ply % 2 == ggp.MAX else -1000) if action == 4 else (ply + 1, points + gain * (1 - ply % 2 * 2))
        )

    def terminal_test(self, state):
        return state[0] == 40

    def utility(self, state, player):
        return state[1] if player == ggp.MAX else -state[1]


def margin(game):
    name, evaluation = next(iter(game.evaluations.items()))
    return measured_margin(game, evaluation, name)


def search(game, state, depth, **options):
    return NegaScout(**PLAIN | options).search(game, state, ggp.Limits(depth=depth))


def explained(game, futility, **options):
    searcher = NegaScout(**PLAIN | options, futility=futility)
    return searcher.explain(game, game.initial_state(), ggp.Limits(depth=3)).get("futility")


def test_the_margin_is_enough_in_nearly_all_positions():
    assert margin(Points(every=40)) == 3
    assert margin(Points(every=4)) == 50


def test_losses_are_no_improvements():
    assert margin(Points(every=1, most=-50)) == 2


def test_a_move_that_ends_the_game_does_not_count():
    assert margin(Points(wins=True)) == 3


@pytest.mark.parametrize("factor", [1000, 0.25])
def test_the_margin_grows_with_the_evaluation_and_the_tree_is_the_same(factor):
    game, scaled = Scaled(), Scaled(factor=factor)
    assert margin(scaled) == factor * margin(game) > 0
    fewer = 0
    for tree in range(12):
        state = game.root(tree, 8)
        found, other = (search(each, state, 6, futility="auto") for each in (game, scaled))
        assert (other.action, other.statistics.nodes) == (found.action, found.statistics.nodes)
        assert other.value == factor * found.value
        fewer += found.statistics.nodes < search(game, state, 6).statistics.nodes
    assert fewer > 0


def test_the_measured_margin_cuts_as_the_same_number_does():
    kalah = ggp.load_registry().game("kalah", houses=3, seeds=3)
    state = kalah.initial_state()
    auto, number, plain = (search(kalah, state, 6, futility=each) for each in ("auto", margin(kalah), 0))
    assert (auto.value, auto.action, auto.statistics.nodes) == (number.value, number.action, number.statistics.nodes)
    assert auto.statistics.nodes < plain.statistics.nodes


def test_a_value_that_is_called_exact_is():
    game, exact = Scaled(), 0
    for tree in range(40):
        state = game.root(tree, 6)
        found = search(game, state, 6, futility="auto")
        if found.exact:
            exact += 1
            assert found.value == minimax_value(game, state)
    assert exact > 5


@pytest.mark.parametrize("factor", [1, pytest.param(0.3, marks=pytest.mark.slow)])
def test_both_speeds_enter_the_same_states(factor):
    game = Scaled(factor=factor)
    for tree in range(12):
        state = game.root(tree, 9)
        slow, fast = (search(game, state, 7, futility="auto", speed=speed) for speed in ("interpreted", "compiled"))
        assert (slow.speed, fast.speed) == ("interpreted", "compiled")
        assert (slow.value, slow.action, slow.statistics.nodes) == (fast.value, fast.action, fast.statistics.nodes)


def test_the_margin_is_explained():
    said = "3, measured: in 95 % of the positions of some random games, no move improves the estimate by more"
    assert explained(Points(), "auto") == said
    assert explained(Points(), 2.5) == "2.5, as asked for"
    assert explained(Points(), 0) is None
    assert explained(Points(most=0, every=1), "auto") == "2, measured" + said[11:]


def test_a_game_without_an_evaluation_has_no_futility_cuts():
    nim = ggp.load_registry().game("nim")
    assert explained(nim, "auto") == "none: nim has no evaluation"
    plain, auto = (search(nim, nim.initial_state(), 5, futility=each) for each in (0, "auto"))
    assert auto.statistics.nodes == plain.statistics.nodes


@pytest.mark.parametrize("most", [0, 7])
def test_an_evaluation_that_no_move_improves_has_no_futility_cuts(most):
    said = "none: in 95 % of the positions of some random games, no move improves the estimate"
    assert explained(Points(), "auto", evaluation=lambda state: most * (1 - state[0] % 2)) == said


def test_the_option_is_a_number_or_auto():
    parse = ggp.load_registry().parse_searcher
    assert parse("negascout:futility=auto")[0] == NegaScout(futility="auto")
    assert parse("negascout:futility=1.5")[0] == NegaScout(futility=1.5)
    with pytest.raises(
        ggp.OptionError, match=r"^futility must be a number from 0 to 1,000,000, or auto \(.*; got 'some'$"
    ):
        parse("negascout:futility=some")


@attrs.frozen
class Thirds(HashTree):
    """Random trees whose draws are worth 0, and all other ends of the game some thirds."""

    name: ClassVar[str] = "thirds"
    estimated: bool = ggp.option(True, "whether there is an evaluation")

    @property
    def evaluations(self):
        return {"worth": ggp.Evaluation(self.worth)} if self.estimated else {}

    def worth(self, state):
        return 0 if state[3] == 0 else state[3] / 3

    def bounds(self, state):
        return -100, 100

    def score(self, state):
        return 0

    def key(self, state):
        return state


@pytest.mark.parametrize("estimated", [True, False])
def test_a_margin_is_the_same_for_whole_numbers_among_fractions(estimated):
    game = Thirds(estimated)
    for tree in range(12):
        state = game.root(tree, 9)
        slow, fast = (search(game, state, 6, futility=0.4, speed=speed) for speed in ("interpreted", "compiled"))
        assert (slow.speed, fast.speed) == ("interpreted", "compiled")
        assert (slow.value, slow.action, slow.statistics.nodes) == (fast.value, fast.action, fast.statistics.nodes)


def test_a_margin_is_rounded_up_for_whole_numbers():
    game, state = Scaled(), Scaled().root(3, 9)
    for margin, same in ((0.5, 1), (1.2, 2), (2.0, 2)):
        found, other = (search(game, state, 6, futility=each) for each in (margin, same))
        assert (found.value, found.statistics.nodes) == (other.value, other.statistics.nodes)
