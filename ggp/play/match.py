"""A match: two players, one game, move by move."""

import contextlib
import datetime
import random
import secrets
import time
from collections.abc import Callable
from typing import Literal

import attrs

from ggp import capabilities, repetition
from ggp.errors import ForfeitError, GGPError, IllegalActionError, UsageError
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, Player, State
from ggp.play import background
from ggp.play.clock import UNTIMED, Clock
from ggp.play.players import ChosenAction, Human, Machine, Participant
from ggp.play.pondering import pondering
from ggp.play.records import MOST, Ending, TimeControl
from ggp.searcher import SearchResult


@attrs.frozen
class PlayedMove:
    """A move that was played, by a player or by chance."""

    mover: Player
    before: State
    action: Action
    after: State
    thinking: SearchResult | None = None
    """The player's search result, if it has one."""
    seconds: float = 0.0
    """Seconds that the player took."""


Keeper = Callable[["Match"], None]
"""A function that is called to save a match after each move, after moves are taken back, and when the match ends.
Raises StoreError if the match cannot be saved.
"""


def dice(seed: int, number: int) -> random.Random:
    """Return the dice for move `number`, counted from 0. After an interruption, a resumed game gets the same dice."""
    return random.Random(f"{seed} {number}")


def new_seed() -> int:
    """Return an unpredictable seed."""
    return secrets.randbits(32)


