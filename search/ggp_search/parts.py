"""What a recursion is handed: a game's operations, and the hooks that count, remember and order.

Every hook has a null version here that does next to nothing, so that the plain textbook search and the strongest
one are the same page. All functions are made by factories that take a `compile` decorator: the identity, or a
compiler's.
"""

from collections.abc import Callable, Iterable
from math import inf, nextafter
from typing import Any, TypeVar

import attrs

from ggp.capabilities import is_stochastic
from ggp.game import MAX, Game

Function = TypeVar("Function", bound=Callable[..., Any])
Compile = Callable[[Function], Function]


def interpreted(function: Function) -> Function:
    """The `compile` decorator that leaves a function as it is."""
    return function


class SearchStopped(Exception):
    """Raised by `visit` when a limit is reached or the search is told to stop."""


class Live:
    """All that changes while a search runs, passed down the recursion as one argument."""

    __slots__ = ("choice", "cutoffs", "estimates", "leaves", "limit", "nodes", "notes", "table_hits")

    def __init__(self) -> None:
        self.nodes = 0
        self.limit: float = inf
        """The greatest number of nodes; set to 0 from outside, it stops the search."""
        self.leaves = 0
        self.estimates = 0
        """Leaves that were not terminal: if there are none, the value is the game's own."""
        self.cutoffs = 0
        self.table_hits = 0
        self.choice: Any = None
        """The best action of the state that was left last: at the end, the root's."""
        self.notes: dict[tuple[int, int], tuple[float, float]] = {}


@attrs.frozen(kw_only=True)
class Parts:
    """What a recursion is made of. Values are values to MAX; `live` is what changes (see `Live`)."""

    to_move: Callable[..., Any]
    result: Callable[..., Any]
    terminal_test: Callable[..., Any]
    outcomes: Callable[..., Any]
    bounds: Callable[..., Any]
    """`bounds(state)`: the interval of all leaves below."""
    utility: Callable[..., Any]
    """`utility(state, live)`: what a terminal state is worth."""
    evaluate: Callable[..., Any]
    """`evaluate(state, live)`: an estimate, at the depth limit."""
    visit: Callable[..., Any]
    """`visit(state, depth, alpha, beta, live)`: called on entry; counts, and raises `SearchStopped`."""
    probe: Callable[..., Any]
    """`probe(state, depth, live)`: (lower bound, upper bound, best action) as far as they are known already."""
    store: Callable[..., Any]
    """`store(state, depth, lower, upper, choice, live)`: called when the state is left."""
    order: Callable[..., Any]
    """`order(state, depth, choice, live)`: the actions, best first."""
    note: Callable[..., Any]
    """`note(depth, index, lower, upper, live)`: keep bounds of one outcome of a chance node for a while."""
    recall: Callable[..., Any]
    """`recall(depth, index, live)`: the (lower, upper) kept there."""
    above: Callable[[Any], Any]
    """The least value greater than this one."""
    below: Callable[[Any], Any]
    """The greatest value less than this one."""
    lowest: Any = -inf
    highest: Any = inf
    nothing: Any = None
    """Stands for no action."""


@attrs.frozen(kw_only=True)
class Operations:
    """A game's operations as a recursion wants them: `utility(state)` and `evaluate(state)` are values to MAX."""

    to_move: Callable[..., Any]
    actions: Callable[..., Any]
    result: Callable[..., Any]
    terminal_test: Callable[..., Any]
    utility: Callable[..., Any]
    evaluate: Callable[..., Any]
    outcomes: Callable[..., Any]
    bounds: Callable[..., Any]


HUGE = 1e300
"""Stands for no bound where infinity would make nonsense (infinity times 0)."""


def operations(game: Game[Any, Any], evaluate: Callable[..., Any], bounded: bool) -> Operations:
    """The operations of a game as it is, interpreted. Where not `bounded`, all values are possible everywhere."""

    def utility(state: Any) -> float:
        return game.utility(state, MAX)

    def unbounded(state: Any) -> tuple[float, float]:
        return -HUGE, HUGE

    def no_outcomes(state: Any) -> Iterable[Any]:
        return ()

    return Operations(
        to_move=game.to_move,
        actions=game.actions,
        result=game.result,
        terminal_test=game.terminal_test,
        utility=utility,
        evaluate=evaluate,
        outcomes=game.outcomes if is_stochastic(game) else no_outcomes,  # type: ignore[attr-defined]
        bounds=game.bounds if bounded else unbounded,  # type: ignore[attr-defined]
    )


def plain_parts(operations: Operations) -> Parts:
    """The parts of the textbook's search: it counts, remembers nothing, and takes the actions as they come."""
    actions, exact, estimate = operations.actions, operations.utility, operations.evaluate
    unknown = (-inf, inf, None)

    def visit(state: Any, depth: int, alpha: float, beta: float, live: Live) -> None:
        live.nodes += 1
        if live.nodes > live.limit:
            raise SearchStopped

    def utility(state: Any, live: Live) -> float:
        live.leaves += 1
        return exact(state)

    def evaluate(state: Any, live: Live) -> float:
        live.leaves += 1
        live.estimates += 1
        return estimate(state)

    def probe(state: Any, depth: int, live: Live) -> tuple[float, float, Any]:
        return unknown

    def store(state: Any, depth: int, lower: float, upper: float, choice: Any, live: Live) -> None:
        live.choice = choice

    def order(state: Any, depth: int, choice: Any, live: Live) -> Iterable[Any]:
        return actions(state)

    def note(depth: int, index: int, lower: float, upper: float, live: Live) -> None:
        live.notes[depth, index] = lower, upper

    def recall(depth: int, index: int, live: Live) -> tuple[float, float]:
        return live.notes[depth, index]

    def above(value: float) -> float:
        return nextafter(value, inf)

    def below(value: float) -> float:
        return nextafter(value, -inf)

    return Parts(
        to_move=operations.to_move,
        result=operations.result,
        terminal_test=operations.terminal_test,
        outcomes=operations.outcomes,
        bounds=operations.bounds,
        utility=utility,
        evaluate=evaluate,
        visit=visit,
        probe=probe,
        store=store,
        order=order,
        note=note,
        recall=recall,
        above=above,
        below=below,
    )
