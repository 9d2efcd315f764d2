"""Functions specialized from open core to closed core come to the same as in Python."""

import collections
import contextlib
import copy
import dataclasses
import datetime
import inspect
import io
import itertools
import random

import pytest
from aliased import ALIASED
from constructs import CONSTRUCTS, USUAL
from programs import inputs
from programs import made as random_program
from samples import sampled
from speeds import Outcome, beyond, compiled, interpreted, kinds, same
from spelled import ROWS, SPELLED

from ggp.compiler import machine
from ggp.compiler.closed_program import ClosedProgram
from ggp.compiler.compiled_code import Code
from ggp.compiler.refusals import Refused
from ggp.compiler.types import INT, List, in_atoms, with_texts
from ggp.compiler.verifier import verify


def machine_code(function, rows):
    """Return a function as machine code by way of core."""

    def make():
        names = inspect.signature(function).parameters
        made = ClosedProgram(function, dict(zip(names, kinds(rows), strict=True)), {}, (), {})
        program = made.lowered()
        for each in program.functions():
            verify(each)
        code = machine.object_file(program.assembly(), program.recursive())
        given, errors = tuple(map(in_atoms, kinds(rows))), tuple(program.errors)
        return Code(made.result, given, {}, errors, made.words, program.uses_arena, machine.Loaded(code), ())

    return with_texts(make, Refused)


def differences(function, rows):
    """Return each row for which machine code by way of core comes to something else than Python."""
    code, found = machine_code(function, rows), []
    for row in rows:
        want, got = interpreted(function, row), compiled(code, row)
        if not same(want, got) and not (got.error == "Fault" and beyond(row, want)):
            found.append(f"{row}: {want} interpreted, {got} compiled")
    return found


@pytest.mark.parametrize(
    "name", sampled(sorted(CONSTRUCTS), 3)
)  # those of the default run, test_constructs.py has, too
def test_a_construct_comes_to_the_same_or_is_refused(name):
    function, rows, refused = CONSTRUCTS[name]
    try:
        assert differences(function, rows) == []
    except Refused:
        assert refused is not None


@pytest.mark.parametrize("name", SPELLED)
def test_texts_come_to_the_same(name):
    assert differences(SPELLED[name], ROWS) == []


WRONG = {"a_set_is_filled", "default_is_changed", "parameter_is_changed"}
"""What is no list of the function: a tuple, a set, and a default value, which other calls see."""


@pytest.mark.parametrize("name", sorted(ALIASED.keys() - WRONG))
def test_lists_with_two_names_come_to_the_same(name):
    assert differences(ALIASED[name][0], USUAL[:4]) == []


@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_no_list_of_the_function_is_not_changed(name):
    with pytest.raises(Refused, match=r"cannot be changed|is changed; copy it first"):
        differences(ALIASED[name][0], USUAL[:4])


MOVES = [1, 2, 3]


def one_of_two_lists(x, b):
    moves = [7] if x > 3 else MOVES
    moves.append(x)
    return sum(moves)


def one_list_after_the_other(x, b):
    moves = [7]
    for each in b:
        moves.append(each)
        moves = MOVES
    return sum(moves)


def given_back(moves, x):
    for each in (1, 2, 3, x):
        if each > x:
            return moves
    return given_back(moves, x - 1)


def a_row_given_back(x, b):
    rows = [MOVES, [7]]
    given_back(rows[x % 2], x).append(1)
    return len(rows[0])


@pytest.mark.parametrize("function", [one_of_two_lists, one_list_after_the_other, a_row_given_back])
def test_what_may_be_a_list_of_the_module_is_not_changed(function):
    with pytest.raises(Refused, match="a list that is part of the game or of a module is changed; copy it first"):
        differences(function, USUAL)


def rows_turned(x, b):
    rows = [b[i : i + 2] for i in range(3)]
    return [*rows, *zip(*rows), b[:2]], (*rows[0], x)


def rows_that_grow_turned(x, b):
    rows = [[b[0], x], [x, b[1]]]
    if x > 2:
        rows.append([1, 2])
    return len(rows), (*rows[0], x), [*rows, [x]]


def a_copy_in_a_tuple(x, b):
    sides, own = [b[:2], b[2:4]], list(b[:2])
    own[x % 2] += 5
    sides[x % 2] = tuple(own)
    return *sides, x, *own[::-1], *[0] * 2, *(own + [x])


def items_made_on_the_way(x, b):
    seen = [x]

    def noted(each):
        seen.append(each)
        return len(seen)

    return [*seen, noted(1), *seen], [noted(each) for each in (5, 6)], (*seen, noted(2), *[noted(3)] * 2)


def raised_on_the_way(x, b):
    try:
        return [*b[:2], b[x], *b[2:]]
    except IndexError:
        return [x]


def chosen_on_the_way(x, b):
    return [*b[:2], 1 if x > 2 else b[0], *(b[2:] if x > 1 else b[1:])], [*b, *[each for each in b if each > x]]


KNOWN_LENGTHS = (
    rows_turned, a_copy_in_a_tuple, items_made_on_the_way, raised_on_the_way, chosen_on_the_way, rows_that_grow_turned,
)  # fmt: skip


