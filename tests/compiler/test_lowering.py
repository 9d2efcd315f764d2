"""Closed core means the same to CPython and to machine code."""

import ctypes
import enum
import itertools
import math
import random
from typing import Any, NamedTuple

import attrs
import llvmlite.binding as llvm
import pytest

from ggp.bits import Bits
from ggp.compiler import machine
from ggp.compiler.core import Assign, Attempt, Constant, If, Leave, Local, Loop, Raise, Return
from ggp.compiler.layout import size_in_bytes, steps
from ggp.compiler.lowering import Module, lay_out, memory_text
from ggp.compiler.operations import OPERATIONS
from ggp.compiler.refusals import Fault
from ggp.compiler.types import (
    ATOM,
    BITS,
    BOOL,
    FLOAT,
    GREATEST,
    INT,
    LEAST,
    NONE,
    STATUS,
    BitsOf,
    EnumOf,
    List,
    ObjectOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
)
from tests.compiler import random_core
from tests.compiler.closed import atom, both, do, function, machine_code, told


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

SETS = [BITS, *map(BitsOf, (1, 63, 65, 127, 128, 129))]
SIX_WORDS = Tuple((BOOL, BitsOf(361), INT))


def sets(width):
    """Return sets of cells on the edges of words."""
    words = {0, 1, 6, *(1 << cell for cell in (62, 63, 64, 127, 128)), (1 << width) - 1, 1 << width - 1}
    return [Bits(word, width) for word in sorted(words) if word < 1 << width]


VALUES: dict[Type, list[Any]] = {
    INT: [0, 1, -1, 2, -2, 3, 7, -8, 62, 63, 64, 65, 10**6, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, LEAST,
          LEAST + 1, GREATEST],
    BOOL: [False, True],
    FLOAT: [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -3.7, 1e-310, 1e300, -1e300, float(2**62), 2.0**63, 1e16 + 2,
            math.inf, -math.inf, math.nan],
    **{kind: sets(kind.width) for kind in SETS},
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
    BitsOf(361): [Bits.of(63, 64, 360, width=361)],
    SIX_WORDS: [(True, Bits.of(0, 64, 129, 360, width=361), -1), (False, Bits(width=361), 5)],
    Optional(BitsOf(129)): [None, *sets(129)],
}  # fmt: skip
"""Values on the edges of each type."""

NOT_ZERO = {INT: [each for each in VALUES[INT] if each], FLOAT: [each for each in VALUES[FLOAT] if each]}
COUNTS = {INT: [0, 1, 31, 62, 63, 64, 65, 127, 128, 129, GREATEST]}
SMALL = {INT: [0, 1, 2]}
SIDES = {INT: [-1, 7]}
PLACES = {INT: [0, 1]}
WHOLE = {FLOAT: [each for each in VALUES[FLOAT] if math.isnan(each) or math.isinf(each) or each == int(each)]}
FROM_ZERO = {INT: [each for each in VALUES[INT] if each >= 0], FLOAT: [0.0, 0.5, 4.0, 1e300]}
NORMAL = {FLOAT: [0.0, -0.0, 0.5, -0.5, 2.0, -3.7, 800.0]}

