"""Tree searchers: their options, and the protocol `Searcher` for classes with a recursion.

To write a searcher, write a recursion and a few lines::

    @attrs.frozen(kw_only=True)
    class Mine(TreeSearcher):
        "One line that says what it is."
        name = "mine"
        recursion = staticmethod(mine)   # mine(game, search, state, depth, alpha, beta, choice) -> (value, choice)
"""

import inspect
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Self, TypeVar

import attrs

from ggp.capabilities import is_stochastic
from ggp.errors import UsageError
from ggp.frozen_games import frozen_play
from ggp.game import AnyGame, State, capable
from ggp.options import option
from ggp.plugins import installed_registry
from ggp.searcher import Limits, Parallel, Report, SearchResult, is_unhurried
from ggp.trace import Event
from ggp_search import book_answer, quickest_win
from ggp_search.engine import compiled_engine
from ggp_search.engine.driver import Driver, Find, full_window, prepare, result_of_end
from ggp_search.engine.engine import CompiledFormError, RulesRefuseError, interpreted
from ggp_search.engine.settings import (
    INTERPRETED_FIRST,
    ORDERINGS,
    SPEEDS,
    STRONG_TABLE,
    TOY,
    SearchPlan,
    Settings,
    choose_settings,
    needs_strength,
)
from ggp_search.memory.transposition_table import SpareMemory
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
from ggp_search.tracing import tracer

FoundT = TypeVar("FoundT")


