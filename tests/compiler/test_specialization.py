"""Functions specialized from open core to closed core come to the same as in Python."""

import contextlib
import inspect

import pytest
from aliased import ALIASED
from constructs import CONSTRUCTS, USUAL
from programs import inputs
from programs import made as random_program
from samples import sampled
from speeds import Outcome, beyond, compiled, interpreted, kinds, plain, same
from spelled import ROWS, SPELLED

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


def differences(function, rows):
    """Return each row for which machine code by way of core comes to something else than Python."""
    code, found = machine_code(function, rows), []
    for row in rows:
        want, got = interpreted(function, row), compiled(code, row)
        got = Outcome(plain(got.value), got.error)
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
        *(pytest.param(range(first, first + BATCH), marks=pytest.mark.slow) for first in range(0, 600, BATCH)),
    ],
    ids=str,
)
def test_random_programs_come_to_the_same_or_are_refused(seeds):
    for seed in seeds:
        with contextlib.suppress(Refused):
            assert (seed, differences(random_program(seed), inputs(seed))) == (seed, [])
