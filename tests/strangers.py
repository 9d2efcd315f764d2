"""Games as other people write them, which several tests play."""

AIMA = '''
from collections import namedtuple

GameState = namedtuple("GameState", "to_move, utility, board, moves")

class Game:
    def actions(self, state): raise NotImplementedError
    def result(self, state, move): raise NotImplementedError
    def utility(self, state, player): raise NotImplementedError
    def terminal_test(self, state): return not self.actions(state)
    def to_move(self, state): return state.to_move
    def display(self, state): print(state)

class Row(Game):
    """Two stones side by side in a row win."""
    def __init__(self, length=5):
        self.initial = GameState("X", 0, {}, list(range(length)))
    def actions(self, state): return state.moves
    def result(self, state, move):
        board = state.board.copy()
        board[move] = state.to_move
        won = any(board.get(each) == state.to_move for each in (move - 1, move + 1))
        utility = (1 if state.to_move == "X" else -1) if won else 0
        return GameState("O" if state.to_move == "X" else "X", utility, board, [m for m in state.moves if m != move])
    def utility(self, state, player): return state.utility if player == "X" else -state.utility
    def terminal_test(self, state): return state.utility != 0 or not state.moves
    def display(self, state): print("".join(state.board.get(n, ".") for n in range(5)))
'''
"""A game on the classes of the book "Artificial Intelligence: A Modern Approach"."""
