"""Random trees without end in one game: every number is a tree, so that one compilation serves thousands of them.

Everything about a node is worked out from a hash of the tree's number, the level and the node's place. Branches meet
again, a player may move twice running, chance may move, and some of the value is banked on the way.
"""

from typing import ClassVar

import attrs

import ggp
from ggp.compiler.intrinsics import mix, spread

WIDTH = 5
"""Nodes of a level."""


@attrs.frozen
class HashTree:
    """A tree for every number. A state is (tree, plies to the end, place in the level, banked, level)."""

    name: ClassVar[str] = "hash-tree"

    @property
    def evaluations(self):
        return {"worth": ggp.Evaluation(self.worth, separable=True, bounded=True)}

    def drawn(self, state, what, count):
        tree, plies, place, _, _ = state
        return spread(mix(mix(mix(mix(7, tree), plies), place), what), count)

    def worth(self, state):
        return self.drawn(state, 1, 5) - 2 + state[3]

    def initial_state(self):
        return self.root(0, 4)

    def root(self, tree, plies):
        """Return the root of one tree of so many plies."""
        return (tree, plies, 0, 0, 0)

    def to_move(self, state):
        return self.drawn(state, 3, 2)

    def actions(self, state):
        return range(1 + self.drawn(state, 4, 4))

    def result(self, state, action):
        tree, plies, _, banked, level = state
        gain = self.drawn(state, 200 + action, 5) // 3 - self.drawn(state, 300 + action, 5) // 4
        return tree, plies - 1, self.drawn(state, 100 + action, WIDTH), banked + gain, level + 1

    def terminal_test(self, state):
        return state[1] == 0 or (state[4] > 0 and self.drawn(state, 2, 8) == 0)

    def utility(self, state, player):
        return self.worth(state) if player == ggp.MAX else -self.worth(state)

    def score(self, state):
        return state[3]

    def key(self, state):
        return state[0], state[1], state[2], state[4]

    def bounds(self, state):
        reach = state[1] + 2
        return state[3] - reach, state[3] + reach

    def suggest(self, state, action):
        return self.drawn(state, 500 + action, 9)

    def quiet(self, state, action):
        return self.drawn(state, 600 + action, 3) > 0


class StochasticTree(HashTree):
    """As `HashTree`, where chance moves too."""

    def to_move(self, state):
        mover = self.drawn(state, 3, 3)
        return ggp.CHANCE if mover == 2 else mover

    def outcomes(self, state):
        total = 0
        for action in self.actions(state):
            total += 1 + self.drawn(state, 400 + action, 3)
        for action in self.actions(state):
            yield action, (1 + self.drawn(state, 400 + action, 3)) / total
