"""Retrograde analysis: the values of positions on cycles, from the ends backwards, with the distance to the end.

Values above that of endless play are taken in descending order: with each, the positions from which MAX can force it
are found level by level, a ply farther from the end with each level. A position of MAX's is solved with the first
successor that is, one of MIN's with the last. Values below are taken in ascending order with the parts changed. What is
left can be forced by nobody, and is worth what endless play is.
"""

from typing import Any, ClassVar

from ggp_search.tablebases.best_play import FOREVER

from ggp.game import MAX
from ggp_solve.enumeration import UNSOLVED, Enumeration, successor

NONE = (1 << 32) - 1
"""As a number of a position: none."""
LEVELS = 4
"""Distances between two looks at the clock."""


class Retrograde:
    """The part of an enumeration that sweeps leave: positions on cycles and before them.

    Attributes:
        offsets: where the predecessors of each position begin.
        counters: of each position, successors that are not yet known to be lost for its player.
        maximizes: whether MAX is to move.
        following: lists of positions: the next one in the same list.
        heads: the first of each list of solved positions with unsolved predecessors, by code and distance.
        children: the successors of unsolved positions, one position after the other; none if they are found again.
    """

    variables: ClassVar[tuple[str, ...]] = ("head", "deepest", "distances", "place", "listed")

    def __init__(self, solver: Enumeration) -> None:
        self.solver = solver
        self.offsets, self.following, self.predecessors, self.heads, self.children = (
            solver.column(4, 0) for _ in range(5)
        )
        self.counters, self.maximizes = solver.column(solver.degree_width, 0), solver.column(1, 0)
        self.begin()

    def begin(self) -> None:
        """Forget everything."""
        self.head, self.deepest, self.distances, self.place = NONE, 0, 0, 0
        self.listed = 1
        """Whether the successors are listed."""

    @property
    def least_memory(self) -> int:
        """Bytes that are needed at least, if no position is solved."""
        each = 4 + 4 + self.solver.degree_width + 1
        return each * self.solver.count + 4 * self.solver.edges

    def run(self) -> None:
        """Solve every position.

        Raises:
            TooLargeError: what it needs does not fit in memory.
        """
        self.begin()
        solver, run, count = self.solver, self.solver.run, self.solver.count
        solver.require_memory(self.least_memory)
        self.listed = int(solver.has_memory(self.least_memory + 4 * solver.edges))
        self.offsets.renew(count + 1)
        self.counters.renew(count)
        self.maximizes.renew(count)
        self.children.renew(solver.edges if self.listed else 0)
        self._over_all(count_edges)
        self.predecessors.renew(run(sum_edges, self, count))
        self.place = 0
        self._over_all(list_edges)
        self.children.free()
        self.following.renew(count)
        run(find_deepest, self, count)
        self.distances = self.deepest + 1
        self.heads.renew(len(solver.worths) * self.distances)
        run(list_seeds, self, count)
        for code in range(len(solver.worths) - 1, solver.neutral, -1):
            self._force(code, 1)
        for code in range(1, solver.neutral):
            self._force(code, 0)
        run(leave_neutral, self, count)
        solver.solved = count
        for column in (self.offsets, self.counters, self.maximizes, self.predecessors, self.following, self.heads):
            column.free()

    def _over_all(self, function: Any) -> None:
        for first, last in self.solver.chunks("cycles"):
            self.solver.run(function, self, first, last, self.solver.start)
            self.solver.look("cycles")

    def _force(self, code: int, maximizes: int) -> None:
        """Solve the positions from which the player can force the value of that code."""
        level, self.head = 0, NONE
        while level < self.distances or self.head != NONE:
            level = self.solver.run(force, self, code, level, maximizes, LEVELS)
            self.solver.look("cycles")


def count_edges(part: Retrograde, first: int, last: int, like: Any) -> None:
    """Count the successors of positions, and the predecessors of these."""
    solver = part.solver
    for number in range(first, last):
        if solver.values.get(number) == UNSOLVED:
            state = solver.positions.state(number, like)
            part.maximizes.put(number, 1 if solver.game.to_move(state) == MAX else 0)
            degree = 0
            for action in solver.game.actions(state):
                child = solver.positions.find(successor(solver, state, action))
                part.offsets.put(child, part.offsets.get(child) + 1)
                if part.listed:
                    part.children.put(part.place, child)
                    part.place += 1
                degree += 1
            part.counters.put(number, degree)


