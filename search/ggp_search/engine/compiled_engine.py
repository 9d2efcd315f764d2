"""The engine for compiled searches: machine code, and the memory that it needs."""

import contextlib
import functools
import time
from collections.abc import Callable

import attrs

from ggp import capabilities, compiler
from ggp.compiler import machine
from ggp.compiler.intrinsics import words_of
from ggp.errors import GGPError, UsageError
from ggp.frozen_games import FrozenGame
from ggp.game import Action, AnyGame, Quiet, State
from ggp.progress import lengthy
from ggp.repetition import depends_on_state, repetition_value, states_played
from ggp.searcher import is_unhurried
from ggp_search.engine.abdada import (
    MIN_PARALLEL_DEPTH,
    MIN_PARALLEL_NODES,
    HelperThreads,
    SharedOrder,
    SharedSearch,
)
from ggp_search.engine.engine import CompiledFormError, Engine, RulesRefuseError, interpreted
from ggp_search.engine.ordering import RowOrder, TableOrder
from ggp_search.engine.search import Remembering, Search, SearchStopped, StateMemory, memory_of, ordering_of
from ggp_search.engine.settings import LargeValueError, Numbers, SearchPlan, numbers_of
from ggp_search.engine.shadow import NEW, STORED, reference, require_agreement, require_same_playouts
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.buffer import Buffer, ThreadMemory
from ggp_search.memory.path import NEVER, CompiledPath
from ggp_search.memory.playout_tree import PlayoutTree
from ggp_search.memory.transposition_table import GENERATIONS, AnyTable, CompiledTable, SpareMemory

COUNTS = ("nodes", "leaves", "estimates", "cutoffs")


class NodeCounter:
    """The number of nodes of a search and the limit of nodes, in the variables of the code."""

    def __init__(self, search: Search, variables: compiler.Variables) -> None:
        self.search, self.variables = search, variables

    @property
    def nodes(self) -> int:
        """Number of nodes so far, without the nodes of helper threads that are still running."""
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
    helpers: HelperThreads | None = attrs.field(init=False)
    counter: NodeCounter = attrs.field(init=False)
    table: CompiledTable | None = attrs.field(init=False)
    """The transposition table; None if the search uses none."""

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
        self.helpers = HelperThreads(self.threads - 1) if self.threads > 1 else None

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
        first = self.variables[0]
        generation, oldest = first.get(self.table, "generation") + 1, first.get(self.table, "oldest")
        if generation > oldest + GENERATIONS:
            generation = oldest = 1
            self.table.clear()
        for each in self.variables:
            each.set(self.table, "generation", generation)
            each.set(self.table, "oldest", oldest)

    def finish(self, spare: SpareMemory) -> None:
        if self.table is not None:
            spare.put(self.table, self.variables[0].get(self.table, "generation"))

    def within(self, state: State, depth: int, alpha: float, beta: float) -> float:
        window = (alpha, beta) if self.search.windowed or not self.direct else ()
        self.choose(None)
        for each in self.variables:
            each.set(self.search, "extended", 0)
        if self.search.path is not None:
            for each in self.variables:
                each.set(self.search.path, "length", len(self.search.path.played))
                each.set(self.search.path, "earliest", NEVER)
        if isinstance(self.search.ordering, SharedOrder):
            self.search.ordering.clear()
        helpers, running = self._helpers(depth), []
        nodes = self.counter.nodes if helpers else 0
        for each in helpers:
            each.set(self.search, "nodes", nodes)
            each.set(self.search, "limit", self.counter.limit)
            assert self.helpers is not None
            running.append(self.helpers.run(self._help, each, state, depth, *window))
        try:
            return self.code(self.variables[0], state, depth, *window)
        except SearchStopped:
            raise
        except compiler.NotRepresentable as error:
            raise CompiledFormError(str(error)) from None
        except LargeValueError:
            raise CompiledFormError(
                f"machine code of {self.game.name} cannot continue below {state!r}: a value there is a whole number of"
                " 2**40 or more, or of -2**40 or less"
            ) from None
        except GGPError as error:  # the rules refuse a state: to go on by other moves would be a silent answer
            raise RulesRefuseError(self.game, state, type(error)) from None
        except Exception as error:  # whatever it is, the interpreted game says more
            why = str(error) if isinstance(error, compiler.Fault) else f"{type(error).__name__} was raised"
            raise CompiledFormError(f"machine code of {self.game.name} failed below {state!r}: {why}") from None
        finally:
            for each in helpers:
                each.set(self.search, "limit", 0)
            for task in running:
                if not task.cancel():
                    task.result()
            for each in helpers:
                each.set(self.search, "nodes", each.get(self.search, "nodes") - nodes)
                self._gather(each)

    def _helpers(self, depth: int) -> list[compiler.Variables]:
        """Return the variables of the threads that take part in a search; none if one thread is enough for it."""
        if self.threads == 1 or depth < MIN_PARALLEL_DEPTH:
            return []
        return self.variables[1:] if self.counter.limit - self.counter.nodes >= MIN_PARALLEL_NODES else []

    def _help(self, variables: compiler.Variables, *arguments: object) -> None:
        """Search in a helper thread until the first thread has finished; the results go into the
        transposition table.
        """
        with contextlib.suppress(Exception):  # the first thread meets it too, or has no need of it
            self.code(variables, *arguments)

    def _gather(self, variables: compiler.Variables) -> None:
        """Add a helper's counts to the counts of the first thread."""
        first = self.variables[0]
        names: list[tuple[object, str]] = [(self.search, name) for name in COUNTS]
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
        base = self.search.tablebase
        base.grow(state)
        for each in self.variables:
            for name in type(base).variables:
                each.set(base, name, getattr(base, name))


