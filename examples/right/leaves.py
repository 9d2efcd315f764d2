"""Alpha-beta on the leaves of a full binary tree of three plies, as on many web pages."""

MAX, MIN = 1000, -1000


def minimax(depth, nodeIndex, maximizingPlayer, values, alpha, beta):
    """Return the value of node `nodeIndex` among the nodes at `depth`, counted from the left."""
    if depth == 3:
        return values[nodeIndex]
    best = MIN if maximizingPlayer else MAX
    for i in range(2):
        value = minimax(depth + 1, nodeIndex * 2 + i, not maximizingPlayer, values, alpha, beta)
        if maximizingPlayer:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if beta <= alpha:
            break
    return best
