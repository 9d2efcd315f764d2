"""Monte Carlo tree search as a searcher: for games that nobody knows how to evaluate."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import attrs

from ggp.errors import DepthError
from ggp.game import CHANCE, MAX, Bounded, Game
from ggp.options import option
from ggp.searcher import Limits, Report, SearchResult, Statistics
from ggp_search import engines, worker
from ggp_search.blocks import Block
from ggp_search.driver import MAX_PLIES, CompiledFormError, Engine, allow_recursion
from ggp_search.monte_carlo_tree import Branch, grow_from, plant, root_of, variation
from ggp_search.parts import SearchStopped
from ggp_search.settings import SPEEDS, Settings, settle
from ggp_search.uct import uct

FIRST_REPORT = 1_000
"""Playouts before the answer so far is reported; then whenever they have doubled."""


@attrs.frozen(kw_only=True)
class MonteCarlo:
    """Monte Carlo tree search, UCT: plays at random, and more often what went well (Kocsis and Szepesvari 2006).

    The action is the most visited one, the value is the mean of its playouts; what is proven of a state, by the ends
    of the game below it, counts for more than playouts (Cazenave and Saffidine 2010). Once the value of the root is
    proven the search is complete. `nodes` are playouts. With a limit of depth, a state so many plies ahead is worth
    its evaluation. The `values` of `analyse` are means, unless the result is exact.
    """

    name: ClassVar[str] = "mcts"
    preference: ClassVar[int] = 2
    limits_itself: ClassVar[bool] = True
    """Without limits it ends after its option `playouts`."""

    evaluation: str | Callable[..., Any] = option("default", "estimate at the depth limit: one of the game's, by name")
    playouts: int = option(10_000, "playouts where there is no limit of seconds or nodes", minimum=1)
    exploration: float = option(
        0.7, "how much it explores, as a share of the span of results: more is broader", minimum=0, maximum=1000
    )
    seed: int = option(0, "of the random play: the same seed finds the same", minimum=0, maximum=(1 << 62) - 1)
    tree: float = option(
        256, "megabytes of tree: full, it grows no more and playouts go on", minimum=0.001, maximum=1 << 20
    )
    speed: str = option("auto", "machine speed where it can be had; GGP_SPEED says the same", choices=SPEEDS)

    def refusal(self, game: Game[Any, Any]) -> str | None:
        """See `ggp.searcher.Searcher`: it plays every game."""
        return None

    def search(
        self, game: Game[Any, Any], state: Any, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._sampled(game, state, limits, report, with_values=False)

    def analyse(
        self, game: Game[Any, Any], state: Any, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._sampled(game, state, limits, report, with_values=True)

    def _sampled(
        self, game: Game[Any, Any], state: Any, limits: Limits, report: Report | None, with_values: bool
    ) -> SearchResult:
        if limits.depth is not None and limits.depth > MAX_PLIES:
            raise DepthError(f"depth {limits.depth} is deeper than the stack allows: at most {MAX_PLIES} plies")
        settings = self.settings(game, limits)
        engine = engines.engine(game, state, uct, windowed=False, chance=True, settings=settings)
        sampling = Sampling(game, state, limits, engine, self.planted(engine), self.playouts, report, with_values)
        try:
            return sampling.run()
        except CompiledFormError as error:
            if settings.speed == "compiled":
                raise
            engine = engines.interpreted_engine(game, uct, windowed=False, settings=settings, note=str(error))
            return attrs.evolve(sampling, engine=engine, memory=self.planted(engine), stop=worker.Stop()).run()

    def planted(self, engine: Engine) -> Block:
        """Memory for the engine's tree, which has one node."""
        memory = Block(int(self.tree * (1 << 20)))
        plant(memory.address, memory.size, self.seed, self.exploration)
        engine.live.tree = memory.address
        return memory

    def settings(self, game: Game[Any, Any], limits: Limits) -> Settings:
        """How the playouts are run. Where only ends of the game count, so do its bounds, whatever the evaluation."""
        settings = settle(
            game, wanted=self.evaluation, table=0, ordering="none", bounds=False, enhanced=False, speed=self.speed,
            threads=1,
        )  # fmt: skip
        to_the_end = limits.depth is None and isinstance(game, Bounded)
        return attrs.evolve(settings, bounded=settings.bounded or to_the_end, separable=False)


