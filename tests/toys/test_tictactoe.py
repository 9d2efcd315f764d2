import itertools
import pickle
import random

import pytest
from ggp_tictactoe import TicTacToe
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.testing import perft, states

# AIMA's board, a strip, wide, high, long lines, lines shorter than either side, k = 1, a side of 1
BOARDS = [(3, 3, 3), (1, 5, 3), (3, 5, 3), (5, 3, 3), (4, 4, 4), (4, 5, 3), (2, 2, 1), (6, 1, 2), (15, 16, 5)]
# counted by two independent programs: sequences of exactly 0, 1, 2 ... 9 moves from the empty board
PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def naive_winner(game, text):
    """Who has k in a row: looks at every cell and walks from it in all eight directions."""
    rows = text.split("/")
    for row, column in itertools.product(range(game.h), range(game.v)):
        for down, right in itertools.product((-1, 0, 1), repeat=2):
            walk = [(row + down * i, column + right * i) for i in range(game.k)]
            inside = all(0 <= i < game.h and 0 <= j < game.v for i, j in walk)
            if ((down, right) == (0, 0) and game.k > 1) or not inside:
                continue
            if len({rows[i][j] for i, j in walk}) == 1 and rows[row][column] != ".":
                return rows[row][column]
    return None


def test_perft_from_the_empty_board():
    game = TicTacToe()
    assert [perft(game, game.initial_state(), depth) for depth in range(10)] == PERFT


@pytest.mark.parametrize("board", [*BOARDS[:-1], pytest.param(BOARDS[-1], marks=pytest.mark.slow)])
def test_wins_are_those_of_a_naive_look_at_the_board(board):
    game, draw = TicTacToe(*board), random.Random(1)
    ends = set()
    for _ in range(30 if board[0] < 9 else 3):
        state = game.initial_state()
        while not game.terminal_test(state):
            state = game.result(state, draw.choice(list(game.actions(state))))
            winner = naive_winner(game, game.format_state(state))
            full = "." not in game.format_state(state)
            assert game.terminal_test(state) == (winner is not None or full), game.format_state(state)
            if game.terminal_test(state):
                worth = {"X": 1, "O": -1, None: 0}[winner]
                assert (game.utility(state, ggp.MAX), game.utility(state, ggp.MIN)) == (worth, -worth)
                ends.add(winner)
    assert ends  # every walk ended


@pytest.mark.parametrize("board", BOARDS[:-1])
def test_every_line_wins_alone(board):
    game, found = TicTacToe(*board), 0
    for cells in itertools.combinations(range(game.h * game.v), game.k):
        stones = sum(1 << cell for cell in cells)
        state = (stones, 0, ggp.MIN)
        text = game.format_state(state)
        assert (game.utility(state, ggp.MAX) == 1) == (naive_winner(game, text) == "X"), text
        assert game.utility((0, stones, ggp.MAX), ggp.MAX) == -game.utility(state, ggp.MAX)
        found += game.utility(state, ggp.MAX)
    assert found > 0


def test_h_is_rows_and_v_is_columns():
    assert TicTacToe(2, 4, 2).format_state((0, 0, ggp.MAX)) == "..../...."


def test_players_take_turns_and_cells_are_in_row_order():
    game = TicTacToe()
    state = game.result(game.initial_state(), 4)
    assert (game.to_move(game.initial_state()), game.to_move(state)) == (ggp.MAX, ggp.MIN)
    assert list(game.actions(state)) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert game.format_state(game.result(state, 0)) == "O../.X./..."


@pytest.mark.parametrize("board", [(3, 3, 3), (4, 5, 3), (5, 3, 3), (2, 3, 2)])
def test_notation_goes_round(board):
    game = TicTacToe(*board)

    @given(states(game))
    def check(state):
        assert game.parse_state(game.format_state(state)) == state
        for action in () if game.terminal_test(state) else game.actions(state):
            assert game.parse_action(state, game.format_action(state, action)) == action

    check()


