"""Moves that are worse because of extra turns: what is compared, and what comes of it in a few positions."""

import pytest

from benchmarks import turns
from benchmarks.ours import registry
from benchmarks.peers import easy_move

KALAH = registry().game("kalah")


@pytest.mark.parametrize("chooses", [turns.textbook, easy_move], ids=lambda each: each.__name__)
def test_searches_that_assume_alternation_choose_worse_moves_and_ours_never_does(chooses):
    drawn = turns.positions(KALAH, 30)
    assert len(set(drawn)) > 20
    assert any(turns.is_worse(KALAH, state, chooses(KALAH, state, 4), 4) for state in drawn)
    assert not any(turns.is_worse(KALAH, state, turns.ours(KALAH, state, 4), 4) for state in drawn)
