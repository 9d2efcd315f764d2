"""States before the root, in games that repeat."""

import pytest

import ggp
from ggp import repetition
from ggp.frozen_games import playable


class Stack:
    """Put a stone on a stack or take one away; three stones end the game."""

    name = "stack"
    repetition = "draw"

    def initial_state(self):
        return (ggp.MAX, [])

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return ["put", "take"] if state[1] else ["put"]

    def result(self, state, action):
        mover, stones = state
        if action == "put":
            stones.append(mover)
        else:
            stones.pop()
        return (1 - mover, stones)

    def terminal_test(self, state):
        return len(state[1]) == 3

    def utility(self, state, player):
        value = sum(1 if each == ggp.MAX else -1 for each in state[1])
        return value if player == ggp.MAX else -value


@pytest.mark.slow
@pytest.mark.parametrize("moves", ["", "put", "put take", "put put take", "put put take take"])
def test_machine_code_meets_them_again_though_lists_grow(moves):
    game = playable(Stack())
    states = [game.initial_state()]
    for move in moves.split():
        states.append(game.result(states[-1], move))
    found = {}
    for speed in ("interpreted", "compiled"):
        searcher = ggp.load_registry().searcher("minimax", table=0, ordering="none", speed=speed)
        with repetition.played_before(states[:-1]):
            result = searcher.search(game, states[-1], ggp.Limits(depth=8))
        found[speed] = result.value, result.statistics.nodes
    assert found["compiled"] == found["interpreted"]
