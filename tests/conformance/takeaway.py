"""A small game that offers everything, for the tests that break it."""

from ggp import CHANCE, MAX, MIN, Cell, CompiledForm, Evaluation, IllegalActionError, NotationError, Ranking, Scene

AFTER = {MAX: MIN, MIN: CHANCE, CHANCE: MAX}
"""Who moves after whom."""


class Takeaway:
    """Take one to three of the stones and bank as many; in between the wind takes one or two."""

    name = "takeaway"
    evaluations = {"bank": Evaluation(lambda state: state[2], "stones", separable=True, bounded=True)}  # noqa: RUF012

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
        return (stones - action, AFTER[mover], banked + {MAX: action, MIN: -action, CHANCE: 0}[mover])

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
        if len(parts) != 3 or not all(part.lstrip("-").isascii() and part.lstrip("-").isdigit() for part in parts):
            raise NotationError(f"{text!r} is not three numbers")
        if not all(len(part) < 5 for part in parts) or int(parts[0]) < 0 or int(parts[1]) not in AFTER:
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


class Compiled(Takeaway):
    """The same with a compiled form."""

    def compiled(self, compile):
        def list_actions(position):
            for taken in range(1, 3 if position[1] == CHANCE else 4):
                if taken <= position[0]:
                    yield taken

        def chances(position):
            if position[0] == 1:
                yield 1, 1.0
            else:
                yield 1, 0.75
                yield 2, 0.25

        def step(position, action):
            gain = action if position[1] == 0 else -action if position[1] == 1 else 0
            return position[0] - action, (position[1] + 2) % 3 - 1, position[2] + gain

        return CompiledForm(
            encode=lambda state: state,
            decode=lambda position: position,
            to_move=compile(lambda position: position[1]),
            actions=compile(list_actions),
            result=compile(step),
            terminal_test=compile(lambda position: position[0] == 0),
            utility=compile(lambda position: position[2]),
            outcomes=compile(chances),
            evaluations={"bank": compile(lambda position: position[2])},
            score=compile(lambda position: position[2]),
            key=compile(lambda position: (position[0], position[1])),
            bounds=compile(lambda position: (position[2] - position[0], position[2] + position[0])),
            suggest=compile(lambda position, action: action),
            ranking=ranking(compile),
        )


def ranking(compile, **changes):
    """By the stones, and in a grade by who moves; with something in it changed."""

    def positions(grade, section, first):
        for mover in (MAX, MIN, CHANCE)[first:]:
            yield grade, mover, 0

    good = {
        "sections": lambda grade: (3,) if grade else (),
        "grade": lambda position: position[0],
        "place": lambda position: (0, position[1] % 3),
        "positions": positions,
    }
    found = good | changes
    return Ranking(**{name: part if name == "sections" else compile(part) for name, part in found.items()})
