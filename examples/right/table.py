"""Alpha-beta with a transposition table that distinguishes bounds from exact values."""

from math import inf


def alphabeta(game, state, depth, alpha=-inf, beta=inf, table=None):
    """Return the value of a state to MAX."""
    if depth == 0 or game.terminal_test(state):
        return game.evaluate(state)
    table = {} if table is None else table
    least, most = table.get((state, depth), (-inf, inf))
    if least >= beta or least == most:
        return least
    if most <= alpha:
        return most
    low, high = alpha, beta
    if game.to_move(state) == 0:
        value = -inf
        for action in game.actions(state):
            value = max(value, alphabeta(game, game.result(state, action), depth - 1, low, high, table))
            low = max(low, value)
            if low >= high:
                break
    else:
        value = inf
        for action in game.actions(state):
            value = min(value, alphabeta(game, game.result(state, action), depth - 1, low, high, table))
            high = min(high, value)
            if low >= high:
                break
    table[state, depth] = value if value > alpha else -inf, value if value < beta else inf
    return value
