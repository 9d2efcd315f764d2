"""Tic-tac-toe, a plugin of ggp: any board, any number in a row."""

from ggp_tictactoe.game import TicTacToe

__all__ = ["TicTacToe"]
