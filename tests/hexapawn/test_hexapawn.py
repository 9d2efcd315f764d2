"""Hexapawn beside a naive program, and Gardner's result."""

import pytest
from oracles import check_canonical, check_rules, mirrored, naive_value

import ggp

REGISTRY = ggp.load_registry()
GAME = REGISTRY.game("hexapawn")


def follow(rows, mover):
    """The rules, on rows from the top: White moves up the page."""
    if "W" in rows[0]:
        return 1, []
    if "B" in rows[-1]:
        return -1, []
    up, other = (-1, "B") if mover == "W" else (1, "W")
    after = []
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            for aside in (-1, 0, 1) if mark == mover else ():
                wanted = "." if aside == 0 else other
                if 0 <= y + up < len(rows) and 0 <= x + aside < len(row) and rows[y + up][x + aside] == wanted:
                    board = [list(each) for each in rows]
                    board[y][x], board[y + up][x + aside] = ".", mover
                    after.append((board, other))
    return (None, after) if after else (-1 if mover == "W" else 1, [])


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 4), (5, 3), (3, 1), (6, 7)])
def test_random_games_agree_with_a_naive_program(rows, columns):
    check_rules(REGISTRY.game("hexapawn", rows=rows, columns=columns), follow)


def test_the_second_player_wins_on_three_by_three():
    """M. Gardner, Mathematical Games, Scientific American 206 (March 1962); the naive program agrees."""
    assert REGISTRY.searcher("minimax").search(GAME, GAME.initial_state()).value == -1
    assert naive_value(follow, GAME.format_state(GAME.initial_state()), "WB") == -1


SMALL = [(3, 1), (3, 2), (4, 2)]


@pytest.mark.parametrize(
    ("rows", "columns", "speed"),
    [(*size, "interpreted") for size in SMALL]
    + [pytest.param(*size, "compiled", marks=pytest.mark.slow) for size in ((4, 2), (4, 4), (3, 5))],
)
def test_values_of_small_boards(rows, columns, speed):
    game = REGISTRY.game("hexapawn", rows=rows, columns=columns)
    found = REGISTRY.searcher("alphabeta", table=8, speed=speed).search(game, game.initial_state())
    assert found.value == naive_value(follow, game.format_state(game.initial_state()), "WB")


def test_mirror_images_have_one_canonical_state():
    check_canonical(REGISTRY.game("hexapawn", rows=4, columns=4), mirrored)


def test_moves_as_they_are_written():
    state = GAME.result(GAME.initial_state(), GAME.parse_action(GAME.initial_state(), "b1-b2"))
    assert [GAME.format_action(state, action) for action in GAME.actions(state)] == ["a3-a2", "a3xb2", "c3-c2", "c3xb2"]
    with pytest.raises(ggp.IllegalActionError, match=r"b3-b2 cannot be played in BBB/.W./W.W B: Black can play a3-a2"):
        GAME.parse_action(state, "b3-b2")
    with pytest.raises(ggp.NotationError, match="'b3' is not a move: a move is written like b1-b2, or b1xc2"):
        GAME.parse_action(state, "b3")


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "shape": ("BB/../WW W", "is not a board"),
        "arrived before": ("W.B/.../... W", "White had won before the last move"),
        "too many": (".../WWW/W.. B", "each side has 3 pawns at most"),
    }.values(),
)
def test_texts_that_are_no_positions(text, message):
    with pytest.raises(ggp.NotationError, match=message):
        GAME.parse_state(text)


def test_moves_are_chosen_by_two_cells():
    scene = GAME.scene(GAME.initial_state())
    assert [(move.start, move.end) for move in scene.moves] == [("a1", "a2"), ("b1", "b2"), ("c1", "c2")]
