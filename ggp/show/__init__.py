"""Pictures of boards, search trees and search results. In a notebook, each is displayed as the value of a cell.

    from ggp.show import Analysis, Board

    Board(game, state)
    Analysis(game, state, searcher.analyse(game, state))

`ggp.show.tree.fold` builds the trees.
"""

from ggp.show.board import Board
from ggp.show.result_chart import Analysis

__all__ = ["Analysis", "Board"]
