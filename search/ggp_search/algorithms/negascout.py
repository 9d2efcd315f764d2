"""NegaScout, also known as principal variation search: alpha-beta that expects the first action to be best."""

from typing import ClassVar

import attrs

from ggp.game import MAX, Action, AnyGame, State
from ggp.options import option
from ggp_search.engine.search import Best, Search
from ggp_search.engine.tree_searcher import TreeSearcher


def negascout(
    game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> Best:
    """Return a value of `state` and the best action, with the contract of `alphabeta`.

    Every action but the first is searched with a null window, to test whether it is better. If it is, it is searched
    again, with the bound from that test.

    Source: A. Reinefeld, An improvement to the Scout tree search algorithm, ICCA Journal 6(4) (1983).
    """
    first = True
    if game.to_move(state) == MAX:
        best = search.lowest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            child = search.value(successor, depth - 1, alpha, beta if first else search.above(alpha))
            if not first and alpha < child < beta and depth > 1:  # a leaf's value is exact
                child = max(child, search.value(successor, depth - 1, child, beta))
            first = False
            best = max(best, child)
            if child > alpha:
                alpha, choice = child, action
                if alpha >= beta:
                    break  # MIN has a better option higher up
    else:
        best = search.highest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            child = search.value(successor, depth - 1, alpha if first else search.below(beta), beta)
            if not first and alpha < child < beta and depth > 1:
                child = min(child, search.value(successor, depth - 1, alpha, child))
            first = False
            best = min(best, child)
            if child < beta:
                beta, choice = child, action
                if beta <= alpha:
                    break  # MAX has a better option higher up
    return best, choice


@attrs.frozen(kw_only=True)
class NegaScout(TreeSearcher):
    """NegaScout, or principal variation search: alpha-beta with null windows (Reinefeld 1983)."""

    name: ClassVar[str] = "negascout"
    page = staticmethod(negascout)
    preference: ClassVar[int] = 9

    threads: int = option(1, "number of threads; used by compiled searches only", minimum=1, maximum=256)
