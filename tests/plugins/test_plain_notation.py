"""States of games without a notation: what is written is read."""

import collections
import dataclasses
import enum
from typing import NamedTuple

import attrs
import pytest

import ggp
from ggp.capabilities import PlainNotation, notation
from ggp.frozen_states import freeze, thaw, vars_of


class Side(enum.IntEnum):
    LEFT = 0
    RIGHT = 1


class Place(NamedTuple):
    row: int
    name: str | None


@attrs.frozen
class Board:
    place: Place
    cells: ggp.Bits
    side: Side


@attrs.frozen
class Still:
    """A game of one state."""

    start: object
    name = "still"
    player_names = ("Ann", "Bob")

    def initial_state(self):
        return self.start

    def to_move(self, state):
        return ggp.MAX

    def actions(self, state):
        return []

    def result(self, state, action):
        return state

    def terminal_test(self, state):
        return True

    def utility(self, state, player):
        return 0


STATES = {
    "numbers": (1, (-2, 0.5), True),
    "named tuple": Place(3, "it's (1, 2)"),
    "in a tuple": (Place(-1, None), 1),
    "class": Board(Place(1, "a"), ggp.Bits.of(0, 63), Side.RIGHT),
    "enumeration": (Side.LEFT, Side.RIGHT),
    "sets": (frozenset(), frozenset({(1, 2), (3, 4)}), ggp.Bits()),
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_what_is_written_is_read(state):
    text = notation(Still(state))
    assert text.parse_state(text.format_state(state)) == state
    assert type(text.parse_state(text.format_state(state))) is type(state)


@attrs.define(eq=False)
class Own:
    """An object that compares itself, and has no text of its own."""

    rows: list[list[int]]
    turn: int = 1

    __repr__ = object.__repr__

    def __eq__(self, other):
        return self.rows == other.rows and self.turn == other.turn

    def __hash__(self):
        return hash((str(self.rows), self.turn))


class Marks(dict[int, str]):
    """A dictionary with an attribute, made with other arguments than those of a dictionary."""

    def __init__(self, turn, *, size):
        super().__init__()
        self.turn, self.size = turn, size


@dataclasses.dataclass
class Row:
    seeds: list[int]
    player: int


@attrs.define
class Chessman:
    kind: str
    cls: int = 0


def marks():
    made = Marks(1, size=3)
    made[2] = "X"
    return made


CHANGING = {
    "an object": (Own([[0, 1], [2, 3]]), "Own(rows=[[0, 1], [2, 3]], turn=1)"),
    "objects in a list": ([Own([[0]]), Own([])], "[Own(rows=[[0]], turn=1), Own(rows=[], turn=1)]"),
    "attributes with names that functions of ggp use": (Chessman("king"), "Chessman(kind='king', cls=0)"),
    "fields in the author's order": (Row([1, 2], 0), "Row(seeds=[1, 2], player=0)"),
    "a dictionary with an attribute": (marks(), "Marks(items={2: 'X'}, size=3, turn=1)"),
    "defaultdict": (collections.defaultdict(int, a=1), "defaultdict(default_factory=int, items={'a': 1})"),
    "Counter": (collections.Counter("xxy"), "Counter(items={'x': 2, 'y': 1})"),
    "deque": (collections.deque([1, 2], maxlen=2), "deque(items=[1, 2], maxlen=2)"),
    "OrderedDict": (collections.OrderedDict(z=1, y=2), "OrderedDict(items=[('z', 1), ('y', 2)])"),
}


@pytest.mark.parametrize(("state", "written"), CHANGING.values(), ids=CHANGING)
def test_states_that_change_are_written_read_and_given_back(state, written):
    frozen = freeze(state)
    text = notation(Still(frozen))
    assert text.format_state(frozen) == written
    assert text.parse_state(written) == frozen
    back = thaw(frozen)
    assert type(back) is type(state)
    assert back == state
    assert vars_of(back) == vars_of(state)
    assert getattr(back, "maxlen", None) == getattr(state, "maxlen", None)
    assert getattr(back, "default_factory", None) == getattr(state, "default_factory", None)


@pytest.mark.parametrize(
    "wrong", ["", "print(1)", "Place(1)", "Place.row", "Still(1)", "Place(row=1, name=open)", "(" * 400]
)
def test_what_is_no_state_is_refused(wrong):
    with pytest.raises(ggp.NotationError, match=r"is not a state of still: a state is written like Place\(row=3, "):
        notation(Still(Place(3, "a"))).parse_state(wrong)


class Pairs:
    """A game whose actions are pairs of numbers."""

    name = "pairs"

    def initial_state(self):
        return 0

    def actions(self, state):
        return [(9, 1), (9, 2), (1, 1)]


@pytest.mark.parametrize("typed", ["(9, 1)", "(9,1)", "9,1", " 9, 1 "])
def test_an_action_that_is_a_tuple_may_be_typed_without_brackets_and_blanks(typed):
    assert PlainNotation(Pairs()).parse_action(0, typed) == (9, 1)


@pytest.mark.parametrize("typed", ["9", "91", "9,3", ""])
def test_an_action_is_not_guessed(typed):
    with pytest.raises(ggp.IllegalActionError):
        PlainNotation(Pairs()).parse_action(0, typed)


class Plain:
    """A state with a text that does not say all of it."""

    def __init__(self, cells: list[int], turn: int) -> None:
        self.cells, self.turn = cells, turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((tuple(self.cells), self.turn))

    def __repr__(self) -> str:
        return "".join(map(str, self.cells))


@dataclasses.dataclass(frozen=True)
class Shown:
    cells: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<{len(self.cells)} cells>"


@attrs.frozen(repr=False)
class Called:
    cells: tuple[int, ...]

    def __repr__(self) -> str:
        return f"Called({self.cells})"


class Pair(NamedTuple):
    one: int
    two: int

    def __repr__(self) -> str:
        return f"{self.one}/{self.two}"


OWN_TEXTS = {
    "an object": (Plain([1, 2], 0), "Plain(cells=[1, 2], turn=0)"),
    "a dataclass": (Shown((1, 2)), "Shown(cells=(1, 2))"),
    "a named tuple": (Pair(3, 4), "Pair(one=3, two=4)"),
    "in a tuple": ((Plain([], 1), Pair(3, 4)), "(Plain(cells=[], turn=1), Pair(one=3, two=4))"),
    "one that can be read": (Called((1, 2)), "Called((1, 2))"),
}


@pytest.mark.parametrize(("state", "text"), OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_a_text_of_the_authors_own_is_written_only_if_it_can_be_read(state, text):
    form = notation(Still(state))
    assert form.format_state(state) == text
    assert form.parse_state(text) == state
