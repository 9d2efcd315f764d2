"""The driver: everything above the recursion, which all searchers share.

It deepens where a limit asks for it, keeps the last completed iteration's answer, finds the principal variation
and the values of the root's actions by further searches with windows of their own, and counts what was done.
"""

import sys
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import attrs

from ggp.capabilities import legal_actions
from ggp.errors import ConformanceError, DepthError, GGPError
from ggp.game import CHANCE, MAX, Game
from ggp.searcher import Limits, Report, SearchResult, Statistics
from ggp_search import worker
from ggp_search.parts import HUGE, Numbers, SearchStopped

MAX_PLIES = 4_000
"""No search goes deeper: the stack would not hold it."""

WHOLE_GAME_FIRST = 20_000
"""A search that has to deepen first tries the whole game with so many states: small games need no deepening."""

_COUNTED = ("nodes", "leaves", "cutoffs", "table_hits")


class CompiledFormError(GGPError):
    """The compiled form could not go on where the interpreted game might: a number did not fit, for example."""


class Engine(Protocol):
    """One recursion on one game, at one of the two speeds."""

    @property
    def speed(self) -> str:
        """ "interpreted" or "compiled"."""

    @property
    def live(self) -> Any:
        """What changes while the search runs (see `ggp_search.parts.Live`)."""

    @property
    def note(self) -> str | None:
        """Why it does not run at machine speed, if it does not."""

    @property
    def numbers(self) -> Numbers:
        """The numbers that its values are."""

    @property
    def compile_seconds(self) -> float:
        """How long it took to compile the recursion, or to load it."""

    @property
    def states(self) -> int:
        """States entered so far, over all threads."""

    def next_iteration(self) -> None:
        """What is found from now on is of a new iteration."""

    def value(self, state: Any, depth: int) -> float:
        """The value of `state`, looking `depth` plies ahead."""

    def within(self, state: Any, depth: int, alpha: float, beta: float) -> float:
        """The same within a window, as `ggp_search.alphabeta` says; a recursion without windows gives the value."""

    def confirm(self, state: Any, depth: int, value: float) -> float:
        """The same for a state whose value is known, for the sake of the action that reaches it."""

    def mover(self, state: Any) -> int:
        """Who moves in `state`; at the end of the game, CHANCE."""

    def choice(self, state: Any) -> Any:
        """The action found by the call before; None if there was none."""

    def estimate(self, state: Any) -> float:
        """The evaluation of `state`, or its utility if it is terminal."""


Find = Callable[[Engine, Any, int, float], float]
"""`find(engine, state, depth, guess)`: the value of a state, by as many calls of the engine as it takes."""


def full_window(engine: Engine, state: Any, depth: int, guess: float) -> float:
    """The value by one search from the full window."""
    return engine.value(state, depth)


