"""Small games as different authors write them: each in a style of its own."""

import dataclasses
import enum
import functools
import itertools
from collections import namedtuple
from typing import ClassVar

import attrs

MAX, MIN = 0, 1
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


# A base class with the rules in common, and super() ------------------------------------------------------------------


class Plain:
    """What most games here share: two players who take turns, the last field of the state says whose it is."""

    name: ClassVar[str] = "plain"

    def to_move(self, state):
        return state[-1]

    def terminal_test(self, state):
        return self.winner(state) is not None or not any(True for _ in self.actions(state))

    def utility(self, state, player):
        winner = self.winner(state)
        if winner is None:
            return 0
        return 1 if winner == player else -1

    def winner(self, state):
        return None


GameState = namedtuple("GameState", "to_move, utility, board, moves")


class AimaTicTacToe(Plain):
    """As in AIMA's code: a named tuple with the moves in it; here the moves are a tuple of truths."""

    def initial_state(self):
        return GameState(to_move="X", utility=0, board=("",) * 9, moves=(True,) * 9)

    def to_move(self, state):
        return MAX if state.to_move == "X" else MIN

    def actions(self, state):
        return [move for move in range(9) if state.moves[move]]

    def result(self, state, move):
        if not state.moves[move]:
            return state  # Illegal move has no effect
        board = list(state.board)
        board[move] = state.to_move
        moves = list(state.moves)
        moves[move] = False
        return GameState(
            to_move=("O" if state.to_move == "X" else "X"),
            utility=self.compute_utility(board, move, state.to_move),
            board=tuple(board),
            moves=tuple(moves),
        )

    def utility(self, state, player):
        return state.utility if player == MAX else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not any(state.moves)

    def compute_utility(self, board, move, player):
        if any(self.k_in_row(board, move, player, delta) for delta in [(0, 1), (1, 0), (1, -1), (1, 1)]):
            return +1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        (delta_x, delta_y) = delta_x_y
        x, y = divmod(move, 3)
        n = 0  # n is number of moves in row
        while 0 <= x < 3 and 0 <= y < 3 and board[x * 3 + y] == player:
            n += 1
            x, y = x + delta_x, y + delta_y
        x, y = divmod(move, 3)
        while 0 <= x < 3 and 0 <= y < 3 and board[x * 3 + y] == player:
            n += 1
            x, y = x - delta_x, y - delta_y
        n -= 1  # Because we counted move itself twice
        return n >= 3


class EasyNim(Plain):
    """As in easyAI: piles in a list, moves as pairs."""

    def __init__(self, piles=(2, 3, 2), max_removals=2):
        self.piles = piles
        self.max_removals = max_removals

    def initial_state(self):
        return (*self.piles, MAX)

    def actions(self, state):
        moves = []
        for pile in range(len(self.piles)):
            for removed in range(1, self.max_removals + 1):
                if state[pile] >= removed:
                    moves.append((pile, removed))
        return moves

    def result(self, state, action):
        pile, removed = action
        piles = list(state[:-1])
        piles[pile] -= removed
        return (*piles, 1 - state[-1])

    def winner(self, state):
        return 1 - state[-1] if sum(state[:-1]) == 0 else None


class Numbers(Plain):
    """As in GamesmanPy: one number is the whole position."""

    def initial_state(self):
        return 20

    def to_move(self, position):
        return (20 - position) & 1 if position % 2 == 0 else 1 - position % 2

    def actions(self, position):
        return (1, 2) if position > 1 else (1,) if position == 1 else ()

    def result(self, position, move):
        return position - move

    def terminal_test(self, position):
        return position == 0

    def utility(self, position, player):
        return 1 if player == MIN else -1


class Beginner(Plain):
    """Tic-tac-toe by a beginner: loops, lists and append."""

    def initial_state(self):
        board = []
        for _ in range(9):
            board.append(0)
        return (tuple(board), 0)

    def actions(self, state):
        board = state[0]
        empty = []
        i = 0
        while i < len(board):
            if board[i] == 0:
                empty.append(i)
            i = i + 1
        return empty

    def result(self, state, action):
        board = list(state[0])
        if state[1] == 0:
            board[action] = 1
        else:
            board[action] = 2
        turn = 0
        if state[1] == 0:
            turn = 1
        return (tuple(board), turn)

    def winner(self, state):
        board = state[0]
        for row in range(0, 9, 3):
            if board[row] != 0 and board[row] == board[row + 1] and board[row + 1] == board[row + 2]:
                return board[row] - 1
        for column in range(3):
            if board[column] != 0 and board[column] == board[column + 3] == board[column + 6]:
                return board[column] - 1
        if board[4] != 0:
            if board[0] == board[4] and board[4] == board[8]:
                return board[4] - 1
            if board[2] == board[4] and board[4] == board[6]:
                return board[4] - 1
        return None


