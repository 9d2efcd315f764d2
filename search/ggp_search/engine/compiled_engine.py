"""The engine for compiled searches: machine code, and the memory that it needs."""

import contextlib
import functools
import threading
import time
from collections.abc import Callable
from typing import Any

import attrs

from ggp import capabilities, compiler
from ggp.compiler import machine
from ggp.errors import GGPError, UsageError
from ggp.game import Action, AnyGame, Quiet, State
from ggp.progress import lengthy
from ggp.repetition import depends_on_state, last_occurrence, repetition_value, states_played
from ggp.searcher import is_unhurried
from ggp_search.engine.abdada import MIN_PARALLEL_DEPTH, MIN_PARALLEL_NODES, SharedMemory, SharedOrder
from ggp_search.engine.driver import CompiledFormError, Engine
from ggp_search.engine.interpreted_engine import interpreted
from ggp_search.engine.number_kind import Numbers, numbers_of
from ggp_search.engine.ordering import RowOrder, ordering_of
from ggp_search.engine.search import Search, SearchStopped
from ggp_search.engine.settings import SearchPlan, Settings
from ggp_search.engine.shadow import NEW, STORED, require_agreement, require_same_playouts
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.buffer import Buffer, ThreadMemory
from ggp_search.memory.path import NEVER, CompiledPath
from ggp_search.memory.playout_tree import PlayoutTree
from ggp_search.memory.state_memory import StateMemory, memory_of, table_of
from ggp_search.memory.transposition_table import GENERATIONS, CompiledTable
from ggp_search.memory.word_counts import WordCounts

COUNTS = ("nodes", "leaves", "estimates", "cutoffs")


class NodeCounter:
    """The number of nodes of a search and its limit, in the variables of the code."""

    def __init__(self, search: Search, variables: compiler.Variables) -> None:
        self.search, self.variables = search, variables

    @property
    def nodes(self) -> int:
        """Number of nodes so far, without those of helper threads that are still running."""
        return int(self.variables.get(self.search, "nodes"))

    @property
    def limit(self) -> int:
        """Maximum number of nodes."""
        return int(self.variables.get(self.search, "limit"))

    @limit.setter
    def limit(self, nodes: int) -> None:
        self.variables.set(self.search, "limit", nodes)


