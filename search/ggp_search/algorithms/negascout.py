"""NegaScout, also known as principal variation search: alpha-beta that expects the first action to be best."""

from math import ceil
from typing import ClassVar

import attrs

from ggp.game import MAX, Action, AnyGame, State
from ggp.options import option
from ggp_search.engine.driver import Find, aspiration_window
from ggp_search.engine.search import Best, Search
from ggp_search.engine.tree_searcher import TreeSearcher


def negascout(
    game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> Best:
    """Return a value of `state` and the best action, with the contract of `alphabeta`.

    Every action but the first is searched with a null window, to test whether it is better. If it is, it is searched
    again, with the bound from that test. With late-move reductions, late actions are tested less deep first; then the
    value is no longer that of minimax at this depth, unless it depends on no estimate. The same is true of futility.

    Source: A. Reinefeld, An improvement to the Scout tree search algorithm, ICCA Journal 6(4) (1983).
    """
    hopeless, bound = futile(game, search, state, depth, alpha, beta)
    if hopeless:
        return bound, choice
    place = 0
    if game.to_move(state) == MAX:
        best = search.lowest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            less = reduction(search, depth, place)
            child = search.value(successor, depth - 1 - less, alpha, beta if place == 0 else search.above(alpha))
            if less > 0 and child > alpha:
                child = search.value(successor, depth - 1, alpha, search.above(alpha))
            if place > 0 and alpha < child < beta and depth > 1:  # a leaf's value is exact
                child = max(child, search.value(successor, depth - 1, child, beta))
            place += 1
            best = max(best, child)
            if child > alpha:
                alpha, choice = child, action
                if alpha >= beta:
                    break  # MIN has a better option higher up
    else:
        best = search.highest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            less = reduction(search, depth, place)
            child = search.value(successor, depth - 1 - less, alpha if place == 0 else search.below(beta), beta)
            if less > 0 and child < beta:
                child = search.value(successor, depth - 1, search.below(beta), beta)
            if place > 0 and alpha < child < beta and depth > 1:
                child = min(child, search.value(successor, depth - 1, alpha, child))
            place += 1
            best = min(best, child)
            if child < beta:
                beta, choice = child, action
                if beta <= alpha:
                    break  # MAX has a better option higher up
    return best, choice


def reduction(search: Search, depth: int, place: int) -> int:
    """Return by how many plies less the action at this place, counted from 0, is tested: 1 if it is a late one."""
    late = search.options.reductions > 0 and place >= search.options.reductions
    # A search to the end of the game has nothing to save: it would meet the same states at other depths.
    return 1 if late and LEAST_REDUCED <= depth <= MOST_REDUCED else 0


def futile(game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float) -> tuple[bool, float]:
    """Return whether no action of a state, a ply above the leaves, seems good enough for its mover, and a bound of its
    value: the evaluation misses the window by as much as the option `futility` says.

    Source: J. Schaeffer, Experiments in search and knowledge, dissertation, University of Waterloo (1986).
    """
    if search.options.futility == 0 or depth != 1:
        return False, alpha
    estimate = search.glance(state)
    margin = ceil(search.options.futility) if isinstance(estimate, int) else search.options.futility
    bound = estimate + margin if game.to_move(state) == MAX else estimate - margin
    hopeless = bound <= alpha if game.to_move(state) == MAX else bound >= beta
    if hopeless:
        search.leaves += 1
        search.estimates += 1
    return hopeless, bound


LEAST_REDUCED = 3
"""Least depth at which late actions are tested by less: below it, hardly anything is left to search."""
MOST_REDUCED = 100
"""Greatest depth of the same kind."""


@attrs.frozen(kw_only=True)
class NegaScout(TreeSearcher):
    """NegaScout, or principal variation search: alpha-beta with null windows (Reinefeld 1983)."""

    name: ClassVar[str] = "negascout"
    page = staticmethod(negascout)
    find: ClassVar[Find] = staticmethod(aspiration_window)
    preference: ClassVar[int] = 9

    aspiration: float = option(
        0,
        "half the width of the window around the last value from which a depth is searched first; 0: the full window",
        minimum=0,
        maximum=1e6,
    )
    reductions: int = option(
        0,
        "number of actions after which others are first tested a ply less deep (late-move reductions); 0: none",
        minimum=0,
        maximum=1000,
    )
    futility: float = option(
        0,
        "how far an action can change the evaluation; a ply above the leaves, what misses the window by as much is left"
        " out; 0: nothing",
        minimum=0,
        maximum=1e6,
    )
    threads: int = option(1, "number of threads; used by compiled searches only", minimum=1, maximum=256)
