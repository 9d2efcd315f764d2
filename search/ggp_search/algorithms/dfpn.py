"""Df-pn: proof-number search that goes depth-first, with a table of proof numbers.

Sources: A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, PhD thesis, University of Tokyo
(2002); A. Kishimoto, M. Winands, M. Müller and J.-T. Saito, Game-tree search using proof numbers: the first twenty
years, ICGA Journal 35(3) (2012).
"""

from collections.abc import Iterator
from typing import ClassVar

import attrs

from ggp.capabilities import is_stochastic
from ggp.game import MAX, AnyGame, State
from ggp.repetition import may_repeat
from ggp.searcher import Limits
from ggp.trace import Event
from ggp_search.algorithms.mtdf import mtdf
from ggp_search.engine.driver import Find
from ggp_search.engine.number_kind import Numbers
from ggp_search.engine.search import Search
from ggp_search.engine.settings import Settings
from ggp_search.engine.tree_searcher import STRONG_TABLE, TreeSearcher
from ggp_search.memory.proof_numbers import INFINITE, CompiledProofNumbers, InterpretedProofNumbers, add
from ggp_search.tracing import node_tracer


def dfpn(game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float) -> float:
    """Return a value v of `state`, whose minimax value at depth `depth` is m, by asking whether m is at least some
    bound.

    v == m            if alpha < m < beta    (exact inside the window),
    m <= v <= alpha   if m <= alpha          (an upper bound below it),
    beta <= v <= m    if m >= beta           (a lower bound above it).

    A null window needs only one such question.
    """
    value, choice = search.lowest, None
    is_max = not game.terminal_test(state) and game.to_move(state) == MAX
    while alpha < beta:
        search.own.ask()
        proof, _ = prove(game, search, state, depth, search.above(alpha), INFINITE, INFINITE)
        if proof == 0:
            value = search.own.least  # every end of the game that the proof rests on is worth as much
            alpha = value
        else:
            value = search.own.greatest
            beta = value
        if (proof == 0) == is_max:
            choice = search.choice  # the action that gives whoever moves this much
    search.choice = choice
    return value


def prove(
    game: AnyGame, search: Search, state: State, depth: int, bound: float, most_proof: int, most_disproof: int
) -> tuple[int, int]:
    """Search until the proof or the disproof number of "the value of `state` is at least `bound`" reaches its limit;
    return both.

    The proof number is the least number of leaves that must be proved to prove the statement; the disproof number is
    the same for disproving it. (0, INFINITE) means proved, (INFINITE, 0) disproved.
    """
    proof, disproof = numbers(game, search, state, depth, bound)
    if proof == 0 or disproof == 0:
        return proof, disproof
    search.enter(state, depth, search.below(bound), bound)
    is_max, entered = game.to_move(state) == MAX, search.nodes
    while True:
        # `easy` is what whoever moves has to show (MAX: a proof, by one action), `hard` what the other has to.
        easy, second, hard, hard_of_best, best = INFINITE + 1, INFINITE + 1, 0, 0, None
        for action in search.order(state, depth, None):
            proof, disproof = numbers(game, search, game.result(state, action), depth - 1, bound)
            mine, other = (proof, disproof) if is_max else (disproof, proof)
            hard = add(hard, other)
            if mine < easy:
                easy, second, hard_of_best, best = mine, easy, other, action
            elif mine < second:
                second = mine
        proof, disproof = (easy, hard) if is_max else (hard, easy)
        if proof >= most_proof or disproof >= most_disproof:
            break
        most_easy, most_hard = (most_proof, most_disproof) if is_max else (most_disproof, most_proof)
        # Search this child until it is no longer the best one: its own number exceeds the second best, or the sum
        # over all children, in which the others keep their share, exceeds the limit (Nagai 2002).
        most_easy, most_hard = min(most_easy, second + 1), most_hard - hard + hard_of_best
        if is_max:
            prove(game, search, game.result(state, best), depth - 1, bound, most_easy, most_hard)
        else:
            prove(game, search, game.result(state, best), depth - 1, bound, most_hard, most_easy)
    search.own.store(state, depth, proof, disproof, search.nodes - entered)
    search.choice = best
    return proof, disproof


def numbers(game: AnyGame, search: Search, state: State, depth: int, bound: float) -> tuple[int, int]:
    """Return the proof and disproof numbers known for a state; 1 and 1 if it is new."""
    proof, disproof = search.own.probe(state, depth)
    # A leaf is decided when it is first seen: either it proves the question, or it disproves it.
    if proof + disproof == 0 and (depth == 0 or game.terminal_test(state)):
        search.enter(state, depth, search.below(bound), bound)
        value = search.utility(state) if game.terminal_test(state) else search.evaluate(state)
        search.own.meet(value, bound)
        proof, disproof = (0, INFINITE) if value >= bound else (INFINITE, 0)
        search.own.store(state, depth, proof, disproof, 1)
    if proof + disproof == 0:
        return 1, 1
    return proof, disproof


@attrs.frozen(kw_only=True)
class DfPn(TreeSearcher):
    """Df-pn: proof-number search, depth first; proves values that need few nodes (Nagai 2002)."""

    name: ClassVar[str] = "dfpn"
    page = staticmethod(dfpn)
    direct: ClassVar[bool] = True
    find: ClassVar[Find] = staticmethod(mtdf)

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """See `ggp.searcher.Searcher`."""
        if is_stochastic(game):
            return f"{game.name} is a game of chance"
        if may_repeat(game):
            return f"positions of {game.name} repeat, and proof numbers need positions that never come back"
        return None

    def trace(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Iterator[Event]:
        """Yield the events of a search; see `ggp.trace.Traced`. The tree grows, and its nodes show proof and disproof
        numbers.
        """
        self._require(game)
        return iter(node_tracer.trace(self, game, state, limits, self.settings(game, limits)))

    def settings(self, game: AnyGame, limits: Limits, *, strong: bool = False) -> Settings:
        """Return the settings; see `TreeSearcher`. The table holds proof numbers."""
        return super().settings(game, limits, strong=strong).plain()

    def own_memory(self, numbers: Numbers, state_words: int | None) -> InterpretedProofNumbers | CompiledProofNumbers:
        megabytes = self.table or STRONG_TABLE
        return (
            InterpretedProofNumbers(megabytes)
            if state_words is None
            else CompiledProofNumbers(megabytes, numbers, state_words)
        )
