"""Alpha-beta with quiescence search: lines with noisy moves are extended beyond the depth limit."""

from collections.abc import Callable
from typing import ClassVar

import attrs

from ggp.game import MAX, CapableGame, State
from ggp.options import option
from ggp_search.algorithms.alphabeta import AlphaBeta, alphabeta
from ggp_search.engine.search import Search


def quiescence(game: CapableGame, search: Search, state: State, depth: int, alpha: float, beta: float) -> float:
    """Return a value of `state` at the depth limit or beyond it, with the contract of `alphabeta`.

    Here m is the value of another game: the player to move may choose a move that is not quiet, or stop and get the
    estimate of the state. The game says which moves are quiet: they hardly change the estimate.

    Source: L. R. Harris, The heuristic search and the game of chess, IJCAI 1975; D. F. Beal, A generalised quiescence
    search algorithm, Artificial Intelligence 43 (1990).
    """
    # "Stand pat": the mover may stop here, so the estimate is a bound of the value.
    best = search.evaluate(state)
    if depth <= -search.options.extension:
        return best
    if game.to_move(state) == MAX:
        alpha = max(alpha, best)
        for action in game.actions(state):
            if alpha >= beta:
                break
            if not game.quiet(state, action):
                best = max(best, search.value(game.result(state, action), depth - 1, alpha, beta))
                alpha = max(alpha, best)
    else:
        beta = min(beta, best)
        for action in game.actions(state):
            if alpha >= beta:
                break
            if not game.quiet(state, action):
                best = min(best, search.value(game.result(state, action), depth - 1, alpha, beta))
                beta = min(beta, best)
    return best


@attrs.frozen(kw_only=True)
class Quiescence(AlphaBeta):
    """Alpha-beta with quiescence search: extends lines by captures and the like (Harris 1975)."""

    name: ClassVar[str] = "quiescence"
    recursion = staticmethod(alphabeta)
    horizon: ClassVar[Callable[..., float]] = staticmethod(quiescence)
    preference: ClassVar[int] = 0

    extension: int = option(16, "greatest number of plies beyond the depth limit", minimum=0, maximum=1000)
