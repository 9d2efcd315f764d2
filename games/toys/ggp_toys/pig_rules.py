"""The rules of Pig, a game of dice for two, and the capabilities that searches use."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

import ggp

State = tuple[int, int, int, int, int]
"""The points of the first player and of the second, the points at stake, the number of turns played, and whether the
die is being rolled.

Without a limit, turns are counted modulo 2, to show whose turn it is.
"""

ROLL = 0
HOLD = 1
BUST = 1
"""The face of the die that loses the turn's points."""


@attrs.frozen
class PigRules:
    """The rules of Pig. An action of a player is ROLL or HOLD; an outcome of chance is the face of the die."""

    sides: int = ggp.option(6, "faces of the die", minimum=2, maximum=100)
    goal: int = ggp.option(20, "points that win", minimum=1, maximum=10_000)
    turns: int | None = ggp.option(
        None, "total number of turns of both players; none: no limit", minimum=1, maximum=10_000
    )

    player_names: ClassVar[tuple[str, str]] = ("first", "second")

    @property
    def repetition(self) -> str | None:
        """See `ggp.game.Repeating`: without a limit of turns, states can repeat, and play then continues."""
        return "continues" if self.turns is None else None

    def initial_state(self) -> State:
        return 0, 0, 0, 0, 0

    def to_move(self, state: State) -> ggp.Player:
        return ggp.CHANCE if state[4] else state[3] % 2

    def actions(self, state: State) -> Iterator[int]:
        if state[4]:
            yield from range(1, self.sides + 1)
        else:
            yield ROLL
            if state[2]:
                yield HOLD

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        for face in range(1, self.sides + 1):
            yield face, 1 / self.sides

    def result(self, state: State, action: int) -> State:
        first, second, stake, turn, rolling = state
        following = turn + 1 if self.turns is not None else 1 - turn
        if rolling:
            if action == BUST:
                return first, second, 0, following, 0
            stake += action
            if (second if turn % 2 else first) + stake < self.goal:
                return first, second, stake, turn, 0
        elif action == ROLL:
            return first, second, stake, turn, 1
        if turn % 2 == ggp.MAX:  # held, or the goal is reached
            return first + stake, second, 0, following, 0
        return first, second + stake, 0, following, 0

    def terminal_test(self, state: State) -> bool:
        return (self.turns is not None and state[3] >= self.turns) or state[0] >= self.goal or state[1] >= self.goal

    def utility(self, state: State, player: ggp.Player) -> float:
        value = 1.0 if state[0] >= self.goal else -1.0 if state[1] >= self.goal else 0.0
        return value if player == ggp.MAX else -value

    # What a search may use

    def bounds(self, state: State) -> tuple[float, float]:
        return -1.0, 1.0

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        points = "points of the first player minus points of the second, points at stake"
        return {
            "lead": ggp.Evaluation(self.lead, f"{points} included, divided by the goal", bounded=True),
            "banked": ggp.Evaluation(self.banked, f"{points} left out, divided by the goal", bounded=True),
        }

    def lead(self, state: State) -> float:
        first, second, stake, turn, _ = state
        return (first - second + (stake if turn % 2 == ggp.MAX else -stake)) / self.goal

    def banked(self, state: State) -> float:
        return (state[0] - state[1]) / self.goal
