"""What once was different in machine code and nobody said so."""

import contextlib
import dataclasses
import enum
import itertools
import math
from typing import NamedTuple

import attrs
import pytest

import ggp
from ggp import compiler
from ggp.compiler import machine
from ggp.compiler.refusals import Fault

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


class Point(NamedTuple):
    row: int
    column: int


def negative_or_fraction(a):
    return -a if a > 0 else 1.5


def whole_numbers_and_floats_in_a_list(a):
    numbers = [a, 0.5, a * 2]
    numbers.append(7)
    numbers[1] += a
    return numbers, numbers[2] // 2, max(numbers), [-each for each in numbers], (1, 2.5)[a > 0], numbers.index(7.0)


def arithmetic_of_either(a):
    x = a if a > 1 else a / 4
    return (
        x + 1, x - 0.5, x * 3, 7 // (x or 1), x % 3, x / 2, divmod(x, 2), abs(x)**2, -x, +x, abs(x), int(x), round(x),
        float(x), bool(x), x == a, x < 2, min(x, 1), isinstance(x, int), isinstance(x, float), x is None, not x,
    )  # fmt: skip


def either_as_large_as_64_bits(a):
    x = (1 << 53) + 1 if a > 1 else 0.5
    y = x * (a * a + 1)
    return x, y, [x] * 2


def either_as_an_index(a):
    place = a % 2 if a > 1 else 0.5
    try:
        return (3, 4)[place]
    except TypeError:
        return -1


def either_in_tuples_and_objects(a):
    pair = (a, 1)
    hand = Hand(a)
    if a > 1:
        pair = (2.0, 1.0)
        hand.points = 2.0
    return pair, pair == (2, 1), pair in {(2, 1): 3}, hand.points, {2: "two"}.get(pair[0], "other"), pair < (2, 2)


def nothing_or_either(a):
    best = None
    for each in range(a):
        if best is None or each / 2 > best:
            best = each if each % 2 else each / 2
    return best


def float_as_an_index(a):
    numbers = [a, 1]
    try:
        return numbers[a / 2]
    except TypeError:
        return -1


def named_tuple_or_tuple(a):
    return Point(a, 1) if a > 0 else (a, 1)


def raises_what_is_put_together(a):
    if a < 0:
        raise ValueError(f"{a} is less than {0!r:>5}", str([a, a / 3]))
    assert a != 5, ", ".join(map(str, [a, 0.5]))
    return a


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
        list_extended_by_itself, objects_compared_by_fields, all_orders, negative_or_fraction,
        whole_numbers_and_floats_in_a_list, arithmetic_of_either, either_as_large_as_64_bits, either_as_an_index,
        either_in_tuples_and_objects, nothing_or_either, float_as_an_index,
    ],
)  # fmt: skip
def test_machine_code_does_what_python_does(function, a):
    code = compiler.compile(function, compiler.INT)
    assert outcome(lambda number: code(code.variables(), number), a) == outcome(function, a)


def test_a_class_with_keys_for_comparison_is_refused():
    with pytest.raises(compiler.Refused, match="Parity compares a field by means of a function; this is not compiled"):
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


def test_a_named_tuple_or_a_plain_one_is_refused():
    with pytest.raises(compiler.Refused, match=r"Point.* have no common type"):
        compiler.compile(named_tuple_or_tuple, compiler.INT)


@pytest.mark.parametrize("a", [-1, 0, 5])
def test_python_is_asked_for_an_exception_whose_text_is_not_compiled(a):
    code = compiler.compile(raises_what_is_put_together, compiler.INT)
    if a == 0:
        assert code(code.variables(), a) == a
    else:
        with pytest.raises((Fault, ValueError, AssertionError)):
            code(code.variables(), a)


class Node:
    """A node of a tree, as many write it."""

    def __init__(self, parent=None):
        self.parent = parent
        self.child = None
        self.sibling = None
        self.visits = 0


def visits_of_children(a):
    root = Node()
    for _ in range(a):
        node = Node(root)
        node.sibling = root.child
        root.child = node
    total, child = 0, root.child
    while child is not None:
        total += child.visits + 1
        child = child.sibling
    return total


class Folder:
    def __init__(self):
        self.folders = []


def folders_in_folders(a):
    top = Folder()
    for _ in range(a):
        outer = Folder()
        outer.folders.append(top)
        top = outer
    return len(top.folders)


def pairs_of_pairs(a):
    return (pairs_of_pairs(a - 1), pairs_of_pairs(a - 2)) if a > 1 else None


@pytest.mark.parametrize("function", [visits_of_children, folders_in_folders])
def test_objects_linked_to_others_of_their_class_are_refused(function):
    with pytest.raises(compiler.Refused, match=r"objects of (Node|Folder) that hold others of their class .* a list"):
        compiler.compile(function, compiler.INT)


def test_tuples_nested_without_end_are_refused():
    with pytest.raises(compiler.Refused, match="nested without end"):
        compiler.compile(pairs_of_pairs, compiler.INT)


@pytest.mark.parametrize("function", [table_or_wider_list, row_or_wider_row, slice_or_wider_list, tuple_or_list])
def test_lists_of_two_types_are_refused_or_come_to_the_same(function):
    try:
        code = compiler.compile(function, compiler.INT)
    except compiler.Refused:
        return
    for a in range(4):
        with contextlib.suppress(Fault):
            assert code(code.variables(), a) == function(a)


class Side(enum.IntEnum):
    LEFT = 0
    RIGHT = 1


def number_or_truth(a):
    return a if a % 2 else a > 2


def text_of_either(a):
    return f"{number_or_truth(a)}"


def identity_of_either(a):
    return number_or_truth(a) is True


