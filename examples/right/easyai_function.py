"""Negamax in the manner of easyAI's function: it copies the game, and stores the move in the game."""


def negamax(game, depth, origDepth, scoring, alpha=float("-inf"), beta=float("inf"), tt=None):
    """Return the score for the player to move, and set `game.ai_move` at the root."""
    if depth == 0 or game.is_over():
        return scoring(game)
    best_value = float("-inf")
    for move in game.possible_moves():
        child = game.copy()
        child.make_move(move)
        child.switch_player()
        value = -negamax(child, depth - 1, origDepth, scoring, -beta, -alpha, tt)
        if value > best_value:
            best_value = value
            if depth == origDepth:
                game.ai_move = move
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best_value
