"""Negamax that asks who is to move, and so handles extra turns correctly."""

from math import inf


def negamax(game, state, depth, alpha, beta):
    """Return the value to the player to move."""
    player = game.to_move(state)
    if game.is_terminal(state) or depth == 0:
        return game.utility(state, player)
    best = -inf
    for move in game.legal_moves(state):
        child = game.result(state, move)
        if game.to_move(child) == player:
            score = negamax(game, child, depth - 1, alpha, beta)
        else:
            score = -negamax(game, child, depth - 1, -beta, -alpha)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
