"""What all tree searchers share: their options, and the Searcher contract on top of a recursion.

A searcher of one's own is a recursion and a few lines:

    @attrs.frozen(kw_only=True)
    class Mine(TreeSearcher):
        "One line that says what it is."
        name = "mine"
        recursion = staticmethod(mine)      # mine(parts, compile) -> value(state, depth, alpha, beta, live)
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import attrs

from ggp.capabilities import is_stochastic
from ggp.errors import ConformanceError, DepthError
from ggp.game import Game
from ggp.options import option
from ggp.plugins import load_registry
from ggp.searcher import Limits, Report, SearchResult
from ggp.trace import Event
from ggp_search import book, engines, interpreted, tracing
from ggp_search.driver import MAX_PLIES, CompiledFormError, Find, Search, full_window
from ggp_search.parts import interpreted as as_it_is
from ggp_search.settings import ORDERINGS, SPEEDS, Settings, settle
from ggp_search.tablebases.at_hand import at_hand
from ggp_search.tablebases.held import Tablebase


@attrs.frozen(kw_only=True)
class TreeSearcher:
    """A searcher made of a recursion, run by the driver."""

    name: ClassVar[str]
    recursion: ClassVar[Callable[..., Any]]
    """`recursion(parts, compile)`: the function that finds values."""
    find: ClassVar[Find] = staticmethod(full_window)
    """How the root's value is found by means of the recursion."""
    deepens: ClassVar[bool] = False
    """Whether it deepens to a limit of depth, too."""
    needs_table: ClassVar[bool] = False
    """Whether it is slow without a table."""
    windowed: ClassVar[bool] = True
    """Whether the recursion takes a window: `value(state, depth, alpha, beta, live)` or `value(state, depth, live)`."""
    serves_chance: ClassVar[bool] = False
    preference: ClassVar[int] = 0
    """Where the user names no searcher, that of the highest preference among those that serve the game is taken."""

    evaluation: str | Callable[..., Any] = option("default", "estimate at the depth limit: one of the game's, by name")
    table: float | None = option(
        None, "megabytes of transposition table, 0 is none; not given, as the search needs", minimum=0, maximum=1 << 20
    )
    ordering: str = option(
        "auto", "which actions first, after the table's; auto, as the search needs", choices=ORDERINGS
    )
    bounds: bool | None = option(None, "cut by the game's own bounds; not given, with a table")
    enhanced: bool = option(True, "let the table's entries of a state's children cut")
    tablebase: str = option(
        "auto",
        "directory of endgame tablebases, or none; auto, the user's where depth and states are not limited",
        path=True,
    )
    book: str = option("none", "file of an opening book, whose positions are answered at once; none", path=True)
    speed: str = option("auto", "machine speed where it can be had; GGP_SPEED says the same", choices=SPEEDS)

    def refusal(self, game: Game[Any, Any]) -> str | None:
        """See `ggp.searcher.Searcher`."""
        if is_stochastic(game) and not self.serves_chance:
            return f"{game.name} is a game of chance"
        return None

    def search(
        self, game: Game[Any, Any], state: Any, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        known = None if self.book == "none" else book.answer(self.book, game, state)
        return known or self._answer(game, state, limits, report, with_values=False)

    def analyse(
        self, game: Game[Any, Any], state: Any, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._answer(game, state, limits, report, with_values=True)

    def trace(self, game: Game[Any, Any], state: Any, limits: Limits = Limits()) -> Iterator[Event]:
        """See `ggp.trace.Traced`."""
        self._require(game)
        if limits.depth is not None and limits.depth > MAX_PLIES:
            raise DepthError(f"depth {limits.depth} is deeper than the stack allows: at most {MAX_PLIES} plies")
        settings = self.settings(game, limits)
        watched, events = tracing.watched(interpreted.plain_parts(game, settings))
        made = type(self).recursion(watched, as_it_is)
        engine = interpreted.InterpretedEngine(game, made, self.windowed, settings.evaluation, watched)
        if limits.nodes is not None:
            engine.live.limit = limits.nodes
        tracing.run(lambda: engine.value(state, limits.depth or MAX_PLIES))
        return iter(events)

    def _answer(
        self, game: Game[Any, Any], state: Any, limits: Limits, report: Report | None, *, with_values: bool
    ) -> SearchResult:
        self._require(game)
        _check_hashable(game, state)
        settings = self.settings(game, limits)
        if limits == Limits() and self.table is None and not settings.table:
            allowance, strong = PLAIN_STATES, self.settings(game, limits, strong=True)
            found = self._run(game, state, limits, settings, report, with_values, allowance)
            if found.stopped != "nodes":
                return found
            settings = strong
        return self._run(game, state, limits, settings, report, with_values)

    def _run(
        self,
        game: Game[Any, Any],
        state: Any,
        limits: Limits,
        settings: Settings,
        report: Report | None,
        with_values: bool,
        allowance: int | None = None,
    ) -> SearchResult:
        engine = engines.engine(game, state, type(self).recursion, self.windowed, self.serves_chance, settings)
        search = Search(game, state, limits, engine, report, with_values, type(self).find, self.deepens, allowance)
        try:
            return search.run()
        except CompiledFormError as error:
            if settings.speed == "compiled":
                raise
            slow = attrs.evolve(settings, speed="interpreted")
            engine = engines.interpreted_engine(game, type(self).recursion, self.windowed, slow, str(error))
            return attrs.evolve(search, engine=engine).run()

    def settings(self, game: Game[Any, Any], limits: Limits, *, strong: bool = False) -> Settings:
        """The options with everything automatic decided, for a search with these limits.

        Where it is `strong`, or the limits ask for it, what is automatic is a table and move ordering.
        """
        strong = strong or self.needs_table or needs_strength(limits)
        table = (STRONG_TABLE if strong else 0) if self.table is None else self.table
        ordering = "none" if self.ordering == "auto" and not strong and not table else self.ordering
        return settle(
            game,
            wanted=self.evaluation,
            table=table,
            ordering=ordering,
            bounds=self.bounds,
            enhanced=self.enhanced,
            speed=self.speed,
            threads=getattr(self, "threads", 1),
            endgames=self._endgames(game, limits),
        )

    def _endgames(self, game: Game[Any, Any], limits: Limits) -> Tablebase | None:
        """The tablebase to ask. A search by depth or states is the same everywhere, so it asks none of itself."""
        by_time = limits.depth is None and limits.nodes is None
        if self.tablebase == "none" or (self.tablebase == "auto" and not by_time):
            return None
        return at_hand(game, None if self.tablebase == "auto" else self.tablebase)

    def _require(self, game: Game[Any, Any]) -> None:
        if self.refusal(game):
            load_registry().require(self, game)


def _check_hashable(game: Game[Any, Any], state: Any) -> None:
    try:
        hash(state)
    except TypeError:
        raise ConformanceError(
            f"{game.name} has states that cannot be hashed, such as {state!r}: tuples can, where lists cannot"
        ) from None


STRONG_TABLE = 64
"""Megabytes of table where the search needs one and the user names no size."""

PLAIN_DEPTH = 12
"""A search of so few plies is the textbook's plain one, unless the user asks for more."""


PLAIN_STATES = 1_000_000
"""A search without limits is the plain one too, if so many states are enough for it."""


def needs_strength(limits: Limits) -> bool:
    """Whether a search with these limits is worth a table and move ordering."""
    return limits.seconds is not None or limits.nodes is not None or (limits.depth or 0) > PLAIN_DEPTH
