"""The engine for interpreted searches, which runs the recursion as it is written."""

import functools

import attrs

from ggp.game import Action, AnyGame, Quiet, State
from ggp_search.engine.driver import Engine
from ggp_search.engine.number_kind import ANY_NUMBERS, Numbers
from ggp_search.engine.ordering import SortedOrder, ordering_of
from ggp_search.engine.search import Search
from ggp_search.engine.settings import SearchPlan
from ggp_search.learned.network import in_python
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.path import path_of
from ggp_search.memory.state_memory import memory_of
from ggp_search.memory.transposition_table import InterpretedTable


@attrs.define
class InterpretedEngine(Engine):
    """A recursion run as it is written, on any game."""

    game: AnyGame
    search: Search
    note: str | None = None
    """The reason why it is interpreted, if it could have been compiled."""
    speed: str = "interpreted"
    compile_seconds: float = 0.0
    numbers: Numbers = ANY_NUMBERS
    threads: int = 1
    direct: bool = False
    """Whether the page is called directly, without `Search.value`."""

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
            return search.page(self.game, search, state, depth, *window)
        return search.value(state, depth, alpha, beta)

    def choice(self) -> Action | None:
        return self.search.choice

    def choose(self, action: Action | None) -> None:
        self.search.choice = action


def interpreted(plan: SearchPlan, note: str | None = None, kind: type[Search] = Search) -> InterpretedEngine:
    """Return the engine that runs a searcher's page as it is written.

    Arguments:
        note: why it is not compiled, if it could have been.
    """
    game, searcher = plan.game, plan.searcher
    own, promise = plan.settings.evaluation, plan.settings.promise
    settings = attrs.evolve(
        plan.settings,
        evaluation=attrs.evolve(own, function=in_python(own.function)),
        promise=attrs.evolve(promise, function=in_python(promise.function)),
    )
    search = kind(
        game,
        searcher.page,
        memory=memory_of(game, ANY_NUMBERS, settings, functools.partial(InterpretedTable, settings.table)),
        ordering=ordering_of(game, settings, SortedOrder),
        evaluation=settings.evaluation.function,
        bounded=settings.bounded,
        windowed=searcher.windowed,
        horizon=searcher.horizon if isinstance(game, Quiet) else None,
        path=path_of(game),
        options=searcher,
        own=searcher.own_memory(Allocator(ANY_NUMBERS)),
    )
    if search.table is not None:
        search.table.begin_from(plan.state)
    return InterpretedEngine(game, search, note, direct=searcher.direct)
