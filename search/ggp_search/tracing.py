"""Watch a search: the parts of a recursion, wrapped so that each call leaves an event."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from ggp.trace import Cut, Enter, Event, Leaf, Leave, Try
from ggp_search.parts import Live, Parts, SearchStopped


def watched(parts: Parts) -> tuple[Parts, list[Event]]:
    """The same parts, and the list to which they add an event at every call. The recursion does not know of it."""
    events: list[Event] = []

    def visit(state: Any, depth: int, alpha: float, beta: float, live: Live) -> None:
        parts.visit(state, depth, alpha, beta, live)
        events.append(Enter(state, depth, alpha, beta))

    def utility(state: Any, live: Live) -> float:
        value: float = parts.utility(state, live)
        events.append(Leaf(value, terminal=True))
        return value

    def evaluate(state: Any, live: Live) -> float:
        value: float = parts.evaluate(state, live)
        events.append(Leaf(value, terminal=False))
        return value

    def order(state: Any, depth: int, choice: Any, live: Live) -> Iterator[Any]:
        drawn = ((action, None) for action in parts.order(state, depth, choice, live))
        return (action for action, _ in _tried(drawn, events))

    def outcomes(state: Any) -> Iterator[tuple[Any, float]]:
        return _tried(parts.outcomes(state), events)

    def store(state: Any, depth: int, lower: float, upper: float, choice: Any, live: Live) -> None:
        parts.store(state, depth, lower, upper, choice, live)
        events.append(Leave(lower, upper, choice))

    return (
        attrs.evolve(
            parts, visit=visit, utility=utility, evaluate=evaluate, order=order, outcomes=outcomes, store=store
        ),
        events,
    )


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


def run(search: Callable[[], Any]) -> None:
    """Run a search that may be stopped by its limit of nodes."""
    try:
        search()
    except SearchStopped:
        return