@attrs.frozen(kw_only=True)
class TreeSearcher:
    """A searcher that consists of a recursion, which the driver runs."""

    name: ClassVar[str]
    recursion: ClassVar[Callable[..., Any]]
    """`recursion(game, search, state, depth, alpha, beta, choice)` returns a value and the best action."""
    horizon: ClassVar[Callable[..., float] | None] = None
    """`horizon(game, search, state, depth, alpha, beta)` replaces the evaluation at depth 0; None: the evaluation is
    used.
    """
    find: ClassVar[Find] = staticmethod(full_window)
    """The function that finds the root's value by means of the recursion."""
    deepens: ClassVar[bool] = False
    """Whether iterative deepening is used even if the search has a limit of depth."""
    needs_table: ClassVar[bool] = False
    """Whether the searcher is slow without a table."""
    windowed: ClassVar[bool] = True
    """Whether the recursion has the arguments alpha and beta."""
    direct: ClassVar[bool] = False
    """Whether the recursion does everything itself, without `search.value`. Such a recursion has no argument `choice`,
    returns only the value, and stores the best action in `search.choice`.
    """
    serves_chance: ClassVar[bool] = False
    preference: ClassVar[int] = 0
    """The rank among the searchers that may be the default; see `ggp.searcher.Preferred`."""

    evaluation: str | Callable[..., float] = option("default", "evaluation at the depth limit, by its name in the game")
    table: float | None = option(
        None, "transposition table size in MB; 0 turns it off (default: chosen automatically)", minimum=0,
        maximum=1 << 20,
    )  # fmt: skip
    ordering: str = option("auto", "how actions are ordered, after the table's best action", choices=ORDERINGS)
    bounds: bool | None = option(None, "use the game's bounds for cutoffs (default: if there is a table)")
    foresee: bool = option(
        False,
        "also cut by bounds that the game knows without a search; this sees wins sooner, but values at a limited depth "
        "then differ from those of a plain search",
    )
    etc: bool = option(True, "use the table's entries of a state's children for cutoffs")
    quickest: bool = option(False, "prefer quick wins and late losses; for games of win, draw and loss")
    tablebase: str = tablebase_option()
    book: str = book_answer.book_option()
    speed: str = option("auto", "auto: machine speed if possible; GGP_SPEED overrides it", choices=SPEEDS)

    def __init_subclass__(cls) -> None:
        """Accept `page`, the name that `recursion` had in earlier versions."""
        super().__init_subclass__()
        if "page" in vars(cls) and "recursion" not in vars(cls):
            setattr(cls, "recursion", vars(cls)["page"])  # noqa: B010 - it is a ClassVar
        if {"recursion", "page", "windowed", "direct"} & vars(cls).keys() and hasattr(cls, "recursion"):
            _require_arguments(cls)

    def unsupported_reason(self, game: AnyGame) -> str | None:
        """See `ggp.searcher.Searcher`."""
        if is_stochastic(game) and not self.serves_chance:
            return f"{game.name} is a game of chance"
        return None

    def search(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        known = book_answer.answer(self.book, game, state)
        return known or self._answer(game, state, limits, report)

    def search_ties(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Tying`."""
        known = book_answer.answer(self.book, game, state)
        # A recursion without windows cannot be asked whether another move is as good.
        return known or self._answer(game, state, limits, report, with_ties=not self.direct, with_values=self.direct)

    def analyse(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._answer(game, state, limits, report, with_values=True)

    def trace(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Iterator[Event]:
        """See `ggp.trace.Traced`. The search has the settings of a search to the same depth."""
        game, state = frozen_play(game, state)
        self._require(game)
        settings = self.settings(game, Limits(depth=limits.depth))
        if self.tablebase == "auto":
            settings = attrs.evolve(settings, tablebase=None)  # the picture is the same everywhere
        return iter(tracer.watched(SearchPlan(capable(game), state, self, settings, limits))[0])

    @property
    def source(self) -> tuple[str, ...]:
        """See `ggp.trace.Taught`."""
        return tracer.source_of(type(self)).lines

    def _answer(
        self, game: AnyGame, state: State, limits: Limits, report: Report | None, **wanted: bool
    ) -> SearchResult:
        game, state = frozen_play(game, state)
        self._require(game)
        tablebase = self._tables(game, limits, find_whole_game)
        known = None if tablebase is None else answer(tablebase, state)
        if known is not None:
            return known
        if self.quickest and not game.terminal_test(state):
            return quickest_win.search(self._timed(), game, state, limits, report, self.evaluation)
        plan = self.plan(game, state, limits)
        quick = self._quick(plan)
        if quick is not None:
            result = self._run(quick, None, **wanted)
            few = limits.nodes is not None and quick.nodes is not None and limits.nodes < quick.nodes
            if result.stopped != "seconds" and (result.stopped != "nodes" or few):
                return result
        return self._run(plan, report, **wanted)

    def _timed(self) -> Self:
        """Return this searcher with the options for a game in which the number of plies counts (see `quickest_win`)."""
        # These games have other states and values, for which tablebases hold nothing.
        return attrs.evolve(self, quickest=False, evaluation="default", tablebase="none")

    def plan(self, game: AnyGame, state: State, limits: Limits) -> SearchPlan:
        """Return the plan of a search; a search without limits gets the table and the order of a strong search."""
        return SearchPlan(capable(game), state, self, self.settings(game, limits, strong=limits == Limits()), limits)

    def explain(self, game: AnyGame, state: State, limits: Limits = Limits()) -> dict[str, str]:
        """See `ggp.searcher.Explaining`."""
        game, state = frozen_play(game, state)
        self._require(game)
        tablebase = self._tables(game, limits, find_whole_game)
        if tablebase is not None and answer(tablebase, state) is not None:
            return {"searched": NOT_SEARCHED}
        if self.quickest and not game.terminal_test(state):
            return quickest_win.explain(self._timed(), game, state, limits, self.evaluation)
        plan = self.plan(game, state, limits)
        reasons = plan.reasons(compiled_engine.speed_of(plan))
        quick = self._quick(plan)
        if quick is not None:
            tried = "plain and " if plan.settings.table and not quick.settings.table else ""
            end = " to the end of the game" if quick.limits == Limits() else ""
            reasons["first"] = f"{quick.nodes:,} states{end}, {tried}{quick.settings.speed}: small games need no more"
        return reasons

    def own_reasons(self, plan: SearchPlan) -> dict[str, str]:
        """Return what only this searcher decides in a plan, each with the reason; see `SearchPlan.reasons`."""
        if not self.direct:
            return {}
        none = "none: the recursion does not call search.value (direct = True)"
        return {"table": none, "bounds": none, "tablebase": none}

    def _quick(self, plan: SearchPlan) -> SearchPlan | None:
        """Return the plan of a search of few states, which is tried first; None if this would save no time."""
        limits, quick = plan.limits, attrs.evolve(plan, nodes=INTERPRETED_FIRST)
        if limits == Limits() and self.table is None:
            # Without limits, a plain search is tried first: for small games it is faster than allocating a table.
            quick = attrs.evolve(quick, settings=self.settings(plan.game, limits))
            if quick.settings.table and compiled_engine.is_ready(plan):
                return None
            if not quick.settings.table and compiled_engine.is_ready(quick):
                return quick
        elif limits.seconds is not None:
            if is_unhurried() or limits != Limits(seconds=limits.seconds) or compiled_engine.is_ready(plan):
                return None
            quick = attrs.evolve(plan, limits=Limits(), nodes=TOY)
        elif not plan.settings.is_plain() or compiled_engine.is_ready(plan):
            return None
        # Compiling takes longer than a small search: run it interpreted.
        return attrs.evolve(quick, settings=attrs.evolve(quick.settings, speed="interpreted"))

    def _run(
        self, plan: SearchPlan, report: Report | None, with_values: bool = False, with_ties: bool = False
    ) -> SearchResult:
        """Return the result of a planned search."""
        prepare(plan.limits)
        over = plan.game.terminal_test(plan.state)
        spare = self._spare()
        engine = compiled_engine.choose_engine(plan, spare)
        if over:
            return result_of_end(engine, plan.state, with_values, time.perf_counter())
        driver = Driver(plan, engine, report, with_values, with_ties)
        try:
            result = driver.run()
        except RulesRefuseError as error:
            raise refusal(plan.game, plan.state, error) from None
        except CompiledFormError as error:
            if plan.settings.speed == "compiled":
                raise CompiledFormError(f"{error} (speed=interpreted shows more)") from None
            # Machine code could not represent a number: the interpreted rules are the reference, so start again with
            # them.
            return attrs.evolve(driver, engine=interpreted(plan, str(error))).run()
        engine.finish(spare)
        return result

    def _spare(self) -> SpareMemory:
        """Return the memory that this searcher keeps between searches; it is freed with the searcher."""
        if id(self) not in _SPARE:
            _SPARE[id(self)] = SpareMemory()
            weakref.finalize(self, _SPARE.pop, id(self), None)
        return _SPARE[id(self)]

    def settings(self, game: AnyGame, limits: Limits, *, strong: bool = False) -> Settings:
        """Return the options for a search with these limits, with a value in place of each automatic setting.

        Arguments:
            strong: whether automatic settings include a table and move ordering even if the limits are small.
        """
        # Without a table to share, each thread would search everything.
        threads = self.threads if isinstance(self, Parallel) and self.table != 0 else 1
        strong = strong or self.needs_table or threads > 1 or needs_strength(limits)
        table = (STRONG_TABLE if strong else 0) if self.table is None else self.table
        ordering = "none" if self.ordering == "auto" and not strong and not table else self.ordering
        return choose_settings(
            game,
            wanted=self.evaluation,
            table=table,
            ordering=ordering,
            bounds=self.bounds,
            foresee=self.foresee,
            etc=self.etc,
            speed=self.speed,
            threads=threads,
            tablebase=self._tables(game, limits, find_tablebase),
        )

    def _tables(self, game: AnyGame, limits: Limits, find: Callable[..., FoundT]) -> FoundT | None:
        """Return the tables that the option `tablebase` stands for, as `find` finds them; None if there are none."""
        return wanted_tables(self.tablebase, game, limits, find)

    def _require(self, game: AnyGame) -> None:
        if self.unsupported_reason(game):
            installed_registry().require(self, game)
        require_tables(self.name, self.tablebase, game, find_tablebase)


def _require_arguments(cls: type[TreeSearcher]) -> None:
    """Raise UsageError if the recursion of a class cannot be called with the arguments that its attributes declare."""
    signature = inspect.signature(cls.recursion)
    kinds = {
        (windowed, direct): ["game", "search", "state", "depth"]
        + windowed * ["alpha", "beta"]
        + (not direct) * ["choice"]
        for windowed in (True, False)
        for direct in (False, True)
    }

    def fits(names: list[str]) -> bool:
        try:
            signature.bind(*names)
        except TypeError:
            return False
        return True

    if fits(kinds[cls.windowed, cls.direct]):
        return
    others = [
        f"windowed = {windowed} and direct = {direct}" for (windowed, direct), names in kinds.items() if fits(names)
    ]
    raise UsageError(
        f"{cls.__name__} has windowed = {cls.windowed} and direct = {cls.direct}, so its recursion must have the"
        f" arguments ({', '.join(kinds[cls.windowed, cls.direct])}); got {cls.recursion.__name__}{signature}"
        + "".join(f", which fits {each}" for each in others[:1])
    )


_SPARE: dict[int, SpareMemory] = {}
"""For each searcher that is alive, by its identity, the memory of its last search with a table."""