def class_of_either(a):
    return type(number_or_truth(a)) is bool


def text_from_a_table(a):
    return str((1, True, 0)[a % 3])


def text_of_a_key(a):
    found = {1: "one"}
    found[a > 0] = "true"
    return [str(each) for each in found]


def number_or_member(a):
    return isinstance(Side.LEFT if a % 2 else a, Side)


@pytest.mark.parametrize(
    "function",
    [text_of_either, identity_of_either, class_of_either, text_from_a_table, text_of_a_key, number_or_member],
)
def test_where_the_class_of_a_number_matters_that_may_be_a_truth_value_or_a_member_is_refused(function):
    with pytest.raises(compiler.Refused, match=r"of a number that may be a truth value or a member of an Enum"):
        compiler.compile(function, compiler.INT)


def truth_that_is_there(a):
    known = None
    if a > 1:
        known = a > 3
    return known is True, f"{sum(a > each for each in range(4))}"


def test_truth_values_that_may_be_missing_keep_their_identity():
    code = compiler.compile(truth_that_is_there, compiler.INT)
    for a in range(6):
        assert code(code.variables(), a) == truth_that_is_there(a)


class Answers:
    """Say a number or, at the end, whether it is true."""

    name = "answers"

    def initial_state(self):
        return 3

    def to_move(self, state):
        return ggp.MAX

    def actions(self, state):
        if state > 1:
            yield state
        else:
            yield state > 0

    def result(self, state, action):
        return state - 1

    def terminal_test(self, state):
        return state == 0

    def utility(self, state, player):
        return 0


def test_actions_of_two_classes_of_numbers_are_refused():
    game = Answers()

    def all_of(game, state):
        return [each for each in game.actions(state)]

    with pytest.raises(compiler.Refused, match="some actions are whole numbers where others are truth values"):
        compiler.result_type(all_of, game, compiler.STATE, game=game)


def _compared(text):
    return f"{text:>3}" == text


def _counted(text):
    return [text].count(f"{text:>3}")


def _is_text(text):
    return isinstance(f"{text:>3}", str)


def _looked_up(text):
    return {"  a": 5}.get(f"{text:>3}", 3)


def _added(text):
    made = f"{text:>3}" + text
    return len(made)


def _tested(text):
    return 1 if f"{text:.0}" else 2


@pytest.mark.parametrize("function", [_compared, _counted, _is_text, _looked_up, _added, _tested])
def test_a_text_with_a_format_is_never_taken_for_another(function):
    with pytest.raises(compiler.Refused, match="a text that is put together at run time is not compiled"):
        compiler.compile(function, compiler.types.ATOM)


def _message(text):
    if text == "a":
        raise ValueError(f"{text:>3} is not {text!r}")
    return text


def test_the_text_of_an_exception_may_have_a_format():
    code = compiler.compile(_message, compiler.types.ATOM)
    assert code(code.variables(), "b") == "b"
    with pytest.raises(ValueError, match=r"^$"):
        code(code.variables(), "a")


def _in_a_list(x):
    y = x - x
    return y in [y]


def _in_a_tuple(x):
    y = x - x
    return y in (2.0, y)


def _lists(x):
    y = x - x
    return [1.0, y] == [1.0, y]


def _tuples(x):
    y = x - x
    return (y, 1) == (y, 1)


def _order(x):
    y = x - x
    return (y, 1) < (y, 2)


def _place(x):
    y = x - x
    return [y].index(y) == 0


def _count(x):
    y = x - x
    return [y].count(y) == 1


def _dictionaries(x):
    y = x - x
    return {1: y} == {1: y} and {y: 1}[y] == 1


@pytest.mark.parametrize("function", [_in_a_list, _in_a_tuple, _lists, _tuples, _order, _place, _count, _dictionaries])
def test_what_is_not_equal_to_itself_is_equal_in_containers(function):
    code = compiler.compile(function, compiler.FLOAT)
    assert code(code.variables(), 2.0) is function(2.0) is True
    assert function(math.inf) is True
    with pytest.raises(Fault):
        code(code.variables(), math.inf)


def _raised_in_finally(x):
    try:
        try:
            raise ValueError
        except ValueError:
            try:
                if x > 1:
                    raise KeyError
            finally:
                if x > 0:
                    raise
    except KeyError:
        return 1
    except ValueError:
        return 2
    return 3


@pytest.mark.parametrize("x", [0, 1, 2])
def test_raise_alone_in_finally_raises_what_led_there(x):
    code = compiler.compile(_raised_in_finally, compiler.INT)
    assert code(code.variables(), x) == _raised_in_finally(x)


class _Left:
    """An object that counts what `finally` does."""

    variables = ("left",)

    def __init__(self):
        self.left = 0

    def value(self, number, depth):
        kept = number
        try:
            if number <= 0:
                return kept
            return self.value(number - 1, number) + self.value(number - 2, number)
        finally:
            kept = 7
            self.left += depth


def test_a_return_runs_finally_in_a_function_of_its_own():
    plain, own = _Left(), _Left()
    code = compiler.compile(_Left.value, own, compiler.INT, compiler.INT)
    variables = code.variables()
    assert code(variables, 8, 8) == plain.value(8, 8)
    assert variables.get(own, "left") == plain.left


def _raised_after_a_return(x):
    done = []
    try:
        try:
            return len(done)
        finally:
            done.append(x)
            if x > 1:
                raise ValueError
    except ValueError:
        return 10 + len(done)


def test_a_finally_that_may_raise_after_a_return_is_refused_since_it_would_run_twice():
    with pytest.raises(compiler.Refused, match="a `finally` that may raise an exception after a jump is not compiled"):
        compiler.compile(_raised_after_a_return, compiler.INT)