ORDERED = [INT, BOOL, FLOAT, *SETS, EnumOf(Side)]
CASES: list[tuple[str, list[Any], Type, object]] = [
    *[(name, [INT, INT], INT, None) for name in ("add", "sub", "mul", "mix")],
    *[(name, [INT, NOT_ZERO], INT, None) for name in ("floordiv", "mod")],
    *[(name, [INT, COUNTS], INT, None) for name in ("shl", "shr")],
    *[(name, [kind, kind], kind, None) for name in ("and", "or", "xor") for kind in (INT, BOOL, *SETS)],
    *[(name, [kind], kind, None) for name, kind in (("neg", INT), ("invert", INT), ("not", BOOL))],
    ("choose", [BOOL, BOOL, BOOL], BOOL, None),
    *[("invert", [kind], kind, None) for kind in SETS],
    *[(name, [kind], INT, None) for name in ("bit_count", "bit_length") for kind in (INT, *SETS)],
    *[(name, [kind, COUNTS], kind, None) for name in ("bits_shl", "bits_shr") for kind in SETS],
    *[(name, [kind], INT, None) for name in ("lowest", "word") for kind in SETS],
    *[("without_lowest", [{kind: VALUES[kind][1:]}], kind, None) for kind in SETS],
    *[("cell_at", [{kind: [cells for cells in VALUES[kind] if len(cells) > index]}, {INT: [index]}], INT, None)
      for kind in SETS for index in (0, 1, 5, 62, 100) if index < kind.width],
    *[("bits", [{INT: [each for each in FROM_ZERO[INT] if each < 1 << kind.width]}], kind, None) for kind in SETS],
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
    *[("part", [kind], part, index) for kind in (THREE, POINT, MOVE, MIXED, BOARD, TEXT, SIX_WORDS)
      for index, part in enumerate(kind.items)],
    *[("pick", [kind, SMALL], kind.items[0], None) for kind in (THREE, TEXT, LONG)],
    *[("with_item", [kind, SMALL, kind.items[0]], kind, None) for kind in (THREE, TEXT, LONG)],
    *[("make", list(kind.items), kind, None) for kind in (THREE, POINT, MOVE, BOARD, TEXT, SIX_WORDS)],
    *[("is_some", [kind], BOOL, None) for kind in VALUES if isinstance(kind, Optional)],
    ("spread", [INT, {INT: [1, 2, 3, 1000, 2**31 - 1]}], INT, None),
    ("bits_of", [FLOAT], INT, None),
    ("value_of", [INT], FLOAT, None),
    *[("words", [kind], Tuple((INT,) * count), None)
      for kind, count in ((MIXED, 8), (BOARD, 21), (SIX_WORDS, 8), (Optional(BitsOf(129)), 4), (Optional(THREE), 4),
                          (MOVE, 2), (FLOAT, 1))],
]  # fmt: skip
"""Each operation on values: operands, as a type or values of one type; the type of the result; the detail."""


def _name(case: tuple[str, list[object], Type, object]) -> str:
    name, operands, result, detail = case
    return f"{name}-{'-'.join(str(each) if isinstance(each, Type) else 'some' for each in operands)}-{result}-{detail}"


def _kind(operand: Type | dict[Type, list[object]]) -> Type:
    return next(iter(operand)) if isinstance(operand, dict) else operand


CASES_AND_CHECKS = [(case, checked) for case in CASES for checked in (True, False)
                    if checked or "checked" in OPERATIONS[case[0]].takes]  # fmt: skip


@pytest.mark.parametrize("name", ["floordiv", "mod"])
@pytest.mark.parametrize("divisor", [1, 2, 3, 7, 64, 1009, 2**62 + 1, GREATEST, -1, -3, LEAST])
def test_a_known_divisor_divides_as_in_python(name, divisor):
    body = [do("found", name, "a", Constant(divisor, INT)), Return(atom("found"))]
    made = function(name, {"a": INT}, {"found": INT}, INT, body)
    code = machine_code(made)
    for number in VALUES[INT]:
        python, native = both(made, code, number)
        assert (number, native) == (number, python)


@pytest.mark.parametrize(("yes", "no"), [*itertools.product(("test", "other", True, False), repeat=2)])
def test_a_choice_of_a_value_that_is_the_test_or_known(yes, no):
    operands = [each if isinstance(each, str) else Constant(each, BOOL) for each in (yes, no)]
    body = [do("found", "choose", "test", *operands), Return(atom("found"))]
    made = function("choice", {"test": BOOL, "other": BOOL}, {"found": BOOL}, BOOL, body)
    code = machine_code(made)
    for values in itertools.product((False, True), repeat=2):
        python, native = both(made, code, *values)
        assert (values, native) == (values, python)


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
    assert list(_differences(range(1000, 1100))) == []


# Memory, constants, exceptions ----------------------------------------------------------------------------------------


