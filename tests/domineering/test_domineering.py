"""Domineering beside a naive program and published outcomes."""

import pytest
from oracles import check_canonical, check_rules, check_value_bounds, naive_value, walk

import ggp

REGISTRY = ggp.load_registry()


def follow(rows, mover):
    """The rules: V puts dominoes upright, H across."""
    down, right, other = (1, 0, "H") if mover == "V" else (0, 1, "V")
    after = []
    for y in range(len(rows) - down):
        for x in range(len(rows[0]) - right):
            if rows[y][x] == rows[y + down][x + right] == ".":
                board = [list(row) for row in rows]
                board[y][x] = board[y + down][x + right] = "#"
                after.append((board, other))
    return (None, after) if after else (-1 if mover == "V" else 1, [])


@pytest.mark.parametrize("first", ["vertical", "horizontal"])
@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (1, 1), (5, 3), (1, 8)])
def test_random_games_agree_with_a_naive_program(rows, columns, first):
    game = REGISTRY.game("domineering", rows=rows, columns=columns, first=first)
    assert game.player_names[game.to_move(game.initial_state())].lower() == first
    check_rules(game, follow, plays=10)


def outcome(rows, columns, speed):
    """V or H for who wins whoever begins, 1 or 2 for the first or the second player."""
    values = []
    for first in ("vertical", "horizontal"):
        game = REGISTRY.game("domineering", rows=rows, columns=columns, first=first)
        searcher = REGISTRY.searcher("alphabeta", table=8, ordering="suggestion", speed=speed)
        values.append(searcher.search(game, game.initial_state()).value)
    return {(1, 1): "V", (-1, -1): "H", (1, -1): "1", (-1, 1): "2"}[tuple(values)]


@pytest.mark.parametrize(
    ("rows", "columns", "speed"),
    [
        pytest.param(rows, columns, speed, marks=() if (rows, columns) in quick else pytest.mark.slow)
        for rows in (1, 2, 3, 4)
        for columns in (1, 2, 3, 4)
        for speed, quick, some in (
            ("interpreted", ((1, 4), (3, 2)), ((rows, columns),)),
            ("compiled", (), ((3, 2), (3, 4), (4, 3))),  # each board is compiled anew
        )
        if (rows, columns) in some
    ],
)
def test_outcomes_of_small_boards(rows, columns, speed):
    start = "/".join(["." * columns] * rows)
    values = [naive_value(follow, f"{start} {mover}", "VH") for mover in "VH"]
    assert {"V": [1, 1], "H": [-1, -1], "1": [1, -1], "2": [-1, 1]}[outcome(rows, columns, speed)] == values


@pytest.mark.parametrize(
    ("rows", "columns", "expected", "speed"),
    [
        (2, 2, "1", "interpreted"),
        (3, 3, "1", "interpreted"),
        (4, 4, "1", "compiled"),
        pytest.param(5, 5, "2", "compiled", marks=pytest.mark.slow),
    ],
)
def test_published_outcomes_of_square_boards(rows, columns, expected, speed):
    """D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving 8 x 8 Domineering, 2000."""
    assert outcome(rows, columns, speed) == expected


@pytest.mark.parametrize(("rows", "columns"), [(5, 4), (3, 6)])
def test_mirror_images_have_one_canonical_state(rows, columns):
    def mirrored(board):
        for each in (board, board[::-1]):
            yield each
            yield [row[::-1] for row in each]

    check_canonical(REGISTRY.game("domineering", rows=rows, columns=columns), mirrored)


@pytest.mark.parametrize(
    ("text", "lead"),
    {
        "the whole board": ("..../..../..../.... V", 8 - 8),
        "a column is safe": (".#../.#../.#../.#.. V", (6 + 2) - 4),
        "a row is safe": ("..../####/..../.... H", 4 - (6 + 2)),
        "nothing fits": (".#.#/#.#./.#.#/#.#. V", 0),
    }.values(),
)
def test_room_counts_dominoes_side_by_side_and_safe_ones_twice(text, lead):
    game = REGISTRY.game("domineering", rows=4, columns=4)
    assert game.room(game.parse_state(text)) == lead / 17


def test_the_board_with_rows_for_columns_is_worth_the_negative():
    game = REGISTRY.game("domineering", rows=5, columns=5)
    for state in walk(game, 2, 10):
        turned = type(state)(game.grid.transpose(state.covered), 1 - state.mover)
        assert game.room(turned) == -game.room(state)


def test_moves_as_they_are_written():
    game = REGISTRY.game("domineering", rows=2, columns=3)
    state = game.initial_state()
    assert [game.format_action(state, action) for action in game.actions(state)] == ["a1-a2", "b1-b2", "c1-c2"]
    state = game.result(state, game.parse_action(state, "a1-a2"))
    assert game.format_state(state) == "#../#.. H"
    assert [game.format_action(state, action) for action in game.actions(state)] == ["b1-c1", "b2-c2"]
    with pytest.raises(ggp.IllegalActionError, match=r"b1-b2 cannot be played in .*: Horizontal can play b1-c1, b2-c2"):
        game.parse_action(state, "b1-b2")
    with pytest.raises(ggp.NotationError, match="'b1' is not a move: a move is written like a1-a2"):
        game.parse_action(state, "b1")


@pytest.mark.parametrize(("rows", "columns", "first"), [(4, 4, "vertical"), (3, 5, "horizontal"), (5, 2, "vertical")])
def test_value_bounds_hold(rows, columns, first):
    check_value_bounds(REGISTRY.game("domineering", rows=rows, columns=columns, first=first))


def test_moves_that_leave_the_other_no_room_are_suggested():
    game = REGISTRY.game("domineering", rows=3, columns=3)
    state = game.initial_state()
    best = max(game.actions(state), key=lambda cell: game.suggest(state, cell))
    assert game.format_action(state, best) in ("b1-b2", "b2-b3")