def test_cells_go_by_number_on_small_boards_and_by_row_and_column_on_larger_ones():
    small, large = TicTacToe(), TicTacToe(3, 4, 3)
    assert small.format_action(small.initial_state(), 5) == "6"
    assert large.format_action(large.initial_state(), 11) == "3-4"
    assert large.format_action(large.initial_state(), 5) == "2-2"
    assert small.parse_action(small.initial_state(), " 2-3 ") == 5
    assert large.parse_action(large.initial_state(), "6") == 5


def test_boards_are_understood_in_lower_case_and_in_one_row():
    game = TicTacToe()
    assert game.parse_state(" xo./.x./... ") == game.parse_state("XO..X....") == (0b10001, 0b10, ggp.MIN)


SHAPE = "it is written as 3 rows of 3 cells, each X, O or a dot, with / between, like .../.../..."


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "too few cells": ("X../...", f"'X../...' is not a board of tictactoe: {SHAPE}"),
        "another letter": ("Z../.../...", f"'Z../.../...' is not a board of tictactoe: {SHAPE}"),
        "rows of other lengths": ("X.../../...", f"'X.../../...' is not a board of tictactoe: {SHAPE}"),
        "nothing": ("", f"'' is not a board of tictactoe: {SHAPE}"),
        "a sign whose upper case is two letters": (
            "ß......./",
            f"'ß......./' is not a board of tictactoe: {SHAPE}",
        ),
        "O more often than X": (
            "O../.../...",
            "'O../.../...' cannot occur: X has 0 cells and O has 1, but X moves first and they take turns",
        ),
        "X twice": (
            "X../X../...",
            "'X../X../...' cannot occur: X has 2 cells and O has 0, but X moves first and they take turns",
        ),
        "O moved on after the win": (
            "XXX/OO./O..",
            "'XXX/OO./O..' cannot occur: X has 3 in a row, yet O moved after that",
        ),
        "X moved on after the win, on a full board": (
            "OOO/XXO/XXX",
            "'OOO/XXO/XXX' cannot occur: O has 3 in a row, yet X moved after that",
        ),
        "both have won": (
            "XXX/OOO/...",
            "'XXX/OOO/...' cannot occur: X has 3 in a row, yet O moved after that",
        ),
    }.values(),
)
def test_wrong_boards_are_refused_in_words(text, message):
    with pytest.raises(ggp.NotationError) as caught:
        TicTacToe().parse_state(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["", "0", "10", "a", "1-", "0-1", "4-1", "1-4", "-1", "1.0", "٣", "9" * 30])
def test_what_is_no_cell_is_refused_in_words(text):
    game = TicTacToe()
    with pytest.raises(ggp.NotationError) as caught:
        game.parse_action(game.initial_state(), text)
    assert str(caught.value) == f"{text!r} is not a cell: the cells are 1 to 9"


@pytest.mark.parametrize("text", ["0", "11", "3-1", "1-6", "0-1"])
def test_what_is_no_cell_of_a_larger_board_is_refused_in_words(text):
    game = TicTacToe(2, 5, 2)
    with pytest.raises(ggp.NotationError) as caught:
        game.parse_action(game.initial_state(), text)
    assert str(caught.value) == f"{text!r} is not a cell: the cells are 1-1 to 2-5"


def test_a_taken_cell_is_refused_with_the_empty_ones():
    game = TicTacToe()
    with pytest.raises(ggp.IllegalActionError) as caught:
        game.parse_action(game.parse_state("XOX/O.X/OX."), "1")
    assert str(caught.value) == "cell 1 is taken in XOX/O.X/OX.: the empty cells are 5, 9"


def test_nothing_can_be_played_when_the_game_is_over():
    game = TicTacToe()
    with pytest.raises(ggp.IllegalActionError) as caught:
        game.parse_action(game.parse_state("XXX/OO./..."), "6")
    assert str(caught.value) == "'6' cannot be played: the game is over in XXX/OO./..."


@pytest.mark.parametrize(("h", "v", "k"), [(3, 3, 4), (1, 1, 2), (2, 7, 8)])
def test_a_line_that_does_not_fit_on_the_board_is_refused(h, v, k):
    with pytest.raises(ggp.OptionError) as caught:
        TicTacToe(h, v, k)
    assert str(caught.value) == f"k cannot be {k}: a board of {h} by {v} has no line of {k} cells"


