"""Subtraction, a game for ggp, at two speeds."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import attrs

import ggp

State = tuple[int, ggp.Player]


@attrs.frozen
class Subtraction:
    """Subtraction: take stones from a heap in turn; whoever takes the last one wins."""

    name: ClassVar[str] = "subtraction"

    stones: int = ggp.option(21, "stones in the heap", minimum=0, maximum=1000)
    most: int = ggp.option(3, "the most stones to take at once", minimum=1, maximum=1000)

    def compiled(self, compile: Callable[[Any], Any]) -> ggp.CompiledForm:
        return rules(self.most, compile)

    @cached_property
    def rules(self) -> ggp.CompiledForm:
        return rules(self.most, lambda function: function)

    def initial_state(self) -> State:
        return (self.stones, ggp.MAX)

    def to_move(self, state: State) -> ggp.Player:
        return self.rules.to_move(state)

    def actions(self, state: State) -> range:
        return self.rules.actions(state)

    def result(self, state: State, action: int) -> State:
        return self.rules.result(state, action)

    def terminal_test(self, state: State) -> bool:
        return self.rules.terminal_test(state)

    def utility(self, state: State, player: ggp.Player) -> int:
        return self.rules.utility(state) if player == ggp.MAX else -self.rules.utility(state)


def rules(most: int, compile: Callable[[Any], Any]) -> ggp.CompiledForm:
    """The rules, each function passed through `compile`: the identity, or Numba's decorator."""

    @compile
    def to_move(state: State) -> ggp.Player:
        return state[1]

    @compile
    def actions(state: State) -> range:
        return range(1, min(most, state[0]) + 1)

    @compile
    def result(state: State, action: int) -> State:
        return (state[0] - action, 1 - state[1])

    @compile
    def terminal_test(state: State) -> bool:
        return state[0] == 0

    @compile
    def utility(state: State) -> int:
        return -1 if state[1] == ggp.MAX else 1  # to MAX: the other one has taken the last stone

    return ggp.CompiledForm(
        encode=lambda state: state,
        decode=lambda position: position,
        to_move=to_move,
        actions=actions,
        result=result,
        terminal_test=terminal_test,
        utility=utility,
    )


@ggp.hookimpl
def ggp_games() -> list[type]:
    return [Subtraction]
