"""Alpha-beta: minimax that leaves out nodes that cannot change the value, in the fail-soft form."""

from typing import ClassVar

import attrs

from ggp.game import MAX, Action, AnyGame, State
from ggp.options import option
from ggp_search.engine.driver import Find, aspiration_window
from ggp_search.engine.search import Best, Search
from ggp_search.engine.tree_searcher import TreeSearcher


def alphabeta(
    game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> Best:
    """Return a value v of `state`, and the best action; m is the minimax value of `state`, `depth` plies ahead.

    v == m            if alpha < m < beta    (exact inside the window),
    m <= v <= alpha   if m <= alpha          (an upper bound below it),
    beta <= v <= m    if m >= beta           (a lower bound above it).

    alpha and beta are the values that MAX and MIN can already guarantee higher up in the tree. `choice` is the best
    action known so far.

    Source: D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975);
    fail-soft: J. P. Fishburn, Another optimization of alpha-beta search, SIGART Newsletter 84 (1983).
    """
    if game.to_move(state) == MAX:
        best = search.lowest
        for action in search.order(state, depth, choice):
            child = search.value(game.result(state, action), depth - 1, alpha, beta)
            if child > best:
                best = child
            if child > alpha:
                alpha, choice = child, action
                if alpha >= beta:
                    break  # MIN has a better option higher up
    else:
        best = search.highest
        for action in search.order(state, depth, choice):
            child = search.value(game.result(state, action), depth - 1, alpha, beta)
            if child < best:
                best = child
            if child < beta:
                beta, choice = child, action
                if beta <= alpha:
                    break  # MAX has a better option higher up
    return best, choice


@attrs.frozen(kw_only=True)
class AlphaBeta(TreeSearcher):
    """Alpha-beta, fail-soft: minimax without the nodes that cannot change the value (Knuth and Moore 1975)."""

    name: ClassVar[str] = "alphabeta"
    recursion = staticmethod(alphabeta)
    find: ClassVar[Find] = staticmethod(aspiration_window)
    preference: ClassVar[int] = 10

    aspiration: float = option(
        0,
        "half the width of the first window at each depth, around the value of the previous depth; 0: the full window",
        minimum=0,
        maximum=1e6,
    )
    threads: int = option(1, "number of threads; used by compiled searches only", minimum=1, maximum=256)