def now() -> str:
    """Return the time in UTC, in the format of records."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@attrs.define
class Match:
    """A game in progress. `step` asks the player who is to move for an action; `play` plays an action that is given.

    Arguments:
        players: MAX's and MIN's player.
        start: the state to begin from.
        seed: seed of the dice; the same players with the same seeds play the same game again.
        timing: the clock; None: no limit.
        keeper: called after each change, before the next move is chosen.
        began: the time of the start, in UTC.
    """

    game: AnyGame
    players: tuple[Participant, Participant]
    start: State
    seed: int = attrs.field(factory=new_seed)
    moves: list[PlayedMove] = attrs.field(factory=list)
    timing: TimeControl | None = None
    keeper: Keeper | None = None
    began: str = attrs.field(factory=now)
    decided: Ending | None = None
    """How the match ended, if something other than the rules ended it."""
    _occurrences: repetition.Occurrences = attrs.field(init=False, eq=False, repr=False)
    _counted: int = attrs.field(init=False, eq=False, repr=False)
    """Number of moves that `_occurrences` has counted."""
    _repeats: bool = attrs.field(init=False, eq=False, repr=False)
    """Whether the last state that was counted ends the game by repetition."""

    def __attrs_post_init__(self) -> None:
        if abs(self.seed) > MOST:
            raise UsageError(f"the seed must be a whole number from {-MOST:,} to {MOST:,}; got {self.seed}")
        self._count_again()

    def _count_again(self) -> None:
        """Count the occurrences of all states again, from the start."""
        self._occurrences = repetition.Occurrences(self.game)
        self._repeats = self._occurrences.add(self.start)
        self._counted = 0

    @property
    def repeated(self) -> bool:
        """Whether the match has ended by repetition."""
        if self._counted > len(self.moves):
            self._count_again()
        # Only new moves are counted: counting all states at every move would make long games quadratic.
        for move in self.moves[self._counted :]:
            self._repeats = self._occurrences.add(move.after)
            self._counted += 1
        return self._repeats and not self.game.terminal_test(self.state)

    @property
    def states(self) -> list[State]:
        """The states from the start to the present one."""
        return [self.start, *(move.after for move in self.moves)]

    @property
    def state(self) -> State:
        """The present state."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.decided is not None or self.game.terminal_test(self.state) or self.repeated

    @property
    def ending(self) -> Ending | None:
        """How the match ended; None before its end."""
        if self.decided or not self.over:
            return self.decided
        utility = self._utility()
        return Ending(how="repetition" if self.repeated else "finished", winner=_favoured(utility), utility=utility)

    @property
    def winner(self) -> Player | None:
        """MAX or MIN once the match is over; None for a draw."""
        return self.decided.winner if self.decided else _favoured(self._utility())

    def _utility(self) -> float:
        """Return MAX's utility of a finished match."""
        if self.repeated:
            return repetition.repetition_value(self.game, self.state)
        return float(self.game.utility(self.state, MAX))

    def clock(self, player: Player) -> Clock:
        """Return the clock of `player` for the next move."""
        if self.timing is None:
            return UNTIMED
        own = [move.seconds for move in self.moves if move.mover == player]
        total, increment = self.timing.game, self.timing.increment
        # Never 0: the player who is out of time still has to move, and then loses.
        left = None if total is None else max(total + increment * len(own) - sum(own), 0.001)
        return Clock(left, self.timing.move, increment)

    def step(self) -> PlayedMove | None:
        """Play one move: the choice of the player whose turn it is, or an outcome of chance.

        Returns: the move; None if the player has lost the match by using too much time, or is a program that failed.

        Raises:
            IllegalActionError: the match is over, or the player chose an illegal action.
            StoreError: the move was played, but could not be saved.
            GGPError, KeyboardInterrupt: raised by the player (see `Participant`).
        """
        if self.over:
            raise IllegalActionError(f"no move is possible in {self._where()}: the game is over")
        mover = self.game.to_move(self.state)
        if mover == CHANCE:
            return self.play(self._roll().action)
        clock, started = self.clock(mover), time.perf_counter()
        # Searches must know the states of the game so far: one of them may come back.
        with repetition.played_before(self.states[:-1]):
            try:
                with self._pondering(mover):
                    choice = self._choice(self.players[mover], clock)
                    ended = time.perf_counter()
            except ForfeitError as error:
                self._decide(Ending(how=error.how, winner=_opponent(mover), reason=str(error)))
                return None
        # Compiling is not thinking: whether code was cached must not decide a game.
        seconds = max(0.0, round(ended - started - choice.compile_seconds, 6))
        if clock.limit is not None and seconds > clock.limit:
            self._decide(Ending(how="time", winner=_opponent(mover)))
            return None
        return self.play(choice.action, choice.thinking, seconds)

    def _choice(self, player: Participant, clock: Clock) -> ChosenAction:
        """Return a player's choice. If a human takes part, a machine does not wait until its search is compiled."""
        if isinstance(player, Machine) and any(isinstance(each, Human) for each in self.players):
            return background.choose(player, self.game, self.state, clock)
        return player.choose(self.game, self.state, clock)

    def _pondering(self, mover: Player) -> contextlib.AbstractContextManager[None]:
        """Let the other side ponder if a human is to move. A program that is to move has the processor for itself."""
        if not isinstance(self.players[mover], Human):
            return contextlib.nullcontext()
        return pondering(self.players, self.game, self.state)

    def play(self, action: Action, thinking: SearchResult | None = None, seconds: float = 0.0) -> PlayedMove:
        """Play `action` for the player to move, and deduct `seconds` from that player's clock.

        Raises:
            IllegalActionError: the action is not legal; the message lists the legal actions.
            RepetitionError: a state has come back, and the game does not declare `repetition`.
            StoreError: the action was played, but could not be saved.
        """
        if self.decided or self.repeated:
            raise IllegalActionError(f"no move is possible in {self._where()}: the game is over")
        before = self.state
        after = capabilities.play(self.game, before, [action])
        # Checked before the move is added, so that a game that breaks its promise leaves the match as it was.
        self._occurrences.require_declared(after)
        move = PlayedMove(self.game.to_move(before), before, action, after, thinking, seconds)
        self.moves.append(move)
        if self.keeper:
            self.keeper(self)
        return move

    def take_back(self, player: Player) -> int:
        """Take back the last move of `player` and all after it.

        Returns: the number of moves taken back.

        Raises:
            UsageError: the player has not moved yet.
        """
        own = [number for number, move in enumerate(self.moves) if move.mover == player]
        if not own:
            raise UsageError(f"{capabilities.player_names(self.game)[player]} has no move to take back")
        taken = len(self.moves) - own[-1]
        del self.moves[own[-1] :]
        self.decided = None
        self._count_again()
        if self.keeper:
            self.keeper(self)
        return taken

    def resign(self, player: Player) -> None:
        """End the match: `player` resigns.

        Raises:
            UsageError: the match is over.
        """
        if self.over:
            raise UsageError(f"{capabilities.player_names(self.game)[player]} cannot resign: the game is over")
        self._decide(Ending(how="resigned", winner=_opponent(player)))

    def _decide(self, ending: Ending) -> None:
        self.decided = ending
        if self.keeper:
            self.keeper(self)

    def _roll(self) -> ChosenAction:
        if not hasattr(self.game, "outcomes"):
            raise GGPError(f"chance is to move in {self._where()}, but {self.game.name} has no method `outcomes`")
        outcomes, weights = zip(*self.game.outcomes(self.state), strict=True)
        # Dice are seeded by the number of the move: after moves are taken back, or in a resumed game, they fall the
        # same.
        return ChosenAction(dice(self.seed, len(self.moves)).choices(outcomes, weights)[0])

    def _where(self) -> str:
        return capabilities.notation(self.game).format_state(self.state)


def _favoured(utility: float) -> Literal[0, 1] | None:
    return MAX if utility > 0 else MIN if utility < 0 else None


def _opponent(player: Player) -> Literal[0, 1]:
    return MIN if player == MAX else MAX
