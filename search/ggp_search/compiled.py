"""The compiled speed: the same recursion, made into machine code for a game that offers a compiled form."""

import ctypes
import mmap
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ggp.game import CHANCE, MAX, CompiledForm, Game
from ggp_search import cache, hooks, machine, ordering, sharing, tables, word_tables
from ggp_search.driver import MAX_PLIES, CompiledFormError
from ggp_search.fingerprint import NoFingerprint, fingerprint
from ggp_search.parts import FLOATS, HUGE, INTEGERS, Compile, Numbers, Operations, Parts, SearchStopped, interpreted
from ggp_search.settings import Settings


@attrs.frozen
class Job:
    """What is to be compiled: a recursion on a game's compiled form, under these settings."""

    game: Any
    recursion: Callable[..., Any]
    windowed: bool
    chance: bool
    """Whether the recursion weighs chance; then all its values are floats."""
    settings: Settings
    position_words: int
    key_words: int

    def recursion_of(self, numbers: Numbers, part: Compile[Any], compile: Compile[Any]) -> Any:
        """The recursion with all its parts; `part` compiles what becomes part of it, `compile` itself."""
        return self.recursion(parts(self, self.game.compiled(part), numbers, part), compile)

    def name(self) -> str | None:
        """The fingerprint of all that goes into the code; None if it cannot be told."""
        try:
            numbers = (FLOATS,) if self.chance else (INTEGERS, FLOATS)
            plain = [self.recursion_of(each, interpreted, interpreted) for each in numbers]
            return fingerprint(*plain, self.windowed, self.chance, self.position_words, machine.identity())
        except NoFingerprint:
            return None

    def code(self) -> machine.Code:
        """The machine code: as it was loaded before, else from the cache, else compiled."""
        name = self.name()
        if name in _LOADED:
            return _LOADED[name]
        kept = cache.read(name) if name else None
        if kept is None or not machine.can_load(kept):
            kept = self._build()
            if name:
                cache.write(name, kept)
        code = machine.load(kept, self.position_words, self.windowed)
        if name:
            _LOADED[name] = code
        return code

    def _build(self) -> cache.Kept:
        compiler = machine.compiler()
        integral = not self.chance and self._integral(self.game.compiled(compiler.part))
        recursion = self.recursion_of(INTEGERS if integral else FLOATS, compiler.part, compiler.recursion)
        return machine.build(recursion, self.position_words, self.windowed, integral)

    def _integral(self, form: CompiledForm) -> bool:
        functions = (form.utility, evaluate_of(form, self.settings))
        return all(machine.answers_integers(function, self.position_words) for function in functions)


_LOADED: dict[str | None, machine.Code] = {}
"""What this process has loaded, by fingerprint."""


def evaluate_of(form: CompiledForm, settings: Settings) -> Any:
    """The evaluation in use, as the compiled form has it."""
    return form.evaluations[settings.evaluation_name] if settings.evaluation_name else _zero


def _zero(state: Any) -> int:
    return 0


def parts(job: Job, form: CompiledForm, numbers: Numbers, compile: Compile[Any]) -> Parts:
    """The parts that the settings ask for, in machine words."""
    rules = operations(form, job, numbers, compile)
    if job.settings.table:
        layout = word_tables.layout(job.key_words, integral=numbers is INTEGERS)
        known = rules if job.settings.cuts else attrs.evolve(rules, bounds=_everything(numbers, compile))
        memory = word_tables.word_memory(known, numbers, layout, compile)
        if job.settings.enhanced:
            memory = tables.enhanced(rules, memory, compile)
    elif job.settings.cuts:
        memory = hooks.bounds_only(rules, numbers, compile)
    else:
        memory = hooks.no_memory(numbers, compile)
    if job.settings.threads > 1:
        order, memory = sharing.shared(rules, numbers, job.settings.ordering, memory, compile)
    else:
        order = _order(rules, numbers, job, compile)
    return hooks.assemble(rules, numbers, memory, order, hooks.word_notes(compile), compile)


def _order(rules: Operations, numbers: Numbers, job: Job, compile: Compile[Any]) -> Any:
    if job.settings.ordering == "none":
        return hooks.game_order(rules, compile)
    if job.settings.ordering == "table":
        return ordering.by_table(rules, numbers, compile)
    return ordering.row_order(rules, numbers, job.settings.ordering, compile)


def operations(form: CompiledForm, job: Job, numbers: Numbers, compile: Compile[Any]) -> Operations:
    """The operations of a compiled form, all values integers or all floats."""
    settings, integral = job.settings, numbers is INTEGERS
    exact = form.utility if integral else _as_float(form.utility, compile)
    estimate = compile(evaluate_of(form, settings))
    bounds = form.bounds if settings.bounded and form.bounds else None
    score, key = (form.score, form.key) if settings.separable and form.score and form.key else _plain_key(compile)
    return Operations(
        to_move=form.to_move,
        actions=form.actions,
        result=form.result,
        terminal_test=form.terminal_test,
        utility=exact,
        evaluate=estimate if integral else _as_float(estimate, compile),
        outcomes=form.outcomes or compile(_no_outcomes),
        bounds=_everything(numbers, compile) if bounds is None else bounds if integral else _as_floats(bounds, compile),
        score=score,
        key=key,
        suggest=form.suggest or compile(_nothing_suggested),
    )


def _as_float(function: Any, compile: Compile[Any]) -> Any:
    @compile
    def converted(state: Any) -> float:
        return float(function(state))

    return converted


