"""A list with two names is refused where it is changed; a list of its own is not."""

import pytest
from aliased import ALIASED
from constructs import USUAL
from speeds import disagreements

from ggp import compiler

ROWS = USUAL[:4]


@pytest.mark.parametrize("name", [name for name, (_, sentence) in ALIASED.items() if sentence is None])
def test_lists_of_their_own_agree(name):
    assert disagreements(ALIASED[name][0], ROWS) == []


@pytest.mark.parametrize("name", [name for name, (_, sentence) in ALIASED.items() if sentence is not None])
def test_lists_with_two_names_are_refused(name):
    function, sentence = ALIASED[name]
    with pytest.raises(compiler.Refused, match=rf"^aliased\.py:\d+: .*{sentence}"):
        disagreements(function, ROWS)
