"""The clock: the time that a player has for a move."""

import attrs

SHARE = 30
"""Moves over which a machine spreads the time that it has left."""

MARGIN = 0.05
"""Seconds that a machine reserves for everything but searching."""


@attrs.frozen
class Clock:
    """Time left to the player to move, in seconds; None: no limit."""

    left: float | None = None
    """Seconds for the rest of the game."""
    move: float | None = None
    """Seconds for this move."""
    increment: float = 0.0
    """Seconds that the player gets back for the move."""

    @property
    def limit(self) -> float | None:
        """The seconds after which the game is lost."""
        limits = [each for each in (self.left, self.move) if each is not None]
        return min(limits, default=None)

    @property
    def budget(self) -> float | None:
        """The seconds that a machine should take: all that a move may take, and a share of what the game may."""
        if self.limit is None:
            return None
        share = self.limit if self.left is None else self.left / SHARE + self.increment
        return min(share, max(self.limit - MARGIN, self.limit / 4))


UNTIMED = Clock()
