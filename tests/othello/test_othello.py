"""Othello beside OpenSpiel, a naive program, and published counts."""

import pytest
from ggp_othello.game import LAST
from oracles import check_canonical, check_rules, naive_value, walk

import ggp
from ggp.testing.perft_counts import perft

REGISTRY = ggp.load_registry()
GAME = REGISTRY.game("othello")
SMALL = REGISTRY.game("othello", size=4)

PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
"""A pass is a move. The first seven are counted by OpenSpiel in a test below, too."""

ENDGAMES = {
    ".....XO./..X.XXO./O.XXOOO./OOOXOXOX/OOOOOXOO/XOOXOXOO/.OXXXOXX/O.XXOOOO X": -8,
    ".O.XXXX./X.OOOO../XXXOOOXX/.XXOOOXX/OXOXXXXX/OOXXOOXX/O.XXXX../..O.XXX. X": -18,
    "OOOOOOO./OOXXOO.O/OXOOOXXO/OXOOOXXO/OXOOOXXO/OXOXXXX./OO.X..../O.X..... X": -32,
    "..O....X/O.OOO.XO/OOXOOX.O/OXOOXXXO/OXOXOXOO/OOXXXOOO/O.OOOOOO/.OO..O.O X": 30,
    ".XXXXXXX/O.XXOXOX/.XXXXOXX/XXXXXXOX/XXXXXXOX/..OOOXOX/...OOOOO/......OX X": 18,
    "..XXXXO./XOOOXX../XOOXOX../XXOOXX.O/.XXOOXOO/.XXXOOOO/XXOXXX../XXXXXX.. X": 18,
    ".XXXXXX./O.OOOX../OOOOXOXO/OOOXXXOO/.OOOOOXO/XOOOOXOO/..OOOX.O/...XXX.. X": 16,
    "XXXXXXXX/OOOOOXXX/XOXXXXXX/XOXXXXOO/XXOOXXOO/X.OOOOO./..X.OO../.X...... X": 26,
    "OOOOOOOO/XOXXOOOO/XOXXXOOO/XXXOXXOO/OOOXOXOO/.OOOOOXX/..O.OX../........ X": -22,
    ".XXXXXX./..OOOX.O/X.OOXOOO/XOOXOOOO/XOOXOOOO/XXOOOOOO/X.XXOX../...XXX.. X": -12,
}
"""Values of positions with 14 empty cells, by Edax 4.6, which gives empty cells to the winner: here none are left."""


def flips(rows, y, x, own, other):
    """The discs that are turned over."""
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1) if rows[y][x] == "." else ():
            line, i = [], 1
            while 0 <= y + i * down < len(rows) and 0 <= x + i * right < len(rows):
                mark = rows[y + i * down][x + i * right]
                if mark != other:
                    found += line if mark == own else []
                    break
                line.append((y + i * down, x + i * right))
                i += 1
    return found


def placed(rows, own, other):
    """The boards after each disc that can be placed."""
    for y in range(len(rows)):
        for x in range(len(rows)):
            turned = flips(rows, y, x, own, other)
            if turned:
                board = [list(row) for row in rows]
                for row, column in [*turned, (y, x)]:
                    board[row][column] = own
                yield board


def follow(rows, mover):
    """The rules."""
    other = "O" if mover == "X" else "X"
    own_boards = list(placed(rows, mover, other))
    if own_boards:
        return None, [(board, other) for board in own_boards]
    if any(placed(rows, other, mover)):
        return None, [(rows, other)]
    marks = [mark for row in rows for mark in row]
    return marks.count("X") - marks.count("O"), []


@pytest.mark.parametrize(("size", "plays"), [(4, 100), (6, 20), (8, 5), (10, 1), (12, 1)])
def test_random_games_agree_with_a_naive_program(size, plays):
    check_rules(REGISTRY.game("othello", size=size), follow, plays=plays)


def openspiel_perft(state, depth):
    if depth == 0 or state.is_terminal():
        return depth == 0
    return sum(openspiel_perft(state.child(action), depth - 1) for action in state.legal_actions())


