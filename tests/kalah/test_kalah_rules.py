"""The rules: a table to read, known answers, a naive reference, and the ends of the game."""

import itertools
import json
import pathlib
import pickle

import pytest
from boards import CAPTURES, VARIANTS, boards, name, sides, states, walk
from ggp_kalah import Kalah
from hypothesis import given
from hypothesis import strategies as st
from naive_kalah import step, swept

import ggp

DATA = pathlib.Path(__file__).parents[1] / "data"
POSITIONS = json.loads((DATA / "kalah_rules.json").read_text())
COUNTS = json.loads((DATA / "search_counts.json").read_text())

S, E, N = "standard", "empty", "none"
RULES = {  # capture rule, before, house, after
    "seeds go one by one into the next houses": (S, "<3,0,0,2,0,1,1,1,1> S", "A", "<3,0,0,0,1,2,1,1,1> N"),
    "the own store gets a seed": (S, "<3,0,0,1,3,1,1,1,1> S", "B", "<3,1,0,1,0,2,2,1,1> N"),
    "the opponent's store is passed over": (S, "<2,0,5,1,4,1,1> S", "B", "<2,1,5,2,0,2,2> N"),
    "a last seed in the own store gives another turn": (S, "<3,0,0,1,2,0,1,1,1> S", "B", "<3,1,0,1,0,1,1,1,1> S"),
    "so it does for North": (S, "<3,0,0,1,1,1,0,2,1> N", "b", "<3,0,1,1,1,1,0,0,2> N"),
    "so it does after a lap": (S, "<2,0,0,0,6,1,1> S", "B", "<2,2,0,1,1,2,2> S"),
    "a last seed in an empty own house captures": (S, "<3,0,0,1,0,1,5,4,3> S", "A", "<3,5,0,0,0,1,5,0,3> N"),
    "North captures as South does": (S, "<3,0,0,1,6,1,1,0,1> N", "a", "<3,0,7,1,0,1,0,0,1> S"),
    "a last seed in a house with seeds captures nothing": (S, "<3,0,0,1,2,1,5,4,3> S", "A", "<3,0,0,0,3,1,5,4,3> N"),
    "a last seed in the opponent's empty house captures nothing": (S, "<2,0,0,1,2,0,1> S", "B", "<2,1,0,1,0,1,1> N"),
    "opposite house empty: no capture": (S, "<3,0,0,1,0,1,5,0,3> S", "A", "<3,0,0,0,1,1,5,0,3> N"),
    "opposite house empty: the lone seed is taken": (E, "<3,0,0,1,0,1,5,0,3> S", "A", "<3,1,0,0,0,1,5,0,3> N"),
    "capture empty takes both houses as well": (E, "<3,0,0,1,0,1,5,4,3> S", "A", "<3,5,0,0,0,1,5,0,3> N"),
    "no capture at all": (N, "<3,0,0,1,0,1,5,4,3> S", "A", "<3,0,0,0,1,1,5,4,3> N"),
    "a lap into the house just emptied captures": (S, "<2,0,0,5,1,1,1> S", "A", "<2,4,0,0,2,2,0> N"),
    "two laps into the house just emptied capture nothing": (S, "<2,0,0,10,1,1,1> S", "A", "<2,2,0,2,3,3,3> N"),
    "a lap into an empty house captures what the lap has sown": (
        S,
        "<3,0,0,0,1,5,2,3,4> S",
        "C",
        "<3,7,0,0,1,0,3,4,0> N",
    ),
    "the last house that is emptied ends the game": (S, "<2,3,4,0,1,2,1> S", "B", "<2,4,7,0,0,0,0> S"),
    "even if it is the other side's turn": (S, "<2,0,0,0,2,1,0> S", "B", "<2,1,2,0,0,0,0> N"),
    "a capture that empties the other side ends it": (S, "<3,0,0,1,0,1,0,4,0> S", "A", "<3,6,0,0,0,0,0,0,0> N"),
    "each player keeps the seeds on their side": (S, "<3,1,2,0,0,1,0,3,4> S", "C", "<3,2,9,0,0,0,0,0,0> S"),
}


@pytest.mark.parametrize(("capture", "before", "house", "after"), RULES.values(), ids=RULES)
def test_a_play_does_what_the_rule_says(capture, before, house, after):
    m = int(before[1 : before.index(",")])
    game = Kalah(houses=m, capture=capture)
    state = game.parse_state(before)
    assert game.format_state(game.result(state, game.parse_action(state, house))) == after