UNKNOWN = 64
"""The number of words that a value is assumed to need if machine code cannot hold it."""


@attrs.frozen
class WordCounts:
    """The number of machine words of a state, an action and a key of the table."""

    state: int
    action: int
    key: int

    @classmethod
    def of(cls, plan: SearchPlan, code: compiler.Code | None = None) -> "WordCounts":
        """Return the numbers of words in the code; without code, return an estimate from the plan's state and its first
        action.

        Other states and actions may need more words than these: None needs no word, but a field that may be None needs
        one word more than its value.

        Raises:
            Refused: the states are objects of another framework.
        """
        if code is not None and None not in code.words:
            return cls(*(words or 0 for words in code.words))
        try:
            estimate = cls._estimate(plan.game, plan.state)
        except compiler.NotRepresentable as error:
            raise compiler.Refused(str(error)) from None
        return estimate if code is None else estimate.corrected(code)

    @classmethod
    def _estimate(cls, game: AnyGame, state: State) -> "WordCounts":
        if isinstance(game, FrozenGame):  # lists in states have room for more items than the first one has
            kind, _ = compiler.state_and_action(game)
            state_words = compiler.size(kind)
        else:
            state_words = _words(state)
        actions = () if game.terminal_test(state) else game.actions(state)
        action = next((_words(each) for each in actions), 1)
        # The code has a word count for the key, even if no table uses the key.
        key_words = _words(game.key(state)) if hasattr(game, "key") else state_words
        return cls(state_words, action, key_words)

    def corrected(self, code: compiler.Code) -> "WordCounts":
        """Return the numbers of words that compiling has found, which hold for all states, actions and keys."""
        state, action, key = (
            own if said is None else said for own, said in zip(attrs.astuple(self), code.words, strict=True)
        )
        return WordCounts(state, action, key)


def _words(value: object) -> int:
    """Return the number of words of a value; if machine code cannot hold the value (for example, a set), return a
    guess.
    """
    try:
        return len(words_of(value))
    except compiler.NotRepresentable:
        return UNKNOWN


_CODES: dict[object, tuple[Numbers, compiler.Code]] = {}
"""Code of searches that this process has compiled. Loading code from disk again would take longer than a small search.
"""
MOST_CODES = 256


def _cached(key: object) -> tuple[Numbers, compiler.Code] | None:
    """Return the code with a key.

    Return None if no code has this key, or if an object that is part of the code has changed.
    """
    stored = _CODES.get(key) if key is not None else None
    if stored is not None and not stored[1].is_current:
        del _CODES[key]
        return None
    return stored


def _remember(key: object, numbers: Numbers, code: compiler.Code) -> None:
    if key is not None:
        if len(_CODES) >= MOST_CODES:
            _CODES.clear()
        # The search that the code was compiled with is left out: its table or tree would stay in memory.
        _CODES[key] = numbers, attrs.evolve(code, objects=())


