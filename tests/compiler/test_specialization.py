"""Functions specialized from open core to closed core come to the same as in Python."""

import inspect

import pytest
from constructs import CONSTRUCTS
from speeds import Outcome, beyond, compiled, interpreted, kinds, plain, same

from ggp.compiler import machine
from ggp.compiler.closed_program import ClosedProgram
from ggp.compiler.compiled_code import Code
from ggp.compiler.types import with_texts
from ggp.compiler.values import Refused
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
        return Code(made.result, tuple(kinds(rows)), {}, tuple(program.errors), made.words, program.uses_arena,
                    machine.Loaded(code), ())  # fmt: skip

    return with_texts(make, Refused)


@pytest.mark.parametrize("name", sorted(CONSTRUCTS))
def test_a_construct_comes_to_the_same_or_is_refused(name):
    function, rows, refused = CONSTRUCTS[name]
    try:
        code = machine_code(function, rows)
    except Refused:
        assert refused is not None
        return
    for row in rows:
        want, got = interpreted(function, row), compiled(code, row)
        got = Outcome(plain(got.value), got.error)
        assert same(want, got) or (got.error == "Fault" and beyond(row, want)), f"{row}: {want}, {got}"