@pytest.mark.parametrize("row", POSITIONS, ids=lambda row: row["id"])
def test_independent_programs_play_every_move_the_same_way(row):
    m, ring = row["houses"], row["board"]
    for capture, moves in row["moves"].items():
        game = Kalah(houses=m, seeds=sum(ring), capture=capture)
        state = game.state(ring[: m + 1], ring[m + 1 :], row["player"])
        assert [str(house) for house in game.actions(state)] == list(moves)
        for house, after in moves.items():
            south, north, mover = sides(game, found := game.result(state, int(house)))
            assert [*south, *north] == after["board"]
            assert game.terminal_test(found) == after["over"]
            assert after["next_player"] in (mover, None)


@given(boards())
def test_packed_rules_are_the_naive_ones_on_any_board(board):
    game, south, north, mover = board
    state = game.state(south, north, mover)
    own = (south, north)[mover]
    assert list(game.actions(state)) == [house for house in range(game.houses) if own[house]]
    for house in game.actions(state):
        expected = step(south, north, mover, house, game.capture)
        found = game.result(state, house)
        assert sides(game, found) == expected
        assert game.terminal_test(found) == (not any(expected[0][:-1]))


def test_perft_of_the_usual_board_is_known():
    game = Kalah()

    def perft(state, depth):
        if depth == 0 or game.terminal_test(state):
            return depth == 0
        return sum(perft(game.result(state, house), depth - 1) for house in game.actions(state))

    assert [perft(game.initial_state(), depth) for depth in range(7)] == COUNTS["perft"][:7]


@pytest.mark.parametrize("mover", [ggp.MAX, ggp.MIN])
@pytest.mark.parametrize(("south", "north"), [([0, 0, 1], [2, 3, 4]), ([2, 3, 4], [0, 0, 1]), ([0, 0, 1], [0, 0, 2])])
def test_a_start_with_an_empty_side_is_the_end(south, north, mover):
    game = Kalah(houses=2)
    state = game.state(south, north, mover)
    assert game.terminal_test(state)
    assert sides(game, state) == (swept(south), swept(north), mover)


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
@pytest.mark.parametrize("houses", [1, 6, 12])
def test_without_seeds_the_game_is_over_and_a_draw(houses, variant):
    game = Kalah(houses=houses, seeds=0, **variant)
    state = game.initial_state()
    assert game.terminal_test(state)
    assert (game.utility(state, ggp.MAX), game.utility(state, ggp.MIN), game.bounds(state)) == (0, 0, (0, 0))
    assert all(evaluate(state) == 0 for evaluate in game.evaluations.values())


def test_one_house_a_side_is_played_to_the_end():
    game = Kalah(houses=1, seeds=1)
    assert [game.format_state(state) for state, _ in walk(game, 0)] == ["<1,0,0,1,1> S", "<1,1,1,0,0> S"]


@pytest.mark.parametrize(
    ("position", "over"),
    [
        ("<2,4,0,1,1,1,1> S", False),  # half of all seeds are not more than half
        ("<2,5,0,1,1,1,1> S", True),
        ("<2,0,5,1,1,1,1> S", True),
        ("<2,5,0,1,1,1,2> S", False),
        ("<2,0,0,1,0,0,1> S", False),
    ],
)
def test_a_majority_ends_the_game_where_that_is_the_rule(position, over):
    game = Kalah(houses=2, majority=True)
    state = game.parse_state(position)
    assert game.terminal_test(state) == over
    assert not Kalah(houses=2).terminal_test(state)
    assert game.format_state(state) == position


@given(boards(), st.booleans())
def test_utility_is_the_margin_of_the_stores_or_its_sign(board, majority):
    game, south, north, mover = board
    margin = Kalah(game.houses, game.seeds, majority=majority)
    outcome = Kalah(game.houses, game.seeds, majority=majority, scoring="outcome")
    state = game.state(swept(south), swept(north), mover)
    seeds = sum(south) - sum(north)
    assert (margin.utility(state, ggp.MAX), margin.utility(state, ggp.MIN)) == (seeds, -seeds)
    sign = (seeds > 0) - (seeds < 0)
    assert (outcome.utility(state, ggp.MAX), outcome.utility(state, ggp.MIN)) == (sign, -sign)