@attrs.define
class Sampling:
    """One search under way."""

    game: Game[Any, Any]
    state: Any
    limits: Limits
    engine: Engine
    memory: Block
    """The tree lies here."""
    playouts: int
    report: Report | None
    with_values: bool
    stop: worker.Stop = attrs.field(factory=worker.Stop)
    _started: float = attrs.field(factory=time.perf_counter)
    _extra_nodes: int = 0
    _extra_leaves: int = 0

    def run(self) -> SearchResult:
        """The answer, within the limits."""
        if self.game.terminal_test(self.state):
            value = self.engine.estimate(self.state)
            counts = Statistics(nodes=1, leaves=1, seconds=time.perf_counter() - self._started)
            values: dict[Any, float] | None = {} if self.with_values else None
            return SearchResult(
                action=None, value=value, complete=True, exact=True, speed=self.engine.speed, note=self.engine.note,
                values=values, statistics=counts,
            )  # fmt: skip
        allow_recursion()
        self.stop.watch(self.engine.live)
        worker.run(self._sample, self.stop, self.limits.seconds)
        return self._answer()

    @property
    def root(self) -> Branch:
        """The node of the state that is searched."""
        return root_of(self.memory.address)

    @property
    def depth(self) -> int:
        """Plies that the search looks ahead at most."""
        return self.limits.depth or MAX_PLIES

    def _sample(self) -> None:
        """Play until the value is proven, or a limit is reached."""
        for playouts in self._goals():
            if self._played(self.state, self.depth, playouts):
                break
            if self.stop.reason:
                return
            if self.report:
                self.report(self._answer())
        else:
            if self.limits.nodes is not None:
                self.stop.reason = self.stop.reason or "nodes"
            return
        if self.with_values:
            self._prove_values()

    def _goals(self) -> Iterator[int]:
        """Numbers of playouts after each of which the answer is reported."""
        most = self.limits.nodes or (self.playouts if self.limits.seconds is None else sys.maxsize)
        goal = FIRST_REPORT
        while goal < most:
            yield goal
            goal *= 2
        yield most

    def _played(self, state: Any, depth: int, playouts: int) -> bool:
        """Whether the value of `state` was proven before the search had made so many playouts in all."""
        live = self.engine.live
        live.limit = playouts
        if self.stop.reason:
            live.limit = 0
        try:
            self.engine.value(state, depth)
        except SearchStopped:
            return False
        return True

    def _prove_values(self) -> None:
        """The root's value is proven: now those of its other children, as far as the limits allow."""
        actions, live = list(self.game.actions(self.state)), self.engine.live
        nodes, leaves = live.nodes, live.leaves
        for action, child in zip(actions, self.root.children(), strict=False):
            grow_from(self.memory.address, child)
            most = self.limits.nodes or (nodes + self.playouts if self.limits.seconds is None else sys.maxsize)
            if not self._played(self.game.result(self.state, action), self.depth - 1, most):
                break
        self._extra_nodes, self._extra_leaves = live.nodes - nodes, live.leaves - leaves

    def _answer(self) -> SearchResult:
        """What the tree says now."""
        root, mover = self.root, self.game.to_move(self.state)
        actions, branches = list(self.game.actions(self.state)), root.children()
        place, worth = root.best(mover), root.worth(self.engine.estimate(self.state))
        found = SearchResult(
            action=None if mover == CHANCE else actions[place or 0],
            value=worth if place is None else branches[place].worth(),
            complete=root.proven or self.stop.reason is None,
            exact=root.proven and self.engine.live.estimates == 0,
            stopped=None if root.proven else self.stop.reason,
            principal_variation=variation(self.game, self.state, root),
            speed=self.engine.speed,
            note=self.engine.note,
        )
        found = attrs.evolve(found, statistics=self._statistics(len(found.principal_variation)))
        if not self.with_values:
            return found
        values = [branch.worth(worth) for branch in branches] or [worth] * len(actions)
        top = None if mover == CHANCE else (max if mover == MAX else min)(values)
        best = tuple(action for action, value in zip(actions, values, strict=True) if value == top)
        return attrs.evolve(found, values=dict(zip(actions, values, strict=True)), best_actions=best)

    def _statistics(self, depth: int) -> Statistics:
        live = self.engine.live
        return Statistics(
            nodes=live.nodes - self._extra_nodes,
            leaves=live.leaves - self._extra_leaves,
            depth=depth,
            seconds=time.perf_counter() - self._started,
            compile_seconds=self.engine.compile_seconds,
            extra_nodes=self._extra_nodes,
        )
