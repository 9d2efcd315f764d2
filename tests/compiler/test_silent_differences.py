"""What once was different in machine code and nobody said so."""

import contextlib
from typing import NamedTuple

import attrs
import pytest

from ggp import compiler
from ggp.compiler import machine
from ggp.compiler.operations import Fault

pytestmark = pytest.mark.skipif(not machine.available(), reason="machine code needs llvmlite")


class ByFirst(NamedTuple):
    """Equal by the first item; `!=` is that of tuples."""

    first: int
    second: int

    def __eq__(self, other):
        return self.first == other.first

    __hash__ = tuple.__hash__


def _not_negative(instance, attribute, value):
    if value < 0:
        raise ValueError(value)


@attrs.frozen
class Positive:
    value: int = attrs.field(validator=_not_negative)


def tuple_and_list(a):
    b = (a, a + 1)
    return b == list(b), [a] != (a,)


def named_tuple_with_eq_alone(a):
    one, other = ByFirst(a, 1), ByFirst(a, 2)
    return one != other, one == other, one != (a, 1), (a, 2) != one


def text_as_sequence(a):
    match "ab":
        case [_, _]:
            return a
    return -1


def set_as_sequence(a):
    match {1, 2}:
        case [_, _]:
            return a
    return -1


def dictionary_as_sequence(a):
    match {1: 2, 3: 4}:
        case [_, _]:
            return a
    return -1


def set_made_at_run_time_as_sequence(a):
    match {a, a + 1}:
        case [_, _]:
            return a
    return -1


def optional_from_a_generator(a):
    def numbers():
        yield from range(a)

    best = None
    for number in numbers():
        if best is None or number > best:
            best = number
    return best


def validated(a):
    return Positive(a).value


def known_and_validated(a):
    return Positive(-1).value + a


def power_of_either(a):
    x = a
    if a > 3:
        x = 0.5
    return x**2


TABLES = [1, 2], [3, 4]


def table_or_wider_list(a):
    numbers = TABLES[0] if a else TABLES[1]
    numbers = numbers if a > 1 else [1.5]
    return numbers[0]


def row_or_wider_row(a):
    numbers = (1, 2) if a else (3, 4, 5)
    numbers = numbers if a > 1 else (1.5,)
    return numbers[0], len(numbers)


def slice_or_wider_list(a):
    numbers = [1, 2][:a]
    return numbers if a > 1 else [1.5]


def tuple_or_list(a):
    return [a, a] if a > 1 else (a,)


def outcome(function, a):
    try:
        return repr(function(a))
    except ValueError:
        return "ValueError"


@pytest.mark.parametrize("a", [-2, 0, 2, 5])
@pytest.mark.parametrize(
    "function",
    [
        tuple_and_list, named_tuple_with_eq_alone, text_as_sequence, set_as_sequence, dictionary_as_sequence,
        set_made_at_run_time_as_sequence, optional_from_a_generator,
    ],
)  # fmt: skip
def test_machine_code_does_what_python_does(function, a):
    code = compiler.compile(function, compiler.INT)
    assert outcome(lambda number: code(code.variables(), number), a) == outcome(function, a)


@pytest.mark.parametrize("function", [validated, known_and_validated])
def test_a_class_with_validators_is_refused(function):
    with pytest.raises(compiler.Refused, match="creating it runs its validator"):
        compiler.compile(function, compiler.INT)


@pytest.mark.parametrize("a", [-2, 2, 5, 94906267, 1 << 40])
def test_a_power_of_what_may_be_a_float_is_pythons_value_or_a_fault(a):
    code = compiler.compile(power_of_either, compiler.INT)
    try:
        found = code(code.variables(), a)
    except Fault:
        return
    assert found == power_of_either(a)


def test_a_loop_over_a_long_range_stays_a_loop():
    def first_from(a):
        for i in range(10**9):
            if i >= a:
                return i
        return -1

    code = compiler.compile(first_from, compiler.INT)
    assert code(code.variables(), 7) == 7


@pytest.mark.parametrize("function", [table_or_wider_list, row_or_wider_row, slice_or_wider_list, tuple_or_list])
def test_lists_of_two_types_are_refused_or_come_to_the_same(function):
    try:
        code = compiler.compile(function, compiler.INT)
    except compiler.Refused:
        return
    for a in range(4):
        with contextlib.suppress(Fault):
            assert code(code.variables(), a) == function(a)
