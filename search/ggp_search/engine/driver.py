"""The driver: everything above the recursion, which all searchers share.

The driver finds the value, by iterative deepening if there is a limit. The result is that of the last completed
iteration. Further searches with other windows find the principal variation and the values of the root's actions. The
driver also collects statistics.
"""

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from ggp.capabilities import legal_actions
from ggp.errors import ConformanceError, DepthError
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.plugin_faults import fault_below
from ggp.rule_faults import is_number
from ggp.searcher import Limits, Report, SearchResult, Statistics, limits_itself
from ggp_search.constants import HUGE, MAX_PLIES
from ggp_search.engine.engine import Engine
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.engine.settings import INTERPRETED_SECONDS, SearchPlan

TIES_SHARE = 8
"""If ties are wanted, the time of a search divided by this number is reserved for finding ties."""
TIES_NODES = 4
"""If ties are wanted, finding them may take the limit of nodes divided by this number, in addition to the limit."""


Find = Callable[[Engine, State, int, float | None], float]
"""`find(engine, state, depth, guess)` returns the value of a state, by one or more searches. If `guess` is None, the
estimate of the state is the guess.
"""


def full_window(engine: Engine, state: State, depth: int, guess: float | None) -> float:
    """Return the value by one search with the full window."""
    return engine.within(state, depth, engine.numbers.lowest, engine.numbers.highest)


def aspiration_window(engine: Engine, state: State, depth: int, guess: float | None) -> float:
    """Return the value by searches with a narrow window around `guess`; it is widened on the side where a search fails.

    The searcher's option `aspiration` is half the width of the first window; 0 means one search from the full window.
    The value is exact: if a search ends at a bound of its window or outside the window, it is repeated.

    Source: J. P. Fishburn, Analysis of speedup in distributed algorithms, dissertation, University of Wisconsin (1981).
    """
    wanted: float = engine.search.options.aspiration
    if wanted == 0:
        return full_window(engine, state, depth, guess)
    guess = engine.estimate(state) if guess is None else guess
    lowest, highest = engine.numbers.lowest, engine.numbers.highest
    width = max(1, math.ceil(wanted)) if engine.numbers.integral else wanted
    alpha, beta = max(lowest, guess - width), min(highest, guess + width)
    while True:
        value = engine.within(state, depth, alpha, beta)
        width *= WIDER
        if value <= alpha and alpha > lowest:
            alpha = max(lowest, value - width)
        elif value >= beta and beta < highest:
            beta = min(highest, value + width)
        else:
            return value


WIDER = 4
"""Factor by which a window grows if the value is outside it; few searches are repeated more than twice."""


