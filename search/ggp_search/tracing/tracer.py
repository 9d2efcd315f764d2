"""Trace a search: record an event at every step, with the line of the recursion that is running.

A recursion that calls `search.value` needs no code for tracing; a recursion that stores a tree must report its steps by
`search.told`. Python's stack shows which line is running. The source is shown beside the tree.
"""

import ast
import contextlib
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from math import copysign, inf
from types import CodeType, FrameType
from typing import Any, ClassVar, TypeVar

import attrs

from ggp.game import CHANCE, Action, State
from ggp.trace import Cut, Enter, Estimate, Event, Leaf, Leave, Note, Try
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.driver import prepare
from ggp_search.engine.engine import interpreted
from ggp_search.engine.limits import Control
from ggp_search.engine.search import Search, SearchStopped
from ggp_search.engine.settings import SearchPlan
from ggp_search.engine.shadow import HighTable
from ggp_search.memory.outcome_bounds import BOUNDLESS
from ggp_search.memory.transposition_table import InterpretedTable

ChanceT = TypeVar("ChanceT", bound=float | None)
"""The type of the probability of an action: a float if CHANCE moves; None if a player moves."""


@attrs.frozen
class RecursionSource:
    """The source of a recursion: its functions and the base case, without docstrings and without calls of
    `search.told`.
    """

    lines: tuple[str, ...]
    places: dict[tuple[CodeType, int], int]
    """The index in `lines` for a function and a line number of its file."""
    codes: frozenset[CodeType]
    """The functions of the recursion."""

    def nearest(self, frame: FrameType | None, *, base: bool = False) -> FrameType | None:
        """Return the nearest frame in which the recursion runs: this frame, or one that called it.

        With `base`, the base case counts as part of the recursion.
        """
        while frame is not None and not (frame.f_code in self.codes or (base and frame.f_code is BASE)):
            frame = frame.f_back
        return frame

    def line(self, frame: FrameType | None) -> int | None:
        """Return the line of the recursion that runs in a frame."""
        return None if frame is None else self.places.get((frame.f_code, frame.f_lineno))


BASE = Search.value.__code__
"""The base case of every recursion that calls `search.value`: where a leaf gets its value."""


def source_of(searcher: Any) -> RecursionSource:
    """Return the source of a searcher's recursions, with all functions of the package that they call.

    Last comes `search.value`, which surrounds a recursion.
    """
    lines: list[str] = []
    places: dict[tuple[CodeType, int], int] = {}
    procedures = _procedures([each for each in (searcher.recursion, searcher.horizon) if each is not None])
    for procedure in procedures if searcher.direct else [*procedures, Search.value]:
        text, first = inspect.getsourcelines(procedure)
        shown = textwrap.dedent("".join(text)).splitlines()
        hidden = _hidden(shown)
        if lines:
            lines.append("")
        if procedure is Search.value:
            lines.append(AROUND)
        for index, line in enumerate(shown):
            if index not in hidden:
                lines.append(line.rstrip())
            # A hidden line reports what the line before it has done.
            places[procedure.__code__, first + index] = len(lines) - 1
    return RecursionSource(tuple(lines), places, frozenset(each.__code__ for each in procedures))


AROUND = "# around the recursion: where a leaf gets its value"


def _procedures(procedures: list[Any]) -> list[Any]:
    """Return the functions, together with all functions of the same package that they call."""
    first = procedures[0]
    package = first.__module__.rpartition(".")[0]
    for procedure in procedures:
        for name in procedure.__code__.co_names:
            called = procedure.__globals__.get(name)
            if inspect.isfunction(called) and called not in procedures:
                home = called.__module__
                if home == first.__module__ or (package and home.rpartition(".")[0] == package):
                    procedures.append(called)
    return procedures


def _hidden(lines: list[str]) -> set[int]:
    """Return the indices of those lines of a function that are not shown: its docstring, and calls of `search.told`."""
    function = ast.parse("\n".join(lines)).body[0]
    assert isinstance(function, ast.FunctionDef)
    first = function.body[0]
    hidden: list[ast.stmt] = []
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        hidden.append(first)
    for node in ast.walk(function):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Attribute) and node.test.attr == "watched":
            hidden.append(node)
        called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
        if isinstance(node, ast.Expr) and isinstance(called, ast.Attribute) and called.attr == "told":
            hidden.append(node)
    return {line for node in hidden for line in range(node.lineno - 1, node.end_lineno or node.lineno)}


