"""Monte Carlo searches: the base class of the searchers, and the driver that runs playouts until a limit is reached."""

import contextlib
import itertools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Self

import attrs

from ggp import repetition
from ggp.capabilities import all_actions, evaluations
from ggp.errors import OptionError
from ggp.frozen_games import frozen_play
from ggp.game import CHANCE, MAX, Action, AnyGame, Bounded, State, Suggesting, capable
from ggp.options import option
from ggp.searcher import Limits, Parallel, Report, SearchResult, Statistics
from ggp_search import book_answer
from ggp_search.constants import MAX_PLIES
from ggp_search.engine import compiled_engine
from ggp_search.engine.abdada import MIN_PARALLEL_NODES
from ggp_search.engine.driver import Find, full_window, prepare, result_of_end
from ggp_search.engine.engine import CompiledFormError, Engine, RulesRefuseError, interpreted
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.engine.settings import SPEEDS, SearchPlan, Settings, choose_settings
from ggp_search.memory import playout_tree
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.playout_tree import PlayoutNode, PlayoutTree
from ggp_search.playouts import refusal
from ggp_search.tablebases.tablebase import find_tablebase
from ggp_search.tablebases.whole_game_tables import (
    NOT_SEARCHED,
    answer,
    find_whole_game,
    require_tables,
    tablebase_option,
    wanted_tables,
)

FIRST_REPORT = 1_000
"""Number of playouts before the first report; later reports follow whenever the number has doubled."""


CUTOFF = 30
"""Maximum number of plies of a playout in games in which positions come back. Without a maximum, a random play of Awari
has 398 plies on average. At 0.1 s a move, `mcts` with this cut scored 9-0-1 (wins, draws, losses) in Awari against
`mcts` without a cut, 3-4-3 in Morris and 5-0-5 in Pig. In Awari, a cut after 8 plies scored 6-0-4 against this cut.
"""


FULL = 0.5
"""Maximum share of a tree's memory that may be in use if a search continues with the tree.

If more memory is in use, the search begins a new tree. An exception is an old tree that has more playouts than the
search is likely to add: it is kept.
"""


@attrs.frozen(eq=False)
class KeptTree:
    """The part of the last search that a searcher keeps for the next search."""

    game: AnyGame
    state: State
    """The state at the root of the tree."""
    engine: Engine
    rate: float
    """The number of playouts a second in the last search."""