def test_the_evaluation_is_the_difference_of_open_lines_over_all_lines_and_one():
    game = TicTacToe()
    lines = game.evaluations["lines"]
    # X in the middle blocks 4 lines of O; O in the corner blocks 3 of X: X has 5 open, O has 4
    assert lines(game.parse_state("O../.X./...")) == (5 - 4) / 9
    assert lines(game.initial_state()) == 0


def test_the_middle_is_suggested_first_and_edges_last():
    game = TicTacToe()
    worth = [game.suggest(game.initial_state(), cell) for cell in range(9)]
    assert worth == [3, 2, 3, 2, 4, 2, 3, 2, 3]


def test_the_drawing_numbers_the_empty_cells():
    game = TicTacToe()
    drawing = " X | O | 3\n---+---+---\n 4 | X | 6\n---+---+---\n 7 | 8 | 9\nO to move"
    assert game.draw(game.parse_state("XO./.X./...")) == drawing


def test_the_drawing_of_a_larger_board_rules_rows_and_columns():
    game = TicTacToe(2, 5, 2)
    assert (
        game.draw(game.parse_state("X..../..O.."))
        == "     1  2  3  4  5\n  1  X  .  .  .  .\n  2  .  .  O  .  .\nX to move"
    )


@pytest.mark.parametrize(
    ("board", "says"),
    [("XXX/OO./...", "X has won"), ("XX./OOO/X..", "O has won"), ("XOX/XOO/OXX", "a draw")],
)
def test_the_drawing_says_how_the_game_ended(board, says):
    game = TicTacToe()
    assert game.draw(game.parse_state(board)).splitlines()[-1] == says


@given(st.sampled_from(BOARDS))
def test_a_game_comes_back_from_a_pickle_and_is_known_by_its_parameters(board):
    game = TicTacToe(*board)
    again = pickle.loads(pickle.dumps(game))  # noqa: S301 - pickled on the spot
    assert again == game
    assert hash(again) == hash(game)
    assert again != TicTacToe(7, 7, 7)
    assert repr(game) == f"TicTacToe(h={board[0]}, v={board[1]}, k={board[2]})"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("X../.O./...", "..X/.O./..."),
        ("X.O/.../.X.", "..X/X../..O"),
        ("XO./.X./...", ".../.X./.OX"),
        ("X../.../...",) * 2,
    ],
)
def test_turned_and_mirrored_boards_have_the_same_canonical_state(first, second):
    game = TicTacToe()
    assert game.canonical(game.parse_state(first)) == game.canonical(game.parse_state(second))


@pytest.mark.parametrize(("board", "count"), [((3, 3, 3), 765), ((2, 3, 3), None), ((1, 4, 2), None)])
def test_canonical_states_are_the_classes_of_turned_and_mirrored_boards(board, count):
    """765 is the number of essentially different positions of tic-tac-toe that is often given."""
    game = TicTacToe(*board)
    seen, left = set(), [game.initial_state()]
    while left:
        state = left.pop()
        if state not in seen:
            seen.add(state)
            left += [] if game.terminal_test(state) else [game.result(state, cell) for cell in game.actions(state)]
    classes = {}
    for state in seen:
        classes.setdefault(game.canonical(state), set()).add(state)
    for representative, members in classes.items():
        assert game.canonical(representative) == representative == min(members)
        assert members == {image for state in members for image in images(game, state)}
    assert count in (None, len(classes))


def images(game, state):
    """The board turned and mirrored in every way, by its rows in text."""
    rows = game.format_state(state).split("/")
    square = game.h == game.v
    forms = [rows, ["".join(row) for row in zip(*rows, strict=True)]] if square else [rows]
    for form in forms:
        for upside in (form, form[::-1]):
            for board in (upside, [row[::-1] for row in upside]):
                yield game.parse_state("/".join(board))


def test_a_square_board_has_seven_symmetries_besides_itself_and_a_large_one_uses_none():
    boards = (1, 1, 1), (7, 7, 4), (3, 4, 3), (1, 5, 2), (8, 8, 4)
    assert [len(TicTacToe(*board).symmetries) for board in boards] == [0, 7, 3, 1, 0]
