"""Solving a game by enumeration: the exact value of every position that can be reached, and best play.

    solved = solve(morris, morris.initial_state())
    solved.value, solved.action, solved.distance

Without cycles, the method is backward induction; with cycles and without chance, it is retrograde analysis. Both are
exact. With cycles and chance, it is interval iteration: the value lies between two proved bounds.
"""

import sys
import time
from typing import Any, Final

import attrs
from ggp_search.tablebases.best_play import FOREVER, Choice, KnownValue, KnownValues

from ggp import capabilities, repetition
from ggp.compiler import Fault, NotRepresentable, Refused
from ggp.compiler.encoding import flatten
from ggp.errors import UsageError
from ggp.game import Action, AnyGame, State
from ggp.searcher import action_columns
from ggp.tables import ResultTable, Tabular
from ggp_solve.enumeration.backward_induction import propagate
from ggp_solve.enumeration.components import solve_components
from ggp_solve.enumeration.enumeration import MEGABYTE, UNSOLVED, Enumeration, Report, StoppedError, TooLargeError
from ggp_solve.enumeration.enumeration_checkpoint import EnumerationCheckpoint
from ggp_solve.enumeration.interval_iteration import IntervalIteration
from ggp_solve.enumeration.position_count import least_positions
from ggp_solve.enumeration.retrograde import Retrograde
from ggp_solve.enumeration.speed import Compiled, Interpreted, Runner, runner, wanted
from ggp_solve.memory.expansion import Expansion

LEAST: Final = 9
"""Minimum size of a position in bytes: one byte for its state, 5 in the index, and 3 for value and distance."""
MOST: Final = (1 << 31) - 2
"""Maximum number of positions, since their numbers must fit in four bytes."""
SMALL: Final = 2000
"""Maximum number of positions of a game that is solved interpreted."""
OVERHEAD: Final = 160
"""Bytes that Python needs for a position besides its state: in a dictionary, in a list, and in the columns."""


@attrs.frozen(kw_only=True)
class SolvedGame(KnownValue, Tabular):
    """The result of an enumeration: the value of the start, and other results."""

    choices: tuple[Choice, ...] = ()
    """The actions of the first state, in the game's order."""
    action: Action = None
    principal_variation: tuple[Action, ...] = ()
    complete: bool = True
    positions: int = 0
    """Number of positions that were found; positions with the same canonical state count as one."""
    wins: int = 0
    """Number of positions that MAX wins: their value is greater than 0."""
    losses: int = 0
    """Number of positions that MIN wins."""
    draws: int = 0
    method: str = ""
    """"backward induction", "retrograde analysis" or "interval iteration"."""
    speed: str = "interpreted"
    seconds: float = 0.0
    note: str | None = None

    def to_table(self, game: AnyGame | None = None, state: State = None) -> ResultTable:
        """Return a row for each action of the position, or a single row if the position has no actions. The rest is as
        in `ggp.searcher.SearchResult.to_table`.
        """
        listed: list[tuple[Action, KnownValue]] = [(choice.action, choice) for choice in self.choices]
        return ResultTable(
            action_columns(action, game, state)
            | {
                "value": value.middle,
                "lower": value.lower,
                "upper": value.upper,
                "distance": value.distance,
                "best": value.middle == self.middle,
                "method": self.method,
                "complete": self.complete,
                "positions": self.positions,
                "seconds": self.seconds,
                "speed": self.speed,
            }
            for action, value in listed or [(None, self)]
        )


