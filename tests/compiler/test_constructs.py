"""Every construct comes to the same at both speeds, or is refused in a sentence with its line."""

import pytest
from constructs import CONSTRUCTS
from speeds import disagreements

from ggp import compiler

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
