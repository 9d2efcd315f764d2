"""Dots and Boxes beside a solver of this test's own."""

import functools
import random

import pytest
from oracles import walk
from samples import SPEEDS

import ggp

REGISTRY = ggp.load_registry()


def game_of(rows, columns):
    return REGISTRY.game("dotsandboxes", rows=rows, columns=columns)


def solved(rows, columns):
    """The margin of the first player: each box is the set of its sides, a position the set of lines."""
    dots = {(y, x) for y in range(rows + 1) for x in range(columns + 1)}
    lines = [((y, x), (y + a, x + b)) for y, x in sorted(dots) for a, b in ((0, 1), (1, 0)) if (y + a, x + b) in dots]

    def number(start, end):
        return 1 << lines.index((start, end))

    boxes = []
    for y in range(rows):
        for x in range(columns):
            upper, lower = ((y, x), (y, x + 1)), ((y + 1, x), (y + 1, x + 1))
            sides = (upper, lower, (upper[0], lower[0]), (upper[1], lower[1]))
            boxes.append(sum(number(*side) for side in sides))

    @functools.cache
    def margin(drawn):
        best = None
        for line in range(len(lines)):
            if not drawn >> line & 1:
                after = drawn | 1 << line
                closed = sum(after & box == box and drawn & box != box for box in boxes)
                worth = closed + margin(after) if closed else -margin(after)
                best = worth if best is None else max(best, worth)
        return 0 if best is None else best

    return margin(0)


MARGINS = {(1, 1): -1, (1, 2): 0, (2, 1): 0, (1, 3): -1, (1, 4): 0, (2, 2): 2}
"""By a program in C that fills a table of all sets of lines from the end; it has -2 for 2 x 3 and -3 for 3 x 3."""


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize(("rows", "columns"), MARGINS)
def test_values_of_small_boards(rows, columns, speed):
    game = game_of(rows, columns)
    searcher = REGISTRY.searcher("alphabeta", table=8, ordering="suggestion", speed=speed)
    found = searcher.search(game, game.initial_state())
    assert found.value == solved(rows, columns) == MARGINS[rows, columns]


@pytest.mark.slow
def test_the_second_player_wins_on_two_by_three_boxes():
    game = game_of(2, 3)
    assert REGISTRY.searcher("alphabeta", table=8, ordering="suggestion").search(game, game.initial_state()).value == -2


def test_all_views_have_one_canonical_state():
    rng = random.Random(2)
    for rows, columns in ((2, 3), (3, 3)):
        game = game_of(rows, columns)
        for _ in range(20):
            state, flipped = game.initial_state(), game.initial_state()
            turn = rng.choice([(1, 0, 0), (0, 1, 0), (1, 1, 0)] + ([(0, 0, 1), (1, 0, 1)] if rows == columns else []))

            def dots_of(line, game=game, start=state):
                return [game.dots.parse_name(name) for name in game.format_action(start, line).split("-")]

            def view(line, game=game, turn=turn):
                """The same line in the other view, by its dots."""
                ends = []
                for dot in dots_of(line):
                    y, x = game.dots.row(dot), game.dots.column(dot)
                    y, x = (game.rows - y if turn[0] else y), (game.columns - x if turn[1] else x)
                    ends.append(game.dots.cell(*((x, y) if turn[2] else (y, x))))
                total = game.across.size + game.upright.size
                return next(each for each in range(total) if dots_of(each) == sorted(ends))

            for line in rng.sample(list(game.actions(state)), rng.randrange(12)):
                state, flipped = game.result(state, line), game.result(flipped, view(line))
            assert game.canonical(state) == game.canonical(flipped)
            assert game.canonical(state)[2:] == state[2:]


def test_the_future_depends_on_the_key_alone():
    game, known = game_of(2, 2), {}

    def value(state):
        if game.terminal_test(state):
            return game.utility(state, ggp.MAX)
        best = max if state.mover == ggp.MAX else min
        return best(value(game.result(state, action)) for action in game.actions(state))

    for state in walk(game, 3, 40):
        if len(state.horizontal) + len(state.vertical) >= 7:
            future = value(state) - game.score(state)
            assert known.setdefault(game.key(state), future) == future


def test_bounds_are_the_score_and_all_boxes_that_are_left():
    game = game_of(2, 3)
    assert game.bounds(game.initial_state()) == (-6, 6)
    for state in walk(game, 5, 10):
        left = 6 - state.first - state.second
        assert game.bounds(state) == (state.first - state.second - left, state.first - state.second + left)


def test_lines_that_close_a_box_come_first_and_those_that_give_one_last():
    game = game_of(1, 2)
    state = game.parse_state("-./||./.. 0:0 second")
    order = sorted(game.actions(state), key=lambda line: -game.suggest(state, line))
    assert game.format_action(state, order[0]) == "a2-b2"
    state = game.parse_state("-./|../.. 0:0 first")
    worths = {game.format_action(state, line): game.suggest(state, line) for line in game.actions(state)}
    assert worths == {"b1-c1": 0, "a2-b2": -10, "b2-c2": 0, "b1-b2": -10, "c1-c2": 0}


def test_lines_as_they_are_written():
    game = game_of(1, 1)
    state = game.initial_state()
    assert [game.format_action(state, line) for line in game.actions(state)] == ["a1-b1", "a2-b2", "a1-a2", "b1-b2"]
    with pytest.raises(
        ggp.IllegalActionError, match=r"a1-b2 cannot be played in ./../. 0:0 first: first can play a1-b1"
    ):
        game.parse_action(state, "a1-b2")
    with pytest.raises(ggp.NotationError, match="'a1' is not a move: a move is written like a1-b1 across"):
        game.parse_action(state, "a1")


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "nothing": ("", "is not a position: write lines, boxes and the mover like ./../. 0:0 first"),
        "shape": ("../../. 0:0 first", "is not a board"),
        "boxes": ("-/||/- 0:0 first", "it shows 1 closed boxes, but the scores 0 and 0 add up to 0"),
    }.values(),
)
def test_texts_that_are_no_positions(text, message):
    with pytest.raises(ggp.NotationError, match=message):
        game_of(1, 1).parse_state(text)


def test_the_scene_has_a_cell_for_each_line_and_box():
    game = game_of(1, 1)
    state = game.parse_state("-/||/. 0:0 second")
    scene = game.scene(state)
    assert [(cell.name, cell.action) for cell in scene.cells if cell.shape == "edge"] == [
        ("a1-b1", None),
        ("a1-a2", None),
        ("b1-b2", None),
        ("a2-b2", 1),
    ]
    assert game.scene(game.result(state, 1))["a1-b2"].text == "■"
