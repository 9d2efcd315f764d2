"""The memory of a search: what is known about states before they are searched, and what is stored about them
afterwards.
"""

from collections.abc import Callable
from typing import Any, Protocol

from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, State
from ggp_search.engine.number_kind import Numbers
from ggp_search.engine.settings import Settings
from ggp_search.memory.transposition_table import MIN_CUTOFF_HEIGHT, TranspositionTable


class StateMemory(Protocol):
    """The memory of a search for values of states, such as a table or a tablebase."""

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        """Return a lower and an upper bound of the state's value, and its best action, as far as known."""

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        """Store the result of a state; `work` nodes were entered below it."""


class NoMemory:
    """A memory that stores nothing."""

    def __init__(self, numbers: Numbers) -> None:
        self.lowest, self.highest = numbers.lowest, numbers.highest

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        return self.lowest, self.highest, None

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        """See `StateMemory`."""


class BoundsOnly(NoMemory):
    """A memory that knows only the game's own bounds (futility cuts)."""

    def __init__(self, game: Any, numbers: Numbers) -> None:
        super().__init__(numbers)
        self.game, self.floats = game, numbers.floats

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        lower, upper = self.game.bounds(state)
        if self.floats:
            return float(lower), float(upper), None
        return lower, upper, None


class EnhancedCutoffs:
    """Enhanced transposition cutoffs: table entries of the children bound the value of their parent.

    Source: J. Schaeffer and A. Plaat, New advances in alpha-beta searching, Proceedings of the 1996 ACM 24th Annual
    Conference on Computer Science.
    """

    def __init__(self, table: Any) -> None:
        self.memory, self.game = table, table.game

    def probe(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, float, Action | None]:
        table, game = self.memory, self.game
        lower, upper, choice = table.probe(state, depth, alpha, beta)
        if table.height(state, depth) < MIN_CUTOFF_HEIGHT or lower >= beta or upper <= alpha or lower == upper:
            return lower, upper, choice
        mover = game.to_move(state)
        if mover != CHANCE:
            for action in game.actions(state):
                child = game.result(state, action)
                if not game.terminal_test(child):
                    low, high, _ = table.probe(child, depth - 1, alpha, beta)
                    if mover == MAX and low >= beta:
                        return low, upper, action
                    if mover == MIN and high <= alpha:
                        return lower, high, action
        return lower, upper, choice

    def store(self, state: State, depth: int, lower: float, upper: float, choice: Action | None, work: int) -> None:
        self.memory.store(state, depth, lower, upper, choice, work)


def memory_of(game: AnyGame, numbers: Numbers, settings: Settings, table: Callable[..., StateMemory]) -> StateMemory:
    """Return the memory of a search with these settings."""
    if not settings.table:
        return BoundsOnly(game, numbers) if settings.cuts else NoMemory(numbers)
    made = table(
        game, numbers, cuts=settings.cuts, separable=settings.separable, symmetric=settings.symmetric,
        proof=settings.proof,
    )  # fmt: skip
    return EnhancedCutoffs(made) if settings.etc else made


def table_of(memory: Any) -> Any:
    """Return the transposition table inside a memory, or None."""
    while hasattr(memory, "memory"):
        memory = memory.memory
    return memory if isinstance(memory, TranspositionTable) else None
