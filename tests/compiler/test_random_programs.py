"""Programs made at random come to the same at both speeds."""

import programs
import pytest
import rich_programs
from programs import written
from speeds import beyond, compile_for, compiled, interpreted, same

from ggp import compiler

PROGRAMS = 240
BATCH = 20
MOST_REFUSED = 0.2
"""The share of programs that may be refused (measured: 0.05 to 0.08 of 1000)."""


def disagreement(seed, generator=programs):
    """Return how the two speeds differ on a program; None if they do not, "refused" where it is not compiled."""
    program, rows = generator.made(seed), generator.inputs(seed)
    asks = generator is rich_programs  # Python is asked for texts that are made at run time
    try:
        code = compile_for(program, rows)
    except compiler.Refused as refused:
        return "refused" if refused.line or "never returns" in str(refused) else f"refused without a line: {refused}"
    for row in rows:
        want, got = interpreted(program, row), compiled(code, row)
        if not same(want, got) and not (got.error == "Fault" and (asks or beyond(row, want))):
            return f"{row}: {want} interpreted, {got} compiled, in\n{generator.written(seed)}"
    return None


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
def test_both_speeds_agree_on_programs_made_at_random(first):
    found = [disagreement(seed) for seed in range(first, first + BATCH)]
    assert [each for each in found if each not in (None, "refused")] == []
    assert found.count("refused") <= MOST_REFUSED * BATCH


@pytest.mark.parametrize(
    "first", [pytest.param(each, marks=[pytest.mark.slow] * (each > 0)) for each in range(0, PROGRAMS, BATCH)]
)
def test_both_speeds_agree_on_programs_with_classes_texts_and_dictionaries(first):
    found = [disagreement(seed, rich_programs) for seed in range(first, first + BATCH)]
    assert [each for each in found if each not in (None, "refused")] == []
    assert found.count("refused") <= MOST_REFUSED * BATCH


def test_a_program_of_a_seed_is_always_the_same():
    assert written(7) == written(7)
    assert written(7) != written(8)
