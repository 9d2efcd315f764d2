"""More small games as people write them, each in another way."""

import collections
import copy
import enum
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

import ggp


class Mark(enum.Enum):
    NONE = "."
    RED = "R"
    BLUE = "B"

    def other(self):
        return Mark.BLUE if self is Mark.RED else Mark.RED


class Signs:
    """Who completes a pair of equal neighbours on a row of five loses; marks are members of an Enum."""

    name = "signs"

    def initial_state(self):
        return tuple([Mark.NONE] * 5), Mark.RED

    def to_move(self, state):
        return ggp.MAX if state[1] is Mark.RED else ggp.MIN

    def actions(self, state):
        return [index for index, mark in enumerate(state[0]) if mark == Mark.NONE]

    def result(self, state, action):
        marks = list(state[0])
        marks[action] = state[1]
        return tuple(marks), state[1].other()

    def _pair(self, marks):
        return next((a for a, b in zip(marks, marks[1:], strict=False) if a is b and a is not Mark.NONE), None)

    def terminal_test(self, state):
        return self._pair(state[0]) is not None or Mark.NONE not in state[0]

    def utility(self, state, player):
        loser = self._pair(state[0])
        if loser is None:
            return 0
        return (-1 if loser is Mark.RED else 1) * (1 if player == ggp.MAX else -1)


class Wagon(NamedTuple):
    cargo: int
    full: bool = False


class Train(NamedTuple):
    wagons: tuple[Wagon, ...]
    mine: int = 0
    yours: int = 0
    turn: int = 0


class Loading:
    """Two players take the first or the last wagon; a full one counts twice; a named tuple in a named tuple."""

    name = "loading"

    def initial_state(self):
        return Train(tuple(Wagon(c, c % 2 == 0) for c in (3, 4, 1, 2, 5)))

    def to_move(self, state):
        return ggp.MAX if state.turn == 0 else ggp.MIN

    def actions(self, state):
        return ["first", "last"] if len(state.wagons) > 1 else ["first"]

    def result(self, state, action):
        wagon, rest = (
            (state.wagons[0], state.wagons[1:]) if action == "first" else (state.wagons[-1], state.wagons[:-1])
        )
        points = wagon.cargo * (2 if wagon.full else 1)
        if state.turn == 0:
            return state._replace(wagons=rest, mine=state.mine + points, turn=1)
        return state._replace(wagons=rest, yours=state.yours + points, turn=0)

    def terminal_test(self, state):
        return not state.wagons

    def utility(self, state, player):
        gain = state.mine - state.yours
        return gain if player == ggp.MAX else -gain


class Meadow:
    """A defaultdict of what was eaten, in an object with private names."""

    def __init__(self):
        self.__grass = self.empty()
        self.__turn = 0
        for place in range(4):
            self.__grass[place] = place % 3 + 1

    @staticmethod
    def empty():
        return collections.defaultdict(int)

    @property
    def turn(self):
        return self.__turn

    def places(self):
        return [place for place in range(4) if self.__grass[place] > 0]

    def eaten(self, place, amount):
        other = copy.deepcopy(self)
        other.__grass[place] -= amount
        other.__turn = 1 - self.__turn
        return other

    def left(self, place):
        return self.__grass[place]


class Grazing:
    """Nim on a meadow: who eats last wins."""

    name = "grazing"

    def initial_state(self):
        return Meadow()

    def to_move(self, state):
        return ggp.MAX if state.turn == 0 else ggp.MIN

    def actions(self, state):
        return [(place, n) for place in state.places() for n in range(1, state.left(place) + 1)]

    def result(self, state, action):
        return state.eaten(*action)

    def terminal_test(self, state):
        return not state.places()

    def utility(self, state, player):
        return -1 if self.to_move(state) == player else 1


class WeedyMeadow(Meadow):
    @staticmethod
    def empty():
        return collections.defaultdict(lambda: 0)


class Weeds(Grazing):
    """The same with a function that makes the missing values."""

    name = "weeds"

    def initial_state(self):
        return WeedyMeadow()


class Letters:
    """Take letters out of a Counter; a letter that is taken too often comes back."""

    name = "letters"

    def initial_state(self):
        return (collections.Counter("abracadabra"), ggp.MAX)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return sorted(letter for letter, count in state[0].items() if count > 0)

    def result(self, state, action):
        left = state[0].copy()
        left[action] -= 2 if left[action] > 2 else 1
        if left["z"] == 0 and left["d"] == 0:
            left["d"] += 1
        return (left, 1 - state[1])

    def terminal_test(self, state):
        return sum(state[0].values()) <= 4

    def utility(self, state, player):
        gain = 3 * state[0]["a"] - state[0]["b"]
        return gain if player == ggp.MAX else -gain


class Table:
    def __init__(self):
        self.hands = collections.defaultdict(list)
        self.turn = 0
        self.pile = [1, 2, 3, 4, 5]