@attrs.define
class Open:
    """A state that was entered and has not been left yet."""

    state: State
    action: Action | None
    """The action that led to the state."""
    tried: list[Action] = attrs.field(factory=list)
    is_ordered: bool = False
    """Whether the recursion got the state's actions from `search.order`, which reports them itself."""


class Tracer:
    """The object that records the events of a search."""

    def __init__(self, source: RecursionSource) -> None:
        self.events: list[Event] = []
        self.source = source
        self.path: list[Open] = []
        """The states that were entered and have not been left yet, from the root on."""
        self._met: set[tuple[object, ...]] = set()
        """The nodes that were evaluated but not searched, by path and window."""
        self._returned: int | None = None
        """The line of the first return after the last event; a state is left at that line."""
        self.drawn: int | None = None
        """The line that has taken an action from the recursion's own generator, or has closed this generator."""

    @property
    def entered(self) -> int:
        """Number of states that were entered and not left yet."""
        return len(self.path)

    @property
    def returned(self) -> int | None:
        """The line at which a recursion has just returned."""
        return self._returned

    def add(self, event: Event, line: int | None = None) -> None:
        """Record an event at the given line of the recursion (default: the line that runs now)."""
        if line is None:
            line = self.source.line(self.source.nearest(sys._getframe(1), base=isinstance(event, Leaf)))
        match event:
            case Try(action) if self.path:
                self.path[-1].tried.append(action)
            case Enter(state):
                tried = self.path[-1].tried if self.path else []
                self.path.append(Open(state, tried[-1] if tried else None))
            case Leaf() | Leave():
                self.path.pop()
        self.events.append(attrs.evolve(event, line=line or 0))
        self._returned = None

    def told(self, *events: Event) -> None:
        """Record what a recursion tells: see `Search.told`."""
        if len(events) > 1:
            node = (*(each.action for each in self.path), *events[:-1])
            if node in self._met:
                return
            self._met.add(node)
        for event in events:
            self.add(event)

    def tried(self, drawn: Iterable[tuple[Action, ChanceT]]) -> Iterator[tuple[Action, ChanceT]]:
        """Yield the actions, and record a `Try` for each.

        If the recursion stops early, record the remaining actions as a `Cut`.
        """
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
        """Record, during the `with` block, the lines at which recursions return."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        return self._line if frame.f_code in self.source.codes or frame.f_code is BASE else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "return" and frame.f_code.co_flags & inspect.CO_GENERATOR:  # it yields, or it is closed
            self.drawn = self.source.line(self.source.nearest(frame.f_back))
        elif event == "return" and self._returned is None:
            self._returned = self.source.line(frame)
        return self._line


class WatchedSearch(Search):
    """A search object that records what its recursion tells."""

    watched: ClassVar[bool] = True
    watcher: Tracer

    def told(self, event: Callable[..., Event | tuple[Event, ...]] | Event, *arguments: Any) -> None:
        made = event(*arguments) if callable(event) else (event, *arguments)
        self.watcher.told(*(made if isinstance(made, tuple) else (made,)))


class TracedSearch(WatchedSearch):
    """A search object that also records what it does itself."""

    leaving: tuple[float, float, Action | None] | None = None
    """The bounds and the best action that are stored for the state that is being left; None if nothing is stored."""
    asked: bool = False
    """Whether the value of a state was asked for, but the state is not entered yet. (If a recursion probes a state
    itself, it also enters the state itself.)
    """
    probed: tuple[int, ...] = ()
    """The states that the recursion itself has entered, and has not left yet. For each of these states, the number says
