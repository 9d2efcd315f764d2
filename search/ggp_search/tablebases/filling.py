"""Filling: the values of a section's positions, one after the other, from what is below them. At both speeds."""

from collections.abc import Callable
from typing import Any

from ggp.errors import TablebaseError, UnsupportedGameError
from ggp.game import MAX, Compiled, CompiledForm, Game, Ranking
from ggp.progress import lengthy
from ggp_search import cache, endgames, machine
from ggp_search.fingerprint import NoFingerprint, fingerprint
from ggp_search.parts import Compile, interpreted
from ggp_search.settings import settle
from ggp_search.words import load, save_byte

MOST = 127
"""The greatest value that a byte holds; the least is its negative."""

Fill = Callable[[int, int, int, int, int], None]
"""`fill(grade, section, first, last, directory)`: fill the numbers from `first` up to `last`, which is left out.

Its memory is in the directory at that address (see `ggp_search.endgames`), and so is all that is below.
"""


def ranking_of(game: Game[Any, Any]) -> Ranking:
    """The game's numbering of positions.

    Raises:
        UnsupportedGameError: it offers none with these parameters, or is a game of chance.
    """
    form = game.compiled(interpreted) if isinstance(game, Compiled) else None
    if form is None or form.ranking is None:
        raise UnsupportedGameError(
            f"{game.name} has no tablebases with these parameters: its compiled form offers no ranking"
        )
    if form.outcomes is not None:
        raise UnsupportedGameError(f"{game.name} has no tablebases: they are for games without chance")
    return form.ranking


def filling(form: CompiledForm, compile: Compile[Any]) -> Any:
    """`fill((grade, section, first, last), depth, live)`: the bytes of these numbers, to the directory `live.endgames`.

    Answers how many they are: it ends before a value that does not fit into a byte.
    """
    to_move, actions, result, terminal_test = form.to_move, form.actions, form.result, form.terminal_test
    utility, score = form.utility, form.score or compile(_nothing_secured)
    ranking: Any = form.ranking
    grade_of, positions, known = ranking.grade, ranking.positions, endgames.known_value(form, ranking, compile)

    @compile
    def fill(task: Any, depth: int, live: Any) -> int:
        grade, section, first, last = task
        directory = live.endgames
        start = load(directory + 8 * (endgames.SECTIONS * grade + section))
        at, end = start + first, start + last
        for position in positions(grade, section, first):
            if at == end:
                break
            mover, secured, best = to_move(position), score(position), WORST
            for action in actions(position):
                child = result(position, action)
                value = utility(child) if terminal_test(child) else known(child, grade_of(child), directory)
                best = max(best, value - secured if mover == MAX else secured - value)
            if best > MOST or best < -MOST:
                break
            save_byte(at, best)
            at += 1
        return at - start - first

    return fill


WORST = -(1 << 40)
"""Less than any value."""


def _nothing_secured(position: Any) -> int:
    return 0


def filler(game: Game[Any, Any]) -> Fill:
    """What fills sections of the game's tablebases, at the speed that there is.

    Raises:
        UnsupportedGameError: the game has no tablebases.
    """
    ranking_of(game)
    code = _code_caller(filling_code(game)) if is_fast(game) else _interpreted_caller(game)

    def fill(grade: int, section: int, first: int, last: int, directory: int) -> None:
        filled = code((grade, section, first, last), directory)
        if filled != last - first:
            raise TablebaseError(
                f"{game.name} has no tablebase of grade {grade}: number {first + filled} of its section {section}"
                f" has no value from {-MOST} to {MOST}, which is what a byte holds"
            )

    return fill


def is_fast(game: Game[Any, Any]) -> bool:
    """Whether there is machine speed, and nobody asks for another."""
    asked = settle(
        game, wanted="default", table=0, ordering="none", bounds=None, enhanced=False, speed="auto", threads=1
    )
    return machine.available() and asked.speed != "interpreted"


Caller = Callable[[tuple[int, int, int, int], int], int]


def _code_caller(code: machine.Code) -> Caller:
    def call(task: tuple[int, int, int, int], directory: int) -> int:
        status, filled = code(task, (0,), machine.Live(endgames=directory))
        return filled if status == 0 else 0

    return call


def _interpreted_caller(game: Any) -> Caller:
    fill = filling(game.compiled(interpreted), interpreted)

    def call(task: tuple[int, int, int, int], directory: int) -> int:
        try:
            return fill(task, 0, machine.Live(endgames=directory))
        except TypeError:  # a fraction is no byte
            raise _fractions(game) from None

    return call


def _fractions(game: Any) -> UnsupportedGameError:
    return UnsupportedGameError(f"{game.name} has no tablebases: its utility and score have to be integers")


_LOADED: dict[str, machine.Code] = {}
"""What this process has loaded, by fingerprint."""


def is_compiled(game: Any) -> bool:
    """Whether the machine code that fills the game's tablebases is there already."""
    name = _name(game)
    return name in _LOADED or (name is not None and cache.read(name) is not None)


def filling_code(game: Any) -> machine.Code:
    """The machine code of `filling`: as it was loaded before, else from the cache, else compiled.

    Raises:
        UnsupportedGameError: it cannot be compiled, or the game's values are no integers.
    """
    name = _name(game)
    if name in _LOADED:
        return _LOADED[name]
    kept = cache.read(name) if name else None
    if kept is None or not machine.can_load(kept):
        kept = _build(game)
        if name:
            cache.write(name, kept)
    code = machine.load(kept, 4, windowed=False)
    if name:
        _LOADED[name] = code
    return code


def _name(game: Any) -> str | None:
    """The fingerprint of all that goes into the code; None if it cannot be told."""
    try:
        return fingerprint("filling", filling(game.compiled(interpreted), interpreted), machine.identity())
    except NoFingerprint:
        return None


def _build(game: Any) -> cache.Kept:
    compiler = machine.compiler()
    form = game.compiled(compiler.part)
    try:
        words = len(_some_position(game))
        for function in filter(None, (form.utility, form.score)):
            if not machine.answers_integers(function, words):
                raise _fractions(game)
        with lengthy(f"compiling the tablebases of {game.name}"):
            return machine.build(filling(form, compiler.recursion), 4, windowed=False, integral=True)
    except machine.compilation_errors() as error:
        if isinstance(error, UnsupportedGameError):  # which is a TypeError, too
            raise
        why = " ".join(str(error).split())[:300]
        raise UnsupportedGameError(
            f"{game.name} has no tablebases: its compiled form does not compile: {why}"
        ) from None


def _some_position(game: Any) -> tuple[int, ...]:
    """A position that has a number."""
    ranking = game.compiled(interpreted).ranking
    for grade in range(endgames.GRADES):
        for section, size in enumerate(ranking.sections(grade)):
            if size:
                return tuple(next(ranking.positions(grade, section, 0)))
    raise UnsupportedGameError(f"{game.name} has no tablebases: none of its grades has a position")
