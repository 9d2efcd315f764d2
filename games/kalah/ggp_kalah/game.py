"""Kalah as a game of ggp: its parameters, and all that it offers."""

# ruff: noqa: RUF009 (fields by another name than attrs.field)

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import attrs

import ggp
from ggp.capabilities import legal_actions, mover_name
from ggp.options import values_of
from ggp_kalah import drawing, notation, scenery, telling
from ggp_kalah.evaluations import declared, evaluations
from ggp_kalah.packing import Compile, Function, Packing, State
from ggp_kalah.ranking import ranking
from ggp_kalah.rules import CAPTURES, Rules, rules
from ggp_kalah.turns import MACHINE_BITS, TURNS

BITS = 16
"""Bits for each house and store; more for boards that start with more seeds than these hold."""
LISTED = 24
"""The most actions that an error message lists."""

LEVELS = {
    "single": {"easy": "alphabeta:depth=1", "medium": "alphabeta:depth=4", "hard": "alphabeta:depth=10,table=8"},
    "whole": {"easy": "alphabeta:depth=1", "medium": "alphabeta:depth=2", "hard": "alphabeta:depth=5,table=8"},
}
"""The levels by what an action is: each beats the one before by far, and hard takes well under a second a move."""


def _identity(function: Function) -> Function:
    return function


OPERATIONS = ("to_move", "actions", "result", "terminal_test", "score", "key", "bounds", "suggest")
"""What the rules, the game and its compiled form call alike."""


def _follows() -> Any:
    """A field that follows from the parameters. Functions are in fields, too: a method in between would cost time."""
    return attrs.field(init=False, eq=False, repr=False)


