"""Alpha-beta in Wikipedia's manner (fail-soft): nodes with children, and a flag for the player."""


def alphabeta(node, depth, α, β, maximizingPlayer):
    """Return the value of a node."""
    if depth == 0 or node.is_terminal():
        return node.value
    if maximizingPlayer:
        value = float("-inf")
        for child in node.children:
            value = max(value, alphabeta(child, depth - 1, α, β, False))
            α = max(α, value)
            if value >= β:
                break
        return value
    value = float("inf")
    for child in node.children:
        value = min(value, alphabeta(child, depth - 1, α, β, True))
        β = min(β, value)
        if value <= α:
            break
    return value