class Marks(Plain):
    """Marks as texts, rows by zip, any() over lines."""

    def initial_state(self):
        return ((".",) * 9, 0)

    def actions(self, state):
        return (cell for cell, mark in enumerate(state[0]) if mark == ".")

    def result(self, state, action):
        board, turn = state
        return board[:action] + ("XO"[turn],) + board[action + 1 :], 1 - turn

    def lines(self, board):
        rows = [board[i : i + 3] for i in (0, 3, 6)]
        return [*rows, *zip(*rows), board[::4], board[2:7:2]]

    def winner(self, state):
        for player, mark in enumerate("XO"):
            if any(line == (mark, mark, mark) for line in self.lines(state[0])):
                return player
        return None


class Colour(enum.Enum):
    BLACK = "black"
    WHITE = "white"

    @property
    def other(self):
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK


@attrs.frozen
class Square:
    row: int
    column: int

    def moved(self, direction):
        return Square(self.row + direction[0], self.column + direction[1])

    def is_on(self, size):
        return 0 <= self.row < size and 0 <= self.column < size


@attrs.frozen
class KingsState:
    black: Square
    white: Square
    turn: Colour
    left: int = 6

    def piece(self):
        return self.black if self.turn is Colour.BLACK else self.white


@attrs.frozen
class Kings:
    """Two kings who hunt each other: enumerations, and frozen classes with methods, within each other."""

    name: ClassVar[str] = "kings"
    size: int = 4
    steps: tuple[tuple[int, int], ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))

    def initial_state(self):
        return KingsState(Square(0, 0), Square(self.size - 1, self.size - 1), Colour.BLACK)

    def to_move(self, state):
        return MAX if state.turn is Colour.BLACK else MIN

    def actions(self, state):
        for step in self.steps:
            if state.piece().moved(step).is_on(self.size):
                yield step

    def result(self, state, action):
        moved = state.piece().moved(action)
        if state.turn is Colour.BLACK:
            return attrs.evolve(state, black=moved, turn=state.turn.other, left=state.left - 1)
        return attrs.evolve(state, white=moved, turn=state.turn.other, left=state.left - 1)

    def terminal_test(self, state):
        return state.black == state.white or state.left == 0

    def utility(self, state, player):
        if state.black != state.white:
            return 0
        loser = self.to_move(state)
        return -1 if loser == player else 1


@dataclasses.dataclass(frozen=True)
class Hand:
    cards: tuple[int, ...]
    played: int | None = None

    def without(self, card):
        return dataclasses.replace(self, cards=tuple(0 if each == card else each for each in self.cards), played=card)

    def __contains__(self, card):
        return card in self.cards


@dataclasses.dataclass(frozen=True)
class Table:
    hands: tuple[Hand, Hand]
    score: int = 0
    turn: int = 0


class Cards(Plain):
    """Dataclasses with methods, None until something is played, a helper object."""

    def initial_state(self):
        return Table((Hand((1, 4, 5)), Hand((2, 3, 6))))

    def to_move(self, table):
        return table.turn

    def actions(self, table):
        return [card for card in range(1, 7) if card in table.hands[table.turn]]

    def result(self, table, card):
        hands = list(table.hands)
        hands[table.turn] = hands[table.turn].without(card)
        score = table.score
        if table.turn == 1:
            first = hands[0].played
            assert first is not None
            score += 1 if first > card else -1
        return Table(tuple(hands), score, 1 - table.turn)

    def terminal_test(self, table):
        return not any(any(hand.cards) for hand in table.hands)

    def utility(self, table, player):
        return table.score if player == MAX else -table.score


def neighbours(size):
    def decorate(method):
        @functools.wraps(method)
        def listed(self, *arguments, **named):
            return method(self, *arguments, size=size, **named)

        return listed

    return decorate


@functools.cache
def adjacent(cell, size=3):
    row, column = divmod(cell, size)
    return tuple(
        r * size + c for r, c in itertools.product(range(size), repeat=2) if abs(r - row) + abs(c - column) == 1
    )


class Base(Plain):
    """The base of a family of games on a board of three by three."""

    SIZE = 3
    EMPTY = 0

    def initial_state(self):
        return (self.EMPTY,) * self.SIZE**2, MAX

    def actions(self, state):
        return tuple(cell for cell in range(self.SIZE**2) if state[0][cell] == self.EMPTY)

    def result(self, state, action):
        board, player = state
        return tuple(player + 1 if i == action else c for i, c in enumerate(board)), 1 - player


