"""Interval iteration: proved bounds of the values of games of chance with cycles.

The strongly connected components are solved one after another, beginning with the last. A component without a cycle is
solved from its successors, by backward induction. In a component with cycles, a lower and an upper bound of each
position are improved until they are close. A backup of valid bounds gives a valid bound, so the bounds are valid at all
times.

If the players can stay in a set of positions for ever (an end component), backups alone may leave upper bounds too
high. If MIN can keep play in the set, its positions are worth at most the value of MAX's best exit, or of endless play.
So upper bounds are *deflated* to this value, and lower bounds are inflated likewise.

Source: E. Kelmendi, J. Krämer, J. Křetínský and M. Weininger, Value iteration for simple stochastic games: stopping
criterion and learning algorithm, Computer Aided Verification (2018); S. Haddad and B. Monmege, Interval iteration
algorithm for MDPs and IMDPs, Theoretical Computer Science 735 (2018).
"""

import sys
from typing import ClassVar

from ggp import capabilities
from ggp.errors import UsageError
from ggp.repetition import repetition_value
from ggp_solve.enumeration.enumeration import UNSOLVED, Enumeration
from ggp_solve.enumeration.graph import MAXIMIZES, MINIMIZES, RANDOM, Graph, is_loop
from ggp_solve.memory.columns import Fractions

SHARE = 1e-3
"""The largest error, as a share of the precision, that a component may add to the bounds of the positions that lead to
it.
"""
PATIENCE = 2_000_000
"""A component is deflated after about this many backups, because sweeps alone make slow progress."""


