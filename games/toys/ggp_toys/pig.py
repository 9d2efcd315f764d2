"""Pig, a game of dice for two: the example of a stochastic game, its rules written once for both speeds."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import attrs

from ggp import CHANCE, MAX, CompiledForm, Evaluation, Player, Scene, option
from ggp_toys import pig_notation as notation
from ggp_toys import pig_scenery

State = tuple[int, int, int, int, int]
"""Points of the first and of the second player, points at stake, turns played, and whether the die is rolling."""

ROLL = 0
HOLD = 1
BUST = 1
"""The face of the die that loses the turn's points."""
OPERATIONS = ("to_move", "actions", "result", "outcomes", "terminal_test", "bounds")


@attrs.frozen
class Pig:
    """Pig: roll as often as you dare; a 1 loses the turn's points, holding keeps them; first at the goal wins.

    Each turn begins with a roll. A turn that reaches the goal wins at once. When `turns` turns are over and
    nobody has won, the game is a draw. A win is worth 1, a loss -1, a draw 0.

    An action of a player is ROLL or HOLD; an outcome of chance is the face of the die.
    """

    name: ClassVar[str] = "pig"
    player_names: ClassVar[tuple[str, str]] = ("first", "second")

    sides: int = option(6, "faces of the die", minimum=2, maximum=100)
    goal: int = option(20, "points that win", minimum=1, maximum=10_000)
    turns: int = option(20, "turns that both have together", minimum=1, maximum=10_000)

    # the rules' functions themselves: no part of the game's identity
    to_move: Callable[[State], int] = attrs.field(init=False, eq=False, repr=False)
    actions: Callable[[State], Iterator[int]] = attrs.field(init=False, eq=False, repr=False)
    result: Callable[[State, int], State] = attrs.field(init=False, eq=False, repr=False)
    outcomes: Callable[[State], Iterator[tuple[int, float]]] = attrs.field(init=False, eq=False, repr=False)
    terminal_test: Callable[[State], bool] = attrs.field(init=False, eq=False, repr=False)
    _utility: Callable[[State], float] = attrs.field(init=False, eq=False, repr=False)
    bounds: Callable[[State], tuple[float, float]] = attrs.field(init=False, eq=False, repr=False)
    evaluations: Mapping[str, Evaluation] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        form = self.compiled(lambda function: function)
        for operation in OPERATIONS:
            object.__setattr__(self, operation, getattr(form, operation))
        object.__setattr__(self, "_utility", form.utility)
        estimates = {
            "lead": "points of the first less the second's, those at stake included, over the goal",
            "banked": "points of the first less the second's, those at stake left out, over the goal",
        }
        offered = {name: Evaluation(form.evaluations[name], says, bounded=True) for name, says in estimates.items()}
        object.__setattr__(self, "evaluations", offered)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.sides, self.goal, self.turns)

    def compiled(self, compile: Callable[[Any], Any]) -> CompiledForm:
        return rules(self.sides, self.goal, self.turns, compile)

    def initial_state(self) -> State:
        return 0, 0, 0, 0, 0

    def utility(self, state: State, player: Player) -> float:
        return self._utility(state) if player == MAX else -self._utility(state)

    def format_state(self, state: State) -> str:
        return notation.format_state(state)

    def parse_state(self, text: str) -> State:
        return notation.parse_state(self, text)

    def format_action(self, state: State, action: int) -> str:
        return notation.format_action(state, action)

    def parse_action(self, state: State, text: str) -> int:
        return notation.parse_action(self, state, text)

    def draw(self, state: State) -> str:
        return notation.draw(self, state)

    def scene(self, state: State) -> Scene:
        return pig_scenery.scene(self, state)


def rules(sides: int, goal: int, turns: int, compile: Callable[[Any], Any]) -> CompiledForm:
    """The operations of the game, each passed through `compile`."""
    share = 1.0 / sides

    @compile
    def to_move(state: State) -> int:
        return CHANCE if state[4] else state[3] % 2

    @compile
    def actions(state: State) -> Iterator[int]:
        if state[4]:
            for face in range(1, sides + 1):
                yield face
        else:
            yield ROLL
            if state[2]:
                yield HOLD

    @compile
    def outcomes(state: State) -> Iterator[tuple[int, float]]:
        for face in range(1, sides + 1):
            yield face, share

    @compile
    def result(state: State, action: int) -> State:
        first, second, stake, turn, rolling = state
        if rolling:
            if action == BUST:
                return first, second, 0, turn + 1, 0
            stake += action
            if (first, second)[turn % 2] + stake < goal:
                return first, second, stake, turn, 0
        elif action == ROLL:
            return first, second, stake, turn, 1
        if turn % 2 == MAX:  # held, or the goal is reached
            return first + stake, second, 0, turn + 1, 0
        return first, second + stake, 0, turn + 1, 0

    @compile
    def terminal_test(state: State) -> bool:
        return state[3] >= turns or state[0] >= goal or state[1] >= goal

    @compile
    def utility(state: State) -> float:
        return 1.0 if state[0] >= goal else -1.0 if state[1] >= goal else 0.0

    @compile
    def bounds(state: State) -> tuple[float, float]:
        return -1.0, 1.0

    @compile
    def lead(state: State) -> float:
        first, second, stake, turn, _ = state
        return (first - second + (stake if turn % 2 == MAX else -stake)) / goal

    @compile
    def banked(state: State) -> float:
        return (state[0] - state[1]) / goal

    return CompiledForm(
        encode=lambda state: state,
        decode=lambda position: tuple(int(number) for number in position),
        to_move=to_move,
        actions=actions,
        result=result,
        outcomes=outcomes,
        terminal_test=terminal_test,
        utility=utility,
        evaluations={"lead": lead, "banked": banked},
        bounds=bounds,
    )
