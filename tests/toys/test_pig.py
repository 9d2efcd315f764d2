import fractions
import functools
import pickle

import pytest
from ggp_toys import Pig
from hypothesis import given

import ggp
from ggp.testing import minimax_value, states

# a name a row: the state before, the action or face, the state after; goal 20, twenty turns
RULES = {
    "to roll is to let the die decide": ("0:0 +0 turn 1", "roll", "0:0 +0 turn 1 rolling"),
    "the face adds to the stake": ("0:0 +5 turn 1 rolling", "4", "0:0 +9 turn 1"),
    "a 1 loses the stake and the turn": ("3:7 +9 turn 1 rolling", "1", "3:7 +0 turn 2"),
    "holding keeps the stake of the first player": ("3:7 +9 turn 3", "hold", "12:7 +0 turn 4"),
    "holding keeps the stake of the second player": ("3:7 +9 turn 4", "hold", "3:16 +0 turn 5"),
    "one short of the goal is not won": ("10:0 +5 turn 1 rolling", "4", "10:0 +9 turn 1"),
    "reaching the goal wins at once": ("10:0 +5 turn 1 rolling", "5", "20:0 +0 turn 2"),
    "passing the goal wins at once": ("0:15 +0 turn 2 rolling", "6", "0:21 +0 turn 3"),
    "a 1 in the last turn ends the game": ("3:7 +2 turn 20 rolling", "1", "3:7 +0 turn 21"),
}
GAME = Pig(turns=20)


@pytest.mark.parametrize(("before", "action", "after"), RULES.values(), ids=RULES)
def test_a_rule(before, action, after):
    state = GAME.parse_state(before)
    assert GAME.format_state(GAME.result(state, GAME.parse_action(state, action))) == after


@pytest.mark.parametrize(
    ("text", "mover"),
    [("0:0 +0 turn 1", ggp.MAX), ("0:0 +0 turn 2", ggp.MIN), ("0:0 +0 turn 2 rolling", ggp.CHANCE)],
)
def test_the_first_player_has_the_odd_turns_and_chance_the_die(text, mover):
    assert GAME.to_move(GAME.parse_state(text)) == mover


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("0:0 +0 turn 1", ["roll"]),
        ("0:0 +2 turn 1", ["roll", "hold"]),
        ("0:0 +2 turn 1 rolling", ["1", "2", "3", "4", "5", "6"]),
    ],
)
def test_a_turn_begins_with_a_roll(text, names):
    state = GAME.parse_state(text)
    assert [GAME.format_action(state, action) for action in GAME.actions(state)] == names


@pytest.mark.parametrize("sides", [2, 6, 20, 49])
def test_the_faces_are_equally_probable(sides):
    game = Pig(sides=sides, goal=60)
    rolling = game.result(game.initial_state(), 0)
    outcomes = list(game.outcomes(rolling))
    assert [face for face, _ in outcomes] == list(game.actions(rolling)) == list(range(1, sides + 1))
    assert {share for _, share in outcomes} == {1 / sides}
    assert sum(share for _, share in outcomes) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "worth"), [("20:3 +0 turn 6", 1), ("3:25 +0 turn 7", -1), ("19:0 +0 turn 21", 0), ("20:3 +0 turn 21", 1)]
)
def test_the_utility_is_a_win_a_loss_or_a_draw(text, worth):
    state = GAME.parse_state(text)
    assert GAME.terminal_test(state)
    assert (GAME.utility(state, ggp.MAX), GAME.utility(state, ggp.MIN)) == (worth, -worth)


@pytest.mark.parametrize("text", ["19:19 +0 turn 20", "0:0 +19 turn 1", "0:0 +0 turn 20 rolling"])
def test_the_game_goes_on_below_the_goal_until_the_turns_are_over(text):
    assert not GAME.terminal_test(GAME.parse_state(text))


def exact(sides, goal, turns):
    """The game's value as a fraction, by a recursion of its own over (own points, other's points, turns left)."""

    @functools.cache
    def begin(own, other, left):
        return roll(own, other, 0, left) if left else fractions.Fraction(0)

    @functools.cache
    def roll(own, other, stake, left):
        total = -begin(other, own, left - 1)
        for face in range(2, sides + 1):
            won = own + stake + face >= goal
            total += 1 if won else choose(own, other, stake + face, left)
        return total / sides

    @functools.cache
    def choose(own, other, stake, left):
        return max(roll(own, other, stake, left), -begin(other, own + stake, left - 1))

    return begin(0, 0, turns)


@pytest.mark.parametrize(("sides", "goal", "turns"), [(6, 1, 3), (2, 5, 4), (3, 7, 3), (6, 9, 2)])
def test_the_value_is_that_of_a_solution_in_fractions(sides, goal, turns):
    game = Pig(sides, goal, turns)
    assert minimax_value(game, game.initial_state()) == pytest.approx(float(exact(sides, goal, turns)), abs=1e-12)


