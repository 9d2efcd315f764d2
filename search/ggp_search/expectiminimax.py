"""Expectiminimax: minimax for games with chance, where a chance node is worth its expectation.

Source: D. Michie, Game-playing and game-learning automata, in Advances in Programming and Non-Numerical
Computation (1966).
"""

from typing import Any

from ggp.game import CHANCE, MAX
from ggp_search.parts import Compile, Live, Parts


def expectiminimax(parts: Parts, compile: Compile[Any]) -> Any:
    """A function `value(state, depth, live)`: the expected value of best play, looking `depth` plies ahead."""
    to_move, result, terminal_test, utility = parts.to_move, parts.result, parts.terminal_test, parts.utility
    evaluate, visit, probe, order, store = parts.evaluate, parts.visit, parts.probe, parts.order, parts.store
    outcomes, lowest, highest = parts.outcomes, parts.lowest, parts.highest

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
        mover = to_move(state)
        if mover == CHANCE:
            best = 0.0
            for outcome, probability in outcomes(state):
                best += probability * value(result(state, outcome), depth - 1, live)
        elif mover == MAX:
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