class Drafting:
    """Take numbers from either end of a pile into a defaultdict of hands, which is empty at first."""

    name = "drafting"

    def initial_state(self):
        return Table()

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return ["first", "last"] if len(state.pile) > 1 else ["first"]

    def result(self, state, action):
        new = copy.deepcopy(state)
        new.hands["ab"[new.turn]].append(new.pile.pop(0 if action == "first" else -1))
        new.turn = 1 - new.turn
        return new

    def terminal_test(self, state):
        return not state.pile

    def utility(self, state, player):
        gain = sum(state.hands["a"]) * len(state.hands["a"]) - sum(state.hands["b"])
        return gain if player == ggp.MAX else -gain


@dataclass(frozen=True, order=True)
class Coin:
    LARGEST: ClassVar[int] = 9
    value: int
    owner: str = field(compare=False)


@dataclass(frozen=True)
class CoinsLeft:
    coins: tuple[Coin, ...]
    score: tuple[int, int] = (0, 0)
    turn: int = 0


class Coins:
    """Take a coin from either end of a row, or the smallest; one's own coins count twice."""

    name = "coins"

    def initial_state(self):
        values = (3, 1, Coin.LARGEST, 1, 5)
        return CoinsLeft(tuple(Coin(value, "ab"[place % 2]) for place, value in enumerate(values)))

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return ["left", "right", "least"][: len(state.coins)]

    def result(self, state, action):
        coins = list(state.coins)
        coin = coins.pop({"left": 0, "right": -1, "least": coins.index(min(coins))}[action])
        gain = coin.value * (2 if coin.owner == "ab"[state.turn] else 1)
        score = tuple(points + gain * (state.turn == player) for player, points in enumerate(state.score))
        return CoinsLeft(tuple(coins), score, 1 - state.turn)

    def terminal_test(self, state):
        return len(state.coins) == 0

    def utility(self, state, player):
        return state.score[player] - state.score[1 - player]


class Doors:
    """A set of open doors that is frozen; moves are texts that are written by a pattern."""

    name = "doors"

    def initial_state(self):
        return frozenset(range(1, 7)), 0

    def to_move(self, state):
        return ggp.MAX if state[1] == 0 else ggp.MIN

    def actions(self, state):
        return [f"close {door}" for door in range(1, 7) if door in state[0]]

    def result(self, state, action):
        doors, turn = state
        door = int(action.split()[1])
        return frozenset(each for each in doors if each % door), 1 - turn

    def terminal_test(self, state):
        return not state[0]

    def utility(self, state, player):
        return 1 if self.to_move(state) == player else -1


class Corners:
    """A square of numpy: a move adds a row or a column to the count and clears it."""

    name = "corners"

    def initial_state(self):
        return np.array([[1, 2, 0], [0, 3, 1], [2, 0, 1]]), 0, 0

    def to_move(self, state):
        return ggp.MAX if state[1] == 0 else ggp.MIN

    def actions(self, state):
        grid = state[0]
        return [("row", i) for i in range(3) if grid[i].any()] + [("column", i) for i in range(3) if grid[:, i].any()]

    def result(self, state, action):
        grid, turn, gain = state
        kind, index = action
        new = grid.copy()
        line = new[index] if kind == "row" else new[:, index]
        total = int(line.sum())
        if kind == "row":
            new[index] = 0
        else:
            new[:, index] = 0
        return new, 1 - turn, gain + (total if turn == 0 else -total)

    def terminal_test(self, state):
        return not state[0].any()

    def utility(self, state, player):
        return state[2] if player == ggp.MAX else -state[2]


class Said:
    """The moves so far are the state: who says a letter a second time, or a neighbour of the last one, loses."""

    name = "said"

    def initial_state(self):
        return []

    def to_move(self, state):
        return ggp.MAX if len(state) % 2 == 0 else ggp.MIN

    def actions(self, state):
        return [letter for letter in "abcde"]

    def result(self, state, action):
        return [*state, action]

    def terminal_test(self, state):
        if len(state) < 2:
            return False
        *before, last = state
        return last in before or abs(ord(last) - ord(before[-1])) == 1

    def utility(self, state, player):
        return 1 if self.to_move(state) == player else -1


@dataclass
class Stack:
    cards: list[int] = field(default_factory=lambda: [2, 7, 4, 1, 5])
    score: int = 0
    turn: int = 0

    def take(self, count):
        taken = [self.cards.pop() for _ in range(count)]
        self.score += sum(taken) * (1 if self.turn == 0 else -1)
        self.turn = 1 - self.turn


class Cards:
    """A data class with a list that is changed by its own method after a deep copy."""

    name = "cards"

    def initial_state(self):
        return Stack()

    def to_move(self, state):
        return [ggp.MAX, ggp.MIN][state.turn]

    def actions(self, state):
        return list(range(1, min(3, len(state.cards)) + 1))

    def result(self, state, action):
        new = copy.deepcopy(state)
        new.take(action)
        return new

    def terminal_test(self, state):
        return len(state.cards) == 0

    def utility(self, state, player):
        return state.score if player == ggp.MAX else -state.score


