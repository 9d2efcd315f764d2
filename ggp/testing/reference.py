"""Plain recursions that share nothing with any searcher: what searchers are compared with."""

from collections.abc import Callable
from typing import Any

from ggp.errors import UsageError
from ggp.game import CHANCE, MAX, Game


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:
    """The number of sequences of exactly `depth` actions from `state`: outcomes count as actions.

    Raises:
        UsageError: the depth is negative.
    """
    if depth < 0:
        raise UsageError(f"perft cannot look {depth} plies ahead: the depth is 0 or more")
    if depth == 0:
        return 1
    if game.terminal_test(state):
        return 0
    if depth == 1:
        return sum(1 for _ in game.actions(state))
    return sum(perft(game, game.result(state, action), depth - 1) for action in game.actions(state))


def minimax_value(
    game: Game[Any, Any],
    state: Any,
    depth: int | None = None,
    evaluate: Callable[[Any], float] = lambda state: 0,
) -> float:
    """The value of `state` to MAX by looking at every line of play.

    Arguments:
        depth: plies to look ahead; None is to the end of the game.
        evaluate: what an unfinished state is worth where `depth` ends.
    """
    if game.terminal_test(state):
        return game.utility(state, MAX)
    if depth == 0:
        return evaluate(state)
    deeper = None if depth is None else depth - 1
    mover = game.to_move(state)
    if mover == CHANCE:
        return sum(
            probability * minimax_value(game, game.result(state, outcome), deeper, evaluate)
            for outcome, probability in game.outcomes(state)  # type: ignore[attr-defined]
        )
    children = (minimax_value(game, game.result(state, action), deeper, evaluate) for action in game.actions(state))
    return max(children) if mover == MAX else min(children)
