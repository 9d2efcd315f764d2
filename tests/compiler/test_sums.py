"""Sums of floats, as Python adds them before version 3.12 and from it on."""

import collections

import pytest
from speeds import compile_for

from ggp import compiler
from ggp.compiler import aggregates, compiled_code

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
    monkeypatch.setattr(aggregates, "COMPENSATED", compensated)
    monkeypatch.setattr(compiled_code, "_loaded", collections.OrderedDict())
    code = compile_for(added, [(row,) for row in ROWS])
    for row in ROWS:
        assert code(code.variables(), row) == expected(row)
    assert any(neumaier(row) != plain(row) for row in ROWS)


def test_a_compensated_sum_that_begins_with_a_number_is_refused(monkeypatch):
    monkeypatch.setattr(aggregates, "COMPENSATED", True)
    with pytest.raises(
        compiler.Refused, match="only floats can be summed together with floats here; got a whole number"
    ):
        compile_for(added_to_a_number, [(row,) for row in ROWS])
