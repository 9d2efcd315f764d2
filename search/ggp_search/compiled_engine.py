"""The engine of the compiled speed: machine code, and the memory that a search with it needs."""

import time
from collections.abc import Callable
from typing import Any

import attrs

from ggp.game import CHANCE, MAX, CompiledForm, Game
from ggp_search import endgames, hooks, machine, ordering, sharing, word_tables
from ggp_search.blocks import Block
from ggp_search.compiled import Job
from ggp_search.driver import MAX_PLIES, CompiledFormError, window_around
from ggp_search.parts import FLOATS, INTEGERS, Numbers, SearchStopped, interpreted
from ggp_search.settings import Settings


@attrs.define
class Thread:
    """What one thread of a search has to itself."""

    live: machine.Live = attrs.field(factory=machine.Live)
    _rows: Block = attrs.field(factory=lambda: Block(16 * ordering.ROW * (MAX_PLIES + 1)))
    _entered: Block = attrs.field(factory=lambda: Block(8 * (MAX_PLIES + 1)))
    _notes: Block = attrs.field(factory=lambda: Block(16 * hooks.NOTES * (MAX_PLIES + 1)))

    def __attrs_post_init__(self) -> None:
        self.live.rows, self.live.notes = self._rows.address, self._notes.address
        self.live.entered = self._entered.address


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
    layout: word_tables.Layout
    note: str | None = None
    speed: str = "compiled"

    @property
    def live(self) -> machine.Live:
        """See `Engine`: the first thread's, in which the others' counts are gathered."""
        return self.threads[0].live

    @property
    def states(self) -> int:
        """States entered so far, over all threads."""
        return sum(thread.live.nodes for thread in self.threads)

    def endgames_have_grown(self, position: tuple[int, ...]) -> None:
        """Let all threads see the grades that the tablebase has now, for a search from `position` on."""
        base = self.settings.endgames
        for thread in self.threads:
            thread.live.grades = base.grades
            thread.live.near = endgames.near(base.ranking, position, base.grades)

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
        alpha, beta = window_around(value, self.numbers)
        found = self.within(state, depth, alpha, beta)
        return found if alpha < found < beta else self.value(state, depth)

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
    table, layout = None, word_tables.layout(key_words, code.integral)
    if settings.table:
        bucket = layout.bucket_bytes
        table = Block(int(settings.table * (1 << 20)) // bucket * bucket)
    busy = Block(8 * sharing.BUSY)
    threads = [Thread() for _ in range(settings.threads)]
    for thread in threads:
        thread.live.busy = busy.address
        if settings.endgames:
            thread.live.endgames = settings.endgames.address
        if table:
            thread.live.table, thread.live.buckets = table.address, max(1, table.size // bucket)
    took = time.perf_counter() - started
    made = CompiledEngine(game, form, code, settings, windowed, took, table, busy, threads, layout)
    if settings.endgames:
        made.endgames_have_grown(position)
    return made
