"""Tablebases of layered games whose positions come back within a layer, such as Awari.

Such a game numbers the positions of each layer (see `ggp.game.Layered`). Every action stays in its layer or
leads to a lower one, so layers are solved from the lowest up, each by retrograde analysis. A byte holds the value of a
position: that of the rest of the game, without `score`, to the player to move.
"""

import pathlib
from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from ggp_search.tablebases.layer_table import FORMAT, MIDDLE, LayerTable, path_of

from ggp import capabilities, repetition
from ggp.errors import UsageError
from ggp.game import MAX, AnyGame, Layered, State
from ggp_solve.enumeration.backward_induction import sweep_chunk
from ggp_solve.enumeration.enumeration import Enumeration
from ggp_solve.enumeration.retrograde import MOST_ACTIONS, Retrograde
from ggp_solve.enumeration.speed import Compiled, Interpreted, Runner, Visits
from ggp_solve.memory.columns import AnyColumn, Column, MemoryColumn

MOST: Final = (1 << 31) - 1
"""Maximum number of positions of a layer, counted for both movers, and its exits."""
HIGHEST: Final = 127
"""The highest possible layer: values are no greater than the layer, and must fit in a byte."""


class LayerPositions:
    """The positions of one layer by number: twice the rank, plus 1 if MIN is to move. The exits have the numbers after
    these.

    An exit stands for all positions of lower layers with the same value to MAX, including what was scored on the way.

    Arguments:
        table: the values of the lower layers.
    """

    variables: ClassVar[tuple[str, ...]] = ("layer", "exits")

    def __init__(self, game: Any, table: AnyColumn, starts: AnyColumn) -> None:
        self.game, self.table, self.starts = game, table, starts
        self.layer = self.exits = 0

    def state(self, number: int, like: State) -> State:
        """Return the state of that number; `like` is any state."""
        state = self.game.unrank(self.layer, number // 2)
        return self.turned(state) if number % 2 else state

    def turned(self, state: State) -> State:
        """Return the position with the sides swapped."""
        return self.game.turned(state)

    def find(self, state: State) -> int:
        """Return the number of a state; if it is in a lower layer, the number of its exit."""
        layer, mover = self.game.layer(state), self.game.to_move(state)
        if layer == self.layer:
            return 2 * self.game.rank(state) + (0 if mover == MAX else 1)
        # The table has values for whoever moves; seen from MAX, MIN's change their sign.
        value = self.table.get(self.starts.get(layer) + self.game.rank(state)) - MIDDLE
        gained = self.game.score(state)
        return self.exits + gained + (value if mover == MAX else -value) + self.layer


class LayerEnumeration(Enumeration):
    """Solves the layers of a game one after another, each by retrograde analysis.

    The code of the value v is v + layer + 1.
    """

    game: Any

    def __init__(self, game: Any, table: AnyColumn, starts: AnyColumn, run: Runner) -> None:
        self.game, self.run = game, run
        self.report = lambda progress: None
        self.compiled = isinstance(run, Compiled)
        self.canonical = capabilities.itself
        self.positions = LayerPositions(game, table, starts)
        self.start = game.unrank(0, 0)
        self.visits = Visits(self.start)
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
        # One sweep solves most positions without predecessors, which cost more memory than all else.
        for first, last in reversed(self.chunks("values", self.positions.exits)):
            sweep_chunk(self, first, last)
        if not self.complete:
            self.retrograde.solve_rest()


def value_ends(solver: LayerEnumeration, first: int, last: int, like: State) -> None:
    """Set the values of terminal positions among positions `first` to `last` - 1."""
    for number in range(first, last):
        state = solver.positions.state(number, like)
        solver.visits.count += 1
        if solver.game.terminal_test(state):
            solver.values.put(number, int(solver.game.utility(state, MAX)) + solver.neutral)
            solver.solved += 1
        else:
            for _ in solver.game.actions(state):
                solver.edges += 1


def store_values(solver: LayerEnumeration, start: int, count: int) -> None:
    """Store the values of a layer in the table; those with MAX to move are the values to the player to move."""
    for rank in range(count):
        solver.positions.table.put(start + rank, solver.values.get(2 * rank) - solver.neutral + MIDDLE)


class LayerBuilder(LayerTable):
    """The layers of a game, while they are being built."""

    def __init__(self, game: Any, highest: int, run: Runner | None = None) -> None:
        require_layered(game, highest)
        self.run = run or Interpreted()
        column = MemoryColumn if isinstance(self.run, Compiled) else Column
        self.table: AnyColumn = column(1, sum(game.positions(layer) for layer in range(highest + 1)))
        self.starts: AnyColumn = column(4, highest + 2)
        super().__init__(game, highest, self.table.get)
        for layer, first in enumerate(self.first):
            self.starts.put(layer, first)

    def build(self, report: Callable[[int, int], None] = lambda layer, positions: None) -> None:
        """Solve every layer; `report(layer, positions)` is called before each."""
        solver = LayerEnumeration(self.game, self.table, self.starts, self.run)
        for layer in range(self.highest + 1):
            report(layer, self.game.positions(layer))
            solver.solve(layer)
            self.run(store_values, solver, self.first[layer], self.game.positions(layer))

    def write(self, directory: pathlib.Path) -> pathlib.Path:
        """Write the layers to their file in a directory, and return its path.

        Raises:
            TablebaseError: the file cannot be written.
        """
        path = path_of(self.game, directory)
        head = {"game": self.game.name, "parameters": capabilities.parameters(self.game), "highest": self.highest}
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FORMAT.unwritable(path, error) from None
        FORMAT.write(path, msgspec.json.encode(head) + b"\n", self.table.content(self.count))
        return path


def is_layered(game: AnyGame) -> bool:
    """Return whether a tablebase of a game can be built layer by layer."""
    return isinstance(game, Layered) and repetition.may_repeat(game)


def require_layered(game: Any, highest: int) -> None:
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
