"""MTD(f): null-window searches that narrow down the value."""

from typing import ClassVar

import attrs

from ggp.game import MAX, State
from ggp.options import option
from ggp_search.algorithms.alphabeta import alphabeta
from ggp_search.engine.driver import Find
from ggp_search.engine.engine import Engine
from ggp_search.engine.tree_searcher import TreeSearcher


def mtdf(engine: Engine, state: State, depth: int, guess: float | None) -> float:
    """Return the value of `state` by searches around `guess`; a better guess needs fewer searches.

    Each search has a null window, between two neighbouring values, so it proves a lower or an upper bound. A
    transposition table makes the repeated searches fast.

    Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, Best-first fixed-depth minimax algorithms, Artificial
    Intelligence 87 (1996).
    """
    lower, upper = engine.numbers.lowest, engine.numbers.highest
    value = engine.estimate(state) if guess is None else guess
    proof: object = None
    while lower < upper:
        # The null window lies just above a proved lower bound, and just below a proved upper bound or the guess.
        beta = engine.above(value) if value == lower else value
        value = engine.within(state, depth, engine.below(beta), beta)
        if value < beta:
            upper = value
        else:
            lower = value
        if (value >= beta) == (engine.mover(state) == MAX):
            proof = engine.choice()  # the action that gives whoever moves this much
    engine.choose(proof)
    return value


@attrs.frozen(kw_only=True)
class Mtdf(TreeSearcher):
    """MTD(f): null-window searches around a guess, with a transposition table (Plaat 1996)."""

    name: ClassVar[str] = "mtdf"
    recursion = staticmethod(alphabeta)
    find: ClassVar[Find] = staticmethod(mtdf)
    deepens: ClassVar[bool] = True
    needs_table: ClassVar[bool] = True
    preference: ClassVar[int] = 8

    threads: int = option(1, "number of threads; used by compiled searches only", minimum=1, maximum=256)
