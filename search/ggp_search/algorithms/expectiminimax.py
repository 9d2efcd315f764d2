"""Expectiminimax: minimax for games with chance, where the value of a chance node is its expectation."""

from typing import ClassVar

import attrs

from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp_search.engine.search import Best, Search
from ggp_search.engine.tree_searcher import TreeSearcher


def expectiminimax(game: AnyGame, search: Search, state: State, depth: int, choice: Action | None) -> Best:
    """Return the expected value of best play from `state` at depth `depth`, and the first best action.

    Source: D. Michie, Game-playing and game-learning automata, in Advances in Programming and Non-Numerical
    Computation (1966).
    """
    mover = game.to_move(state)
    if mover == CHANCE:
        best = 0.0
        for outcome, probability in search.outcomes(state):
            best += probability * search.value(game.result(state, outcome), depth - 1)
    elif mover == MAX:
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
class Expectiminimax(TreeSearcher):
    """Expectiminimax: minimax with expected values at chance nodes (Michie 1966)."""

    name: ClassVar[str] = "expectiminimax"
    recursion = staticmethod(expectiminimax)
    windowed: ClassVar[bool] = False
    serves_chance: ClassVar[bool] = True
    preference: ClassVar[int] = 1
