"""`ggp review`: the mistakes of a recorded game, and what was best instead."""

import json

import pytest

BLUNDER = "blunder: best was 1 (a draw), now it is a win for X"


@pytest.fixture(autouse=True)
def game(ggp):
    """Game 1 of the store: X begins in the middle, O replies beside it, which loses."""
    ggp("play", "tictactoe", "--x", "human", "--o", "human", input="5\n2\n1\nresign\ny\n")


def test_a_review_names_the_mistakes_and_what_was_best(ggp):
    lines = ggp("review", "1").out.splitlines()
    assert "1. X 5  [a draw, exact]" in lines
    at = lines.index("2. O 2??  [a win for X, exact]")
    assert lines[at + 1].startswith(f"    {BLUNDER}; then ")
    assert lines[-1] == "X: no mistake, no blunder. O: no mistake, 1 blunder."


def test_mistakes_alone_are_shown_with_their_boards(ggp):
    out = ggp("review", "1", "--mistakes").out
    assert "O to move" in out
    assert BLUNDER in out
    assert "1. X 5" not in out


def test_a_review_as_json_has_values_to_max(ggp):
    moves = json.loads(ggp("review", "1", "--json").out)["moves"]
    assert [move["verdict"] for move in moves] == [None, "blunder", None]
    assert (moves[1]["side"], moves[1]["value"], moves[1]["best_value"], moves[1]["exact"]) == ("O", 1, 0, True)


def test_a_mistake_is_a_puzzle_until_a_better_move_is_found(ggp):
    out = ggp("review", "1", "--learn", input="4\n3\n").out
    assert "Mistake 1 of 1, move 2:" in out
    assert "O played 2. Find a better move." in out
    assert "No, 4 is a blunder, too: now it is a win for X." in out
    assert "Right: 3 is as good as 1" in out


@pytest.mark.parametrize("word", ["back", "quit"])
def test_who_gives_up_is_told_the_best_move(ggp, word):
    assert "Best was 1 (a draw), now it is a win for X." in ggp("review", "1", "--learn", input=f"{word}\n").out


def test_a_game_without_a_mistake_teaches_nothing(ggp):
    ggp("play", "tictactoe", "--x", "human", "--o", "human", input="5\n1\nresign\ny\n")
    assert "There is no mistake to learn from." in ggp("review", "2", "--learn").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("-", "--learn"), "- reads the record from standard input, which --learn needs: give a file"),
        (("1", "--learn", "--json"), "--learn and --json cannot be used together"),
        (("1", "--nodes", "3"), "--nodes must be a whole number from 100"),
    ],
)
def test_options_that_cannot_be_used_are_refused(ggp, arguments, sentence):
    found = ggp("review", *arguments)
    assert found.status == 2
    assert sentence in " ".join(found.err.split())
