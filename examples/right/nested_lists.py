"""Alpha-beta on a tree written as nested lists."""


def alphabeta(tree, alpha, beta, maximizing):
    """Return the value of a tree; a number is a leaf."""
    if not isinstance(tree, list):
        return tree
    best = float("-inf") if maximizing else float("inf")
    for branch in tree:
        value = alphabeta(branch, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if beta <= alpha:
            break
    return best
