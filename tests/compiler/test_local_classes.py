"""Classes inside functions are made while compiling, where nobody can see that there is one of them only."""

import dataclasses
import enum
import functools
import sys

import pytest
import speeds

from ggp import compiler

SCALE = 3


def objects(x):
    class Cell:
        scale = SCALE

        def __init__(self, value):
            self.value = value

        def twice(self):
            return Cell(self.value * 2)

        def __len__(self):
            return self.scale

    cell = Cell(x)
    return cell.twice().value + len(cell), isinstance(cell, Cell)


def what_is_known(x):
    offset = 5

    class Cell:
        def value(self):
            return offset

    return Cell().value() + x


def data(x):
    @dataclasses.dataclass(order=True)
    class Pair:
        one: int
        other: int = 2

    @functools.total_ordering
    class Least:
        def __init__(self, value):
            self.value = value

        def __eq__(self, other):
            return self.value == other.value

        def __lt__(self, other):
            return self.value < other.value

    return Pair(x) < Pair(3), Pair(x) == Pair(x, 2), Least(x) >= Least(2)


def errors(x):
    class Broken(Exception):
        pass

    try:
        if x > 2:
            raise Broken
    except Broken:
        return -1
    return x


def inheritance(x):
    class Base:
        def value(self):
            return x_of(self)

        def own(self):
            return 1

    class Other(Base):
        def own(self):
            return super().own() + 1

    def x_of(each):
        return each.own()

    return Other().own() + x


def members(x):
    class Side(enum.Enum):
        LEFT = 1
        RIGHT = 2

    return Side.RIGHT.value + x, Side(2) is Side.RIGHT


def helper(x):
    class Cell:
        def __init__(self, value):
            self.value = value

    return Cell(x).value + 1


def called_in_a_loop(x):
    return sum(helper(each) for each in range(x))


def leaves(x):
    class Cell:
        def __init__(self, value):
            self.value = value

    return Cell(x)


def in_a_loop(x):
    found = 0
    for each in range(x):

        class Cell:
            value = 2

        found += each * Cell.value
    return found


def of_an_argument(x):
    class Cell:
        def value(self):
            return x

    return Cell().value()


def decorated(x):
    @speeds.attrs.define(slots=True)
    class Cell:
        value: int

    return Cell(x).value


def decorated_by_a_place(x):
    def called(kind, given=None):
        return kind if given is None else given

    @called(called)(called)
    class Cell:
        value = 2

    return Cell.value + x


@pytest.mark.parametrize("function", [objects, what_is_known, data, errors, members])
def test_both_speeds_agree(function):
    assert speeds.disagreements(function, [(1,), (2,), (5,), (-3,)]) == []


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (leaves, "an object of a class inside a function leaves the function"),
        (in_a_loop, "the class Cell in a loop is not compiled"),
        (called_in_a_loop, "the class Cell in a loop is not compiled"),
        (of_an_argument, "the class Cell inside a function uses x, whose value is known only at run time"),
        (inheritance, "the class Base inside a function uses x_of, whose value may change"),
        (decorated, "a decorator of a class inside a function is compiled only with keywords and literal values"),
        (
            decorated_by_a_place,
            "a decorator of a class inside a function is compiled only with keywords and literal values",
        ),
    ],
)
def test_where_it_could_be_seen_or_is_not_known_it_is_refused(function, sentence):
    with pytest.raises(compiler.Refused, match=sentence):
        speeds.compile_for(function, [(3,)])


def test_what_a_class_inside_a_function_uses_is_part_of_the_fingerprint(monkeypatch):
    code = speeds.compile_for(objects, [(3,)])
    assert code(code.variables(), 1) == (5, True)
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 4)
    code = speeds.compile_for(objects, [(3,)])
    assert code(code.variables(), 1) == objects(1) == (6, True)
