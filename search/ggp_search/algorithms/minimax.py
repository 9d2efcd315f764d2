"""Minimax: the value of best play, found by visiting every state."""

from typing import ClassVar

import attrs

from ggp.game import MAX, Action, AnyGame, State
from ggp_search.engine.search import Best, Search
from ggp_search.engine.tree_searcher import TreeSearcher


def minimax(game: AnyGame, search: Search, state: State, depth: int, choice: Action | None) -> Best:
    """Return the minimax value of `state` at depth `depth`, and the first action with that value.

    Source: J. von Neumann, Zur Theorie der Gesellschaftsspiele, Mathematische Annalen 100 (1928); as a program,
    C. E. Shannon, Programming a computer for playing chess, Philosophical Magazine 41 (1950).
    """
    if game.to_move(state) == MAX:
        best = search.lowest
        for action in search.order(state, depth, choice):
            child = search.value(game.result(state, action), depth - 1)
            if child > best:
                best, choice = child, action
    else:
        best = search.highest
        for action in search.order(state, depth, choice):
            child = search.value(game.result(state, action), depth - 1)
            if child < best:
                best, choice = child, action
    return best, choice


@attrs.frozen(kw_only=True)
class Minimax(TreeSearcher):
    """Minimax: visits every node down to the depth limit (Shannon 1950)."""

    name: ClassVar[str] = "minimax"
    recursion = staticmethod(minimax)
    windowed: ClassVar[bool] = False
    preference: ClassVar[int] = 1
