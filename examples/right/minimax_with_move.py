"""Minimax that returns a value and a move."""


def minimax(game, state, depth):
    """Return the value to MAX and the best move."""
    if game.terminal_test(state):
        return game.utility(state, 0), None
    if depth == 0:
        return game.evaluate(state), None
    sign = 1 if game.to_move(state) == 0 else -1
    return max(
        ((minimax(game, game.result(state, action), depth - 1)[0], action) for action in game.actions(state)),
        key=lambda pair: sign * pair[0],
    )