@given(states(GAME))
def test_notation_goes_round(state):
    assert GAME.parse_state(GAME.format_state(state)) == state
    for action in () if GAME.terminal_test(state) else GAME.actions(state):
        assert GAME.parse_action(state, GAME.format_action(state, action)) == action


SHAPE = (
    "it is written as both players' points, the points at stake and the turn, like 12:7 +5 turn 4, followed by the word"
    " rolling while the die rolls"
)


@pytest.mark.parametrize("text", ["", "12:7", "12:7 +5", "12,7 +5 turn 4", "-1:7 +5 turn 4", "1:7 +5 turn 4 falling"])
def test_what_is_no_state_is_refused_in_words(text):
    with pytest.raises(ggp.NotationError) as caught:
        GAME.parse_state(text)
    assert str(caught.value) == f"{text!r} is not a state of pig: {SHAPE}"


@pytest.mark.parametrize(
    ("text", "why"),
    {
        "turn 0": ("0:0 +0 turn 0", "the turns are 1 to 20, and 21 when all are over"),
        "too late": ("0:0 +0 turn 22", "the turns are 1 to 20, and 21 when all are over"),
        "both won": ("20:20 +0 turn 3", "only one player can reach the goal of 20"),
        "too many points": ("26:0 +0 turn 3", "in a game to 20, nobody can have more than 25 points"),
        "a stake after the end": (
            "20:0 +2 turn 3",
            "the game is over, so nothing is at stake and no die is rolling",
        ),
        "a die after the end": (
            "0:0 +0 turn 21 rolling",
            "the game is over, so nothing is at stake and no die is rolling",
        ),
        "a stake of one": ("0:0 +1 turn 1", "a turn's points are at least 2"),
        "a stake that has won": (
            "10:0 +10 turn 1",
            "with these points at stake the goal of 20 is reached and the turn is over",
        ),
    }.values(),
)
def test_impossible_states_are_refused_in_words(text, why):
    with pytest.raises(ggp.NotationError) as caught:
        GAME.parse_state(text)
    assert str(caught.value) == f"{text!r} cannot occur: {why}"


@pytest.mark.parametrize("text", ["", "stay", "0", "7", "1.5", "²"])
def test_what_is_no_action_is_refused_in_words(text):
    with pytest.raises(ggp.NotationError) as caught:
        GAME.parse_action(GAME.initial_state(), text)
    assert str(caught.value) == f"{text!r} is not an action of pig: roll, hold, or 1 to 6 for the die"


@pytest.mark.parametrize(
    ("state", "action", "right"),
    [
        ("0:0 +0 turn 1", "hold", "choose from roll"),
        ("0:0 +2 turn 1", "3", "choose from roll, hold"),
        ("0:0 +2 turn 1 rolling", "roll", "choose from 1, 2, 3, 4, 5, 6"),
        ("20:0 +0 turn 2", "roll", "the game is over"),
    ],
)
def test_an_action_against_the_rules_is_refused(state, action, right):
    with pytest.raises(ggp.IllegalActionError) as caught:
        GAME.parse_action(GAME.parse_state(state), action)
    assert str(caught.value) == f"{action} is not possible in {state}: {right}"


def test_the_evaluations_are_shares_of_the_goal():
    state = GAME.parse_state("12:7 +4 turn 4")  # the second player's stake
    assert {name: each(state) for name, each in GAME.evaluations.items()} == {"lead": 1 / 20, "banked": 5 / 20}
    assert GAME.evaluations["lead"](GAME.parse_state("12:7 +4 turn 3")) == 9 / 20


def test_the_drawing_shows_both_ways_to_the_goal():
    drawing = [
        f"first  [{'#' * 15}{'?' * 7}{' ' * 8}] 10 + 5 of 20",
        f"second [{'#' * 3}{' ' * 27}] 2 of 20",
        "turn 3 of 20: first is to roll or hold",
    ]
    assert GAME.draw(GAME.parse_state("10:2 +5 turn 3")).splitlines() == drawing


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0:0 +0 turn 2", "turn 2 of 20: second is to roll"),
        ("0:0 +0 turn 1 rolling", "turn 1 of 20: first has rolled the die"),
        ("22:0 +0 turn 2", "first has won"),
        ("0:20 +0 turn 3", "second has won"),
        ("1:2 +0 turn 21", "a draw"),
    ],
)
def test_the_drawing_says_how_things_stand(text, says):
    assert GAME.draw(GAME.parse_state(text)).splitlines()[-1] == says


def test_a_game_comes_back_from_a_pickle():
    again = pickle.loads(pickle.dumps(Pig(4, 9, 7)))  # noqa: S301 - pickled on the spot
    assert again == Pig(4, 9, 7)
    assert hash(again) == hash(Pig(4, 9, 7))
