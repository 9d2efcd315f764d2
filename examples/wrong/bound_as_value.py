"""A player that chooses among moves of equal value, though some values are only bounds and the moves are worse."""


class AlphaBetaPlayer:
    """Plays a game by alpha-beta."""

    def __init__(self, game, depth):
        self.game = game
        self.depth = depth

    def choose(self, state):
        """Return the best move."""
        value, move = self._search(state, self.depth, float("-inf"), float("inf"))
        return move

    def _search(self, state, depth, alpha, beta):
        game = self.game
        if depth == 0 or game.terminal_test(state):
            return game.utility(state, 0), None
        best_move = None
        maximizing = game.to_move(state) == 0
        best = float("-inf") if maximizing else float("inf")
        for move in game.actions(state):
            value, _ = self._search(game.result(state, move), depth - 1, alpha, beta)
            if maximizing and value >= best:
                best, best_move, alpha = value, move, max(alpha, value)
            elif not maximizing and value < best:
                best, best_move, beta = value, move, min(beta, value)
            if alpha >= beta:
                break
        return best, best_move
