"""Watch a search: a search object that leaves an event at every step."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from ggp.game import Game
from ggp.searcher import Limits
from ggp.trace import Cut, Enter, Event, Leaf, Leave, Try
from ggp_search.engine import speeds
from ggp_search.engine.driver import prepare
from ggp_search.engine.limits import Control
from ggp_search.engine.memory import MAX_PLIES
from ggp_search.engine.search import Search, SearchStopped
from ggp_search.engine.settings import Settings


class WatchedGame:
    """A game whose outcomes of chance leave events when they are drawn."""

    def __init__(self, game: Any, events: list[Event]) -> None:
        self._game, self._events = game, events

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def outcomes(self, state: Any) -> Iterator[tuple[Any, float]]:
        """Yield the outcomes of a state."""
        return _tried(self._game.outcomes(state), self._events)


class WatchedSearch(Search):
    """A search that leaves events. The page does not know of it."""

    events: list[Event]

    def enter(self, state: Any, depth: int, alpha: Any, beta: Any) -> None:
        """See `Search`."""
        super().enter(state, depth, alpha, beta)
        self.events.append(Enter(state, depth, alpha, beta))

    def utility(self, state: Any) -> Any:
        """See `Search`."""
        value = super().utility(state)
        self.events.append(Leaf(value, terminal=True))
        return value

    def evaluate(self, state: Any) -> Any:
        """See `Search`."""
        value = super().evaluate(state)
        self.events.append(Leaf(value, terminal=False))
        return value

    def order(self, state: Any, depth: int, choice: Any) -> Iterable[Any]:
        """See `Search`."""
        drawn = ((action, None) for action in super().order(state, depth, choice))
        return (action for action, _ in _tried(drawn, self.events))

    def leave(self, state: Any, depth: int, lower: Any, upper: Any, choice: Any, work: int) -> None:
        """See `Search`."""
        super().leave(state, depth, lower, upper, choice, work)
        self.events.append(Leave(lower, upper, choice))


def trace(
    recursion: speeds.Recursion, game: Game[Any, Any], state: Any, limits: Limits, settings: Settings
) -> list[Event]:
    """Return the events of one plain search: no table, and the actions as they come."""
    prepare(limits)
    events: list[Event] = []
    plain = settings.plain()
    engine = speeds.interpreted(WatchedGame(game, events), recursion, plain, kind=WatchedSearch)  # type: ignore[arg-type]
    engine.search.events = events  # type: ignore[attr-defined]
    Control(limits.nodes).watch(engine.counter)
    with contextlib.suppress(SearchStopped):
        engine.value(state, limits.depth or MAX_PLIES)
    return events


def _tried(drawn: Iterable[tuple[Any, Any]], events: list[Event]) -> Iterator[tuple[Any, Any]]:
    """Pass on what is drawn, each with a `Try`; if the recursion stops drawing, what is left is a `Cut`."""
    rest = iter(drawn)
    for action, probability in rest:
        events.append(Try(action, probability))
        try:
            yield action, probability
        except GeneratorExit:
            left = tuple(action for action, _ in rest)
            if left:
                events.append(Cut(left))
            raise
