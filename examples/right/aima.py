"""Alpha-beta in AIMA's manner: two functions call each other, down to the end of the game."""

from math import inf


def alpha_beta_search(state, game):
    """Return the best action."""
    player = game.to_move(state)

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        v = -inf
        for a in game.actions(state):
            v = max(v, min_value(game.result(state, a), alpha, beta))
            if v >= beta:
                return v
            alpha = max(alpha, v)
        return v

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        v = inf
        for a in game.actions(state):
            v = min(v, max_value(game.result(state, a), alpha, beta))
            if v <= alpha:
                return v
            beta = min(beta, v)
        return v

    best_score, best_action = -inf, None
    for a in game.actions(state):
        v = min_value(game.result(state, a), best_score, inf)
        if v > best_score:
            best_score, best_action = v, a
    return best_action