@attrs.define(eq=False)
class CompiledEngine(Engine):
    """The machine code of a recursion, and its memory."""

    game: AnyGame
    search: Search
    code: compiler.Code
    numbers: Numbers
    compile_seconds: float
    direct: bool
    threads: int = 1
    note: str | None = None
    speed: str = "compiled"
    buffers: list[Buffer] = attrs.field(factory=list)
    """Memory that the code uses."""
    variables: list[compiler.Variables] = attrs.field(factory=list)
    """The variables of each thread."""
    counter: NodeCounter = attrs.field(init=False)
    table: Any = attrs.field(init=False)
    """The transposition table, or None."""

    def __attrs_post_init__(self) -> None:
        self.table = self.search.table
        for number in range(self.threads):
            variables = self.code.variables()
            if number and self.direct:
                self.search.allocator.give(variables)
                self.search.own.give(variables, number)
            for thing in self.code.objects:
                if isinstance(thing, ThreadMemory):
                    variable, size = thing.room()
                    memory = Buffer(size, large_pages=False)  # most searches use little of it
                    self.buffers.append(memory)
                    variables.set(thing, variable, memory.address)
                    thing.begin(memory.address, self.code)
            self.variables.append(variables)
        self.counter = NodeCounter(self.search, self.variables[0])

    @property
    def is_current(self) -> bool:
        return self.code.is_current

    @property
    def states(self) -> int:
        return sum(each.get(self.search, "nodes") for each in self.variables)

    def counts(self) -> dict[str, int]:
        get = self.variables[0].get
        hits = get(self.table, "hits") if self.table is not None else 0
        counts = {name: get(self.search, name) for name in ("nodes", "leaves", "cutoffs")}
        return {**counts, "table_hits": hits}

    @property
    def estimates(self) -> int:
        return int(self.variables[0].get(self.search, "estimates"))

    def next_iteration(self) -> None:
        if self.table is None:
            return
        generation = self.variables[0].get(self.table, "generation") + 1
        if generation > GENERATIONS:
            generation = 1
            self.table.clear()
        for each in self.variables:
            each.set(self.table, "generation", generation)

    def within(self, state: State, depth: int, alpha: float, beta: float) -> float:
        window = (alpha, beta) if self.search.windowed or not self.direct else ()
        self.choose(None)
        for each in self.variables:
            each.set(self.search, "extended", 0)
        if self.search.path is not None:
            for each in self.variables:
                each.set(self.search.path, "length", len(self.search.path.played))
                each.set(self.search.path, "earliest", NEVER)
        helpers, running = self._helpers(depth), []
        nodes = self.counter.nodes if helpers else 0
        for each in helpers:
            each.set(self.search, "nodes", nodes)
            each.set(self.search, "limit", self.counter.limit)
            running.append(threading.Thread(target=self._help, args=(each, state, depth, *window), daemon=True))
        for thread in running:
            thread.start()
        try:
            return self.code(self.variables[0], state, depth, *window)
        except SearchStopped:
            raise
        except compiler.NotRepresentable as error:
            raise CompiledFormError(str(error)) from None
        except GGPError as error:  # the rules refuse a state: to go on by other moves would be a silent answer
            from ggp_search.playouts import refusal  # which plays by this engine

            raise refusal(self.game, state, type(error)) from None
        except Exception as error:  # whatever it is, the interpreted game says more
            why = str(error) if isinstance(error, compiler.Fault) else f"{type(error).__name__} was raised"
            raise CompiledFormError(f"machine code of {self.game.name} failed below {state!r}: {why}") from None
        finally:
            for each in helpers:
                each.set(self.search, "limit", 0)
            for thread in running:
                thread.join()
            for each in helpers:
                each.set(self.search, "nodes", each.get(self.search, "nodes") - nodes)
                self._gather(each)

    def _helpers(self, depth: int) -> list[compiler.Variables]:
        """Return the variables of the threads that take part in a search; none if it is too small for several."""
        if self.threads == 1 or depth < MIN_PARALLEL_DEPTH:
            return []
        return self.variables[1:] if self.counter.limit - self.counter.nodes >= MIN_PARALLEL_NODES else []

    def _help(self, variables: compiler.Variables, *arguments: Any) -> None:
        """Search in a helper thread until the first thread has finished; the results go into the
        transposition table.
        """
        with contextlib.suppress(Exception):  # the first thread meets it too, or has no need of it
            self.code(variables, *arguments)

    def _gather(self, variables: compiler.Variables) -> None:
        """Add a helper's counts to those of the first thread."""
        first = self.variables[0]
        names = [(self.search, name) for name in COUNTS]
        if self.table is not None:
            names.append((self.table, "hits"))
        for thing, name in names:
            first.set(thing, name, first.get(thing, name) + variables.get(thing, name))
            variables.set(thing, name, 0)

    def choice(self) -> Action | None:
        return self.variables[0].get(self.search, "choice")

    def choose(self, action: Action | None) -> None:
        self.variables[0].set(self.search, "choice", action)

    def tablebase_has_grown(self, state: State) -> None:
        """Give all threads the present layers of the tablebase, for a search from `state`."""
        base: Any = self.search.tablebase
        base.grow(state)
        for each in self.variables:
            for name in type(base).variables:
                each.set(base, name, getattr(base, name))


_CODES: dict[Any, tuple[Numbers, compiler.Code]] = {}
"""Code of searches that this process has compiled. Looking it up on disk again would take longer
than a small search.
"""
MOST_CODES = 256


def _known(key: Any) -> tuple[Numbers, compiler.Code] | None:
    """Return the code with a key; None if there is none, or if an object that became part of it has changed since."""
    stored = _CODES.get(key) if key is not None else None
    if stored is not None and not stored[1].is_current:
        del _CODES[key]
        return None
    return stored


def _remember(key: Any, numbers: Numbers, code: compiler.Code) -> None:
    if key is not None:
        if len(_CODES) >= MOST_CODES:
            _CODES.clear()
        # Without the search that it was compiled with, whose table or tree would stay in memory.
        _CODES[key] = numbers, attrs.evolve(code, objects=())