def sum_edges(part: Retrograde, count: int) -> int:
    """Make numbers of predecessors into the places where they end, and return how many there are."""
    total = 0
    for number in range(count):
        total += part.offsets.get(number)
        part.offsets.put(number, total)
    part.offsets.put(count, total)
    return total


def list_edges(part: Retrograde, first: int, last: int, like: Any) -> None:
    """List the predecessors; the offsets are then where those of each position begin."""
    solver = part.solver
    for number in range(first, last):
        if solver.values.get(number) != UNSOLVED:
            continue
        if part.listed:
            for place in range(part.place, part.place + part.counters.get(number)):
                list_edge(part, number, part.children.get(place))
            part.place += part.counters.get(number)
        else:
            state = solver.positions.state(number, like)
            for action in solver.game.actions(state):
                list_edge(part, number, solver.positions.find(successor(solver, state, action)))


def list_edge(part: Retrograde, number: int, child: int) -> None:
    """List a position among the predecessors of its successor."""
    place = part.offsets.get(child) - 1
    part.offsets.put(child, place)
    part.predecessors.put(place, number)


def is_seed(part: Retrograde, number: int) -> bool:
    """Return whether a position is solved, and has unsolved predecessors that may care."""
    code = part.solver.values.get(number)
    if code in (UNSOLVED, part.solver.neutral):
        return False
    return bool(part.offsets.get(number) < part.offsets.get(number + 1))


def find_deepest(part: Retrograde, count: int) -> None:
    """Find the greatest distance of a seed."""
    for number in range(count):
        if is_seed(part, number):
            part.deepest = max(part.deepest, part.solver.distances.get(number))


def list_seeds(part: Retrograde, count: int) -> None:
    """Put every seed into the list of its code and its distance."""
    for number in range(count):
        if is_seed(part, number):
            place = part.solver.values.get(number) * part.distances + part.solver.distances.get(number)
            part.following.put(number, part.heads.get(place) - 1 if part.heads.get(place) else NONE)
            part.heads.put(place, number + 1)


def force(part: Retrograde, code: int, level: int, maximizes: int, work: int) -> int:
    """Go from positions of one value, level by level, to their predecessors, until there are none or much is done.

    Arguments:
        code: of the value.
        level: the distance of the positions in the list that begins with `part.head`.
        maximizes: whether MAX forces.
        work: levels after which the next one is left to the next call.

    Returns: the level of the list that begins with `part.head` now.
    """
    done = 0
    while (level < part.distances or part.head != NONE) and done < work:
        made = follow(part, part.head, code, level, maximizes, NONE)
        if level < part.distances:
            seeds = part.heads.get(code * part.distances + level)
            if seeds:
                made = follow(part, seeds - 1, code, level, maximizes, made)
        part.head = made
        level += 1
        done += 1
    return level


def follow(part: Retrograde, head: int, code: int, level: int, maximizes: int, made: int) -> int:
    """Go from a list of positions of one value and distance to their predecessors.

    Arguments:
        head: the first of the list.
        made: the first of a list of positions one ply farther.

    Returns: the first of that list with those that were solved here.
    """
    solver = part.solver
    distance = min(level + 1, FOREVER)
    while head != NONE:
        for place in range(part.offsets.get(head), part.offsets.get(head + 1)):
            number = part.predecessors.get(place)
            if solver.values.get(number) != UNSOLVED:
                continue
            if part.maximizes.get(number) != maximizes:
                left = part.counters.get(number) - 1
                part.counters.put(number, left)
                if left:
                    continue
            solver.values.put(number, code)
            solver.distances.put(number, distance)
            solver.solved += 1
            part.following.put(number, made)
            made = number
        head = part.following.get(head)
    return made


def leave_neutral(part: Retrograde, count: int) -> None:
    """Give what is left the value of endless play."""
    for number in range(count):
        if part.solver.values.get(number) == UNSOLVED:
            part.solver.values.put(number, part.solver.neutral)
            part.solver.distances.put(number, FOREVER)
