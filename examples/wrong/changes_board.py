"""Tic-tac-toe whose minimax changes the board itself, and not a copy."""

import copy
import math

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """Return the empty board."""
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    """Return who has the next turn."""
    count = sum(cell is not EMPTY for row in board for cell in row)
    return X if count % 2 == 0 else O


def actions(board):
    """Return the set of all possible actions."""
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board, action):
    """Return the board after an action."""
    i, j = action
    after = copy.deepcopy(board)
    after[i][j] = player(board)
    return after


def winner(board):
    """Return the winner, if there is one."""
    lines = [*board, *zip(*board), [board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    return next((line[0] for line in lines if line[0] and len(set(line)) == 1), None)


def terminal(board):
    """Return whether the game is over."""
    return winner(board) is not None or all(cell is not EMPTY for row in board for cell in row)


def utility(board):
    """Return 1, -1 or 0."""
    return {X: 1, O: -1}.get(winner(board), 0)


def minimax(board):
    """Return the optimal action for the current player."""
    if terminal(board):
        return None
    if player(board) == X:
        return max(actions(board), key=lambda action: min_value(board.remove(action) or board))
    return min(actions(board), key=lambda action: max_value(result(board, action)))


def value_of(board):
    """Return the value of the board, whichever player is to move."""
    return max_value(board) if player(board) == X else min_value(board)


def max_value(board):
    """Return the value if X is to move."""
    if terminal(board):
        return utility(board)
    if player(board) != X:
        return min_value(board)
    best = -math.inf
    for action in actions(board):
        best = max(best, value_of(result(board, action)))
    return best


def min_value(board):
    """Return the value if O is to move."""
    if terminal(board):
        return utility(board)
    if player(board) != O:
        return max_value(board)
    best = math.inf
    for action in actions(board):
        best = min(best, value_of(result(board, action)))
    return best
