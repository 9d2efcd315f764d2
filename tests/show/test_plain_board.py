"""The board that the states of a game without a scene show."""

import random
import time
from typing import NamedTuple

import attrs
import pytest

import ggp
from ggp import capabilities, plain_board
from ggp.frozen_games import playable
from ggp.show.scene_text import scene_text


class Marks:
    """Three marks in the first row win; the board is a text of 16 signs."""

    name = "marks"

    def initial_state(self):
        return "." * 16, ggp.MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [cell for cell, mark in enumerate(state[0]) if mark == "."]

    def result(self, state, action):
        board, mover = state
        return board[:action] + "XO"[mover] + board[action + 1 :], 1 - mover

    def terminal_test(self, state):
        return state[0][:3] in ("XXX", "OOO") or "." not in state[0]

    def utility(self, state, player):
        return {"XXX": 1, "OOO": -1}.get(state[0][:3], 0) * (1 if player == ggp.MAX else -1)


class Lists(Marks):
    """The board is a list of lists of 1, -1 and 0, and an action is a row and a column."""

    def initial_state(self):
        return [[0] * 3 for _ in range(4)], ggp.MAX

    def actions(self, state):
        return [(row, column) for row in range(4) for column in range(3) if not state[0][row][column]]

    def result(self, state, action):
        board = [list(row) for row in state[0]]
        board[action[0]][action[1]] = 1 - 2 * state[1]
        return board, 1 - state[1]

    def terminal_test(self, state):
        return all(map(all, state[0]))

    def utility(self, state, player):
        return 0


class Pairs(Lists):
    """The board is a dictionary, whose keys count from 1."""

    def initial_state(self):
        return {(row, column): "empty"[:3] for row in (1, 2, 3) for column in (1, 2, 3)}, ggp.MAX

    def actions(self, state):
        return [place for place, mark in state[0].items() if mark == "emp"]

    def result(self, state, action):
        return state[0] | {action: "bw"[state[1]]}, 1 - state[1]

    def terminal_test(self, state):
        return "emp" not in state[0].values()


class Clobber(Lists):
    """Take a neighbouring stone of the other colour: an empty cell is not there at the beginning."""

    def initial_state(self):
        return tuple(tuple((row + column) % 2 for column in range(4)) for row in range(3)), ggp.MAX

    def actions(self, state):
        board, mover = state
        return [
            ((row, column), (row + down, column + right))
            for row in range(3)
            for column in range(4)
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if board[row][column] == mover
            and 0 <= row + down < 3
            and 0 <= column + right < 4
            and board[row + down][column + right] == 1 - mover
        ]

    def result(self, state, action):
        (row, column), (to_row, to_column) = action
        board = [list(each) for each in state[0]]
        board[row][column], board[to_row][to_column] = -1, state[1]
        return tuple(map(tuple, board)), 1 - state[1]

    def terminal_test(self, state):
        return not self.actions(state)


class Fields(NamedTuple):
    board: str
    turn: int


class Drops(Lists):
    """Columns are chosen; the rows are separated by strokes."""

    def initial_state(self):
        return Fields(".../.../...", ggp.MAX)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [column for column in range(3) if state.board[column] == "."]

    def result(self, state, action):
        rows = [list(row) for row in state.board.split("/")]
        lowest = max(row for row in range(3) if rows[row][action] == ".")
        rows[lowest][action] = "RY"[state.turn]
        return Fields("/".join(map("".join, rows)), 1 - state.turn)

    def terminal_test(self, state):
        return "." not in state.board


class Stones(Lists):
    """Take one to three of a heap."""

    def initial_state(self):
        return 5, ggp.MAX

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, 1 - state[1]

    def terminal_test(self, state):
        return not state[0]


@attrs.frozen
class Runners:
    white: tuple[int, int]
    black: int
    mover: int


class Race(Lists):
    def initial_state(self):
        return Runners((0, 3), 2, ggp.MAX)

    def to_move(self, state):
        return state.mover

    def actions(self, state):
        return [1, 2]

    def result(self, state, action):
        if state.mover == ggp.MAX:
            return Runners((state.white[0] + action, 3), state.black, ggp.MIN)
        return Runners(state.white, state.black + action, ggp.MAX)

    def terminal_test(self, state):
        return max(state.white[0], state.black) > 9


