"""Expectiminimax: the value of a chance node is its expected value."""

from ggp import CHANCE, MAX


def expectiminimax(game, state, depth):
    """Return the expected value to MAX."""
    if game.terminal_test(state):
        return game.utility(state, MAX)
    if depth == 0:
        return game.evaluate(state)
    if game.to_move(state) == CHANCE:
        return sum(p * expectiminimax(game, game.result(state, o), depth - 1) for o, p in game.outcomes(state))
    values = [expectiminimax(game, game.result(state, a), depth - 1) for a in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)
