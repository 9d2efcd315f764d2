"""What a searcher does, event by event, for whoever watches: a picture of the tree, a lesson.

The recursion enters a state, tries its actions one by one, each try entering the state below, and leaves with
what is now known. A searcher that can be watched has the method `trace` (see `Traced`). The same state may be
entered more than once under the same action (scout tests before it evaluates).
"""

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import attrs

from ggp.game import Game
from ggp.searcher import Limits


@attrs.frozen
class Enter:
    """The recursion is entered for `state`, with `depth` plies to look ahead and the window (alpha, beta)."""

    state: Any
    depth: int
    alpha: float
    beta: float


@attrs.frozen
class Leaf:
    """The state just entered is a leaf: terminal (its utility), or evaluated (an estimate). Values to MAX."""

    value: float
    terminal: bool


@attrs.frozen
class Try:
    """An action of the state in hand is drawn; the next `Enter` is the state below it."""

    action: Any
    probability: float | None = None
    """Where CHANCE moves, the outcome's."""


@attrs.frozen
class Leave:
    """The state in hand is done with: its value to MAX is known to lie in [lower, upper]."""

    lower: float
    upper: float
    choice: Any
    """The best action found, or None."""


@attrs.frozen
class Cut:
    """The state in hand is left before these actions were tried."""

    actions: tuple[Any, ...]


Event = Enter | Leaf | Try | Leave | Cut


@runtime_checkable
class Traced(Protocol):
    """Capability of a searcher: it can be watched."""

    def trace(self, game: Game[Any, Any], state: Any, limits: Limits = Limits()) -> Iterator[Event]:
        """The events of one plain search from `state`, to `limits.depth` plies, in the order in which they happen.

        Every `Enter` is closed by a `Leaf` or a `Leave`; a `Cut` comes just before its `Leave`.
        """


@attrs.frozen
class Line:
    """A line of pseudo-code, and the moments of the search at which it is the current one."""

    text: str
    moments: tuple[str, ...] = ()
    """Names of moments, see `Lesson.current`."""


@attrs.frozen
class Lesson:
    """The pseudo-code of a searcher, for people who watch it step by step."""

    lines: tuple[Line, ...]

    def current(self, event: Event, mover: str, *, test: bool) -> int | None:
        """The index of the line that stands for `event`, None if none does.

        Moments are "enter", "terminal", "estimate", "try", "cut" and "leave". A line may stand for one mover alone
        ("try MAX"), and for visits that only test a bound ("test try MAX"); the line whose moment says most is the
        current one.

        Arguments:
            mover: "MAX", "MIN" or "CHANCE", who moves in the state that the event is about; "" at entry and at leaves.
            test: whether the visit only tests on which side of a bound the value lies: its window is empty.
        """
        name = moment(event)
        names = [f"test {name} {mover}", f"test {name}"] if test else []
        for wanted in (*names, f"{name} {mover}", name):
            for index, line in enumerate(self.lines):
                if wanted in line.moments:
                    return index
        return None


def moment(event: Event) -> str:
    """What an event is called in a lesson."""
    if isinstance(event, Leaf):
        return "terminal" if event.terminal else "estimate"
    return type(event).__name__.lower()


@runtime_checkable
class Taught(Protocol):
    """Capability of a searcher that can be watched: it has pseudo-code to follow it by."""

    @property
    def lesson(self) -> Lesson: ...
