"""Trace a search: a search object that records an event at every step, with the line of the page that is running.

The page needs no code for tracing: its line is read from Python's stack. Its source is shown beside the tree.
"""

import ast
import contextlib
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from math import copysign, inf
from types import CodeType, FrameType
from typing import Any

import attrs

from ggp.game import Action, AnyGame, State
from ggp.searcher import Limits
from ggp.trace import Cut, Enter, Estimate, Event, Leaf, Leave, Note, Try
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.driver import prepare
from ggp_search.engine.interpreted_engine import interpreted
from ggp_search.engine.limits import Control
from ggp_search.engine.search import Recursion, Search, SearchStopped
from ggp_search.engine.settings import Settings
from ggp_search.memory.outcome_bounds import BOUNDLESS


@attrs.frozen
class PageSource:
    """The source of a page: its functions without their docstrings."""

    lines: tuple[str, ...]
    places: dict[tuple[CodeType, int], int]
    """The index in `lines` for a function and a line number of its file."""
    codes: frozenset[CodeType]

    def nearest(self, frame: FrameType | None) -> FrameType | None:
        """Return the frame, or the nearest one that called it, in which the page runs."""
        while frame is not None and frame.f_code not in self.codes:
            frame = frame.f_back
        return frame

    def line(self, frame: FrameType | None) -> int | None:
        """Return the line of the page that runs in a frame."""
        return None if frame is None else self.places.get((frame.f_code, frame.f_lineno))


def source_of(*pages: Callable[..., Any] | None) -> PageSource:
    """Return the source of pages with all functions of the package that they call."""
    lines: list[str] = []
    places: dict[tuple[CodeType, int], int] = {}
    procedures = _procedures([page for page in pages if page is not None])
    for procedure in procedures:
        text, first = inspect.getsourcelines(procedure)
        described = _docstring(text)
        if lines:
            lines.append("")
        for place, line in enumerate(text):
            if place not in described:
                places[procedure.__code__, first + place] = len(lines)
                lines.append(line.rstrip())
    return PageSource(tuple(lines), places, frozenset(each.__code__ for each in procedures))


def _procedures(found: list[Any]) -> list[Any]:
    """Return the functions, and those that they call if they belong to the same package."""
    page = found[0]
    package = page.__module__.rpartition(".")[0]
    for procedure in found:
        for name in procedure.__code__.co_names:
            called = procedure.__globals__.get(name)
            if inspect.isfunction(called) and called not in found:
                home = called.__module__
                if home == page.__module__ or (package and home.rpartition(".")[0] == package):
                    found.append(called)
    return found


def _docstring(lines: list[str]) -> range:
    """Return the indices of a function's docstring among its lines."""
    body = ast.parse(textwrap.dedent("".join(lines))).body[0].body  # type: ignore[attr-defined]
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return range(first.lineno - 1, first.end_lineno or first.lineno)
    return range(0)


