"""Three, six, nine and twelve men's morris."""

import itertools

import attrs
import pytest
from ggp_morris import Morris
from naive_morris import NaiveMorris

import ggp
from ggp import Bits
from ggp.testing import check_game, perft

EVERY = [
    Morris(),
    Morris(flying=True),
    Morris(diagonals=False),
    *(
        pytest.param(game, marks=pytest.mark.slow)
        for game in (Morris(men=6), Morris(men=9), Morris(men=9, flying=False), Morris(men=12))
    ),
]


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_the_game_keeps_its_promises(game):
    check_game(game, examples=5)


@pytest.mark.parametrize(
    ("men", "points", "lines", "mills", "symmetries"),
    [(3, 9, 16, 8, 8), (6, 16, 20, 8, 16), (9, 24, 32, 16, 16), (12, 24, 40, 20, 16)],
)
def test_the_boards_are_those_of_the_books(men, points, lines, mills, symmetries):
    board = Morris(men=men).points
    assert board.size == points
    assert sum(map(len, board.joined)) == 2 * lines
    assert len(board.threes) == mills
    assert len(board.symmetries) + 1 == symmetries


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_symmetries_take_lines_to_lines(game):
    board = game.points
    for number, symmetry in enumerate(board.symmetries):
        for point, joined in enumerate(board.joined):
            moved = Bits.of(*(symmetry[other] for other in joined))
            assert moved == board.image(number, joined) == board.joined[symmetry[point]]
        assert {board.image(number, mill) for mill in board.threes} == set(board.threes)


def test_a_man_moves_to_the_next_point_only():
    game = Morris()
    state = game.parse_state("W.B/BW./BW. W 0 0")
    moves = {game.format_action(state, action) for action in game.actions(state)}
    assert moves == {"a3-b3", "b2-b3", "b2-c2", "b2-c1", "b1-c1"}


def test_a_man_that_flies_moves_anywhere():
    game = Morris(flying=True)
    state = game.parse_state("W.B/BW./BW. W 0 0")
    assert len(list(game.actions(state))) == 3 * 3


def test_without_diagonals_there_is_no_move_along_them():
    game = Morris(diagonals=False)
    state = game.parse_state("W.B/BW./BW. W 0 0")
    assert "b2-c1" not in {game.format_action(state, action) for action in game.actions(state)}


def test_a_mill_of_three_men_wins():
    game = Morris()
    state = game.parse_state("WW./BB./... W 1 1")
    after = game.result(state, game.parse_action(state, "c3"))
    assert game.terminal_test(after)
    assert game.utility(after, ggp.MAX) == 1


def nine(count=9, **men):
    """A position of nine (or twelve) men's morris from the names of points."""
    game = Morris(men=count)
    names = {game.points.name(point): point for point in range(24)}
    first, second = (Bits.of(*(names[name] for name in men[side].split())) for side in ("white", "black"))
    hands = men.get("hands", (0, 0))
    return game, game.initial_state()._replace(first=first, second=second, first_hand=hands[0], second_hand=hands[1])


def texts(game, state):
    return {game.format_action(state, action) for action in game.actions(state)}


def test_a_mill_takes_a_man_that_is_in_no_mill():
    game, state = nine(white="a7 d7 b6 e4", black="a1 d1 g1 d2 f4")
    assert {text for text in texts(game, state) if "x" in text} == set()
    game, state = nine(white="a7 d7 g4 b6", black="a1 d1 g1 d2 f4")
    assert {text for text in texts(game, state) if text.startswith("g4-g7")} == {"g4-g7xd2", "g4-g7xf4"}


def test_a_mill_takes_from_a_mill_if_there_is_nothing_else():
    game, state = nine(white="a7 d7 g4 b6", black="a1 d1 g1")
    assert {text for text in texts(game, state) if text.startswith("g4-g7")} == {"g4-g7xa1", "g4-g7xd1", "g4-g7xg1"}


def test_three_of_nine_men_may_fly():
    game, state = nine(white="a7 d6 g4", black="a1 d1 f2 d2")
    assert len(texts(game, state)) == 3 * 17
    assert len(texts(attrs.evolve(game, flying=False), state)) == 2 + 4 + 3


def test_who_has_two_men_has_lost():
    game, state = nine(white="a7 d6", black="a1 d1 f2 d2")
    assert game.terminal_test(state)
    assert game.utility(state, ggp.MAX) == -1


def test_who_cannot_move_has_lost():
    game, state = nine(white="a7 a4 a1 d7", black="g7 b4 d1 d6")
    assert game.terminal_test(state)
    assert game.utility(state, ggp.MAX) == -1


def test_twelve_men_move_and_make_mills_along_the_diagonals():
    game, state = nine(12, white="a7 b6 c4 d1 g1", black="g7 g4 a1 f2 e4")
    assert {text for text in texts(game, state) if text.startswith("c4-c5")} == {
        f"c4-c5x{point}" for point in ("g7", "g4", "a1", "f2", "e4")
    }
    assert "d1-e3" not in texts(game, state)
    assert "b6-c5" in texts(game, state)


def test_a_board_full_of_twelve_men_each_is_a_draw():
    game = Morris(men=12)
    state = game.initial_state()._replace(first=Bits.of(*range(12)), second=Bits.of(*range(12, 24)))
    state = state._replace(first_hand=0, second_hand=0)
    assert game.terminal_test(state)
    assert [game.utility(state, player) for player in (ggp.MAX, ggp.MIN)] == [0, 0]
    assert game.parse_state(game.format_state(game.initial_state())) == game.initial_state()


def test_a_move_opens_a_mill_before_it_closes_one():
    game, state = nine(white="a7 d7 g7 a1", black="b6 d2 f4 e3")
    assert "g7-g4" in texts(game, state)
    assert not any("x" in text for text in texts(game, state))


@pytest.mark.parametrize(("diagonals", "flying"), [*itertools.product((True, False), repeat=2)])
def test_the_numbers_of_plays_are_those_of_the_naive_rules(diagonals, flying):
    game, naive = Morris(diagonals=diagonals, flying=flying), NaiveMorris(diagonals, flying)

    def plays(state, depth):
        if depth == 0:
            return 1
        return 0 if naive.lost(state) else sum(plays(child, depth - 1) for child in naive.successors(state))

    assert [perft(game, game.initial_state(), depth) for depth in range(6)] == [plays(naive.start, n) for n in range(6)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".../.../... W 3",
        ".../.../... X 3 3",
        ".../.../..WW W 3 3",
        "WWW/W../... W 0 0",
        ".../.../... B 3 3",
        ".../.../... W 1 3",
        ".../.../... W -1 3",
        ".../.../... W ³ 3",
    ],
)
def test_wrong_positions_are_refused(text):
    with pytest.raises(ggp.NotationError):
        Morris().parse_state(text)


def test_a_drawing_shows_lines_and_hands():
    assert Morris().draw(Morris().initial_state()) == (
        "3 .---.---.\n  | \\ | / |\n2 .---.---.\n  | / | \\ |\n1 .---.---.\n  a   b   c\nin hand: White 3, Black 3"
    )
