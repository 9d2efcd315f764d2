"""Principal variation search with killer moves, a searcher for ggp."""

from collections.abc import Iterator
from typing import Any, ClassVar

import attrs
from ggp_search import Allocator, Search, TreeSearcher

import ggp

Game = ggp.Game[Any, Any]


class Killers:
    """The last two moves at each depth that caused a cutoff: the opponent had a better option higher up."""

    def __init__(self, memory: Allocator) -> None:
        self.moves = memory.actions(2 * memory.depths)

    def hold(self, depth: int, move: Any) -> bool:
        """Return whether a move is a killer at this depth."""
        return self.moves.holds(2 * depth, move) or self.moves.holds(2 * depth + 1, move)

    def add(self, depth: int, move: Any) -> None:
        """Make a move the first killer at this depth; the previous first killer becomes the second."""
        if not self.moves.holds(2 * depth, move):
            self.moves.copy(2 * depth, 2 * depth + 1)
            self.moves.put(2 * depth, move)


def pvs(
    game: Game, search: Search, state: Any, depth: int, alpha: float, beta: float, choice: Any
) -> tuple[float, Any]:
    """Return a value of `state` and the best move: the value is exact between alpha and beta, otherwise a bound.

    The first move is expected to be the best. The other moves are searched with a null window, to test whether they are
    better; a better one is searched again.
    """
    first = True
    if game.to_move(state) == ggp.MAX:
        best = search.lowest
        for move in killers_first(game, search, state, depth, choice):
            child = game.result(state, move)
            value = search.value(child, depth - 1, alpha, beta if first else search.above(alpha))
            if not first and alpha < value < beta:
                value = max(value, search.value(child, depth - 1, value, beta))
            first = False
            best = max(best, value)
            if value > alpha:
                alpha, choice = value, move
            if alpha >= beta:
                search.own.add(depth, move)
                break  # MIN has a better option higher up
    else:
        best = search.highest
        for move in killers_first(game, search, state, depth, choice):
            child = game.result(state, move)
            value = search.value(child, depth - 1, alpha if first else search.below(beta), beta)
            if not first and alpha < value < beta:
                value = min(value, search.value(child, depth - 1, alpha, value))
            first = False
            best = min(best, value)
            if value < beta:
                beta, choice = value, move
            if beta <= alpha:
                search.own.add(depth, move)
                break  # MAX has a better option higher up
    return best, choice


def killers_first(game: Game, search: Search, state: Any, depth: int, choice: Any) -> Iterator[Any]:
    """Yield the moves: the best known move, then the killers, then all others."""
    if choice is not None:
        yield choice
    for move in game.actions(state):
        if (choice is None or move != choice) and search.own.hold(depth, move):
            yield move
    for move in game.actions(state):
        if (choice is None or move != choice) and not search.own.hold(depth, move):
            yield move


@attrs.frozen(kw_only=True)
class KillerSearch(TreeSearcher):
    """Principal variation search that tries killer moves first (Akl and Newborn 1977)."""

    name: ClassVar[str] = "killers"
    recursion = staticmethod(pvs)

    def own_memory(self, memory: Allocator) -> Killers:
        """Return the memory of one search; it is `search.own` in the recursion."""
        return Killers(memory)


@ggp.hookimpl
def ggp_searchers() -> list[type]:
    return [KillerSearch]
