"""A search tree, built from the events of a search.

The events of `ggp.trace` are added one by one. So the tree after the first k events shows what was known after k steps.
`ggp.show.tree_text` and `ggp.show.tree_svg` draw the tree.
"""

from collections.abc import Iterable, Iterator
from math import inf

import attrs

from ggp.capabilities import all_actions
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, Player, State
from ggp.trace import Cut, Enter, Event, Leaf, Leave, Try

Window = tuple[float, float]
"""(alpha, beta), or the ends of another interval of values to MAX."""
ANYTHING: Window = (-inf, inf)


@attrs.define(eq=False, repr=False)
class Visit:
    """One call of the recursion for a state. A state may be visited more than once under the same action."""

    order: int
    """The number in the order of visits, 1 for the root."""
    state: State
    depth: int
    """Remaining depth in plies."""
    window: Window
    """The window when the recursion was entered."""
    action: Action = None
    """The action that led here; None at the root."""
    probability: float | None = None
    """The probability of the outcome that led here, if chance moved."""
    mover: Player | None = None
    """The player to move; None at a leaf, and at a node whose first move has not been tried."""
    leaf: str | None = None
    """"terminal", "estimate", or None if the search went on."""
    lower: float = -inf
    upper: float = inf
    """Bounds: the value to MAX lies in [lower, upper], as far as is known."""
    choice: Action | None = None
    """The best action found."""
    windows: list[Window] = attrs.field(factory=list)
    """The windows after each action that narrowed the window."""
    range: Window = ANYTHING
    """The interval in which the value to MAX lies, according to what is known of the successors.

    A successor that was not visited may have any value.
    """
    cut: tuple[Action, ...] = ()
    """Actions that were never tried. If the search comes back to this visit, it may still try some of these actions."""
    children: list["Visit"] = attrs.field(factory=list)
    hidden: int = 0
    """Number of visits below this one that are not shown, because the tree has reached its limit."""
    note: tuple[str, ...] = ()
    """Further facts from the searcher, one per line: playouts, proof numbers."""
    closed: bool = False
    """Whether the recursion has left this visit."""
    shown: bool = True
    """Whether the visit is shown; visits beyond the tree's limits are hidden."""
    searched: dict[State, tuple[Window, float | None]] = attrs.field(factory=dict)
    """The states to which actions have led. Each has the range of its value, and its probability if chance moves."""
    branching: int = 0
    """The number of legal actions; 0 until the search tries the first one."""

    def __repr__(self) -> str:
        return f"<visit {self.order} of {self.state!r}>"

    def changing(self) -> tuple[object, ...]:
        """Return everything that is shown of a visit and may change during the search."""
        return (
            *(self.window, self.windows[-1:], self.mover, self.leaf, self.lower, self.upper, self.choice, self.range),
            *(self.closed, self.branching, len(self.searched), self.note),
        )

    @property
    def is_test(self) -> bool:
        """Whether the window is empty: the visit only tests on which side of a bound the value lies."""
        return self.window[0] >= self.window[1]


LIMIT = 200
"""Default for the maximum number of visits that are shown."""


