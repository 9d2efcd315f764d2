"""A small game that offers everything, for the tests that break it."""

import re

from ggp import CHANCE, MAX, MIN, Cell, Evaluation, IllegalActionError, NotationError, Scene

AFTER = {MAX: MIN, MIN: CHANCE, CHANCE: MAX}
"""Who moves after whom."""


def banked_stones(state):
    return state[2]


class Takeaway:
    """Take one to three of the stones and bank as many; in between the wind takes one or two."""

    name = "takeaway"
    evaluations = {"bank": Evaluation(banked_stones, "stones", separable=True, bounded=True)}  # noqa: RUF012

    def initial_state(self):
        return (7, MAX, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [taken for taken in (1, 2, 3 if state[1] != CHANCE else 0) if 0 < taken <= state[0]]

    def outcomes(self, state):
        return [(1, 1.0)] if state[0] == 1 else [(1, 0.75), (2, 0.25)]

    def result(self, state, action):
        stones, mover, banked = state
        gain = action if mover == MAX else -action if mover == MIN else 0
        return (stones - action, AFTER[mover], banked + gain)

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return state[2] if player == MAX else -state[2]

    def score(self, state):
        return state[2]

    def key(self, state):
        return state[:2]

    def bounds(self, state):
        return state[2] - state[0], state[2] + state[0]

    def format_state(self, state):
        return " ".join(map(str, state))

    def parse_state(self, text):
        parts = text.split()
        if len(parts) != 3 or not all(re.fullmatch("-?[0-9]{1,4}", part) for part in parts):
            raise NotationError(f"{text!r} is not three numbers of at most four digits")
        if int(parts[0]) < 0 or int(parts[1]) not in AFTER:
            raise NotationError(f"{text!r} is no state")
        return tuple(map(int, parts))

    def format_action(self, state, action):
        return f"take {action}"

    def parse_action(self, state, text):
        for action in self.actions(state):
            if text == f"take {action}":
                return action
        raise IllegalActionError(f"{text!r} is not one of {self.actions(state)}")

    def draw(self, state):
        return "o" * state[0] + "."

    def scene(self, state):
        stones = Cell("stones", -2, 0, count=state[0])
        return Scene((stones, *(Cell(f"take {n}", n, 0, action=n) for n in self.actions(state))))


class Generous(Takeaway):
    """The same with all else that a game can offer."""

    def canonical(self, state):
        return state

    def value_bounds(self, state):
        return self.bounds(state)

    def passed(self, state):
        return state

    def suggest(self, state, action):
        return action

    def quiet(self, state, action):
        return action == 1


class Ranks:
    """The numbering of states: by the stones, and in a layer by who moves; with something in it changed."""

    parameters = {}  # noqa: RUF012

    def __init__(self, **changes):
        for name, change in changes.items():
            setattr(self, name, change)

    def sections(self, layer):
        return (3,) if layer else ()

    def layer(self, state):
        return state[0]

    def rank(self, state):
        return 0, state[1] % 3

    def unrank(self, layer, section, index):
        return layer, (MAX, MIN, CHANCE)[index], 0

    def positions(self, layer, section, first):
        for index in range(first, 3):
            yield self.unrank(layer, section, index)


Generous.ranking = Ranks()
