"""The kind of numbers for the values of a search: integers if all values of the game are integers."""

from collections.abc import Callable
from math import inf
from typing import Any

import attrs

from ggp import compiler
from ggp.game import MAX, AnyGame, Foreseeing, State
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
    kind = find(
        _values,
        game,
        settings.evaluation.function,
        by_state,
        settings.bounded,
        settings.proof and isinstance(game, Foreseeing),
        settings.separable,
        compiler.STATE,
        game=game,
    )
    if kind is None:
        return None
    return INTEGERS if {compiler.INT, compiler.BOOL}.issuperset(kind.items) else FLOATS


def _values(
    game: Any, evaluation: Evaluate, by_state: bool, bounded: bool, foreseen: bool, separable: bool, state: State
) -> tuple[float, ...]:
    """Return one example of each kind of number that a search compares with values; 0 where it has none.

    It is compiled for its type only. The flags are constants there, so code that they guard is not examined.
    """
    repeated = game.repetition(state) if by_state else 0
    least, greatest = game.bounds(state) if bounded else (0, 0)
    worst, best = game.value_bounds(state) if foreseen else (0, 0)
    score = game.score(state) if separable else 0
    return game.utility(state, MAX), evaluation(state), repeated, least, greatest, worst, best, score
