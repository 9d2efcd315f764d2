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

from ggp.capabilities import evaluation, is_stochastic
from ggp.errors import DepthError
from ggp.game import MAX, Bounded, Evaluation, Game
from ggp.options import option
from ggp.plugins import load_registry
from ggp.searcher import Limits, Report, SearchResult
from ggp.trace import Event
from ggp_search import tracing
from ggp_search.driver import MAX_PLIES, Search
from ggp_search.parts import Live, Operations, Parts, interpreted, operations, plain_parts


@attrs.frozen(kw_only=True)
class TreeSearcher:
    """A searcher made of a recursion, run by the driver."""

    name: ClassVar[str]
    recursion: ClassVar[Callable[..., Any]]
    """`recursion(parts, compile)`: the function that finds values."""
    windowed: ClassVar[bool] = True
    """Whether the recursion takes a window: `value(state, depth, alpha, beta, live)` or `value(state, depth, live)`."""
    serves_chance: ClassVar[bool] = False
    preference: ClassVar[int] = 0
    """Where the user names no searcher, that of the highest preference among those that serve the game is taken."""

    evaluation: str | Callable[..., Any] = option("default", "estimate at the depth limit: one of the game's, by name")

    def refusal(self, game: Game[Any, Any]) -> str | None:
        """See `ggp.searcher.Searcher`."""
        if is_stochastic(game) and not self.serves_chance:
            return f"{game.name} is a game of chance"
        return None

    def search(
        self, game: Game[Any, Any], state: Any, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._driven(game, state, limits, report).run()

    def analyse(
        self, game: Game[Any, Any], state: Any, limits: Limits = Limits(), *, report: Report | None = None
    ) -> SearchResult:
        """See `ggp.searcher.Searcher`."""
        return self._driven(game, state, limits, report, with_values=True).run()

    def trace(self, game: Game[Any, Any], state: Any, limits: Limits = Limits()) -> Iterator[Event]:
        """See `ggp.trace.Traced`."""
        self._require(game)
        if limits.depth is not None and limits.depth > MAX_PLIES:
            raise DepthError(f"depth {limits.depth} is deeper than the stack allows: at most {MAX_PLIES} plies")
        watched, events = tracing.watched(plain_parts(self.operations(game)))
        engine = Interpreted.of(self, game, watched)
        if limits.nodes is not None:
            engine.live.limit = limits.nodes
        tracing.run(lambda: engine.value(state, limits.depth or MAX_PLIES))
        return iter(events)

    def _driven(
        self, game: Game[Any, Any], state: Any, limits: Limits, report: Report | None, with_values: bool = False
    ) -> Search:
        self._require(game)
        engine = Interpreted.of(self, game, plain_parts(self.operations(game)))
        return Search(game, state, limits, engine, report, with_values)

    def _require(self, game: Game[Any, Any]) -> None:
        if self.refusal(game):
            load_registry().require(self, game)

    def operations(self, game: Game[Any, Any]) -> Operations:
        """The operations of `game` with the evaluation in use."""
        estimate = evaluation(game, self.evaluation)
        return operations(game, estimate.function, bounded=has_bounds(game, estimate))


def has_bounds(game: Game[Any, Any], estimate: Evaluation) -> bool:
    """Whether all leaves, estimates too, lie within the game's bounds."""
    return isinstance(game, Bounded) and estimate.bounded


@attrs.frozen
class Interpreted:
    """A recursion run as it is written, on the game as it is."""

    game: Game[Any, Any]
    recursion: Callable[..., float]
    windowed: bool
    evaluate: Callable[[Any], float]
    parts: Parts
    live: Live = attrs.field(factory=Live)
    speed: str = "interpreted"
    compile_seconds: float = 0.0

    @classmethod
    def of(cls, searcher: TreeSearcher, game: Game[Any, Any], parts: Parts) -> "Interpreted":
        """The engine for a searcher on a game."""
        recursion = type(searcher).recursion(parts, interpreted)
        return cls(game, recursion, searcher.windowed, evaluation(game, searcher.evaluation), parts)

    def value(self, state: Any, depth: int) -> float:
        """See `Engine`."""
        return self._run(state, depth, self.parts.lowest, self.parts.highest)

    def confirm(self, state: Any, depth: int, value: float) -> float:
        """See `Engine`."""
        found = self._run(state, depth, self.parts.below(value), self.parts.above(value))
        return value if found == value else self.value(state, depth)

    def _run(self, state: Any, depth: int, alpha: float, beta: float) -> float:
        if self.windowed:
            return self.recursion(state, depth, alpha, beta, self.live)
        return self.recursion(state, depth, self.live)

    def choice(self, state: Any) -> Any:
        """See `Engine`."""
        return self.live.choice

    def estimate(self, state: Any) -> float:
        """See `Engine`."""
        if self.game.terminal_test(state):
            return self.game.utility(state, MAX)
        return self.evaluate(state)
