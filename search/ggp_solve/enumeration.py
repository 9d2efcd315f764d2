"""Enumeration: every position that can be reached is found, and values are propagated backwards from the ends.

Three steps (K. Thompson, Retrograde analysis of certain endgames, ICCA Journal 9(3), 1986, for the last):

1. `expand`: breadth first, each position gets a number; ends get their utility.
2. `sweep`: from the last number to the first, a position whose successors are all solved is solved. For a game without
   cycles that is all there is: backward induction.
3. What is left lies on cycles, or leads to one: `ggp_solve.retrograde`; with chance, `ggp_solve.iteration`.

A position's *distance* is the number of plies to the end if whoever profits from the end hurries and the other delays.
"""

from collections.abc import Callable
from typing import Any, Final

import attrs

from ggp import repetition
from ggp.errors import UsageError
from ggp.game import MAX, Game
from ggp.searcher import asked_to_end
from ggp_solve.columns import Column
from ggp_solve.positions import Positions

UNSOLVED: Final = 0
"""As the code of a value: none yet. Codes of values are 1, 2, ... in ascending order of the values."""
FOREVER: Final = 65535
"""As a distance: play does not come to an end, or not by force. Longer distances are told as this, too."""
CHUNK = 2000
"""Positions between two looks at the clock, for interpreted code."""
FEW = 0.05
"""A sweep that solves no more than this part of what is unsolved is the last."""


class StoppedError(Exception):
    """Raised when the user ends an enumeration."""


class TooLargeError(UsageError):
    """There are more positions than fit in memory."""


@attrs.frozen(kw_only=True)
class Progress:
    """How far an enumeration has come."""

    step: str
    """"positions", "values", "cycles"."""
    positions: int
    solved: int


Report = Callable[[Progress], None]


def canonical_of(game: Game[Any, Any]) -> Callable[[Any], Any]:
    """Return the game's `canonical`; of a game without, the state itself."""
    own: Callable[[Any], Any] | None = getattr(game, "canonical", None)
    return own if own is not None else (lambda state: state)


class Enumeration:
    """All positions that can be reached from one, and what is known of each.

    Arguments:
        game: the game.
        start: the state to begin from.
        most: positions that there may be.

    Attributes:
        values: of each position, the code of its value.
        distances: of each position, the plies to the end.
        worths: the value of each code; code 0 is no value.
    """

    def __init__(self, game: Game[Any, Any], start: Any, most: int, report: Report | None = None) -> None:
        self.game = game
        self.canonical = canonical_of(game)
        self.start = self.canonical(start)
        self.report = report or (lambda progress: None)
        self.positions = Positions(most)
        self.expanded = 0
        self.edges = 0
        self.solved = 0
        self.values = Column(2)
        self.distances = Column(2)
        self.utilities: dict[float, int] = {}
        """The code of each utility, in the order in which they were found, until `find` has sorted them."""
        self.worths: list[float] = []
        self.neutral = 0
        """The code of what endless play is worth."""

    # 1. positions

    def find(self) -> None:
        """Find all positions, and the values of the ends.

        Raises:
            TooLargeError: there are more than fit.
            StoppedError: somebody wants it to end.
        """
        self.code(endless_value(self.game, self.start))
        self.positions.number(self.start)
        while self.expanded < len(self.positions):
            last = min(len(self.positions), self.expanded + CHUNK)
            self.values.grow(last)
            self.distances.grow(last)
            self.expanded = expand(self, self.expanded, last)
            if self.expanded < last:
                raise TooLargeError(
                    f"{self.game.name} has more than {self.positions.most:,} positions, and no more fit in memory:"
                    " give it more with --memory, or prove the value instead with --method prove"
                )
            self.look("positions")
        self._sort_codes()

    def code(self, value: float) -> int:
        """Return the code of a value."""
        if value not in self.utilities:
            if len(self.utilities) == FOREVER - 1:
                raise UsageError(f"{self.game.name} has more than {FOREVER - 1:,} different utilities")
            self.utilities[value] = len(self.utilities) + 1
        return self.utilities[value]

    def _sort_codes(self) -> None:
        """Give the values codes in ascending order."""
        self.worths = [0.0, *sorted(self.utilities)]
        place = {value: code for code, value in enumerate(self.worths) if code}
        sorted_code = [0] * len(self.worths)
        for value, code in self.utilities.items():
            sorted_code[code] = place[value]
        for number in range(len(self.positions)):
            code = self.values.get(number)
            if code:
                self.values.put(number, sorted_code[code])
        self.neutral = place[endless_value(self.game, self.start)]

    # 2. values

    def propagate(self) -> None:
        """Sweep until all is solved, or little more is."""
        while self.solved < len(self.positions):
            before, left = self.solved, len(self.positions) - self.solved
            last = len(self.positions)
            while last > 0:
                first = max(0, last - CHUNK)
                self.solved += sweep(self, first, last)
                last = first
                self.look("values")
            if self.solved - before <= FEW * left:
                return

    @property
    def complete(self) -> bool:
        """Whether every position is solved."""
        return self.solved == len(self.positions)

    def look(self, step: str) -> None:
        """Report how far it has come, and end if somebody wants it to."""
        self.report(Progress(step=step, positions=len(self.positions), solved=self.solved))
        if asked_to_end():
            raise StoppedError