def _counted(name, body, count):
    """Return a loop that runs a body for `name` from 0 to `count` - 1."""
    test = f"more_{name}"
    start = [Assign(name, atom(0))]
    inner = [do(test, "lt", name, count), If(Local(test), [], [Leave(name)]), *body, do(name, "add", name, 1)]
    return [*start, Loop(name, inner)]


NUMBERS = List(INT)


def test_two_lists_that_grow_in_turn_keep_their_items():
    grow = [do(None, "append", "a", "i"), do("j", "mul", "i", 3), do(None, "append", "b", "j"),
            do(None, "append", "c", Constant(((1, 2, 3), True), Tuple((THREE, BOOL))))]  # fmt: skip
    add = [do("x", "get", "a", "k"), do("y", "get", "b", "k"), do("s", "add", "s", "x"), do("s", "add", "s", "y"),
           do("z", "get", "c", "k"), do("row", "part", "z", detail=0), do("x", "pick", "row", 2),
           do("s", "add", "s", "x")]  # fmt: skip
    body = [do("a", "new_list", 0), do("b", "new_list", 1), do("c", "new_list", 0), Assign("s", atom(0)),
            *_counted("i", grow, "n"), *_counted("k", add, "n"), Return(Local("s"))]  # fmt: skip
    mixed = Tuple((THREE, BOOL))
    kinds = {"a": NUMBERS, "b": NUMBERS, "c": List(mixed), "z": mixed, "row": THREE,
             **dict.fromkeys(("i", "j", "k", "x", "y", "s"), INT), "more_i": BOOL, "more_k": BOOL}  # fmt: skip
    made = function("grow", {"n": INT}, kinds, INT, body)
    code = machine_code(made)
    assert code.makes_lists
    for count in (0, 1, 4, 5, 100, 1000):
        python, native = both(made, code, count)
        assert (count, native) == (count, python)


def _filled(kept):
    """Return the statements that make a list with room for 100,000 numbers and, if it is kept, put it into another."""
    made = [do("items", "new_list", 100_000), do(None, "append", "items", "i"), do("n", "get", "items", 0)]
    return made + ([do(None, "append", "all", "items")] if kept else [])


NESTED = List(NUMBERS)
FILLED = {"items": NUMBERS, "n": INT}


def test_what_a_function_makes_and_does_not_return_is_given_back():
    fill = function("fill", {"i": INT}, FILLED, INT, [*_filled(False), Return(Local("n"))])
    body = [*_counted("i", [do("x", "call", "i", detail=fill)], "n"), Return(Local("i"))]
    code = machine_code(function("calls", {"n": INT}, {"i": INT, "x": INT, "more_i": BOOL}, INT, body))
    assert code(code.variables(), 100_000) == 100_000


def test_what_a_round_makes_is_given_back_though_a_list_outside_grows():
    often = [do("rest", "mod", "n", 3), do("some", "eq", "rest", 0),
             If(Local("some"), [do(None, "append", "found", "n")], [])]  # fmt: skip
    body = [
        do("found", "new_list", 0), *_counted("i", [*_filled(False), *often], "count"), do("n", "length", "found"),
        do("end", "sub", "n", 1), do("last", "get", "found", "end"), Return(Local("last")),
    ]  # fmt: skip
    numbers = dict.fromkeys(("i", "rest", "last", "end"), INT)
    variables = {**FILLED, **numbers, "found": NUMBERS, "some": BOOL, "more_i": BOOL}
    code = machine_code(function("rounds", {"count": INT}, variables, INT, body))
    assert code(code.variables(), 50_000) == 49_998


def _all_kept():
    body = [do("all", "new_list", 0), *_counted("i", _filled(True), "count"), do("n", "length", "all"),
            Return(Local("n"))]  # fmt: skip
    return function("kept", {"count": INT}, {**FILLED, "all": NESTED, "i": INT, "more_i": BOOL}, INT, body)


def test_exhausted_memory_is_a_fault_and_the_next_call_has_all_of_it():
    code = machine_code(_all_kept())
    variables = code.variables()
    with pytest.raises(Fault, match="lists and objects that are in use at once take more memory than 64 MB"):
        code(variables, 100_000)
    assert [code(variables, 50) for _ in range(10)] == [50] * 10


