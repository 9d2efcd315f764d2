"""The searchers of ggp, and base classes for new searchers.

`algorithms` has the recursions of the searchers, `engine` runs them, and `memory` has their tables and trees. `tracing`
records the steps of a search; `tablebases` and `book_answer` give values without a search.
"""

import importlib
from typing import TYPE_CHECKING

import ggp

if TYPE_CHECKING:
    from ggp_search.algorithms.alphabeta import AlphaBeta
    from ggp_search.algorithms.dfpn import DfPn
    from ggp_search.algorithms.expectiminimax import Expectiminimax
    from ggp_search.algorithms.flat import Flat
    from ggp_search.algorithms.mcts import MonteCarlo
    from ggp_search.algorithms.minimax import Minimax
    from ggp_search.algorithms.mtdf import Mtdf
    from ggp_search.algorithms.negascout import NegaScout
    from ggp_search.algorithms.quiescence import Quiescence
    from ggp_search.algorithms.random import RandomChoice
    from ggp_search.algorithms.scout import Scout
    from ggp_search.algorithms.star import Star1, Star2
    from ggp_search.engine.search import Search, SearchStopped
    from ggp_search.engine.tree_searcher import TreeSearcher
    from ggp_search.memory.allocator import Allocator

__all__ = [
    "Allocator",
    "AlphaBeta",
    "DfPn",
    "Expectiminimax",
    "Flat",
    "Minimax",
    "MonteCarlo",
    "Mtdf",
    "NegaScout",
    "Quiescence",
    "RandomChoice",
    "Scout",
    "Search",
    "SearchStopped",
    "Star1",
    "Star2",
    "TreeSearcher",
]

_HOMES = {
    "algorithms.minimax": ("Minimax",),
    "algorithms.alphabeta": ("AlphaBeta",),
    "algorithms.scout": ("Scout",),
    "algorithms.negascout": ("NegaScout",),
    "algorithms.mtdf": ("Mtdf",),
    "algorithms.expectiminimax": ("Expectiminimax",),
    "algorithms.star": ("Star1", "Star2"),
    "algorithms.quiescence": ("Quiescence",),
    "algorithms.dfpn": ("DfPn",),
    "algorithms.mcts": ("MonteCarlo",),
    "algorithms.flat": ("Flat",),
    "algorithms.random": ("RandomChoice",),
    "engine.search": ("Search", "SearchStopped"),
    "engine.tree_searcher": ("TreeSearcher",),
    "memory.allocator": ("Allocator",),
}
"""For each module, the names that it provides. A module is imported only when one of its names is used, so that listing
games is fast.
"""


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"ggp_search.{home}"), name)
    raise AttributeError(f"module 'ggp_search' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@ggp.hookimpl
def ggp_searchers() -> list[type]:
    """Return the searchers of this distribution."""
    homes = [(home, names) for home, names in _HOMES.items() if home.startswith("algorithms.")]
    return [getattr(importlib.import_module(f"ggp_search.{home}"), name) for home, names in homes for name in names]


@ggp.hookimpl
def ggp_evaluation(game: ggp.game.AnyGame, name: str) -> ggp.Evaluation | None:
    """Return the evaluation `learned` or `learned:FILE`; None for any other name."""
    if name.partition(":")[0] != "learned":
        return None
    return importlib.import_module("ggp_search.learned.evaluation").learned(game, name)


@ggp.hookimpl
def ggp_best_evaluation(game: ggp.game.AnyGame) -> str | None:
    """Return `learned` if there are learned weights for the game."""
    if importlib.import_module("ggp_search.learned.weights_path").learned_path(game) is None:
        return None
    name: str | None = importlib.import_module("ggp_search.learned.evaluation").usable(game)
    return name
