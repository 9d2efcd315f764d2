"""Types: what fits together, what is refused in words, and values that come back as they went in."""

import collections
import enum
import json
from typing import NamedTuple

import attrs
import pytest
from constructs import Card, Colour, Pair, Point, Side
from hypothesis import given
from hypothesis import strategies as st
from speeds import disagreements

from ggp import compiler
from ggp.bits import Bits
from ggp.compiler.encoding import build, flatten
from ggp.compiler.field_dicts import field_list
from ggp.compiler.types import (
    ATOM,
    BOTTOM,
    FLOAT,
    INT,
    List,
    ObjectOf,
    Optional,
    RecordOf,
    Tuple,
    classes_in,
    describe,
    described,
    in_atoms,
    join,
    type_of,
)
from ggp.frozen_states import freeze

NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1)
VALUES = st.recursive(
    NUMBERS | st.booleans() | st.floats(allow_nan=False) | st.none() | st.sampled_from(["X", "", "a text"])
    | st.sampled_from([*Side, *Colour]) | st.builds(Bits, st.integers(0, (1 << 64) - 1)),
    lambda inner: st.tuples(inner, inner) | st.builds(Pair, inner, inner)
    | st.builds(Point, inner, inner, st.tuples(inner)) | st.builds(Card, inner, st.sampled_from(Colour), st.tuples()),
)  # fmt: skip


@given(VALUES)
def test_a_value_comes_back_from_its_words(value):
    kind = type_of(value)
    made = build(iter(flatten(value, kind)), kind)
    assert made == value
    assert type(made) is type(value)


class Widening:
    """A game whose states begin with one kind of number and go on with another."""

    name = "widening"
    start: object = (0, None, True, 0)

    def initial_state(self):
        return self.start

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        return (state[0] + action / 2, (action, 1), action, 1 - state[3])

    def terminal_test(self, state):
        return state[0] > 3

    def utility(self, state, player):
        return 0 if state[1] is None else state[1][0] * state[2]


class Growing(Widening):
    """A game whose states grow."""

    name = "growing"
    start = (0, 0, 0, 0)

    def result(self, state, action):
        return (*state, action)

    def utility(self, state, player):
        return 0


class Lengthening(Widening):
    """A game one field of whose states is a tuple of two, or of three."""

    name = "lengthening"
    start = (0, (0, 0), 0, 0)

    def result(self, state, action):
        return (state[0] + 1, (1, 2, 3), 0, 0)


class Shapeless(Widening):
    """A game with actions of different shapes."""

    name = "shapeless"
    start = (0, 0, 0, 0)

    def actions(self, state):
        yield 1
        yield (1, 2)
        yield (1, 2, 3)

    def result(self, state, action):
        return state

    def utility(self, state, player):
        return 0


class Listed(Widening):
    name = "listed"
    start = [0, 0]  # noqa: RUF012


def walked(game, state, depth):
    total = 0
    if game.terminal_test(state) or depth == 0:
        return game.utility(state, 0)
    for action in game.actions(state):
        total += walked(game, game.result(state, action), depth - 1)
    return total


def is_red(colour):
    return colour is Colour.RED


def next_number(number):
    return number + 1


def first_result(game, state):
    return game.result(state, 1)


def test_fields_widen_to_what_comes_later():
    game = Widening()
    code = compiler.compile(walked, game, compiler.STATE, compiler.INT, game=game)
    assert code(code.variables(), game.start, 3) == walked(game, game.start, 3)
    code = compiler.compile(first_result, game, compiler.STATE, game=game)
    assert code(code.variables(), game.start) == game.result(game.start, 1) == (0.5, (1, 1), 1, 1)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Growing, "states must all have the same shape: tuple of 4 .* and tuple of 5 .* have no common type"),
        (Lengthening, r"states must all have the same shape: tuple.* and tuple.* have no common type"),
        (Shapeless, "actions must all have the same shape: tuple.* and tuple.* have no common type"),
        (
            Listed,
            "is of type list; states, actions and what the rules read of the game can only consist of whole numbers",
        ),
    ],
)
def test_states_and_actions_without_one_shape_are_refused_in_words(kind, sentence):
    game = kind()
    with pytest.raises(compiler.Refused, match=rf"^test_shapes\.py:\d+: .*{sentence}"):
        compiler.compile(walked, game, compiler.STATE, compiler.INT, game=game)


