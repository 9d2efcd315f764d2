"""Small games as people write them: with states that change, and moves that are texts."""

import copy
from dataclasses import dataclass, field

import ggp

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Board:
    """A position of tic-tac-toe."""

    def __init__(self):
        self.cells = [[" "] * 3 for _ in range(3)]
        self.player = "X"

    def copy(self):
        return copy.deepcopy(self)

    def winner(self):
        flat = [cell for row in self.cells for cell in row]
        for a, b, c in LINES:
            if flat[a] != " " and flat[a] == flat[b] == flat[c]:
                return flat[a]
        return None

    def is_full(self):
        return all(cell != " " for row in self.cells for cell in row)


class DeepCopies:
    """Tic-tac-toe by deep copies of an object."""

    name = "deep-copies"

    def initial_state(self):
        return Board()

    def to_move(self, state):
        return ggp.MAX if state.player == "X" else ggp.MIN

    def actions(self, state):
        return [(r, c) for r in range(3) for c in range(3) if state.cells[r][c] == " "]

    def result(self, state, action):
        r, c = action
        new = copy.deepcopy(state)
        new.cells[r][c] = state.player
        new.player = "O" if state.player == "X" else "X"
        return new

    def terminal_test(self, state):
        return state.winner() is not None or state.is_full()

    def utility(self, state, player):
        winner = state.winner()
        if winner is None:
            return 0
        return 1 if (winner == "X") == (player == ggp.MAX) else -1


class ListsOfLists:
    """A race to fill rows: each player marks cells of a board of lists; full rows of one player count."""

    name = "lists-of-lists"

    def __init__(self, size=3):
        self.size = size

    def initial_state(self):
        return [[0 for _ in range(self.size)] for _ in range(self.size)]

    def to_move(self, state):
        marks = sum(1 for row in state for cell in row if cell != 0)
        return ggp.MAX if marks % 2 == 0 else ggp.MIN

    def actions(self, state):
        found = []
        for r, row in enumerate(state):
            for c, cell in enumerate(row):
                if cell == 0:
                    found.append((r, c))
        return found

    def result(self, state, action):
        r, c = action
        board = [row[:] for row in state]
        board[r][c] = 1 if self.to_move(state) == ggp.MAX else 2
        return board

    def terminal_test(self, state):
        return all(cell for row in state for cell in row)

    def utility(self, state, player):
        mine = theirs = 0
        for row in state:
            mine += row.count(1) == 2
            theirs += row.count(2) == 3
        value = mine - 2 * theirs
        return value if player == ggp.MAX else -value


