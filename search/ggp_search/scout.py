"""SCOUT: evaluate the first action, and test whether any other is better before evaluating it."""

from typing import Any

from ggp.game import MAX
from ggp_search.parts import Compile, Live, Parts


def scout(parts: Parts, compile: Compile[Any]) -> Any:
    """A function `evaluation(state, depth, live)`: the minimax value of `state`, looking `depth` plies ahead.

    Pearl's two procedures, as published: EVAL finds a value, TEST only whether the value is greater than a
    bound (or, when not `strictly`, at least the bound).

    Source: J. Pearl, SCOUT: a simple game-searching algorithm with proven optimal properties, Proceedings of
    the First Annual National Conference on Artificial Intelligence (1980).
    """
    to_move, result, terminal_test, utility = parts.to_move, parts.result, parts.terminal_test, parts.utility
    evaluate, visit, probe, order, store = parts.evaluate, parts.visit, parts.probe, parts.order, parts.store
    lowest, highest, above, below = parts.lowest, parts.highest, parts.above, parts.below

    @compile
    def test(state: Any, depth: int, bound: float, strictly: bool, live: Live) -> bool:
        visit(state, depth, bound, bound, live)
        if terminal_test(state):
            exact = utility(state, live)
            return exact > bound or (exact == bound and not strictly)
        if depth == 0:
            exact = evaluate(state, live)
            return exact > bound or (exact == bound and not strictly)
        lower, upper, choice = probe(state, depth, bound, bound, live)
        if lower > bound or (lower == bound and not strictly):
            return True
        if upper < bound or (upper == bound and strictly):
            return False
        if to_move(state) == MAX:
            passed = False
            for action in order(state, depth, choice, live):
                if test(result(state, action), depth - 1, bound, strictly, live):
                    passed, choice = True, action
                    live.cutoffs += 1
                    break
        else:
            passed = True
            for action in order(state, depth, choice, live):
                if not test(result(state, action), depth - 1, bound, strictly, live):
                    passed, choice = False, action
                    live.cutoffs += 1
                    break
        if passed:
            store(state, depth, above(bound) if strictly else bound, upper, choice, live)
        else:
            store(state, depth, lower, bound if strictly else below(bound), choice, live)
        return passed

    @compile
    def evaluation(state: Any, depth: int, live: Live) -> float:
        visit(state, depth, lowest, highest, live)
        if terminal_test(state):
            return utility(state, live)
        if depth == 0:
            return evaluate(state, live)
        lower, upper, choice = probe(state, depth, lowest, highest, live)
        if lower == upper:
            return lower
        first, best = True, lower
        if to_move(state) == MAX:
            for action in order(state, depth, choice, live):
                successor = result(state, action)
                if first or test(successor, depth - 1, best, True, live):
                    best, choice = evaluation(successor, depth - 1, live), action
                first = False
        else:
            for action in order(state, depth, choice, live):
                successor = result(state, action)
                if first or not test(successor, depth - 1, best, False, live):
                    best, choice = evaluation(successor, depth - 1, live), action
                first = False
        store(state, depth, best, best, choice, live)
        return best

    return evaluation
