"""The verifier refuses functions of closed core that break a rule, and says which, where and why."""

import pytest

from ggp.compiler.core import (
    Assign,
    Attempt,
    Constant,
    If,
    Labelled,
    Leave,
    Local,
    Loop,
    Raise,
    Return,
    Unset,
    Yield,
)
from ggp.compiler.types import BOOL, BOTTOM, FLOAT, INT, NONE, STATUS, List, Optional, Tuple
from ggp.compiler.verifier import Malformed, verify
from tests.compiler import random_core
from tests.compiler.closed import atom, do, function

VARIABLES = {
    "a": INT, "b": INT, "t": BOOL, "f": FLOAT, "items": List(INT), "pair": Tuple((INT, BOOL)), "maybe": Optional(INT),
    "row": Tuple((INT, INT)), "caught": STATUS,
}  # fmt: skip
END = Return(Constant(0, INT))
ITEMS = do("items", "new_list", 1)
BROKEN = {
    "variable without a type": ([do("x", "neg", 1), END], "the variable x has no type"),
    "constant without a type": ([Assign("a", Constant(1)), END], "the constant 1 has no type"),
    "unknown operation": ([do("a", "power", 1, 2), END], "there is no operation power"),
    "operand of another type": ([do("a", "add", 1, 0.5), END], "got whole number, float"),
    "too few operands": ([do("a", "add", 1), END], "takes whole number, whole number; got whole number"),
    "result of another type": ([do("t", "add", 1, 2), END], "the value is whole number; the variable is truth value"),
    "atom of another type": ([Assign("a", atom(True)), END], "the value is truth value; the variable is whole number"),
    "read before it is assigned": ([do("a", "neg", "b"), END], "b is read before it is assigned"),
    "test that is a number": ([If(atom(1), [], []), END], "the test is no truth value"),
    "leave without a block": ([Leave("out"), END], "no enclosing block has this label"),
    "leave from behind a block": ([Labelled("out", []), Leave("out"), END], "no enclosing block has this label"),
    "label used twice": ([Labelled("out", []), Labelled("out", []), END], "the label out is used twice"),
    "no return": ([Assign("a", atom(1))], "does not return at its end"),
    "no return on one path": ([If(atom(True), [END], [])], "does not return at its end"),
    "return of another type": ([Return(atom(0.5))], "the function returns whole number, not float"),
    "raise of a value": ([Raise(atom(1))], "raises no exception class"),
    "raise of a variable": ([Assign("a", atom(1)), Raise(Local("a"))], "raises no status"),
    "raise of nothing": ([Raise(None)], "raises no status"),
    "caught in a number": ([Attempt([], "a", []), END], "a is no status"),
    "statement of open core": ([Yield(atom(1)), END], "is not in closed core"),
    "unset": ([Unset("a"), END], "is not in closed core"),
    "part that is not there": ([do("pair", "make", 1, True), do("a", "part", "pair", detail=2), END], "has no part 2"),
    "pick from items of two types": (
        [do("pair", "make", 1, True), do("a", "pick", "pair", 0), END], "takes a tuple of items of one type"),
    "item of another type": ([ITEMS, do(None, "append", "items", 0.5), END], "takes whole number; got float"),
    "length of a tuple": ([do("row", "make", 1, 2), do("a", "length", "row"), END], "takes a list; got a tuple"),
    "comparison of lists": ([ITEMS, do("t", "eq", "items", "items"), END], "takes no list of whole number"),
    "conversion that loses": ([do("a", "convert", 0.5), END], "cannot convert float to whole number"),
    "content of a number": ([do("a", "content", 1), END], "takes an optional value"),
    "words of a list": ([ITEMS, do("row", "words", "items"), END], "takes no lists or objects"),
    "call of a name": ([do("a", "call", detail="f"), END], "calls functions of closed core alone"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_a_rule_is_refused_with_its_place_and_the_rule(name):
    body, rule = BROKEN[name]
    for each in body:
        each.line = 7
    with pytest.raises(Malformed) as refused:
        verify(function("broken", {}, VARIABLES, INT, body))
    assert str(refused.value).startswith("test.py:")
    assert rule in str(refused.value)


@pytest.mark.parametrize("end", ["fault", "call"])
def test_a_function_may_end_where_machine_code_gives_up(end):
    gives_up = function("gives_up", {}, {}, BOTTOM, [do(None, "fault")])
    verify(gives_up)
    verify(function("ends", {}, {}, INT, [do(None, end, detail=gives_up if end == "call" else None)]))


def test_the_message_shows_the_statement():
    with pytest.raises(Malformed, match=r"^test.py:3: broken: a = add\(b, 1\): b is read before it is assigned$"):
        verify(function("broken", {}, {"a": INT, "b": INT}, INT, [Assign("a", do("a", "add", "b", 1).value, 3), END]))


def test_a_parameter_without_a_type_is_refused():
    made = function("broken", {}, {}, NONE, [Return(atom(None))])
    made.parameters = ("state",)
    with pytest.raises(Malformed, match="the parameter state has no type"):
        verify(made)


def test_a_variable_may_be_assigned_later_in_a_loop():
    body = [Loop("l", [do("a", "add", "b", 1), do("b", "add", "a", 1)])]
    verify(function("good", {}, {"a": INT, "b": INT}, INT, body))


@pytest.mark.parametrize("seed", range(30))
def test_random_programs_keep_the_rules(seed):
    verify(random_core.program(seed))
