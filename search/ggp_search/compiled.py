"""The compiled speed: the same recursion, made into machine code for a game that offers a compiled form."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ggp.game import CompiledForm
from ggp.progress import lengthy
from ggp_search import cache, endgames, hooks, machine, ordering, sharing, tables, word_tables
from ggp_search.fingerprint import NoFingerprint, fingerprint
from ggp_search.parts import FLOATS, HUGE, INTEGERS, Compile, Numbers, Operations, Parts, interpreted
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
            with lengthy(f"compiling {self.recursion.__name__} for {self.game.name}"):
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
    ranking = form.ranking if job.settings.endgames else None
    height = endgames.by_grade(ranking, compile) if ranking else tables.by_depth(compile)
    if job.settings.table:
        layout = word_tables.layout(job.key_words, integral=numbers is INTEGERS)
        known = rules if job.settings.cuts else attrs.evolve(rules, bounds=_everything(numbers, compile))
        memory = word_tables.word_memory(known, numbers, layout, height, compile)
        if job.settings.enhanced:
            memory = tables.enhanced(rules, memory, height, compile)
    elif job.settings.cuts:
        memory = hooks.bounds_only(rules, numbers, compile)
    else:
        memory = hooks.no_memory(numbers, compile)
    if job.settings.threads > 1:
        order, memory = sharing.shared(rules, numbers, job.settings.ordering, memory, height, compile)
    else:
        order = _order(rules, numbers, job, compile)
    made = hooks.assemble(rules, numbers, memory, order, hooks.word_notes(compile), compile)
    return endgames.with_endgames(form, ranking, numbers, made, compile) if ranking else made


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
