"""Random trees without end in one game: every number is a tree, so that one compilation serves thousands of them.

Everything about a node is worked out from a hash of the tree's number, the level and the node's place. Branches meet
again, a player may move twice running, chance may move, and some of the value is banked on the way.
"""

from typing import Any, ClassVar

import attrs
from ggp_search.parts import interpreted
from ggp_search.words import mix, spread

import ggp

WIDTH = 5
"""Nodes of a level."""


def rules(stochastic: bool, compile: Any) -> dict[str, Any]:
    """The operations on (tree, plies to the end, place in the level, banked, 0)."""
    chance = 3 if stochastic else 2

    @compile
    def draw(state, what, count):
        tree, plies, place, _, _ = state
        return spread(mix(mix(mix(mix(7, tree), plies), place), what), count)

    @compile
    def worth(state):
        return draw(state, 1, 5) - 2 + state[3]

    @compile
    def terminal_test(state):
        return state[1] == 0 or (state[4] > 0 and draw(state, 2, 8) == 0)

    @compile
    def to_move(state):
        mover = draw(state, 3, chance)
        return mover if mover < 2 else ggp.CHANCE

    @compile
    def actions(state):
        for action in range(1 + draw(state, 4, 4)):
            yield action

    @compile
    def result(state, action):
        tree, plies, _, banked, level = state
        gain = draw(state, 200 + action, 5) // 3 - draw(state, 300 + action, 5) // 4
        return tree, plies - 1, draw(state, 100 + action, WIDTH), banked + gain, level + 1

    @compile
    def outcomes(state):
        total = 0
        for action in range(1 + draw(state, 4, 4)):
            total += 1 + draw(state, 400 + action, 3)
        for action in range(1 + draw(state, 4, 4)):
            yield action, (1 + draw(state, 400 + action, 3)) / total

    @compile
    def score(state):
        return state[3]

    @compile
    def key(state):
        return state[0], state[1], state[2], state[4]

    @compile
    def bounds(state):
        reach = state[1] + 2
        return state[3] - reach, state[3] + reach

    @compile
    def suggest(state, action):
        return draw(state, 500 + action, 9)

    found = {name: each for name, each in locals().items() if name not in ("stochastic", "compile", "chance", "draw")}
    return {**found, "utility": worth}


@attrs.frozen
class HashTree:
    """A tree for every number."""

    name: ClassVar[str] = "hash-tree"
    stochastic: bool = False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in RULES[self.stochastic]:
            raise AttributeError(name)
        return RULES[self.stochastic][name]

    @property
    def evaluations(self):
        return {"worth": ggp.Evaluation(self.worth, separable=True, bounded=True)}

    def initial_state(self):
        return self.root(0, 4)

    def root(self, tree: int, plies: int):
        """The root of one tree of so many plies."""
        return (tree, plies, 0, 0, 0)

    def utility(self, state, player):
        return self.worth(state) if player == ggp.MAX else -self.worth(state)

    def compiled(self, compile):
        made = rules(self.stochastic, compile)
        worth = made.pop("worth")
        if not self.stochastic:
            made.pop("outcomes")
        same = {"encode": lambda state: state, "decode": lambda position: position}
        return ggp.CompiledForm(**same, **made, evaluations={"worth": worth})


RULES = {stochastic: rules(stochastic, interpreted) for stochastic in (False, True)}
