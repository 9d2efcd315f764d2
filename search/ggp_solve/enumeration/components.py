"""Retrograde analysis component by component, for games in which the value of endless play depends on the position.

A play that repeats for ever stays in one strongly connected component. In a game such as Awari, the value of a
repetition is the score so far. This value is the same in all positions of a component, but differs between components.
So the components are solved one by one, each after its successors, and with its own value of a repetition.
"""

import itertools
from collections import defaultdict, deque

from ggp_search.tablebases.best_play import FOREVER

from ggp.errors import UsageError
from ggp.repetition import repetition_value
from ggp_solve.enumeration.backward_induction import best
from ggp_solve.enumeration.enumeration import UNSOLVED, Enumeration
from ggp_solve.enumeration.graph import MAXIMIZES, Graph


def solve_components(solver: Enumeration) -> None:
    """Solve all positions of an enumeration.

    Raises:
        UsageError: the value of a repetition differs within a component.
    """
    graph = Graph(solver, stochastic=False)
    codes = {worth: code for code, worth in enumerate(solver.worths) if code}
    for first, last in solver.watched(graph.components()):
        component = graph.members(first, last)
        unsolved = [number for number in component if solver.values.get(number) == UNSOLVED]
        if not unsolved:
            continue
        if not graph.is_cyclic(first, last):
            value, distance = best(solver, solver.state(component[0]))
            _solve(solver, component[0], value, distance)
            continue
        endless = {repetition_value(solver.game, solver.state(number)) for number in solver.watched(component)}
        if len(endless) > 1:
            raise UsageError(
                f"{solver.game.name} cannot be solved by enumeration: a repetition is not worth the same in all"
                " positions of a cycle"
            )
        worth = endless.pop()
        # Endless play may have a value that no end of the game has. Then its code lies between the codes of the next
        # lower and the next higher value.
        neutral = codes.get(worth, sum(code_worth < worth for code_worth in solver.worths[1:]) + 0.5)
        force(solver, graph, component, neutral)
        for number in component:
            if solver.values.get(number) == UNSOLVED:
                if worth not in codes:
                    codes = insert(solver, worth)
                _solve(solver, number, codes[worth], FOREVER)


def insert(solver: Enumeration, worth: float) -> dict[float, int]:
    """Insert a value into the sorted list of values, and return the codes of all values.

    Codes of other values may change.
    """
    index = 1 + sum(other < worth for other in solver.worths[1:])
    solver.worths.insert(index, worth)
    for number in solver.watched(range(solver.count)):
        code = solver.values.get(number)
        if code >= index:
            solver.values.put(number, code + 1)
    return {value: code for code, value in enumerate(solver.worths) if code}


def force(solver: Enumeration, graph: Graph, component: list[int], neutral: float) -> None:
    """Solve the positions of a component from which a player can force more than the value of endless play."""
    predecessors: dict[int, list[int]] = defaultdict(list)
    counters: dict[int, int] = {}
    exits: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number in solver.watched(component):
        children = graph.successors(number)
        counters[number] = len(children)
        for child in children:
            predecessors[child].append(number)
            code = solver.values.get(child)
            if code != UNSOLVED:
                exits[code].append((solver.distances.get(child), child))
    above = sorted((code for code in exits if code > neutral), reverse=True)
    below = sorted(code for code in exits if code < neutral)
    for maximizes, codes in ((True, above), (False, below)):
        for code in codes:
            _attract(solver, graph, code, maximizes, sorted(set(exits[code])), predecessors, counters)


def _attract(
    solver: Enumeration,
    graph: Graph,
    code: int,
    maximizes: bool,
    exits: list[tuple[int, int]],
    predecessors: dict[int, list[int]],
    counters: dict[int, int],
) -> None:
    """Solve the positions from which the player can force the value with this code, in the order of their distances."""
    made: deque[tuple[int, int]] = deque()
    waiting = deque(exits)
    for _ in solver.watched(itertools.takewhile(lambda _: waiting or made, itertools.count())):
        # Both queues are sorted by distance, so the nearer of their first positions comes next.
        queue = waiting if not made or (waiting and waiting[0][0] <= made[0][0]) else made
        distance, number = queue.popleft()
        for before in predecessors[number]:
            if solver.values.get(before) != UNSOLVED:
                continue
            # One good successor is enough for the player; the opponent is forced only if all successors are good.
            if (graph.node_types.get(before) == MAXIMIZES) != maximizes:
                counters[before] -= 1
                if counters[before]:
                    continue
            _solve(solver, before, code, min(distance + 1, FOREVER))
            made.append((distance + 1, before))


def _solve(solver: Enumeration, number: int, value: int, distance: int) -> None:
    solver.values.put(number, value)
    solver.distances.put(number, distance)
    solver.solved += 1
