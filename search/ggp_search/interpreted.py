"""The interpreted speed: a recursion run as it is written, on any game at all."""

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from ggp.capabilities import is_stochastic
from ggp.game import CHANCE, MAX, Game
from ggp_search import hooks, ordering
from ggp_search.driver import window_around
from ggp_search.parts import ANY_NUMBERS, HUGE, Live, Numbers, Operations, Parts, interpreted
from ggp_search.settings import Settings
from ggp_search.tables import Dictionary, by_depth, enhanced


def operations(game: Game[Any, Any], settings: Settings) -> Operations:
    """The operations of a game as it is. What it does not offer is the plain thing that stands in for it."""

    def utility(state: Any) -> float:
        return game.utility(state, MAX)

    offered: Any = game
    return Operations(
        to_move=game.to_move,
        actions=game.actions,
        result=game.result,
        terminal_test=game.terminal_test,
        utility=utility,
        evaluate=settings.evaluation.function,
        outcomes=offered.outcomes if is_stochastic(game) else _none,
        bounds=offered.bounds if settings.bounded else _unbounded,
        score=offered.score if settings.separable else _nothing_secured,
        key=offered.key if settings.separable else _itself,
        suggest=getattr(game, "suggest", _nothing_suggested),
    )


def _none(state: Any) -> Iterable[Any]:
    return ()


def _unbounded(state: Any) -> tuple[float, float]:
    return -HUGE, HUGE


def _nothing_secured(state: Any) -> int:
    return 0


def _itself(state: Any) -> Any:
    return state


def _nothing_suggested(state: Any, action: Any) -> int:
    return 0


def plain_parts(game: Game[Any, Any], settings: Settings) -> Parts:
    """The parts of the textbook's search: it counts, remembers nothing, and takes the actions as they come."""
    rules = operations(game, settings)
    memory = hooks.no_memory(ANY_NUMBERS, interpreted)
    order = hooks.game_order(rules, interpreted)
    return hooks.assemble(rules, ANY_NUMBERS, memory, order, hooks.dictionary_notes(), interpreted)


def parts(game: Game[Any, Any], settings: Settings) -> Parts:
    """The parts that the settings ask for."""
    rules = operations(game, settings)
    return hooks.assemble(
        rules, ANY_NUMBERS, _memory(rules, settings), _order(rules, settings), hooks.dictionary_notes(), interpreted
    )


def _memory(rules: Operations, settings: Settings) -> Any:
    known = rules if settings.cuts else attrs.evolve(rules, bounds=_unbounded)
    if settings.table:
        memory = Dictionary(known, settings.table).hooks()
        return enhanced(rules, memory, by_depth(interpreted), interpreted) if settings.enhanced else memory
    if settings.cuts:
        return hooks.bounds_only(rules, ANY_NUMBERS, interpreted)
    return hooks.no_memory(ANY_NUMBERS, interpreted)


def _order(rules: Operations, settings: Settings) -> Any:
    if settings.ordering == "none":
        return hooks.game_order(rules, interpreted)
    if settings.ordering == "table":
        return ordering.by_table(rules, ANY_NUMBERS, interpreted)
    return ordering.sorted_order(rules, settings.ordering)


@attrs.frozen
class InterpretedEngine:
    """See `ggp_search.driver.Engine`."""

    game: Game[Any, Any]
    recursion: Callable[..., float]
    windowed: bool
    evaluate: Callable[[Any], float]
    parts: Parts
    note: str | None = None
    live: Live = attrs.field(factory=Live)
    speed: str = "interpreted"
    compile_seconds: float = 0.0
    numbers: Numbers = ANY_NUMBERS

    @property
    def states(self) -> int:
        """States entered so far."""
        return self.live.nodes

    def next_iteration(self) -> None:
        """See `Engine`."""
        self.live.generation += 1

    def value(self, state: Any, depth: int) -> float:
        """See `Engine`."""
        return self.within(state, depth, self.parts.lowest, self.parts.highest)

    def confirm(self, state: Any, depth: int, value: float) -> float:
        """See `Engine`."""
        alpha, beta = window_around(value, self.numbers)
        found = self.within(state, depth, alpha, beta)
        return found if alpha < found < beta else self.value(state, depth)

    def within(self, state: Any, depth: int, alpha: float, beta: float) -> float:
        """See `Engine`."""
        self.live.choice = None
        if self.windowed:
            return self.recursion(state, depth, alpha, beta, self.live)
        return self.recursion(state, depth, self.live)

    def mover(self, state: Any) -> int:
        """See `Engine`."""
        return CHANCE if self.game.terminal_test(state) else self.game.to_move(state)

    def choice(self, state: Any) -> Any:
        """See `Engine`."""
        return self.live.choice

    def estimate(self, state: Any) -> float:
        """See `Engine`."""
        return self.game.utility(state, MAX) if self.game.terminal_test(state) else self.evaluate(state)