def compiled(plan: SearchPlan) -> CompiledEngine:
    """Return the engine for one search.

    Raises:
        Refused: something cannot be compiled.
    """
    started = time.perf_counter()
    game, settings, searcher = plan.game, plan.settings, plan.searcher
    key, budget = plan.key(), _budget(plan)
    known = _known(key)
    find_type = functools.partial(compiler.result_type, budget=budget)
    numbers = known[0] if known else numbers_of(game, settings, searcher.serves_chance, find_type)
    assert numbers is not None
    words = WordCounts.of(game, plan.state, settings)
    if known:
        search = _search(plan, numbers, words.corrected(known[1]))
        code = attrs.evolve(known[1], objects=compiler.objects_of((search,)))
    else:

        def compile_for(words: WordCounts, search: Search) -> compiler.Code:
            check = _check(plan, numbers, words, search)
            code = compiler.compile(*_job(plan, numbers, search), game=game, check=check, budget=budget)
            if check is not None and not code.compiled_now:
                check(code)  # another process made it, or it is the first use with these options
            return code

        with lengthy(f"compiling {searcher.name} for {game.name}"):
            search, new_code = _with_right_words(plan, numbers, words, compile_for)
        assert new_code is not None
        code = new_code
        _remember(key, numbers, code)
    if search.tablebase is not None:
        search.tablebase.grow(plan.state)
    if settings.table:
        search.table.allocate(settings.table)
        search.table.begin_from(plan.state)
    spent = time.perf_counter() - started
    return CompiledEngine(game, search, code, numbers, spent, searcher.direct, settings.threads)


def _budget(plan: SearchPlan) -> compiler.Budget:
    """Return what compiling a search may cost."""
    hurried = plan.settings.speed == "auto" and not is_unhurried()
    return compiler.Budget(capabilities.declared(plan.game, "compiling_seconds") if hurried else None)


def _with_right_words(
    plan: SearchPlan, numbers: Numbers, words: WordCounts, find: Callable[[WordCounts, Search], compiler.Code | None]
) -> tuple[Search, compiler.Code | None]:
    """Return a search and its code, which agree on the number of words of states, actions and keys.

    Arguments:
        words: a first estimate.
        find: returns the code of a search, or None.
    """
    search = _search(plan, numbers, words)
    code = find(words, search)
    if code is not None and (right := words.corrected(code)) != words:
        search = _search(plan, numbers, right)
        code = find(right, search)
    return search, code


def _check(
    plan: SearchPlan, numbers: Numbers, words: WordCounts, search: Search
) -> Callable[[compiler.Code], None] | None:
    """Return a function that checks code against the rules before its first use here; None if interpreted searches
    would visit other states.
    """
    if isinstance(search.own, PlayoutTree):
        return lambda code: _check_playouts(plan, numbers, words, code)
    # Memory of the searcher's own is the same at both speeds, and empty again afterwards, if all of it was allocated.
    allocated = search.own is None or (search.allocator.parts and not hasattr(search.own, "buffer"))
    if search.tablebase is not None or not allocated:
        return None
    settings = plan.settings

    def check(code: compiler.Code) -> None:
        if words.corrected(code) != words:
            return
        if settings.table:
            search.table.allocate(1)
        engine = CompiledEngine(plan.game, search, code, numbers, 0.0, plan.searcher.direct)
        plain = interpreted(attrs.evolve(plan, settings=attrs.evolve(settings, table=min(settings.table, 1))))
        extent = NEW if code.compiled_now else STORED
        try:
            require_agreement(engine, plain, plan.state, same_tree=not settings.table, extent=extent)
        finally:
            search.allocator.clear()  # the search begins with empty memory

    return check


def _check_playouts(plan: SearchPlan, numbers: Numbers, words: WordCounts, code: compiler.Code) -> None:
    """Check code against the rules in a tree of its own, since the search begins with an empty one."""
    if words.corrected(code) != words:
        return
    search = _search(plan, numbers, words)
    own = attrs.evolve(code, objects=compiler.objects_of((search,)))
    engine = CompiledEngine(plan.game, search, own, numbers, 0.0, plan.searcher.direct)
    extent = NEW if code.compiled_now else STORED
    require_same_playouts(engine, interpreted(plan), plan.state, extent=extent)


def is_cached(plan: SearchPlan) -> bool:
    """Return whether the code of a search is in memory or on disk. From then on it is in memory.

    Raises:
        Refused: something cannot be compiled.
    """
    if _known(plan.key()) is not None:
        return True
    budget = _budget(plan)
    find_type = functools.partial(compiler.cached_type, budget=budget)
    numbers = numbers_of(plan.game, plan.settings, plan.searcher.serves_chance, find_type)
    if numbers is None:
        return False

    def find(words: WordCounts, search: Search) -> compiler.Code | None:
        code = compiler.cached(*_job(plan, numbers, search), game=plan.game, budget=budget)
        check = _check(plan, numbers, words, search)
        if code is not None and check is not None:
            check(code)  # it is the first use here
        return code

    words = WordCounts.of(plan.game, plan.state, plan.settings)
    code = _with_right_words(plan, numbers, words, find)[1]
    if code is not None:
        _remember(plan.key(), numbers, code)
    return code is not None