def test_seeds_are_never_lost_and_no_state_comes_back():
    for capture, (houses, seeds) in itertools.product(CAPTURES, [(1, 3), (3, 9), (6, 4), (12, 2)]):
        game = Kalah(houses, seeds, capture)
        played = [state for state, _ in walk(game, houses)]
        assert len(set(played)) == len(played)
        totals = {sum(south) + sum(north) for south, north, _ in (sides(game, each) for each in played)}
        assert totals == {2 * houses * seeds}


def test_a_game_is_its_parameters():
    game = Kalah(houses=3, seeds=2, capture="empty", majority=True, turn="whole", scoring="outcome")
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert copy == game
    assert hash(copy) == hash(game)
    assert copy != Kalah()
    assert repr(copy) == ("Kalah(houses=3, seeds=2, capture='empty', majority=True, turn='whole', scoring='outcome')")
    assert [state for state, _ in walk(copy, 1)] == [state for state, _ in walk(game, 1)]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"houses": 0}, r"houses must be a whole number from 1 to 12 \(houses a side\); got 0"),
        ({"houses": 13}, "houses must be .*; got 13"),
        ({"seeds": -1}, r"seeds must be a whole number, 0 or more .*; got -1"),
        ({"capture": "all"}, "capture must be one of standard, empty, none .*; got 'all'"),
        ({"turn": "half"}, "turn must be one of single, whole .*; got 'half'"),
        ({"scoring": "points"}, "scoring must be one of margin, outcome .*; got 'points'"),
        ({"majority": "maybe"}, "majority must be yes or no .*; got 'maybe'"),
    ],
)
def test_a_wrong_parameter_is_refused_in_words(parameters, message):
    with pytest.raises(ggp.OptionError, match=message):
        Kalah(**parameters)


@pytest.mark.parametrize("seeds", [5461, 5462, 5463])  # 65,532 to 65,556 seeds in all: from 16 bits a house to 17
def test_boards_that_start_with_more_seeds_get_more_bits(seeds):
    game = Kalah(seeds=seeds)
    for house in range(6):
        expected = step([seeds] * 6 + [0], [seeds] * 6 + [0], ggp.MAX, house, "standard")
        assert sides(game, game.result(game.initial_state(), house)) == expected


def test_any_number_of_seeds_can_be_written_and_read():
    game = Kalah(seeds=10**12)
    assert game.parse_state(game.format_state(game.initial_state())) == game.initial_state()


CAPACITY = {1: 2**31 - 2, 2: 2**21 - 2, 3: 2**15 - 2, 6: 510, 7: 126, 8: 126, 9: 62, 10: 30, 11: 30, 12: 14}
"""By houses a side, the most seeds whose board fits into machine integers."""


@pytest.mark.parametrize(("houses", "most"), CAPACITY.items())
def test_a_board_fits_into_machine_integers_if_its_seeds_allow_it(houses, most):
    game = Kalah(houses, seeds=most // (2 * houses))
    full = game.state([0] * (houses - 1) + [1, most - 2], [0] * (houses - 1) + [1, 0], ggp.MIN)
    assert (game.capacity, game.arithmetic) == (most, "unchecked")
    assert max(full) < 2**63
    assert game.parse_state(game.format_state(full)) == full
    assert game.left(full) == 2


@pytest.mark.parametrize(("houses", "most"), CAPACITY.items())
def test_a_board_with_more_seeds_is_wider_and_its_numbers_are_checked(houses, most):
    game = Kalah(houses, seeds=most // (2 * houses) + 1)
    assert game.capacity >= 65534
    assert game.arithmetic == "checked"


def test_numbers_are_checked_where_a_turn_may_outgrow_them():
    assert Kalah(turn="whole").arithmetic == "checked"


def test_the_registry_has_kalah_with_its_names():
    game = ggp.load_registry().game("kalah", houses=2, seeds=1)
    assert repr(game) == repr(Kalah(2, 1))
    assert (game.name, game.player_names) == ("kalah", ("South", "North"))


def test_states_of_random_games_reach_every_kind_of_play():
    """The generator is worth its name: laps, captures and extra turns all come up."""
    game = Kalah(3, 9)
    laps = captures = extra = 0
    for state in states(game, 20):
        south, north, mover = sides(game, state)
        own = (south, north)[mover]
        for house in game.actions(state):
            laps += own[house] >= 7
            extra += (house + own[house]) % 7 == 3
            captures += game.suggest(state, house) // 3 > 0 and (house + own[house]) % 7 != 3
    assert min(laps, captures, extra) >= 10
