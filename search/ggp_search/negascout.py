"""NegaScout, also known as principal variation search: alpha-beta that expects the first action to be best."""

from typing import Any

from ggp.game import MAX
from ggp_search.parts import Compile, Live, Parts


def negascout(parts: Parts, compile: Compile[Any]) -> Any:
    """A function `value(state, depth, alpha, beta, live)`, with the contract of `alphabeta`.

    Every action but the first is searched with a window that holds no value, which only asks whether it is
    better; if it is, it is searched again from the bound that the question gave.

    Source: A. Reinefeld, An improvement to the Scout tree search algorithm, ICCA Journal 6(4) (1983).
    """
    to_move, result, terminal_test, utility = parts.to_move, parts.result, parts.terminal_test, parts.utility
    evaluate, visit, probe, order, store = parts.evaluate, parts.visit, parts.probe, parts.order, parts.store
    above, below = parts.above, parts.below

    @compile
    def value(state: Any, depth: int, alpha: float, beta: float, live: Live) -> float:
        visit(state, depth, alpha, beta, live)
        if terminal_test(state):
            return utility(state, live)
        if depth == 0:
            return evaluate(state, live)
        lower, upper, choice = probe(state, depth, alpha, beta, live)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        first = True
        if to_move(state) == MAX:
            best, window = lower, alpha
            for action in order(state, depth, choice, live):
                successor = result(state, action)
                child = value(successor, depth - 1, window, beta if first else above(window), live)
                if not first and window < child < beta and depth > 1:  # a leaf's value is exact
                    child = max(child, value(successor, depth - 1, child, beta, live))
                first = False
                if child > best:
                    best = child
                if child > window:
                    window, choice = child, action
                    if child >= beta:
                        live.cutoffs += 1
                        break
        else:
            best, window = upper, beta
            for action in order(state, depth, choice, live):
                successor = result(state, action)
                child = value(successor, depth - 1, alpha if first else below(window), window, live)
                if not first and alpha < child < window and depth > 1:
                    child = min(child, value(successor, depth - 1, alpha, child, live))
                first = False
                if child < best:
                    best = child
                if child < window:
                    window, choice = child, action
                    if child <= alpha:
                        live.cutoffs += 1
                        break
        store(state, depth, best if best > alpha else lower, best if best < beta else upper, choice, live)
        return best

    return value
