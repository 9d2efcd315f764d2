"""The graph of an enumeration: edges from each position to its successors, and its strongly connected components."""

from collections.abc import Iterator

from ggp.game import CHANCE, MAX
from ggp_solve.columns import Column, Fractions
from ggp_solve.enumeration import Enumeration

END, MAXIMIZES, MINIMIZES, RANDOM = 0, 1, 2, 3
"""What happens in a position."""
CHUNK = 2000


class Graph:
    """The successors of every position.

    Attributes:
        offsets: where the successors of each position begin in `children`.
        weights: the probability of each edge where chance moves, else 0.
        kinds: END, MAXIMIZES, MINIMIZES or RANDOM.
    """

    def __init__(self, solver: Enumeration) -> None:
        count = len(solver.positions)
        self.solver = solver
        self.offsets = Column(4, count + 1)
        self.kinds = Column(1, count)
        self.children = Column(4, solver.edges)
        self.weights = Fractions(solver.edges)
        for first in range(0, count, CHUNK):
            self.fill(first, min(count, first + CHUNK))
            solver.look("cycles")

    def fill(self, first: int, last: int) -> None:
        """List the successors of the positions from `first` to before `last`."""
        solver, game = self.solver, self.solver.game
        place = self.offsets.get(first)
        for number in range(first, last):
            state = solver.positions.state(number)
            if game.terminal_test(state):
                self.offsets.put(number + 1, place)
                continue
            mover = game.to_move(state)
            self.kinds.put(number, RANDOM if mover == CHANCE else MAXIMIZES if mover == MAX else MINIMIZES)
            if mover == CHANCE:
                for action, probability in game.outcomes(state):  # type: ignore[attr-defined]
                    child = solver.positions.find(solver.canonical(game.result(state, action)))
                    self.children.put(place, child)
                    self.weights.put(place, probability)
                    place += 1
            else:
                for action in game.actions(state):
                    self.children.put(place, solver.positions.find(solver.canonical(game.result(state, action))))
                    place += 1
            self.offsets.put(number + 1, place)

    def successors(self, number: int) -> list[int]:
        """Return the successors of a position, one for each action."""
        return [self.children.get(place) for place in range(self.offsets.get(number), self.offsets.get(number + 1))]

    def components(self) -> Iterator[list[int]]:
        """Yield the strongly connected components, each after those that it leads to; in each, what was met last first.

        Source: R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
        """
        count = len(self.solver.positions)
        index, low = Column(4, count), Column(4, count)  # 0 is: not met
        within = Column(1, count)
        cursor = Column(4, count)
        stack: list[int] = []
        path = [0]
        met = 0
        while path:
            number = path[-1]
            if index.get(number) == 0:
                met += 1
                index.put(number, met)
                low.put(number, met)
                within.put(number, 1)
                cursor.put(number, self.offsets.get(number))
                stack.append(number)
            place, end, deeper = cursor.get(number), self.offsets.get(number + 1), False
            while place < end and not deeper:
                child = self.children.get(place)
                if index.get(child) == 0:
                    path.append(child)
                    deeper = True
                else:
                    if within.get(child):
                        low.put(number, min(low.get(number), low.get(child)))
                    place += 1
            cursor.put(number, place)  # a child that was met for the first time is looked at again, after it
            if deeper:
                continue
            path.pop()
            if low.get(number) == index.get(number):
                component = []
                while True:
                    member = stack.pop()
                    within.put(member, 0)
                    component.append(member)
                    if member == number:
                        break
                yield component

    def is_cyclic(self, component: list[int]) -> bool:
        """Return whether a component has a cycle: more than one position, or one that leads to itself."""
        return len(component) > 1 or component[0] in self.successors(component[0])
