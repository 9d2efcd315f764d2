"""Checkers beside a naive program, and published counts."""

import pytest
from oracles import walk

import ggp
from ggp import compiler
from ggp.testing.perft_counts import perft

REGISTRY = ggp.load_registry()
GAME = REGISTRY.game("checkers")

PERFT = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]
"""A. Bik's and other checkers programs' counts; machine code of these rules gives the same to depth 9."""


def naive_moves(rows, mover):
    """The boards after each move, by looking at pieces one by one; jumps go on until none is left."""
    other = "w" if mover == "b" else "b"

    def ways(piece):
        down = (1,) if piece == "b" else (-1,) if piece == "w" else (1, -1)
        return [(y, x) for y in down for x in (-1, 1)]

    def crowned(piece, y):
        return piece.upper() if (piece, y) in (("b", 7), ("w", 0)) else piece

    def jumps(board, y, x):
        piece, found = board[y][x], []
        for a, b in ways(piece):
            if 0 <= y + 2 * a < 8 and 0 <= x + 2 * b < 8:
                over, behind = board[y + a][x + b], board[y + 2 * a][x + 2 * b]
                if over.lower() == other and behind == ".":
                    after = [list(row) for row in board]
                    after[y][x] = after[y + a][x + b] = "."
                    after[y + 2 * a][x + 2 * b] = crowned(piece, y + 2 * a)
                    became_king = after[y + 2 * a][x + 2 * b] != piece
                    found += (not became_king and jumps(after, y + 2 * a, x + 2 * b)) or [after]
        return found

    own = [(y, x) for y in range(8) for x in range(8) if rows[y][x].lower() == mover]
    captures = [board for y, x in own for board in jumps(rows, y, x)]
    if captures:
        return captures
    steps = []
    for y, x in own:
        for a, b in ways(rows[y][x]):
            if 0 <= y + a < 8 and 0 <= x + b < 8 and rows[y + a][x + b] == ".":
                board = [list(row) for row in rows]
                board[y][x], board[y + a][x + b] = ".", crowned(rows[y][x], y + a)
                steps.append(board)
    return steps


def text(rows):
    return "/".join("".join(row) for row in rows)


def test_random_games_agree_with_a_naive_program():
    kings = 0
    for state in walk(GAME, 1, 40):
        board, mover, _ = GAME.format_state(state).split(" ")
        kings += "B" in board or "W" in board
        expected = {text(each) for each in naive_moves([list(row) for row in board.split("/")], mover)}
        found = {GAME.format_state(GAME.result(state, move)).split(" ")[0] for move in GAME.actions(state)}
        assert found == expected
        assert GAME.terminal_test(state) == (not expected or state.quiet >= GAME.patience)
    assert kings > 500


def test_perft():
    assert [perft(GAME, GAME.initial_state(), depth) for depth in range(6)] == PERFT[:6]


def count(game, state, depth):
    """The number of sequences of `depth` moves, for the compiler."""
    if depth == 0:
        return 1
    if game.terminal_test(state):
        return 0
    total = 0
    for move in game.actions(state):
        total += count(game, game.result(state, move), depth - 1)
    return total


def test_perft_of_machine_code():
    code = compiler.compile(count, GAME, compiler.STATE, compiler.INT, game=GAME)
    assert [code(code.variables(), GAME.initial_state(), depth) for depth in range(9)] == PERFT[:9]


ROW = "........"


def position(*rows):
    """Black to move, on these rows from the top and empty ones below."""
    return GAME.parse_state("/".join([*rows, *[ROW] * (8 - len(rows))]) + " b 0")


def moves_in(state):
    return [GAME.format_action(state, move) for move in GAME.actions(state)]


@pytest.mark.parametrize(
    ("rows", "moves"),
    {
        "steps": ([ROW, "..b....."], ["6-9", "6-10"]),
        "who can capture must": ([ROW, "..b...b.", "...w...."], ["6x15"]),
        "two jumps": (["...b....", "..w.....", ROW, "..w....."], ["2x18"]),
        "a man does not jump back": ([ROW, ROW, "...w....", "..b....."], ["14-17", "14-18"]),
        "a king does": ([ROW, ROW, "...w....", "..B....."], ["14x7"]),
        "crowning ends the move": ([*[ROW] * 5, "..b.....", ".w.w...."], ["22x29", "22x31"]),
        "both ways round are one move": ([ROW, "..B.....", ".w.w....", ROW, ".w.w...."], ["6x6"]),
    }.values(),
)
def test_moves(rows, moves):
    assert moves_in(position(*rows)) == moves


def test_a_king_that_comes_round_takes_all_four():
    state = position(ROW, "..B.....", ".w.w....", ROW, ".w.w....")
    assert GAME.format_state(GAME.result(state, next(iter(GAME.actions(state))))).startswith(f"{ROW}/..B...../{ROW}")


def test_routes_with_the_same_ends_have_names_and_buttons_of_their_own():
    state = position("...B....", "..w.w...", ROW, "..w.w...")
    texts = moves_in(state)
    assert texts == ["2x2"]
    state = position("...B....", "..w.w...", ROW, "..w.w...", ROW, "....w...")
    assert len(set(moves_in(state))) == len(moves_in(state))
    state = position("...b....", "..w.w...", ROW, "..w.w...")
    assert moves_in(state) == ["2x18:6.14", "2x18:7.15"]
    for text, move in zip(moves_in(state), GAME.actions(state), strict=True):
        assert GAME.parse_action(state, text) == move
        assert GAME.scene(state)[f"move {text}"].action == move


def test_the_evaluation_is_that_of_the_other_side_turned_round():
    for state in walk(GAME, 6, 5):
        black, white, kings = (int(f"{word:032b}"[::-1], 2) for word in (state.white, state.black, state.kings))
        assert GAME.material(type(state)(black, white, kings, 1 - state.mover, 0)) == -GAME.material(state)


def test_a_man_counts_its_rows_and_a_king_half_as_much_again():
    assert GAME.material(position(ROW, "..b.....", ROW, "..B.....")) == (20 + 1 + 30) / 400
    assert GAME.material(position(ROW, "..w.....", ROW, "..W.....")) == -(20 + 6 + 30) / 400


def test_quiet_moves_end_in_a_draw():
    game = REGISTRY.game("checkers", patience=2)
    board = ".B....../......../......../......../......../......../......../W......."
    assert not game.terminal_test(game.parse_state(f"{board} b 1"))
    assert game.terminal_test(game.parse_state(f"{board} b 2"))
    assert game.utility(game.parse_state(f"{board} b 2"), ggp.MAX) == 0


def test_who_cannot_move_loses():
    state = GAME.parse_state(
        "/".join(
            [
                *[ROW] * 7,
                "w.......",
            ]
        )
        + " b 0"
    )
    assert GAME.terminal_test(state)
    assert GAME.utility(state, ggp.MAX) == -1


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "nothing": ("", "is not a position: write rows, player and number of quiet moves, like"),
        "shape": ("bb/ww b 0", "is not a board"),
        "light": ("b......." + "/........" * 7 + " b 0", "a piece stands on a light square"),
        "last row": (".w......" + "/........" * 7 + " b 0", "a man stands in its last row"),
        "thirteen": ("........" + "/b.b.b.b./.b.b.b.b" * 3 + "/........ b 0", "each side has 12 pieces at most"),
    }.values(),
)
def test_texts_that_are_no_positions(text, message):
    with pytest.raises(ggp.NotationError, match=message):
        GAME.parse_state(text)