class Tracer:
    """The object that records the events."""

    def __init__(self, *pages: Callable[..., Any] | None) -> None:
        self.events: list[Event] = []
        self.source = source_of(*pages)
        self.entered = 0
        """Number of states that were entered and not left yet."""
        self._returned: int | None = None
        """The line of the first return since the last event, at which a state is left."""

    def add(self, event: Event, line: int | None = None) -> None:
        """Record an event at the given line of the page; by default, the line that runs now."""
        here = self.source.line(self.source.nearest(sys._getframe(1))) if line is None else line
        self.entered += isinstance(event, Enter) - isinstance(event, Leaf | Leave)
        self.events.append(attrs.evolve(event, line=here or 0))
        self._returned = None

    def local(self, name: str) -> Any:
        """Return a variable of the page's function that runs."""
        frame = self.source.nearest(sys._getframe(1))
        return None if frame is None else frame.f_locals.get(name)

    def left(self, event: Event) -> None:
        """Record an event for a state from which a page has just returned."""
        self.add(event, self._returned)

    def tried(self, drawn: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
        """Yield the actions, and record a `Try` for each. If the page stops early, record the rest as a `Cut`."""
        rest = iter(drawn)
        for action, probability in rest:
            self.add(Try(action, probability))
            try:
                yield action, probability
            except GeneratorExit:
                left = tuple(action for action, _ in rest)
                if left:
                    self.add(Cut(left))
                raise

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Record in the `with` block where pages return."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code in self.source.codes else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return" and self._returned is None:
            self._returned = self.source.line(frame)
        return self._line


class TracedSearch(Search):
    """A search object that records events."""

    watcher: Tracer
    leaving: tuple[float, float, Action | None] | None = None
    """The bounds and the best action that are stored for the state that is left; None if nothing is stored."""
    asked: bool = False
    """Whether a value is asked for and its state not entered yet; a page enters the states that it probes itself."""
    probed: tuple[int, ...] = ()
    """The numbers of states that were entered when a page had entered one itself, which it has not left yet."""
    beyond: bool = False
    """Whether the search is beyond the depth limit (quiescence), where the estimate of a state is
    not its final value.
    """

    def value(self, state: State, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """See `Search`. If the table or a repetition gives the value, the state's end is recorded here."""
        watcher, beyond = self.watcher, self.beyond
        entered = watcher.entered
        if entered and not isinstance(watcher.events[-1], Try):  # drawn from the game itself
            watcher.add(Try(watcher.local("action")))
        self.beyond = self.horizon is not None and depth <= 0
        self.leaving, self.asked = None, True
        value = super().value(state, depth, alpha, beta)
        self.beyond, self.asked = beyond, False
        if watcher.entered > entered:
            lower, upper = value if value > alpha else -inf, value if value < beta else inf
            choice = self.choice if depth > 0 else None
            if self.leaving is not None:
                # What is stored may be less than what is known here: a value that rests on a repetition above holds
                # on this path only.
                least, most, choice = self.leaving
                lower, upper = max(lower, least), min(upper, most)
            elif self.path is not None and self.path.holds(state):
                watcher.add(Note(f"The state comes back in this line: that is worth {value:g}."))
                watcher.add(Leaf(value, terminal=True))
            elif depth > 0:
                watcher.add(Note("It was met before, so its value is known."))
            if watcher.entered > entered:
                watcher.left(Leave(_open(lower), _open(upper), choice))
        self.leaving = None
        return value

    def enter(self, state: State, depth: int, alpha: float, beta: float) -> None:
        super().enter(state, depth, alpha, beta)
        alpha, beta = _open(alpha), _open(beta)
        if beta == self.above(alpha):  # a test: the bound is the one that is written shorter
            alpha = beta = min(alpha, beta, key=lambda bound: len(repr(bound)))
        self.watcher.add(Enter(state, depth, alpha, beta))
        if not self.asked:
            self.probed = (*self.probed, self.watcher.entered)
        self.asked = False

    def utility(self, state: State) -> float:
        value = super().utility(state)
        self.watcher.add(Leaf(value, terminal=True))
        return value

    def evaluate(self, state: State) -> float:
        value = super().evaluate(state)
        if self.beyond:
            self.watcher.add(Estimate(f"The estimate is {value:g}; noisy moves are looked at beyond the horizon."))
        else:
            self.watcher.add(Leaf(value, terminal=False))
        return value

    def order(self, state: State, depth: int, choice: Action | None) -> Iterable[Action]:
        actions = super().order(state, depth, choice)
        return (action for action, _ in self.watcher.tried((action, None) for action in actions))

    def outcomes(self, state: State) -> Iterable[tuple[Action, float]]:
        return self.watcher.tried(super().outcomes(state))

    def leave(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        super().leave(state, depth, lower, upper, choice, work)
        if self.probed and self.probed[-1] == self.watcher.entered:
            self.probed = self.probed[:-1]
            self.watcher.add(Leave(_open(lower), _open(upper), choice))
        else:
            self.leaving = lower, upper, choice


def _open(bound: float) -> float:
    """Return the bound; infinity if it is a number that stands for infinity at chance nodes."""
    return copysign(inf, bound) if abs(bound) > BOUNDLESS else bound


def trace(recursion: Recursion, game: AnyGame, state: State, limits: Limits, settings: Settings) -> list[Event]:
    """Return the events of one plain search: actions in the game's order, and a table only for a searcher that needs
    one.
    """
    prepare(limits)
    watcher = Tracer(recursion.page, recursion.horizon)
    plain = settings.plain()
    if recursion.needs_table:
        plain = attrs.evolve(plain, table=settings.table)
    engine = interpreted(game, state, recursion, plain, kind=TracedSearch)
    engine.search.watcher = watcher  # type: ignore[attr-defined]
    Control(limits.nodes).watch(engine.counter)
    with contextlib.suppress(SearchStopped), watcher.watching():
        recursion.find(engine, state, limits.depth or MAX_PLIES, engine.estimate(state))
    return watcher.events
