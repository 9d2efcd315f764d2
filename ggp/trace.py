"""Events of a search, for pictures of the tree and the stepper.

The recursion enters a state, tries its actions one by one, and leaves with a value or bounds. Each try enters the state
after the action. The same state may be entered more than once under the same action (scout tests before it evaluates).
A searcher that can be watched has the method `trace` (see `Traced`).
"""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import attrs

from ggp.game import Action, AnyGame, State
from ggp.searcher import Limits, Searcher

LINE: int | None = attrs.field(default=None, eq=False, kw_only=True)
"""A field of the events: the index of the line that runs in the searcher's source; None if unknown."""


@attrs.frozen
class Enter:
    """The recursion is entered for `state`, with `depth` plies to look ahead and the window (alpha, beta)."""

    state: State
    depth: int
    alpha: float
    beta: float
    again: bool = False
    """Whether the search comes back to a node of a stored tree, instead of creating a new node."""
    line: int | None = LINE


@attrs.frozen
class Leaf:
    """The state just entered is a leaf: terminal (its utility), or evaluated (an estimate). The value is from the point
    of view of MAX.
    """

    value: float
    terminal: bool
    note: tuple[str, ...] = ()
    """See `Leave`."""
    line: int | None = LINE


@attrs.frozen
class Try:
    """An action of the current state is tried; the next `Enter` is the state below it."""

    action: Action
    probability: float | None = None
    """The probability of the outcome, if CHANCE moves."""
    line: int | None = LINE


@attrs.frozen
class Leave:
    """The current state is left: its value to MAX lies in [lower, upper]."""

    lower: float
    upper: float
    choice: Action | None
    """The best action found; None if no action was found."""
    note: tuple[str, ...] = ()
    """Further facts about the node, in short lines: playouts, proof numbers."""
    line: int | None = LINE


@attrs.frozen
class Cut:
    """The current state is left without trying these actions."""

    actions: tuple[Action, ...]
    line: int | None = LINE


@attrs.frozen
class Note:
    """A sentence on the current step of the searcher."""

    text: str
    line: int | None = LINE


@attrs.frozen
class Estimate(Note):
    """The sentence on a state that was evaluated, though the search goes on below it."""


Event = Enter | Leaf | Try | Leave | Cut | Note


@runtime_checkable
class Traced(Protocol):
    """Capability of a searcher: it can be watched."""

    def trace(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Iterator[Event]:
        """Yield the events of one search from `state`, to `limits.depth` plies without iterative deepening, in order.

        Every `Enter` is closed by a `Leaf` or a `Leave`; a `Cut` comes just before its `Leave`.
        """


class TracedSearcher(Searcher, Traced, Protocol):
    """A searcher that can be watched."""


@runtime_checkable
class Taught(Protocol):
    """Capability of a searcher that can be watched: its source is shown beside the tree."""

    @property
    def source(self) -> tuple[str, ...]:
        """The lines of the source; an event's `line` is an index into them."""


def is_traced(searcher: object) -> bool:
    """Return whether a searcher, or its class, can be watched."""
    return hasattr(searcher, "trace")
