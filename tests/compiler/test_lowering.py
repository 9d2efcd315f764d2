"""Closed core means the same to CPython and to machine code."""

import enum
import itertools
import math
import random
from typing import Any, NamedTuple

import attrs
import pytest

from ggp.bits import ALL, Bits
from ggp.compiler.core import Return
from ggp.compiler.operations import OPERATIONS
from ggp.compiler.types import (
    ATOM,
    BITS,
    BOOL,
    FLOAT,
    GREATEST,
    INT,
    LEAST,
    NONE,
    EnumOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
)
from tests.compiler import random_core
from tests.compiler.closed import atom, both, do, function, machine_code


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


class Side(enum.IntEnum):
    LEFT = -1
    RIGHT = 7


class Point(NamedTuple):
    x: int
    y: int


@attrs.frozen
class Move:
    start: int
    jump: bool


POINT = Tuple((INT, INT), Point)
MOVE = RecordOf(Move, (INT, BOOL))
THREE, LONG = Tuple((INT,) * 3), Tuple((INT,) * 20)
MIXED = Tuple((BOOL, FLOAT, ATOM, THREE, Optional(INT), NONE))
BOARD = Tuple((LONG, INT))
TEXT = Tuple((ATOM,) * 3, str)

VALUES: dict[Type, list[Any]] = {
    INT: [0, 1, -1, 2, -2, 3, 7, -8, 62, 63, 64, 65, 10**6, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, LEAST,
          LEAST + 1, GREATEST],
    BOOL: [False, True],
    FLOAT: [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -3.7, 1e-310, 1e300, -1e300, float(2**62), 2.0**63, 1e16 + 2,
            math.inf, -math.inf, math.nan],
    BITS: [Bits(0), Bits(1), Bits(6), Bits(1 << 62), Bits(1 << 63), Bits(ALL)],
    ATOM: [None, "a", "black"],
    NONE: [None],
    EnumOf(Colour): list(Colour),
    EnumOf(Side): list(Side),
    Optional(INT): [None, 0, -5],
    Optional(THREE): [None, (1, 2, 3), (1, 2, 4)],
    Optional(LONG): [None, tuple(range(20)), (*range(19), 0)],
    THREE: [(0, 0, 0), (1, 2, 3), (LEAST, -1, GREATEST)],
    LONG: [tuple(range(20)), (*range(19), 0), (5, *range(1, 20))],
    POINT: [Point(1, 2), Point(2, 1)],
    MOVE: [Move(3, True), Move(3, False)],
    MIXED: [(True, -0.0, "x", (1, 2, 3), None, None), (False, 0.0, None, (1, 2, 3), 4, None),
            (True, 0.0, "x", (1, 2, 3), None, None)],
    BOARD: [(tuple(range(20)), 1), (tuple(range(1, 21)), 1)],
    TEXT: ["abc", "abd"],
}  # fmt: skip
"""Values on the edges of each type."""

NOT_ZERO = {INT: [each for each in VALUES[INT] if each], FLOAT: [each for each in VALUES[FLOAT] if each]}
COUNTS = {INT: [0, 1, 31, 62, 63, 64, 65, GREATEST]}
SMALL = {INT: [0, 1, 2]}
SIDES = {INT: [-1, 7]}
PLACES = {INT: [0, 1]}
WHOLE = {FLOAT: [each for each in VALUES[FLOAT] if math.isnan(each) or math.isinf(each) or each == int(each)]}
FROM_ZERO = {INT: [each for each in VALUES[INT] if each >= 0], FLOAT: [0.0, 0.5, 4.0, 1e300]}
NORMAL = {FLOAT: [0.0, -0.0, 0.5, -0.5, 2.0, -3.7, 800.0]}

