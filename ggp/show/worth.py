"""Values in words for the player whom they favour, as shown by the page, the prompt, the app and the notebook."""

from ggp import capabilities
from ggp.game import MAX, MIN, AnyGame, Bounded
from ggp.numbers import number

DIGITS = 2
"""Decimals of a value; players do not need more."""
EVEN, CLEAR = 0.1, 0.5
"""Thresholds for estimates if a win counts 1: below the first, the game is about even; from the second on, clearly
better.
"""


def in_words(game: AnyGame, value: float, *, exact: bool) -> str:
    """Return a value in words: "10 to North", "a draw", "about even", "a win for X".

    Arguments:
        value: the value to MAX.
        exact: whether it is the true value. An estimate between -1 and 1 is described in words.
    """
    names = capabilities.players(game)
    if len(names) == 1:
        return rounded(value)
    if value == 0:
        return "a draw" if exact and not capabilities.is_stochastic(game) else "even"
    side = names[MAX if value > 0 else MIN]
    if abs(value) == 1 and wins_count_one(game):
        return f"a win for {side}" if exact else f"winning for {side}"
    if not exact and abs(value) < 1:
        how = "slightly better" if abs(value) < CLEAR else "better"
        return "about even" if abs(value) < EVEN else f"{how} for {side}"
    return f"{rounded(abs(value))} to {side}"


def wins_count_one(game: AnyGame) -> bool:
    """Return whether the results of the game are -1, 0 and 1, as far as its bounds show."""
    return isinstance(game, Bounded) and tuple(game.bounds(game.initial_state())) == (-1, 1)


def rounded(value: float) -> str:
    """Return a value rounded to two decimals."""
    return number(round(value, DIGITS))
