"""Enumeration: find every position that can be reached, and propagate values backwards from terminal positions.

Three steps (K. Thompson, Retrograde analysis of certain endgames, ICCA Journal 9(3), 1986, for the last):

1. `expand` finds the positions breadth first, and numbers them; terminal positions get their utility.
2. `backward_induction` goes from the last number to the first, and solves each position whose successors are all
   solved. For a game without cycles this is enough.
3. The remaining positions are on cycles or lead to a cycle. They are solved by `retrograde` or, in games with chance,
   by `interval_iteration`.

A position's *distance* is the number of plies to the end, if the player whom the result favours hurries and the
opponent delays.

Functions of this package whose first argument is a `solver` or `part` run both interpreted and compiled.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Final, Protocol, TypeVar

import attrs
from ggp_search.tablebases.packed_positions import PackedPositions, PositionLayout
from ggp_search.tablebases.position_table import require_numbers

from ggp import repetition
from ggp.capabilities import canonical
from ggp.compiler import NotRepresentable
from ggp.compiler.encoding import flatten
from ggp.errors import TablebaseError, UsageError
from ggp.game import MAX, Action, AnyGame, State
from ggp.searcher import stop_requested
from ggp_solve.enumeration.speed import Compiled, Interpreted, RuleCalls, Runner
from ggp_solve.memory.columns import AnyColumn, Column, Fractions, MemoryColumn, MemoryFractions, two_bytes
from ggp_solve.memory.positions import MOST_CODES, Codes, MemoryCodes, MemoryPositions, Positions

UNSOLVED: Final = 0
"""Code of a position that is not solved. The codes of values are 1, 2, ... in ascending order of the values."""
MEGABYTE: Final = 1 << 20
OFTEN = 4096
"""Number of steps in Python between two checks whether to stop; so many steps take well under a second."""
COLUMNS: Final = 3
"""Bytes for the value and the distance of a position, if there are few different values."""


AnyItem = TypeVar("AnyItem")


class StoppedError(Exception):
    """Raised when the user stops an enumeration."""


class TooLargeError(UsageError):
    """The game has more positions than fit into the memory."""


@attrs.frozen(kw_only=True)
class Progress:
    """Progress of an enumeration."""

    step: str
    """The current step: "estimate", "positions", "values", "cycles"."""
    positions: int
    solved: int
    expected: int = 0
    """Estimated minimum number of positions; 0 if unknown."""
    size: int = 0
    """The estimated size of these positions in bytes."""

    @property
    def share(self) -> float | None:
        """The share of the positions that are solved; None while they are being found."""
        return None if self.step == "positions" or not self.positions else self.solved / self.positions


Report = Callable[[Progress], None]


class Checkpointing(Protocol):
    """Saves and restores the positions that an enumeration has found."""

    def load(self, enumeration: "Enumeration") -> None: ...
    def look(self, enumeration: "Enumeration") -> None: ...
    def save(self, enumeration: "Enumeration") -> None: ...


class Enumeration:
    """All positions that can be reached from a given position, with their values.

    Arguments:
        most: the maximum number of positions.
        memory: maximum memory in bytes.
        run: the runner of the functions, interpreted or compiled.

    Attributes:
        values: the code of each position's value.
        distances: each position's distance to the end, in plies.
        worths: the value of each code; code 0 means no value.
        expected: estimated minimum number of positions; 0 if unknown.
        size: the estimated size of these positions in bytes.
        edges: the number of actions of all positions.
        degree: the maximum number of actions of a position.
        solved: the number of positions with known value.
        neutral: the code of the value of endless play.
    """

    variables: ClassVar[tuple[str, ...]] = ("edges", "solved", "neutral", "degree")
    expected = 0
    size = 0

    def __init__(
        self,
        game: AnyGame,
        start: State,
        most: int,
        run: Runner | None = None,
        report: Report | None = None,
        memory: int = 1 << 30,
    ) -> None:
        self.most, self.memory = most, memory
        self.game = game
        self.run = run or Interpreted()
        self.report = report or (lambda progress: None)
        self.canonical = canonical(game)
        self.start = self.canonical(start)
        self.rule_calls = RuleCalls(self.start)
        self.compiled = isinstance(run, Compiled)
        self.positions: Any = Positions(most)
        if isinstance(run, Compiled):
            self.positions = MemoryPositions(most, flatten(self.start, run.kind), memory, COLUMNS)
        width = 2 if repetition.depends_on_state(game) else 1
        self.codes: Codes | MemoryCodes = (MemoryCodes if self.compiled else Codes)(MOST_CODES[width])
        self.values = self.column(width, most)
        self.distances = self.column(2, most)
        self.expansion: Any = None
        """Expands positions in several threads (`ggp_solve.memory.expansion.Expansion`); None for a single thread."""
        self.expanded = 0
        self.edges = 0
        self.degree = 0
        self.solved = 0
        self.neutral = 0
        self.worths: list[float] = []

    def packed(self) -> PackedPositions:
        """Return all positions as they are stored in files.

        Raises:
            TablebaseError: the states have a type that cannot be stored.
        """
        try:
            packed: PackedPositions = self.positions.packed(self.run)
        except NotRepresentable as error:
            raise TablebaseError(f"the states of {self.game.name} cannot be stored in a file: {error}") from None
        require_numbers(packed.layout.kind, self.game.name)
        return packed

    def restore(self, layout: PositionLayout, states: bytes) -> None:
        """Give numbers to packed states again, in an enumeration that has no positions yet.

        Raises:
            TooLargeError: the states do not fit in memory.
        """
        if not self.positions.restore(layout, states, self.run, self.start):
            raise TooLargeError("the checkpoint's positions do not fit in memory: allow more with --memory MB")

    def column(self, width: int, length: int) -> AnyColumn:
        """Return a column of zeros."""
        return MemoryColumn(width, length) if self.compiled else Column(width, length)

    def widen(self) -> None:
        """Make room for the codes of more values.

        Raises:
            UsageError: the game has too many different values.
        """
        if self.values.width > 1:
            raise UsageError(f"{self.game.name} has too many different utilities to be enumerated: more than 65,000")
        few, self.values = self.values, self.column(2, self.most)
        self.values.fill(two_bytes(few, self.count))
        few.free()
        self.codes.most, self.codes.refused = MOST_CODES[2], 0
        self.run.forget()

    def fractions(self, length: int) -> Fractions:
        """Return a column of floating-point zeros."""
        return MemoryFractions(length) if self.compiled else Column(8, length, fractions=True)

    @property
    def count(self) -> int:
        """Number of positions found."""
        return self.positions.count

    def state(self, number: int) -> State:
        """Return the state of the position with this number."""
        return self.run(state_of, self, number, self.start)

    def find_state(self, state: State) -> int:
        """Return the number of a state or of its canonical state; -1 if it has no number."""
        try:
            number: int = self.run(number_of, self, state)
        except NotRepresentable:
            return -1
        return number

    def has_memory(self, size: int) -> bool:
        """Return whether the memory limit allows `size` more bytes."""
        return not self.compiled or self.positions.size + size <= self.memory

    def require_memory(self, size: int) -> None:
        """Check that the memory limit allows `size` more bytes.

        Raises:
            TooLargeError: the memory limit is reached.
        """
        if not self.has_memory(size):
            needed = -(-(self.positions.size + size) // MEGABYTE)
            raise TooLargeError(
                f"{self.game.name} has {self.count:,} positions, and solving those on cycles takes {needed:,} MB:"
                f" allow it with --memory {needed}"
            )

    def chunks(self, step: str, count: int | None = None) -> "list[tuple[int, int]]":
        """Yield ranges of positions: the first number of each range, and the number after its last."""
        count = self.count if count is None else count
        size = self.run.chunk
        return [(first, min(count, first + size)) for first in range(0, count, size)]

    # 1. positions

    def _grow(self) -> None:
        if self.codes.refused:
            self.widen()
        elif not self.positions.grow(self.run, self.start):
            raise TooLargeError(
                f"{self.game.name} has more than {self.count:,} positions, and no more fit in memory:"
                " allow more with --memory MB, or prove the value instead with --method prove"
            )

    def find_positions(self, checkpoint: Checkpointing | None = None) -> None:
        """Find all positions, and the values of terminal positions.

        Arguments:
            checkpoint: saves and restores the positions found (`EnumerationCheckpoint`); None: no checkpoint.

        Raises:
            TooLargeError: the game has more positions than fit in memory.
            StoppedError: the caller asked the enumeration to stop.
        """
        endless = repetition.repetition_value(self.game, self.start)
        self.codes.code(endless)
        if checkpoint is not None:
            checkpoint.load(self)
        while self.run(number_anew, self, self.start) < 0:
            self._grow()
        while self.expanded < self.count:
            if self.expansion is None or not self.expansion.expand():
                size = self.run.chunk if self.expansion is None else self.expansion.choose_size()
                last = min(self.count, self.expanded + size)
                self.expanded = self.run(expand, self, self.expanded, last, self.start)
                if self.expanded < last:
                    self._grow()
            try:
                self.look("positions")
            except StoppedError:
                if checkpoint is not None:
                    checkpoint.save(self)
                raise
            if checkpoint is not None:
                checkpoint.look(self)
        if checkpoint is not None:
            checkpoint.save(self)
        self._sort_codes(endless)

    def _sort_codes(self, endless: float) -> None:
        """Change the codes of the values to ascending order."""
        values = self.codes.values
        self.worths = [0.0, *sorted(values)]
        codes = {value: code for code, value in enumerate(self.worths) if code}
        self.ranks = self.column(2, len(values) + 1)
        for code, value in enumerate(values, 1):
            self.ranks.put(code, codes[value])
        for first, last in self.chunks("values"):
            self.run(recode, self, first, last)
        self.neutral = codes[endless]

    @property
    def complete(self) -> bool:
        """Whether every position is solved."""
        return self.solved == self.count

    def look(self, step: str) -> None:
        """Report the progress; raise StoppedError if the caller asks to stop."""
        self.report(
            Progress(step=step, positions=self.count, solved=self.solved, expected=self.expected, size=self.size)
        )
        if stop_requested():
            raise StoppedError

    def watched(self, items: Iterable[AnyItem], step: str = "cycles") -> Iterator[AnyItem]:
        """Yield the items of a loop in Python, and check now and then whether to stop."""
        for number, item in enumerate(items):
            if number % OFTEN == OFTEN - 1:
                self.look(step)
            yield item

    def tally(self) -> list[int]:
        """Return the number of positions for each code of a value."""
        self.tallies = self.column(8, len(self.worths))
        for first, last in self.chunks("values"):
            self.run(count_codes, self, first, last)
        return [self.tallies.get(code) for code in range(len(self.worths))]


def state_of(solver: Enumeration, number: int, like: State) -> State:
    """Return the state that has a given number; `like` is any state, which gives the type."""
    return solver.positions.state(number, like)


def number_of(solver: Enumeration, state: State) -> int:
    """Return the number of a state or of its canonical state; -1 if it has no number."""
    return solver.positions.find(solver.canonical(state))


def number_anew(solver: Enumeration, state: State) -> int:
    """Return the number of a canonical state. Add the state if it is new; if there is no room for it, return -1."""
    return solver.positions.number(state)


def successor(solver: Enumeration, state: State, action: Action) -> State:
    """Return the canonical state after an action, in the common type of all states."""
    if solver.solved < 0:  # never; but a part that is there after every action may be missing in other states, and the
        return state  # type of both has words for that
    return solver.canonical(solver.game.result(state, action))


def expand(solver: Enumeration, first: int, last: int, like: State) -> int:
    """Give numbers to the successors of positions `first` to `last` - 1; terminal successors get their utility.

    Returns: `last`; or the number of the first position whose successors did not all fit.
    """
    game, positions = solver.game, solver.positions
    for number in range(first, last):
        state = positions.state(number, like)
        solver.rule_calls.count += 1
        if game.terminal_test(state):
            code = solver.codes.code(float(game.utility(state, MAX)))
            if code == UNSOLVED:
                return number
            solver.values.put(number, code)
            solver.solved += 1
        else:
            # Each successor is looked up one action late, when the processor has fetched its slot from memory.
            edges, waiting = 0, state
            for action in game.actions(state):
                child = successor(solver, state, action)
                positions.prefetch(child)
                if edges > 0 and positions.number(waiting) < 0:
                    return number
                waiting = child
                edges += 1
            if edges > 0 and positions.number(waiting) < 0:
                return number
            solver.edges += edges
            solver.degree = max(solver.degree, edges)
    return last


def recode(solver: Enumeration, first: int, last: int) -> None:
    """Replace the codes of positions `first` to `last` - 1 by codes that are in the order of the values."""
    for number in range(first, last):
        solver.values.put(number, solver.ranks.get(solver.values.get(number)))


def count_codes(solver: Enumeration, first: int, last: int) -> None:
    """Count positions `first` to `last` - 1 by the codes of their values."""
    for number in range(first, last):
        code = solver.values.get(number)
        solver.tallies.put(code, solver.tallies.get(code) + 1)
