"""The search object: everything around a recursion, shared by all searchers and both speeds.

A recursion (of `ggp_search.algorithms`, or an author's) is called with the game and a `Search`, and calls
`search.value` for the value of a child. This method counts the node, tests for terminal states and the depth limit,
probes the table, calls the recursion, counts cutoffs, and stores the result. Settings are constants of the object; only
the attributes named in `variables` change during the search.
"""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any, ClassVar, Protocol, TypeAlias, runtime_checkable

from ggp.compiler.intrinsics import next_above, next_below
from ggp.game import MAX, MIN, Action, CapableGame, Passing, State
from ggp.trace import Event
from ggp_search.constants import HUGE
from ggp_search.engine.ordering import SortedOrder, TableOrder
from ggp_search.engine.settings import ANY_NUMBERS, Numbers, Settings
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.transposition_table import AnyTable, EnhancedCutoffs
from ggp_search.tablebases.probe import TablebaseProbe

Best: TypeAlias = tuple[float, Action | None]
"""A recursion's result: the value of a state, and its best action."""


class SearchStopped(Exception):
    """Raised when a limit is reached or the search is cancelled."""


class Recursion(Protocol):
    """The part of a searcher that the engine uses; see `ggp_search.engine.tree_searcher.TreeSearcher`."""

    name: ClassVar[str]
    windowed: ClassVar[bool]
    direct: ClassVar[bool]
    serves_chance: ClassVar[bool]
    needs_table: ClassVar[bool]

    @property
    def find(self) -> Callable[..., float]: ...

    @property
    def recursion(self) -> Callable[..., Any]: ...

    @property
    def horizon(self) -> Callable[..., float] | None: ...


@runtime_checkable
class Remembering(Protocol):
    """A searcher whose recursion needs memory in addition to the table."""

    def own_memory(self, memory: Allocator) -> object:
        """Return the searcher's own memory, which a recursion finds as `search.own`. The methods of `memory` allocate
        its rows and indexes: lists and dictionaries in an interpreted search, words in machine code.
        """


class StateMemory(Protocol):
    """The memory of a search for the values of states, such as a table or a tablebase."""

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        """Return a lower and an upper bound of the state's value, and its best action, as far as they are known."""

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        """Store the result of a state; `work` nodes were entered below it."""


class NoMemory:
    """A memory that stores nothing."""

    def __init__(self, numbers: Numbers) -> None:
        self.lowest, self.highest = numbers.lowest, numbers.highest

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        return self.lowest, self.highest, None

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        """See `StateMemory`."""


class BoundsOnly(NoMemory):
    """A memory that knows only the game's own bounds (futility cuts)."""

    def __init__(self, game: CapableGame, numbers: Numbers) -> None:
        super().__init__(numbers)
        self.game, self.numbers = game, numbers

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        lower, upper = self.game.bounds(state)
        return *self.numbers.between(lower, upper), None