SHOWN = {
    "a text, cells named by their numbers": (
        *(Marks, (5, 6)),
        "[0]  [1]  [2]  [3]\n[4]  [X]  [O]  [7]\n[8]  [9]  [10] [11]\n[12] [13] [14] [15]\nMAX to move",
    ),
    "lists, rows and columns counted from 0": (
        *(Lists, ((0, 1), (3, 2))),
        "   0   1   2\n0 [ ] [●] [ ]\n1 [ ] [ ] [ ]\n2 [ ] [ ] [ ]\n3 [ ] [ ] [○]\nMAX to move",
    ),
    "a dictionary, rows and columns counted from 1": (
        *(Pairs, ((1, 1), (1, 2))),
        "   1   2   3\n1 [●] [○] [ ]\n2 [ ] [ ] [ ]\n3 [ ] [ ] [ ]\nMAX to move",
    ),
    "stones that move": (
        *(Clobber, (((0, 0), (0, 1)),)),
        "   0   1   2   3\n0 [ ] [●] [●] [○]\n1 [○] [●] [○] [●]\n2 [●] [○] [●] [○]\nMIN to move",
    ),
    "a cell for a column": (
        *(Drops, (1, 1)),
        "[ ] [1] [ ]\n[ ] [○] [ ]\n[0] [●] [2]\nMAX to move",
    ),
    "a heap": (Stones, (2,), "      3\n[1]  [2] [3]\nMIN to move"),
}


def state_after(game, moves):
    state = game.initial_state()
    for move in moves:
        state = game.result(state, move)
    return state


@pytest.mark.parametrize("case", SHOWN)
def test_the_states_show_what_is_there(case):
    kind, moves, text = SHOWN[case]
    game = playable(kind())
    assert scene_text(capabilities.scene(game, state_after(game, moves))) == text


@pytest.mark.parametrize("kind", [Marks, Lists, Pairs, Clobber, Drops, Stones, Race])
def test_all_legal_actions_are_offered_in_every_state(kind):
    game, dice = playable(kind()), random.Random(1)
    state = game.initial_state()
    while not game.terminal_test(state):
        scene, legal = capabilities.scene(game, state), capabilities.legal_actions(game, state)
        assert scene.actions == frozenset(legal)
        assert len({cell.name for cell in scene.cells}) == len(scene.cells)
        state = game.result(state, dice.choice(legal))
    assert capabilities.scene(game, state).actions == frozenset()


def test_pieces_that_are_named_black_and_white_have_these_colours():
    game = playable(Pairs())
    assert capabilities.scene(game, game.initial_state()).colours == ("black", "white")


def test_numbers_have_the_names_of_their_fields():
    game = playable(Race())
    cells = capabilities.scene(game, game.initial_state()).cells
    assert [(cell.label, cell.count) for cell in cells if cell.count is not None] == [
        ("white 1", 0),
        ("white 2", 3),
        ("black", 2),
    ]


class Counted(NamedTuple):
    board: str
    points: tuple[int, int]
    turn: str


class WithPoints(Marks):
    """Points and the number of an odd move are beside the board."""

    def initial_state(self):
        return Counted("." * 9, (0, 0), "first")

    def to_move(self, state):
        return ["first", "second"].index(state.turn)

    def actions(self, state):
        return [cell for cell, mark in enumerate(state.board) if mark == "."]

    def result(self, state, action):
        mover = self.to_move(state)
        points = tuple(each + action * (side == mover) for side, each in enumerate(state.points))
        board = state.board[:action] + "ab"[mover] + state.board[action + 1 :]
        return Counted(board, points, ["second", "first"][mover])

    def terminal_test(self, state):
        return "." not in state.board

    def utility(self, state, player):
        return 0


def test_what_is_beside_the_board_is_told_but_for_the_player_to_move():
    game = playable(WithPoints())
    scene = capabilities.scene(game, state_after(game, (4, 8)))
    assert scene["beside the board"].text == "points: (4, 8)"


class Slow(Marks):
    def result(self, state, action):
        until = time.thread_time() + plain_board.SECONDS / 10
        while time.thread_time() < until:
            pass
        return super().result(state, action)


def test_slow_rules_are_shown_by_their_notation():
    game = playable(Slow())
    assert "('................', 0)" in scene_text(capabilities.scene(game, game.initial_state()))


class Broken(Marks):
    def result(self, state, action):
        raise ZeroDivisionError


def test_rules_with_a_fault_are_shown_by_their_notation():
    game = playable(Broken())
    assert "('................', 0)" in scene_text(capabilities.scene(game, game.initial_state()))