def test_a_text_that_the_program_does_not_know_is_another_text():
    def same(mark, other):
        return mark == "X", mark == other, mark is None

    rows = [("X", "O"), ("unmet", "unmet"), ("", None), (None, None), ("unmet", "neither")]
    assert disagreements(same, rows) == []


def test_an_unknown_member_is_not_representable():
    class Other(enum.Enum):
        RED = "r"

    code = compiler.compile(is_red, type_of(Colour.RED))
    assert code(code.variables(), Colour.RED) is True
    with pytest.raises(compiler.NotRepresentable, match="is not a Colour"):
        code(code.variables(), Other.RED)


def test_numbers_beyond_64_bits_are_not_representable():
    code = compiler.compile(next_number, compiler.INT)
    with pytest.raises(compiler.NotRepresentable, match="is not a whole number"):
        code(code.variables(), 1 << 63)
    with pytest.raises(compiler.Fault, match="beyond 64 bits"):
        code(code.variables(), (1 << 63) - 1)


class Left(NamedTuple):
    value: int


@attrs.frozen
class Right:
    value: int


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (True, 2, 1), (1, 0.5, None), (None, (1, 2), None), (None, "X", "X"), (Side.NORTH, 5, 5),
        ((1, None), (None, 2), None), ((True, 1), (3, 0.5), None), (Right(1), Right(0.5), None),
        (1, (1,), None), ("X", 1, None), (0.5, "", None), (1, Left(1), None),
    ],
)  # fmt: skip
def test_two_types_have_one_that_has_the_values_of_both(one, other, both):
    kind = join(type_of(one), type_of(other))
    assert kind == join(type_of(other), type_of(one))
    if both is not None:
        assert kind == type_of(both)
    for value in (one, other):
        stored = in_atoms(kind)
        found = build(iter(flatten(value, stored)), stored)
        assert (found, isinstance(found, float)) == (value, isinstance(value, float))


@pytest.mark.parametrize(
    ("one", "other"), [(Left(1), (1,)), (Left(1), Right(1)), ((1, 2), (1, 2, 3)), (1, Right(1)), ("long enough", "X")]
)
def test_types_without_one_for_both(one, other):
    with pytest.raises(compiler.NotRepresentable, match=r"and .* have no common type"):
        join(type_of(one), type_of(other))


@pytest.mark.parametrize(
    "kind",
    [
        List(INT), List(BOTTOM, tuple), List(Optional(ATOM), str), Tuple((List(List(FLOAT)), INT)),
        ObjectOf(Left, ("value", "others"), (INT, List(RecordOf(Right, (INT,))))),
        ObjectOf(field_list(2), (".0", ".1"), (INT, List(ATOM))), type_of(freeze(collections.Counter("ab"))),
        type_of(freeze((collections.defaultdict(list, {1: [2]}), 0))),
    ],
    ids=str,
)  # fmt: skip
def test_types_come_back_from_their_description(kind):
    classes = {f"{each.__module__}.{each.__qualname__}": each for each in classes_in(kind)}
    assert described(json.loads(json.dumps(describe(kind))), classes) == kind


NAMES = ("xo", "ab", "", "abc", "z")


def letters_of_a_name(a):
    name = NAMES[a]
    return (
        [each for each in name], name[-1:], "a" in name, len(set(name)), name[::-1], name.split("b"),
        [ord(each) for each in name], list(enumerate(name)), list(zip(name, "uvw")), tuple(name), sorted(name),
        "".join(name), list(reversed(name)), max(name, default="q"), any(each == "o" for each in name),
    )  # fmt: skip


def letter_at(a):
    name = NAMES[a]
    try:
        return name[a - 1], name[0]
    except IndexError:
        return "none", ""


def names_and_texts_made_now(a):
    name = NAMES[a]
    return name < str(a), str(a) >= "3", name >= "x", str(a) > "ab"


@pytest.mark.parametrize("function", [letters_of_a_name, letter_at, names_and_texts_made_now])
def test_names_are_looked_at_letter_by_letter(function):
    assert disagreements(function, [(a,) for a in range(5)]) == []
