"""Solving a section: the values of its states are computed one after another, from values in lower layers, at both
speeds. Layers in which positions come back are solved by `ggp_solve.tablebases.layer_solver`.
"""

from collections.abc import Callable

from ggp_search.engine.settings import choose_settings
from ggp_search.tablebases.probe import LAYERS, SECTIONS, Directory, TablebaseProbe
from ggp_search.tablebases.ranking import LayeredRanking, ranking_of

from ggp import compiler
from ggp.compiler import machine
from ggp.compiler.intrinsics import load, save_byte
from ggp.errors import TablebaseError, UnsupportedGameError
from ggp.game import MAX, AnyGame, Ranking, State, capable
from ggp.progress import lengthy
from ggp_solve.enumeration.speed import RuleCalls
from ggp_solve.tablebases.layer_solver import layer_solver

MOST = 127
"""The maximum value that fits into a byte; the minimum is its negative."""
WORST = -(1 << 40)
"""A number less than any value."""

CHUNK = 1 << 20
"""Number of positions between two checks whether to stop."""

SolveSection = Callable[[int, int, int, Callable[[], None]], None]
"""`solve(layer, section, directory, check)` computes the values of a section's states and stores them.

`directory` is an address (see `ggp_search.tablebases.probe`). At this address are the addresses of the section and of
all lower layers. `check` is called from time to time; if it raises an exception, the work ends.
"""


class SectionProbe(TablebaseProbe):
    """A tablebase that is being built, with a counter of the calls of rules."""

    def __init__(self, game: AnyGame, address: int) -> None:
        ranking = ranking_of(game)
        super().__init__(game, Directory(ranking, address))
        self.rule_calls = RuleCalls(_some_state(game, ranking))


def solve_section(probe: SectionProbe, layer: int, section: int, first: int, last: int) -> int:
    """Compute the values of states `first` to `last` - 1, and store them.

    Return the number of values that were stored: the work stops before a value that does not fit into a byte.
    """
    game, ranking = probe.game, probe.ranking
    start = load(probe.address + 8 * (SECTIONS * layer + section))
    at, end = start + first, start + last
    for state in ranking.positions(layer, section, first):
        if at == end:
            break
        probe.rule_calls.count += 1
        mover, best = game.to_move(state), WORST
        secured = game.score(state) if probe.secured else 0
        for action in game.actions(state):
            child = game.result(state, action)
            value = game.utility(child, MAX) if game.terminal_test(child) else probe.value(child)
            # Seen by the mover and without the score, so that all positions with the same future share a byte.
            best = max(best, value - secured if mover == MAX else secured - value)
        if best > MOST or best < -MOST:
            break
        save_byte(at, best)
        at += 1
    return at - start - first


def section_solver(game: AnyGame, threads: int = 1) -> SolveSection:
    """Return the function that solves sections of the game's tablebases: compiled if that is possible.

    Arguments:
        threads: the number of threads for a layer in which positions come back. Such a layer is one section, and all
            threads work on it.

    Raises:
        UnsupportedGameError: the game has no tablebases.
    """
    ranking = ranking_of(game)
    if isinstance(ranking, LayeredRanking):
        return layer_solver(capable(game), ranking, threads)
    _require_integers(game, ranking)
    code = _code(game) if is_fast(game) else None

    def solve_range(layer: int, section: int, first: int, last: int, directory: int) -> None:
        if code is None:
            solved = solve_section(SectionProbe(game, directory), layer, section, first, last)
        else:
            variables = code.variables()
            probe = next(each for each in code.objects if isinstance(each, SectionProbe))
            variables.set(probe, "address", directory)
            solved = code(variables, layer, section, first, last)
        if solved != last - first:
            raise TablebaseError(
                f"{game.name} has no tablebase of layer {layer}: number {first + solved} of its section {section}"
                f" has no value from {-MOST} to {MOST}, the values that a byte holds"
            )

    def solve(layer: int, section: int, directory: int, check: Callable[[], None]) -> None:
        size = ranking.sections(layer)[section]
        for first in range(0, size, CHUNK):
            check()
            solve_range(layer, section, first, min(first + CHUNK, size), directory)

    return solve


def is_fast(game: AnyGame) -> bool:
    """Return whether to use machine code: it is available, and the user has not chosen to interpret."""
    asked = choose_settings(
        game, wanted="default", table=0, ordering="none", bounds=None, etc=False, speed="auto", threads=1
    )
    return machine.available() and asked.speed != "interpreted"


def _code(game: AnyGame) -> compiler.Code:
    """Return the machine code of `solve_section`.

    Raises:
        UnsupportedGameError: the game's rules cannot be compiled.
    """
    probe = SectionProbe(game, 0)
    try:
        with lengthy(f"compiling the tablebases of {game.name}"):
            return compiler.compile(solve_section, probe, *[compiler.INT] * 4, game=game)
    except compiler.Refused as error:
        raise UnsupportedGameError(f"{game.name} has no tablebases: {error}") from None


def _require_integers(game: AnyGame, ranking: Ranking[State]) -> None:
    state = _some_state(game, ranking)
    while not game.terminal_test(state):
        state = game.result(state, next(iter(game.actions(state))))
    secured = game.score(state) if hasattr(game, "score") else 0
    if not isinstance(game.utility(state, MAX), int) or not isinstance(secured, int):
        raise UnsupportedGameError(f"{game.name} has no tablebases: its utility and score have to be integers")


def _some_state(game: AnyGame, ranking: Ranking[State]) -> State:
    """Return any state that the ranking numbers."""
    for layer in range(LAYERS):
        for section, size in enumerate(ranking.sections(layer)):
            if size:
                return ranking.unrank(layer, section, 0)
    raise UnsupportedGameError(f"{game.name} has no tablebases: none of its layers has a position")
