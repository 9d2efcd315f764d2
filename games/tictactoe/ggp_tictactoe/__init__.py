"""Tic-tac-toe, a plugin of ggp: any board, any number in a row."""

import ggp
from ggp_tictactoe.game import TicTacToe

__all__ = ["TicTacToe"]


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [TicTacToe]
