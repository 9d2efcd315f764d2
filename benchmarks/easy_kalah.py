"""Kalah(6,4) as a game of easyAI, with ggp's rules, so that the search is compared, and not the sowing.

Negamax negates the value at every ply. So if a player moves again, the other player must pass in between. The only
legal move of the other player is then `PASS`. With these passes, the values are right, but an extra turn takes two
plies. In addition, Negamax increases the value of a leaf by a thousandth of itself for every ply that the depth limit
still allows. At a given depth, Negamax therefore finds other values and visits other states than a search that knows
extra turns. So only the numbers of states a second can be compared.
"""

from easyAI import TwoPlayerGame
from ggp_kalah import Kalah
from ggp_kalah.rules import State

PASS = -1


class EasyKalah(TwoPlayerGame):  # type: ignore[misc]
    """Kalah(6,4) from the start."""

    rules = Kalah()

    def __init__(self) -> None:
        self.players = [None, None]
        self.current_player = 1
        self.state = self.rules.initial_state()
        self.past: list[State] = []

    def possible_moves(self) -> list[int]:
        """Return the houses that may be sown; only `PASS` if the other player moves again."""
        state = self.state
        return [PASS] if state[2] != self.current_player - 1 else list(self.rules.actions(state))

    def make_move(self, move: int) -> None:
        """Sow a house, or do nothing if the move is the pass."""
        self.past.append(self.state)
        if move != PASS:
            self.state = self.rules.result(self.state, move)

    def unmake_move(self, move: int) -> None:
        """Take it back."""
        self.state = self.past.pop()

    def is_over(self) -> bool:
        """Return whether the game is over."""
        return self.rules.terminal_test(self.state)

    def scoring(self) -> int:
        """Return the store margin of the player who moves according to easyAI."""
        margin = self.rules.score(self.state)
        return margin if self.current_player == 1 else -margin


class AlternatingKalah(EasyKalah):
    """Kalah without passes: easyAI assumes that the players alternate.

    If a player moves again, easyAI treats this player as the opponent.
    """

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state, self.current_player = state, state[2] + 1

    def possible_moves(self) -> list[int]:
        """Return the houses of the player who moves according to the rules."""
        return list(self.rules.actions(self.state))

    def scoring(self) -> int:
        """Return the store margin of the player who moves according to easyAI."""
        over = self.rules.terminal_test(self.state)
        margin = self.rules.utility(self.state, 0) if over else self.rules.score(self.state)
        return margin if self.current_player == 1 else -margin
