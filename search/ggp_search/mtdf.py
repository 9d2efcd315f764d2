"""MTD(f): the value closed in by questions that each have a window without a value in it.

Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, Best-first fixed-depth minimax algorithms, Artificial
Intelligence 87 (1996).
"""

from typing import Any

from ggp.game import MAX
from ggp_search.driver import Engine


def mtdf(engine: Engine, state: Any, depth: int, guess: float) -> float:
    """The value of `state` by alpha-beta searches around `guess`; the better the guess, the fewer they are.

    Each search has the window between two neighbouring values, so it proves a lower or an upper bound. A table
    that remembers is what makes it fast.
    """
    lower, upper, value = engine.numbers.lowest, engine.numbers.highest, guess
    proof: Any = engine.numbers.nothing
    while lower < upper:
        beta = engine.numbers.above(value) if value == lower else value
        value = engine.within(state, depth, engine.numbers.below(beta), beta)
        if value < beta:
            upper = value
        else:
            lower = value
        if (value >= beta) == (engine.mover(state) == MAX):
            proof = engine.live.choice  # the action that gives whoever moves this much
    engine.live.choice = proof
    return value