class Search:
    """The second argument of a recursion, after the game. All values are values to MAX."""

    variables: ClassVar[tuple[str, ...]] = ("nodes", "limit", "leaves", "estimates", "cutoffs", "extended", "choice")
    shared: ClassVar[tuple[str, ...]] = ("limit",)
    """The variables that other threads may change."""
    progress: ClassVar[str] = "nodes"
    """The variable that keeps changing as long as calls of the rules return; see `ggp.plugin_faults.machine_progress`.
    """
    watched: ClassVar[bool] = False
    """Whether the search has a watcher; see `told`."""

    def __init__(
        self,
        game: CapableGame,
        recursion: Callable[..., Any],
        *,
        memory: StateMemory,
        table: AnyTable | None = None,
        ordering: TableOrder | None = None,
        evaluation: Callable[[State], float],
        chance: bool,
        bounded: bool = False,
        futility: float = 0,
        numbers: Numbers = ANY_NUMBERS,
        windowed: bool = True,
        horizon: Callable[..., float] | None = None,
        tablebase: TablebaseProbe | None = None,
        path: Any = None,
        options: Any = None,
        own: Any = None,
        allocator: Allocator | None = None,
    ) -> None:
        """Prepare a search.

        Arguments:
            recursion: the recursion, `recursion(game, search, state, depth, alpha, beta, choice) -> (value, choice)`.
            memory, table: the search's memory for states, and the transposition table in this memory; see `memory_of`.
            ordering: the order of actions; None: the game's own order.
            evaluation: `evaluation(state)`, an estimate to MAX.
            chance: whether the game has chance nodes.
            bounded: whether all leaves, estimates included, lie within the game's bounds.
            futility: the margin of futility cuts; 0: no such cuts.
            windowed: whether the recursion has the arguments alpha and beta.
            horizon: called at depth 0 instead of the evaluation, with the arguments of a recursion except `choice`.
            tablebase: a `ggp_search.tablebases.probe.TablebaseProbe`, used before a state is searched.
            path: the states from the root to the current one, for games with repetition (see `ggp_search.memory.path`).
            options: the searcher; a recursion may read its options.
            own: the searcher's own memory, if it has one (a tree, proof numbers).
            allocator: the allocator of that memory, for machine code.
        """
        self.game = game
        self.recursion = recursion
        self.chance = chance
        self.passes = isinstance(game, Passing)
        """Whether the game has passes that are harmless."""
        self.memory = memory
        self.table: Any = table
        self.ordering = ordering
        self.evaluation = evaluation
        self.bounded = bounded
        self.futility = futility
        self.numbers = numbers
        self.lowest = numbers.lowest
        self.highest = numbers.highest
        self.integral = numbers.integral
        self.windowed = windowed
        self.horizon = horizon
        self.tablebase: Any = tablebase
        self.path = path
        self.options = options
        self.own = own
        self.allocator: Any = allocator
        self.nodes = 0
        self.limit = 0
        """Maximum number of nodes; written only by `ggp_search.engine.limits.Control`."""
        self.leaves = 0
        self.estimates = 0
        """Number of leaves that were not terminal; if it is 0, the value is exact."""
        self.cutoffs = 0
        self.extended = 0
        """Number of extensions on the line from the root to the current state."""
        self.choice: Action | None = None
        """The best action of the state that the search left last; after the search, the best action of the root."""

    def value(self, state: State, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """Return a value v of a state; m is the minimax value of the state at depth `depth`.

        v == m            if alpha < m < beta    (exact inside the window),
        m <= v <= alpha   if m <= alpha          (an upper bound below it),
        beta <= v <= m    if m >= beta           (a lower bound above it).

        Raises:
            SearchStopped: a limit is reached.
        """
        self.enter(state, depth, alpha, beta)
        if self.game.terminal_test(state):
            return self.utility(state)
        # Values that are known without a search come first: rules, tablebase, repetition, depth limit, table.
        if self.tablebase is not None and self.tablebase.holds(state):
            return self.known(state)
        if self.path is not None and self.path.holds(state):
            return self.repeated(state)
        if depth <= 0:
            if self.horizon is not None:
                return self.horizon(self.game, self, state, depth, alpha, beta)
            return self.evaluate(state)
        lower, upper, choice = self.memory.probe(state, depth, alpha, beta)
        if lower >= beta or lower == upper:
            self.choice = choice
            return lower
        if upper <= alpha:
            self.choice = choice
            return upper
        return self.searched(state, depth, alpha, beta, lower, upper, choice)

    def searched(
        self,
        state: State,
        depth: int,
        alpha: float,
        beta: float,
        lower: float,
        upper: float,
        choice: Action | None,
    ) -> float:
        """Return the value that the recursion finds for a state, and store this value; see `value`.

        Arguments:
            lower, upper: bounds of the value that are known.
            choice: the best action that is known.
        """
        game = self.game
        # Known bounds narrow the window: no value outside them is possible.
        if lower > alpha:
            alpha = lower
        if upper < beta:
            beta = upper
        entered, outer = self.nodes, 0
        if self.path is not None:
            outer = self.path.enter(state)
        if self.windowed:
            best, choice = self.recursion(game, self, state, depth, alpha, beta, choice)
            if best < lower:  # none of the children may have been worth looking at
                best = lower
            elif best > upper:
                best = upper
            # Count a cutoff: a node of MAX that failed high, or one of MIN that failed low.
            if best >= beta:
                if best > alpha and game.to_move(state) != MIN:
                    self.cutoffs += 1
            elif best <= alpha and game.to_move(state) != MAX:
                self.cutoffs += 1
        else:
            best, choice = self.recursion(game, self, state, depth, choice)
        if self.path is None or self.path.leave(state, outer):
            # Fail-soft: inside the window `best` is exact, outside it only a bound. A value that depends on a
            # repetition above is stored nowhere: it would be wrong on another path.
            lower, upper = best if best > alpha else lower, best if best < beta else upper
        self.leave(state, depth, lower, upper, choice, self.nodes - entered)
        return best

    def enter(self, state: State, depth: int, alpha: float, beta: float) -> None:
        """Count a node.

        Raises:
            SearchStopped: a limit is reached.
        """
        # One comparison serves all limits: time and Ctrl-C set `limit` to 0.
        if self.nodes >= self.limit:
            raise SearchStopped
        self.nodes += 1

    def leave(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        """Store the bounds and the best action of a state; `work` nodes were entered below it."""
        self.choice = choice
        self.memory.store(state, depth, lower, upper, choice, work)

    def utility(self, state: State) -> float:
        """Return the value to MAX of a terminal state."""
        self.leaves += 1
        return self.numbers.of(self.game.utility(state, MAX))

    def evaluate(self, state: State) -> float:
        """Return the estimate of a state at the depth limit."""
        self.leaves += 1
        self.estimates += 1
        return self.numbers.of(self.evaluation(state))

    def glance(self, state: State) -> float:
        """Return the utility or the estimate of a state; no proved value may depend on this number."""
        value = self.game.utility(state, MAX) if self.game.terminal_test(state) else self.evaluation(state)
        return self.numbers.of(value)

    def known(self, state: State) -> float:
        """Return the value of a state in the tablebase."""
        self.leaves += 1
        return self.numbers.of(self.tablebase.value(state))

    def told(self, event: Callable[..., Event | tuple[Event, ...]] | Event, *arguments: Any) -> None:
        """Report to the search's watcher what the recursion does; by default, do nothing.

        `event` is the class of an event, or a function that returns an event. It is called with the arguments only if
        there is a watcher. Any other search makes no event, and machine code omits the call. Unless the recursion is
        `direct`, the search object itself reports when a state is entered, valued and left, and when its actions are
        tried. A function may return a tuple of events. They belong to one node that is evaluated but not searched, and
        are shown once for each window. A recursion may also test `watched` itself, and pass finished events.
        """

    def repeated(self, state: State) -> float:
        """Return the value of a state that is already on the path."""
        self.leaves += 1
        return self.numbers.of(self.path.repeated(state))

    def order(self, state: State, depth: int, choice: Action | None) -> Iterable[Action]:
        """Return the actions of a state, the most promising first.

        `choice` is the best known action, and comes first. However, a plain search (`ordering=none`) keeps the game's
        own order.
        """
        if self.ordering is None:
            return self.game.actions(state)
        return self.ordering.order(state, depth, choice)

    def outcomes(self, state: State) -> Iterable[tuple[Action, float]]:
        """Return the outcomes of a chance node, each with its probability."""
        return self.game.outcomes(state) if self.chance else ()

    def bounds(self, state: State) -> tuple[float, float]:
        """Return an interval that contains the values of all leaves below a state; searches of chance nodes need it."""
        if not self.bounded:
            return -HUGE, HUGE
        lower, upper = self.game.bounds(state)
        return self.numbers.between(lower, upper)

    def above(self, value: float) -> float:
        """Return the least possible value that is greater than `value`."""
        return value + 1 if self.integral else next_above(value)

    def below(self, value: float) -> float:
        """Return the greatest possible value that is less than `value`."""
        return value - 1 if self.integral else next_below(value)


def memory_of(
    game: CapableGame, numbers: Numbers, settings: Settings, table: Callable[..., AnyTable]
) -> tuple[StateMemory, AnyTable | None]:
    """Return the memory for states that a search with these settings needs, and the transposition table in it, or None.

    Arguments:
        table: a function that makes a table.
    """
    if not settings.table:
        return BoundsOnly(game, numbers) if settings.cuts else NoMemory(numbers), None
    made = table(
        game, numbers, cuts=settings.cuts, separable=settings.separable, symmetric=settings.symmetric,
        foresees=settings.foresees,
    )  # fmt: skip
    return EnhancedCutoffs(made) if settings.etc else made, made


def ordering_of(game: CapableGame, settings: Settings, sort: Callable[..., SortedOrder]) -> TableOrder | None:
    """Return the order of actions for a search with these settings; None for the game's own order."""
    if settings.ordering == "none":
        return None
    if settings.ordering == "table":
        return TableOrder(game)
    return sort(game, settings.ordering, settings.ordering_evaluation.function)
