"""Plain recursions that share no code with any searcher, for comparison with searchers."""

from collections.abc import Callable

from ggp import repetition
from ggp.game import CHANCE, MAX, AnyGame, State


def minimax_value(
    game: AnyGame,
    state: State,
    depth: int | None = None,
    evaluate: Callable[[State], float] = lambda state: 0,
) -> float:
    """Return the value of `state` to MAX, by searching every line of play.

    Arguments:
        depth: plies to look ahead; None: to the end of the game.
        evaluate: returns the estimate of a state at the depth limit.
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


def value_to_the_end(game: AnyGame, state: State, most: int = 5000) -> float | None:
    """Return the value of `state` to MAX with play to the end, for games in which states may come back.

    All states that can follow are listed. Values are carried back from the ends until no value changes. Endless play
    has the value of a repetition.

    Arguments:
        most: the maximum number of states that are listed.

    Returns: the value; None if there are more states, if the value of a repetition depends on the state, or if a
    repetition does not end the game.
    """
    repeats = repetition.may_repeat(game)
    if repeats and (repetition.depends_on_state(game) or repetition.last_occurrence(game) is None):
        return None
    worth = repetition.repetition_value(game, state)
    following: dict[State, list[tuple[float, State]]] = {}
    values: dict[State, float] = {}
    waiting = [state]
    while waiting:
        each = waiting.pop()
        if each in values:
            continue
        if len(values) == most:
            return None
        over = game.terminal_test(each)
        values[each] = game.utility(each, MAX) if over else worth
        if over:
            continue
        chance = game.to_move(each) == CHANCE
        if chance and repeats:
            return None  # the values would approach a limit
        weighed = game.outcomes(each) if chance else ((action, 1.0) for action in game.actions(each))  # type: ignore[attr-defined]
        following[each] = [(weight, game.result(each, action)) for action, weight in weighed]
        waiting += [child for _, child in following[each]]
    changed = True
    while changed:
        changed = False
        for each, children in reversed(following.items()):
            mover, child_values = game.to_move(each), [values[child] for _, child in children]
            if mover == CHANCE:
                value = sum(weight * values[child] for weight, child in children)
            else:
                value = max(child_values) if mover == MAX else min(child_values)
            changed |= value != values[each]
            values[each] = value
    return values[state]
