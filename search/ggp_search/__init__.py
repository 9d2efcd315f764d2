"""The searchers of ggp, and what a searcher of one's own is made from."""

import ggp
from ggp_search.parts import Compile, Live, Parts, SearchStopped
from ggp_search.random_choice import RandomChoice
from ggp_search.searcher import TreeSearcher
from ggp_search.searchers import AlphaBeta, Expectiminimax, Minimax, NegaScout, Scout, Star1, Star2

__all__ = [
    "AlphaBeta",
    "Compile",
    "Expectiminimax",
    "Live",
    "Minimax",
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
    return [Minimax, AlphaBeta, Scout, NegaScout, Expectiminimax, Star1, Star2, RandomChoice]
