"""Pictures of boards, search trees and search results. In a notebook, a cell whose value is such a picture displays it.

    from ggp.show import Analysis, Board

    Board(game, state)
    Analysis(game, state, searcher.analyse(game, state))

Boards: `scene_text` prints a board, `board_svg` draws it, `motion` animates a move. Trees: `search_tree` builds a tree
from the events of a search, `tree_layout` and `tree_marks` lay it out; `tree_text`, `tree_svg`, `tree_dot` and
`tree_html` show it, step by step with the sentences of `tree_story`. Charts: `line_chart` draws curves, and
`result_chart` draws the bars of moves. `document` makes a page that is one file; `value_text` and `effects` put values
and moves into words.
"""

from ggp.show.board import Board
from ggp.show.result_chart import Analysis

__all__ = ["Analysis", "Board"]
