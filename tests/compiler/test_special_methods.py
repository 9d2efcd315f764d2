"""Special methods, properties and attributes of an author's classes do in machine code what they do in Python."""

import functools
from typing import NamedTuple

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


class Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second

    def __iter__(self):
        yield self.first
        yield self.second


class PairOfAnIterator(Pair):
    def __iter__(self):
        return iter((self.second, self.first))


class Row:
    def __init__(self, first):
        self.first = first

    def __getitem__(self, place):
        if place > 2:
            raise IndexError
        return self.first + place


class Reversed(NamedTuple):
    first: int
    second: int

    def __iter__(self):
        return iter((self.second, self.first))


def unpacked(a):
    try:
        (one, two), (three, four) = Pair(a, 2), PairOfAnIterator(a, 3)
        first, *rest = Row(a)
        last, before = Reversed(a, 5)
    except Exception:
        return [-1]
    return [one, two, three, four, first, *rest, last, before]


def named_tuple_with_its_own_order(a):
    turned = Reversed(a, 5)
    return (
        list(turned),
        tuple(turned),
        list(zip(turned, (1, 2), strict=True)),
        [each for each in turned],
    )


def unpacked_dictionary(a):
    table = {}
    table[a] = 1
    table[a + 1] = 2
    try:
        one, two = table
    except TypeError:
        return (-1, 0)
    return one, two


def unpacked_in_vain(a):
    found = []
    for value in (a, None, 0.5):
        try:
            _, _ = value
        except TypeError:
            found.append(a)
    try:
        _, _, _ = Pair(a, 1)
    except ValueError:
        found.append(7)
    return tuple(found)


def tuple_that_differs_from_a_named_one(a):
    return (a, 2) != OfFirst(a, 1), (a, 1) != OfFirst(a, 1)


class OfFirst(NamedTuple):
    first: int
    second: int

    def __eq__(self, other):
        return self.first == other.first

    __hash__ = tuple.__hash__


class WithTools:
    largest = max
    at_least = functools.partial(max, 5)

    def __init__(self, value):
        self.value = value


def tool_of_a_class(a):
    try:
        return WithTools(a).largest(a, 4)
    except AttributeError:
        return -1


def attribute_that_is_missing(a):
    try:
        WithTools(a).nothing  # noqa: B018
    except AttributeError:
        return -1
    return a


@pytest.mark.parametrize(
    "function",
    [
        unpacked, named_tuple_with_its_own_order, unpacked_dictionary, unpacked_in_vain,
        tuple_that_differs_from_a_named_one, tool_of_a_class,
        attribute_that_is_missing,
    ],
)  # fmt: skip
def test_what_a_class_defines_is_found(function):
    assert disagreements(function, [(2,), (5,)]) == []


class Place:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __round__(self):
        return self.value

    def __divmod__(self, other):
        return self.value, other


class Added:
    def __init__(self, value):
        self.value = value

    def _added(self, more, other):
        return self.value + more + other

    __add__ = functools.partialmethod(_added, 3)


def index_by_an_object(a):
    return [1, 2, 3][Place(a)]


def int_of_an_object(a):
    return int(Place(a))


def range_of_an_object(a):
    return sum(range(Place(a)))


def repeated_by_an_object(a):
    return len("ab" * Place(a))


def rounded_object(a):
    return round(Place(a))


def divided_object(a):
    return divmod(Place(a), 2)[0]


def added_by_a_partial_method(a):
    return Added(a) + 1


def float_of_a_text(a):
    return int(float(str(a)))


@pytest.mark.parametrize(
    "function",
    [
        index_by_an_object, int_of_an_object, range_of_an_object, repeated_by_an_object, rounded_object, divided_object,
        added_by_a_partial_method, float_of_a_text,
    ],
)  # fmt: skip
def test_what_the_rules_do_not_know_is_refused_and_raises_nothing(function):
    def guarded(a):
        try:
            return function(a)
        except (TypeError, AttributeError):
            return -1

    with pytest.raises(compiler.Refused, match="not compiled"):
        compiler.compile(guarded, compiler.INT)


def either_sequence(a):
    return len(("x" if a > 2 else [a, 1]) or ["pass"])


def either_sequence_with_a_name(a):
    found = "x"
    if a < 3:
        found = [a, 1]
    return len(found)


@pytest.mark.parametrize(
    ("function", "said"),
    [(either_sequence, ": an expression has values"), (either_sequence_with_a_name, ": found is given values")],
)
def test_values_of_different_types_are_those_of_a_name_of_the_author_or_of_an_expression(function, said):
    with pytest.raises(compiler.Refused, match=f"{said} of different types"):
        compiler.compile(function, compiler.INT)
