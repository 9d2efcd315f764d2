"""Expectiminimax that lets MAX choose the outcome."""

from ggp import MAX, MIN


def expectiminimax(game, state, depth):
    """Return the expected value to MAX."""
    if game.terminal_test(state):
        return game.utility(state, MAX)
    if depth == 0:
        return game.evaluate(state)
    values = [expectiminimax(game, game.result(state, a), depth - 1) for a in game.actions(state)]
    return min(values) if game.to_move(state) == MIN else max(values)