@attrs.define
class MonteCarloDriver:
    """Runs the search of a plan."""

    plan: SearchPlan
    report: Report | None
    with_values: bool
    kept: list[KeptTree] | None
    """The searcher's last search; None if the searcher keeps no tree."""
    game: AnyGame = attrs.field(init=False)
    state: State = attrs.field(init=False)
    limits: Limits = attrs.field(init=False)
    engine: Engine = attrs.field(init=False)
    tree: PlayoutTree = attrs.field(init=False)
    control: Control = attrs.field(init=False)
    _started: float = attrs.field(init=False)
    _before: dict[str, int] = attrs.field(factory=dict, init=False)
    """The counts of the earlier searches from which the tree was kept."""
    _extra_nodes: int = attrs.field(default=0, init=False)
    _extra_leaves: int = attrs.field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.game, self.state, self.limits = self.plan.game, self.plan.state, self.plan.limits

    def run(self) -> SearchResult:
        """Return the result, within the limits."""
        prepare(self.limits)
        kept = self._take_kept()
        if kept is not None:
            with contextlib.suppress(CompiledFormError):  # a new search says what went wrong
                return self._run(kept)
        try:
            return self._run(compiled_engine.choose_engine(self.plan))
        except RulesRefuseError as error:
            raise refusal(self.game, self.state, error) from None
        except CompiledFormError as error:
            if self.plan.settings.speed == "compiled":
                raise
            return self._run(interpreted(self.plan, str(error)))

    def _run(self, engine: Engine) -> SearchResult:
        self.engine, self.tree, self.control = engine, engine.search.own, Control()
        self._started = time.perf_counter()
        if self.game.terminal_test(self.state):
            return result_of_end(engine, self.state, self.with_values, self._started)
        self._before = engine.counts()
        self.control.watch(self.engine.counter)
        self.control.run(self._sample, self.limits.seconds)
        if self.kept is not None and self.limits.depth is None:
            rate = self._done / max(1e-9, time.perf_counter() - self._started)
            self.kept[:] = [KeptTree(self.game, self.state, engine, rate)]
        return self._answer()

    def _take_kept(self) -> Engine | None:
        """Return the engine of the last search, with a tree that begins at this state now.

        Return None if the tree does not contain the state, or has no room.
        """
        kept: KeptTree | None = None
        if self.kept is not None:
            with contextlib.suppress(IndexError):  # there is none yet, or another thread has taken it
                kept = self.kept.pop()
        if kept is None:
            return None
        if kept.game != self.game or self.limits.depth is not None or not kept.engine.is_current:
            return None
        tree: PlayoutTree = kept.engine.search.own
        node = tree.find(self.game, kept.state, self.state)
        if node is None or (tree.share_used > FULL and node.visits < self._expected(kept.rate)):
            return None
        tree.take_root(node)
        return kept.engine

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

    @property
    def _done(self) -> int:
        """Number of playouts so far."""
        return self.engine.counter.nodes - self._before["nodes"]

    def _expected(self, rate: float) -> float:
        """Return how many playouts the search is likely to run, given their number a second."""
        if self.limits.seconds is None:
            return self.limits.nodes or self.plan.searcher.playouts
        return min(self.limits.nodes or sys.maxsize, rate * self.limits.seconds)

    def _goals(self) -> Iterator[int]:
        """Yield the numbers of playouts after which the result so far is reported."""
        most = self.limits.nodes or (self.plan.searcher.playouts if self.limits.seconds is None else sys.maxsize)
        goal = FIRST_REPORT
        while goal < most:
            yield goal
            # Doubling keeps the number of reports small, however many playouts there are.
            goal *= 2
        yield most

    def _played(self, state: State, depth: int, playouts: int) -> bool:
        """Run playouts until there are this many in total; return whether the playouts proved the value of `state`."""
        while True:
            self.control.allow(self._share(playouts - self._done))
            try:
                self.engine.value(state, depth)
            except SearchStopped:
                # A thread may have stopped before it had run its share of playouts.
                if self.control.reason or self._done >= playouts:
                    return False
            else:
                return True

    def _share(self, playouts: int) -> int:
        """Return how many of these playouts each thread may run now. If there are few playouts, one thread runs them
        all.
        """
        threads = self.engine.threads
        if threads == 1 or playouts < MIN_PARALLEL_NODES:
            return playouts
        return max(playouts // threads, MIN_PARALLEL_NODES - 1)

    def _prove_values(self) -> None:
        """Prove the values of the root's other actions, as far as the limits allow."""
        actions, before = list(self.game.actions(self.state)), self.engine.counts()
        nodes = self._done
        for action, child in zip(actions, self.tree.root.children(), strict=False):
            self.tree.begin_at(child)
            # The children share the tree, so playouts of the first search are not repeated.
            unlimited = sys.maxsize if self.limits.seconds is not None else nodes + self.plan.searcher.playouts
            if not self._played(self.game.result(self.state, action), self.depth - 1, self.limits.nodes or unlimited):
                break
        after = self.engine.counts()
        self._extra_nodes, self._extra_leaves = self._done - nodes, after["leaves"] - before["leaves"]

    def _answer(self) -> SearchResult:
        """Return the present result."""
        root, mover = self.tree.root, self.game.to_move(self.state)
        actions, children = list(all_actions(self.game, self.state)), root.children()
        best, mean = self.tree.best_children(root, mover), root.mean_value(self.engine.estimate(self.state))
        index = best[0] if best else None
        path = list(playout_tree.path(self.game, self.state, self.tree))
        line = itertools.takewhile(lambda step: step[0] != CHANCE, path)
        result = SearchResult(
            action=None if mover == CHANCE else actions[index or 0],
            value=mean if index is None else children[index].mean_value(),
            complete=root.proved or self.control.reason is None,
            exact=root.proved and self.engine.estimates == 0,
            stopped=None if root.proved else self.control.reason,
            principal_variation=tuple(action for _, action in line),
            best_actions=tuple(actions[each] for each in best),
            speed=self.engine.speed,
            note=self.engine.note,
        )
        result = attrs.evolve(result, statistics=self._statistics(max(len(path), min(1, root.visits))))
        if not self.with_values:
            return result
        values = self._values(actions, children, mean)
        top = None if mover == CHANCE else (max if mover == MAX else min)(values.values())
        return attrs.evolve(result, values=values, best_actions=tuple(each for each in values if values[each] == top))

    def _values(self, actions: list[Action], children: Sequence[PlayoutNode], mean: float) -> dict[Action, float]:
        means = [child.mean_value(mean) for child in children] or [mean] * len(actions)
        return dict(zip(actions, means, strict=True))

    def _statistics(self, depth: int) -> Statistics:
        counts = self.engine.counts()
        before = self._before or dict.fromkeys(counts, 0)
        return Statistics(
            nodes=counts["nodes"] - before["nodes"] - self._extra_nodes,
            leaves=counts["leaves"] - before["leaves"] - self._extra_leaves,
            depth=depth,
            seconds=time.perf_counter() - self._started,
            compile_seconds=self.engine.compile_seconds,
            extra_nodes=self._extra_nodes,
        )


@attrs.frozen(kw_only=True)
class PlayoutSearcher:
    """A searcher that counts playouts as its nodes."""

    name: ClassVar[str]
    recursion: ClassVar[Callable[..., float]]
    """`recursion(game, search, state, depth)` runs playouts until a limit is reached, or a value is proved."""
    horizon: ClassVar[None] = None
    windowed: ClassVar[bool] = False
    direct: ClassVar[bool] = True
    find: ClassVar[Find] = staticmethod(full_window)
    needs_table: ClassVar[bool] = False
    serves_chance: ClassVar[bool] = True
    preference: ClassVar[int] = 0
    samples: ClassVar[bool] = True
    limits_itself: ClassVar[bool] = True
    """Without limits, the search ends after the number of playouts in its option `playouts`."""

    evaluation: str | Callable[..., float] = option(
        "default", "evaluation for priors, cut-offs and the depth limit, by its name"
    )
    playouts: int = option(10_000, "number of playouts, if seconds and nodes are not limited", minimum=1)
    exploration: float = option(
        0.7,
        "weight of exploration, as a share of the span of results: a higher value searches more broadly",
        minimum=0,
        maximum=1000,
    )
    winning: float = option(
        0.9,
        "share of a result that counts winning; the rest counts the margin. This matters in games with margins",
        minimum=0,
        maximum=1,
    )
    cutoff: int | None = option(
        None,
        "plies of random play after which the evaluation is the result of a playout "
        "(default: 30 in games with an evaluation in which positions come back, no cut in others)",
        minimum=0,
        maximum=MAX_PLIES,
    )
    suggested: float = option(
        0.0,
        "probability that a playout plays the move that the game suggests most, not a random one; for games with "
        "suggestions",
        minimum=0,
        maximum=1,
    )
    seed: int = option(
        0, "seed of the random play: the same seed gives the same result", minimum=0, maximum=(1 << 62) - 1
    )
    tablebase: str = tablebase_option()
    book: str = book_answer.book_option()
    speed: str = option("auto", "auto: machine speed if possible; GGP_SPEED overrides it", choices=SPEEDS)

    def last_search(self) -> list[KeptTree] | None:
        """Return where the last search is kept, for the next move; None if the searcher keeps no tree."""
        return None

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """Return None: playouts are possible in every game."""
        return None

    def own_memory(self, memory: Allocator) -> object:
        """Return the memory of the search, available as `search.own`."""
        raise NotImplementedError

    def search(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        known = book_answer.answer(self.book, game, state)
        return known or self._answer(game, state, limits, report, with_values=False)

    def search_ties(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Tying`. Moves that are equally good have the same number of playouts."""
        return self.search(game, state, limits, report=report)

    def analyse(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._answer(game, state, limits, report, with_values=True)

    def _answer(
        self, game: AnyGame, state: State, limits: Limits, report: Report | None, *, with_values: bool
    ) -> SearchResult:
        game, state = frozen_play(game, state)
        require_tables(self.name, self.tablebase, game, find_tablebase)
        tables = wanted_tables(self.tablebase, game, limits, find_whole_game)
        known = None if tables is None else answer(tables, state)
        if known is not None:
            return known
        return MonteCarloDriver(self.plan(game, state, limits), report, with_values, self.last_search()).run()

    def plan(self, game: AnyGame, state: State, limits: Limits) -> SearchPlan:
        """Return the plan for a search."""
        own = self.chosen(game, limits)
        return SearchPlan(capable(game), state, own, own.settings(game, limits), limits)

    def chosen(self, game: AnyGame, limits: Limits) -> Self:
        """Return the searcher with a number in place of each option that is None; the game decides the number."""
        if self.cutoff is not None:
            return self
        endless = repetition.may_repeat(game) and self.evaluates(game)
        return attrs.evolve(self, cutoff=CUTOFF if endless else MAX_PLIES)

    def evaluates(self, game: AnyGame) -> bool:
        """Return whether a state that is not terminal has an estimate."""
        return self.evaluation != "default" or bool(evaluations(game))

    def explain(self, game: AnyGame, state: State, limits: Limits = Limits()) -> dict[str, str]:
        """See `ggp.searcher.Explaining`."""
        game, state = frozen_play(game, state)
        require_tables(self.name, self.tablebase, game, find_tablebase)
        tables = wanted_tables(self.tablebase, game, limits, find_whole_game)
        if tables is not None and answer(tables, state) is not None:
            return {"searched": NOT_SEARCHED}
        plan = self.plan(game, state, limits)
        return plan.reasons(compiled_engine.speed_of(plan))

    def own_reasons(self, plan: SearchPlan) -> dict[str, str]:
        """Return what only this searcher decides in a plan, and why; see `SearchPlan.reasons`."""
        if self.suggested == 0:
            return {}
        return {"playouts": f"with probability {self.suggested:g}, a move is the one that the game suggests most"}

    def settings(self, game: AnyGame, limits: Limits) -> Settings:
        """Return the settings for playouts. If the depth is not limited, the settings include the game's bounds.

        Raises:
            OptionError: playouts are to play moves that the game suggests, but the game has no suggestions.
        """
        if self.suggested > 0 and not isinstance(game, Suggesting):
            raise OptionError(f"suggested must be 0: {game.name} has no suggestions; got {self.suggested:g}")
        settings = choose_settings(
            game, wanted=self.evaluation, table=0, ordering="none", bounds=False, etc=False, speed=self.speed,
            threads=self.threads if isinstance(self, Parallel) else 1,
            tablebase=wanted_tables(self.tablebase, game, limits, find_tablebase),
        )  # fmt: skip
        to_the_end = limits.depth is None and isinstance(game, Bounded)
        return attrs.evolve(settings, bounded=settings.bounded or to_the_end, separable=False)
