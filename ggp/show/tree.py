"""A search tree, folded from what a searcher did.

The fold takes the events of `ggp.trace` one by one, so the tree after the first k events is what was known after
k steps. Drawing is somebody else's work (`ggp.show.text`).
"""

from collections.abc import Iterable
from math import inf
from typing import Any

import attrs

from ggp.game import MAX, MIN, Game, Player
from ggp.trace import Cut, Enter, Event, Leaf, Leave, Try

Window = tuple[float, float]
"""(alpha, beta)."""


@attrs.define(eq=False)
class Visit:
    """One entry of the recursion into a state. A state may be visited more than once under the same action."""

    order: int
    """1 for the root, and so on as they happened."""
    state: Any
    depth: int
    """Plies left to look ahead."""
    window: Window
    """As the recursion was entered."""
    action: Any = None
    """The action that led here; None at the root."""
    probability: float | None = None
    """Of the outcome that led here, where chance moved."""
    mover: Player | None = None
    """Who moves; None while nobody has, and at a leaf."""
    leaf: str | None = None
    """"terminal", "estimate", or None where the search went on."""
    lower: float = -inf
    upper: float = inf
    """The value to MAX lies in [lower, upper], as far as is known."""
    choice: Any = None
    """The best action found."""
    windows: list[Window] = attrs.field(factory=list)
    """The window as it became narrower, action by action."""
    cut: tuple[Any, ...] = ()
    """Actions that were never tried."""
    children: list["Visit"] = attrs.field(factory=list)
    hidden: int = 0
    """Visits below that are not kept, because the tree has reached its limit."""
    closed: bool = False
    """Whether the recursion has left."""

    @property
    def is_test(self) -> bool:
        """Whether the window is empty: the visit only tests on which side of a bound the value lies."""
        return self.window[0] >= self.window[1]


@attrs.define(eq=False)
class Tree:
    """A search tree that grows event by event.

    Arguments:
        game: whose states are searched.
        limit: the number of visits to keep; of the others only the number is known.
    """

    game: Game[Any, Any]
    limit: float = inf
    root: Visit | None = None
    visits: int = 0
    """How many there were, those that are not kept included."""
    windowed: bool = False
    """Whether the searcher uses windows: some visit had a bound."""
    _path: list[Visit] = attrs.field(factory=list)
    _tried: list[Try | None] = attrs.field(factory=list)
    """Of each visit on the path, the action in hand."""

    def add(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case Enter():
                self._enter(event)
            case Try():
                self._tried[-1] = event
                self._mind_mover(self._path[-1])
            case Cut(actions):
                self._path[-1].cut = actions
            case Leaf(value, terminal):
                visit = self._path[-1]
                visit.leaf = "terminal" if terminal else "estimate"
                visit.lower = visit.upper = value
                self._leave()
            case Leave(lower, upper, choice):
                visit = self._path[-1]
                self._mind_mover(visit)
                visit.lower, visit.upper, visit.choice = lower, upper, choice
                self._leave()

    def _enter(self, event: Enter) -> None:
        self.visits += 1
        visit = Visit(self.visits, event.state, event.depth, (event.alpha, event.beta))
        self.windowed = self.windowed or event.alpha > -inf or event.beta < inf
        tried = self._tried[-1] if self._tried else None
        if tried:
            visit.action, visit.probability = tried.action, tried.probability
        if not self._path:
            self.root = visit
        elif self.visits <= self.limit:
            self._path[-1].children.append(visit)
        else:
            next(each for each in reversed(self._path) if each.order <= self.limit or each is self.root).hidden += 1
        self._path.append(visit)
        self._tried.append(None)

    def _mind_mover(self, visit: Visit) -> None:
        if visit.mover is None:
            visit.mover = self.game.to_move(visit.state)

    def _leave(self) -> None:
        visit = self._path.pop()
        self._tried.pop()
        visit.closed = True
        if self._path and not visit.is_test:
            self._narrow(self._path[-1], visit)

    def _narrow(self, parent: Visit, child: Visit) -> None:
        """What is known of the child narrows the window of the parent, as long as it is not empty."""
        alpha, beta = parent.windows[-1] if parent.windows else parent.window
        if parent.mover == MAX:
            narrower = max(alpha, child.lower), beta
        elif parent.mover == MIN:
            narrower = alpha, min(beta, child.upper)
        else:
            return
        if narrower != (alpha, beta) and narrower[0] < narrower[1]:
            parent.windows.append(narrower)


def fold(game: Game[Any, Any], events: Iterable[Event], limit: float = inf) -> Tree:
    """The tree of all `events`, of which the first `limit` visits are kept."""
    tree = Tree(game, limit)
    for event in events:
        tree.add(event)
    return tree
