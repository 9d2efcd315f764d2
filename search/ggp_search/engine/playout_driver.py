"""The driver of Monte Carlo searches: playouts until the value is proved or a limit is reached."""

import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ggp.capabilities import all_actions
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.searcher import Limits, Report, SearchResult, Statistics
from ggp_search.constants import MAX_PLIES
from ggp_search.engine import compiled_engine
from ggp_search.engine.driver import CompiledFormError, Engine, prepare, result_of_end
from ggp_search.engine.interpreted_engine import interpreted
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.memory import playout_tree
from ggp_search.memory.playout_tree import PlayoutNode, PlayoutTree

FIRST_REPORT = 1_000
"""Number of playouts before the first report; later reports follow whenever the number has doubled."""


@attrs.define
class MonteCarloDriver:
    """Runs one search."""

    game: AnyGame
    state: State
    limits: Limits
    searcher: Any
    """The searcher, with its options."""
    report: Report | None
    with_values: bool
    engine: Engine = attrs.field(init=False)
    tree: PlayoutTree = attrs.field(init=False)
    control: Control = attrs.field(init=False)
    _started: float = attrs.field(init=False)
    _extra_nodes: int = attrs.field(default=0, init=False)
    _extra_leaves: int = attrs.field(default=0, init=False)

    def run(self) -> SearchResult:
        """Return the result, within the limits."""
        prepare(self.limits)
        settings = self.searcher.settings(self.game, self.limits)
        try:
            return self._run(compiled_engine.choose_engine(self.game, self.state, self.searcher, settings))
        except CompiledFormError as error:
            if settings.speed == "compiled":
                raise
            return self._run(interpreted(self.game, self.state, self.searcher, settings, str(error)))

    def _run(self, engine: Engine) -> SearchResult:
        self.engine, self.tree, self.control = engine, engine.search.own, Control()
        self._started = time.perf_counter()
        if self.game.terminal_test(self.state):
            return result_of_end(engine, self.state, self.with_values, self._started)
        self.control.watch(self.engine.counter)
        self.control.run(self._sample, self.limits.seconds)
        return self._answer()

    @property
    def depth(self) -> int:
        """The maximum depth of the search, in plies."""
        return self.limits.depth or MAX_PLIES

    def _sample(self) -> None:
        """Run playouts until the value is proved or a limit is reached."""
        for playouts in self._goals():
            if self._played(self.state, self.depth, playouts):
                break
            if self.control.reason:
                return
            if self.report:
                self.report(self._answer())
        else:
            if self.limits.nodes is not None:
                self.control.stop("nodes")
            return
        if self.with_values:
            self._prove_values()

    def _goals(self) -> Iterator[int]:
        """Yield the numbers of playouts after which the result so far is reported."""
        most = self.limits.nodes or (self.searcher.playouts if self.limits.seconds is None else sys.maxsize)
        goal = FIRST_REPORT
        while goal < most:
            yield goal
            # Doubling keeps the number of reports small, however many playouts there are.
            goal *= 2
        yield most

    def _played(self, state: State, depth: int, playouts: int) -> bool:
        """Run playouts up to that number; return whether they proved the value of `state`."""
        self.control.allow(playouts - self.engine.counter.nodes)
        try:
            self.engine.value(state, depth)
        except SearchStopped:
            return False
        return True

    def _prove_values(self) -> None:
        """Prove the values of the root's other actions, as far as the limits allow."""
        actions, before = list(self.game.actions(self.state)), self.engine.counts()
        nodes = before["nodes"]
        for action, child in zip(actions, self.tree.root.children(), strict=False):
            self.tree.begin_at(child)
            # The children share the tree, so playouts of the first search are not repeated.
            unlimited = sys.maxsize if self.limits.seconds is not None else nodes + self.searcher.playouts
            if not self._played(self.game.result(self.state, action), self.depth - 1, self.limits.nodes or unlimited):
                break
        after = self.engine.counts()
        self._extra_nodes, self._extra_leaves = after["nodes"] - nodes, after["leaves"] - before["leaves"]

    def _answer(self) -> SearchResult:
        """Return the present result."""
        root, mover = self.tree.root, self.game.to_move(self.state)
        actions, children = list(all_actions(self.game, self.state)), root.children()
        place, mean = root.best(mover), root.mean_value(self.engine.estimate(self.state))
        path = list(playout_tree.path(self.game, self.state, root))
        line = itertools.takewhile(lambda step: step[0] != CHANCE, path)
        found = SearchResult(
            action=None if mover == CHANCE else actions[place or 0],
            value=mean if place is None else children[place].mean_value(),
            complete=root.proved or self.control.reason is None,
            exact=root.proved and self.engine.estimates == 0,
            stopped=None if root.proved else self.control.reason,
            principal_variation=tuple(action for _, action in line),
            speed=self.engine.speed,
            note=self.engine.note,
        )
        found = attrs.evolve(found, statistics=self._statistics(max(len(path), min(1, root.visits))))
        if not self.with_values:
            return found
        values = self._values(actions, children, mean)
        top = None if mover == CHANCE else (max if mover == MAX else min)(values.values())
        return attrs.evolve(found, values=values, best_actions=tuple(each for each in values if values[each] == top))

    def _values(self, actions: list[Action], children: Sequence[PlayoutNode], mean: float) -> dict[Action, float]:
        means = [child.mean_value(mean) for child in children] or [mean] * len(actions)
        return dict(zip(actions, means, strict=True))

    def _statistics(self, depth: int) -> Statistics:
        counts = self.engine.counts()
        return Statistics(
            nodes=counts["nodes"] - self._extra_nodes,
            leaves=counts["leaves"] - self._extra_leaves,
            depth=depth,
            seconds=time.perf_counter() - self._started,
            compile_seconds=self.engine.compile_seconds,
            extra_nodes=self._extra_nodes,
        )