@attrs.define
class Search:
    """One search under way."""

    game: Game[Any, Any]
    state: Any
    limits: Limits
    engine: Engine
    report: Report | None = None
    with_values: bool = False
    find: Find = full_window
    deepen: bool = False
    """Whether to deepen to a limit of depth, too."""
    allowance: int | None = None
    """States that a search without deepening may enter; then it stops as by a limit of nodes."""
    stop: worker.Stop = attrs.field(factory=worker.Stop)
    _started: float = attrs.field(factory=time.perf_counter)
    _extra: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(_COUNTED, 0))
    _answer: SearchResult | None = None

    def run(self) -> SearchResult:
        """The answer, within the limits."""
        allow_recursion()
        self._check_depth()
        self.stop.watch(self.engine.live)
        if self.game.terminal_test(self.state):
            value = self.engine.estimate(self.state)
            counts = Statistics(nodes=1, leaves=1, seconds=time.perf_counter() - self._started)
            values: dict[Any, float] | None = {} if self.with_values else None
            return self._result(value=value, action=None, complete=True, exact=True, values=values, statistics=counts)
        complete = worker.run(self._iterate, self.stop, self.limits.seconds)
        found = self._answer or self._no_answer()
        return attrs.evolve(found, complete=complete, stopped=self.stop.reason, statistics=self._statistics(found))

    def _check_depth(self) -> None:
        if self.limits.depth is not None and self.limits.depth > MAX_PLIES:
            raise DepthError(f"depth {self.limits.depth} is deeper than the stack allows: at most {MAX_PLIES} plies")

    def _iterate(self) -> bool:
        """Search deeper and deeper; whether all that was asked was searched."""
        if self._tries_whole_game() and self._whole_game():
            return True
        for depth in self._depths():
            self._allow(self.allowance)
            try:
                self._answer = self._iteration(depth)
            except SearchStopped:
                self.stop.reason = self.stop.reason or "nodes"
                return False
            if self.report:
                self.report(self._answer)
            if self._answer.exact:
                return True
        return True

    def _deepens(self) -> bool:
        """Whether there is something to deepen to; a search without limits goes to the end at once."""
        limited = self.limits.seconds is not None or self.limits.nodes is not None
        return limited or (self.deepen and self.limits.depth is not None)

    def _tries_whole_game(self) -> bool:
        return self._deepens() and self.limits.depth is None

    def _depths(self) -> Iterable[int]:
        deepest = self.limits.depth or MAX_PLIES
        return range(1, deepest + 1) if self._deepens() else (deepest,)

    def _whole_game(self) -> bool:
        """Try the whole game at once, with a small part of what the limits allow; whether that was enough."""
        nodes = WHOLE_GAME_FIRST if self.limits.nodes is None else min(WHOLE_GAME_FIRST, self.limits.nodes // 4)
        over = worker.Alarm(None if self.limits.seconds is None else self.limits.seconds / 10)
        self._allow(nodes)
        try:
            with over.watching(self.engine.live):
                self._answer = self._iteration(MAX_PLIES)
        except SearchStopped:
            return False
        if self.report:
            self.report(self._answer)
        return True

    def _allow(self, nodes: int | None) -> None:
        """Let the search enter so many states more, within the limits."""
        live, limit = self.engine.live, self.limits.nodes or sys.maxsize
        live.limit = min(limit, sys.maxsize if nodes is None else live.nodes + nodes)
        if self.stop.reason:
            live.limit = 0

    def _iteration(self, depth: int) -> SearchResult:
        live = self.engine.live
        self.engine.next_iteration()
        estimates = live.estimates
        guess = self._answer.value if self._answer else self.engine.estimate(self.state)
        value = self.find(self.engine, self.state, depth, guess)
        exact = live.estimates == estimates
        self._check_finite(value)
        if depth == MAX_PLIES and not exact and self.limits == Limits():
            raise DepthError(
                f"{self.game.name} was not at its end after {MAX_PLIES} plies, deeper than which the stack allows"
                " no search: give a limit of depth, seconds or nodes"
            )
        if not self.with_values:
            self._allow(None)  # the value is there: what is left to find is cheap
        before = {name: getattr(live, name) for name in _COUNTED}
        try:
            action = self._action(self.state, depth, value)
            values = self._values(depth, action, value) if self.with_values else None
            exact = live.estimates == estimates  # of all that the answer says
            variation = self._variation(depth, action, value)
        finally:
            for name in _COUNTED:
                self._extra[name] += getattr(live, name) - before[name]
        best = () if values is None else tuple(each for each in values if values[each] == value)
        return self._result(
            value=value,
            action=action,
            complete=False,
            exact=exact,
            principal_variation=variation,
            values=values,
            best_actions=best,
            statistics=self._statistics(depth=depth),
        )

    def _check_finite(self, value: float) -> None:
        """A value that no leaf can have comes from a broken promise."""
        if not abs(value) < HUGE:
            raise ConformanceError(
                f"{self.game.name} broke a promise below {self.state!r}, which came out as {value}: every utility has"
                " to be finite, and every state has to have an action until the game is over (see `ggp check`)"
            )

    def _values(self, depth: int, best: Any, value: float) -> dict[Any, float]:
        """The exact value of each root action: each has a window of its own."""
        return {
            action: value
            if action == best
            else self.find(self.engine, self.game.result(self.state, action), depth - 1, value)
            for action in self.game.actions(self.state)
        }

    def _variation(self, depth: int, action: Any, value: float) -> tuple[Any, ...]:
        """Best play from the root, found move by move: each state's value is known, so the search for it is cheap."""
        if action is None:
            return ()
        line, state = [action], self.game.result(self.state, action)
        for remaining in range(depth - 1, 0, -1):
            if self.game.terminal_test(state) or self.game.to_move(state) == CHANCE:
                break
            value = self.engine.confirm(state, remaining, value)
            action = self._action(state, remaining, value)
            line.append(action)
            state = self.game.result(state, action)
        return tuple(line)

    def _action(self, state: Any, depth: int, value: float) -> Any:
        """The action that the search just made found; if it knows the value alone, one that has it. None for CHANCE."""
        action, mover = self.engine.choice(state), self.engine.mover(state)
        if action is not None or mover == CHANCE:
            return action
        found: dict[Any, float] = {}
        for action in self.game.actions(state):
            found[action] = self.find(self.engine, self.game.result(state, action), depth - 1, value)
            if found[action] == value:
                break
        return best_of(mover, found)

    def _no_answer(self) -> SearchResult:
        """Not even the first iteration was completed: any action, and the estimate of the root."""
        actions = legal_actions(self.game, self.state) if self.game.to_move(self.state) != CHANCE else ()
        action = actions[0] if actions else None
        return self._result(
            value=self.engine.estimate(self.state),
            action=action,
            complete=False,
            principal_variation=actions[:1],
            statistics=Statistics(),
        )

    def _result(self, **found: Any) -> SearchResult:
        return SearchResult(speed=self.engine.speed, note=self.engine.note, **found)

    def _statistics(self, found: SearchResult | None = None, depth: int = 0) -> Statistics:
        live = self.engine.live
        counts = {name: getattr(live, name) - self._extra[name] for name in _COUNTED}
        return Statistics(
            **counts,
            depth=self._depth(found) if found else depth,
            seconds=time.perf_counter() - self._started,
            compile_seconds=self.engine.compile_seconds,
            extra_nodes=self._extra["nodes"],
        )

    def _depth(self, found: SearchResult) -> int:
        """The depth that was reached: of a search to the end of the game, the length of its line."""
        depth = found.statistics.depth
        return len(found.principal_variation) if depth == MAX_PLIES else depth


def best_of(mover: int, values: dict[Any, float]) -> Any:
    """The first action of the best value for whoever moves."""
    return (max if mover == MAX else min)(values, key=values.__getitem__)


def window_around(value: float, numbers: Numbers) -> tuple[float, float]:
    """A window that holds `value` and no other; for fractions, none that rounding does not explain."""
    if value == int(value):
        return numbers.below(value), numbers.above(value)
    slack = ROUNDING * max(1.0, abs(value))
    return value - slack, value + slack


ROUNDING = 1e-9
"""Fractions as near to each other as this share of them are taken to be the same value."""


def allow_recursion() -> None:
    """Let Python recurse as deep as the driver allows."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), MAX_PLIES + 2_000))
