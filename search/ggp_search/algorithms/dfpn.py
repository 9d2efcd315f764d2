"""Df-pn: proof-number search that goes depth-first, with a table of proof numbers.

Sources: A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, PhD thesis, University of Tokyo
(2002); A. Kishimoto, M. Winands, M. Müller and J.-T. Saito, Game-tree search using proof numbers: the first twenty
years, ICGA Journal 35(3) (2012).
"""

from typing import ClassVar

import attrs

from ggp.capabilities import is_stochastic
from ggp.game import MAX, AnyGame, State
from ggp.repetition import may_repeat
from ggp.searcher import Limits
from ggp.trace import Enter, Try
from ggp_search.algorithms.mtdf import mtdf
from ggp_search.engine.driver import Find
from ggp_search.engine.search import Search
from ggp_search.engine.settings import STRONG_TABLE, SearchPlan, Settings
from ggp_search.engine.tree_searcher import TreeSearcher
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.proof_numbers import (
    DISPROVED,
    INFINITE,
    NEW,
    PROVED,
    CompiledProofTable,
    InterpretedProofTable,
    ProofNode,
    add,
)
from ggp_search.tracing.node_events import proof_told, visit_told


def dfpn(game: AnyGame, search: Search, state: State, depth: int, alpha: float, beta: float) -> float:
    """Return a value v of `state`, by asking whether m, its minimax value at depth `depth`, is at least some bound.

    v == m            if alpha < m < beta    (exact inside the window),
    m <= v <= alpha   if m <= alpha          (an upper bound below it),
    beta <= v <= m    if m >= beta           (a lower bound above it).

    A null window needs only one such question.
    """
    value, choice = search.lowest, None
    is_max = not game.terminal_test(state) and game.to_move(state) == MAX
    while alpha < beta:
        search.own.ask()
        limit = ProofNode(INFINITE, INFINITE)
        proved = prove(game, search, state, depth, search.above(alpha), limit).proof == 0
        if proved:
            value = search.own.least  # every end of the game that the proof rests on is worth as much
            alpha = value
        else:
            value = search.own.greatest
            beta = value
        if proved == is_max:
            choice = search.choice  # the action that gives whoever moves this much
    search.choice = choice
    return value


def prove(game: AnyGame, search: Search, state: State, depth: int, bound: float, limit: ProofNode) -> ProofNode:
    """Search until the proof number or the disproof number of a statement reaches `limit`, and return the node.

    The statement is that the value of `state` is at least `bound`. The proof number is the least number of leaves that
    must be proved to prove it. The disproof number is the least number of leaves that must be disproved to disprove it.
    (0, INFINITE) means proved, (INFINITE, 0) disproved.
    """
    node = node_of(game, search, state, depth, bound)
    if node.decided:
        return node
    search.enter(state, depth, search.below(bound), bound)
    search.told(Enter, state, depth, bound, bound, True)
    entered, is_max = search.nodes, game.to_move(state) == MAX
    while True:
        # `easy` is the number for the mover's aim (MAX: a proof, by one action), `hard` the number for the opponent's.
        easy, second, hard, hard_of_best, best = INFINITE + 1, INFINITE + 1, 0, 0, None
        for action in search.order(state, depth, None):
            successor = game.result(state, action)
            child = node_of(game, search, successor, depth - 1, bound)
            search.told(visit_told, search, action, successor, depth - 1, bound, child)
            mine, other = (child.proof, child.disproof) if is_max else (child.disproof, child.proof)
            hard = add(hard, other)
            if mine < easy:
                easy, second, hard_of_best, best = mine, easy, other, action
            elif mine < second:
                second = mine
        node = ProofNode(easy, hard) if is_max else ProofNode(hard, easy)
        if node.proof >= limit.proof or node.disproof >= limit.disproof:
            break
        # Search this child until its own number exceeds the second best, or until the sum over all children exceeds the
        # limit. The others keep their share of the sum (Nagai 2002).
        if is_max:
            most = ProofNode(min(limit.proof, second + 1), limit.disproof - hard + hard_of_best)
        else:
            most = ProofNode(limit.proof - hard + hard_of_best, min(limit.disproof, second + 1))
        assert best is not None  # a state that is not terminal has actions
        search.told(Try, best)
        prove(game, search, game.result(state, best), depth - 1, bound, most)
    search.own.store(state, depth, node, search.nodes - entered)
    search.choice = best
    search.told(proof_told, search, bound, node, best)
    return node


def node_of(game: AnyGame, search: Search, state: State, depth: int, bound: float) -> ProofNode:
    """Return the node of a state with what is known about it; the numbers of a new node are 1 and 1."""
    node = search.own.probe(state, depth)
    if node is not None:
        return node
    if depth > 0 and not game.terminal_test(state):
        return NEW
    # A leaf is decided when it is first seen: either it proves the question, or it disproves it.
    search.enter(state, depth, search.below(bound), bound)
    value = search.utility(state) if game.terminal_test(state) else search.evaluate(state)
    search.own.meet(value, bound)
    node = PROVED if value >= bound else DISPROVED
    search.own.store(state, depth, node, 1)
    return node


@attrs.frozen(kw_only=True)
class DfPn(TreeSearcher):
    """Df-pn: proof-number search, depth first; proves values that need few nodes (Nagai 2002)."""

    name: ClassVar[str] = "dfpn"
    recursion = staticmethod(dfpn)
    direct: ClassVar[bool] = True
    find: ClassVar[Find] = staticmethod(mtdf)

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """See `ggp.searcher.Searcher`."""
        if is_stochastic(game):
            return f"{game.name} is a game of chance"
        if may_repeat(game):
            return f"positions of {game.name} repeat, and proof numbers need positions that never come back"
        return None

    def settings(self, game: AnyGame, limits: Limits, *, strong: bool = False) -> Settings:
        """Return the settings; see `TreeSearcher`. The table holds proof numbers."""
        return super().settings(game, limits, strong=strong).plain()

    def own_reasons(self, plan: SearchPlan) -> dict[str, str]:
        """See `TreeSearcher`."""
        table = f"{self.table or STRONG_TABLE:g} MB of proof numbers"
        return {"table": table, "bounds": "no cutoffs: leaves decide", "tablebase": "none: leaves decide"}

    def own_memory(self, memory: Allocator) -> InterpretedProofTable | CompiledProofTable:
        megabytes, words = self.table or STRONG_TABLE, memory.state_words
        return (
            InterpretedProofTable(megabytes) if words is None else CompiledProofTable(megabytes, memory.numbers, words)
        )
