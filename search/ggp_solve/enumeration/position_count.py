"""Estimate the minimum number of positions of a game before enumerating it, from coincidences of random plays.

If m positions are drawn from n, about m (m - 1) / (2 n) pairs are equal, and more if some positions are likelier than
others. So n is probably at least the number of all pairs divided by the number of equal pairs. Plays are compared at
several depths, each depth on its own, since all plays begin in the same position.
"""

import math
from collections import Counter
from typing import ClassVar

from ggp_search.tablebases.packed_positions import lay_out

from ggp import capabilities, repetition
from ggp.compiler.intrinsics import load, mix, save, spread, words_of
from ggp.game import AnyGame, State
from ggp_solve.enumeration import graph, retrograde
from ggp_solve.enumeration.enumeration import COLUMNS, Enumeration
from ggp_solve.memory.columns import Memory, width_for
from ggp_solve.memory.positions import RANGE, TRIMMED, hash_of

FEW, MANY = 2_000, 60_000
"""Number of plays in the first sample, and in the second. A second sample is made if the first sample has too few equal
positions.
"""
DEPTHS = 12
"""Number of depths at which plays are compared; the depths are 1, 2, 4, 8, 16, 24, 32, ... plies."""
ENOUGH = 20
"""If there are this many pairs of equal positions at some depth, a second sample is unnecessary."""


class Walks:
    """Random plays of a game, with the hashes of their positions.

    Attributes:
        hashes: for each depth and play, the hash of the canonical position, or 0.
        extents: the address of the least and the greatest value of each word.
        met: the number of positions visited.
        choices: the number of actions in these positions.
    """

    variables: ClassVar[tuple[str, ...]] = ("dice", "extents", "met", "choices")

    def __init__(self, solver: Enumeration, words: int) -> None:
        self.solver, self.words, self.dice = solver, words, 0
        self.met = self.choices = 0
        self.hashes = solver.column(8, DEPTHS * MANY)
        self.memory = Memory(RANGE * words)
        self.extents = self.memory.address

    def look(self, first: int, last: int) -> None:
        """Play games `first` to `last` - 1."""
        size = self.solver.run.chunk // 20
        for begin in range(first, last, size):
            self.solver.run(walk, self, begin, min(last, begin + size), self.solver.start)
            self.solver.look("estimate")

    def least(self, plays: int) -> tuple[int, bool]:
        """Return a rough lower bound of the number of positions, and whether there were enough equal pairs for it."""
        most, enough = 1, True
        for depth in range(DEPTHS):
            hashes = [self.hashes.get(depth * MANY + number) for number in range(plays)]
            drawn = Counter(each for each in hashes if each)
            count = drawn.total()
            equal = sum(times * (times - 1) // 2 for times in drawn.values())
            surely = equal + 3 * math.sqrt(equal) + 5  # hardly more are to be expected
            most = max(most, int(count * (count - 1) / 2 / surely))
            enough = enough and (equal >= ENOUGH or count < plays / 10)
        return most, enough

    def size(self, count: int) -> float:
        """Return the minimum size of a position in bytes if there are `count` positions, judging by the positions
        visited.
        """
        lows, highs = ([load(self.extents + RANGE * index + at) for index in range(self.words)] for at in (0, 8))
        return lay_out(lows, highs)[1] + COLUMNS + 4 * TRIMMED[1] / TRIMMED[0] + self._edges_size(count)

    def _edges_size(self, count: int) -> float:
        """Return the size in bytes of a position's edges, which only games with chance or cycles need."""
        game, degree = self.solver.game, self.choices / max(1, self.met)
        stochastic = capabilities.is_stochastic(game)
        if stochastic or repetition.depends_on_state(game):
            return graph.NUMBERS + degree * (graph.EDGE + graph.WEIGHT * stochastic)
        return retrograde.NUMBERS + degree * width_for(count) if repetition.may_repeat(game) else 0.0


def least_positions(solver: Enumeration, words: int) -> tuple[int, int]:
    """Return the estimated minimum number of positions of an enumeration, and their size in bytes."""
    walks = Walks(solver, words)
    walks.look(0, FEW)
    count, enough = walks.least(FEW)
    if not enough:
        walks.look(FEW, MANY)
        count, _ = walks.least(MANY)
    size = int(count * walks.size(count))
    walks.hashes.free()
    return count, size


def walk(walks: Walks, first: int, last: int, like: State) -> None:
    """Play games `first` to `last` - 1, each from the state `like`."""
    solver = walks.solver
    game: AnyGame = solver.game
    for number in range(first, last):
        state, ply, depth = like, 0, 0
        while depth < DEPTHS and not game.terminal_test(state):
            choices = 0
            for _ in game.actions(state):
                choices += 1
            walks.met += 1
            walks.choices += choices
            walks.dice += 1
            wanted, after = spread(mix(mix(0, walks.dice), choices), choices), state
            for index, action in enumerate(game.actions(state)):
                if index == wanted:
                    after = game.result(state, action)
            state = after
            ply += 1
            if ply % 8 == 0 or (ply < 8 and ply & (ply - 1) == 0):
                sample(walks, depth * MANY + number, solver.canonical(state))
                depth += 1


def sample(walks: Walks, slot: int, state: State) -> None:
    """Store the hash of a position, and extend the ranges of its words."""
    walks.hashes.put(slot, hash_of(state) | 1)
    for index, word in enumerate(words_of(state)):
        address = walks.extents + RANGE * index
        save(address, min(load(address), word))
        save(address + 8, max(load(address + 8), word))