def _job(plan: SearchPlan, numbers: Numbers, search: Search) -> tuple[Any, ...]:
    """Return the function to compile, and its arguments."""
    direct = plan.searcher.direct
    window = (compiler.INT if numbers.integral else compiler.FLOAT,) * 2 if search.windowed or not direct else ()
    arguments = (compiler.STATE, compiler.INT, *window)
    if direct:
        return plan.searcher.page, plan.game, search, *arguments
    return Search.value, search, *arguments


def _search(plan: SearchPlan, numbers: Numbers, words: WordCounts) -> Search:
    game, settings, searcher = plan.game, plan.settings, plan.searcher
    tablebase = settings.tablebase.probe() if settings.tablebase is not None else None
    memory = _memory(game, settings, numbers, tablebase, words)
    ordering = _ordering(plan, memory, words)
    if settings.threads > 1 and not searcher.direct:
        memory = SharedMemory(memory, ordering)
    allocator = Allocator(numbers, words.state, words.action)
    return Search(
        game,
        searcher.page,
        memory=memory,
        ordering=ordering,
        evaluation=settings.evaluation.function,
        bounded=settings.bounded,
        numbers=numbers,
        windowed=searcher.windowed,
        horizon=searcher.horizon if isinstance(game, Quiet) else None,
        tablebase=tablebase,
        path=_path(game, numbers, words),
        options=searcher,
        own=searcher.own_memory(allocator),
        allocator=allocator,
    )


def _path(game: AnyGame, numbers: Numbers, words: WordCounts) -> CompiledPath | None:
    if last_occurrence(game) is None:
        return None
    worth = None if depends_on_state(game) else repetition_value(game, None)
    if worth is not None and numbers.integral:
        worth = int(worth)
    return CompiledPath(game, worth, words.state, states_played())


def _memory(game: Any, settings: Settings, numbers: Numbers, tablebase: Any, words: WordCounts) -> StateMemory:
    def table(*arguments: Any, **named: Any) -> CompiledTable:
        return CompiledTable(words.key if settings.separable else words.state, *arguments, **named, tablebase=tablebase)

    return memory_of(game, numbers, settings, table)


def _ordering(plan: SearchPlan, memory: Any, words: WordCounts) -> Any:
    game, settings = plan.game, plan.settings
    if settings.threads > 1 and not plan.searcher.direct:
        return SharedOrder(table_of(memory), game, settings.ordering, settings.promise.function, words.action)
    return ordering_of(game, settings, functools.partial(RowOrder, action_words=words.action))


def is_ready(plan: SearchPlan) -> bool:
    """Return whether an engine can be built without compiling: because it is interpreted, or because its code is
    cached.
    """
    if plan.settings.speed != "auto" or plan.settings.evaluation_name is None or not machine.available():
        return True
    try:
        return is_cached(plan)
    except compiler.Refused:
        return True


def choose_engine(plan: SearchPlan) -> Engine:
    """Return the engine for one search: machine code where it can be had, and interpreted otherwise.

    Raises:
        UsageError: machine code is demanded and cannot be had.
    """
    speed = plan.settings.speed
    if speed == "interpreted":
        return interpreted(plan)
    if plan.settings.evaluation_name is None:
        why = CALLERS_OWN
    else:
        try:
            return compiled(plan)
        except compiler.Refused as error:
            why = str(error)
    if speed == "compiled":
        raise UsageError(f"{plan.game.name} cannot be searched at machine speed: {why}")
    return interpreted(plan, why)


CALLERS_OWN = "the evaluation is a function of the caller's own, which is interpreted"


def speed_of(plan: SearchPlan) -> str:
    """Return the speed of a search and the reason for it, without compiling anything."""
    if plan.settings.speed == "interpreted":
        return "interpreted, as asked for"
    if plan.settings.evaluation_name is None:
        return f"interpreted: {CALLERS_OWN}"
    if not machine.available():
        return "interpreted: llvmlite is not installed"
    try:
        if is_cached(plan):
            return "machine code, from the cache"
    except compiler.Refused as error:
        return f"interpreted: {error}"
    return "machine code, to be compiled if it can be"