how many states were open when it was entered.
    """
    beyond: bool = False
    """Whether the search is beyond the depth limit (quiescence), where the estimate of a state is
    not its final value.
    """

    def value(self, state: State, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """See `Search`. If the table gives the value, this method records that the state is left."""
        watcher, beyond = self.watcher, self.beyond
        entered = watcher.entered
        if entered and not isinstance(watcher.events[-1], Try):  # drawn from the game itself, or searched again
            self._find_action(watcher.path[-1], state)
        self.beyond = self.horizon is not None and depth <= 0
        self.leaving, self.asked = None, True
        value = super().value(state, depth, alpha, beta)
        self.beyond, self.asked = beyond, False
        if watcher.entered > entered:
            lower, upper = value if value > alpha else -inf, value if value < beta else inf
            choice = self.choice if depth > 0 else None
            line = watcher.returned
            if self.leaving is not None:
                # The stored bounds may be wider than the bounds here: a value that depends on a repetition higher up
                # holds on this path only.
                least, most, choice = self.leaving
                lower, upper = max(lower, least), min(upper, most)
                self._cut_rest(watcher.path[-1])
            elif depth > 0:
                watcher.add(Note("The state was met before, so its value is known."), line)
            watcher.add(Leave(_open(lower), _open(upper), choice), line)
        self.leaving = None
        return value

    def _find_action(self, parent: Open, state: State) -> None:
        """Record the action that leads from the parent to a state: the action tried last, or else the next one."""
        if self.game.to_move(parent.state) == CHANCE:
            drawn: list[tuple[Action, float | None]] = [*self.game.outcomes(parent.state)]
        else:
            drawn = [(action, None) for action in self.game.actions(parent.state)]
        leading = [pair for pair in drawn if self.game.result(parent.state, pair[0]) == state]
        last = [pair for pair in leading if pair[0] == parent.tried[-1]] if parent.tried else []
        fresh = [pair for pair in leading if pair[0] not in parent.tried]
        for action, probability in (last or fresh or leading)[:1]:
            self.watcher.add(Try(action, probability))

    def _cut_rest(self, here: Open) -> None:
        """Record the actions that were not tried, if the recursion has an order of its own."""
        if not here.is_ordered and self.game.to_move(here.state) != CHANCE:
            rest = tuple(action for action in self.game.actions(here.state) if action not in here.tried)
            if rest:
                self.watcher.add(Cut(rest), self.watcher.drawn)

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
            self.watcher.add(Estimate(f"The estimate is {value:g}; noisy moves are searched beyond the horizon."))
        elif sys._getframe(1).f_code is not BASE and (not self.probed or self.probed[-1] != self.watcher.entered):
            self.watcher.add(Estimate(f"The estimate is {value:g}."))  # the recursion looks at a state that it searches
        else:
            self.watcher.add(Leaf(value, terminal=False))
        return value

    def repeated(self, state: State) -> float:
        value = super().repeated(state)
        self.watcher.add(Note(f"The state comes back in this line: a repetition is worth {value:g}."))
        self.watcher.add(Leaf(value, terminal=True, note=("repeats",)))
        return value

    def known(self, state: State) -> float:
        value = super().known(state)
        self.watcher.add(Note(f"The state is in the tablebase: it is worth {value:g}."))
        self.watcher.add(Leaf(value, terminal=True, note=("tablebase",)))
        return value

    def order(self, state: State, depth: int, choice: Action | None) -> Iterable[Action]:
        actions = super().order(state, depth, choice)
        self.watcher.path[-1].is_ordered = True
        return (action for action, _ in self.watcher.tried((action, None) for action in actions))

    def outcomes(self, state: State) -> Iterable[tuple[Action, float]]:
        self.watcher.path[-1].is_ordered = True
        return self.watcher.tried(super().outcomes(state))

    def leave(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        super().leave(state, depth, lower, upper, choice, work)
        if self.probed and self.probed[-1] == self.watcher.entered:
            self.probed = self.probed[:-1]
            self.watcher.add(Leave(_open(lower), _open(upper), choice))
        else:
            self.leaving = lower, upper, choice


def _open(bound: float) -> float:
    """Return the bound; return infinity for a number that stands for infinity at chance nodes."""
    return copysign(inf, bound) if abs(bound) > BOUNDLESS else bound


def watched(plan: SearchPlan) -> tuple[list[Event], Search]:
    """Return the events of one search, without deepening, and the search object.

    The search object reports what happens around a recursion. A recursion that does everything itself (`direct`) must
    report every event. If such a recursion reports no events, its value is the only event.
    """
    recursion, state, limits = plan.searcher, plan.state, plan.limits
    prepare(limits)
    cls = WatchedSearch if recursion.direct else TracedSearch
    table = InterpretedTable if plan.settings.speed == "interpreted" or recursion.needs_table else HighTable
    engine = interpreted(plan, cls=cls, table=table)
    engine.search.watcher = watcher = Tracer(source_of(recursion))  # type: ignore[attr-defined]
    Control(limits.nodes).watch(engine.counter)
    depth, value = limits.depth or MAX_PLIES, None
    with contextlib.suppress(SearchStopped), watcher.watching():
        value = recursion.find(engine, state, depth, engine.estimate(state))
    if not watcher.events:
        watcher.add(Enter(state, depth, -inf, inf), 0)
        watcher.add(Leave(-inf if value is None else value, inf if value is None else value, engine.choice()), 0)
    while recursion.direct and watcher.entered:  # a limit was reached
        watcher.add(Leave(-inf, inf, None))
    return watcher.events, engine.search
