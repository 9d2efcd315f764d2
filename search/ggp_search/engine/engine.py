"""The engine of a search: one recursion on one game.

This module has what all engines share, and the engine that runs the recursion as it is written. The engine that runs
machine code is in `compiled_engine`.
"""

import abc
import functools

import attrs

from ggp.capabilities import notation
from ggp.errors import GGPError
from ggp.game import CHANCE, MAX, Action, AnyGame, Quiet, State
from ggp_search.engine.limits import Counter
from ggp_search.engine.ordering import SortedOrder
from ggp_search.engine.search import Remembering, Search, memory_of, ordering_of
from ggp_search.engine.settings import ANY_NUMBERS, Numbers, SearchPlan
from ggp_search.learned.network import in_python
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.path import path_of
from ggp_search.memory.transposition_table import InterpretedTable, SpareMemory


class CompiledFormError(GGPError):
    """Machine code failed in a case in which the interpreted search may succeed, such as a number beyond 64 bits."""


class RulesRefuseError(GGPError):
    """Raised if the rules raise an error of ggp for a state of a search.

    Machine code knows only the class of that error.
    """

    def __init__(self, game: AnyGame, state: State, cls: type[GGPError]) -> None:
        meaning = (cls.__doc__ or cls.__name__).strip().partition("\n")[0].rstrip(".")
        where = notation(game).format_state(state)
        super().__init__(f"{game.name} cannot be searched: its rules refuse a state reached from {where} ({meaning})")


class Engine(abc.ABC):
    """One recursion on one game, at one of the two speeds."""

    __slots__ = ()
    game: AnyGame
    search: Search
    numbers: Numbers
    """The kind of numbers for the values of the search."""
    speed: str
    """"interpreted" or "compiled"."""
    note: str | None
    """The reason why the recursion is interpreted, if it could have been compiled."""
    threads: int
    """Number of threads."""
    compile_seconds: float
    """Seconds that it took to compile the recursion, or to load it."""

    @property
    @abc.abstractmethod
    def counter(self) -> Counter:
        """The object that counts the nodes and holds their limit."""

    @property
    @abc.abstractmethod
    def estimates(self) -> int:
        """Number of leaves so far that were not terminal."""

    @property
    def is_current(self) -> bool:
        """Whether the objects from which the code was made are unchanged."""
        return True

    @property
    @abc.abstractmethod
    def states(self) -> int:
        """Number of nodes so far, over all threads."""

    @abc.abstractmethod
    def counts(self) -> dict[str, int]:
        """Return the counts for `Statistics` so far."""

    @abc.abstractmethod
    def next_iteration(self) -> None:
        """Begin a new iteration, which uses bounds of earlier iterations only if they reach the end of the game."""

    def finish(self, spare: SpareMemory) -> None:  # noqa: B027  only machine code has memory to give
        """Give the memory of the table to the next search; this engine must not be used any more."""

    @abc.abstractmethod
    def within(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Return the value of `state` at depth `depth`, for a window (see `Search.value`).

        A recursion without windows ignores the window.

        Raises:
            SearchStopped: a limit is reached.
        """

    @abc.abstractmethod
    def choice(self) -> Action | None:
        """Return the best action of the last search; None before the first search."""

    @abc.abstractmethod
    def choose(self, action: Action | None) -> None:
        """Set the best action of the last search."""

    @abc.abstractmethod
    def tablebase_has_grown(self, state: State) -> None:
        """Make new layers of the tablebase available to a search from `state`."""

    def value(self, state: State, depth: int) -> float:
        """Return the value of `state` at depth `depth`."""
        return self.within(state, depth, self.numbers.lowest, self.numbers.highest)

    def above(self, value: float) -> float:
        """Return the least value greater than `value`."""
        return self.search.above(value)

    def below(self, value: float) -> float:
        """Return the greatest value less than `value`."""
        return self.search.below(value)

    def mover(self, state: State) -> int:
        """Return the player to move in `state`; CHANCE at the end of the game."""
        return CHANCE if self.game.terminal_test(state) else self.game.to_move(state)

    def estimate(self, state: State) -> float:
        """Return the evaluation of `state`, or its utility if it is terminal."""
        if self.game.terminal_test(state):
            return self.game.utility(state, MAX)
        return in_python(self.search.evaluation)(state)


@attrs.define
class InterpretedEngine(Engine):
    """A recursion run as it is written, on any game."""

    game: AnyGame
    search: Search
    note: str | None = None
    """The reason why the recursion is interpreted, if it could have been compiled."""
    speed: str = "interpreted"
    compile_seconds: float = 0.0
    numbers: Numbers = ANY_NUMBERS
    threads: int = 1
    direct: bool = False
    """Whether the recursion is called directly, without `Search.value`."""

    @property
    def counter(self) -> Search:
        return self.search

    @property
    def states(self) -> int:
        return self.search.nodes

    def counts(self) -> dict[str, int]:
        search, table = self.search, self.search.table
        hits = 0 if table is None else table.hits
        return {"nodes": search.nodes, "leaves": search.leaves, "cutoffs": search.cutoffs, "table_hits": hits}

    @property
    def estimates(self) -> int:
        return self.search.estimates

    def next_iteration(self) -> None:
        table = self.search.table
        if table is not None:
            table.generation += 1

    def within(self, state: State, depth: int, alpha: float, beta: float) -> float:
        search = self.search
        search.choice, search.extended = None, 0
        if search.path is not None:
            search.path.clear()
        if self.direct:
            window = (alpha, beta) if search.windowed else ()
            return search.recursion(self.game, search, state, depth, *window)
        return search.value(state, depth, alpha, beta)

    def choice(self) -> Action | None:
        return self.search.choice

    def choose(self, action: Action | None) -> None:
        self.search.choice = action

    def tablebase_has_grown(self, state: State) -> None:
        self.search.tablebase.grow(state)


def interpreted(
    plan: SearchPlan,
    note: str | None = None,
    cls: type[Search] = Search,
    table: type[InterpretedTable] = InterpretedTable,
) -> InterpretedEngine:
    """Return the engine that runs a searcher's recursion as it is written.

    Arguments:
        note: why the recursion is not compiled, if it could have been.
    """
    game, searcher = plan.game, plan.searcher
    own, ordering_evaluation = plan.settings.evaluation, plan.settings.ordering_evaluation
    settings = attrs.evolve(
        plan.settings,
        evaluation=attrs.evolve(own, function=in_python(own.function)),
        ordering_evaluation=attrs.evolve(ordering_evaluation, function=in_python(ordering_evaluation.function)),
    )
    tablebase = settings.tablebase.probe() if settings.tablebase is not None else None
    stores = functools.partial(table, settings.table, tablebase=tablebase)
    memory, stored = memory_of(game, ANY_NUMBERS, settings, stores)
    search = cls(
        game,
        searcher.recursion,
        memory=memory,
        table=stored,
        ordering=ordering_of(game, settings, SortedOrder),
        evaluation=settings.evaluation.function,
        chance=settings.chance,
        bounded=settings.bounded,
        futility=settings.futility,
        windowed=searcher.windowed,
        horizon=searcher.horizon if isinstance(game, Quiet) else None,
        tablebase=tablebase,
        path=path_of(game),
        options=searcher,
        own=searcher.own_memory(Allocator(ANY_NUMBERS)) if isinstance(searcher, Remembering) else None,
    )
    if tablebase is not None:
        tablebase.grow(plan.state)
    if stored is not None:
        stored.begin_from(plan.state)
    return InterpretedEngine(game, search, note, direct=searcher.direct)