@pytest.mark.parametrize("function", KNOWN_LENGTHS, ids=lambda function: function.__name__)
def test_lists_of_known_length_come_to_the_same(function):
    assert differences(function, USUAL) == []


COUNT, LINES, QUEUE, OWN_RANDOM = itertools.count(), io.StringIO("1"), collections.deque((1, 2)), random.Random(1)


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda x, b: random.random(), "random is not compiled: its result differs from call to call"),
        (lambda x, b: OWN_RANDOM.choice(b), "choice is not compiled: its result differs from call to call"),
        (lambda x, b: COUNT.__next__(), "COUNT is an iterator, which can be used only once; make it a tuple"),
        (lambda x, b: [each for each in COUNT if each > x], "COUNT is an iterator, which can be used only once"),
        (lambda x, b: len(LINES.readline()), "LINES is an iterator, which can be used only once"),
        (lambda x, b: QUEUE.popleft(), "deque.popleft.* is not compiled"),
        (lambda x, b: datetime.date.today().day, "date.today.* is not compiled"),
    ],
)
def test_what_differs_from_call_to_call_is_refused(function, sentence):
    with pytest.raises(Refused, match=rf"^test_specialization\.py:\d+: {sentence}"):
        differences(function, USUAL)


@dataclasses.dataclass
class Heap:
    sizes: list = dataclasses.field(default_factory=lambda: [3, 4])
    player: int = 0
    others: list = dataclasses.field(default_factory=list)


class Board:
    def __init__(self, cells, mark):
        self.mark = mark
        self.cells = [[mark] * 2, list(cells)]

    def copy(self):
        return copy.deepcopy(self)


def deep_copies_of_lists(x, b):
    rows = [[x, 1], [2, b[0]]]
    new = copy.deepcopy(rows)
    new[0][0] += 9
    return rows, new, copy.deepcopy((x, new[1])), copy.deepcopy(b)


def deep_copies_of_objects(x, b):
    board = Board(b[:2], x)
    new = board.copy()
    new.cells[0][1], new.mark = 7, 8
    new.cells[1].append(5)
    return board.cells, board.mark, new.cells, new.mark


def copies_share_what_is_in_them(x, b):
    board = Board(b, 1)
    new, rows = copy.copy(board), [[x], [1]]
    again = copy.copy(rows)
    new.cells[0][0], new.mark, again[0][0] = 9, x, 4
    again.append([3])
    seen = {1: x}
    other = copy.copy(seen)
    other[2] = 5
    return board.cells, board.mark, rows, again, seen, other


def data_objects(x, b):
    one, other = Heap(player=x), Heap([x, 1], others=[b[0]])
    one.sizes[0] -= 1
    other.others.append(x)
    other.player += 1
    return one.sizes, one.player, one.others, other.sizes, other.player, other.others, Heap().sizes


class Pieces:
    """Copies itself by the memo that it is given."""

    def __init__(self, rows, hands):
        self.rows = rows
        self.hands = hands

    def __deepcopy__(self, memo):
        return Pieces(copy.deepcopy(self.rows, memo), copy.deepcopy(self.hands, memo))


class Piece:
    def __init__(self, rank):
        self.rank = rank

    def __deepcopy__(self, memo):
        return Piece(self.rank + 1)


def copies_of_their_own(x, b):
    board = Pieces([[x], [1]], [[b[0]], [3]])
    new = copy.deepcopy(board)
    new.rows[0][0], new.hands[1][0] = 9, 8
    pieces = [[Piece(x), Piece(2)], [Piece(3)]]
    moved = copy.deepcopy(copy.deepcopy(pieces))
    perhaps = copy.deepcopy([Piece(x) if each else None for each in b])
    return (
        board.rows, board.hands, new.rows, new.hands, [[each.rank for each in row] for row in pieces + moved],
        [each.rank if each is not None else 0 for each in perhaps],
    )  # fmt: skip


COPIES = (deep_copies_of_lists, deep_copies_of_objects, copies_share_what_is_in_them, data_objects, copies_of_their_own)


@pytest.mark.parametrize("function", COPIES, ids=lambda function: function.__name__)
def test_copies_of_lists_and_objects_come_to_the_same(function):
    assert differences(function, USUAL) == []


def one_row_twice(x, b):
    row = [x]
    new = copy.deepcopy([row, row])
    new[0][0] = 9
    return new


def one_row_in_two_places(x, b):
    board = Board(b, x)
    new = copy.deepcopy((board, board.cells[0]))
    new[0].cells[0][0] = 9
    return new[1]


class Mark:
    def __init__(self, letter):
        self.letter = letter


def one_object_twice(x, b):
    mark = Mark(x)
    new = copy.deepcopy((mark, mark))
    new[0].letter = 9
    return new[1].letter


def one_row_in_two_copies_with_one_memo(x, b):
    rows = [[x]]
    new = copy.deepcopy(Pieces(rows, [rows[0]]))
    new.rows[0][0] = 9
    return new.hands


