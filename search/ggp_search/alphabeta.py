"""Alpha-beta: minimax without what cannot matter, in the fail-soft form."""

from typing import Any

from ggp.game import MAX
from ggp_search.parts import Compile, Live, Parts


def alphabeta(parts: Parts, compile: Compile[Any]) -> Any:
    """A function `value(state, depth, alpha, beta, live)`.

    Its answer v for a state of minimax value m, looking `depth` plies ahead:

        v == m            if alpha < m < beta    (exact inside the window),
        m <= v <= alpha   if m <= alpha          (an upper bound below it),
        beta <= v <= m    if m >= beta           (a lower bound above it).

    alpha is what MAX, and beta what MIN, can already make sure of higher up.

    Source: D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975);
    fail-soft: J. P. Fishburn, Another optimization of alpha-beta search, SIGART Newsletter 84 (1983).
    """
    to_move, result, terminal_test, utility = parts.to_move, parts.result, parts.terminal_test, parts.utility
    evaluate, visit, probe, order, store = parts.evaluate, parts.visit, parts.probe, parts.order, parts.store

    @compile
    def value(state: Any, depth: int, alpha: float, beta: float, live: Live) -> float:
        visit(state, depth, alpha, beta, live)
        if terminal_test(state):
            return utility(state, live)
        if depth == 0:
            return evaluate(state, live)
        lower, upper, choice = probe(state, depth, alpha, beta, live)  # what is known already
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        if to_move(state) == MAX:
            best, window = lower, alpha
            for action in order(state, depth, choice, live):
                child = value(result(state, action), depth - 1, window, beta, live)
                if child > best:
                    best = child
                if child > window:  # proved: MAX has more than is known so far
                    window, choice = child, action
                    if child >= beta:  # MIN has a better option higher up
                        live.cutoffs += 1
                        break
        else:
            best, window = upper, beta
            for action in order(state, depth, choice, live):
                child = value(result(state, action), depth - 1, alpha, window, live)
                if child < best:
                    best = child
                if child < window:
                    window, choice = child, action
                    if child <= alpha:  # MAX has a better option higher up
                        live.cutoffs += 1
                        break
        store(state, depth, best if best > alpha else lower, best if best < beta else upper, choice, live)
        return best

    return value
