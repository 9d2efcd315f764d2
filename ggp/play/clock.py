"""The clock: the time that a player has left, and how a machine spends it."""

import time
from collections.abc import Callable

import attrs

from ggp.game import Action
from ggp.searcher import SearchResult

SHARE = 30
"""Number of moves over which a machine spreads its remaining time."""

MARGIN = 0.05
"""Seconds that a machine reserves for work other than searching."""

RESERVE = 0.6
"""Seconds of the game's time that a machine leaves for the work around its searches, since each move takes some
hundredths of a second on a busy machine. Without this reserve, 10 of 17 games of Othello with 3 seconds for a player
were lost on time. With the reserve, none of 20 games with 5 seconds were. If no more than the reserve is left, a tenth
of what is left is spread over the moves.
"""

SETTLED = 0.1
"""If the best move has not changed after this share of the budget was spent, it is clearly the best."""
UNSETTLED = 0.5
"""If the best move has changed after this share of the budget was spent, the search is not over."""
EARLY, LATE = 0.5, 2.0
"""Shares of the budget that are spent if the best move is clear, and if it has changed late."""


@attrs.frozen
class Clock:
    """Time left for the player to move, in seconds; None means no limit."""

    left: float | None = None
    """Seconds for the rest of the game."""
    move: float | None = None
    """Seconds for this move."""
    increment: float = 0.0
    """Seconds that the player gets back after the move."""

    @property
    def limit(self) -> float | None:
        """The number of seconds after which the game is lost."""
        limits = [each for each in (self.left, self.move) if each is not None]
        return min(limits, default=None)

    @property
    def budget(self) -> float | None:
        """The seconds that a machine should take: a share of the time left for the game, within the limit of a move."""
        if self.limit is None:
            return None
        share = self.limit
        if self.left is not None:
            share = max(self.left - RESERVE, self.left / 10) / SHARE + self.increment
        return min(share, max(self.limit - MARGIN, self.limit / 4))

    @property
    def longest(self) -> float | None:
        """The seconds that a machine may take if its best move has changed late."""
        if self.limit is None or self.budget is None:
            return None
        return min(self.budget * LATE, max(self.limit - MARGIN, self.limit / 4))


UNTIMED = Clock()


@attrs.define
class TimeManager:
    """Decides when the search for a move has used enough of the game's time.

    A search ends early if one move has been the best from the beginning, or is the only one. A search goes on longer if
    the best move has changed late. Otherwise, it uses the budget.
    """

    budget: float
    """Seconds for the move."""
    only: bool = False
    """Whether there is only one legal move."""
    now: Callable[[], float] = time.monotonic
    ended: bool = attrs.field(default=False, init=False)
    """Whether this object has ended the search."""
    _best: tuple[Action, ...] = attrs.field(default=(), init=False)
    """The best move so far; none before the first report."""
    _changed: float = attrs.field(default=0.0, init=False)
    """The seconds of search after which the best move last changed."""
    _compiling: float = attrs.field(default=0.0, init=False)
    _started: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._started = self.now()

    @property
    def elapsed(self) -> float:
        """Seconds of search so far, without compiling."""
        return self.now() - self._started - self._compiling

    @property
    def wanted(self) -> float:
        """The seconds that the search should take, given its results so far."""
        if self.only:
            return 0.0
        if self._changed <= SETTLED * self.budget:
            return EARLY * self.budget
        return LATE * self.budget if self._changed > UNSETTLED * self.budget else self.budget

    def look(self, result: SearchResult) -> None:
        """Note the best move of a result, when the best move last changed, and the time for compiling."""
        self._compiling = result.statistics.compile_seconds
        if (result.action,) != self._best:
            self._best, self._changed = (result.action,), max(0.0, self.elapsed)

    def enough(self) -> bool:
        """Return whether the search should end now."""
        self.ended = self.ended or (bool(self._best) and self.elapsed >= self.wanted)
        return self.ended
