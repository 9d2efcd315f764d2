"""EinStein würfelt nicht beside exact backward induction in fractions."""

import functools
from fractions import Fraction

import pytest
from oracles import walk

import ggp

REGISTRY = ggp.load_registry()
GAME = REGISTRY.game("einstein")


def naive_value(size, stones):
    """Return the value to Blue of the initial state, with boards as sorted tuples and with exact fractions."""
    goal = {"blue": (size - 1, size - 1), "red": (0, 0)}

    @functools.cache
    def before_roll(board, mover):
        pieces = dict(board)
        return (
            sum(after_roll(board, mover, face) for face in range(1, stones + 1)) * Fraction(1, stones) if pieces else 0
        )

    @functools.cache
    def after_roll(board, mover, face):
        pieces = dict(board)
        own = sorted(number for player, number in pieces if player == mover)
        lower, higher = [n for n in own if n <= face], [n for n in own if n >= face]
        chosen = [face] if face in own else lower[-1:] + higher[:1]
        sign = 1 if mover == "blue" else -1
        values = []
        for number in chosen:
            y, x = pieces[mover, number]
            for down, right in ((0, 1), (1, 0), (1, 1)):
                place = y + sign * down, x + sign * right
                if not (0 <= place[0] < size and 0 <= place[1] < size):
                    continue
                left = {key: value for key, value in pieces.items() if value != place} | {(mover, number): place}
                other = "red" if mover == "blue" else "blue"
                if place == goal[mover] or not any(player == other for player, _ in left):
                    values.append(sign)
                else:
                    values.append(before_roll(tuple(sorted(left.items())), other))
        return max(values) if mover == "blue" else min(values)

    return before_roll


def naive_board(game, state):
    board = {("blue", n + 1): divmod(cell, game.size) for n, cell in enumerate(state.blue) if cell >= 0}
    board |= {("red", n + 1): divmod(cell, game.size) for n, cell in enumerate(state.red) if cell >= 0}
    return tuple(sorted(board.items()))


@pytest.mark.parametrize(
    ("size", "side", "speed"),
    [(2, 1, "interpreted"), (3, 1, "interpreted")]
    + [pytest.param(*size, "compiled", marks=pytest.mark.slow) for size in ((2, 1), (4, 1), (3, 2))],
)
def test_values_of_small_boards_are_exact(size, side, speed):
    """From the first position, or where there are three stones a side from some plies on."""
    game = REGISTRY.game("einstein", size=size, side=side)
    exact, searcher = naive_value(size, game.stones), REGISTRY.searcher("expectiminimax", table=16, speed=speed)
    plays = [state for state in walk(game, 4, 3) if state.die == 0 and not game.terminal_test(state)]
    checked = [state for state in plays if sum(cell >= 0 for cell in state.blue + state.red) <= 4]
    assert checked
    for state in checked:
        expected = exact(naive_board(game, state), ("blue", "red")[state.mover])
        assert searcher.search(game, state).value == pytest.approx(float(expected), abs=1e-9)


def test_rows_for_columns_have_one_canonical_state():
    for state in walk(GAME, 3, 20):
        turned = type(state)(GAME.transposed(state.blue), GAME.transposed(state.red), state.mover, state.die)
        assert GAME.canonical(state) == GAME.canonical(turned) in (state, turned)


def test_the_roll_counts_the_steps_of_the_stone_that_each_face_lets_move():
    state = GAME.parse_state("...../.1.../...../...6./a.... blue -")
    assert GAME.roll(state) == (6 * 4 - (3 + 5 * 1)) / (6 * 5)  # 1 goes to the corner in 3 steps, 6 in 1


def test_the_race_counts_the_steps_of_the_nearest_stones():
    state = GAME.parse_state("1..../..2../...../...../b...a blue -")
    assert GAME.race(state) == (4 - 3) / 5
    state = GAME.parse_state("1..../.a.../..2../...../b.... red -")
    assert GAME.race(state) == (1 - 2) / 5


def test_a_stone_that_is_gone_leaves_the_choice_of_its_neighbours():
    state = GAME.parse_state("1..../.3.../...6./...../....a blue 4")
    assert {GAME.format_action(state, action)[:2] for action in GAME.actions(state)} == {"b2", "d3"}
    state = GAME.parse_state("1..../.3.../...6./...../....a blue 2")
    assert {GAME.format_action(state, action)[:2] for action in GAME.actions(state)} == {"a1", "b2"}
    state = GAME.parse_state("1..../.3.../...6./...../....a blue 3")
    assert {GAME.format_action(state, action)[:2] for action in GAME.actions(state)} == {"b2"}


def test_an_own_stone_can_be_captured():
    state = GAME.parse_state("12.../...../...../...../....a blue 1")
    state = GAME.result(state, GAME.parse_action(state, "a1xb1"))
    assert GAME.format_state(state) == ".1.../...../...../...../....a red -"


def test_nobody_chooses_what_the_die_shows():
    scene = GAME.scene(GAME.initial_state())
    assert [cell.name for cell in scene.cells if cell.action is not None or cell.shape == "button"] == []
    state = GAME.result(GAME.initial_state(), 3)
    assert GAME.scene(state).caption == "Blue to move, the die shows 3"


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "nothing": ("", "is not a position: write board, player and die like"),
        "shape": ("12/34 blue 1", "is not a board"),
        "twice": ("11.../...../...../...../....a blue 1", "a stone is on the board twice"),
        "over": ("...../...../...../...../....1 blue -", "the game was over before the last move"),
        "over and rolled": ("...../...../...../...../.a..1 red 3", "the game was over before the last move"),
    }.values(),
)
def test_texts_that_are_no_positions(text, message):
    with pytest.raises(ggp.NotationError, match=message):
        GAME.parse_state(text)


def test_corners_that_overlap_are_refused():
    with pytest.raises(ggp.OptionError, match=r"side must be less than size \(3\), or else the corners overlap; got 3"):
        REGISTRY.game("einstein", size=3, side=3)
