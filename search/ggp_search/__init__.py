"""The searchers of ggp, and what a searcher of one's own is made from."""

import ggp
from ggp_search.mcts import MonteCarlo
from ggp_search.parts import Compile, Live, Parts, SearchStopped
from ggp_search.random_choice import RandomChoice
from ggp_search.searcher import TreeSearcher
from ggp_search.searchers import AlphaBeta, Expectiminimax, Minimax, Mtdf, NegaScout, Scout, Star1, Star2

__all__ = [
    "AlphaBeta",
    "Compile",
    "Expectiminimax",
    "Live",
    "Minimax",
    "MonteCarlo",
    "Mtdf",
    "NegaScout",
    "Parts",
    "RandomChoice",
    "Scout",
    "SearchStopped",
    "Star1",
    "Star2",
    "TreeSearcher",
]


@ggp.hookimpl
def ggp_searchers() -> list[type]:
    """The searchers of this distribution."""
    return [Minimax, AlphaBeta, Scout, NegaScout, Mtdf, Expectiminimax, Star1, Star2, MonteCarlo, RandomChoice]