def _as_floats(bounds: Any, compile: Compile[Any]) -> Any:
    @compile
    def converted(state: Any) -> tuple[float, float]:
        lower, upper = bounds(state)
        return float(lower), float(upper)

    return converted


def _everything(numbers: Numbers, compile: Compile[Any]) -> Any:
    lowest, highest = (numbers.lowest, numbers.highest) if numbers is INTEGERS else (-HUGE, HUGE)

    @compile
    def bounds(state: Any) -> Any:
        return lowest, highest

    return bounds


def _plain_key(compile: Compile[Any]) -> Any:
    @compile
    def score(state: Any) -> int:
        return 0

    @compile
    def key(state: Any) -> Any:
        return state

    return score, key


def _no_outcomes(state: Any) -> Iterator[tuple[int, float]]:
    for outcome in range(0):
        yield outcome, 1.0


def _nothing_suggested(state: Any, action: int) -> int:
    return 0


_PRIVATE: Any = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
"""Only memory that is not shared between processes is given in large pages."""


class Block:
    """Memory at an address that does not move: zeros at first, and taken from the machine only as it is used."""

    def __init__(self, size: int) -> None:
        room = max(size, mmap.PAGESIZE)
        self._memory = mmap.mmap(-1, room, **_PRIVATE)
        if hasattr(mmap, "MADV_HUGEPAGE") and size >= 1 << 22:
            self._memory.madvise(mmap.MADV_HUGEPAGE)
        self._view = ctypes.c_char.from_buffer(self._memory)
        self.address = ctypes.addressof(self._view)
        self.size = size

    def clear(self) -> None:
        """All zeros again."""
        ctypes.memset(self.address, 0, self.size)


@attrs.define
class Thread:
    """What one thread of a search has to itself."""

    live: machine.Live = attrs.field(factory=machine.Live)
    _rows: Block = attrs.field(factory=lambda: Block(16 * ordering.ROW * (MAX_PLIES + 1)))
    _notes: Block = attrs.field(factory=lambda: Block(16 * hooks.NOTES * (MAX_PLIES + 1)))

    def __attrs_post_init__(self) -> None:
        self.live.rows, self.live.notes = self._rows.address, self._notes.address


@attrs.define
class CompiledEngine:
    """See `ggp_search.driver.Engine`."""

    game: Game[Any, Any]
    form: CompiledForm
    code: machine.Code
    settings: Settings
    windowed: bool
    compile_seconds: float
    table: Block | None
    busy: Block
    threads: list[Thread]
    note: str | None = None
    speed: str = "compiled"

    @property
    def live(self) -> machine.Live:
        """See `Engine`: the first thread's, in which the others' counts are gathered."""
        return self.threads[0].live

    def next_iteration(self) -> None:
        """See `Engine`."""
        self.live.generation += 1
        if self.live.generation > word_tables.GENERATIONS:
            self.live.generation = 1
            if self.table:
                self.table.clear()

    @property
    def numbers(self) -> Numbers:
        """The numbers that the code computes with."""
        return INTEGERS if self.code.integral else FLOATS

    def value(self, state: Any, depth: int) -> float:
        """See `Engine`."""
        return self.within(state, depth, self.numbers.lowest, self.numbers.highest)

    def confirm(self, state: Any, depth: int, value: float) -> float:
        """See `Engine`."""
        found = self.within(state, depth, self.numbers.below(value), self.numbers.above(value))
        return value if found == value else self.value(state, depth)

    def within(self, state: Any, depth: int, alpha: float, beta: float) -> float:
        """See `Engine`."""
        self.live.choice = self.numbers.nothing
        arguments = (depth, alpha, beta) if self.windowed else (depth,)
        helpers = [thread.live for thread in self.threads[1:]] if depth >= sharing.HELPED_FROM else []
        status, value = sharing.run(self.code, self.form.encode(state), arguments, self.live, helpers)
        if status == 0:
            return value
        if self.live.nodes >= self.live.limit:
            raise SearchStopped
        raise CompiledFormError(f"the compiled form of {self.game.name} failed below {state!r}")

    def mover(self, state: Any) -> int:
        """See `Engine`."""
        return CHANCE if self.game.terminal_test(state) else self.game.to_move(state)

    def choice(self, state: Any) -> Any:
        """See `Engine`."""
        return None if self.live.choice < 0 else self.form.decode_action(state, self.live.choice)

    def estimate(self, state: Any) -> float:
        """See `Engine`."""
        return self.game.utility(state, MAX) if self.game.terminal_test(state) else self.settings.evaluation(state)


def engine(
    game: Any, state: Any, recursion: Callable[..., Any], windowed: bool, chance: bool, settings: Settings
) -> CompiledEngine:
    """The engine for one search.

    Raises:
        OverflowError: the state does not fit the game's compiled form.
    """
    started = time.perf_counter()
    form: CompiledForm = game.compiled(interpreted)
    position = form.encode(state)
    key_words = len(form.key(position)) if settings.separable and form.key else len(position)
    job = Job(game, recursion, windowed, chance, settings, len(position), key_words)
    code = job.code()
    table = None
    if settings.table:
        bucket = word_tables.layout(key_words, code.integral).bucket_bytes
        table = Block(int(settings.table * (1 << 20)) // bucket * bucket)
    busy = Block(8 * sharing.BUSY)
    threads = [Thread() for _ in range(settings.threads)]
    for thread in threads:
        thread.live.busy = busy.address
        if table:
            thread.live.table, thread.live.buckets = table.address, max(1, table.size // bucket)
    took = time.perf_counter() - started
    return CompiledEngine(game, form, code, settings, windowed, took, table, busy, threads)
