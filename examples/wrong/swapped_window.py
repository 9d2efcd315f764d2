"""Negamax that passes the window on without swapping its bounds."""


class NegamaxAI:
    """A player that looks `depth` plies ahead."""

    def __init__(self, depth, scoring=None):
        self.depth = depth
        self.scoring = scoring or (lambda game: game.scoring())

    def __call__(self, game):
        """Return the best move."""
        best, move = float("-inf"), None
        for each in game.possible_moves():
            game.make_move(each)
            game.switch_player()
            score = -self.negamax(game, self.depth - 1, float("-inf"), -best)
            game.switch_player()
            game.unmake_move(each)
            if score > best:
                best, move = score, each
        return move

    def negamax(self, game, depth, alpha, beta):
        """Return the score for the player to move."""
        if depth == 0 or game.is_over():
            return self.scoring(game)
        best = float("-inf")
        for move in game.possible_moves():
            game.make_move(move)
            game.switch_player()
            best = max(best, -self.negamax(game, depth - 1, -alpha, -beta))
            game.switch_player()
            game.unmake_move(move)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