@pytest.mark.parametrize("room", [1 << 62, -1, (1 << 40) - 1])
def test_a_list_that_no_memory_holds_is_a_fault(room):
    body = [do("items", "new_list", "n"), do("x", "length", "items"), Return(Local("x"))]
    code = machine_code(function("room", {"n": INT}, {"items": NUMBERS, "x": INT}, INT, body))
    with pytest.raises(Fault):
        code(code.variables(), room)


def test_recursion_without_end_is_a_fault():
    made = function("deeper", {"n": INT}, {"m": INT, "x": INT, "y": INT}, INT, [])
    made.body.extend([do("m", "add", "n", 1), do("x", "call", "m", detail=made), do("y", "add", "x", "m"),
                      Return(Local("y"))])  # fmt: skip
    code = machine_code(made)
    with pytest.raises(Fault):
        code(code.variables(), 0)


def test_a_fault_passes_all_handlers():
    caught = [do("good", "is_caught", "status", detail=(Exception,)), Return(atom(1))]
    body = [Attempt([do("x", "add", "n", GREATEST), Return(Local("x"))], "status", caught)]
    made = function("passes", {"n": INT}, {"x": INT, "status": STATUS, "good": BOOL}, INT, body)
    code = machine_code(made)
    assert code(code.variables(), 0) == GREATEST
    with pytest.raises(Fault):
        code(code.variables(), 1)


def test_an_exception_has_its_class_and_a_base_class_catches_it():
    failing = function("failing", {"n": INT}, {"some": BOOL}, INT, [
        do("some", "gt", "n", 0),
        If(Local("some"), [Raise(Constant(KeyError))], [Raise(Constant(ZeroDivisionError))]),
    ])  # fmt: skip
    handler = [do("good", "is_caught", "status", detail=(LookupError,)), If(Local("good"), [Return(atom(-1))], []),
               Raise(Local("status"))]  # fmt: skip
    body = [Attempt([do("x", "call", "n", detail=failing), Return(Local("x"))], "status", handler)]
    code = machine_code(function("tries", {"n": INT}, {"x": INT, "status": STATUS, "good": BOOL}, INT, body))
    assert code(code.variables(), 1) == -1
    with pytest.raises(ZeroDivisionError):
        code(code.variables(), 0)


def test_a_table_of_tables_is_a_constant():
    table = [[1, 2, 3], [], [4], list(range(100))]
    pairs = (("a", [7, 8]), ("b", []))
    kinds = {"rows": List(NUMBERS), "row": NUMBERS, "x": INT, "y": INT, "pair": Tuple((ATOM, NUMBERS)), "z": INT}
    body = [do("row", "get", Constant(table, List(NUMBERS)), "n"), do("x", "length", "row"),
            do("pair", "pick", Constant(pairs, Tuple((kinds["pair"],) * 2)), "m"), do("row", "part", "pair", detail=1),
            do("y", "length", "row"), do("z", "mul", "x", 1000), do("z", "add", "z", "y"),
            Return(Local("z"))]  # fmt: skip
    made = function("table", {"n": INT, "m": INT}, kinds, INT, body)
    code = machine_code(made)
    for arguments in itertools.product(range(4), range(2)):
        python, native = both(made, code, *arguments)
        assert native == python


def test_equal_constants_are_stored_once_and_the_text_is_the_same_in_each_run():
    big = tuple(range(1000))
    kind = Tuple((INT,) * 1000)

    def text():
        body = [do("x", "pick", Constant(big, kind), "n"), do("y", "pick", Constant(tuple(list(big)), kind), "x"),
                Return(Local("y"))]  # fmt: skip
        module = Module()
        module.add_entry(function("table", {"n": INT}, {"x": INT, "y": INT}, INT, body))
        return module.assembly()

    assert text().count("[1000 x i64] [") == 1
    assert text() == text()


