"""What once was different in machine code and nobody said so."""

import contextlib
import dataclasses
import itertools
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


def sorted_constants(a):
    numbers = sorted((3, 1, 2))
    other = numbers
    return numbers, other is numbers, sorted("ba"), sorted((2, 1)) + [a], numbers == [1, 2, 3], isinstance(other, list)


def sorted_constants_changed(a):
    numbers = sorted((3, 1, 2))
    other = numbers
    numbers.append(a)
    return numbers, other


def list_extended_by_itself(a):
    numbers = [a, 1]
    numbers.extend(numbers)
    numbers += numbers
    return numbers


@dataclasses.dataclass(order=True)
class Hand:
    points: int
    cards: list[int] = dataclasses.field(default_factory=list, compare=False)
    rank: int = 0


@attrs.define
class Pile:
    cards: list[int]


def objects_compared_by_fields(a):
    one, other = Hand(a), Hand(2, [a])
    one.cards.append(other.points)
    piles = [Pile([a]), Pile([2])]
    piles[0].cards.append(1)
    piles[1].cards.append(1)
    return one == other, one < other, one != other, one in [other], max(one, other).points, piles[0] == piles[1]


@attrs.frozen(order=True)
class Parity:
    number: int = attrs.field(eq=lambda number: number % 2)


def compared_by_a_key(a):
    return Parity(a) == Parity(2), (Parity(a), 1) == (Parity(2), 1), Parity(a) < Parity(3)


def all_orders(a):
    return list(itertools.permutations((a, 1, 2))), list(itertools.permutations((a, 1), 2))


@pytest.mark.parametrize("a", [-2, 0, 2, 5])
@pytest.mark.parametrize(
    "function",
    [
        tuple_and_list, named_tuple_with_eq_alone, text_as_sequence, set_as_sequence, dictionary_as_sequence,
        set_made_at_run_time_as_sequence, optional_from_a_generator, sorted_constants, sorted_constants_changed,
        list_extended_by_itself, objects_compared_by_fields, all_orders,
    ],
)  # fmt: skip
def test_machine_code_does_what_python_does(function, a):
    code = compiler.compile(function, compiler.INT)
    assert outcome(lambda number: code(code.variables(), number), a) == outcome(function, a)


def test_a_class_with_keys_for_comparison_is_refused():
    with pytest.raises(compiler.Refused, match="Parity compares a field by a function, which is not compiled"):
        compiler.compile(compared_by_a_key, compiler.INT)


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