class NoNeighbours(Base):
    """Who cannot move any more loses: inheritance, super(), a decorator, a cached helper of the module."""

    @neighbours(3)
    def is_free(self, state, cell, *, size):
        return all(state[0][each] == self.EMPTY for each in adjacent(cell, size))

    def actions(self, state):
        return [cell for cell in super().actions(state) if self.is_free(state, cell)]

    def winner(self, state):
        return None if self.actions(state) else 1 - state[1]


class Counted(NoNeighbours):
    """A grandchild: the sum of what is covered counts."""

    worth: ClassVar[dict[int, int]] = {cell: cell % 4 for cell in range(9)}

    def utility(self, state, player):
        points = [sum(self.worth[i] for i, c in enumerate(state[0]) if c == side + 1) for side in (MAX, MIN)]
        won = super().utility(state, player)
        return won + points[player] - points[1 - player]


class Skipping(EasyNim):
    """Each may skip once: methods that use self by super() alone, and states with a field more than the base's."""

    def initial_state(self):
        return (super().initial_state(), (True, True))

    def to_move(self, state):
        return super().to_move(state[0])

    def actions(self, state):
        heaps, skips = state
        return [*super().actions(heaps), (-1, 0)] if skips[heaps[-1]] else super().actions(heaps)

    def result(self, state, action):
        heaps, skips = state
        if action[0] >= 0:
            return super().result(heaps, action), skips
        return (*heaps[:-1], 1 - heaps[-1]), tuple(skips[side] and side != heaps[-1] for side in (MAX, MIN))

    def winner(self, state):
        return super().winner(state[0])


class Rows(Plain):
    """Nested rows, copied with list(map(list, ...)), counted with sets and dictionaries."""

    def initial_state(self):
        return (((0,) * 3,) * 3, 0)

    def actions(self, state):
        rows, _ = state
        return [(r, c) for r, c in itertools.product(range(3), repeat=2) if not rows[r][c]]

    def result(self, state, action):
        rows, player = state
        grid = list(map(list, rows))
        row, column = action
        grid[row][column] = player + 1
        return tuple(tuple(row) for row in grid), 1 - player

    def winner(self, state):
        rows, _ = state
        columns = list(zip(*rows))
        diagonals = ([rows[i][i] for i in range(3)], [rows[i][2 - i] for i in range(3)])
        for line in (*rows, *columns, *diagonals):
            if len(set(line)) == 1 and line[0]:
                return {1: MAX, 2: MIN}[line[0]]
        return None


class Bits(Plain):
    """Two numbers whose bits are cells."""

    WON: ClassVar[tuple[int, ...]] = tuple(sum(1 << cell for cell in line) for line in LINES)

    def initial_state(self):
        return (0, 0, 0)

    def actions(self, state):
        free = ~(state[0] | state[1]) & 0x1FF
        while free:
            lowest = free & -free
            yield lowest.bit_length() - 1
            free ^= lowest

    def result(self, state, action):
        x, o, turn = state
        return (o, x | 1 << action, 1 - turn)

    def winner(self, state):
        return 1 - state[2] if any(state[1] & mask == mask for mask in self.WON) else None


class Helper:
    """An object that a game asks."""

    def __init__(self, limit):
        self.limit = limit
        self.table = {n: [m for m in (1, 3, 4) if m <= n] for n in range(limit + 1)}

    def moves(self, stones):
        return self.table[stones]

    def is_over(self, stones):
        return len(self.moves(stones)) == 0


class Delegating(Plain):
    """A game with a helper object, whose table is made once."""

    def __init__(self, stones=9):
        self.helper = Helper(stones)

    def initial_state(self):
        return (self.helper.limit, MAX)

    def actions(self, state):
        return self.helper.moves(state[0])

    def result(self, state, action):
        match action:
            case 1 | 3 | 4:
                return (state[0] - action, 1 - state[1])
            case _:
                raise ValueError(f"{action} is no move of {state}")

    def winner(self, state):
        return 1 - state[1] if self.helper.is_over(state[0]) else None


class Queue(Plain):
    """Flood fill with a list as a queue: who joins two sides of the board wins."""

    def initial_state(self):
        return ((-1,) * 9, MAX)

    def actions(self, state):
        return [i for i in range(9) if state[0][i] == -1]

    def result(self, state, action):
        board, player = state
        return (*board[:action], player, *board[action + 1 :]), 1 - player

    def reaches(self, board, player):
        seen = [False] * 9
        queue = [cell for cell in range(3) if board[cell] == player]
        for cell in queue:
            seen[cell] = True
        while queue:
            cell = queue.pop(0)
            if cell >= 6:
                return True
            for other in adjacent(cell):
                if board[other] == player and not seen[other]:
                    seen[other] = True
                    queue.append(other)
        return False

    def winner(self, state):
        return next((player for player in (MAX, MIN) if self.reaches(state[0], player)), None)