@pytest.mark.parametrize("kind", [*VALUES, Tuple((BOOL, BOOL, INT)), Tuple((NONE, BOOL))], ids=str)
def test_a_value_has_the_layout_of_llvm(kind):
    text = memory_text(kind)
    made = llvm.parse_assembly(f"@value = global {text} zeroinitializer").get_global_variable("value").global_value_type
    data = machine._target().target_data
    assert size_in_bytes(kind) == data.get_abi_size(made)
    if made.is_struct:
        places = steps(kind)
        assert places == [data.get_element_offset(made, index) for index in range(len(places))]


@pytest.mark.parametrize("kind", [each for each in VALUES if each != NONE], ids=str)
def test_a_value_comes_back_from_its_words_in_memory(kind):
    words = (ctypes.c_int64 * 64)()
    address = ctypes.addressof(words)
    body = [do(None, "put_value", "address", "value"), do("found", "get_value", "address"), Return(Local("found"))]
    made = function("stored", {"address": INT, "value": kind}, {"found": kind}, kind, body)
    code = machine_code(made)
    for value in VALUES[kind]:
        python, native = both(made, code, address, value)
        assert native == python == (told(value), [])


def test_a_value_is_packed_in_machine_code_as_in_python():
    fields = [(-4, 0xF, 3, 0), (0, 0x1, 60, 0), (10, 0xFFFF, 5, 8)]  # least number, mask, shift, first byte
    layout = (ctypes.c_int64 * 12)(*itertools.chain.from_iterable(fields))
    kind = Tuple((INT, BOOL, INT))
    kinds = {"fit": BOOL, "same": BOOL, "found": kind, "all": Tuple((BOOL, BOOL, kind))}
    body = [do("fit", "fits", "value", "layout"), do(None, "pack", "address", "value", "layout"),
            do("same", "is_packed", "address", "value", "layout"), do("found", "unpack", "address", "layout"),
            do("all", "make", "fit", "same", "found"), Return(Local("all"))]  # fmt: skip
    made = function("packed", {"address": INT, "value": kind, "layout": INT}, kinds, kinds["all"], body)
    code = machine_code(made)
    for value in ((-4, True, 10), (11, False, 65545), (0, True, 300), (12, True, 10), (0, False, 9)):
        stored = [(ctypes.c_int64 * 2)(-1, 77) for _ in range(2)]
        here, there = map(ctypes.addressof, stored)
        python, _ = both(made, code, here, value, ctypes.addressof(layout))
        _, native = both(made, code, there, value, ctypes.addressof(layout))
        assert native == python
        assert list(stored[0]) == list(stored[1])


def test_bytes_are_loaded_and_saved():
    memory = (ctypes.c_int8 * 8)(5, -3)
    body = [do("x", "load_byte", "address"), do("next", "add", "address", 1), do(None, "save_byte", "next", "x"),
            do("y", "load", "address"), do(None, "save", "address", "y"), Return(Local("y"))]  # fmt: skip
    made = function("bytes", {"address": INT}, {"x": INT, "next": INT, "y": INT}, INT, body)
    code = machine_code(made)
    assert code(code.variables(), ctypes.addressof(memory)) == 0x0505
    assert memory[1] == 5


def test_to_prefetch_changes_nothing():
    memory = (ctypes.c_int64 * 2)(5, 7)
    body = [do(None, "prefetch", "address"), do("y", "load", "address"), Return(Local("y"))]
    made = function("prefetched", {"address": INT}, {"y": INT}, INT, body)
    python, native = both(made, machine_code(made), ctypes.addressof(memory))
    assert native == python
    assert list(memory) == [5, 7]


def test_words_and_floats_are_added_to_in_place():
    memory = (ctypes.c_int64 * 2)(5, 0)
    body = [do(None, "add_to", "address", "n"), do("next", "add", "address", 8), do(None, "publish", "next", 0),
            do(None, "add_float_to", "next", "x"), do(None, "add_float_to", "next", "x"), do("y", "load", "address"),
            Return(Local("y"))]  # fmt: skip
    made = function("added", {"address": INT, "n": INT, "x": FLOAT}, {"next": INT, "y": INT}, INT, body)
    python, native = both(made, machine_code(made), ctypes.addressof(memory), 7, 0.75)
    assert (native[0], python[0]) == (("int", 12), ("int", 19))
    assert ctypes.c_double.from_address(ctypes.addressof(memory) + 8).value == 1.5


