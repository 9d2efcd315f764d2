"""The game of tic-tac-toe as a plugin's author meets it: parameters, capabilities, and the rules' operations."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import attrs

from ggp import MAX, CompiledForm, Evaluation, OptionError, Player, Scene, option
from ggp_tictactoe import notation, scenery
from ggp_tictactoe.rules import State, lines, rules

OPERATIONS = ("to_move", "actions", "result", "terminal_test", "bounds", "suggest")


@attrs.frozen
class TicTacToe:
    """Tic-tac-toe: X and O mark cells in turn; k in a row wins, a full board is a draw.

    The parameters are AIMA's. A win is worth 1, a loss -1, a draw 0. The operations are the functions of the
    compiled form, uncompiled: the rules are written once, in `ggp_tictactoe.rules`.
    """

    name: ClassVar[str] = "tictactoe"
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    value_step: ClassVar[int] = 1

    h: int = option(3, "rows of the board", minimum=1, maximum=19)
    v: int = option(3, "columns of the board", minimum=1, maximum=19)
    k: int = option(3, "cells in a row that win", minimum=1, maximum=19)

    # the rules' functions themselves: no part of the game's identity
    to_move: Callable[[State], int] = attrs.field(init=False, eq=False, repr=False)
    actions: Callable[[State], Iterator[int]] = attrs.field(init=False, eq=False, repr=False)
    result: Callable[[State, int], State] = attrs.field(init=False, eq=False, repr=False)
    terminal_test: Callable[[State], bool] = attrs.field(init=False, eq=False, repr=False)
    _utility: Callable[[State], int] = attrs.field(init=False, eq=False, repr=False)
    bounds: Callable[[State], tuple[int, int]] = attrs.field(init=False, eq=False, repr=False)
    suggest: Callable[[State, int], int] = attrs.field(init=False, eq=False, repr=False)
    evaluations: Mapping[str, Evaluation] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if not lines(self.h, self.v, self.k):
            raise OptionError(f"k cannot be {self.k}: a board of {self.h} by {self.v} has no line of {self.k} cells")
        form = self.compiled(lambda function: function)
        for operation in OPERATIONS:
            object.__setattr__(self, operation, getattr(form, operation))
        object.__setattr__(self, "_utility", form.utility)
        meaning = "lines of k without an O less lines without an X, over the number of all lines and one"
        estimate = Evaluation(form.evaluations["lines"], meaning, bounded=True)
        object.__setattr__(self, "evaluations", {"lines": estimate})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.h, self.v, self.k)

    def compiled(self, compile: Callable[[Any], Any]) -> CompiledForm:
        return rules(self.h, self.v, self.k, compile)

    def initial_state(self) -> State:
        return 0, 0, MAX

    def utility(self, state: State, player: Player) -> int:
        return self._utility(state) if player == MAX else -self._utility(state)

    def format_state(self, state: State) -> str:
        return notation.format_board(self, state)

    def parse_state(self, text: str) -> State:
        return notation.parse_board(self, text)

    def format_action(self, state: State, action: int) -> str:
        return notation.format_cell(self, action)

    def parse_action(self, state: State, text: str) -> int:
        return notation.parse_cell(self, state, text)

    def draw(self, state: State) -> str:
        return notation.draw(self, state)

    def scene(self, state: State) -> Scene:
        return scenery.scene(self, state)
