"""The evaluations, by hand and against a naive count, and the suggestions for ordering."""

import math

import pytest
from boards import boards
from ggp_kalah import Kalah
from hypothesis import given
from naive_kalah import play, step

CASES = {
    # 18 seeds. South: A1 falls into B and captures 4, C3 passes the store. North: a2 falls on a seed, b4 passes the
    # store, c1 is an extra turn. Replies to A1: store 10 against 3 by c1; to C3: 6 against 3.
    "<3,5,2,1,0,3,2,4,1> S": {
        "margin": 3,
        "scaled": 0.3,
        "hundredth": 0.03,
        "logistic": 2 / (1 + math.exp(-0.6)) - 1,
        "seeds": 9 - 9,
        "mobility": 2 - 3,
        "weighted": (9 + 1 + 5) - (9 + 5),
        "reply": 10 - 3,
    },
    # North to move. Replies to a2: 2 against 11, which captures 5; to b4: 3 against 6 by C3; to c1: 3 against 10.
    "<3,5,2,1,0,3,2,4,1> N": {"margin": 3, "seeds": 0, "mobility": -1, "weighted": 1, "reply": -(3 - 6)},
    # B1 empties South's side: it is over, 1 against 5 + 3. B1 counts as an extra turn; a1 and b2 are nothing.
    "<2,0,5,0,1,1,2> S": {"margin": -5, "seeds": -7, "mobility": -1, "weighted": (1 + 5) - 8, "reply": 1 - 8},
    # A7 goes around and captures itself and 3 + 1 opposite, C1 and b2 are extra turns.
    "<3,0,0,7,1,1,1,2,3> S": {"seeds": 3, "mobility": 0, "weighted": (9 + 1 + 5 + 5) - (6 + 5)},
    # 7 seeds, 5 of them in South's store: the linear one counts half of all.
    "<2,5,0,1,0,1,0> S": {"margin": 5, "scaled": 3.5 / 4.5, "logistic": 2 / (1 + math.exp(-2 * 5 / 4.5)) - 1},
    "<2,0,5,1,0,1,0> S": {"margin": -5, "scaled": -3.5 / 4.5},
}


@pytest.mark.parametrize("position", CASES)
def test_evaluations_of_positions_worked_by_hand(position):
    game = Kalah(houses=int(position[1]))
    state = game.parse_state(position)
    found = {name: game.evaluations[name](state) for name in CASES[position]}
    assert found == pytest.approx(CASES[position])


@pytest.mark.parametrize(("scoring", "default"), [("margin", "margin"), ("outcome", "scaled")])
def test_the_first_evaluation_is_in_the_unit_of_the_utility(scoring, default):
    evaluations = Kalah(scoring=scoring).evaluations
    assert next(iter(evaluations)) == default
    assert sorted(evaluations) == sorted(Kalah().evaluations)
    assert all(each.meaning for each in evaluations.values())


@given(boards())
def test_linear_and_logistic_stay_within_one_and_have_the_sign_of_the_margin(board):
    game, south, north, mover = board
    state = game.state(south, north, mover)
    margin = south[-1] - north[-1]
    for each in ("scaled", "logistic"):
        value = game.evaluations[each](state)
        assert -1 < value < 1
        assert (value > 0) - (value < 0) == (margin > 0) - (margin < 0)


@given(boards())
def test_evaluations_agree_with_a_naive_count_on_any_board(board):
    game, south, north, mover = board
    state = game.state(south, north, mover)
    expected = prospects(south, north, 0, game.capture) - prospects(south, north, 1, game.capture)
    assert game.evaluations["weighted"](state) == expected
    assert game.evaluations["seeds"](state) == sum(south) - sum(north)
    assert game.evaluations["mobility"](state) == sum(map(bool, south[:-1])) - sum(map(bool, north[:-1]))
    assert game.evaluations["reply"](state) == best_after_reply(south, north, mover, game.capture)


def prospects(south, north, mover, capture):
    """What `weighted` counts of one side, by playing every house."""
    own = (south, north)[mover]
    worth = sum(own)
    for house in range(len(own) - 1):
        if own[house]:
            after = play(south, north, mover, house, capture)
            plain = play(south, north, mover, house, "none")
            worth += 5 * (after[2] == mover)
            gained = after[mover][-1] - plain[mover][-1]
            worth += gained + 1 if gained else 0
    return worth


def best_after_reply(south, north, mover, capture):
    """What `reply` looks for, on lists."""
    found = []
    for house, seeds in enumerate((south, north)[mover][:-1]):
        if seeds:
            after = step(south, north, mover, house, capture)
            other = after[1 - mover]
            stores = [
                step(after[0], after[1], 1 - mover, answer, capture)[1 - mover][-1]
                for answer, seeds in enumerate(other[:-1])
                if seeds
            ]
            found.append(after[mover][-1] - max(stores, default=other[-1]))
    return -max(found) if mover else max(found)


@given(boards())
def test_suggestions_put_extra_turns_first_then_captures_by_size_then_the_nearest_to_the_store(board):
    game, south, north, mover = board
    state = game.state(south, north, mover)

    def usefulness(house):
        after = play(south, north, mover, house, game.capture)
        plain = play(south, north, mover, house, "none")
        return after[2] == mover, after[mover][-1] - plain[mover][-1] if after[2] != mover else 0, house

    houses = list(game.actions(state))
    assert sorted(houses, key=lambda house: game.suggest(state, house)) == sorted(houses, key=usefulness)


@pytest.mark.parametrize(("majority", "reply"), [(False, 6 - 1), (True, 6 - 0)])
def test_there_is_no_reply_to_a_play_that_ends_the_game(majority, reply):
    """B1 brings South 6 of 11 seeds; if that is not the end, North replies b2."""
    game = Kalah(houses=2, majority=majority)
    assert game.evaluations["reply"](game.parse_state("<2,5,0,1,1,2,2> S")) == reply


@pytest.mark.parametrize("majority", [False, True])
def test_a_finished_game_is_worth_its_margin_to_the_reply(majority):
    game = Kalah(houses=2, majority=majority)
    assert game.evaluations["reply"](game.parse_state("<2,6,1,1,0,0,0> N")) == 6
    assert Kalah(houses=2, majority=True).evaluations["reply"](game.parse_state("<2,6,0,1,1,2,1> S")) == 6
