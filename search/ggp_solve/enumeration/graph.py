"""The graph of an enumeration: edges from each position to its successors, and its strongly connected components."""

from collections.abc import Iterator
from typing import ClassVar, Final

from ggp.game import CHANCE, MAX, State, capable
from ggp_solve.enumeration.enumeration import Enumeration, successor

END, MAXIMIZES, MINIMIZES, RANDOM = 0, 1, 2, 3
"""Types of nodes; a type says who decides in the node."""


NUMBERS: Final = 47
"""Number of bytes for a position besides its edges: 31 for finding components, and 16 for two bounds."""
EDGE, WEIGHT = 4, 8
"""Number of bytes for an edge, and for the probability of an edge."""


class Graph:
    """The successors of every position.

    Attributes:
        offsets: the index in `children` of each position's first successor.
        weights: the probability of each edge if chance moves, otherwise 0.
        node_types: END, MAXIMIZES, MINIMIZES or RANDOM.
        order: the positions, component by component; each component comes after the components that it leads to.
        ends: for each index in `order`, whether it is the last of its component.
    """

    variables: ClassVar[tuple[str, ...]] = ("met", "placed", "stacked", "deep")

    def __init__(self, solver: Enumeration, *, stochastic: bool) -> None:
        count = solver.count
        solver.require_memory(int(count * NUMBERS) + solver.edges * (EDGE + WEIGHT * stochastic))
        self.solver = solver
        self.met = self.placed = self.stacked = 0
        self.deep = 1  # the path is the first position
        self.offsets = solver.column(4, count + 1)
        self.node_types = solver.column(1, count)
        self.children = solver.column(4, solver.edges)
        self.stochastic = stochastic
        self.weights = solver.fractions(solver.edges if stochastic else 0)
        for first, last in solver.chunks("cycles"):
            solver.run(fill, self, first, last, solver.start)
            solver.look("cycles")
        self.order = solver.column(4, count)
        self.ends = solver.column(1, count)
        self._find_components(count)

    def _find_components(self, count: int) -> None:
        solver = self.solver
        self.index, self.low, self.cursor = (solver.column(4, count) for _ in range(3))
        self.stack, self.path = solver.column(4, count), solver.column(4, count)
        self.within = solver.column(1, count)
        while self.deep:
            solver.run(find_components, self, solver.run.chunk)
            solver.look("cycles")
        for column in (self.index, self.low, self.cursor, self.stack, self.path, self.within):
            column.free()

    def successors(self, number: int) -> list[int]:
        """Return the successors of a position, one for each action."""
        return [self.children.get(edge) for edge in range(self.offsets.get(number), self.offsets.get(number + 1))]

    def components(self) -> Iterator[tuple[int, int]]:
        """Yield each component: the index of its first position in `order`, and the index after its last."""
        first = 0
        for index in range(self.solver.count):
            if self.ends.get(index):
                yield first, index + 1
                first = index + 1

    def members(self, first: int, last: int) -> list[int]:
        """Return the positions of a component."""
        return [self.order.get(index) for index in range(first, last)]

    def is_cyclic(self, first: int, last: int) -> bool:
        """Return whether a component has a cycle: it has several positions, or its position is its own successor."""
        return last - first > 1 or is_loop(self, self.order.get(first))


def is_loop(graph: Graph, number: int) -> bool:
    """Return whether a position is its own successor."""
    for edge in range(graph.offsets.get(number), graph.offsets.get(number + 1)):
        if graph.children.get(edge) == number:
            return True
    return False


def fill(graph: Graph, first: int, last: int, like: State) -> None:
    """Store the successors of positions `first` to `last` - 1; `like` is any state."""
    solver = graph.solver
    game = capable(solver.game)
    offset = graph.offsets.get(first)
    for number in range(first, last):
        state = solver.positions.state(number, like)
        if not game.terminal_test(state):
            mover = game.to_move(state)
            graph.node_types.put(number, RANDOM if mover == CHANCE else MAXIMIZES if mover == MAX else MINIMIZES)
            if graph.stochastic and mover == CHANCE:
                for action, probability in game.outcomes(state):
                    graph.children.put(offset, solver.positions.find(successor(solver, state, action)))
                    graph.weights.put(offset, probability)
                    offset += 1
            else:
                for action in game.actions(state):
                    graph.children.put(offset, solver.positions.find(successor(solver, state, action)))
                    offset += 1
        graph.offsets.put(number + 1, offset)


def find_components(graph: Graph, work: int) -> None:
    """Continue to find strongly connected components, for a given number of steps.

    Source: R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
    """
    while graph.deep and work > 0:
        work -= 1
        number = graph.path.get(graph.deep - 1)
        if graph.index.get(number) == 0:
            graph.met += 1
            graph.index.put(number, graph.met)
            graph.low.put(number, graph.met)
            graph.within.put(number, 1)
            graph.cursor.put(number, graph.offsets.get(number))
            graph.stack.put(graph.stacked, number)
            graph.stacked += 1
        edge, end, deeper = graph.cursor.get(number), graph.offsets.get(number + 1), False
        while edge < end and not deeper:
            child = graph.children.get(edge)
            if graph.index.get(child) == 0:
                graph.path.put(graph.deep, child)
                graph.deep += 1
                deeper = True
            else:
                if graph.within.get(child):
                    graph.low.put(number, min(graph.low.get(number), graph.low.get(child)))
                edge += 1
        graph.cursor.put(number, edge)  # a child that was met for the first time is looked at again, after it
        if not deeper:
            graph.deep -= 1
            if graph.low.get(number) == graph.index.get(number):
                member = -1
                while member != number:
                    graph.stacked -= 1
                    member = graph.stack.get(graph.stacked)
                    graph.within.put(member, 0)
                    graph.order.put(graph.placed, member)
                    graph.placed += 1
                graph.ends.put(graph.placed - 1, 1)
