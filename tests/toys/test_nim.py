import functools
import itertools
import operator
import pickle

import pytest
from ggp_toys import Nim
from hypothesis import given

import ggp
from ggp.testing import minimax_value, perft, states

SMALL = list(itertools.product(range(4), range(3), range(3)))


def bouton(heaps, misere):
    """The value to whoever moves: Bouton's rule."""
    nim_sum = functools.reduce(operator.xor, heaps)
    wins = nim_sum == 0 if misere and max(heaps) <= 1 else nim_sum != 0
    return 1 if wins else -1


@pytest.mark.parametrize("misere", [False, True])
def test_the_value_is_that_of_boutons_rule(misere):
    for heaps in SMALL:
        game = Nim(heaps, misere)
        assert minimax_value(game, game.initial_state()) == bouton(heaps, misere), heaps


@pytest.mark.parametrize(("misere", "worth"), [(False, 1), (True, -1)])
def test_who_takes_the_last_stone_wins_or_loses(misere, worth):
    game = Nim((1,), misere)
    over = game.result(game.initial_state(), (1, 1))
    assert game.terminal_test(over)
    assert (game.utility(over, ggp.MAX), game.utility(over, ggp.MIN)) == (worth, -worth)


def test_an_action_takes_stones_from_one_heap_and_passes_the_turn():
    game = Nim((3, 4, 5))
    state = game.result(game.initial_state(), (2, 3))
    assert state == (3, 1, 5, ggp.MIN)
    assert game.result(state, (3, 5)) == (3, 1, 0, ggp.MAX)
    assert list(game.actions((2, 0, 1, ggp.MAX))) == [(1, 1), (1, 2), (3, 1)]


def test_perft_of_two_heaps_by_hand():
    # 1:1 leaves (0, 2), 2:1 leaves (1, 1), 2:2 leaves (1, 0): then 2, 2 and 1 actions, then 1, 2 and 0
    game = Nim((1, 2))
    assert [perft(game, game.initial_state(), depth) for depth in range(5)] == [1, 3, 5, 3, 0]


def test_notation():
    game = Nim((3, 4, 5))
    assert game.format_state(game.initial_state()) == "3,4,5 first"
    assert game.parse_state(" 0 ,1, 5  SECOND ") == (0, 1, 5, ggp.MIN)
    assert game.format_action(game.initial_state(), (2, 3)) == "2:3"
    assert game.parse_action(game.initial_state(), " 2 : 3 ") == (2, 3)


@given(states(Nim((3, 4, 5))))
def test_notation_goes_round(state):
    game = Nim((3, 4, 5))
    assert game.parse_state(game.format_state(state)) == state
    for action in game.actions(state):
        assert game.parse_action(state, game.format_action(state, action)) == action


@pytest.mark.parametrize(
    "text", ["", "3,4 first", "3,4,5,6 first", "3,4,5", "3,4,5 third", "3,-4,5 first", "3,4,1001 first", "3,4,٣ first"]
)
def test_what_is_no_state_is_refused_in_words(text):
    with pytest.raises(ggp.NotationError) as caught:
        Nim((3, 4, 5)).parse_state(text)
    shape = "it is written as 3 heaps of 0 to 1000 stones and who is to move, like 3,4,5 first"
    assert str(caught.value) == f"{text!r} is not a state of this nim: {shape}"


@pytest.mark.parametrize("text", ["", "2", "2:", "a:b", "2:-1", "2 3", "٢:٣"])
def test_what_is_no_action_is_refused_in_words(text):
    game = Nim()
    with pytest.raises(ggp.NotationError) as caught:
        game.parse_action(game.initial_state(), text)
    right = "an action is written as heap:stones; 2:3 takes three stones from the second heap"
    assert str(caught.value) == f"{text!r} is not an action of nim: {right}"


@pytest.mark.parametrize("text", ["0:1", "4:1", "2:1", "1:4", "1:0"])
def test_an_action_against_the_rules_is_refused_with_the_legal_ones(text):
    game = Nim((3, 0, 5))
    with pytest.raises(ggp.IllegalActionError) as caught:
        game.parse_action(game.initial_state(), text)
    right = "the legal actions are 1:1 to 1:3, 3:1 to 3:5"
    assert str(caught.value) == f"{text} is not possible in 3,0,5 first: {right}"


def test_nothing_can_be_taken_when_the_game_is_over():
    with pytest.raises(ggp.IllegalActionError) as caught:
        Nim((1,)).parse_action((0, ggp.MIN), "1:1")
    assert str(caught.value) == "1:1 is not possible in 0 second: the game is over"


def test_no_heap_at_all_is_refused():
    with pytest.raises(ggp.OptionError) as caught:
        Nim(())
    assert str(caught.value) == "heaps cannot be empty: nim is played with one heap or more"


def test_a_heap_out_of_range_is_refused():
    with pytest.raises(ggp.OptionError, match="from 0 to 1,000"):
        Nim((1, 1001))


def test_the_drawing_shows_the_heaps_and_who_is_to_move():
    game = Nim((3, 0, 40))
    assert game.draw(game.initial_state()) == f"  1: ooo (3)\n  2: -\n  3: {'o' * 30}... (40)\nfirst to move"
    assert game.draw((0, 0, 0, ggp.MIN)).endswith("first has won")
    assert Nim((1,), misere=True).draw((0, ggp.MIN)).endswith("second has won")


def test_a_game_comes_back_from_a_pickle():
    assert pickle.loads(pickle.dumps(Nim((1, 2), misere=True))) == Nim((1, 2), misere=True)  # noqa: S301 - pickled on the spot


@pytest.mark.parametrize(("heaps", "layer"), [((1,), 3), ((1, 1), 4), ((1, 2, 3), 6), ((0,) * 8, 2)])
def test_every_state_has_a_number_of_its_own_and_no_number_is_left_over(heaps, layer):
    ranking = Nim(heaps).ranking
    states = [state for state in itertools.product(range(layer + 1), repeat=len(heaps)) if sum(state) == layer]
    numbers = [ranking.rank((*state, ggp.MIN)) for state in states]
    assert ranking.sections(layer) == (len(states),)
    assert sorted(numbers) == [(0, index) for index in range(len(states))]
    for state, (section, index) in zip(states, numbers, strict=True):
        assert ranking.unrank(layer, section, index) == (*state, ggp.MAX)
        assert ranking.layer((*state, ggp.MIN)) == layer
    found = list(ranking.positions(layer, 0, 1))
    assert [ranking.rank(state) for state in found] == [(0, index) for index in range(1, len(states))]


def test_many_heaps_or_stones_have_no_numbers():
    assert Nim((1,) * 9).ranking is None
    assert Nim((1,)).ranking.sections(128) == Nim((1,)).ranking.sections(0) == ()
