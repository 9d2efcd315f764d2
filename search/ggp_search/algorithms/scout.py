"""SCOUT: evaluate the first action, and test whether another action is better before evaluating it.

Source: J. Pearl, SCOUT: a simple game-searching algorithm with proven optimal properties, Proceedings of the First
Annual National Conference on Artificial Intelligence (1980). Pearl's two procedures are EVAL, which finds a value, and
TEST, which finds out whether the value is at least a bound. A test is a question with a null window.
"""

from typing import ClassVar

import attrs

from ggp.game import MAX, Action, AnyGame, State
from ggp_search.engine.search import Best, Search
from ggp_search.engine.tree_searcher import TreeSearcher


def scout(
    game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> Best:
    """Return the minimax value by EVAL or, if the window is a null window, the result of TEST."""
    if beta == search.above(alpha):
        return test(game, search, state, depth, beta, choice)
    return evaluate(game, search, state, depth, choice)


def evaluate(game: AnyGame, search: Search, state: State, depth: int, choice: Action | None) -> Best:
    """Return the minimax value of `state` at depth `depth`, and the best action (Pearl's EVAL)."""
    first = True
    if game.to_move(state) == MAX:
        best = search.lowest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            better = search.above(best)  # the least value greater than `best`
            if first or search.value(successor, depth - 1, best, better) >= better:
                best, choice = search.value(successor, depth - 1, search.lowest, search.highest), action
            first = False
    else:
        best = search.highest
        for action in search.order(state, depth, choice):
            successor = game.result(state, action)
            if first or search.value(successor, depth - 1, search.below(best), best) < best:
                best, choice = search.value(successor, depth - 1, search.lowest, search.highest), action
            first = False
    return best, choice


def test(game: AnyGame, search: Search, state: State, depth: int, bound: float, choice: Action | None) -> Best:
    """Return `bound` if the value of `state` is at least `bound`, otherwise the next lower value (Pearl's TEST)."""
    below = search.below(bound)
    if game.to_move(state) == MAX:
        for action in search.order(state, depth, choice):
            if search.value(game.result(state, action), depth - 1, below, bound) >= bound:
                return bound, action  # one action of MAX is enough
        return below, choice
    for action in search.order(state, depth, choice):
        if search.value(game.result(state, action), depth - 1, below, bound) < bound:
            return below, action  # one action of MIN is enough
    return bound, choice


@attrs.frozen(kw_only=True)
class Scout(TreeSearcher):
    """SCOUT: evaluates an action only if a test shows that it is better (Pearl 1980)."""

    name: ClassVar[str] = "scout"
    recursion = staticmethod(scout)
    preference: ClassVar[int] = 5
