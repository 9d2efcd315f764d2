"""A match: two players, one game, move by move."""

import random
from typing import Any

import attrs

from ggp import capabilities
from ggp.errors import GGPError, IllegalActionError
from ggp.game import CHANCE, MAX, MIN, Game, Player
from ggp.play.players import Choice, Participant
from ggp.searcher import SearchResult


@attrs.frozen
class Move:
    """A move that was played, by a player or by chance."""

    mover: Player
    before: Any
    action: Any
    after: Any
    thinking: SearchResult | None = None
    """What the player thought, if it tells."""


@attrs.define
class Match:
    """A game in progress. `step` asks whoever is to move; `play` plays a given action.

    Arguments:
        players: MAX's and MIN's.
        start: the state to begin from.
        dice: how chance moves; seed it to have the same game again.
    """

    game: Game[Any, Any]
    players: tuple[Participant, Participant]
    start: Any
    dice: random.Random = attrs.field(factory=random.Random)
    moves: list[Move] = attrs.field(factory=list)

    @property
    def state(self) -> Any:
        """The present state."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.terminal_test(self.state)

    @property
    def winner(self) -> Player | None:
        """MAX or MIN once the game is over; None for a draw."""
        utility = self.game.utility(self.state, MAX)
        return MAX if utility > 0 else MIN if utility < 0 else None

    def step(self) -> Move:
        """Let whoever is to move play, chance included.

        Raises:
            IllegalActionError: the game is over, or the player wants what the rules forbid.
            GGPError, KeyboardInterrupt: from the player (see `Participant`).
        """
        if self.over:
            raise IllegalActionError(f"nobody is to move in {self._where()}: the game is over")
        mover = self.game.to_move(self.state)
        choice = self._roll() if mover == CHANCE else self.players[mover].choose(self.game, self.state)
        return self.play(choice.action, choice.thinking)

    def play(self, action: Any, thinking: SearchResult | None = None) -> Move:
        """Play `action` for whoever is to move.

        Raises:
            IllegalActionError: the rules forbid it; the message says what they allow.
        """
        before = self.state
        after = capabilities.play(self.game, before, [action])
        move = Move(self.game.to_move(before), before, action, after, thinking)
        self.moves.append(move)
        return move

    def _roll(self) -> Choice:
        if not hasattr(self.game, "outcomes"):
            raise GGPError(f"chance is to move in {self._where()}, but {self.game.name} tells no outcomes")
        outcomes, weights = zip(*self.game.outcomes(self.state), strict=True)
        return Choice(self.dice.choices(outcomes, weights)[0])

    def _where(self) -> str:
        return capabilities.notation(self.game).format_state(self.state)