class Forcing(Plain):
    """Cells that are None at first, counted in bits; the last move forces the next one's row, where there is room."""

    def initial_state(self):
        return (None,) * 9, None, 0

    def actions(self, state):
        cells, forced, _ = state
        free = [row for row in range(3) if None in cells[3 * row : 3 * row + 3]]
        rows = [forced] if forced in free else free
        return [3 * row + column for row in rows for column in range(3) if cells[3 * row + column] is None]

    def result(self, state, cell):
        cells, _, turn = state
        return (*cells[:cell], cell ^ turn, *cells[cell + 1 :]), cell % 3, 1 - turn

    def winner(self, state):
        cells, _, turn = state
        for line in LINES:
            got = [cells[cell] for cell in line]
            if None not in got and got[0] & ~got[1] & got[2]:
                return 1 - turn
        return None


class Letters(Plain):
    """A board that is a text of nine letters; the state is that text."""

    def initial_state(self):
        return "." * 9

    def to_move(self, board):
        return MAX if board.count("X") == board.count("O") else MIN

    def actions(self, board):
        return [i for i, letter in enumerate(board) if letter == "."]

    def result(self, board, i):
        mark = "X" if self.to_move(board) == MAX else "O"
        return board[:i] + mark + board[i + 1 :]

    def winner(self, board):
        for a, b, c in LINES:
            if board[a] + board[b] + board[c] in ("XXX", "OOO"):
                return MAX if board[a] == "X" else MIN
        return None


class Runners(Plain):
    """A race of two runners each: fields of the state are indexed by the player, and the last action is one of them."""

    def initial_state(self):
        return (0, 0), (0, 1), 1, MAX

    def actions(self, state):
        return [step for step in (1, 2, 3) if step != state[2]]

    def result(self, state, step):
        sides, mover = [state[0], state[1]], state[3]
        own = list(sides[mover])
        own[own[0] > own[1]] += step
        sides[mover] = tuple(own)
        return (*sides, step, 1 - mover)

    def winner(self, state):
        return next((player for player in (MAX, MIN) if min(state[player]) >= 6), None)


class Phases(Plain):
    """A row of cells that is a text, phases by names of any length, and actions with names."""

    def initial_state(self):
        return "." * 12, "placement of men", 0, MAX

    def actions(self, state):
        row, phase, _, _ = state
        if phase == "placement of men":
            return [("place", cell) for cell in range(0, 12, 2) if row[cell] == "."]
        if phase == "moving":
            mark = self.mark(state)
            steps = [("step ahead", cell) for cell in range(11) if row[cell] == mark and row[cell + 1] == "."]
            return [*steps, ("pass", 0)]
        return []

    def mark(self, state):
        return "X" if state[3] == MAX else "O"

    def result(self, state, action):
        row, _, count, mover = state
        name, cell = action
        if name == "place":
            row = row[:cell] + self.mark(state) + row[cell + 1 :]
        elif name == "step ahead":
            row = row[:cell] + "." + self.mark(state) + row[cell + 2 :]
        after = {0: "placement of men", 1: "placement of men", 2: "placement of men", 9: "end"}.get(count, "moving")
        return row, after, count + 1, 1 - mover

    def winner(self, state):
        if state[1] != "end" or state[0][11] == ".":
            return None
        return MAX if state[0][11] == "X" else MIN


class ShortRows(Plain):
    """Rows that are short texts, lines that are joined, and columns by zip."""

    def initial_state(self):
        return "...", "...", "..."

    def to_move(self, rows):
        return MAX if sum(row.count(".") for row in rows) % 2 else MIN

    def actions(self, rows):
        return [(r, c) for r in range(3) for c in range(3) if rows[r][c] == "."]

    def result(self, rows, action):
        r, c = action
        row = rows[r]
        row = row[:c] + "XO"[self.to_move(rows)] + row[c + 1 :]
        return rows[:r] + (row,) + rows[r + 1 :]

    def won(self, rows, mark):
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        diagonals = [rows[0][0] + rows[1][1] + rows[2][2], rows[0][2] + rows[1][1] + rows[2][0]]
        return mark * 3 in [*rows, *columns, *diagonals]

    def winner(self, rows):
        if self.won(rows, "X"):
            return MAX
        return MIN if self.won(rows, "O") else None


GAMES = [
    AimaTicTacToe(), EasyNim(), Numbers(), Beginner(), Marks(), Kings(), Cards(), NoNeighbours(), Counted(), Skipping(),
    Rows(), Bits(), Delegating(), Queue(), Letters(), Runners(), Phases(), ShortRows(), Forcing(),
]  # fmt: skip