class DictionaryOfMarks:
    """Tic-tac-toe on a dictionary of marks that grows."""

    name = "dictionary-of-marks"

    def initial_state(self):
        return ({}, "X")

    def to_move(self, state):
        return ggp.MAX if state[1] == "X" else ggp.MIN

    def actions(self, state):
        board, _ = state
        return [(x, y) for x in range(3) for y in range(3) if (x, y) not in board]

    def result(self, state, action):
        board, player = state
        board = board.copy()
        board[action] = player
        return (board, "O" if player == "X" else "X")

    def winner(self, board):
        for line in LINES:
            marks = [board.get((place // 3, place % 3), " ") for place in line]
            if marks[0] != " " and marks[0] == marks[1] and marks[1] == marks[2]:
                return marks[0]
        return None

    def terminal_test(self, state):
        board, _ = state
        return len(board) == 9 or self.winner(board) is not None

    def utility(self, state, player):
        winner = self.winner(state[0])
        if winner is None:
            return 0
        return 1 if (winner == "X") == (player == ggp.MAX) else -1


class Numpy:
    """Three in a row on an array of NumPy."""

    name = "numpy-board"

    def initial_state(self):
        import numpy as np

        return np.zeros((3, 3), dtype=int)

    def to_move(self, state):
        return ggp.MAX if state.sum() == 0 else ggp.MIN

    def actions(self, state):
        import numpy as np

        return [tuple(each) for each in np.argwhere(state == 0)]

    def result(self, state, action):
        new = state.copy()
        new[action] = 1 if self.to_move(state) == ggp.MAX else -1
        return new

    def winner(self, state):
        import numpy as np

        sums = [*state.sum(axis=0), *state.sum(axis=1), np.trace(state), np.trace(np.fliplr(state))]
        if 3 in sums:
            return 1
        return -1 if -3 in sums else 0

    def terminal_test(self, state):
        return self.winner(state) != 0 or (state != 0).all()

    def utility(self, state, player):
        return self.winner(state) if player == ggp.MAX else -self.winner(state)


class TextsAsMoves:
    """Tic-tac-toe with moves such as "b2"."""

    name = "texts-as-moves"

    def initial_state(self):
        return ("." * 9, "X")

    def to_move(self, state):
        return ggp.MAX if state[1] == "X" else ggp.MIN

    def actions(self, state):
        board, _ = state
        return [f"{'abc'[i % 3]}{i // 3 + 1}" for i in range(9) if board[i] == "."]

    def result(self, state, action):
        board, player = state
        place = "abc".index(action[0]) + 3 * (int(action[1]) - 1)
        return (board[:place] + player + board[place + 1 :], "O" if player == "X" else "X")

    def wins(self, board, mark):
        return any(all(board[i] == mark for i in line) for line in LINES)

    def terminal_test(self, state):
        return self.wins(state[0], "X") or self.wins(state[0], "O") or "." not in state[0]

    def utility(self, state, player):
        value = int(self.wins(state[0], "X")) - int(self.wins(state[0], "O"))
        return value if player == ggp.MAX else -value


class MovesSoFar:
    """Tic-tac-toe whose state is the list of the moves so far."""

    name = "moves-so-far"

    def initial_state(self):
        return []

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return [move for move in range(9) if move not in state]

    def result(self, state, action):
        return state + [action]

    def _has_line(self, moves):
        for line in LINES:  # noqa: SIM110
            if all(cell in moves for cell in line):
                return True
        return False

    def terminal_test(self, state):
        return len(state) == 9 or self._has_line(state[0::2]) or self._has_line(state[1::2])

    def utility(self, state, player):
        if self._has_line(state[0::2]):
            value = 1
        elif self._has_line(state[1::2]):
            value = -1
        else:
            value = 0
        return value if player == ggp.MAX else -value


@dataclass
class Heaps:
    """A position of nim."""

    heaps: list = field(default_factory=lambda: [3, 4, 2])
    player: int = 0


class DataClassWithList:
    """Nim on a data class with a list."""

    name = "data-class-with-list"

    def initial_state(self):
        return Heaps()

    def to_move(self, state):
        return state.player

    def actions(self, state):
        return [(heap, count) for heap, size in enumerate(state.heaps) for count in range(1, size + 1)]

    def result(self, state, action):
        heap, count = action
        heaps = list(state.heaps)
        heaps[heap] -= count
        return Heaps(heaps, 1 - state.player)

    def terminal_test(self, state):
        return not any(state.heaps)

    def utility(self, state, player):
        return -1 if state.player == player else 1


class Stones:
    """Stones with private attributes."""

    def __init__(self, stones, player):
        self.__stones = stones
        self.__player = player

    def stones(self):
        return self.__stones

    def mover(self):
        return self.__player

    def take(self, count):
        return Stones(self.__stones - count, 1 - self.__player)


class PrivateNames:
    """Take stones, with private names everywhere."""

    name = "private-names"

    def __init__(self, stones=15):
        self.__stones = stones

    def __most(self, state):
        return min(3, state.stones())

    def initial_state(self):
        return Stones(self.__stones, ggp.MAX)

    def to_move(self, state):
        return state.mover()

    def actions(self, state):
        return range(1, self.__most(state) + 1)

    def result(self, state, action):
        return state.take(action)

    def terminal_test(self, state):
        return state.stones() == 0

    def utility(self, state, player):
        return -1 if state.mover() == player else 1


class FrozenSets:
    """Fifteen: take numbers from 1 to 9 in turn; three that add up to 15 win."""

    name = "frozen-sets"

    def initial_state(self):
        return (frozenset(), frozenset())

    def to_move(self, state):
        return ggp.MAX if len(state[0]) == len(state[1]) else ggp.MIN

    def actions(self, state):
        taken = state[0] | state[1]
        return [number for number in range(1, 10) if number not in taken]

    def result(self, state, action):
        mine, theirs = state
        if self.to_move(state) == ggp.MAX:
            return (mine | {action}, theirs)
        return (mine, theirs | {action})

    def wins(self, numbers):
        return any(
            a + b + (15 - a - b) == 15 and (15 - a - b) in numbers and 15 - a - b != a and 15 - a - b != b and a != b
            for a in numbers
            for b in numbers
        )

    def terminal_test(self, state):
        return self.wins(state[0]) or self.wins(state[1]) or len(state[0]) + len(state[1]) == 9

    def utility(self, state, player):
        value = 1 if self.wins(state[0]) else -1 if self.wins(state[1]) else 0
        return value if player == ggp.MAX else -value


HABITS = (
    DeepCopies, ListsOfLists, DictionaryOfMarks, Numpy, TextsAsMoves, MovesSoFar, DataClassWithList, PrivateNames,
    FrozenSets,
)  # fmt: skip
