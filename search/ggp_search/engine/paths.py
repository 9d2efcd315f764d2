"""The states between the root and here, for games whose states come back (see `ggp.repetition`).

A state that stands on the path is worth what the game says a repetition is worth. A value that rests on a repetition of
a state above it holds only below that state (the graph-history interaction problem), so the table does not keep it:
M. Campbell, The graph-history interaction: on ignoring position history, ACM Annual Conference (1985).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ggp.game import Game
from ggp.repetition import last_occurrence, repetition_value, states_played

NEVER = 1 << 40
"""Deeper than every ply: no repetition was met."""
BEFORE = -1
"""The ply of states before the root."""


class Path:
    """The path of an interpreted search.

    Arguments:
        played: the states of the game before the root. One that would end the game if it came back stands on the path.
    """

    def __init__(self, game: Game[Any, Any], played: Sequence[Any] = ()) -> None:
        self.game = game
        last = last_occurrence(game) or NEVER
        self.played = [state for state, times in Counter(played).items() if times >= last - 1]
        self.plies: dict[Any, int] = {}
        self.earliest = NEVER
        """The least ply of a state above that was met again below the state in hand."""

    def clear(self) -> None:
        """Begin at a new root."""
        self.plies = dict.fromkeys(self.played, BEFORE)
        self.earliest = NEVER

    def holds(self, state: Any) -> bool:
        """Return whether `state` stands on the path, and remember that it was met."""
        ply = self.plies.get(state, NEVER)
        if ply < self.earliest:
            self.earliest = ply
        return ply < NEVER

    def repeated(self, state: Any) -> float:
        """Return what a repetition of `state` is worth."""
        return repetition_value(self.game, state)

    def enter(self, state: Any) -> int:
        """Go down to `state`; return what `leave` has to be given."""
        outer, self.earliest = self.earliest, NEVER
        self.plies[state] = len(self.plies)
        return outer

    def leave(self, state: Any, outer: int) -> bool:
        """Go up again; return whether what was found holds whatever the path: it rests on no state above."""
        ply, met = self.plies.pop(state), self.earliest
        self.earliest = min(outer, met) if met < ply else outer
        return met >= ply


def path_of(game: Game[Any, Any]) -> Path | None:
    """Return a path for a search of `game`; None if no state can come back to end its play."""
    return None if last_occurrence(game) is None else Path(game, states_played())
