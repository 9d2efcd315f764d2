"""Star1 and Star2: alpha-beta for games with chance, using bounds of all leaves.

Source: B. W. Ballard, The `*-minimax` search procedure for trees containing chance nodes, Artificial Intelligence 21
(1983).
"""

from typing import ClassVar

import attrs

from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp_search.algorithms.alphabeta import alphabeta
from ggp_search.constants import HUGE
from ggp_search.engine.search import Best, Search
from ggp_search.engine.tree_searcher import TreeSearcher
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.outcome_bounds import CompiledOutcomeBounds, InterpretedOutcomeBounds, OutcomeBounds


def star1(
    game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> Best:
    """Return a value of `state` and the best action, with the contract of `alphabeta` up to rounding.

    At a chance node, an outcome that is not searched yet can have any value that the bounds allow. The remaining
    outcomes are cut in two cases: the expectation is below the window even with the best of these values, or above the
    window even with the worst. A cut returns a number outside the window, since a bound that is rounded into the window
    would count as exact.
    """
    if game.to_move(state) != CHANCE:
        return alphabeta(game, search, state, depth, alpha, beta, choice)
    low, high = search.bounds(state)
    total, rest = 0.0, 1.0
    for outcome, probability in search.outcomes(state):
        # Rounding must not make the remaining probability negative: it would turn bounds around.
        rest = max(0.0, rest - probability)
        least = (alpha - total - high * rest) / probability  # if it is worth no more, the mean is at most alpha
        most = (beta - total - low * rest) / probability  # if it is worth no less, the mean is at least beta
        child = search.value(game.result(state, outcome), depth - 1, max(least, low), min(most, high))
        total += probability * child
        if child <= least:
            return min(alpha, total + high * rest), choice
        if child >= most:
            return max(beta, total + low * rest), choice
    return total, choice


def star2(
    game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float, choice: Action | None
) -> Best:
    """Search as `star1` does, but first probe each outcome: the value of one action after the outcome is a bound of the
    outcome's value.

    These bounds together may suffice for a cut. If the bounds do not cause a cut, they narrow the windows of the search
    that follows.
    """
    low, high = search.bounds(state)
    if game.to_move(state) != CHANCE or high - low >= HUGE or (alpha <= low and beta >= high):
        return star1(game, search, state, depth, alpha, beta, choice)  # nothing to prune by, or nothing to prune for
    total_lower, total_upper = low, high
    for index, (outcome, probability) in enumerate(search.outcomes(state)):
        # If the value of this outcome is at most `least`, or at least `most`, the bounds decide without the other
        # outcomes.
        least = high - (total_upper - alpha) / probability
        most = low + (beta - total_lower) / probability
        successor = game.result(state, outcome)
        lower, upper = probe(game, search, successor, depth - 1, low, high, max(least, low), min(most, high))
        search.own.store(depth, index, lower, upper)
        total_lower += probability * (lower - low)
        total_upper += probability * (upper - high)
        if total_lower >= beta:
            return total_lower, choice
        if total_upper <= alpha:
            return total_upper, choice
    total = 0.0
    for index, (outcome, probability) in enumerate(search.outcomes(state)):
        lower, upper = search.own.probe(depth, index)
        # From here on, the sums hold only the bounds of outcomes that are not searched yet.
        total_lower -= probability * lower
        total_upper -= probability * upper
        least = (alpha - total - total_upper) / probability
        most = (beta - total - total_lower) / probability
        child = search.value(game.result(state, outcome), depth - 1, max(least, lower), min(most, upper))
        total += probability * child
        if child <= least:
            return min(alpha, total + total_upper), choice
        if child >= most:
            return max(beta, total + total_lower), choice
    return total, choice


def probe(
    game: AnyGame, search: Search, state: State, depth: int, low: float, high: float, least: float, most: float
) -> tuple[float, float]:
    """Return bounds of the value of `state`, from the first action of the player to move.

    Arguments:
        low, high: known bounds of all leaves.
        least, most: the window; a value outside the window causes a cut.
    """
    if depth == 0 or game.terminal_test(state) or game.to_move(state) == CHANCE:
        return low, high  # the search that follows is as cheap
    choice, entered = None, search.nodes
    if game.to_move(state) == MAX:
        search.enter(state, depth, low, most)
        for action in search.order(state, depth, None):
            low, choice = max(low, search.value(game.result(state, action), depth - 1, low, most)), action
            break
        search.leave(state, depth, low, search.highest, choice, search.nodes - entered)  # MAX has at least this
    else:
        search.enter(state, depth, least, high)
        for action in search.order(state, depth, None):
            high, choice = min(high, search.value(game.result(state, action), depth - 1, least, high)), action
            break
        search.leave(state, depth, search.lowest, high, choice, search.nodes - entered)  # MIN has at most this
    return low, high


@attrs.frozen(kw_only=True)
class Star1(TreeSearcher):
    """Star1: expectiminimax with cuts at chance nodes, by the game's bounds (Ballard 1983)."""

    name: ClassVar[str] = "star1"
    recursion = staticmethod(star1)
    serves_chance: ClassVar[bool] = True
    preference: ClassVar[int] = 4


@attrs.frozen(kw_only=True)
class Star2(TreeSearcher):
    """Star2: Star1 that first probes one action of each outcome (Ballard 1983)."""

    name: ClassVar[str] = "star2"
    recursion = staticmethod(star2)
    serves_chance: ClassVar[bool] = True
    preference: ClassVar[int] = 3

    def own_memory(self, memory: Allocator) -> OutcomeBounds:
        """Return the memory for bounds of the outcomes of chance nodes."""
        return CompiledOutcomeBounds() if memory.compiled else InterpretedOutcomeBounds()
