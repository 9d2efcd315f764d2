"""Backward induction: from the last position to the first, solve each position whose successors are all solved."""

from typing import Final

from ggp_search.tablebases.best_play import FOREVER, preferred

from ggp import repetition
from ggp.game import MAX, State
from ggp_solve.enumeration.enumeration import UNSOLVED, Enumeration, successor

FEW = 0.05
"""Sweeps stop when a sweep solves no more than this share of the unsolved positions."""
MARKED: Final = 1
"""Distance of an unsolved position that depends on a position of another thread, during a sweep with several threads.
"""
EARLY = 8
"""If positions repeat, and the first sweep has solved too few positions, the sweep stops early, but not before 1 /
`EARLY` of all positions.
"""
ROUND = 512
"""Minimum number of positions for which using a thread is worth the cost."""


def propagate(solver: Enumeration) -> None:
    """Sweep until all positions are solved, or until a sweep solves few positions."""
    early = repetition.may_repeat(solver.game)
    while solver.solved < solver.count:
        before, left = solver.solved, solver.count - solver.solved
        # Breadth first, most successors have higher numbers: a sweep from the end solves most positions at once.
        for first, last in reversed(solver.chunks("values")):
            sweep_chunk(solver, first, last)
            looked = solver.count - first
            # If few positions are solved by then, most are on cycles, and retrograde analysis is needed anyway.
            if early and EARLY * looked >= solver.count and solver.solved - before <= FEW * looked:
                return
        early = False
        if solver.solved - before <= FEW * left:
            return


def sweep_chunk(solver: Enumeration, first: int, last: int) -> None:
    """Sweep the positions from `last` - 1 down to `first`, in all available threads."""
    threads = solver.run.threads if last - first >= solver.run.threads * ROUND else 1
    size = -(-(last - first) // threads)
    parts = [(first + size * t, min(last, first + size * (t + 1)), first, last, solver.start) for t in range(threads)]
    solver.solved += sum(solver.run.together(sweep, solver, parts))
    if threads > 1:
        solver.run(sweep_marked, solver, first, last, solver.start)
    solver.look("values")


def sweep(solver: Enumeration, first: int, last: int, low: int, high: int, like: State) -> int:
    """Solve the positions from `last` - 1 down to `first` whose successors are all solved; return how many are solved.

    The threads share the positions from `low` to `high` - 1; no thread reads the positions of another. A position that
    depends on another thread's position gets the distance `MARKED`.
    """
    solved = 0
    for number in range(last - 1, first - 1, -1):
        if solver.values.get(number) == UNSOLVED:
            value, distance = best_apart(solver, solver.positions.state(number, like), first, last, low, high)
            solver.distances.put(number, distance)
            if value != UNSOLVED:
                solver.values.put(number, value)
                solved += 1
    return solved


def sweep_marked(solver: Enumeration, first: int, last: int, like: State) -> None:
    """Sweep the positions that threads have marked."""
    for number in range(last - 1, first - 1, -1):
        if solver.values.get(number) == UNSOLVED and solver.distances.get(number) == MARKED:
            value, distance = best(solver, solver.positions.state(number, like))
            solver.values.put(number, value)
            solver.distances.put(number, distance)
            if value != UNSOLVED:
                solver.solved += 1


def best(solver: Enumeration, state: State) -> tuple[int, int]:
    """Return the code and the distance of a state, by its successors; UNSOLVED if a successor is unsolved."""
    value, distance = best_apart(solver, state, 0, 0, 0, 0)
    return (value, distance) if value != UNSOLVED else (UNSOLVED, 0)


def best_apart(solver: Enumeration, state: State, first: int, last: int, low: int, high: int) -> tuple[int, int]:
    """Return the result of `best`; UNSOLVED and MARKED if the state depends on positions of other threads (`sweep`)."""
    game = solver.game
    best_value, best_distance = UNSOLVED, 0
    is_max = game.to_move(state) == MAX
    for action in game.actions(state):
        child = solver.positions.find(successor(solver, state, action))
        if low <= child < high and not first <= child < last:
            return UNSOLVED, MARKED
        value = solver.values.get(child)
        distance = solver.distances.get(child)
        if value == UNSOLVED:
            # The distance passes `MARKED` on: positions that depend on a marked position must be swept again with it.
            return UNSOLVED, distance
        if best_value == UNSOLVED or preferred(value, distance, best_value, best_distance, is_max, solver.neutral):
            best_value, best_distance = value, distance
    return best_value, min(best_distance + 1, FOREVER)
