"""Subtraction, a game for ggp."""

from typing import ClassVar

import attrs

import ggp

State = tuple[int, ggp.Player]


@attrs.frozen
class Subtraction:
    """Subtraction: take stones from a heap in turn; whoever takes the last one wins."""

    name: ClassVar[str] = "subtraction"

    stones: int = ggp.option(21, "stones in the heap", minimum=0, maximum=1000)
    most: int = ggp.option(3, "the most stones to take at once", minimum=1, maximum=1000)

    def initial_state(self) -> State:
        return (self.stones, ggp.MAX)

    def to_move(self, state: State) -> ggp.Player:
        return state[1]

    def actions(self, state: State) -> range:
        return range(1, min(self.most, state[0]) + 1)

    def result(self, state: State, action: int) -> State:
        return (state[0] - action, 1 - state[1])

    def terminal_test(self, state: State) -> bool:
        return state[0] == 0

    def utility(self, state: State, player: ggp.Player) -> int:
        return -1 if state[1] == player else 1  # the other one has taken the last stone


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Subtraction]