def test_an_object_has_an_identity():
    node = ObjectOf(random_core.Node, ("count", "seen"), (INT, BOOL))
    kinds = {"a": node, "b": node, "c": node, "x": INT, "same": BOOL, "other": BOOL, "all": Tuple((INT, BOOL, BOOL))}
    body = [do("a", "new", 1, True), Assign("b", Local("a")), do("c", "new", 1, True),
            do(None, "put_field", "b", "n", detail=0), do("x", "field", "a", detail=0), do("same", "same", "a", "b"),
            do("other", "same", "a", "c"), do("all", "make", "x", "same", "other"), Return(Local("all"))]  # fmt: skip
    code = machine_code(function("identity", {"n": INT}, kinds, kinds["all"], body))
    assert code(code.variables(), 42) == (42, True, False)


def test_none_equals_none_whatever_was_there_before():
    kind = Optional(THREE)
    kinds = {"a": kind, "b": kind, "equal": BOOL, "row": THREE}
    body = [do("row", "make", "n", 2, 3), do("a", "convert", "row"), do("b", "convert", Constant((4, 5, 6), THREE)),
            do("a", "convert", None), do("b", "convert", None), do("equal", "eq", "a", "b"),
            Return(Local("equal"))]  # fmt: skip
    code = machine_code(function("nones", {"n": INT}, kinds, BOOL, body))
    assert code(code.variables(), 1) is True


def test_a_copy_is_another_list_and_may_be_cut():
    kinds = {"a": NUMBERS, "b": NUMBERS, "x": INT, "y": INT, "z": INT, "w": INT, "same": BOOL,
             "all": Tuple((INT, INT, INT, INT, BOOL))}  # fmt: skip
    body = [do("a", "copy", Constant([1, 2, 3], NUMBERS)), do("b", "copy", "a"), do(None, "put", "b", 0, "n"),
            do(None, "set_length", "b", 1), do(None, "append", "b", 8), do("x", "get", "a", 0), do("y", "get", "b", 1),
            do("z", "length", "a"), do("w", "length", "b"), do("same", "same", "a", "b"),
            do("all", "make", "x", "y", "z", "w", "same"), Return(Local("all"))]  # fmt: skip
    code = machine_code(function("copies", {"n": INT}, kinds, kinds["all"], body))
    assert code(code.variables(), 9) == (1, 8, 3, 2, False)


def test_a_variable_that_other_threads_change_is_read_anew_each_time():
    """A loop that waits for it would never end if LLVM read it once, in front of the loop."""
    body = [Loop("wait", [do("limit", "variable", detail=(0, "limit")), do("over", "eq", "limit", 0),
                          If(Local("over"), [Leave("wait")], [])]), Return(Local("limit"))]  # fmt: skip
    waiting = function("waiting", {}, {"limit": INT, "over": BOOL}, INT, body)
    layout, _ = lay_out([(0, "limit", INT)])
    module = Module(layout, shared=frozenset({(0, "limit")}))
    module.add_entry(waiting)
    assert "load atomic i64" in module.assembly()


def test_functions_that_call_each_other_are_cut_where_most_call():
    often, page = function("often", {"n": INT}, {}, INT, []), function("page", {"n": INT}, {}, INT, [])
    kinds = {"n": INT, "a": INT, "b": INT}
    often.variables, page.variables = dict(kinds), dict(kinds)
    often.body[:] = [do("a", "call", "n", detail=page), Return(Local("a"))]
    page.body[:] = [do("a", "call", "n", detail=often), do("b", "call", "a", detail=often), Return(Local("b"))]
    module = Module()
    module.add(page)
    assert {name.partition(".")[0] for name in module.recursive()} == {"often", "list"}