@attrs.frozen
class MachinePlan:
    """A plan, with what its machine code also needs: the kind of numbers, and the number of words of values."""

    plan: SearchPlan
    numbers: Numbers
    words: WordCounts

    def corrected(self, code: compiler.Code) -> "MachinePlan":
        """Return the plan with the number of words that values have in the code."""
        return attrs.evolve(self, words=self.words.corrected(code))

    def search(self) -> Search:
        """Return the search object, with the memory that the code uses."""
        game, settings, searcher = self.plan.game, self.plan.settings, self.plan.searcher
        tablebase = settings.tablebase.probe() if settings.tablebase is not None else None
        memory, table, ordering = self._memory(tablebase)
        own, allocator = None, None
        if isinstance(searcher, Remembering):
            allocator = Allocator(self.numbers, self.words.state, self.words.action)
            own = searcher.own_memory(allocator)
        return (SharedSearch if isinstance(ordering, SharedOrder) else Search)(
            game,
            searcher.recursion,
            memory=memory,
            table=table,
            ordering=ordering,
            evaluation=settings.evaluation.function,
            chance=settings.chance,
            bounded=settings.bounded,
            futility=settings.futility,
            numbers=self.numbers,
            windowed=searcher.windowed,
            horizon=searcher.horizon if isinstance(game, Quiet) else None,
            tablebase=tablebase,
            path=self._path(),
            options=searcher,
            own=own,
            allocator=allocator,
        )

    def _path(self) -> CompiledPath | None:
        game = self.plan.game
        if self.plan.settings.last_occurrence is None:
            return None
        worth = None if depends_on_state(game) else repetition_value(game, None)
        if worth is not None and self.numbers.integral:
            worth = int(worth)
        return CompiledPath(game, worth, self.words.state, states_played())

    def _memory(self, tablebase: object) -> tuple[StateMemory, AnyTable | None, TableOrder | None]:
        """Return the search's memory for states, the transposition table in this memory, and the order of actions."""
        game, settings, words = self.plan.game, self.plan.settings, self.words
        made = functools.partial(CompiledTable, words.key if settings.separable else words.state, tablebase=tablebase)
        memory, table = memory_of(game, self.numbers, settings, made)
        if settings.threads > 1 and not self.plan.searcher.direct:
            shared = SharedOrder(table, game, settings.ordering, settings.ordering_evaluation.function, words.action)
            return memory, table, shared
        return memory, table, ordering_of(game, settings, functools.partial(RowOrder, action_words=words.action))

    def job(self, search: Search) -> tuple[Callable[..., object], tuple[object, ...]]:
        """Return the function to compile, and its arguments."""
        direct = self.plan.searcher.direct
        number = compiler.INT if self.numbers.integral else compiler.FLOAT
        arguments = (compiler.STATE, compiler.INT, *((number, number) if search.windowed or not direct else ()))
        if direct:
            return self.plan.searcher.recursion, (self.plan.game, search, *arguments)
        return Search.value, (search, *arguments)

    def engine(self, search: Search, code: compiler.Code, seconds: float = 0.0, threads: int = 1) -> CompiledEngine:
        """Return the engine of a search; `seconds` is the time that was spent on compiling it."""
        return CompiledEngine(self.plan.game, search, code, self.numbers, seconds, self.plan.searcher.direct, threads)

    def check(self, code: compiler.Code) -> None:
        """Compare new code with the rules before its first use.

        Raises:
            Refused: they differ.
        """
        if self.corrected(code) != self:
            return
        plan, search = self.plan, self.search()  # with memory of its own: that of the search to come is empty
        if search.table is not None:
            search.table.allocate(min(plan.settings.table, 1))
        if search.tablebase is not None:
            search.tablebase.grow(plan.state)
        engine = self.engine(search, attrs.evolve(code, objects=compiler.objects_of((search,))))
        extent = NEW if code.compiled_now else STORED
        if isinstance(search.own, PlayoutTree):
            require_same_playouts(engine, interpreted(plan), plan.state, extent=extent)
        else:
            # A table of the searcher's own may lose other results than the interpreted one.
            same_tree = not hasattr(search.own, "buffer")
            require_agreement(engine, reference(plan, search), plan.state, same_tree=same_tree, extent=extent)


def _with_right_words(
    made: MachinePlan, find: Callable[[MachinePlan, Search], compiler.Code | None]
) -> tuple[Search, compiler.Code | None]:
    """Return a search and its code, which agree on the number of words of states, actions and keys.

    Arguments:
        made: a plan with a first estimate of these numbers.
        find: returns the code of a search; None if there is none.
    """
    search = made.search()
    code = find(made, search)
    if code is not None and (right := made.corrected(code)) != made:
        search = right.search()
        code = find(right, search)
    return search, code


