"""Hex beside a naive program, and what is known of openings on small boards."""

import pytest
from oracles import check_canonical, check_rules, naive_value, walk
from samples import SPEEDS

import ggp

REGISTRY = ggp.load_registry()
BESIDE = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


def joined(rows, own, down):
    """Whether a chain of `own` joins the first row to the last, or the first column to the last."""
    size = len(rows)
    todo = [(0, i) if down else (i, 0) for i in range(size)]
    seen = set()
    while todo:
        y, x = todo.pop()
        if 0 <= y < size and 0 <= x < size and rows[y][x] == own and (y, x) not in seen:
            seen.add((y, x))
            todo += [(y + a, x + b) for a, b in BESIDE]
    return any((y if down else x) == size - 1 for y, x in seen)


def follow(rows, mover):
    """The rules."""
    if joined(rows, "X", True):
        return 1, []
    if joined(rows, "O", False):
        return -1, []
    after = []
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark == ".":
                board = [list(each) for each in rows]
                board[y][x] = mover
                after.append((board, "O" if mover == "X" else "X"))
    return None, after


@pytest.mark.parametrize(("size", "plays"), [(1, 1), (2, 20), (3, 50), (7, 5), (11, 1)])
def test_random_games_agree_with_a_naive_program(size, plays):
    check_rules(REGISTRY.game("hex", size=size), follow, plays=plays)


def winning_openings(size, speed="compiled"):
    game = REGISTRY.game("hex", size=size)
    state = game.initial_state()
    searcher = REGISTRY.searcher("alphabeta", table=8, ordering="suggestion", speed=speed)
    values = {action: searcher.search(game, game.result(state, action)).value for action in game.actions(state)}
    return [game.format_action(state, action) for action, value in values.items() if value == 1]


def naive_openings(size):
    game, known = REGISTRY.game("hex", size=size), {}
    state = game.initial_state()
    texts = {
        game.format_action(state, each): game.format_state(game.result(state, each)) for each in game.actions(state)
    }
    return [name for name, text in texts.items() if naive_value(follow, text, "XO", known) == 1]


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_openings_that_win_on_small_boards(size, speed):
    assert winning_openings(size, speed) == naive_openings(size)


@pytest.mark.slow
def test_the_first_player_wins_on_four_by_four():
    """As on every board, by J. Nash's argument; a1, b1 and their images lose on all boards from 3 x 3 on (HexWiki)."""
    wins = winning_openings(4)
    assert wins
    assert not {"a1", "b1", "d4", "c4"} & set(wins)


@pytest.mark.parametrize("size", [2, 5, 9])
def test_half_a_turn_leads_to_one_canonical_state(size):
    check_canonical(REGISTRY.game("hex", size=size), lambda rows: [rows, [row[::-1] for row in rows[::-1]]], plays=3)


def naive_missing(rows, own, down):
    """The fewest stones to complete a chain, by trying all sets of empty cells, small ones first."""
    import itertools

    empty = [(y, x) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "."]
    for count in range(len(empty) + 1):
        for chosen in itertools.combinations(empty, count):
            board = [[own if (y, x) in chosen else mark for x, mark in enumerate(row)] for y, row in enumerate(rows)]
            if joined(board, own, down):
                return count
    return len(rows) ** 2


def test_stones_that_are_missing():
    game = REGISTRY.game("hex", size=3)
    for state in walk(game, 6, 25):
        rows = [list(row) for row in game.format_state(state).split(" ")[0].split("/")]
        first, second, _ = state
        assert game.missing(first, second, ggp.MAX) == naive_missing(rows, "X", True)
        assert game.missing(second, first, ggp.MIN) == naive_missing(rows, "O", False)


def test_bounds_hold_the_value():
    """A stone in the middle of 3 x 3 is joined to both edges by two cells each."""
    game, known = REGISTRY.game("hex", size=3), {}
    for state in walk(game, 6, 40):
        lower, upper = game.value_bounds(state)
        assert lower <= naive_value(follow, game.format_state(state), "XO", known) <= upper
    for text, bounds in {".../.X./... O": (1, 1), "X../.../... O": (-1, 1), "X../.O./... X": (-1, -1)}.items():
        assert game.value_bounds(game.parse_state(text)) == bounds


def test_a_stone_that_wins_is_suggested():
    game = REGISTRY.game("hex", size=3)
    state = game.parse_state(".X./OX./O.. X")
    best = max(game.actions(state), key=lambda cell: game.suggest(state, cell))
    assert game.format_action(state, best) == "b3"


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "shape": ("..../.... X", "is not a board"),
        "O moved first": (".../.O./... X", "X moves first"),
        "won by the mover": ("XO./XO./X.O X", "X had won before the last move"),
    }.values(),
)
def test_texts_that_are_no_positions(text, message):
    with pytest.raises(ggp.NotationError, match=message):
        REGISTRY.game("hex", size=3).parse_state(text)


def test_the_board_is_of_hexagons_that_lean():
    game = REGISTRY.game("hex", size=3)
    scene = game.scene(game.initial_state())
    assert {scene[name].shape for name in ("a1", "b2", "c3")} == {"hexagon"}
    assert [scene[name].x for name in ("a1", "a2", "a3", "b1")] == [0, 0.5, 1, 1]


def test_the_chain_that_has_won_is_highlighted_and_nothing_else():
    game = REGISTRY.game("hex", size=3)
    state = game.parse_state("X.X/X.O/XOO O")
    assert game.terminal_test(state)
    assert [cell.name for cell in game.scene(state).cells if cell.highlighted] == ["a1", "a2", "a3"]
    assert not any(cell.highlighted for cell in game.scene(game.initial_state()).cells)
