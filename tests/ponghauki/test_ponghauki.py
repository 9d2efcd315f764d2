"""Pong Hau K'i."""

import pytest
from ggp_ponghauki import PongHauKi

import ggp
from ggp.testing import check_game

GAME = PongHauKi()


def test_the_game_keeps_its_promises():
    check_game(GAME, examples=30)


@pytest.mark.parametrize(
    ("before", "action", "after"),
    [
        ("OO/./XX X", "a1", "OO/X/.X O"),
        ("OO/X/.X O", "a3", ".O/X/OX X"),
        (".O/X/OX X", "b2", "XO/./OX O"),
    ],
)
def test_a_stone_moves_to_the_free_point(before, action, after):
    state = GAME.parse_state(before)
    assert GAME.format_state(GAME.result(state, GAME.parse_action(state, action))) == after


def test_the_two_above_are_not_joined():
    state = GAME.parse_state(".O/X/XO O")
    assert list(GAME.actions(state)) == []
    assert GAME.terminal_test(state)
    assert (GAME.utility(state, ggp.MAX), GAME.utility(state, ggp.MIN)) == (1, -1)


def test_mirror_images_have_one_canonical_state():
    state = GAME.parse_state("OX/./XO X")
    mirrored = GAME.parse_state("XO/./OX X")
    assert GAME.canonical(state) == GAME.canonical(mirrored) in (state, mirrored)


@pytest.mark.parametrize("text", ["", "OO/./XX", "OO/./XX W", "OO/./XXX X", "O/O./XX X", "OX/./XX X"])
def test_wrong_positions_are_refused(text):
    with pytest.raises(ggp.NotationError):
        GAME.parse_state(text)


def test_a_move_that_is_not_legal_is_refused_with_those_that_are():
    with pytest.raises(ggp.IllegalActionError, match=r"a3 cannot be played in OO/\./XX X: first can play a1, c1"):
        GAME.parse_action(GAME.initial_state(), "a3")
