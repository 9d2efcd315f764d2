"""The clock: the time that a player has left."""

import attrs

SHARE = 30
"""Number of moves over which a machine spreads its remaining time."""

MARGIN = 0.05
"""Seconds that a machine reserves for work other than searching."""


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
        """The seconds that a machine should take: the limit of a move, and a share of what is left for the game."""
        if self.limit is None:
            return None
        share = self.limit if self.left is None else self.left / SHARE + self.increment
        return min(share, max(self.limit - MARGIN, self.limit / 4))


UNTIMED = Clock()