class Solver(KnownValues):
    """Enumerates a game and stores its positions.

    Arguments:
        memory: maximum memory in megabytes.
        precision: the maximum difference of the bounds of a value, in games of chance with cycles.
        report: called several times a second with the progress.
        speed: "auto", "compiled" or "interpreted"; None uses the environment variable GGP_SPEED.
        checkpoint: the file for checkpoints; it is used if the game is not small.
        threads: the number of threads of a compiled enumeration; results do not depend on it.
        most: the maximum number of positions of a game that is solved interpreted. None: as many as fit in memory.

    Raises:
        UsageError: the game cannot be solved by enumeration.
    """

    def __init__(
        self,
        game: AnyGame,
        state: State,
        *,
        memory: float = 3072,
        precision: float = 1e-9,
        report: Report | None = None,
        speed: str | None = None,
        most: int | None = None,
        checkpoint: EnumerationCheckpoint | None = None,
        threads: int = 1,
    ) -> None:
        repetition.last_occurrence(game)  # what is no rule is refused now
        self.game, self.state, self.precision = game, state, precision
        self.memory, self.report, self.threads = memory, report, threads
        self.note: str | None = None
        self.speed = speed or wanted()
        self.checkpoint = checkpoint
        self.small = self.speed == "auto" and most is None and not (checkpoint and checkpoint.path.exists())
        """Whether to try the enumeration interpreted first: a small game is solved in less time than its rules take to
        compile.
        """
        if most is not None:
            self.begin(Interpreted(), most)
        elif self.small:
            self.begin(Interpreted(), SMALL)
        else:
            self.begin_at_speed()

    def begin_at_speed(self) -> None:
        """Begin the enumeration with compiled code, if possible."""
        run, self.note = runner(self.game, self.state, self.speed, self.threads)
        self.small = False
        self.begin(run)

    def begin(self, run: Runner, most: int = MOST) -> None:
        """Begin the enumeration with a runner of its functions and a limit of positions."""
        self.room = min(most, room(self.state, self.memory, compiled=isinstance(run, Compiled)))
        self.found = Enumeration(self.game, self.state, self.room, run, self.report, int(self.memory * MEGABYTE))
        if run.threads > 1:
            self.found.expansion = Expansion(self.found)
        self.iteration: IntervalIteration | None = None
        self.method = "backward induction"

    def run(self) -> None:
        """Solve the game.

        Raises:
            TooLargeError: the game has more positions than fit in memory.
            StoppedError: the caller asked the solver to stop.
        """
        try:
            try:
                self._solve()
            except TooLargeError:
                if not self.small:
                    raise
                self.begin_at_speed()
                self._solve()
        except (Fault, Refused, NotRepresentable) as error:
            self.note = str(error)
            self.begin(Interpreted())
            self._solve()

    def _solve(self) -> None:
        enumeration = self.found
        if isinstance(enumeration.run, Compiled) and not (self.checkpoint and self.checkpoint.path.exists()):
            self._require_memory(enumeration, enumeration.run)
        enumeration.find_positions(None if self.small else self.checkpoint)
        if capabilities.is_stochastic(self.game):
            self._iterate()
            return
        propagate(enumeration)
        if enumeration.complete:
            return
        self.method = "retrograde analysis"
        self._require_repetition()
        if self._is_endless_the_same():
            enumeration.positions.trim(enumeration.run, enumeration.start)
            Retrograde(enumeration, enumeration.count).solve_rest()
        else:
            solve_components(enumeration)

    def _require_memory(self, enumeration: Enumeration, run: Compiled) -> None:
        """Check that a game is not much too large, before enumerating it.

        Raises:
            TooLargeError: the game has many more positions than fit in memory.
        """
        try:
            count, size = least_positions(enumeration, len(flatten(enumeration.start, run.kind)))
        except Fault:  # enumeration finds out whether that is met again
            return
        enumeration.expected, enumeration.size = count, size
        if size > enumeration.memory:
            whole = capabilities.is_stochastic(self.game) or repetition.may_repeat(self.game)
            digits = max(0, len(str(count)) - 2)
            megabytes = -(-size // MEGABYTE)
            raise TooLargeError(
                f"{self.game.name} has about {count // 10**digits * 10**digits:,} positions or more, which take"
                f" {megabytes:,} MB at least, and --memory allows {self.memory:,.0f} MB"
                + ("" if whole else ": --method prove needs less")
            )

    def _iterate(self) -> None:
        enumeration, wanted = self.found, self.precision
        for _ in range(4):  # what the components add up to may be more than was wanted
            self.iteration = IntervalIteration(enumeration, wanted)
            self.iteration.run()
            known = self.known(enumeration.start)
            wanted /= 10
            if known.upper - known.lower <= self.precision:
                break
        if self.iteration and self.iteration.cycles:
            self.method = "interval iteration"
            self._require_continuing(self.iteration)

    def _require_repetition(self) -> None:
        """Check that a game with cycles declares `repetition`."""
        if not repetition.may_repeat(self.game):
            raise repetition.undeclared(self.game, self._on_cycle())

    def _require_continuing(self, iteration: IntervalIteration) -> None:
        if not repetition.may_repeat(self.game):
            graph = iteration.graph
            first = next(first for first, last in graph.components() if graph.is_cyclic(first, last))
            raise repetition.undeclared(self.game, self.found.state(graph.order.get(first)))
        if repetition.last_occurrence(self.game) is not None:
            raise UsageError(
                f"{self.game.name} has chance and ends by repetition: the value of a state depends on the path to it,"
                ' which enumeration does not know (`repetition = "continues"` can be solved)'
            )

    def _on_cycle(self) -> State:
        """Return a state that is on a cycle."""
        enumeration, seen = self.found, set[int]()
        number = next(n for n in range(enumeration.count) if enumeration.values.get(n) == UNSOLVED)
        while number not in seen:
            seen.add(number)
            state = enumeration.state(number)
            children = (enumeration.find_state(self.game.result(state, a)) for a in self.game.actions(state))
            number = next(child for child in children if enumeration.values.get(child) == UNSOLVED)
        return enumeration.state(number)

    def _is_endless_the_same(self) -> bool:
        """Return whether a repetition has the same value in all positions on cycles."""
        enumeration = self.found
        if not repetition.depends_on_state(self.game):
            return True
        worth = repetition.repetition_value(self.game, enumeration.start)
        return all(
            repetition.repetition_value(self.game, enumeration.state(number)) == worth
            for number in enumeration.watched(range(enumeration.count))
            if enumeration.values.get(number) == UNSOLVED
        )

    def look(self, state: State) -> KnownValue | None:
        """Return the value of a state; None if the state cannot be reached."""
        number = self.found.find_state(state)
        if number < 0:
            return None
        if self.iteration:
            return KnownValue(lower=self.iteration.lower.get(number), upper=self.iteration.upper.get(number))
        worth, plies = self.found.worths[self.found.values.get(number)], self.found.distances.get(number)
        return KnownValue(lower=worth, upper=worth, distance=None if plies == FOREVER else plies)

    def known(self, state: State) -> KnownValue:
        """Return the value of a state that can be reached."""
        known = self.look(state)
        assert known is not None
        return known

    def solved(self, seconds: float) -> SolvedGame:
        """Return the solved game."""
        known = self.known(self.state)
        wins, draws, losses = self.counts()
        return SolvedGame(
            lower=known.lower,
            upper=known.upper,
            choices=self.choices(self.state),
            action=self.action(self.state),
            distance=known.distance,
            principal_variation=tuple(self.line(self.state)),
            positions=self.found.count,
            wins=wins,
            draws=draws,
            losses=losses,
            method=self.method,
            speed=self.found.run.name,
            seconds=seconds,
            note=self.note,
        )

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of positions that MAX wins, that are draws, and that MIN wins."""
        wins = losses = 0
        if self.iteration:
            for number in range(self.found.count):
                wins += self.iteration.lower.get(number) > 0
                losses += self.iteration.upper.get(number) < 0
        else:
            for worth, positions in zip(self.found.worths, self.found.tally(), strict=True):
                wins += positions if worth > 0 else 0
                losses += positions if worth < 0 else 0
        return wins, self.found.count - wins - losses, losses


def solve(
    game: AnyGame,
    state: State,
    *,
    memory: float = 3072,
    precision: float = 1e-9,
    report: Report | None = None,
    threads: int = 1,
) -> SolvedGame:
    """Solve a game by enumeration from `state`. `Solver` and `Solver.run` describe arguments and errors."""
    began = time.perf_counter()
    solver = Solver(game, state, memory=memory, precision=precision, report=report, threads=threads)
    solver.run()
    return solver.solved(time.perf_counter() - began)


def room(state: State, memory: float, *, compiled: bool) -> int:
    """Return the number of positions like `state` that fit in the given number of megabytes."""
    size = LEAST if compiled else OVERHEAD + size_of(state)
    return max(1, min(MOST, int(memory * MEGABYTE / size)))


def size_of(value: Any) -> int:
    """Return the size of a state in Python, in bytes; small integers are shared and count as 0."""
    if isinstance(value, bool | None) or (isinstance(value, int) and -5 <= value <= 256):
        return 0
    size = sys.getsizeof(value)
    if isinstance(value, tuple | list | frozenset):
        size += sum(map(size_of, value))
    elif attrs.has(type(value)):
        size += sum(size_of(getattr(value, field.name)) for field in attrs.fields(type(value)))
    return size


__all__ = ["Choice", "SolvedGame", "Solver", "StoppedError", "TooLargeError", "solve"]
