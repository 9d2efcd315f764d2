"""Events of a search, for pictures of the tree and the stepper.

The recursion enters a state, tries its actions one by one, each try entering the state below, and leaves with
what is now known. A searcher that can be watched has the method `trace` (see `Traced`). The same state may be
entered more than once under the same action (scout tests before it evaluates).
"""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import attrs

from ggp.game import Action, AnyGame, State
from ggp.searcher import Limits

LINE: int | None = attrs.field(default=None, eq=False, kw_only=True)
"""Of an event: the line of the searcher's source that runs, as an index; None where it is not known."""


@attrs.frozen
class Enter:
    """The recursion is entered for `state`, with `depth` plies to look ahead and the window (alpha, beta)."""

    state: State
    depth: int
    alpha: float
    beta: float
    again: bool = False
    """Whether the search comes back to a node of a tree that it keeps, rather than visiting the state anew."""
    line: int | None = LINE


@attrs.frozen
class Leaf:
    """The state just entered is a leaf: terminal (its utility), or evaluated (an estimate). Values to MAX."""

    value: float
    terminal: bool
    note: tuple[str, ...] = ()
    """See `Leave`."""
    line: int | None = LINE


@attrs.frozen
class Try:
    """An action of the current state is drawn; the next `Enter` is the state below it."""

    action: Action
    probability: float | None = None
    """Where CHANCE moves, the outcome's."""
    line: int | None = LINE


@attrs.frozen
class Leave:
    """The current state is left: its value to MAX lies in [lower, upper]."""

    lower: float
    upper: float
    choice: Action | None
    """The best action found, or None."""
    note: tuple[str, ...] = ()
    """Further facts about the node, in short lines: playouts, proof numbers."""
    line: int | None = LINE


@attrs.frozen
class Cut:
    """The current state is left before these actions are tried."""

    actions: tuple[Action, ...]
    line: int | None = LINE


@attrs.frozen
class Note:
    """A sentence on what the searcher does at the current state."""

    text: str
    line: int | None = LINE


Event = Enter | Leaf | Try | Leave | Cut | Note


@runtime_checkable
class Traced(Protocol):
    """Capability of a searcher: it can be watched."""

    def trace(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Iterator[Event]:
        """Yield the events of one plain search from `state`, to `limits.depth` plies, in the order they happen.

        Every `Enter` is closed by a `Leaf` or a `Leave`; a `Cut` comes just before its `Leave`.
        """


@runtime_checkable
class Taught(Protocol):
    """Capability of a searcher that can be watched: its program is shown beside the tree."""

    @property
    def source(self) -> tuple[str, ...]:
        """The lines of the program; an event's `line` is an index of them."""


def is_traced(searcher: object) -> bool:
    """Return whether a searcher, or its class, can be watched."""
    return hasattr(searcher, "trace")