ORDERED = [INT, BOOL, FLOAT, BITS, EnumOf(Side)]
CASES: list[tuple[str, list[Any], Type, Any]] = [
    *[(name, [INT, INT], INT, None) for name in ("add", "sub", "mul", "mix")],
    *[(name, [INT, NOT_ZERO], INT, None) for name in ("floordiv", "mod")],
    *[(name, [INT, COUNTS], INT, None) for name in ("shl", "shr")],
    *[(name, [kind, kind], kind, None) for name in ("and", "or", "xor") for kind in (INT, BOOL, BITS)],
    *[(name, [kind], kind, None) for name, kind in (("neg", INT), ("invert", INT), ("invert", BITS), ("not", BOOL))],
    *[(name, [kind], INT, None) for name in ("bit_count", "bit_length") for kind in (INT, BITS)],
    *[(name, [BITS, COUNTS], BITS, None) for name in ("bits_shl", "bits_shr")],
    ("lowest", [BITS], INT, None),
    ("bits", [FROM_ZERO], BITS, None),
    ("word", [BITS], INT, None),
    *[(name, [FLOAT, FLOAT], FLOAT, None) for name in ("fadd", "fsub", "fmul")],
    *[(name, [FLOAT, {FLOAT: NOT_ZERO[FLOAT]}], FLOAT, None) for name in ("fdiv", "ffloordiv", "fmod")],
    *[(name, [FLOAT], FLOAT, None) for name in ("fneg", "fabs", "floor", "ceil", "trunc", "round_even")],
    ("sqrt", [{FLOAT: FROM_ZERO[FLOAT]}], FLOAT, None),
    *[("math", [NORMAL], FLOAT, name) for name in ("exp", "log", "sin", "tanh", "acos")],
    ("math", [NORMAL, NORMAL], FLOAT, "pow"),
    *[(name, [FLOAT], FLOAT, None) for name in ("next_above", "next_below")],
    ("truncate", [WHOLE], INT, None),
    *[(name, [kind, kind], BOOL, None) for name in ("lt", "le", "gt", "ge") for kind in ORDERED],
    *[(name, [kind, kind], BOOL, None) for name in ("eq", "ne") for kind in VALUES],
    *[("convert", [have], kind, None) for have, kind in [
        (BOOL, INT), (BOOL, FLOAT), (INT, FLOAT), (EnumOf(Side), INT), (EnumOf(Side), FLOAT), (INT, Optional(INT)),
        (NONE, Optional(INT)), (NONE, ATOM), (BOOL, Optional(FLOAT)), (Optional(INT), Optional(FLOAT)),
        (THREE, Tuple((INT, FLOAT, Optional(INT)))), (LONG, Optional(LONG)), (THREE, Optional(THREE)),
        (POINT, Tuple((FLOAT, INT), Point)), (MOVE, RecordOf(Move, (INT, INT))), (BOARD, BOARD), (INT, INT),
        (NONE, Optional(LONG)), (LONG, Tuple((INT, *(FLOAT,) * 19))),
    ]],
    ("member", [SIDES], EnumOf(Side), None),
    ("member", [PLACES], EnumOf(Colour), None),
    *[("part", [kind], part, index) for kind in (THREE, POINT, MOVE, MIXED, BOARD, TEXT)
      for index, part in enumerate(kind.items)],
    *[("pick", [kind, SMALL], kind.items[0], None) for kind in (THREE, TEXT, LONG)],
    *[("with_item", [kind, SMALL, kind.items[0]], kind, None) for kind in (THREE, TEXT, LONG)],
    *[("make", list(kind.items), kind, None) for kind in (THREE, POINT, MOVE, BOARD, TEXT)],
    *[("is_some", [kind], BOOL, None) for kind in VALUES if isinstance(kind, Optional)],
    ("spread", [INT, {INT: [1, 2, 3, 1000, 2**31 - 1]}], INT, None),
    ("bits_of", [FLOAT], INT, None),
    ("value_of", [INT], FLOAT, None),
    *[("words", [kind], Tuple((INT,) * count), None)
      for kind, count in ((MIXED, 8), (BOARD, 21), (Optional(THREE), 4), (MOVE, 2), (FLOAT, 1))],
]  # fmt: skip
"""Each operation on values: operands, as a type or values of one type; the type of the result; the detail."""


def _name(case: Any) -> str:
    name, operands, result, detail = case
    return f"{name}-{'-'.join(str(each) if isinstance(each, Type) else 'some' for each in operands)}-{result}-{detail}"


def _kind(operand: Any) -> Any:
    return next(iter(operand)) if isinstance(operand, dict) else operand


CASES_AND_CHECKS = [(case, checked) for case in CASES for checked in (True, False)
                    if checked or "checked" in OPERATIONS[case[0]].takes]  # fmt: skip


@pytest.mark.parametrize(("case", "checked"), CASES_AND_CHECKS, ids=[_name(case) for case, _ in CASES_AND_CHECKS])
def test_an_operation_does_in_machine_code_what_it_does_in_python(case, checked):
    name, operands, result, detail = case
    kinds = [_kind(each) for each in operands]
    parameters = {f"a{index}": kind for index, kind in enumerate(kinds)}
    body = [do("found", name, *parameters, detail=detail), Return(atom("found"))]
    made = function(name, parameters, {"found": result}, result, body, checked=checked)
    code = machine_code(made)
    pools = [each[kind] if isinstance(each, dict) else VALUES[kind] for each, kind in zip(operands, kinds, strict=True)]
    for arguments in itertools.islice(itertools.product(*pools), 500):
        python, native = both(made, code, *arguments)
        assert (arguments, native) == (arguments, python)


def test_every_operation_of_the_table_can_be_lowered():
    from ggp.compiler.lowering import _OPERATIONS

    assert set(OPERATIONS) == set(_OPERATIONS)


def _differences(seeds):
    for seed in seeds:
        known, chance = random_core.Known(), random.Random(seed)
        made = random_core.program(seed)
        code = machine_code(made, (known,), (random_core.VARIABLES,))
        for _ in range(4):
            arguments = [random_core.constant(made.variables[name], chance) for name in made.parameters]
            vars(known).update(vars(random_core.Known()))
            python, native = both(made, code, *arguments)
            if python != native:
                yield seed, arguments, python, native


@pytest.mark.parametrize("seed", range(20))
def test_a_random_program_does_in_machine_code_what_it_does_in_python(seed):
    assert list(_differences([seed])) == []


@pytest.mark.slow
def test_many_random_programs_do_in_machine_code_what_they_do_in_python():
    assert list(_differences(range(1000, 1300))) == []
