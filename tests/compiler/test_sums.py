"""Sums of floats, as Python adds them before version 3.12 and from it on."""

import collections

import pytest
from speeds import compile_for

from ggp import compiler
from ggp.compiler import job, library

ROWS = [(0.1, 0.2, 0.3, 0.7), (1e15, 0.3, -1e15, 0.5), (0.1, 0.1, 0.1, 1e-9), (-0.5, 1e15, 0.3, -1e15)]


def added(board):
    return sum(c * 1.0 for c in board)


def added_to_a_number(board):
    return sum(board, 1)


def neumaier(numbers):
    """Return the sum as CPython 3.12 has it (bltinmodule.c)."""
    total = lost = 0.0
    for number in numbers:
        after = total + number
        lost += (total - after) + number if abs(total) >= abs(number) else (number - after) + total
        total = after
    return total + lost


def plain(numbers):
    total = 0.0
    for number in numbers:
        total += number
    return total


@pytest.mark.parametrize(("compensated", "expected"), [(True, neumaier), (False, plain)])
def test_fractions_are_added_as_python_adds_them(compensated, expected, monkeypatch):
    monkeypatch.setattr(library, "COMPENSATED", compensated)
    monkeypatch.setattr(job, "_loaded", collections.OrderedDict())
    code = compile_for(added, [(row,) for row in ROWS])
    for row in ROWS:
        assert code(code.variables(), row) == expected(row)
    assert any(neumaier(row) != plain(row) for row in ROWS)


def test_a_compensated_sum_that_begins_with_a_number_is_refused(monkeypatch):
    monkeypatch.setattr(library, "COMPENSATED", True)
    with pytest.raises(
        compiler.Refused, match="only floats can be summed together with floats here; got a whole number"
    ):
        compile_for(added_to_a_number, [(row,) for row in ROWS])


def added_to_nothing(x, board):
    return sum((-x * c for c in board[:0]), -x)


def whole_numbers_first(x, y):
    return sum((3, x, y, -x))


def test_a_sum_of_whole_numbers_and_floats_is_added_in_the_same_order(monkeypatch):
    monkeypatch.setattr(library, "COMPENSATED", True)
    monkeypatch.setattr(job, "_loaded", collections.OrderedDict())
    code = compile_for(whole_numbers_first, [(1e15, 0.3)])
    assert code(code.variables(), 1e15, 0.3) == neumaier((3 + 1e15, 0.3, -1e15))


def test_the_sign_of_zero_stays(monkeypatch):
    monkeypatch.setattr(library, "COMPENSATED", True)
    monkeypatch.setattr(job, "_loaded", collections.OrderedDict())
    code = compile_for(added_to_nothing, [(0.0, (1.0,))])
    assert str(code(code.variables(), 0.0, (1.0,))) == "-0.0"
