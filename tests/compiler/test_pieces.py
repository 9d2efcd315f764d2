"""A long function that is cut into pieces comes to the same, and stays short for LLVM."""

import random

import pytest
from constructs import CONSTRUCTS
from programs import inputs, made
from speeds import beyond, compile_for, compiled, disagreements, interpreted, same

from ggp import compiler
from ggp.compiler import core, pieces
from ggp.compiler.job import Job
from ggp.compiler.refusals import FAILS
from ggp.compiler.types import INT
from tests.compiler import random_core
from tests.compiler.closed import both, machine_code

COMPILED = [name for name, (_, _, refused) in CONSTRUCTS.items() if refused is None]


@pytest.fixture
def small(monkeypatch):
    """Cut every function of more than ten statements."""
    monkeypatch.setattr(pieces, "LONG", 10)
    monkeypatch.setattr(pieces, "PIECE", 6)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("first", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(1, 20))])
def test_constructs_in_pieces_come_to_the_same(first):
    for name in COMPILED[first::20]:
        function, rows, _ = CONSTRUCTS[name]
        assert disagreements(function, rows) == [], name


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("first", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(6, 120, 6))])
def test_programs_made_at_random_come_to_the_same_in_pieces(first):
    failed = []
    for seed in range(first, first + 6):
        program = made(seed)
        try:
            code = compile_for(program, inputs(seed))
        except compiler.Refused as refused:
            failed += [str(refused)] if FAILS in str(refused) else []
            continue
        for row in inputs(seed):
            want, got = interpreted(program, row), compiled(code, row)
            assert same(want, got) or (got.error == "Fault" and beyond(row, want)), seed
    assert failed == []


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("first", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(6, 120, 6))])
def test_closed_core_made_at_random_comes_to_the_same_in_pieces(first):
    for seed in range(first, first + 6):
        known, chance = random_core.Known(), random.Random(seed)
        whole, cut = random_core.program(seed), random_core.program(seed)
        code = machine_code(cut, (known,), (random_core.VARIABLES,))
        for _ in range(2):
            arguments = [random_core.constant(cut.variables[name], chance) for name in cut.parameters]
            vars(known).update(vars(random_core.Known()))
            python, native = both(whole, code, *arguments)
            assert python == native, seed


def long_text():
    """Return a function of 700 lines: some return, and a loop is long, whose rounds go on and end early."""
    lines = ["def program(a, b):", "    numbers = [a, b]"]
    for number in range(200):
        lines += [f"    a = (a * {number + 3} + b) % 10007", f"    if a == {number * 31}:"]
        lines += [f"        return a, {number}, b"]
    lines += ["    for number in range(3):"]
    for number in range(60):
        lines += [f"        b = (b + a * {number}) % 1009", "        numbers.append(b)"]
        if number % 20 == 19:
            lines += [
                f"        if b % 50 == {number}:",
                "            continue",
                "        if b == 5:",
                "            break",
            ]
    return "\n".join([*lines, "    return a, b, sum(numbers)", ""])


def test_a_long_function_stays_short_for_llvm():
    rows = [(a, b) for a in (0, 1, 5, 77, 9999) for b in (0, 3, 1000)]
    function = made(0, long_text())
    assert disagreements(function, rows) == []
    program = Job(function, (INT, INT), None).specialized()[0]
    whole = core.size(program.function.body)
    sizes = [core.size(each.body) for each in program.lowered().functions()]
    assert whole > 3 * pieces.PIECE
    assert max(sizes) < 2 * pieces.PIECE
