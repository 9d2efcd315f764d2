"""The margin of futility cuts: by how much the best move may improve an estimate, as measured in random games."""

import random
from collections.abc import Callable, Hashable
from math import ceil, inf

from ggp.frozen_games import listed
from ggp.game import MAX, AnyGame, Evaluation, State
from ggp_search.engine.settings import memory_behind
from ggp_search.learned.network import in_python

POSITIONS = 64
"""Number of positions in which the margin is measured."""
SUCCESSORS = 1000
"""After this number of successors, no more positions are looked at, so a game with many moves is measured in fewer
positions.
"""
PLIES = 1024
"""Maximum number of plies of the random games."""
SHARE = 0.5
"""Share of the positions of each random game that are looked at. So the positions come from several games."""
PERCENT = 95
"""The margin is enough in this percentage of the positions. A greater percentage would depend on one or
two positions.
"""
MOST_MARGINS = 256

_MEASURED: dict[Hashable, tuple[float, bool]] = {}
"""The margins that this process has measured, and whether all estimates are whole numbers, by game and evaluation."""


def measured_margin(game: AnyGame, evaluation: Evaluation, name: str | None) -> float:
    """Return the margin of an evaluation. In `PERCENT` % of the positions of random games, no move improves the
    estimate for the player to move by more than this margin.

    Moves that end the game do not count, since their values are not estimates. The random games are always the same,
    and run interpreted, so the margin is the same on every machine and at both speeds.

    Arguments:
        name: the name of the evaluation; None for a function of the caller.

    Returns: 0 if moves do not improve the estimate, or if there is no position to measure.
    """
    return _measured(game, evaluation, name)[0]


def usable_margin(margin: float, game: AnyGame, evaluation: Evaluation, name: str | None) -> float:
    """Return a margin as a search uses it: rounded up if all estimates in random games are whole numbers.

    So estimates stay whole numbers when the margin is added to them. The type of a single estimate must not decide:
    machine code holds all values as floats if some are.
    """
    whole = margin % 1 == 0 or _measured(game, evaluation, name)[1]
    return ceil(margin) if whole else margin


def _measured(game: AnyGame, evaluation: Evaluation, name: str | None) -> tuple[float, bool]:
    """Return the margin of an evaluation, and whether all of its estimates are whole numbers."""
    # A game may make its evaluations anew each time, so their names are compared. What was learned may change.
    known = evaluation.function if name is None or memory_behind(evaluation.function) else name
    key = (type(game), game, known)
    try:
        hash(key)
    except TypeError:
        return _measure(game, in_python(evaluation.function))
    if key not in _MEASURED:
        if len(_MEASURED) >= MOST_MARGINS:
            _MEASURED.clear()
        _MEASURED[key] = _measure(game, in_python(evaluation.function))
    return _MEASURED[key]


def _measure(game: AnyGame, evaluate: Callable[[State], float]) -> tuple[float, bool]:
    improvements, whole = _improvements(game, evaluate)
    if not improvements:
        return 0, whole
    rank = ceil(PERCENT * len(improvements) / 100)
    margin = max(0, sorted(improvements)[rank - 1])
    return (ceil(margin) if whole else margin), whole


def _improvements(game: AnyGame, evaluate: Callable[[State], float]) -> tuple[list[float], bool]:
    """Return by how much the best move improves the estimate in positions of random games, and whether all estimates
    are whole numbers.
    """
    dice, improvements, whole = random.Random(0), list[float](), True
    state, positions, successors = game.initial_state(), 0, 0
    for _ in range(PLIES):
        if positions >= POSITIONS or successors >= SUCCESSORS:
            break
        actions = () if game.terminal_test(state) else tuple(listed(game.actions(state)))
        if not actions:
            state = game.initial_state()
            continue
        if dice.random() < SHARE:
            reached = [game.result(state, action) for action in actions]
            before, after = evaluate(state), [evaluate(each) for each in reached if not game.terminal_test(each)]
            whole = whole and not any(isinstance(estimate, float) for estimate in (before, *after))
            positions, successors = positions + 1, successors + len(reached)
            sign = 1 if game.to_move(state) == MAX else -1
            improved = [sign * (estimate - before) for estimate in after]
            if improved and all(abs(each) < inf for each in improved):
                improvements.append(max(improved))
        state = game.result(state, dice.choice(actions))
    return improvements, whole
