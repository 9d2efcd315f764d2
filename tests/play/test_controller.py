"""The controller under every front end."""

import pytest

import ggp
from ggp.errors import IllegalActionError, UsageError
from ggp.opening_book import known_values
from ggp.play import Match, make_player
from ggp.play.controller import Controller, advise, played, result, take_back, tally

REGISTRY = ggp.load_registry()


def controller(name="kalah", first="human", second="easy", start=None, **parameters):
    game = REGISTRY.game(name, **parameters)
    players = tuple(make_player(REGISTRY, each, game, lambda *_: None, seed=1) for each in (first, second))
    state = game.initial_state() if start is None else game.parse_state(start)
    return Controller(REGISTRY, Match(game, players, state, seed=1), adviser="easy")


def texts(match):
    return [match.game.format_action(move.before, move.action) for move in match.moves]


def test_a_human_plays_and_takes_back_with_what_followed():
    found = controller()
    found.play("A")
    while not found.humans_turn:
        found.match.step()
    assert take_back(found.match) >= 2
    assert found.match.moves == []


def test_only_a_human_plays_and_there_has_to_be_a_move_to_take_back():
    found = controller(first="easy")
    with pytest.raises(UsageError, match="it is not a human's turn"):
        found.play("A")
    with pytest.raises(UsageError, match="there is no move to take back"):
        take_back(found.match)


def test_going_to_a_position_and_beginning_again():
    found = controller(second="human")
    found.go_to(["C", "A", "b"])
    assert texts(found.match) == ["C", "A", "b"]
    with pytest.raises(IllegalActionError):
        found.go_to(["C", "C", "C", "C"])
    found.again()
    assert found.match.moves == []


def test_in_a_rematch_the_sides_can_be_swapped():
    found = controller()
    found.again(swapped=True)
    assert [player.name for player in found.match.players] == ["easy", "human"]


def test_a_hint_is_a_legal_move_with_its_value():
    found = controller(houses=5, seeds=7).hint()
    assert found.move in "ABCDE"
    assert found.sentence(REGISTRY.game("kalah")).startswith(f"easy would play {found.move}: ")


def test_a_hint_in_a_solved_position_is_best_play():
    found = controller().hint()
    assert found.sentence(REGISTRY.game("kalah")) == "best is C: 8 seeds for South (exact)"


def test_what_the_book_says_of_every_reply_is_known_and_the_adviser_chooses_among_equals():
    game = REGISTRY.game("connectfour")
    state = [*played(game, game.initial_state(), "4444")][-1][0]  # O to move: the book lists X's positions alone
    assert dict(known_values(game, state)) == dict.fromkeys(range(7), 1)
    adviser = make_player(REGISTRY, "alphabeta:depth=2", game)
    found = advise(adviser, game, state)
    assert (found.by, found.action) == (adviser.name, adviser.choose(game, state).action)
    assert "a win for X (exact)" in found.sentence(game)


def test_what_has_happened_since_ones_own_move_is_told():
    found = controller()
    found.play("A")
    found.match.step()
    assert len(found.happened()) == 1
    assert found.happened()[0].startswith("North (easy) plays ")


def test_moves_after_the_end_are_refused():
    game = REGISTRY.game("tictactoe")
    with pytest.raises(IllegalActionError, match="the game is over there"):
        list(played(game, game.initial_state(), ["1", "4", "2", "5", "3", "6"]))


@pytest.mark.parametrize(
    ("name", "start", "move", "words"),
    [
        ("kalah", "<6,30,16,0,0,0,0,0,1,1,0,0,0,0,0> S", "F", "South wins against North, 31 : 17."),
        ("kalah", "<6,20,26,0,0,0,0,0,1,1,0,0,0,0,0> S", "F", "North wins against South, 27 : 21."),
        (
            "kalah",
            "<6,23,23,0,0,0,0,0,1,1,0,0,0,0,0> S",
            "F",
            "A draw, 24 : 24, between South and North.",
        ),
        ("nim", None, "1:1", "first wins against second."),
    ],
)
def test_the_end_says_who_has_won_and_how(name, start, move, words):
    parameters = {} if start else {"heaps": (1,)}
    found = controller(name, "human", "human", start, **parameters)
    assert result(found.match) == ""
    found.play(move)
    assert result(found.match) == words


def test_a_board_that_counts_nothing_has_no_score():
    game = REGISTRY.game("tictactoe")
    assert tally(game, game.initial_state(), 1.0) == ""
