"""What an analysis says: of each move its value, how sure it is, and best play after it."""

from typing import Any

import attrs

from ggp_search.proving import Interval

__all__ = ["Analysis", "Interval", "Move"]


@attrs.frozen(kw_only=True)
class Move:
    """A move and what is known of it."""

    action: Any
    value: float
    """To MAX: the exact one, or an estimate that agrees with what is proved."""
    proved: Interval
    """The interval in which the exact value to MAX was proved to lie."""
    depth: int | None
    """Of an estimate, the plies that were looked ahead from the position; None for an exact value."""
    line: tuple[Any, ...]
    """The move, and best play of both after it, as far as it is known."""

    @property
    def exact(self) -> bool:
        """Whether the value is the game's own, proved to the end."""
        return self.proved[0] == self.proved[1]


@attrs.frozen(kw_only=True)
class Analysis:
    """All moves of a position."""

    value: float
    """Of the position, to MAX: the exact one, or an estimate."""
    exact: bool
    """Whether the value is exact; it may be before that of every move is."""
    moves: tuple[Move, ...]
    """The best for whoever is to move first; none where the game is over."""
    stopped: str | None = None
    """"interrupt" if Ctrl-C cut it short."""
    searcher: str = ""
    """The one that estimated."""
    speed: str = "interpreted"
    states: int = 0
    """States entered."""
    seconds: float = 0.0
    """Of search."""
    note: str | None = None
    """Why something could not be had: one clause."""

    @property
    def complete(self) -> bool:
        """Whether all values are exact."""
        return all(move.exact for move in self.moves)
