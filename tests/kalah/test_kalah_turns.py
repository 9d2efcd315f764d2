"""Whole turns as actions."""

import itertools

import pytest
from boards import CAPTURES, walk
from ggp_kalah import Kalah
from hypothesis import given
from hypothesis import strategies as st


def all_turns(game, state, mover):
    """Every turn of the mover in order, by recursion over single houses, with the state after it."""
    for house in game.actions(state):
        after = game.result(state, house)
        if game.to_move(after) == mover and not game.terminal_test(after):
            for turn, end in all_turns(game, after, mover):
                yield (house, *turn), end
        else:
            yield (house,), after


@pytest.mark.parametrize("majority", [False, True])
@pytest.mark.parametrize("capture", CAPTURES)
@pytest.mark.parametrize(("houses", "seeds"), [(1, 5), (2, 3), (4, 3), (6, 4), (12, 1)])
def test_turns_are_all_sequences_of_houses_to_the_end_of_the_turn_in_order(houses, seeds, capture, majority):
    single = Kalah(houses, seeds, capture, majority)
    whole = Kalah(houses, seeds, capture, majority, turn="whole")
    longest = 0
    for state, turn in itertools.chain.from_iterable(walk(whole, seed) for seed in range(5)):
        if turn is None:
            assert whole.terminal_test(state)
            assert single.terminal_test(state)
        else:
            expected = dict(all_turns(single, state, single.to_move(state)))
            actions = {whole.houses_of(each): whole.result(state, each) for each in whole.actions(state)}
            assert list(actions) == list(expected)
            assert actions == expected
            longest = max(longest, *map(len, expected))
    assert longest > 1


def test_the_players_take_turns_to_the_end():
    game = Kalah(turn="whole")
    movers = [game.to_move(state) for state, turn in walk(game, 3) if turn is not None]
    assert movers == [turn % 2 for turn in range(len(movers))]
    assert len(movers) > 10


def test_the_usual_board_opens_with_ten_turns():
    game = Kalah(turn="whole")
    state = game.initial_state()
    texts = [game.format_action(state, turn) for turn in game.actions(state)]
    assert texts == ["A", "B", "CA", "CB", "CD", "CE", "CF", "D", "E", "F"]


def test_a_turn_is_suggested_by_what_it_brings_into_the_store():
    game = Kalah(houses=3, seeds=0, turn="whole")
    for position, expected in [
        ("<3,5,2,1,0,3,2,4,1> S", {"A": 5, "C": 1}),
        ("<3,5,2,1,0,3,2,4,1> N", {"a": 0, "b": 1, "ca": 1 + 2, "cb": 1 + 1}),
    ]:
        state = game.parse_state(position)
        found = {game.format_action(state, turn): game.suggest(state, turn) for turn in game.actions(state)}
        assert found == expected


@given(st.integers(1, 12).flatmap(lambda m: st.tuples(st.just(m), st.lists(st.integers(0, m - 1), max_size=40))))
def test_a_turn_and_its_number_are_one(drawn):
    houses, turn = drawn
    game = Kalah(houses, turn="whole")
    assert game.houses_of(game.action_of(turn)) == tuple(turn)


def test_a_turn_may_be_too_long_for_a_machine_integer():
    game = Kalah(houses=8, turn="whole")
    state = game.parse_state("<8,0,0,8,7,6,2,4,3,1,1,0,0,0,0,0,0,0,1> S")
    longest = max(itertools.islice(game.actions(state), 2000))
    assert longest >= 2**64
    assert len(game.houses_of(longest)) > 15
