"""The conformance kit, with which authors of plugins test games and searchers.

    import ggp.testing

    def test_the_game_keeps_its_promises():
        ggp.testing.check_game(Subtraction())

The kit consists of functions and strategies, not of base classes. Functions that draw examples need hypothesis (`pip
install 'ggp[testing]'`); `perft`, `perft_table`, `minimax_value`, `LayeredTree` and `random_tree` do not.

`promises` lists the promises, and `conformance` checks them for a game. Each kind of promises has a module, such as
`rule_promises`. `searchers` checks searchers. `reference` is the plain minimax that everything is compared with,
`trees` and `graphs` are random games, and `awkward` are games in which wrong shortcuts of a search are noticed.
"""

from ggp.testing.conformance import check_game
from ggp.testing.graphs import CyclicGraph, random_graph
from ggp.testing.perft_counts import perft, perft_table
from ggp.testing.promises import PROMISES, SEARCHER_PROMISES
from ggp.testing.reference import minimax_value
from ggp.testing.searchers import check_exact_searcher, check_searcher, check_searchers_agree
from ggp.testing.speeds import not_compiled
from ggp.testing.strategies import states, trees, walks
from ggp.testing.trees import LayeredTree, random_tree

__all__ = [
    "PROMISES",
    "SEARCHER_PROMISES",
    "CyclicGraph",
    "LayeredTree",
    "check_exact_searcher",
    "check_game",
    "check_searcher",
    "check_searchers_agree",
    "minimax_value",
    "not_compiled",
    "perft",
    "perft_table",
    "random_graph",
    "random_tree",
    "states",
    "trees",
    "walks",
]