@attrs.define
class Driver:
    """Runs the search of a plan on an engine, from a state in which the game is not over."""

    plan: SearchPlan
    engine: Engine
    report: Report | None = None
    with_values: bool = False
    with_ties: bool = False
    """Whether to look for moves that are as good as the best one, when the search is over."""
    game: AnyGame = attrs.field(init=False)
    state: State = attrs.field(init=False)
    limits: Limits = attrs.field(init=False)
    find: Find = attrs.field(init=False)
    """The function that finds the root's value by means of the recursion."""
    control: Control = attrs.field(init=False)
    _started: float = attrs.field(factory=time.perf_counter, init=False)
    _extra: dict[str, int] = attrs.field(factory=dict, init=False)
    """Nodes that were entered to find the principal variation and the values of actions; `nodes` does not count them.
    """
    _answer: SearchResult | None = attrs.field(default=None, init=False)
    _whole: int | None = attrs.field(default=None, init=False)
    """In a search to the end of the game, the number of estimates before the search: the search itself must make no
    estimates. None in other searches.
    """
    _ends: bool = attrs.field(default=False, init=False)
    """Whether the game was over at more than half of the leaves of the last iteration."""
    _attempted: int = attrs.field(default=0, init=False)
    """Number of nodes of attempts to search the rest of the game."""

    def __attrs_post_init__(self) -> None:
        plan = self.plan
        self.game, self.state, self.limits, self.find = plan.game, plan.state, plan.limits, plan.searcher.find

    def run(self) -> SearchResult:
        """Return the result, within the limits."""
        self.control = Control(self.limits.nodes)
        self.control.watch(self.engine.counter)
        seconds = self.limits.seconds
        if seconds is None and self.plan.nodes is not None and self.engine.speed == "interpreted":
            seconds = INTERPRETED_SECONDS
        if seconds is not None and self.with_ties:
            seconds -= seconds / TIES_SHARE
        complete = self.control.run(self._iterate, seconds, self._require_end)
        if self._answer and self.with_ties:
            self._answer = attrs.evolve(self._answer, best_actions=self._ties(self._answer))
        result = self._answer or self._no_answer()
        return attrs.evolve(result, complete=complete, stopped=self.control.reason, statistics=self._statistics(result))

    def _iterate(self) -> bool:
        """Search by iterative deepening; return whether the whole requested search was done."""
        if self.plan.tries_whole_game and self._small_game():
            return True
        for depth in self._depths():
            self.control.allow(self.plan.nodes)
            try:
                self._answer = self._iteration(depth)
            except SearchStopped:
                self.control.stop("nodes")
                return False
            self._report(self._answer)
            # An exact value depends on no estimate: a deeper iteration would find the same.
            if self._answer.exact:
                return True
            # A few longer lines, with passes for example, would take an iteration for each of their plies.
            if self.plan.tries_whole_game and self._ends and self._rest_of_game():
                return True
        return True

    def _depths(self) -> Iterable[int]:
        deepest = self.limits.depth or MAX_PLIES
        return range(1, deepest + 1) if self.plan.deepens else (deepest,)

    def _small_game(self) -> bool:
        """Try to search the whole game, with a small part of the limits; return whether that was enough."""
        # A tenth of the time: if the game is too large, little is lost.
        seconds = None if self.limits.seconds is None else self.limits.seconds / 10
        with self.control.at_most(seconds):
            return self._whole_game(self.plan.whole_game_nodes)

    def _rest_of_game(self) -> bool:
        """Try to search to the end of a game that is nearly over; return whether that was enough.

        Without deepening, a search may be lost in long lines. So all attempts together get at most as many nodes as the
        iterations have entered, and at most a tenth of the limit of nodes.
        """
        before = self.engine.counts()["nodes"]
        nodes = before - 2 * self._attempted
        if self.limits.nodes is not None:
            nodes = min(nodes, self.limits.nodes // 10 - self._attempted)
        if nodes <= 0:
            return False
        found = self._whole_game(nodes)
        self._attempted += self.engine.counts()["nodes"] - before
        return found

    def _whole_game(self, nodes: int) -> bool:
        """Try to search the whole game, within a number of nodes; return whether that was enough."""
        self.control.allow(nodes)
        try:
            self._answer = self._iteration(MAX_PLIES)
        except SearchStopped:
            return False
        self._report(self._answer)
        return True

    def _report(self, answer: SearchResult) -> None:
        """Report the result of an iteration, with the depth that it has reached."""
        if self.report:
            self.report(attrs.evolve(answer, statistics=attrs.evolve(answer.statistics, depth=_depth(answer))))

    def _iteration(self, depth: int) -> SearchResult:
        engine = self.engine
        engine.next_iteration()
        # Without an estimate, every line was searched to its end: the value is exact, and deeper iterations repeat it.
        estimates, leaves = engine.estimates, engine.counts()["leaves"]
        guess = self._answer.value if self._answer else None
        # A searcher that limits itself (by a number of random games) may make estimates in any search.
        if depth == MAX_PLIES and self.limits == Limits() and not limits_itself(self.plan.searcher):
            self._whole = estimates
        try:
            value = self.find(engine, self.state, depth, guess)
            estimated, seen = engine.estimates - estimates, engine.counts()["leaves"] - leaves
            self._ends, exact = 2 * estimated < seen, not estimated
            self._check_finite(value)
            self._require_end()
        finally:
            self._whole = None
        if not self.with_values:
            self.control.allow()  # the value is there: what is left to find is cheap
        before = engine.counts()
        try:
            action = self._action(self.state, depth, value)
            values = self._values(depth, action, value) if self.with_values else None
            if values and action is not None and self.plan.searcher.direct:
                # The recursion may sample: then another action can come out better than the one that it chose.
                best = best_of(engine.mover(self.state), values)
                action = action if values[action] == values[best] else best
                value = values[action]
            exact = engine.estimates == estimates  # of all that the answer says
            variation = self._variation(depth, action, value)
        finally:
            self._count_extra(before)
        ties = () if values is None else tuple(each for each in values if values[each] == value)
        return self._result(
            value=value,
            action=action,
            complete=False,
            exact=exact,
            principal_variation=variation,
            values=values,
            best_actions=ties,
            statistics=self._statistics(depth=depth),
        )

    def _require_end(self) -> None:
        """Raise DepthError if a search to the end of the game has reached the maximum depth. Such a search may take for
        ever, so this is called several times a second.
        """
        if self._whole is not None and self.engine.estimates > self._whole:
            raise DepthError(
                f"{self.game.name} was not over after {MAX_PLIES} plies, the maximum depth of a search:"
                " give a limit of depth, seconds or nodes"
            )

    def _check_finite(self, value: float) -> None:
        """Check that a value is possible for a leaf.

        A value that is infinite, or that is a `Fraction`, comes from a game that breaks a promise.
        """
        if isinstance(value, tuple):
            raise ConformanceError(
                f"{self.plan.searcher.name} returned {value!r}: a recursion with direct = True returns the value alone,"
                " and stores the best action in search.choice"
            )
        if not is_number(value) or not abs(value) < min(HUGE, self.engine.numbers.highest):
            if fault := fault_below(self.game, self.state):
                raise ConformanceError(f"{self.game.name} failed: {fault}")
            raise ConformanceError(
                f"{self.game.name} broke a promise below {self.state!r}, where the value is {value}: every utility"
                " must be finite, and every state must have an action until the game is over (see `ggp check`)"
            )

    def _values(self, depth: int, best: Action, value: float) -> dict[Action, float]:
        """Return the exact value of each root action, found by one search for each action."""
        return {
            action: value
            if action == best
            else self.find(self.engine, self.game.result(self.state, action), depth - 1, value)
            for action in self.game.actions(self.state)
        }

    def _ties(self, answer: SearchResult) -> tuple[Action, ...]:
        """Return the root actions that are as good as the best one at the depth of the last iteration, as far as a
        short search finds them. The iteration itself has proved only that no other action is better.
        """
        if answer.action is None or self.control.reason == "interrupt":
            return ()
        control, before, nodes = Control(), self.engine.counts(), self.plan.nodes
        control.watch(self.engine.counter)
        if self.limits.nodes is not None:
            nodes = min(nodes or sys.maxsize, max(1, self.limits.nodes // TIES_NODES))
        control.allow(nodes)
        seconds = None if self.limits.seconds is None else self.limits.seconds / TIES_SHARE
        ties = control.run(lambda: list(self._equals(answer)), seconds)
        self._count_extra(before)
        return tuple(each for each in legal_actions(self.game, self.state) if each == answer.action or each in ties)

    def _equals(self, answer: SearchResult) -> Iterator[Action]:
        """Yield the other root actions that are as good as the answer's action at the answer's depth, until a limit is
        reached.
        """
        alpha, beta = window_around(self.engine, answer.value)
        is_max = self.game.to_move(self.state) == MAX
        window = (alpha, answer.value) if is_max else (answer.value, beta)
        for action in self.game.actions(self.state):
            if action == answer.action:
                continue
            estimates = self.engine.estimates
            try:
                child = self.game.result(self.state, action)
                value = self.engine.within(child, answer.statistics.depth - 1, *window)
            except SearchStopped:
                return
            proved = not answer.exact or self.engine.estimates == estimates
            if proved and (value > alpha if is_max else value < beta):
                yield action

    def _count_extra(self, before: dict[str, int]) -> None:
        """Count the nodes since `before` as extra ones."""
        for name, count in self.engine.counts().items():
            self._extra[name] = self._extra.get(name, 0) + count - before[name]

    def _variation(self, depth: int, action: Action, value: float) -> tuple[Action, ...]:
        """Return best play from the root. Each state's value is known, so finding its best action is cheap."""
        if action is None:
            return ()
        line, state, seen = [action], self.game.result(self.state, action), {self.state}
        for remaining in range(depth - 1, 0, -1):
            # A state that comes back would lengthen the line without end, as best play may go in circles.
            if self.game.terminal_test(state) or self.game.to_move(state) == CHANCE or state in seen:
                break
            seen.add(state)
            value = confirm(self.engine, state, remaining, value)
            action = self._action(state, remaining, value)
            line.append(action)
            state = self.game.result(state, action)
        return tuple(line)

    def _action(self, state: State, depth: int, value: float) -> Action:
        """Return the best action of the last search, or any action that has the state's value; None if CHANCE moves."""
        # A cut by the table or by bounds gives a value without an action: look for one with this value.
        action = self.engine.choice()
        if action is not None:
            if action not in legal_actions(self.game, state):
                raise ConformanceError(
                    f"{self.plan.searcher.name} returned the action {action!r}, which is not legal in {state!r}"
                )
            return action
        mover = self.engine.mover(state)
        if mover == CHANCE:
            return None
        values: dict[Action, float] = {}
        for action in self.game.actions(state):
            values[action] = self.find(self.engine, self.game.result(state, action), depth - 1, value)
            if values[action] == value:
                break
        return best_of(mover, values)

    def _no_answer(self) -> SearchResult:
        """Return any action and the estimate of the root, for a search that completed no iteration."""
        actions = legal_actions(self.game, self.state) if self.game.to_move(self.state) != CHANCE else ()
        action = actions[0] if actions else None
        return self._result(
            value=self.engine.estimate(self.state),
            action=action,
            complete=False,
            principal_variation=actions[:1],
            statistics=Statistics(),
        )

    def _result(self, **fields: Any) -> SearchResult:
        return SearchResult(speed=self.engine.speed, note=self.engine.note, **fields)

    def _statistics(self, result: SearchResult | None = None, depth: int = 0) -> Statistics:
        counts = {name: count - self._extra.get(name, 0) for name, count in self.engine.counts().items()}
        counts["nodes"] = max(1, counts["nodes"])  # the root was estimated, though there was no time to enter it
        return Statistics(
            **counts,
            depth=_depth(result) if result else depth,
            seconds=time.perf_counter() - self._started,
            compile_seconds=self.engine.compile_seconds,
            extra_nodes=self._extra.get("nodes", 0),
        )


def result_of_end(engine: Engine, state: State, with_values: bool, started: float) -> SearchResult:
    """Return the result of a search in a state in which the game is over; the search began at `started`
    (`time.perf_counter`).
    """
    return SearchResult(
        action=None,
        value=engine.estimate(state),
        complete=True,
        exact=True,
        values={} if with_values else None,
        speed=engine.speed,
        note=engine.note,
        statistics=Statistics(nodes=1, leaves=1, seconds=time.perf_counter() - started),
    )


def _depth(result: SearchResult) -> int:
    """Return the depth that was reached. For a search to the end of the game, this is the length of the principal
    variation.
    """
    depth = result.statistics.depth
    return len(result.principal_variation) if depth == MAX_PLIES else depth


def prepare(limits: Limits) -> None:
    """Raise Python's recursion limit, so that a search to the maximum depth is possible.

    Raises:
        DepthError: the depth limit is greater than the stack allows.
    """
    if limits.depth is not None and limits.depth > MAX_PLIES:
        raise DepthError(f"depth {limits.depth} is deeper than the stack allows: at most {MAX_PLIES} plies")
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES * MAX_PLIES + 4_000))


FRAMES = 5
"""Maximum number of nested Python calls for one ply of a search."""


def best_of(mover: int, values: dict[Action, float]) -> Action:
    """Return the first action with the best value for the player to move."""
    return (max if mover == MAX else min)(values, key=values.__getitem__)


def confirm(engine: Engine, state: State, depth: int, value: float) -> float:
    """Search a state whose value is known, to find its best action; return the value found."""
    # The narrow window cuts nearly everything. If the value lies outside the window after all, the full window decides.
    alpha, beta = window_around(engine, value)
    confirmed: float = engine.within(state, depth, alpha, beta)
    return confirmed if alpha < confirmed < beta else engine.value(state, depth)


def window_around(engine: Engine, value: float) -> tuple[float, float]:
    """Return a window that contains only `value`. For floats, it also contains values within the rounding error."""
    # Whole numbers are exact; sums over chance differ in their last bits from one order of addition to another.
    if value == int(value):
        return engine.below(value), engine.above(value)
    slack = ROUNDING * max(1.0, abs(value))
    return value - slack, value + slack


ROUNDING = 1e-9
"""Relative difference up to which two floats count as the same value."""
