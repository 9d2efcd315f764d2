"""Every construct comes to the same at both speeds, or is refused in a sentence with its line."""

import pytest
from constructs import CONSTRUCTS
from speeds import disagreements, kinds

from ggp import compiler
from ggp.compiler import core
from ggp.compiler.job import Job
from ggp.compiler.verifier import listing

COMPILED = [name for name, (_, _, refused) in CONSTRUCTS.items() if refused is None]
REFUSED = [name for name in CONSTRUCTS if name not in COMPILED]


@pytest.mark.parametrize("name", COMPILED)
def test_both_speeds_agree(name):
    function, rows, _ = CONSTRUCTS[name]
    assert disagreements(function, rows) == []


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_compiled_is_refused_with_its_line(name):
    function, rows, sentence = CONSTRUCTS[name]
    with pytest.raises(compiler.Refused, match=rf"^constructs\.py:\d+: .*{sentence}"):
        disagreements(function, rows)


def test_nested_loops_are_not_written_out_without_end():
    function, rows, _ = CONSTRUCTS["rows_of_a_board_by_places"]
    job = Job(function, tuple(kinds(rows)), None)
    functions = job.specialized()[0].lowered().functions()
    assert sum(core.size(each.body) for each in functions) < 5000


def test_a_text_that_is_filled_up_to_a_known_width_has_a_known_length():
    function, rows, _ = CONSTRUCTS["text_padding_of_known_length"]
    program, _ = Job(function, tuple(kinds(rows)), None).specialized()
    assert listing(program.function).splitlines()[0].endswith(" -> text of 8 letters")
