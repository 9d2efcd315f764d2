"""Transposition tables: what is known of a state, from wherever in the tree it was reached.

An entry holds bounds of `value - score` and the best action, by `key` (see `ggp.game.Scored`). It answers for
exactly the depth asked for, or for a search to the end of the game; so a table never changes a value. Bounds of an
earlier iteration are not used, its best action is: thus a search that saw no estimate in its own iteration is
exact.
"""

from typing import Any

from ggp.game import CHANCE, MAX, MIN
from ggp_search.driver import MAX_PLIES
from ggp_search.parts import Compile, Live, Operations

WHOLE = MAX_PLIES // 2
"""With more plies than this to go, a search goes to the end of the game: its entries answer for each other."""


ENHANCED_FROM = 5
"""The height from which looking at the children's entries is worth it: they are remembered from one less."""


def by_depth(compile: Compile[Any]) -> Any:
    """`height(state, depth, live)`: how much there is to search below a state; low ones are not remembered."""

    @compile
    def height(state: Any, depth: int, live: Any) -> int:
        return depth

    return height


def enhanced(operations: Operations, memory: Any, height: Any, compile: Compile[Any]) -> Any:
    """The same hooks with enhanced transposition cutoffs: what is known of the children bounds their parent.

    Source: J. Schaeffer and A. Plaat, New advances in alpha-beta searching, Proceedings of the 1996 ACM 24th Annual
    Conference on Computer Science.
    """
    to_move, actions, result = operations.to_move, operations.actions, operations.result
    terminal_test = operations.terminal_test
    probe_one, store = memory

    @compile
    def probe(state: Any, depth: int, alpha: float, beta: float, live: Any) -> tuple[Any, Any, Any]:
        lower, upper, choice = probe_one(state, depth, alpha, beta, live)
        if height(state, depth, live) < ENHANCED_FROM or lower >= beta or upper <= alpha or lower == upper:
            return lower, upper, choice
        mover = to_move(state)
        if mover != CHANCE:
            for action in actions(state):
                child = result(state, action)
                if not terminal_test(child):
                    low, high, _ = probe_one(child, depth - 1, alpha, beta, live)
                    if mover == MAX and low >= beta:
                        live.choice = action
                        return low, upper, action
                    if mover == MIN and high <= alpha:
                        live.choice = action
                        return lower, high, action
        return lower, upper, choice

    return probe, store


class Dictionary:
    """Memory for interpreted searches: two dicts, of which the older is dropped when the younger is full."""

    ENTRY_BYTES = 400
    """What an entry takes, measured with Kalah's states."""

    def __init__(self, operations: Operations, megabytes: float) -> None:
        self.operations = operations
        self.room = max(1, int(megabytes * (1 << 20) / self.ENTRY_BYTES / 2))

    def hooks(self) -> Any:
        """`probe` and `store`."""
        bounds, key, score = self.operations.bounds, self.operations.key, self.operations.score
        room = self.room
        young: dict[Any, Any] = {}
        old: dict[Any, Any] = {}

        def probe(state: Any, depth: int, alpha: float, beta: float, live: Live) -> tuple[float, float, Any]:
            lower, upper = bounds(state)
            known = key(state)
            entry = young.get(known) or old.get(known)
            if entry is None:
                return lower, upper, None
            generation, plies, low, high, choice = entry
            if plies == min(depth, WHOLE) and (generation == live.generation or plies == WHOLE):
                live.table_hits += 1
                live.choice = choice
                secured = score(state)
                return max(lower, low + secured), min(upper, high + secured), choice
            return lower, upper, choice

        def store(state: Any, depth: int, lower: float, upper: float, choice: Any, live: Live) -> None:
            nonlocal young, old
            live.choice = choice
            if len(young) >= room:
                young, old = {}, young
            secured = score(state)
            young[key(state)] = live.generation, min(depth, WHOLE), lower - secured, upper - secured, choice

        return probe, store
