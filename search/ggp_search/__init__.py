"""The searchers of ggp, and what a searcher of one's own is made from."""

import importlib
from typing import TYPE_CHECKING, Any

import ggp

if TYPE_CHECKING:
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

_HOMES = {
    "mcts": ("MonteCarlo",),
    "parts": ("Compile", "Live", "Parts", "SearchStopped"),
    "random_choice": ("RandomChoice",),
    "searcher": ("TreeSearcher",),
    "searchers": ("AlphaBeta", "Expectiminimax", "Minimax", "Mtdf", "NegaScout", "Scout", "Star1", "Star2"),
}
"""The names of each module, which is imported when one of them is wanted: who lists games needs no searcher."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"ggp_search.{home}"), name)
    raise AttributeError(f"module 'ggp_search' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@ggp.hookimpl
def ggp_searchers() -> list[type]:
    """The searchers of this distribution."""
    from ggp_search.mcts import MonteCarlo
    from ggp_search.random_choice import RandomChoice
    from ggp_search.searchers import AlphaBeta, Expectiminimax, Minimax, Mtdf, NegaScout, Scout, Star1, Star2

    return [Minimax, AlphaBeta, Scout, NegaScout, Mtdf, Expectiminimax, Star1, Star2, MonteCarlo, RandomChoice]
