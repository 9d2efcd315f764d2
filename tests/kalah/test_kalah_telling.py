"""What a play does, in words."""

import pytest
from boards import VARIANTS, name, walk
from ggp_kalah import Kalah
from hypothesis import given
from hypothesis import strategies as st

TOLD = {
    "a play": ("<3,0,0,2,0,1,1,1,1> S", "A", "sows 2 seeds from A"),
    "North's play": ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N", "a", "sows 4 seeds from a"),
    "an extra turn": ("<3,0,0,1,2,0,1,1,1> S", "B", "sows 2 seeds from B, ends in the store: an extra turn"),
    "a capture": ("<3,0,0,1,0,1,5,4,3> S", "A", "sows 1 seed from A, captures 5"),
    "a capture that ends the game": ("<3,0,0,1,0,1,0,2,0> S", "A", "sows 1 seed from A, captures 3, and ends the game"),
    "a last seed in the store that ends the game": (
        "<3,0,0,0,0,1,1,1,1> S",
        "C",
        "sows 1 seed from C, ends in the store, and ends the game",
    ),
}


@pytest.mark.parametrize("told", TOLD.values(), ids=TOLD)
def test_a_play_is_told_in_words(told):
    board, action, words = told
    game = Kalah(houses=int(board[1]))
    state = game.parse_state(board)
    assert game.explain(state, game.parse_action(state, action)) == words


def test_a_whole_turn_is_told_house_by_house():
    game = Kalah(turn="whole")
    state = game.initial_state()
    words = "sows 4 seeds from C, ends in the store: an extra turn; then sows 4 seeds from A"
    assert game.explain(state, game.parse_action(state, "CA")) == words


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
@given(seed=st.integers(0, 10_000))
def test_what_is_told_is_what_happens(variant, seed):
    game = Kalah(houses=4, seeds=3, **variant)
    for state, action in walk(game, seed):
        if action is None:
            break
        words, after = game.explain(state, action), game.result(state, action)
        assert words.endswith("and ends the game") == game.terminal_test(after)
        if not game.terminal_test(after):
            mover = game.to_move(state)
            stores = [game.unpack(each[mover])[-1] for each in (state, after)]
            captured = sum(
                int(clause.split("captures ")[1].split(",")[0]) for clause in words.split(";") if "captures" in clause
            )
            assert stores[1] - stores[0] >= captured
            assert words.endswith("extra turn") == (game.to_move(after) == mover)