@attrs.define(eq=False, repr=False)
class SearchTree:
    """A search tree that grows event by event.

    Arguments:
        game: the game that is searched.
        limit: the maximum number of visits to store; further visits are only counted.
        levels: the number of levels below the root to store.
        windowed: whether the searcher uses windows; it is also set by the first visit with a bound (see
            `uses_windows`).
    """

    game: AnyGame
    limit: float = LIMIT
    levels: float = inf
    windowed: bool = attrs.field(default=False, kw_only=True)
    root: Visit | None = None
    visits: int = 0
    """Number of visits, hidden ones included."""
    shown: int = 0
    """Number of visits in the tree, without the hidden ones."""
    latest: Visit | None = None
    """The visit that the last event belongs to."""
    _path: list[Visit] = attrs.field(factory=list)
    _tried: list[Try | None] = attrs.field(factory=list)
    """For each visit on the path, the action that is being tried."""

    def __repr__(self) -> str:
        return f"<the search tree of {self.visits:,} visits on {self.game.name}>"

    def add(self, event: Event) -> None:
        """Add the next event."""
        if isinstance(event, Enter):
            self._enter(event)
        self.latest = self._path[-1]
        match event:
            case Try(action):
                visit = self._path[-1]
                self._tried[-1] = event
                self._mind_mover(visit)
                visit.cut = tuple(each for each in visit.cut if each != action)
            case Cut(actions):
                visit = self._path[-1]
                visit.cut = tuple(each for each in actions if each not in visit.searched)
            case Leaf(value, terminal):
                visit = self._path[-1]
                visit.leaf = "terminal" if terminal else "estimate"
                visit.lower = visit.upper = value
                visit.note = event.note
                self._leave()
            case Leave(lower, upper, choice):
                visit = self._path[-1]
                if visit.leaf is None:  # a search that keeps a tree may come back to a leaf
                    self._mind_mover(visit)
                    visit.lower, visit.upper, visit.choice, visit.note = lower, upper, choice, event.note
                self._leave()

    @property
    def current(self) -> Visit | None:
        """The visit of the last event, or the innermost shown visit above it."""
        if self.latest is None or self.latest.shown:
            return self.latest
        return next(each for each in reversed(self._path) if each.shown)

    @property
    def path(self) -> tuple[Visit, ...]:
        """The visits that are still open, starting at the root."""
        return tuple(self._path)

    def principal_variation(self) -> list[Visit]:
        """Return the principal variation from the root, as far as it is known. It is empty until the search has left
        the root.
        """
        line: list[Visit] = []
        visit = self.root if self.root and (self.root.closed or self.root.note) else None
        while visit:
            line.append(visit)
            best = [child for child in visit.children if child.action == visit.choice]
            visit = best[-1] if best and visit.mover != CHANCE else None
        return line

    def all_shown(self) -> Iterator[Visit]:
        """Yield the visits that are shown, in order."""
        waiting = [self.root] if self.root else []
        while waiting:
            visit = waiting.pop()
            yield visit
            waiting += reversed(visit.children)

    def _enter(self, event: Enter) -> None:
        self.windowed = self.windowed or uses_windows([event])
        tried = self._tried[-1] if self._tried else None
        if before := self._same_visit(event, tried):
            before.window, before.windows, before.closed = (event.alpha, event.beta), [], False
            self._path.append(before)
            self._tried.append(None)
            return
        self.visits += 1
        visit = Visit(self.visits, event.state, event.depth, (event.alpha, event.beta))
        if tried:
            visit.action, visit.probability = tried.action, tried.probability
            self._path[-1].searched.setdefault(tried.action, (ANYTHING, tried.probability))
        if not self._path:
            self.root = visit
        elif self.shown < self.limit and len(self._path) <= self.levels and self._path[-1].shown:
            self._path[-1].children.append(visit)
        else:
            visit.shown = False
            next(each for each in reversed(self._path) if each.shown).hidden += 1
        self.shown += visit.shown
        self._path.append(visit)
        self._tried.append(None)

    def _same_visit(self, event: Enter, tried: Try | None) -> Visit | None:
        """Return the visit to which the search comes back: the root, or a node of a tree that the searcher keeps; or
        None.
        """
        if not self._path:
            return self.root
        if not event.again or tried is None:
            return None
        children = [child for child in self._path[-1].children if child.action == tried.action]
        return children[-1] if children else None

    def _mind_mover(self, visit: Visit) -> None:
        if visit.mover is None:
            visit.mover = self.game.to_move(visit.state)
            visit.branching = len(all_actions(self.game, visit.state))

    def _leave(self) -> None:
        visit = self._path.pop()
        self._tried.pop()
        visit.closed = True
        exact = visit.lower == visit.upper
        visit.range = (visit.lower, visit.upper) if exact else common(visit.range, (visit.lower, visit.upper))
        if self._path and not visit.is_test and not visit.note:
            self._narrow(self._path[-1], visit)
        self._learn(visit)

    def _narrow(self, parent: Visit, child: Visit) -> None:
        """Narrow the parent's window by the bounds of the child, unless the window would become empty."""
        alpha, beta = parent.windows[-1] if parent.windows else parent.window
        if parent.mover == MAX:
            narrower = max(alpha, child.lower), beta
        elif parent.mover == MIN:
            narrower = alpha, min(beta, child.upper)
        else:
            return
        if narrower != (alpha, beta) and narrower[0] < narrower[1]:
            parent.windows.append(narrower)

    def _learn(self, child: Visit) -> None:
        """Carry the bounds of the child to the nodes above it."""
        for parent in reversed(self._path):
            before, probability = parent.searched.get(child.action, (ANYTHING, child.probability))
            parent.searched[child.action] = common(before, child.range), probability
            learnt = common(parent.range, range_of(parent, child))
            if learnt == parent.range:
                return
            parent.range = learnt
            child = parent


def range_of(visit: Visit, child: Visit) -> Window:
    """Return the range of `visit` after the range of its successor `child` has changed."""
    low, high = visit.searched[child.action][0]
    all_tried = len(visit.searched) == visit.branching
    if visit.mover == MAX:
        return low, max(upper for (_, upper), _ in visit.searched.values()) if all_tried else inf
    if visit.mover == MIN:
        return min(lower for (lower, _), _ in visit.searched.values()) if all_tried else -inf, high
    weighed = [(below, weight) for below, weight in visit.searched.values() if weight is not None]
    if not all_tried or len(weighed) < visit.branching:
        return ANYTHING
    return sum(weight * lower for (lower, _), weight in weighed), sum(weight * upper for (_, upper), weight in weighed)


def best_so_far(visit: Visit) -> Action:
    """Return the mover's best action according to the values known so far; None if no value is known."""
    if visit.mover == MAX:
        bounds = {action: lower for action, ((lower, _), _) in visit.searched.items() if lower > -inf}
        return max(bounds, key=bounds.__getitem__, default=None)
    if visit.mover == MIN:
        bounds = {action: upper for action, ((_, upper), _) in visit.searched.items() if upper < inf}
        return min(bounds, key=bounds.__getitem__, default=None)
    return None


def common(one: Window, other: Window) -> Window:
    """Return the intersection of two intervals; return `other` if they are disjoint."""
    both = max(one[0], other[0]), min(one[1], other[1])
    return both if both[0] <= both[1] else other


def uses_windows(events: Iterable[Event]) -> bool:
    """Return whether windows should be shown, that is, whether the window of at least one visit has a bound."""
    return any(isinstance(event, Enter) and (event.alpha > -inf or event.beta < inf) for event in events)


def steps(tree: SearchTree, events: Iterable[Event]) -> Iterator[Event]:
    """Add the events to `tree` step by step, and yield the last event of each step.

    A step is one event. Successive events in hidden visits form one step.
    """
    unseen = None
    for event in events:
        shown = not isinstance(event, Enter) and tree.path[-1].shown
        if unseen and shown:
            yield unseen
        tree.add(event)
        unseen = None if tree.latest and tree.latest.shown else event
        if not unseen:
            yield event
    if unseen:
        yield unseen
