"""Breakthrough beside a naive program."""

import pytest
from oracles import check_canonical, check_rules, check_value_bounds, mirrored, naive_value, walk

import ggp
from ggp.testing.perft_counts import perft

REGISTRY = ggp.load_registry()
GAME = REGISTRY.game("breakthrough")


def follow(rows, mover):
    """The rules, on rows from the top: White moves up the page."""
    marks = [mark for row in rows for mark in row]
    if "W" in rows[0] or "B" not in marks:
        return 1, []
    if "B" in rows[-1] or "W" not in marks:
        return -1, []
    up, other = (-1, "B") if mover == "W" else (1, "W")
    after = []
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            for aside in (-1, 0, 1) if mark == mover else ():
                if 0 <= x + aside < len(row) and rows[y + up][x + aside] in ("." if aside == 0 else "." + other):
                    board = [list(each) for each in rows]
                    board[y][x], board[y + up][x + aside] = ".", mover
                    after.append((board, other))
    return None, after


@pytest.mark.parametrize(("rows", "columns"), [(4, 2), (5, 5), pytest.param(8, 8, marks=pytest.mark.slow), (6, 3)])
def test_random_games_agree_with_a_naive_program(rows, columns):
    check_rules(REGISTRY.game("breakthrough", rows=rows, columns=columns), follow, plays=20)


@pytest.mark.parametrize(
    ("rows", "columns"), [(4, 2)] + [pytest.param(*size, marks=pytest.mark.slow) for size in ((5, 2), (4, 3), (6, 2))]
)
def test_values_of_small_boards(rows, columns):
    game = REGISTRY.game("breakthrough", rows=rows, columns=columns)
    found = REGISTRY.searcher("alphabeta", table=8, ordering="suggestion").search(game, game.initial_state())
    assert found.value == naive_value(follow, game.format_state(game.initial_state()), "WB")


@pytest.mark.parametrize(("rows", "columns"), [(4, 2), (5, 2)])
def test_value_bounds_hold(rows, columns):
    check_value_bounds(REGISTRY.game("breakthrough", rows=rows, columns=columns))


def test_perft_of_the_whole_board():
    """OpenSpiel 1.6 counts the same."""
    assert [perft(GAME, GAME.initial_state(), depth) for depth in range(4)] == [1, 22, 484, 11132]


def test_mirror_images_have_one_canonical_state():
    check_canonical(REGISTRY.game("breakthrough", rows=5, columns=4), mirrored)


def test_suggestions_put_what_wins_first_and_then_captures():
    state = GAME.parse_state("......../.W....../..B...../......../......../......../......../W....... W")
    order = sorted(GAME.actions(state), key=lambda step: -GAME.suggest(state, step))
    assert [GAME.grid.row(step.target) for step in order[:3]] == [7, 7, 7]
    state = GAME.parse_state("......../......../...B..../..W...../......../......../......../W....... W")
    order = sorted(GAME.actions(state), key=lambda step: -GAME.suggest(state, step))
    assert GAME.format_action(state, order[0]) == "c5xd6"


def test_the_evaluation_is_that_of_the_other_side_turned_round():
    for state in walk(GAME, 3, 5):
        turned = type(state)(GAME.grid.flip_rows(state.black), GAME.grid.flip_rows(state.white), 1 - state.mover)
        assert GAME.advance(state) == -GAME.advance(turned)
        assert GAME.prospect(state) == -GAME.prospect(turned)


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "shape": ("BB/../.. W", "is not a board"),
        "arrived before": ("W./../../.. W", "White had won before the last move"),
        "too many": ("BB/WW/WW/W. B", "each side has 4 pieces at most"),
    }.values(),
)
def test_texts_that_are_no_positions(text, message):
    with pytest.raises(ggp.NotationError, match=message):
        REGISTRY.game("breakthrough", rows=4, columns=2).parse_state(text)
