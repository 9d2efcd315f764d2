"""Filling: the values of a section's states, one after the other, from what is below them. At both speeds."""

from collections.abc import Callable
from typing import Any

from ggp import compiler
from ggp.capabilities import is_stochastic
from ggp.compiler import machine
from ggp.errors import TablebaseError, UnsupportedGameError
from ggp.game import MAX, Game, Ranking
from ggp.progress import lengthy
from ggp_search.engine.endgames import LAYERS, MOST, Endgames, fill
from ggp_search.engine.settings import settle

Fill = Callable[[int, int, int, int, int], None]
"""`fill(grade, section, first, last, directory)`: fill the numbers from `first` up to `last`, which is left out.

Its memory is in the directory at that address (see `ggp_search.engine.endgames`), and so is all that is below.
"""


def ranking_of(game: Game[Any, Any]) -> Ranking:
    """Return the game's numbering of states.

    Raises:
        UnsupportedGameError: it offers none with these parameters, or is a game of chance.
    """
    ranking: Ranking | None = getattr(game, "ranking", None)
    if ranking is None:
        raise UnsupportedGameError(f"{game.name} has no tablebases with these parameters: it offers no ranking")
    if is_stochastic(game):
        raise UnsupportedGameError(f"{game.name} has no tablebases: they are for games without chance")
    return ranking


class _Directory:
    """A tablebase of which only the directory is known."""

    def __init__(self, ranking: Ranking, address: int) -> None:
        self.ranking, self.address, self.grades = ranking, address, 0


def filler(game: Game[Any, Any]) -> Fill:
    """Return what fills sections of the game's tablebases, at the speed that there is.

    Raises:
        UnsupportedGameError: the game has no tablebases.
    """
    ranking = ranking_of(game)
    _require_integers(game, ranking)
    code = filling_code(game) if is_fast(game) else None

    def fill_section(grade: int, section: int, first: int, last: int, directory: int) -> None:
        if code is None:
            filled = fill(Endgames(game, _Directory(ranking, directory)), grade, section, first, last)
        else:
            block = code.block()
            block.set(code.objects[0], "address", directory)
            filled = code(block, grade, section, first, last)
        if filled != last - first:
            raise TablebaseError(
                f"{game.name} has no tablebase of grade {grade}: number {first + filled} of its section {section}"
                f" has no value from {-MOST} to {MOST}, which is what a byte holds"
            )

    return fill_section


def is_fast(game: Game[Any, Any]) -> bool:
    """Return whether there is machine speed, and nobody asks for another."""
    asked = settle(
        game, wanted="default", table=0, ordering="none", bounds=None, enhanced=False, speed="auto", threads=1
    )
    return machine.available() and asked.speed != "interpreted"


def filling_code(game: Any) -> compiler.Code:
    """Return the machine code of `fill`.

    Raises:
        UnsupportedGameError: it cannot be compiled.
    """
    known = Endgames(game, _Directory(ranking_of(game), 0))
    try:
        with lengthy(f"compiling the tablebases of {game.name}"):
            return compiler.compile(fill, known, *[compiler.INT] * 4, game=game)
    except compiler.Refused as error:
        raise UnsupportedGameError(f"{game.name} has no tablebases: {error}") from None


def _require_integers(game: Any, ranking: Ranking) -> None:
    state = _some_state(game, ranking)
    while not game.terminal_test(state):
        state = game.result(state, next(iter(game.actions(state))))
    secured = game.score(state) if hasattr(game, "score") else 0
    if not isinstance(game.utility(state, MAX), int) or not isinstance(secured, int):
        raise UnsupportedGameError(f"{game.name} has no tablebases: its utility and score have to be integers")


def _some_state(game: Any, ranking: Ranking) -> Any:
    """Return a state that has a number."""
    for layer in range(LAYERS):
        for section, size in enumerate(ranking.sections(layer)):
            if size:
                return ranking.unrank(layer, section, 0)
    raise UnsupportedGameError(f"{game.name} has no tablebases: none of its grades has a position")