def one_object_with_a_copy_of_its_own_twice(x, b):
    piece = Piece(x)
    new = copy.deepcopy([piece, piece])
    new[0].rank = 90
    return new[1].rank


def one_row_of_rows_in_a_dictionary_twice(x, b):
    rows = [[x], [1]]
    new = copy.deepcopy({1: rows, 2: rows})
    new[1][0][0] = 9
    return new[2]


TWICE = (
    one_row_twice, one_row_in_two_places, one_object_twice, one_row_in_two_copies_with_one_memo,
    one_object_with_a_copy_of_its_own_twice, one_row_of_rows_in_a_dictionary_twice,
)  # fmt: skip


def a_memo_of_its_own(x, b):
    row, memo = [x], {}
    one, other = copy.deepcopy(row, memo), copy.deepcopy(row, memo)
    one[0] = 9
    return other


def test_a_memo_that_is_made_is_refused():
    with pytest.raises(Refused, match=r"copy\.deepcopy with the argument memo is not compiled; leave the argument out"):
        machine_code(a_memo_of_its_own, USUAL)


@pytest.mark.parametrize("function", TWICE)
def test_python_is_asked_for_a_deep_copy_of_what_is_in_two_places(function):
    code = machine_code(function, USUAL)
    for row in USUAL:
        assert compiled(code, row) == Outcome(error="Fault")


FIRST = {1: 2}


def sets_and_dictionaries(x, b):
    return {**FIRST, x: b[1]}, {*b, x}, {each: each + 1 for each in b}


def test_sets_and_dictionaries_are_results():
    assert differences(sets_and_dictionaries, USUAL) == []


ONCE_WRONG = (7, 50, 384, 388)
"""Random programs: the three last ones were wrong once, by a `try` in which names share a value."""
BATCH = 40


@pytest.mark.parametrize(
    "seeds",
    [
        ONCE_WRONG,
        *(pytest.param(range(first, first + BATCH), marks=pytest.mark.slow) for first in range(0, 240, BATCH)),
    ],
    ids=str,
)
def test_random_programs_come_to_the_same_or_are_refused(seeds):
    for seed in seeds:
        with contextlib.suppress(Refused):
            assert (seed, differences(random_program(seed), inputs(seed))) == (seed, [])


def marks_of(number):
    return sum(each if number % (each + 2) else -each for each in range(8))


def many_marks(number):
    for each in (1, 2, 3, 4, 5, 6, 7, 8):
        if marks_of(number + each) < marks_of(number * each):
            number += marks_of(number)
    return number


def test_what_would_be_written_at_many_places_becomes_one_function():
    made = ClosedProgram(many_marks, {"number": INT}, {}, (), {})
    assert sum(each.name.startswith("marks_of") for each in made.lowered().functions()) == 1


def rounds_with(number, marks):
    if number <= 0:
        return 0
    return rounds_with(number - 1, marks) + marked(number, marks)


def marked(number, marks):
    """Put the caller's list where there may be None in it; too long to be written into its caller."""
    either = marks if number % 2 else [None]
    odd = number % 3 * 5 + number % 5 * 7 + number % 7 * 11 + number % 11 * 13 + number % 13 * 17 + number % 17 * 19
    even = number // 3 * 5 + number // 5 * 7 + number // 7 * 11 + number // 11 * 13 + number // 13 * 17 + number // 17
    return odd - even if either[0] is None else even - odd


def test_what_waits_for_a_wider_list_below_a_function_that_calls_itself_is_refused():
    with pytest.raises(Refused, match=r"a list of whole number is used where a list of whole number or"):
        ClosedProgram(rounds_with, {"number": INT, "marks": List(INT)}, {}, (), {})


class Marks:
    def __init__(self):
        self.lines = ((1, 2), (4, 8), (16, 32))

    def has_line(self, cells, line):
        return any(cells & each == each for each in self.lines[line])

    def choices(self, cells):
        for line in range(3):
            if self.has_line(cells, line):
                if all(self.has_line(cells, other) for other in range(3)):
                    yield -1
                yield line


MARKS = Marks()


def total_of_choices(cells: int) -> int:
    total = 0
    for round_ in range(4):
        for choice in MARKS.choices(cells >> round_):
            total += 3 * choice + round_
    return total


def test_variables_that_inner_functions_captured_end_with_their_function():
    """`self` and `cells` were copied in each round, with the whole object: nine men's morris was 28 times as slow."""
    made = ClosedProgram(total_of_choices, {"cells": INT}, {}, (), {})
    names = {name for each in made.lowered().functions() for name in each.variables}
    assert not [name for name in names if name.startswith(("has_", "self", "cells_"))]
    assert not differences(total_of_choices, [[cells] for cells in range(0, 512, 7)])


def later_calls(number: int) -> int:
    def adder(amount):
        return lambda value: value + amount

    def numbers(first):
        return (first * each for each in range(4))

    total = 0
    for step in range(number % 5):
        add, products = adder(step + number), numbers(step)
        total = add(total)
        for each in products:
            total = add(total) + each
    return total


def test_inner_functions_that_are_called_later_keep_their_variables():
    assert not differences(later_calls, [[number] for number in range(-3, 12)])
