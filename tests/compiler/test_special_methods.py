"""Special methods, properties and attributes of an author's classes do in machine code what they do in Python."""

import functools

import pytest
from speeds import disagreements

from ggp import compiler


class Number:
    """Knows numbers of its class, and whole ones."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value if isinstance(other, Number) else NotImplemented

    def __hash__(self):
        return hash(self.value)

    def __lt__(self, other):
        if isinstance(other, Number):
            return self.value < other.value
        return NotImplemented

    def __add__(self, other):
        return Number(self.value + other) if isinstance(other, int) else NotImplemented

    def __radd__(self, other):
        return Number(2 * other) if isinstance(other, int) else NotImplemented


class Parent:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return True

    def __lt__(self, other):
        return True

    def __sub__(self, other):
        return 1

    def __rsub__(self, other):
        return 2


class Child(Parent):
    def __gt__(self, other):
        return self.value + other.value > 3

    def __eq__(self, other):
        return False

    def __rsub__(self, other):
        return 3


class Grandchild(Parent):
    """Inherits all."""


class Same:
    """Is equal to its value."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other


@functools.total_ordering
class Ordered:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value


class Halved:
    """Keeps half of what it is given."""

    def __init__(self, value):
        self.value = value
        self._calls = 0

    @property
    def value(self):
        return 2 * self.half

    @value.setter
    def value(self, value):
        self.half = value // 2

    @property
    def calls(self):
        return self._calls

    def __getattr__(self, name):
        return len(name)


def not_implemented(a):
    return (
        Number(a) == a,
        Number(a) != a,
        a == Number(a),
        Number(a) == Number(1),
        Number(a) in (1, 2),
        [Number(a)] == [a],
    )


def neither_knows_the_other(a):
    found = []
    try:
        found.append(Number(a) < a)
    except TypeError:
        found.append(a > 100)
    try:
        found.append((Number(a) + Number(2)).value > 0)
    except TypeError:
        found.append(a > 1)
    return found, (Number(a) + 1).value, (1 + Number(a)).value


def subclass_first(a):
    one, other, heir = Parent(a), Child(2), Grandchild(a)
    return one < other, one == other, other == one, one - other, one - heir, heir == one, heir < other


def found_where_the_class_asks(a):
    return a == Same(2), 2 in [Same(a)], Same(a) in [1, 2], (a, Same(2)) == (a, 2), [Same(a)] == [2], Same(1) != a


def derived_order(a):
    one, other = Ordered(a), Ordered(1)
    return one >= other, one <= other, one > other, one != other, sorted([one, other])[0].value, max(one, other).value


def setters(a):
    kept = Halved(a)
    before = kept.half
    kept.value = 10
    kept.value += a
    try:
        kept.calls = 3
    except AttributeError:
        before -= 100
    return before, kept.half, kept.value, kept.calls


def attributes_that_may_be_missing(a):
    number, kept = Number(a), Halved(a)
    return (
        getattr(number, "missing", 5), getattr(number, "value", 5), hasattr(number, "missing"), hasattr(a, "missing"),
        hasattr((a,), "count"), kept.anything, getattr(kept, "half", 7),
    )  # fmt: skip


def decided_by_a_test_with_branches(a):
    x = a if a > 0 else 0.5
    kept = a + 1
    return (x or kept), (kept if x else a)


@pytest.mark.parametrize(
    "function",
    [
        not_implemented, neither_knows_the_other, subclass_first, found_where_the_class_asks, derived_order, setters,
        attributes_that_may_be_missing, decided_by_a_test_with_branches,
    ],
)  # fmt: skip
def test_special_methods_do_what_they_do_in_python(function):
    assert disagreements(function, [(a,) for a in range(-1, 4)]) == []


class Watched:
    def __init__(self, value):
        self.value = value

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 1)


class Everywhere:
    def __init__(self, value):
        self.value = value

    def __getattribute__(self, name):
        return 3


class Always:
    def __get__(self, instance, owner=None):
        return 42


class Described:
    always = Always()

    def __init__(self, value):
        self.value = value


def watched(a):
    return Watched(a).value


def everywhere(a):
    return Everywhere(a).value


def described(a):
    return Described(a).always


@pytest.mark.parametrize("function", [watched, everywhere, described])
def test_attributes_that_are_found_in_another_way_are_refused(function):
    with pytest.raises(compiler.Refused, match=r"of its own, which is not compiled|is a descriptor, which is not"):
        compiler.compile(function, compiler.INT)
