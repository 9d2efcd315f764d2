"""The effect of a move in words, where the game does not tell it: by the boards before and after it."""

import pytest

import ggp
from ggp.show.effects import effect

REGISTRY = ggp.load_registry()

MOVES = {
    "a capture": ("hexapawn", "a1-a2", "b3xa2", "captures a piece"),
    "no effect": ("hexapawn", "", "a1-a2", ""),
    "a box closed": ("dotsandboxes", "a1-b1,a2-b2,a1-a2", "b1-b2", "gains 1 box and moves again"),
    "a man jumped over": ("checkers", "11-15,22-18,15x22,25x18,12-16,18-14", "9x18", "captures a piece"),
    "discs of Othello": ("othello", "", "d3", "gains 2 discs"),
    "told by the game": ("nim", "", "2:3", "takes 3 stones of heap 2"),
    "a single player": ("pancakes", "", "3", ""),
}


@pytest.mark.parametrize("case", MOVES)
def test_what_a_move_does_is_seen_by_the_boards(case):
    name, earlier, text, words = MOVES[case]
    game = REGISTRY.game(name)
    state = game.initial_state()
    for each in filter(None, earlier.split(",")):
        state = game.result(state, game.parse_action(state, each))
    assert effect(game, state, game.parse_action(state, text)) == words


def test_the_die_gains_nothing():
    game = REGISTRY.game("pig")
    state = game.initial_state()
    state = game.result(state, game.parse_action(state, "roll"))
    assert game.to_move(state) == ggp.CHANCE
    assert [effect(game, state, action) for action, _ in game.outcomes(state)] == [""] * 6