def endless_value(game: Game[Any, Any], state: Any) -> float:
    """Return what play without end is worth to MAX: what a repetition is."""
    return repetition.repetition_value(game, state)


def expand(solver: Enumeration, first: int, last: int) -> int:
    """Number the successors of the positions from `first` to before `last`, and value the ends among these.

    Returns: `last`; if there was no room for a successor, the number of its predecessor.
    """
    game, positions = solver.game, solver.positions
    for number in range(first, last):
        state = positions.state(number)
        if game.terminal_test(state):
            solver.values.put(number, solver.code(game.utility(state, MAX)))
            solver.distances.put(number, 0)
            solver.solved += 1
            continue
        for action in game.actions(state):
            if positions.number(solver.canonical(game.result(state, action))) < 0:
                return number
            solver.edges += 1
    return last


def sweep(solver: Enumeration, first: int, last: int) -> int:
    """Solve the positions from `last` - 1 down to `first` whose successors are all solved.

    Returns: how many were solved.
    """
    solved = 0
    for number in range(last - 1, first - 1, -1):
        if solver.values.get(number) == UNSOLVED:
            value, distance = best(solver, solver.positions.state(number))
            if value != UNSOLVED:
                solver.values.put(number, value)
                solver.distances.put(number, distance)
                solved += 1
    return solved


def best(solver: Enumeration, state: Any) -> tuple[int, int]:
    """Return the code and the distance of a state by its successors; UNSOLVED if one of them is."""
    game = solver.game
    best_value, best_distance = UNSOLVED, 0
    is_max = game.to_move(state) == MAX
    for action in game.actions(state):
        child = solver.positions.find(solver.canonical(game.result(state, action)))
        value = solver.values.get(child)
        if value == UNSOLVED:
            return UNSOLVED, 0
        distance = solver.distances.get(child)
        if best_value == UNSOLVED or preferred(value, distance, best_value, best_distance, is_max, solver.neutral):
            best_value, best_distance = value, distance
    return best_value, min(best_distance + 1, FOREVER)


def preferred(value: int, distance: int, other: int, other_distance: int, is_max: bool, neutral: int) -> bool:
    """Return whether the player to move prefers the first of two values with their distances.

    Who profits from the end hurries, who suffers from it delays; where nobody does, both take the longest way.
    """
    if value != other:
        return value > other if is_max else value < other
    hurries = value > neutral if is_max else value < neutral
    return distance < other_distance if hurries else distance > other_distance