class IntervalIteration:
    """Lower and upper bounds of the values of all positions of an enumeration, by the number of the position.

    Arguments:
        precision: the maximum difference between the bounds.

    Attributes:
        begin: the index, in the graph's order, at which the current component begins.
        end: the index after the last position of the current component.
        wanted: the maximum difference between the bounds of the current component.
        changed: the greatest change of a bound in the last sweep.
        cycles: the number of components with cycles.
    """

    variables: ClassVar[tuple[str, ...]] = ("begin", "end", "wanted", "changed", "cycles")

    def __init__(self, solver: Enumeration, precision: float) -> None:
        if not precision > 0:
            raise UsageError(f"the precision must be more than 0; got {precision:g}")
        self.solver = solver
        self.share = precision * SHARE
        self.graph = Graph(solver, stochastic=capabilities.is_stochastic(solver.game))
        self.endless = repetition_value(solver.game, solver.start)
        self.least, self.greatest = min(solver.worths[1:]), max(solver.worths[1:])
        # Smaller changes are noise: floats of this size do not resolve them.
        self.rounding = sys.float_info.epsilon * max(1.0, abs(self.least), abs(self.greatest))
        self.worth = solver.fractions(len(solver.worths))
        for code, worth in enumerate(solver.worths):
            self.worth.put(code, float(worth))
        self.lower, self.upper = solver.fractions(solver.count), solver.fractions(solver.count)
        self.begin, self.end, self.cycles = 0, 0, 0
        self.wanted, self.changed = 0.0, 0.0

    def run(self) -> None:
        """Find bounds that are no farther apart than the precision, if possible."""
        solver, count = self.solver, self.solver.count
        while self.begin < count:
            solver.run(solve_components, self, solver.run.chunk)
            # Sets are looked for only when sweeps get nowhere: finding them costs more than a sweep, in Python.
            if self.end > self.begin and self._is_stuck():
                self.begin = self.end
            solver.solved = self.begin
            solver.look("cycles")

    def _is_stuck(self) -> bool:
        """Deflate and inflate the bounds of the current component; return whether neither improves them any more."""
        members = set(self.graph.members(self.begin, self.end))
        moved = self._deflate(members) + self._inflate(members)
        return self.changed <= self.rounding and moved <= self.rounding

    def _deflate(self, members: set[int]) -> float:
        """Lower the upper bounds of sets in which MIN can keep play; return the greatest change of a bound."""
        moved = 0.0
        for trap in self._traps(members, MINIMIZES, self.lower):
            exits = self._exits(trap, MAXIMIZES)
            # MIN can stay for ever, which is worth `endless`; MAX's other choice is to leave by the best exit.
            bound = max([self.endless, *(self.upper.get(child) for child in exits)])
            for number in trap:
                moved = max(moved, self.upper.get(number) - bound)
                self.upper.put(number, min(self.upper.get(number), bound))
        return moved

    def _inflate(self, members: set[int]) -> float:
        """Raise the lower bounds of sets in which MAX can keep play; return the greatest change of a bound."""
        moved = 0.0
        for trap in self._traps(members, MAXIMIZES, self.upper):
            exits = self._exits(trap, MINIMIZES)
            bound = min([self.endless, *(self.lower.get(child) for child in exits)])
            for number in trap:
                moved = max(moved, bound - self.lower.get(number))
                self.lower.put(number, max(self.lower.get(number), bound))
        return moved

    def _exits(self, trap: set[int], node_type: int) -> list[int]:
        """Return the positions outside a set to which the set's nodes of this type lead."""
        leaving = (number for number in trap if self.graph.node_types.get(number) == node_type)
        return [child for number in leaving for child in self.graph.successors(number) if child not in trap]

    def _traps(self, members: set[int], holder: int, bounds: Fractions) -> list[set[int]]:
        """Return the maximal end components in which the holder plays only actions that are best by these bounds."""
        graph, traps, waiting = self.graph, list[set[int]](), [set(members)]
        allowed: dict[int, list[int]] = {}
        for number in members:
            children = graph.successors(number)
            if graph.node_types.get(number) == holder:
                best = backup(self, number, bounds)
                # The other side's bounds may be too wide here, but these bounds show which actions the holder can
                # afford.
                children = [child for child in children if abs(bounds.get(child) - best) <= self.rounding]
            allowed[number] = children
        while waiting:
            # Removing positions may break a component into pieces that are not closed: repeat until all are closed.
            part = self._closed(waiting.pop(), allowed)
            pieces = _strong(part, allowed)
            if len(pieces) == 1 and len(pieces[0]) == len(part):
                traps.append(part)
            else:
                waiting += pieces
        return traps

    def _closed(self, part: set[int], allowed: dict[int, list[int]]) -> set[int]:
        """Return the part of a set of positions that play can stay in for ever.

        Positions are left out from which chance may leave the part, or from which every action leaves it.
        """
        part, before = set(part), -1
        while len(part) != before:
            before = len(part)
            for number in list(part):
                inside = [child in part for child in allowed[number]]
                if not (all(inside) if self.graph.node_types.get(number) == RANDOM else any(inside)):
                    part.discard(number)
        return part


