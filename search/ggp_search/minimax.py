"""Minimax: the value of best play, by looking at everything.

Source: J. von Neumann, Zur Theorie der Gesellschaftsspiele, Mathematische Annalen 100 (1928); as a program,
C. E. Shannon, Programming a computer for playing chess, Philosophical Magazine 41 (1950).
"""

from typing import Any

from ggp.game import MAX
from ggp_search.parts import Compile, Live, Parts


def minimax(parts: Parts, compile: Compile[Any]) -> Any:
    """A function `value(state, depth, live)`: the minimax value of `state` to MAX, looking `depth` plies ahead."""
    to_move, result, terminal_test, utility = parts.to_move, parts.result, parts.terminal_test, parts.utility
    evaluate, visit, probe, order, store = parts.evaluate, parts.visit, parts.probe, parts.order, parts.store
    lowest, highest = parts.lowest, parts.highest

    @compile
    def value(state: Any, depth: int, live: Live) -> float:
        visit(state, depth, lowest, highest, live)
        if terminal_test(state):
            return utility(state, live)
        if depth == 0:
            return evaluate(state, live)
        lower, upper, choice = probe(state, depth, lowest, highest, live)
        if lower == upper:
            return lower
        if to_move(state) == MAX:
            best = lowest
            for action in order(state, depth, choice, live):
                child = value(result(state, action), depth - 1, live)
                if child > best:
                    best, choice = child, action
        else:
            best = highest
            for action in order(state, depth, choice, live):
                child = value(result(state, action), depth - 1, live)
                if child < best:
                    best, choice = child, action
        store(state, depth, best, best, choice, live)
        return best

    return value
