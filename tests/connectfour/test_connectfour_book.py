"""The book that Connect Four ships: a strategy with which X wins against every reply."""

import pytest
from ggp_solve.proof.prover import new_prover

import ggp
from ggp.game import MAX, MIN
from ggp.opening_book import listed

GAME = ggp.load_registry().game("connectfour")
NODES = 2_000_000
"""Nodes with which the book was made."""


def outside(most):
    """Return what X's play by the book comes to, against every reply, in `most` moves of X: the positions that are left
    then, the number of those in the book, and those outside it, with X to move.
    """
    layer, inside, leaves = {GAME.initial_state()}, 0, set()
    for _ in range(most):
        following = set()
        for state in layer:
            known = listed(GAME, state)
            if not known:
                leaves.add(state)
                continue
            assert set(known.values()) == {1}
            inside += 1
            for action in known:
                after = GAME.result(state, action)
                assert not GAME.terminal_test(after)
                assert GAME.to_move(after) == MIN
                following |= {GAME.canonical(GAME.result(after, reply)) for reply in GAME.actions(after)}
        layer = following
        assert not any(GAME.terminal_test(state) for state in layer)  # O has won nowhere
    return layer, inside, leaves


def test_the_book_has_a_move_against_every_reply_and_ends_where_the_board_is_fuller():
    layer, inside, leaves = outside(10)
    assert layer == set()
    assert (inside, len(leaves)) == (250, 1206)
    assert {GAME.to_move(state) for state in leaves} == {MAX}


@pytest.mark.slow
def test_a_search_with_an_empty_table_proves_what_is_just_outside():
    _, _, leaves = outside(10)
    prover = new_prover(GAME, GAME.initial_state(), memory=64)
    for state in sorted(leaves)[::400]:
        prover.engine.search.table.clear()
        prover.control.allow(NODES)
        assert prover.at_least(state, 1)
