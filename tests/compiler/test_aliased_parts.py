"""A variable may be the address of a part of another value only while that does not change."""

import attrs
import pytest

from ggp.compiler.core import Assign, Attempt, Constant, If, Leave, Local, Loop, Raise, Return
from ggp.compiler.types import BOOL, INT, NONE, STATUS, List, Tuple
from tests.compiler.closed import atom, both, do, function, machine_code

ROW = Tuple((INT,) * 3)
BOARD = Tuple((ROW,) * 4)
STATE = Tuple((BOARD, INT))
OTHER = Constant((((9, 8, 7),) * 4, 1), STATE)
GIVEN = (((1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12)), 5)
KINDS = {
    "state": STATE, "board": BOARD, "row": ROW, "row2": ROW, "x": INT, "y": INT, "z": INT, "i": INT, "more": BOOL,
    "rows": List(ROW), "boards": List(BOARD), "handed": BOARD, "caught": STATUS, "big": STATE,
    "end_row": ROW, "end": BOARD,
}  # fmt: skip

identity = function("identity", {"a": STATE}, {}, STATE, [Return(Local("a"))])
swapped = function(
    "swapped", {"a": STATE, "b": STATE},
    {"q": BOARD, "r": BOARD, "s": ROW, "t": ROW, "n": INT, "c": BOARD, "found": STATE}, STATE,
    [do("q", "part", "a", detail=0), do("r", "part", "b", detail=0), do("s", "pick", "q", 0), do("t", "pick", "r", 3),
     do("c", "make", "t", "s", "t", "s"), do("n", "part", "a", detail=1), do("found", "make", "c", "n"),
     Return(Local("found"))],
)  # fmt: skip
overwrite = function(
    "overwrite", {"rows": List(ROW), "row": ROW}, {}, NONE,
    [do(None, "put", "rows", 0, "row"), Return(atom(None))],
)  # fmt: skip
set_board = function(
    "set_board", {"b": BOARD}, {}, NONE, [do(None, "put_variable", "b", detail=(0, "board")), Return(atom(None))]
)
failing = function("failing", {"a": STATE}, {}, STATE, [Raise(Constant(ValueError))])

CHANGED = do("row2", "with_item", "row", 0, 77)
BODIES = {
    "assigned again before the use": [
        do("board", "part", "state", detail=0), Assign("state", OTHER), do("row", "pick", "board", 1)],
    "assigned again behind the use, in a loop": [
        Assign("i", atom(0)), Assign("row", Constant((0, 0, 0), ROW)), do("board", "part", "state", detail=0),
        Loop("l", [do("row", "pick", "board", 1), Assign("state", OTHER), do("i", "add", "i", 1),
                   do("more", "lt", "i", 3), If(Local("more"), [], [Leave("l")])])],
    "part of a part": [
        do("board", "part", "state", detail=0), do("row", "pick", "board", 2), Assign("state", OTHER)],
    "assigned again in a branch": [
        do("board", "part", "state", detail=0), do("x", "part", "state", detail=1), do("more", "gt", "x", 3),
        If(Local("more"), [Assign("state", OTHER)], []), do("row", "pick", "board", 1)],
    "a copy of the whole": [Assign("big", Local("state")), Assign("state", OTHER), do("board", "part", "big", detail=0),
                            do("row", "pick", "board", 1)],
    "an item of a list that is put": [
        do("board", "part", "state", detail=0), do("rows", "list_of", "board"), do("row", "get", "rows", 0),
        do("row2", "get", "rows", 1), do(None, "put", "rows", 0, "row2")],
    "an item of a list that a function changes": [
        do("board", "part", "state", detail=0), do("rows", "list_of", "board"), do("row", "get", "rows", 0),
        do("row2", "get", "rows", 1), do(None, "call", "rows", "row2", detail=overwrite)],
    "a part of an item of a list": [
        do("board", "part", "state", detail=0), do("boards", "new_list", 1), do(None, "append", "boards", "board"),
        do("handed", "get", "boards", 0), do("row", "pick", "handed", 0),
        do("row2", "with_item", "row", 1, 50), do("handed", "with_item", "handed", 0, "row2"),
        do(None, "put", "boards", 0, "handed")],
    "a variable of an object that is put": [
        do("handed", "variable", detail=(0, "board")), do("board", "part", "state", detail=0),
        do(None, "put_variable", "board", detail=(0, "board")), do("row", "pick", "handed", 0)],
    "a variable of an object that a function puts": [
        do("handed", "variable", detail=(0, "board")), do("board", "part", "state", detail=0),
        do(None, "call", "board", detail=set_board), do("row", "pick", "handed", 0)],
    "the result of a call is one of its arguments": [
        do("state", "call", "state", detail=identity), do("state", "call", "state", "state", detail=swapped),
        do("board", "part", "state", detail=0), do("row", "pick", "board", 1)],
    "a call that fails leaves its target": [
        Attempt([do("state", "call", "state", detail=failing)], "caught", []),
        do("board", "part", "state", detail=0), do("row", "pick", "board", 1)],
    "a use that is written in front of the assignment, in a loop": [
        Assign("i", atom(0)), Assign("row", Constant((0, 0, 0), ROW)),
        Loop("l", [do("more", "gt", "i", 0), If(Local("more"), [do("row", "with_item", "row", 0, "z")], []),
                   do("z", "add", "i", 40), do("row", "with_item", "row", 1, "z"), do("i", "add", "i", 1),
                   do("more", "lt", "i", 3), If(Local("more"), [], [Leave("l")])])],
}  # fmt: skip


@attrs.define(slots=False)
class Known:
    board: object = ((1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4))


@pytest.mark.parametrize("name", BODIES)
def test_a_part_keeps_its_value_when_the_whole_changes(name):
    body = [*BODIES[name], do("end_row", "with_item", "row", 2, 99),
            do("end", "make", "row", "end_row", "row", "end_row"), Return(Local("end"))]  # fmt: skip
    variables = {each: kind for each, kind in KINDS.items() if each != "state"}
    made = function("body", {"state": STATE}, variables, BOARD, body)
    code = machine_code(made, (Known(),), ({"board": BOARD},))
    python, native = both(made, code, GIVEN)
    assert native == python
    assert python[0] != "Fault"
