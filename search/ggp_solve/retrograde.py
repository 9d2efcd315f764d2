"""Retrograde analysis: the values of positions on cycles, from the ends backwards, with the distance to the end.

Values above that of endless play are taken in descending order: with each, the positions from which MAX can force it
are found level by level, a ply farther from the end with each level. A position of MAX's is solved with the first
successor that is, one of MIN's with the last. Values below are taken in ascending order with the parts changed. What is
left can be forced by nobody, and is worth what endless play is.
"""

from ggp.game import MAX
from ggp_solve.columns import Column
from ggp_solve.enumeration import FOREVER, UNSOLVED, Enumeration

NONE = (1 << 32) - 1
"""As a number of a position: none."""


class Retrograde:
    """The part of an enumeration that sweeps leave: positions on cycles and before them."""

    def __init__(self, solver: Enumeration) -> None:
        count = len(solver.positions)
        self.solver = solver
        self.offsets = Column(4, count + 1)
        """Where the predecessors of each position begin."""
        self.counters = Column(2, count)
        """Of each position, successors that are not yet known to be lost for its player."""
        self.maximizes = Column(1, count)
        """Whether MAX is to move."""
        self.following = Column(4, count)
        """Lists of positions: the next one in the same list."""
        self.count_edges()
        self.predecessors = Column(4, self.offsets.get(count))
        self.list_edges()

    def count_edges(self) -> None:
        """Count successors and predecessors; the offsets are then where the predecessors of each end."""
        solver, count = self.solver, len(self.solver.positions)
        for number in range(count):
            if solver.values.get(number) == UNSOLVED:
                state = solver.positions.state(number)
                self.maximizes.put(number, int(solver.game.to_move(state) == MAX))
                degree = 0
                for action in solver.game.actions(state):
                    child = solver.positions.find(solver.canonical(solver.game.result(state, action)))
                    self.offsets.put(child, self.offsets.get(child) + 1)
                    degree += 1
                self.counters.put(number, degree)
        total = 0
        for number in range(count):
            total += self.offsets.get(number)
            self.offsets.put(number, total)
        self.offsets.put(count, total)

    def list_edges(self) -> None:
        """List the predecessors; the offsets are then where those of each begin."""
        solver = self.solver
        for number in range(len(solver.positions)):
            if solver.values.get(number) == UNSOLVED:
                state = solver.positions.state(number)
                for action in solver.game.actions(state):
                    child = solver.positions.find(solver.canonical(solver.game.result(state, action)))
                    place = self.offsets.get(child) - 1
                    self.offsets.put(child, place)
                    self.predecessors.put(place, number)

    def run(self) -> None:
        """Solve every position."""
        solver = self.solver
        seeds = self._seeds()
        top = len(solver.worths) - 1
        for code in range(top, solver.neutral, -1):
            self._force(code, 1, seeds)
        for code in range(1, solver.neutral):
            self._force(code, 0, seeds)
        for number in range(len(solver.positions)):
            if solver.values.get(number) == UNSOLVED:
                solver.values.put(number, solver.neutral)
                solver.distances.put(number, FOREVER)
        solver.solved = len(solver.positions)

    def _seeds(self) -> dict[tuple[int, int], int]:
        """Return the first of a list of solved positions with unsolved predecessors, by code and distance."""
        solver, heads = self.solver, dict[tuple[int, int], int]()
        for number in range(len(solver.positions)):
            code = solver.values.get(number)
            if code not in (UNSOLVED, solver.neutral) and self.offsets.get(number) < self.offsets.get(number + 1):
                place = code, solver.distances.get(number)
                self.following.put(number, heads.get(place, NONE))
                heads[place] = number
        return heads

    def _force(self, code: int, maximizes: int, seeds: dict[tuple[int, int], int]) -> None:
        """Solve the positions from which the player can force the value of that code."""
        waiting = {distance: head for (value, distance), head in seeds.items() if value == code}
        level, head = 0, NONE
        while waiting or head != NONE:
            if head == NONE:
                level = min(waiting)
            made = self.step(head, code, level, maximizes, NONE)
            made = self.step(waiting.pop(level, NONE), code, level, maximizes, made)
            head, level = made, level + 1
            self.solver.look("cycles")

    def step(self, head: int, code: int, level: int, maximizes: int, made: int) -> int:
        """Go from a list of positions of one value and distance to their predecessors.

        Arguments:
            head: the first of the list.
            maximizes: whether MAX forces.
            made: the first of a list of positions one ply farther.

        Returns: the first of that list with those that were solved here.
        """
        solver = self.solver
        distance = min(level + 1, FOREVER)
        while head != NONE:
            for place in range(self.offsets.get(head), self.offsets.get(head + 1)):
                number = self.predecessors.get(place)
                if solver.values.get(number) != UNSOLVED:
                    continue
                if self.maximizes.get(number) != maximizes:
                    left = self.counters.get(number) - 1
                    self.counters.put(number, left)
                    if left:
                        continue
                solver.values.put(number, code)
                solver.distances.put(number, distance)
                solver.solved += 1
                self.following.put(number, made)
                made = number
            head = self.following.get(head)
        return made
