"""What a recursion is handed: a game's operations, and the hooks that count, remember and order.

A recursion is a factory `recursion(parts, compile)`. It takes from `Parts` what it needs, and passes each function
that it defines through `compile`: the identity, or a compiler's decorator.
"""

from collections.abc import Callable
from math import inf
from typing import Any, TypeVar

import attrs

from ggp_search.words import next_above, next_below

Function = TypeVar("Function", bound=Callable[..., Any])
Compile = Callable[[Function], Function]


def interpreted(function: Function) -> Function:
    """The `compile` decorator that leaves a function as it is."""
    return function


class SearchStopped(Exception):
    """Raised by `visit` when a limit is reached or the search is told to stop."""


class Live:
    """All that changes while a search runs, passed down the recursion as one argument."""

    __slots__ = (
        "choice", "cutoffs", "estimates", "generation", "leaves", "limit", "nodes", "notes", "table_hits", "tree",
    )  # fmt: skip

    def __init__(self) -> None:
        self.nodes = 0
        self.limit: float = inf
        """The greatest number of nodes; set to 0 from outside, it stops the search."""
        self.leaves = 0
        self.estimates = 0
        """Leaves that were not terminal: if there are none, the value is the game's own."""
        self.cutoffs = 0
        self.table_hits = 0
        self.generation = 0
        """The number of the iteration, by which a table knows what it has from this one."""
        self.choice: Any = None
        """The best action of the state that was left last: at the end, the root's."""
        self.notes: dict[tuple[int, int], tuple[float, float]] = {}
        self.tree = 0
        """The address of the tree of a Monte Carlo search."""


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
    """`probe(state, depth, alpha, beta, live)`: (lower bound, upper bound, best action) as far as known."""
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
    lowest: Any
    """Less than every value."""
    highest: Any
    """Greater than every value."""
    nothing: Any
    """Stands for no action."""


@attrs.frozen(kw_only=True)
class Operations:
    """A game's operations as a search wants them: `utility(state)` and `evaluate(state)` are values to MAX."""

    to_move: Callable[..., Any]
    actions: Callable[..., Any]
    result: Callable[..., Any]
    terminal_test: Callable[..., Any]
    utility: Callable[..., Any]
    evaluate: Callable[..., Any]
    outcomes: Callable[..., Any]
    bounds: Callable[..., Any]
    """The interval of all leaves below, estimates included; everything, where the game does not say."""
    score: Callable[..., Any]
    key: Callable[..., Any]
    """By which a table goes: `value(state) - score(state)` depends on `key(state)` alone."""
    suggest: Callable[..., Any]
    """`suggest(state, action)`: how promising the game finds an action; greater is better."""


@attrs.frozen
class Numbers:
    """The numbers of a search: integers where a game keeps to them in machine code, else floats."""

    lowest: Any
    highest: Any
    nothing: Any
    above: Callable[[Any], Any]
    below: Callable[[Any], Any]


ANY_NUMBERS = Numbers(-inf, inf, None, next_above, next_below)
"""For interpreted searches: whatever the game's values are."""
FLOATS = Numbers(-inf, inf, -1, next_above, next_below)
INTEGERS = Numbers(-(1 << 40), 1 << 40, -1, lambda value: value + 1, lambda value: value - 1)
"""For machine code: values are less than 2**40, and actions are numbers from 0 up."""

HUGE = 1e300
"""Stands for no bound in the arithmetic of chance nodes, where infinity would make nonsense (infinity times 0)."""
