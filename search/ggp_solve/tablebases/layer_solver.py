"""Solving the layers of games whose positions come back within a layer, such as Awari.

Such a game numbers the positions of each layer (see `ggp.game.Layered`). Every action stays in its layer or
leads to a lower one, so layers are solved from the lowest up, each by retrograde analysis. A byte holds the value of a
position: the value of the rest of the game for the player to move, without `score`.
"""

from collections.abc import Callable
from typing import ClassVar, Final

from ggp_search.tablebases.probe import SECTIONS, Directory, TablebaseProbe
from ggp_search.tablebases.ranking import LayeredRanking, is_layered

from ggp import capabilities, repetition
from ggp.compiler.intrinsics import load, save_byte
from ggp.errors import UsageError
from ggp.game import MAX, CapableGame, State
from ggp_solve.enumeration.backward_induction import sweep_chunk
from ggp_solve.enumeration.enumeration import Enumeration
from ggp_solve.enumeration.retrograde import MOST_ACTIONS, Retrograde
from ggp_solve.enumeration.speed import Compiled, RuleCalls, Runner, runner

MOST: Final = (1 << 31) - 1
"""Maximum number of positions of a layer, counting its exits, and each position once for each mover."""
HIGHEST: Final = 127
"""The highest possible layer: values are no greater than the layer, and must fit in a byte."""


class LayerPositions:
    """The positions of one layer. The number of a position is twice its rank, plus 1 if MIN is to move.

    The exits are numbered after the positions.

    An exit stands for all ways out of the layer after which the game has the same value to MAX. This value includes
    what the action that leaves the layer scores.

    Arguments:
        probe: the values of the lower layers.
    """

    variables: ClassVar[tuple[str, ...]] = ("layer", "exits")

    def __init__(self, game: CapableGame, probe: TablebaseProbe) -> None:
        self.game, self.probe = game, probe
        self.layer = self.exits = 0

    def state(self, number: int, like: State) -> State:
        """Return the state with a number; `like` is any state."""
        state = self.game.unrank(self.layer, number // 2)
        return self.turned(state) if number % 2 else state

    def turned(self, state: State) -> State:
        """Return the position with the sides swapped."""
        return self.game.turned(state)

    def prefetch(self, state: State) -> None:
        """Do nothing: a state's number is computed, so nothing needs to be fetched in advance."""

    def find(self, state: State) -> int:
        """Return the number of a state, or of its exit if the state is in a lower layer."""
        if self.game.layer(state) == self.layer:
            return 2 * self.game.rank(state) + (0 if self.game.to_move(state) == MAX else 1)
        return self.exits + self.probe.value(state) + self.layer


class LayerEnumeration(Enumeration):
    """Solves the layers of a game one after another, each by retrograde analysis.

    The code of the value v is v + layer + 1.
    """

    game: CapableGame

    def __init__(self, game: CapableGame, ranking: LayeredRanking, run: Runner) -> None:
        self.game, self.run = game, run
        self.report = lambda progress: None
        self.compiled = isinstance(run, Compiled)
        self.canonical = capabilities.itself
        self.positions = LayerPositions(game, TablebaseProbe(game, Directory(ranking, 0)))
        self.start = game.unrank(0, 0)
        self.rule_calls = RuleCalls(self.start)
        self.worths: list[float] = []
        self.expansion = None
        self.edges = self.solved = self.neutral = 0
        self.degree = MOST_ACTIONS
        self.values, self.distances = self.column(2, 0), self.column(2, 0)
        self.retrograde = Retrograde(self, MOST)

    @property
    def count(self) -> int:
        """Number of positions and exits."""
        exits: int = self.positions.exits
        return exits + len(self.worths) - 1

    def has_memory(self, size: int) -> bool:
        return True

    def solve(self, layer: int) -> None:
        """Find the value of every position of a layer."""
        self.positions.layer, self.positions.exits = layer, 2 * self.game.positions(layer)
        self.worths = [0.0, *(float(value) for value in range(-layer, layer + 1))]
        self.neutral, self.edges = layer + 1, 0
        for column in (self.values, self.distances):
            column.renew(self.count)
        for code in range(1, len(self.worths)):
            # Exits are solved from the beginning, so retrograde analysis can start from them as from ends of the game.
            self.values.put(self.positions.exits + code - 1, code)
        self.solved = len(self.worths) - 1
        for first, last in self.chunks("positions", self.positions.exits):
            self.run(value_ends, self, first, last, self.start)
            self.look("positions")
        # One sweep solves most positions. The others need lists of predecessors, which take more memory than all else.
        for first, last in reversed(self.chunks("values", self.positions.exits)):
            sweep_chunk(self, first, last)
        if not self.complete:
            self.retrograde.solve_rest()


def value_ends(solver: LayerEnumeration, first: int, last: int, like: State) -> None:
    """Set the values of terminal positions among positions `first` to `last` - 1."""
    for number in range(first, last):
        state = solver.positions.state(number, like)
        solver.rule_calls.count += 1
        if solver.game.terminal_test(state):
            solver.values.put(number, int(solver.game.utility(state, MAX)) + solver.neutral)
            solver.solved += 1
        else:
            for _ in solver.game.actions(state):
                solver.edges += 1


def store_values(solver: LayerEnumeration, start: int, count: int) -> None:
    """Store the values of a layer at an address; only positions with MAX to move are stored."""
    for rank in range(count):
        save_byte(start + rank, solver.values.get(2 * rank) - solver.neutral)


def layer_solver(
    game: CapableGame, ranking: LayeredRanking, threads: int
) -> Callable[[int, int, int, Callable[[], None]], None]:
    """Return the function that solves layers of the game; see `ggp_solve.tablebases.section_solver.SolveSection`.

    Raises:
        UsageError: the game's layers cannot be solved.
    """
    require_layered(game, 0)
    run, _ = runner(game, game.unrank(0, 0), threads=threads)
    solver = LayerEnumeration(game, ranking, run)

    def solve(layer: int, section: int, directory: int, check: Callable[[], None]) -> None:
        solver.report = lambda progress: check()
        solver.positions.probe.address = directory
        solver.solve(layer)
        run(store_values, solver, load(directory + 8 * SECTIONS * layer), game.positions(layer))

    return solve


def require_layered(game: CapableGame, highest: int) -> None:
    """Check that the layers of a game up to `highest` can be built.

    Raises:
        UsageError: the layers cannot be built.
    """
    if not is_layered(game):
        raise UsageError(f"{game.name} has no layers whose positions come back: `ggp solve` may enumerate it")
    if not 0 <= highest <= HIGHEST:
        raise UsageError(f"the highest layer must be a whole number from 0 to {HIGHEST}; got {highest}")
    for layer in range(min(highest, 3) + 1):
        state = game.unrank(layer, game.positions(layer) - 1)
        if repetition.repetition_value(game, state) != game.score(state):
            raise UsageError(f"{game.name} cannot be solved layer by layer: its value of a repetition is not the score")