@attrs.frozen
class Kalah:
    """Kalah: sow the seeds of a house around the board, capture, and have more in your store at the end.

    A state is (South's word, North's word, mover), see `ggp_kalah.packing`; South is MAX. An action is the index of
    a house, 0 for the one farthest from the mover's store; with turn="whole" it is the tuple of a turn's houses.
    """

    name: ClassVar[str] = "kalah"
    player_names: ClassVar[tuple[str, str]] = ("South", "North")
    value_step: ClassVar[int] = 1

    houses: int = ggp.option(6, "houses a side", minimum=1, maximum=12)
    seeds: int = ggp.option(4, "seeds in each house at the start", minimum=0)
    capture: str = ggp.option(
        "standard",
        "a last seed in an own empty house captures if the house opposite holds seeds; even if it is empty; never",
        choices=CAPTURES,
    )
    majority: bool = ggp.option(False, "the game ends as soon as a store holds more than half of all seeds")
    turn: str = ggp.option("single", "an action is one house, or all the houses of a turn", choices=TURNS)
    scoring: str = ggp.option("margin", "the utility: the margin in seeds, or 1, 0, -1", choices=("margin", "outcome"))

    to_move: Callable[[State], ggp.Player] = _follows()
    actions: Callable[[State], Iterable[Any]] = _follows()
    result: Callable[[State, Any], State] = _follows()
    terminal_test: Callable[[State], bool] = _follows()
    score: Callable[[State], int] = _follows()
    key: Callable[[State], State] = _follows()
    bounds: Callable[[State], tuple[int, int]] = _follows()
    suggest: Callable[[State, Any], int] = _follows()
    """suggest(state, action): how promising the action looks, see `ggp.CompiledForm`."""
    evaluations: Mapping[str, ggp.Evaluation] = _follows()
    packing: Packing = _follows()
    """How states are packed."""
    _worth: Callable[[State], int] = _follows()

    def __attrs_post_init__(self) -> None:
        packing = Packing(self.houses, max(BITS, (2 * self.houses * self.seeds + 1).bit_length()))
        plays = self._plays(packing, _identity)
        own = TURNS[self.turn].interpreted(plays, packing)
        follows = {name: getattr(own, name) for name in OPERATIONS} | {
            "evaluations": declared(evaluations(packing, plays, _identity), self.majority, self.scoring),
            "packing": packing,
            "_worth": own.utility,
        }
        for name, value in follows.items():
            object.__setattr__(self, name, value)

    def _plays(self, packing: Packing, compile: Compile) -> Rules:
        """The rules whose actions are single houses."""
        return rules(packing, self.capture, self.majority, self.scoring, compile)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(values_of(self).values())

    def initial_state(self) -> State:
        side = [*[self.seeds] * self.houses, 0]
        return self.packing.state(side, side, ggp.MAX)

    def utility(self, state: State, player: ggp.Player) -> int:
        worth = self._worth(state)
        return worth if player == ggp.MAX else -worth

    def format_state(self, state: State) -> str:
        return notation.format_state(self.packing, state)

    def parse_state(self, text: str) -> State:
        return notation.parse_state(self.packing, text)

    def format_action(self, state: State, action: Any) -> str:
        return notation.format_turn(TURNS[self.turn].houses(action), self.to_move(state))

    def parse_action(self, state: State, text: str) -> Any:
        action = TURNS[self.turn].action(notation.parse_turn(self.packing, text))
        legal = legal_actions(self, state)
        if action in legal:
            return action
        listed = ", ".join(self.format_action(state, each) for each in legal[:LISTED])
        more = f" and {len(legal) - LISTED} more" if len(legal) > LISTED else ""
        right = f"{mover_name(self, state)} can play {listed}{more}" if legal else "the game is over"
        raise ggp.IllegalActionError(
            f"{notation.shown(text.strip())} cannot be played in {self.format_state(state)}: {right}"
        )

    def draw(self, state: State) -> str:
        """The board, and below it whose turn it is or how the game ended."""
        return drawing.draw(self.packing, state, self._caption(state))

    def scene(self, state: State) -> ggp.Scene:
        """The board as cells; a turn of one house is in that house, a longer one on a button."""
        plays, houses = self._plays(self.packing, _identity), TURNS[self.turn].houses
        turns = {}
        for action in legal_actions(self, state):
            turn = houses(action)
            turns[turn] = scenery.Choice(action, telling.tell(self.packing, state, turn, plays))
        return scenery.scene(self.packing, state, self.player_names, turns, self._caption(state))

    def _caption(self, state: State) -> str:
        south, north = (self.packing.unpack(side)[-1] for side in state[:2])
        ended = f"The game is over: South has {south}, North has {north}."
        return ended if self.terminal_test(state) else f"{mover_name(self, state)} to move"

    @property
    def levels(self) -> Mapping[str, str]:
        """See `ggp.game.Graded`."""
        return LEVELS[self.turn]

    def explain(self, state: State, action: Any) -> str:
        """The sowing of each house, with extra turns, captures and the end of the game."""
        return telling.tell(self.packing, state, TURNS[self.turn].houses(action), self._plays(self.packing, _identity))

    def _ranking(self, packing: Packing, compile: Compile) -> ggp.Ranking | None:
        """The numbering, where what is in the stores does not change what is best."""
        stores_matter = self.majority or self.scoring != "margin"
        matters = {"houses": self.houses, "capture": self.capture}
        return None if stores_matter else ranking(packing, matters, compile)

    def compiled(self, compile: Callable[[Any], Any]) -> ggp.CompiledForm:
        """The same rules on words of at most 63 bits, which hold fewer seeds the more houses there are."""
        turns, packing = TURNS[self.turn], Packing(self.houses, MACHINE_BITS // (self.houses + 1))
        plays = self._plays(packing, compile)
        form = turns.compiled(plays, packing, compile)
        return ggp.CompiledForm(
            encode=lambda state: self.packing.convert(state, packing),
            decode=lambda position: packing.convert(position, self.packing),
            encode_action=lambda state, action: turns.encode(action, packing),
            decode_action=lambda state, number: turns.decode(number, packing),
            utility=form.utility,
            evaluations=evaluations(packing, plays, compile),
            ranking=self._ranking(packing, compile),
            **{name: getattr(form, name) for name in OPERATIONS},
        )
