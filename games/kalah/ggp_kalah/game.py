"""Kalah as a game of ggp: the rules and the optional capabilities."""

from collections.abc import Mapping
from typing import ClassVar

import attrs

import ggp
from ggp.board_game import listed
from ggp.capabilities import legal_actions, mover_name
from ggp.engine_dialect import Dialect
from ggp_kalah import notation, scene, solved
from ggp_kalah.evaluations import Evaluations
from ggp_kalah.ranking import KalahRanking
from ggp_kalah.rules import KalahRules, State


@attrs.frozen
class Kalah(KalahRules):
    """Kalah: sow the seeds of a house around the board, capture, and have more in your store at the end.

    A state is (South's word, North's word, mover), see `ggp_kalah.rules`; South is MAX. An action is the index of a
    house; house 0 is the farthest from the mover's store. With turn="whole", an action is a number for several houses,
    see `houses_of`.
    """

    name: ClassVar[str] = "kalah"
    title: ClassVar[str] = "Kalah"
    rules: ClassVar[str] = (
        "Choose one of your houses: its seeds are sown one by one into the houses and the store that follow, "
        "counter-clockwise; the opponent's store is left out. If the last seed lands in your store, you move "
        "again. If it lands in an empty house of yours and the house opposite holds seeds, the seeds of both "
        "go into your store. When a player's houses are all empty, the other player gets the seeds that are left. "
        "Whoever has more seeds in the store wins."
    )
    player_names: ClassVar[tuple[str, str]] = ("South", "North")

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        return Evaluations(self).by_name()

    @property
    def ranking(self) -> KalahRanking | None:
        return KalahRanking(self) if self.is_secured else None

    def format_state(self, state: State) -> str:
        return notation.format_state(self, state)

    def parse_state(self, text: str) -> State:
        return notation.parse_state(self, text)

    def format_action(self, state: State, action: int) -> str:
        return notation.format_turn(self.houses_of(action), self.to_move(state))

    def parse_action(self, state: State, text: str) -> int:
        action = self.action_of(notation.parse_turn(self, text))
        legal = legal_actions(self, state)
        if action is not None and action in legal:
            return action
        names = [self.format_action(state, each) for each in legal]
        right = f"{mover_name(self, state)} can play {listed(names)}" if legal else "the game is over"
        raise ggp.IllegalActionError(
            f"{notation.shown(text.strip())} cannot be played in {self.format_state(state)}: {right}"
        )

    def draw(self, state: State) -> str:
        """Return the board, and below it whose turn it is or how the game ended."""
        return scene.draw(self, state, self._caption(state))

    def dialect(self, protocol: str) -> Dialect | None:
        """Return the numbers that OpenSpiel gives to the pits, if OpenSpiel has these rules."""
        same = (self.houses, self.seeds, self.capture, self.majority, self.turn) == (6, 4, "standard", False, "single")
        if protocol != "openspiel" or not same:
            return None
        return Dialect(variant="mancala", action=lambda state, house: str(house + (8 if self.to_move(state) else 1)))

    def scene(self, state: State) -> ggp.Scene:
        """Return the board as cells. A turn of one house is played by clicking on that house, a longer turn by a
        button.
        """
        turns = {}
        for action in legal_actions(self, state):
            turn = self.houses_of(action)
            turns[turn] = scene.Choice(action, scene.explain(self, state, turn))
        return scene.scene(self, state, self.player_names, turns, self._caption(state))

    def known_values(self, state: State) -> Mapping[int, float]:
        """Return values from the table of solved boards: of all opening moves, and of the moves of best play."""
        return solved.known_values(self, state)

    def explain(self, state: State, action: int) -> str:
        return scene.explain(self, state, self.houses_of(action))

    def _caption(self, state: State) -> str:
        south, north = (self.seeds_in(side, self.houses) for side in state[:2])
        ended = f"The game is over: South has {south}, North has {north}."
        return ended if self.terminal_test(state) else f"{mover_name(self, state)} to move"
