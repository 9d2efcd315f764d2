"""Repetition: what a game declares about states that come back, and how the game then ends.

`repetition` declares the value of a repetition, and `occurrences` declares which occurrence ends the game:

    repetition: ClassVar[str] = "draw"   # a repetition is worth 0
    occurrences: ClassVar[int] = 3       # the third occurrence of a state ends the game; 2 by default

See `ggp.game.Repeating` for all values of `repetition`. Two states are the same if they compare equal.
"""

import contextlib
import contextvars
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ggp import capabilities
from ggp.errors import GGPError, PluginError
from ggp.game import CONTINUES, DRAW, AnyGame, State


class RepetitionError(GGPError):
    """A state has come back, but the game declares no `repetition`."""


TWICE: Final = 2
"""The default: a state's second occurrence ends the game."""


def may_repeat(game: AnyGame) -> bool:
    """Return whether a state can come back in one play of the game."""
    return capabilities.declared(game, "repetition") is not None


def depends_on_state(game: AnyGame) -> bool:
    """Return whether `repetition` is a method: the value of a repetition depends on the state."""
    return callable(capabilities.declared(game, "repetition"))


def last_occurrence(game: AnyGame) -> int | None:
    """Return which occurrence of a state ends the game (2: the first repetition); None if repetitions do not end the
    game.

    Raises:
        PluginError: the game's `repetition` is neither a rule nor a value.
    """
    declared = capabilities.declared(game, "repetition")
    if declared is None or declared == CONTINUES:
        return None
    number = declared if isinstance(declared, int | float) else 0.0
    if not (callable(declared) or declared == DRAW or (not isinstance(declared, str) and math.isfinite(number))):
        raise PluginError(
            f"{game.name} declares repetition = {declared!r}: it must be {DRAW!r}, {CONTINUES!r}, a finite number or a"
            " method of the state"
        )
    occurrences: int = capabilities.declared(game, "occurrences")
    if not isinstance(occurrences, int) or occurrences < TWICE:
        raise PluginError(f"{game.name} declares occurrences = {occurrences!r}: it must be a whole number, 2 or more")
    return occurrences


def repetition_value(game: AnyGame, state: State) -> float:
    """Return the value to MAX of a game that ends because `state` has come back."""
    declared: Callable[[State], float] | float | str | None = capabilities.declared(game, "repetition")
    if callable(declared):
        return float(declared(state))
    return 0.0 if declared in (None, DRAW, CONTINUES) else float(declared)


def outcome(game: AnyGame, state: State) -> str:
    """Return in words who has won, if play ends because `state` has come back."""
    value = repetition_value(game, state)
    if value == 0:
        return f"A draw {by_rule(game)}"
    return f"{capabilities.player_names(game)[0 if value > 0 else 1]} wins {by_rule(game)}"


def by_rule(game: AnyGame) -> str:
    """Return the rule by which a repetition ends the game, in words: "by repetition (the seeds left are shared)"."""
    rule: str = capabilities.declared(game, "repetition_rule")
    return f"by repetition ({rule})" if rule else "by repetition"


class Occurrences:
    """Counts the states of one play, to detect its end by repetition."""

    def __init__(self, game: AnyGame, states: Iterable[State] = ()) -> None:
        self.game = game
        self.limit = last_occurrence(game)
        self._counts: Counter[State] = Counter()
        for state in states:
            self.add(state)

    def add(self, state: State) -> bool:
        """Count a state that play has reached; return whether play ends here by repetition."""
        self._counts[state] += 1
        return self.limit is not None and self._counts[state] >= self.limit

    def require_declared(self, state: State) -> None:
        """Check that play may reach `state`: either it is new, or the game declares `repetition`.

        Raises:
            RepetitionError: the state has occurred before, and the game declares no `repetition`.
        """
        if self._counts[state] and not may_repeat(self.game):
            raise undeclared(self.game, state)


def is_over(game: AnyGame, states: Sequence[State]) -> bool:
    """Return whether play is over after these states: the last one is terminal, or has come back too often."""
    *before, last = states
    return Occurrences(game, before).add(last) or game.terminal_test(last)


def undeclared(game: AnyGame, state: State) -> RepetitionError:
    """Return the error for a state that comes back in a game without `repetition`."""
    where = capabilities.notation(game).format_state(state)
    return RepetitionError(
        f"the state {where} of {game.name} has come back, and {game.name} does not declare the value of a repetition:"
        f" {declaration(game)}"
    )


def declaration(game: AnyGame) -> str:
    """Return advice for the author of a game in which states come back: the declarations to choose from."""
    if capabilities.is_stochastic(game):
        return (
            f'write `repetition = "{CONTINUES}"` if play goes on after a repetition, and "{DRAW}" or a value to MAX if'
            " the game ends there"
        )
    return f'write `repetition = "{DRAW}"` in the class, or its value to MAX'


_played: contextvars.ContextVar[tuple[State, ...]] = contextvars.ContextVar("played", default=())


@contextlib.contextmanager
def played_before(states: Sequence[State]) -> Iterator[None]:
    """Make the earlier states of the game known to searches in the `with` block."""
    token = _played.set(tuple(states))
    try:
        yield
    finally:
        _played.reset(token)


def states_played() -> tuple[State, ...]:
    """Return the states of the game before the state that is searched; empty if no game is being played."""
    return _played.get()
