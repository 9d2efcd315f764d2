"""Alpha-beta that assumes that the players alternate."""

from math import inf


def alphabeta(game, state, depth, alpha=-inf, beta=inf, maximizing=True):
    """Return the value of a state to MAX."""
    if depth == 0 or game.terminal_test(state):
        return game.evaluate(state)
    if maximizing:
        value = -inf
        for action in game.actions(state):
            value = max(value, alphabeta(game, game.result(state, action), depth - 1, alpha, beta, False))
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, alphabeta(game, game.result(state, action), depth - 1, alpha, beta, True))
            beta = min(beta, value)
            if beta <= alpha:
                break
    return value
