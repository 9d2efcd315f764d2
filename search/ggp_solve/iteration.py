"""Interval iteration: the value of games of chance whose positions come back, between bounds that are proved.

The strongly connected components are solved one after another, the last first. One without a cycle is solved by its
successors: backward induction. In one with cycles, a lower and an upper bound of each position are improved in turn
until they meet. Each backup of valid bounds is valid, so they are at all times.

Upper bounds alone may stay too high where players can stay in a set for ever (an end component). Where MIN can hold
play in such a set, no position in it is worth more to MAX than the best exit of MAX's, or than endless play: upper
bounds are *deflated*.
Lower bounds are inflated likewise.

Source: E. Kelmendi, J. Krämer, J. Křetínský and M. Weininger, Value iteration for simple stochastic games: stopping
criterion and learning algorithm, Computer Aided Verification (2018); S. Haddad and B. Monmege, Interval iteration
algorithm for MDPs and IMDPs, Theoretical Computer Science 735 (2018).
"""

import sys

from ggp.errors import UsageError
from ggp_solve.columns import Fractions
from ggp_solve.enumeration import Enumeration, endless_value
from ggp_solve.graph import MAXIMIZES, MINIMIZES, RANDOM, Graph

SHARE = 1e-3
"""The part of the precision by which one component may widen the bounds of those before it."""
PATIENCE = 8
"""Sweeps between two attempts to deflate."""


