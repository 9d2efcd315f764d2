"""Alpha-beta that begins with 0 as the best value found."""

from math import inf


def alphabeta(game, state, depth, alpha=-inf, beta=inf):
    """Return the value of a state to MAX."""
    if depth == 0 or game.terminal_test(state):
        return game.evaluate(state)
    if game.to_move(state) == 0:
        value = 0
        for action in game.actions(state):
            value = max(value, alphabeta(game, game.result(state, action), depth - 1, alpha, beta))
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    else:
        value = 0
        for action in game.actions(state):
            value = min(value, alphabeta(game, game.result(state, action), depth - 1, alpha, beta))
            beta = min(beta, value)
            if beta <= alpha:
                break
    return value
