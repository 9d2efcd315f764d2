"""Negamax with alpha-beta in Wikipedia's manner."""


def negamax(node, depth, alpha, beta, color):
    """Return the value of a node to the player to move."""
    if depth == 0 or node.is_terminal():
        return color * node.heuristic_value()
    value = float("-inf")
    for child in node.children:
        value = max(value, -negamax(child, depth - 1, -beta, -alpha, -color))
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return value