class Iteration:
    """Lower and upper bounds of the values of all positions of an enumeration, by number."""

    def __init__(self, solver: Enumeration, precision: float) -> None:
        if not precision > 0:
            raise UsageError(f"the precision must be more than 0; got {precision:g}")
        self.solver, self.precision = solver, precision
        self.graph = Graph(solver)
        self.endless = endless_value(solver.game, solver.start)
        self.least, self.greatest = min(solver.worths[1:]), max(solver.worths[1:])
        self.rounding = sys.float_info.epsilon * max(1.0, abs(self.least), abs(self.greatest))
        count = len(solver.positions)
        self.lower, self.upper = Fractions(count), Fractions(count)
        self.cycles = 0
        """Components with cycles."""

    def run(self) -> None:
        """Find bounds that are no farther apart than the precision, where that can be."""
        solver = self.solver
        for component in self.graph.components():
            if self.graph.is_cyclic(component):
                self.cycles += 1
                self._iterate(component)
            else:
                self._induce(component[0])
            solver.solved += component[0] >= 0 and len(component)
            solver.look("cycles")

    def _induce(self, number: int) -> None:
        """Give a position on no cycle its bounds."""
        code = self.solver.values.get(number)
        if code:
            lower = upper = self.solver.worths[code]
        else:
            lower, upper = self.backup(number, self.lower), self.backup(number, self.upper)
        self.lower.put(number, lower)
        self.upper.put(number, upper)

    def backup(self, number: int, bounds: Fractions) -> float:
        """Return the bound of a position by those of its successors."""
        graph = self.graph
        kind, first, last = graph.kinds.get(number), graph.offsets.get(number), graph.offsets.get(number + 1)
        if kind == RANDOM:
            expected = 0.0
            for place in range(first, last):
                expected += graph.weights.get(place) * bounds.get(graph.children.get(place))
            return expected
        best: float = bounds.get(graph.children.get(first))
        for place in range(first + 1, last):
            bound = bounds.get(graph.children.get(place))
            if bound > best if kind == MAXIMIZES else bound < best:
                best = bound
        return best

    def _iterate(self, component: list[int]) -> None:
        """Improve the bounds of a component until they are close enough, or nothing improves them."""
        members = set(component)
        apart = 0.0
        for number in component:
            self.lower.put(number, self.least)
            self.upper.put(number, self.greatest)
        for number in component:
            for child in self.graph.successors(number):
                if child not in members:
                    apart = max(apart, self.upper.get(child) - self.lower.get(child))
        wanted = apart + self.precision * SHARE
        sweeps = 0
        while True:
            changed = self.sweep(component)
            sweeps += 1
            if max(self.upper.get(number) - self.lower.get(number) for number in component) <= wanted:
                return
            if sweeps % PATIENCE == 0 or changed <= self.rounding:
                moved = self._deflate(members) + self._inflate(members)
                if changed <= self.rounding and moved <= self.rounding:
                    return
                self.solver.look("cycles")

    def sweep(self, component: list[int]) -> float:
        """Improve the bounds of each position of a component, and return by how much the most."""
        changed = 0.0
        for number in component:
            slack = 0.0
            if self.graph.kinds.get(number) == RANDOM:  # the sum may be wrong by so much
                slack = self.rounding * (self.graph.offsets.get(number + 1) - self.graph.offsets.get(number))
            lower, upper = self.lower.get(number), self.upper.get(number)
            new_lower = max(lower, self.backup(number, self.lower) - slack)
            new_upper = min(upper, self.backup(number, self.upper) + slack)
            self.lower.put(number, new_lower)
            self.upper.put(number, new_upper)
            changed = max(changed, new_lower - lower, upper - new_upper)
        return changed

    def _deflate(self, members: set[int]) -> float:
        """Lower the upper bounds of sets in which MIN can hold play, and return by how much the most."""
        moved = 0.0
        for trap in self._traps(members, MINIMIZES, self.lower):
            exits = self._exits(trap, MAXIMIZES)
            bound = max([self.endless, *(self.upper.get(child) for child in exits)])
            for number in trap:
                moved = max(moved, self.upper.get(number) - bound)
                self.upper.put(number, min(self.upper.get(number), bound))
        return moved

    def _inflate(self, members: set[int]) -> float:
        """Raise the lower bounds of sets in which MAX can hold play, and return by how much the most."""
        moved = 0.0
        for trap in self._traps(members, MAXIMIZES, self.upper):
            exits = self._exits(trap, MINIMIZES)
            bound = min([self.endless, *(self.lower.get(child) for child in exits)])
            for number in trap:
                moved = max(moved, bound - self.lower.get(number))
                self.lower.put(number, max(self.lower.get(number), bound))
        return moved

    def _exits(self, trap: set[int], kind: int) -> list[int]:
        """Return the positions outside to which the player of that kind can leave."""
        leaving = (number for number in trap if self.graph.kinds.get(number) == kind)
        return [child for number in leaving for child in self.graph.successors(number) if child not in trap]

    def _traps(self, members: set[int], holder: int, bounds: Fractions) -> list[set[int]]:
        """Return the maximal end components in which the holder plays nothing but what is best by these bounds."""
        graph, found, waiting = self.graph, list[set[int]](), [set(members)]
        allowed: dict[int, list[int]] = {}
        for number in members:
            children = graph.successors(number)
            if graph.kinds.get(number) == holder:
                best = self.backup(number, bounds)
                children = [child for child in children if abs(bounds.get(child) - best) <= self.rounding]
            allowed[number] = children
        while waiting:
            part = self._closed(waiting.pop(), allowed)
            pieces = _strong(part, allowed)
            if len(pieces) == 1 and len(pieces[0]) == len(part):
                found.append(part)
            else:
                waiting += pieces
        return found

    def _closed(self, part: set[int], allowed: dict[int, list[int]]) -> set[int]:
        """Return the part without positions from which chance may leave, or from which all must."""
        part, before = set(part), -1
        while len(part) != before:
            before = len(part)
            for number in list(part):
                inside = [child in part for child in allowed[number]]
                if not (all(inside) if self.graph.kinds.get(number) == RANDOM else any(inside)):
                    part.discard(number)
        return part


def _strong(part: set[int], allowed: dict[int, list[int]]) -> list[set[int]]:
    """Return the strongly connected components with a cycle of a part of the graph."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    within: set[int] = set()
    found = []
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
                        found.append(piece)
    return found
