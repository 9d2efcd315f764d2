"""Tree searchers: their options, and the protocol `Searcher` for classes with a recursion.

To write a searcher, write a recursion and a few lines::

    @attrs.frozen(kw_only=True)
    class Mine(TreeSearcher):
        "One line that says what it is."
        name = "mine"
        recursion = staticmethod(mine)   # mine(game, search, state, depth, alpha, beta, choice) -> (value, choice)
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeVar

import attrs

from ggp.capabilities import is_stochastic
from ggp.compiler import machine
from ggp.errors import OptionError
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
from ggp_search.engine.settings import ORDERINGS, PLAIN_DEPTH, SPEEDS, SearchPlan, Settings, choose_settings
from ggp_search.playouts import refusal
from ggp_search.tablebases.tablebase import find_tablebase
from ggp_search.tablebases.whole_game_tables import answer, find_whole_game
from ggp_search.tracing import tracer

FoundT = TypeVar("FoundT")


@attrs.frozen(kw_only=True)
class TreeSearcher:
    """A searcher with a recursion, run by the driver."""

    name: ClassVar[str]
    recursion: ClassVar[Callable[..., Any]]
    """`recursion(game, search, state, depth, alpha, beta, choice)` returns a value and the best action."""
    horizon: ClassVar[Callable[..., float] | None] = None
    """Called at depth 0 instead of the evaluation: `horizon(game, search, state, depth, alpha, beta)`."""
    find: ClassVar[Find] = staticmethod(full_window)
    """The function that finds the root's value by means of the recursion."""
    deepens: ClassVar[bool] = False
    """Whether iterative deepening is used even if the search has a limit of depth."""
    needs_table: ClassVar[bool] = False
    """Whether the searcher is slow without a table."""
    windowed: ClassVar[bool] = True
    """Whether the recursion has the arguments alpha and beta."""
    direct: ClassVar[bool] = False
    """Whether the recursion does everything itself, without `search.value`; it then has no argument `choice`."""
    serves_chance: ClassVar[bool] = False
    preference: ClassVar[int] = 0
    """The rank among the searchers that may be the default; see `ggp.searcher.Preferred`."""

    evaluation: str | Callable[..., float] = option("default", "evaluation at the depth limit, by its name in the game")
    table: float | None = option(
        None, "transposition table size in MB; 0 turns it off (default: chosen automatically)", minimum=0,
        maximum=1 << 20,
    )  # fmt: skip
    ordering: str = option("auto", "how actions are ordered, after the table's best action", choices=ORDERINGS)
    bounds: bool | None = option(None, "use the game's bounds for cutoffs (default: with a table)")
    foresee: bool = option(
        False,
        "also cut by bounds that the game knows without a search; this sees wins sooner, but values at a limited depth "
        "then differ from those of a plain search",
    )
    etc: bool = option(True, "use the table's entries of a state's children for cutoffs")
    quickest: bool = option(False, "prefer quick wins and late losses; for games of win, draw and loss")
    tablebase: str = option(
        "auto",
        "directory of endgame tablebases, or none; auto: the user's own if neither depth nor states are limited",
        path=True,
    )
    book: str = book_answer.book_option()
    speed: str = option("auto", "machine speed where possible; GGP_SPEED overrides it", choices=SPEEDS)

    def __init_subclass__(cls) -> None:
        """Accept `page`, the name that `recursion` had in earlier versions."""
        super().__init_subclass__()
        if "page" in vars(cls) and "recursion" not in vars(cls):
            setattr(cls, "recursion", vars(cls)["page"])  # noqa: B010 - it is a ClassVar

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
        return known or self._answer(game, state, limits, report, with_values=False)

    def analyse(
        self, game: AnyGame, state: State, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._answer(game, state, limits, report, with_values=True)

    def trace(self, game: AnyGame, state: State, limits: Limits = Limits()) -> Iterator[Event]:
        """See `ggp.trace.Traced`."""
        game, state = frozen_play(game, state)
        self._require(game)
        return iter(tracer.trace(self, game, state, limits, self.settings(game, limits)))

    @property
    def source(self) -> tuple[str, ...]:
        """See `ggp.trace.Taught`."""
        return tracer.source_of(type(self)).lines

    def _answer(
        self, game: AnyGame, state: State, limits: Limits, report: Report | None, *, with_values: bool
    ) -> SearchResult:
        game, state = frozen_play(game, state)
        self._require(game)
        tablebase = self._tables(game, limits, find_whole_game)
        known = None if tablebase is None else answer(tablebase, state)
        if known is not None:
            return known
        if self.quickest and not game.terminal_test(state):
            # The timed game has other states and values, for which tablebases hold nothing.
            plain = attrs.evolve(self, quickest=False, evaluation="default", tablebase="none")
            return quickest_win.search(plain, game, state, limits, report, self.evaluation)
        plan = self.plan(game, state, limits)
        quick = self._quick(plan)
        if quick is not None:
            result = self._run(quick, None, with_values)
            few = limits.nodes is not None and quick.nodes is not None and limits.nodes < quick.nodes
            if result.stopped != "seconds" and (result.stopped != "nodes" or few):
                return result
        return self._run(plan, report, with_values)

    def plan(self, game: AnyGame, state: State, limits: Limits) -> SearchPlan:
        """Return the plan of a search; a search without limits gets the table and the order of a strong search."""
        return SearchPlan(capable(game), state, self, self.settings(game, limits, strong=limits == Limits()), limits)

    def explain(self, game: AnyGame, state: State, limits: Limits = Limits()) -> dict[str, str]:
        """See `ggp.searcher.Explaining`."""
        game, state = frozen_play(game, state)
        self._require(game)
        tablebase = self._tables(game, limits, find_whole_game)
        if tablebase is not None and answer(tablebase, state) is not None:
            return {"searched": "nothing: a table of the whole game knows the value"}
        plan = self.plan(game, state, limits)
        reasons = plan.reasons()
        if self.book != book_answer.NONE:
            reasons["book"] = f"{self.book}, looked into first"
        reasons["speed"] = compiled_engine.speed_of(plan)
        quick = self._quick(plan)
        if quick is not None:
            tried = "plain and " if plan.settings.table and not quick.settings.table else ""
            reasons["first"] = f"{quick.nodes:,} states, {tried}{quick.settings.speed}: small games need no more"
        return reasons

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

    def _run(self, plan: SearchPlan, report: Report | None, with_values: bool) -> SearchResult:
        """Return the result of a planned search."""
        prepare(plan.limits)
        over = plan.game.terminal_test(plan.state)
        engine = compiled_engine.choose_engine(plan)
        if over:
            return result_of_end(engine, plan.state, with_values, time.perf_counter())
        driver = Driver(plan, engine, report, with_values)
        try:
            return driver.run()
        except RulesRefuseError as error:
            raise refusal(plan.game, plan.state, error) from None
        except CompiledFormError as error:
            if plan.settings.speed == "compiled":
                raise
            # Machine code could not represent a number: the interpreted rules are the reference, so start again with
            # them.
            return attrs.evolve(driver, engine=interpreted(plan, str(error))).run()

    def settings(self, game: AnyGame, limits: Limits, *, strong: bool = False) -> Settings:
        """Return the options for a search with these limits, with a value in place of each automatic setting.

        Arguments:
            strong: whether automatic settings include a table and move ordering even if the limits are small.
        """
        strong = strong or self.needs_table or needs_strength(limits)
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
            threads=self.threads if isinstance(self, Parallel) else 1,
            tablebase=self._tables(game, limits, find_tablebase),
        )

    def _tables(self, game: AnyGame, limits: Limits, find: Callable[..., FoundT]) -> FoundT | None:
        """Return the tablebase to probe. With a limit of depth or nodes, `auto` uses none, so that results are
        reproducible.
        """
        # A limit of time is never reproducible, so only then are tables used that other machines may not have.
        by_time = limits.depth is None and limits.nodes is None
        if self.tablebase == "none" or (self.tablebase == "auto" and not by_time):
            return None
        return find(game, None if self.tablebase == "auto" else self.tablebase)

    def _require(self, game: AnyGame) -> None:
        if self.unsupported_reason(game):
            installed_registry().require(self, game)
        named = self.tablebase not in ("auto", "none") and machine.available()
        if named and not (find_whole_game(game, self.tablebase) or find_tablebase(game, self.tablebase)):
            raise OptionError(
                f"{self.name}: tablebase={self.tablebase} is not a directory with tables of {game.name} with these"
                f" parameters (`ggp tablebase build {game.name}` builds them)"
            )


STRONG_TABLE = 64
"""Default size of the table in megabytes, if the search needs one."""

INTERPRETED_FIRST = 20_000
"""Maximum number of nodes of a quick search, which is tried before code is compiled or a table is allocated; it takes a
few hundredths of a second.
"""

TOY = 1_000
"""Maximum number of nodes of a quick search if only time is limited; it is enough for small trees and the ends of
games.
"""


def needs_strength(limits: Limits) -> bool:
    """Return whether a search with these limits is worth a table and move ordering."""
    return limits.seconds is not None or limits.nodes is not None or (limits.depth or 0) > PLAIN_DEPTH