class Knights:
    """A dictionary from squares to marks, and moves between squares."""

    name = "knights"

    def initial_state(self):
        return {"board": {(0, 0): "w", (3, 2): "b"}, "turn": "w", "left": 5}

    def to_move(self, state):
        return ggp.MAX if state["turn"] == "w" else ggp.MIN

    def _place(self, state, mark):
        return next((square for square, each in state["board"].items() if each == mark), None)

    def actions(self, state):
        r, c = self._place(state, state["turn"])
        jumps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
        return [(r + dr, c + dc) for dr, dc in jumps if 0 <= r + dr < 4 and 0 <= c + dc < 4]

    def result(self, state, action):
        board = dict(state["board"])
        del board[self._place(state, state["turn"])]
        board[action] = state["turn"]
        return {"board": board, "turn": "b" if state["turn"] == "w" else "w", "left": state["left"] - 1}

    def terminal_test(self, state):
        return state["left"] == 0 or len(state["board"]) == 1

    def utility(self, state, player):
        if len(state["board"]) == 2:
            return 0
        return 1 if (self._place(state, "w") is not None) == (player == ggp.MAX) else -1


class Rope:
    """A class with slots and operators of its own as a state."""

    __slots__ = ("length", "turn")

    def __init__(self, length, turn):
        self.length = length
        self.turn = turn

    def __eq__(self, other):
        return isinstance(other, Rope) and (self.length, self.turn) == (other.length, other.turn)

    def __hash__(self):
        return hash((self.length, self.turn))

    def __sub__(self, cut):
        return Rope(self.length - cut, not self.turn)

    def __bool__(self):
        return self.length > 0


class Cutting:
    """Cut one, three or four from a rope."""

    name = "cutting"

    def initial_state(self):
        return Rope(11, False)

    def to_move(self, state):
        return ggp.MIN if state.turn else ggp.MAX

    def actions(self, state):
        return [cut for cut in (1, 3, 4) if cut <= state.length]

    def result(self, state, action):
        return state - action

    def terminal_test(self, state):
        return not state

    def utility(self, state, player):
        return -1 if self.to_move(state) == player else 1


class Words:
    """A text as the board; moves are slices of it, and a helper class inside the rules."""

    name = "words"

    def initial_state(self):
        return "abbacab", 0

    def to_move(self, state):
        return ggp.MAX if state[1] == 0 else ggp.MIN

    def actions(self, state):
        text = state[0]
        return sorted({text[i] for i in range(len(text))})

    def result(self, state, action):
        text, turn = state
        return text.replace(action, "", 1), 1 - turn

    def terminal_test(self, state):
        class Counter:
            def __init__(self, text):
                self.pairs = sum(1 for i in range(len(text) - 1) if text[i] == text[i + 1])

            def __bool__(self):
                return self.pairs > 1

        return bool(Counter(state[0])) or len(state[0]) == 0

    def utility(self, state, player):
        return 1 if self.to_move(state) == player else -1


class Dropping:
    """Drop three in a row: a dictionary of lists is read by one small method inside four loops."""

    name = "dropping"

    def initial_state(self):
        return {"columns": [[] for _ in range(4)], "turn": "R"}

    def to_move(self, state):
        return ggp.MAX if state["turn"] == "R" else ggp.MIN

    def actions(self, state):
        return [i for i, column in enumerate(state["columns"]) if len(column) < 3]

    def result(self, state, action):
        state = copy.deepcopy(state)
        state["columns"][action].append(state["turn"])
        state["turn"] = "Y" if state["turn"] == "R" else "R"
        return state

    def at(self, state, x, y):
        try:
            if x < 0 or y < 0:
                raise IndexError
            return state["columns"][x][y]
        except IndexError:
            return None

    def winner(self, state):
        for x in range(4):
            for y in range(3):
                who = self.at(state, x, y)
                if who:
                    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                        if all(self.at(state, x + k * dx, y + k * dy) == who for k in range(3)):
                            return who
        return None

    def terminal_test(self, state):
        return bool(self.winner(state)) or not self.actions(state)

    def utility(self, state, player):
        winner = self.winner(state)
        if winner is None:
            return 0
        return 1 if (winner == "R") == (player == ggp.MAX) else -1


class Shares:
    """Cut a part off the rest of a cake, three times each."""

    name = "shares"

    def initial_state(self):
        return (Fraction(1), Fraction(0), 6)

    def to_move(self, state):
        return state[2] % 2

    def actions(self, state):
        return [2, 3, 4]

    def result(self, state, action):
        rest, lead, cuts = state
        part = rest / action
        return (rest - part, lead + part if cuts % 2 == 0 else lead - part, cuts - 1)

    def terminal_test(self, state):
        return state[2] == 0

    def utility(self, state, player):
        return float(state[1]) if player == ggp.MAX else -float(state[1])


HABITS = [
    Signs,
    Loading,
    Grazing,
    Weeds,
    Letters,
    Drafting,
    Coins,
    Doors,
    Corners,
    Said,
    Cards,
    Knights,
    Cutting,
    Words,
    Dropping,
    Shares,
]