def test_perft():
    assert [perft(GAME, GAME.initial_state(), depth) for depth in range(6)] == PERFT[:6]


@pytest.mark.slow
def test_perft_of_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    start = pyspiel.load_game("othello").new_initial_state()
    assert [openspiel_perft(start, depth) for depth in range(7)] == PERFT[:7]


@pytest.mark.slow
@pytest.mark.parametrize("limits", [ggp.Limits(), ggp.Limits(seconds=60)])
def test_endgames_have_the_values_that_edax_finds(limits):
    searcher = REGISTRY.searcher("negascout")
    for position, value in ENDGAMES.items():
        found = searcher.search(GAME, GAME.parse_state(position), limits)
        assert (found.value, found.exact) == (value, True), position


@pytest.mark.slow
def test_a_search_that_nears_the_end_of_the_game_goes_there_at_once():
    """The longest line has 22 plies, since players pass; most have 16."""
    position = ".XXXXX.O/..XOOX.O/.XXXXXXO/..XXOOOO/..XXXOXX/.XXXOXXX/..XOXX.X/.XXXXX.X X"
    depths = []
    found = REGISTRY.searcher("negascout", speed="compiled").search(
        GAME,
        GAME.parse_state(position),
        ggp.Limits(nodes=100_000_000),
        report=lambda result: depths.append(result.statistics.depth),
    )
    assert (found.value, found.exact, len(found.principal_variation)) == (-46, True, 22)
    assert depths[-2] < 20


@pytest.mark.slow
def test_four_by_four_is_won_by_the_second_player():
    """By eight discs, as the naive program finds too."""
    found = REGISTRY.searcher("alphabeta", table=8, ordering="suggestion").search(SMALL, SMALL.initial_state())
    assert found.value == naive_value(follow, SMALL.format_state(SMALL.initial_state()), "XO") == -8


def turned(rows):
    """A board in all eight views."""
    for _ in range(4):
        yield rows
        yield [row[::-1] for row in rows]
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]


@pytest.mark.parametrize("size", [4, 8, 10])
def test_all_eight_views_have_one_canonical_state(size):
    check_canonical(REGISTRY.game("othello", size=size), turned, plays=2)


def test_the_last_moves_are_not_ranked():
    state = GAME.parse_state(next(iter(ENDGAMES)))
    while len(state.black | state.white) + LAST < GAME.skip:
        state = GAME.result(state, next(iter(GAME.actions(state))))
    assert {GAME.suggest(state, action) for action in GAME.actions(state)} == {0}


def test_suggestions_put_corners_first():
    state = GAME.parse_state("......../.O....../..X...../......../......../......../......../........ X")
    assert GAME.suggest(state, 0) > 50
    state = GAME.initial_state()
    for state in walk(GAME, 4, 2):
        if len(state.black | state.white) + LAST < GAME.skip:
            replies = {}
            for action in GAME.actions(state):
                child = GAME.result(state, action)
                replies[action] = len([each for each in GAME.actions(child) if each != GAME.skip])
                corner = GAME.skip if action in (0, 7, 56, 63) else 0
                assert action == GAME.skip or GAME.suggest(state, action) == corner - replies[action]


def test_evaluations_of_the_board_with_colours_exchanged():
    for state in walk(GAME, 5, 2):
        exchanged = type(state)(state.white, state.black, state.mover)
        for evaluation in GAME.evaluations.values():
            assert evaluation(exchanged) == -evaluation(state)


def test_passing_is_a_button():
    state = SMALL.parse_state("XO../.O../..../.... O")
    assert [SMALL.format_action(state, action) for action in SMALL.actions(state)] == ["pass"]
    assert SMALL.parse_action(state, "pass") == SMALL.skip
    button = SMALL.scene(state)["move pass"]
    assert (button.shape, button.action) == ("button", SMALL.skip)
    with pytest.raises(
        ggp.IllegalActionError, match=r"a3 cannot be played in XO../.O../..../.... O: White can play pass"
    ):
        SMALL.parse_action(state, "a3")
    with pytest.raises(ggp.NotationError, match="'skip' is not a move: a move is written like d3, or pass"):
        SMALL.parse_action(state, "skip")