def solve_components(part: IntervalIteration, work: int) -> None:
    """Solve one component after another, until about `work` positions are done.

    If the bounds of a component are not close after some sweeps, it is left to the caller: it has positions
    `part.begin` to `part.end` - 1 of the graph's order. If no component is left, `part.end` is not greater than
    `part.begin`.
    """
    graph = part.graph
    while part.begin < graph.placed and work > 0:
        if part.end <= part.begin:
            number = graph.order.get(part.begin)
            work -= 1
            # A component of one position: backward induction is exact, and needs no sweeps.
            if graph.ends.get(part.begin) and not is_loop(graph, number):
                induce(part, number)
                part.begin += 1
                continue
            part.end = part.begin
            while graph.ends.get(part.end) == 0:
                part.end += 1
            part.end += 1
            prepare(part)
        # A large component gets few sweeps at a time, so that it is soon deflated if sweeps get nowhere.
        if improve(part, 16 + PATIENCE // (part.end - part.begin)) > part.wanted:
            return
        work -= part.end - part.begin
        part.begin = part.end


def induce(part: IntervalIteration, number: int) -> None:
    """Compute the bounds of a position that is not on a cycle."""
    code = part.solver.values.get(number)
    if code != UNSOLVED:
        part.lower.put(number, part.worth.get(code))
        part.upper.put(number, part.worth.get(code))
    else:
        part.lower.put(number, backup(part, number, part.lower))
        part.upper.put(number, backup(part, number, part.upper))


def prepare(part: IntervalIteration) -> None:
    """Give all positions of the current component the widest bounds, and decide how close these bounds must get: nearly
    as close as the bounds of the positions to which the component leads.
    """
    graph = part.graph
    part.cycles += 1
    for index in range(part.begin, part.end):
        number = graph.order.get(index)
        part.lower.put(number, 1.0)  # upside down: not yet a bound
        part.upper.put(number, -1.0)
    apart = 0.0
    for index in range(part.begin, part.end):
        number = graph.order.get(index)
        for edge in range(graph.offsets.get(number), graph.offsets.get(number + 1)):
            child = graph.children.get(edge)
            apart = max(apart, part.upper.get(child) - part.lower.get(child))
    for index in range(part.begin, part.end):
        number = graph.order.get(index)
        part.lower.put(number, part.least)
        part.upper.put(number, part.greatest)
    # Bounds cannot come closer than the bounds that they depend on: demanding more would sweep for ever.
    part.wanted = apart + part.share


def backup(part: IntervalIteration, number: int, bounds: Fractions) -> float:
    """Return the lower or the upper bound of a position, computed from the bounds of its successors."""
    graph = part.graph
    node_type, first, last = graph.node_types.get(number), graph.offsets.get(number), graph.offsets.get(number + 1)
    if node_type == RANDOM:
        expected = 0.0
        for index in range(first, last):
            expected += graph.weights.get(index) * bounds.get(graph.children.get(index))
        return expected
    best: float = bounds.get(graph.children.get(first))
    for index in range(first + 1, last):
        bound = bounds.get(graph.children.get(index))
        if (bound > best) if node_type == MAXIMIZES else (bound < best):
            best = bound
    return best


def improve(part: IntervalIteration, sweeps: int) -> float:
    """Improve the bounds of the current component until they are close, nothing changes, or `sweeps` is reached.

    Returns: the greatest difference between upper and lower bound.
    """
    graph = part.graph
    apart, part.changed = part.wanted + 1.0, 1.0
    while sweeps > 0 and apart > part.wanted and part.changed > part.rounding:
        sweeps -= 1
        part.changed = apart = 0.0
        for index in range(part.begin, part.end):
            number = graph.order.get(index)
            slack = 0.0
            if graph.node_types.get(number) == RANDOM:  # the sum may be wrong by so much
                slack = part.rounding * (graph.offsets.get(number + 1) - graph.offsets.get(number))
            lower, upper = part.lower.get(number), part.upper.get(number)
            # Never worse than the bound before, which is valid, too: rounding cannot make bounds cross or wander.
            new_lower = max(lower, backup(part, number, part.lower) - slack)
            new_upper = min(upper, backup(part, number, part.upper) + slack)
            part.lower.put(number, new_lower)
            part.upper.put(number, new_upper)
            part.changed = max(part.changed, new_lower - lower, upper - new_upper)
            apart = max(apart, new_upper - new_lower)
    return apart


def _strong(part: set[int], allowed: dict[int, list[int]]) -> list[set[int]]:
    """Return those strongly connected components of a part of the graph that have a cycle."""
    # Tarjan's algorithm with a stack of its own: Python's would not be deep enough.
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    within: set[int] = set()
    components = []
    for root in part:
        if root in index:
            continue
        path = [(root, iter(allowed[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        within.add(root)
        while path:
            number, children = path[-1]
            for child in children:
                if child not in part:
                    continue
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    within.add(child)
                    path.append((child, iter(allowed[child])))
                    break
                if child in within:
                    low[number] = min(low[number], index[child])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[number])
                if low[number] == index[number]:
                    piece = set()
                    while True:
                        member = stack.pop()
                        within.discard(member)
                        piece.add(member)
                        if member == number:
                            break
                    if len(piece) > 1 or number in allowed[number]:
                        components.append(piece)
    return components
