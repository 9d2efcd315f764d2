"""A list with two names is one list, as in Python; what other calls or the caller would see is not changed."""

import pytest
from aliased import ALIASED
from constructs import USUAL
from speeds import disagreements

from ggp import compiler

ROWS = USUAL[:4]


@pytest.mark.parametrize("name", [name for name, (_, sentence) in ALIASED.items() if sentence is None])
def test_both_speeds_agree(name):
    assert disagreements(ALIASED[name][0], ROWS) == []


@pytest.mark.parametrize("name", [name for name, (_, sentence) in ALIASED.items() if sentence is not None])
def test_what_is_not_compiled_is_refused_with_its_line(name):
    function, sentence = ALIASED[name]
    with pytest.raises(compiler.Refused, match=rf"^aliased\.py:\d+: .*{sentence}"):
        disagreements(function, ROWS)
