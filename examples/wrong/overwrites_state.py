"""Alpha-beta that plays the second action from the state after the first action."""

from math import inf


def alphabeta(game, state, depth, alpha=-inf, beta=inf):
    """Return the value of a state to MAX."""
    if depth == 0 or game.terminal_test(state):
        return game.evaluate(state)
    if game.to_move(state) == 0:
        value = -inf
        for action in game.actions(state):
            state = game.result(state, action)
            value = max(value, alphabeta(game, state, depth - 1, alpha, beta))
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    else:
        value = inf
        for action in game.actions(state):
            state = game.result(state, action)
            value = min(value, alphabeta(game, state, depth - 1, alpha, beta))
            beta = min(beta, value)
            if beta <= alpha:
                break
    return value
