"""Values in words, as the page, the prompt, the app and the notebook show them. Each value is given for the player whom
it favours.
"""

from collections.abc import Sequence

from ggp import capabilities
from ggp.game import MAX, MIN, AnyGame, Bounded, Scenic, Scored, State
from ggp.number_text import number

DIGITS = 2
"""Decimals of a value; players do not need more."""
EVEN, CLEAR = 0.1, 0.5
"""Thresholds for estimates, if a win counts 1. Below the first, the game is about even; from the second on, one player
is clearly better.
"""


def value_text(game: AnyGame, value: float, *, exact: bool) -> str:
    """Return a value in words: "10 seeds for North", "a draw", "about even", "a win for X", "56 % for second".

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
    if capabilities.is_stochastic(game) and wins_count_one(game) and abs(value) < 1:
        return f"{percent(abs(value))} for {side}"
    counted = unit(game, exact=exact)
    if counted and (exact or abs(value) >= 1):
        return f"{things(abs(value), counted)} for {side}"
    if not exact and (unit(game) or abs(value) < 1):
        share = abs(value) if abs(value) < 1 else abs(value) / greatest(game, game.initial_state(), (value,))
        how = "slightly better" if share < CLEAR else "better"
        return "about even" if share < EVEN else f"{how} for {side}"
    return f"{rounded(abs(value))} to {side}"


def loss_text(game: AnyGame, best: float, played: float, *, exact: bool, mover: str, side: int) -> str:
    """Return what a move has lost, such as "you lost 18 seeds", or the new outcome, such as "now it is a win for X".

    Arguments:
        best, played: the values to MAX of the best move and of the one that was played.
        exact: whether both are true values.
        mover: who has moved, as the subject of the sentence.
        side: the mover, as MAX or MIN.
    """
    counted = unit(game, exact=exact)
    if counted:
        return f"{mover} lost {things((best - played) * (1 if side == MAX else -1), counted)}"
    return f"now it is {value_text(game, played, exact=exact)}"


def things(count: float, names: tuple[str, str]) -> str:
    """Return a number of things: "1 seed", "2.5 seeds"."""
    return f"{rounded(count)} {names[0] if rounded(count) == '1' else names[1]}"


def percent(value: float) -> str:
    """Return a player's chances to win, given the value for this player: a win counts 1, a loss -1."""
    return f"{50 * (1 + value):.0f} %"


def unit(game: AnyGame, *, exact: bool = True) -> tuple[str, str] | None:
    """Return what the values of a game count, singular and plural: ("seed", "seeds"); None if they count no things.

    Values are in units of the score that the board shows, unless only wins count. Estimates have the same unit if the
    score is a part of them; see `ggp.game.Scored`.

    Arguments:
        exact: whether the values are exact, and not estimates.
    """
    if not isinstance(game, Scenic) or wins_count_one(game) or not (exact or isinstance(game, Scored)):
        return None
    scene = capabilities.scene(game, game.initial_state())
    return scene.things if scene.scores and all(scene.things) else None


def greatest(game: AnyGame, state: State, values: Sequence[float] = ()) -> float:
    """Return the greatest absolute utility that is known to be possible from a state."""
    bounds = game.bounds(state) if isinstance(game, Bounded) else ()
    return max((abs(each) for each in (*bounds, *values)), default=1.0) or 1.0


def wins_count_one(game: AnyGame) -> bool:
    """Return whether the results of the game are -1, 0 and 1, as far as its bounds show."""
    return isinstance(game, Bounded) and tuple(game.bounds(game.initial_state())) == (-1, 1)


def rounded(value: float) -> str:
    """Return a value rounded to two decimals."""
    return number(round(value, DIGITS))
