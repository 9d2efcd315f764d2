"""Morris and its solution, written apart: boards as dictionaries of points, and sweeps until nothing changes. Slow."""

import itertools

POINTS = {3: [(x, y) for y in range(3) for x in range(3)]}


def lines_of_nine(diagonals):
    rows = [[(x, y) for x in range(3)] for y in range(3)] + [[(x, y) for y in range(3)] for x in range(3)]
    return rows + ([[(0, 0), (1, 1), (2, 2)], [(2, 0), (1, 1), (0, 2)]] if diagonals else [])


class NaiveMorris:
    """Three men's morris. A state: a frozenset of (point, side), men in hand by side, and the side to move."""

    def __init__(self, diagonals, flying):
        self.lines = lines_of_nine(diagonals)
        self.flying = flying
        self.start = (frozenset(), (3, 3), 0)

    def adjacent(self, one, other):
        return any(abs(line.index(one) - line.index(other)) == 1 for line in self.lines if {one, other} <= set(line))

    def successors(self, state):
        men, hands, mover = state
        taken = {point for point, _ in men}
        free = [point for point in POINTS[3] if point not in taken]
        if hands[mover]:
            left = tuple(hand - (side == mover) for side, hand in enumerate(hands))
            return [(men | {(point, mover)}, left, 1 - mover) for point in free]
        own = [point for point, side in men if side == mover]
        return [
            ((men - {(start, mover)}) | {(end, mover)}, hands, 1 - mover)
            for start, end in itertools.product(own, free)
            if self.flying or self.adjacent(start, end)
        ]

    def lost(self, state):
        """Whether whoever is to move has lost."""
        men, _, mover = state
        mill = any(all((point, 1 - mover) in men for point in line) for line in self.lines)
        return mill or not self.successors(state)

    def solution(self):
        """Each state that can be reached with its value to side 0 and its distance to the end; None for a draw."""
        reached, waiting = {self.start: []}, [self.start]
        while waiting:
            state = waiting.pop()
            if not self.lost(state):
                reached[state] = self.successors(state)
                for child in reached[state]:
                    if child not in reached:
                        reached[child] = []
                        waiting.append(child)
        solved = {state: (-1 if state[2] == 0 else 1, 0) for state, children in reached.items() if not children}
        for distance in range(1, len(reached) + 1):
            found = {}
            for state, children in reached.items():
                if state in solved:
                    continue
                own = 1 if state[2] == 0 else -1
                if any(solved.get(child, (0, 0))[0] == own for child in children):
                    found[state] = (own, distance)
                elif all(solved.get(child, (0, 0))[0] == -own for child in children):
                    found[state] = (-own, distance)
            if not found:
                break
            solved |= found
        return {state: solved.get(state, (0, None)) for state in reached}