def compiled(plan: SearchPlan, spare: SpareMemory | None = None) -> CompiledEngine:
    """Return the engine for one search.

    Arguments:
        spare: memory of an earlier search, for the table.

    Raises:
        Refused: a part of the search cannot be compiled.
    """
    started = time.perf_counter()
    cached = _cached(plan.key)
    if cached:
        made = MachinePlan(plan, cached[0], WordCounts.of(plan, cached[1]))
        search = made.search()
        code = attrs.evolve(cached[1], objects=compiler.objects_of((search,)))
    else:
        made, search, code = _compiled_now(plan)
    if search.tablebase is not None:
        search.tablebase.grow(plan.state)
    if plan.settings.table:
        search.table.allocate(plan.settings.table, spare)
        search.table.begin_from(plan.state)
    return made.engine(search, code, time.perf_counter() - started, plan.settings.threads)


def _compiled_now(plan: SearchPlan) -> tuple[MachinePlan, Search, compiler.Code]:
    budget = _budget(plan)
    find_type = functools.partial(compiler.result_type, budget=budget)
    numbers = numbers_of(plan.game, plan.settings, plan.searcher.serves_chance, find_type)
    assert numbers is not None
    first = MachinePlan(plan, numbers, WordCounts.of(plan))

    def compile_for(made: MachinePlan, search: Search) -> compiler.Code:
        function, arguments = made.job(search)
        code = compiler.compile(function, *arguments, game=plan.game, check=made.check, budget=budget)
        if not code.compiled_now:
            made.check(code)  # another process made it, or it is the first use with these options
        return code

    with lengthy(f"compiling {plan.searcher.name} for {plan.game.name}"):
        search, code = _with_right_words(first, compile_for)
    assert code is not None
    _remember(plan.key, numbers, code)
    return first, search, code


def _budget(plan: SearchPlan) -> compiler.Budget:
    """Return the maximum cost of compiling a search."""
    hurried = plan.settings.speed == "auto" and not is_unhurried()
    return compiler.Budget(capabilities.declared(plan.game, "compiling_seconds") if hurried else None)


def is_cached(plan: SearchPlan) -> bool:
    """Return whether the code of a search is in memory or on disk. Code that is found on disk is loaded.

    Raises:
        Refused: a part of the search cannot be compiled.
    """
    if _cached(plan.key) is not None:
        return True
    budget = _budget(plan)
    find_type = functools.partial(compiler.cached_type, budget=budget)
    numbers = numbers_of(plan.game, plan.settings, plan.searcher.serves_chance, find_type)
    if numbers is None:
        return False

    def find(made: MachinePlan, search: Search) -> compiler.Code | None:
        function, arguments = made.job(search)
        code = compiler.cached(function, *arguments, game=plan.game, budget=budget)
        if code is not None:
            made.check(code)  # it is the first use here
        return code

    code = _with_right_words(MachinePlan(plan, numbers, WordCounts.of(plan)), find)[1]
    if code is not None:
        _remember(plan.key, numbers, code)
    return code is not None


def is_ready(plan: SearchPlan) -> bool:
    """Return whether an engine can be made without compiling, because it is interpreted or its code is cached."""
    if plan.settings.speed != "auto" or plan.settings.evaluation_name is None or not machine.available():
        return True
    try:
        return is_cached(plan)
    except compiler.Refused:
        return True


def choose_engine(plan: SearchPlan, spare: SpareMemory | None = None) -> Engine:
    """Return the engine for one search: machine code if possible, otherwise interpreted.

    Arguments:
        spare: memory of an earlier search, for the table; see `Engine.finish`.

    Raises:
        UsageError: machine code is demanded and is not possible.
    """
    speed = plan.settings.speed
    if speed == "interpreted":
        return interpreted(plan)
    if plan.settings.evaluation_name is None:
        why = CALLERS_OWN
    else:
        try:
            return compiled(plan, spare)
        except compiler.Refused as error:
            why = str(error)
    if speed == "compiled":
        raise UsageError(f"{plan.game.name} cannot be searched at machine speed: {why}")
    return interpreted(plan, why)


CALLERS_OWN = "the evaluation is the caller's own function, which is interpreted"


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
