"""The kind of numbers for the values of a search: integers if all values of the game are integers."""

from collections.abc import Callable
from math import inf
from typing import Any

import attrs

from ggp import compiler
from ggp.game import MAX, AnyGame, Bounded, Foreseeing, Scored, State
from ggp.repetition import depends_on_state, may_repeat, repetition_value
from ggp_search.engine.settings import Settings
from ggp_search.memory.buffer import memory_behind

Evaluate = Callable[[State], float]


@attrs.frozen
class Numbers:
    """The kind of numbers for the values of a search."""

    lowest: float
    """A number less than every value."""
    highest: float
    """A number greater than every value."""
    integral: bool = False
    """Whether all values are integers, so that the next value above n is n + 1."""
    floats: bool = False
    """Whether every value is converted to a float."""


ANY_NUMBERS = Numbers(-inf, inf)
"""For interpreted searches: the numbers as the game returns them."""
FLOATS = Numbers(-inf, inf, floats=True)
INTEGERS = Numbers(-(1 << 40), 1 << 40, integral=True)
"""For machine code: values stay below 2**40, so that their sums stay within 64 bits."""


def numbers_of(
    game: AnyGame, settings: Settings, chance: bool, find: Callable[..., Any] = compiler.result_type
) -> Numbers | None:
    """Return the kind of numbers: integers if all values of the game are, otherwise floats; None if `find` does not
    know.

    Arguments:
        chance: whether the searcher averages over the outcomes of chance.
    """
    by_state = depends_on_state(game)
    fractional = may_repeat(game) and not by_state and not repetition_value(game, None).is_integer()
    if chance or fractional or memory_behind(settings.evaluation.function):  # what was learned is no whole number
        return FLOATS
    functions: list[Callable[..., float]] = [_utility, _estimate, *([_repeated] if by_state else [])]
    if settings.bounded:
        functions += [_least, _greatest]
    if settings.proof and isinstance(game, Foreseeing):
        functions += [_worst, _best]
    if settings.separable:
        functions.append(_score)
    kinds = [find(each, game, settings.evaluation.function, compiler.STATE, game=game) for each in functions]
    if None in kinds:
        return None
    return INTEGERS if all(kind in (compiler.INT, compiler.BOOL) for kind in kinds) else FLOATS


def _utility(game: AnyGame, evaluation: Evaluate, state: State) -> float:
    return game.utility(state, MAX)


def _estimate(game: AnyGame, evaluation: Evaluate, state: State) -> float:
    return evaluation(state)


def _repeated(game: Any, evaluation: Evaluate, state: State) -> float:
    return game.repetition(state)


def _least(game: Bounded[State], evaluation: Evaluate, state: State) -> float:
    return game.bounds(state)[0]


def _greatest(game: Bounded[State], evaluation: Evaluate, state: State) -> float:
    return game.bounds(state)[1]


def _worst(game: Foreseeing[State], evaluation: Evaluate, state: State) -> float:
    return game.value_bounds(state)[0]


def _best(game: Foreseeing[State], evaluation: Evaluate, state: State) -> float:
    return game.value_bounds(state)[1]


def _score(game: Scored[State], evaluation: Evaluate, state: State) -> float:
    return game.score(state)
