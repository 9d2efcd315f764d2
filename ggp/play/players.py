"""Players: a human, a searcher, or the moves of a record. `ggp.play.player_parser` creates players from text."""

import random
from collections.abc import Callable, Mapping
from typing import ClassVar, Protocol

import attrs

from ggp import capabilities
from ggp.errors import GGPError, RecordError
from ggp.game import MAX, Action, AnyGame, Scored, State
from ggp.play.clock import UNTIMED, Clock, TimeManager
from ggp.searcher import Limits, Report, Searcher, SearchResult, Tying, stop_requested, stop_when

HUMAN = "human"
"""The text that stands for a human player."""

DEFAULT_LIMITS = Limits(seconds=1)
"""Limits for each move of a searcher for which no limits were given."""


@attrs.frozen
class ChosenAction:
    """A player's choice: an action, and the search result behind it."""

    action: Action
    thinking: SearchResult | None = None

    @property
    def compile_seconds(self) -> float:
        """Seconds spent compiling, which do not count as time for the move."""
        return self.thinking.statistics.compile_seconds if self.thinking else 0.0


class Participant(Protocol):
    """A participant in a match."""

    @property
    def name(self) -> str:
        """The player's name in reports."""

    @property
    def text(self) -> str:
        """The player as written on the command line, with its seeds: this text makes a player that plays the same."""

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """Return a legal action of `state`, in which this player is to move.

        Raises:
            GGPError: the player found no action.
            KeyboardInterrupt: the user pressed Ctrl-C.
        """


class Serving(Protocol):
    """Capability of a participant: it holds a resource for a game, such as the process of an engine."""

    def begin(self) -> None:
        """Start the player's resources. Without this call, the first call of `choose` starts them.

        Raises:
            GGPError: the resources cannot be started.
        """

    def close(self) -> None:
        """Release the player's resources; if the player moves again, they are started again."""


class PlayerKind(Participant, Protocol):
    """A kind of player other than a searcher. A plugin offers its class with the hook `ggp_players`. The class's `name`
    is the part before the colon in what a user types: `uci` in `uci:fairy-stockfish`.
    """

    written: ClassVar[str]
    """How such a player is written: `uci:COMMAND?OPTION=VALUE,...`."""

    @classmethod
    def parse(cls, rest: str, game: AnyGame, *, seed: int, name: str) -> Participant:
        """Return the player that the text after the colon describes.

        Raises:
            UsageError: the text is wrong, or the player cannot play the game.
        """


def begin(player: Participant) -> None:
    """Start the resources that a player needs, if it needs any. Raises as `Serving.begin` does."""
    if hasattr(player, "begin"):
        player.begin()


def close(player: Participant) -> None:
    """Release a player's resources, if it has any."""
    if hasattr(player, "close"):
        player.close()


Ask = Callable[[AnyGame, State, Clock], Action]
"""`ask(game, state, clock)` returns the action that a human wants to play."""


@attrs.frozen
class Human:
    """A human player, asked for each move."""

    ask: Ask
    name: str = HUMAN

    @property
    def text(self) -> str:
        """See `Participant`."""
        return HUMAN if self.name == HUMAN else f"{HUMAN}:name={self.name}"

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `Participant`."""
        return ChosenAction(self.ask(game, state, clock))


Ties = Callable[[AnyGame, State, tuple[Action, ...]], Action]
"""`ties(game, state, actions)` chooses among actions that a search found to be equally good."""


@attrs.frozen
class Machine:
    """A searcher that plays within limits, which apply to each move."""

    searcher: Searcher
    limits: Limits = DEFAULT_LIMITS
    name: str = attrs.field(default=attrs.Factory(lambda self: self.searcher.name, takes_self=True))
    text: str = attrs.field(default=attrs.Factory(lambda self: self.name, takes_self=True))
    ties: Ties | None = None
    """A function that chooses among equally good actions; None: the searcher chooses."""
    weak: "Weak | None" = None
    """Replaces a share of the actions by random ones; if None, no action is replaced."""
    manages: bool = True
    """Whether the player spends the time of a game on the moves that need it. If not, each move gets the same share of
    the time.
    """

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `Participant`. If only one action is legal, it is chosen at once."""
        if len(actions := capabilities.legal_actions(game, state)) == 1:
            return ChosenAction(actions[0])
        result = self.think(game, state, clock)
        if result.stopped == "interrupt":
            raise KeyboardInterrupt
        return ChosenAction(result.action, result)

    def think(self, game: AnyGame, state: State, clock: Clock = UNTIMED, report: Report | None = None) -> SearchResult:
        """Return the result of the search behind the player's choice; `report` is called with the result of each
        iteration.

        Raises:
            GGPError: the player found no action.
        """
        slip = self.weak(game, state) if self.weak else None
        choice = self._on_clock(self._find(slip is not None), game, state, clock, report)
        if choice.action is None and choice.stopped == "interrupt":
            raise KeyboardInterrupt
        if choice.action is None:
            raise GGPError(f"{self.name} has found no move within its limits: give it more time, or more nodes")
        if slip is not None:
            value = choice.values[slip] if choice.values else choice.value
            return attrs.evolve(_preferring(choice, slip), value=value)
        if self.ties and choice.best_actions:
            choice = _preferring(choice, self.ties(game, state, choice.best_actions))
        return choice

    def _find(self, with_values: bool) -> Callable[..., SearchResult]:
        """Return the method of the searcher to call: one that finds all values, all equally good actions, or a single
        action.
        """
        if with_values:
            return self.searcher.analyse
        if not self.ties:
            return self.searcher.search
        # Without the capability, ties need exact values of all moves: a bound equal to the best value is no tie.
        return self.searcher.search_ties if isinstance(self.searcher, Tying) else self.searcher.analyse

    def _on_clock(
        self, find: Callable[..., SearchResult], game: AnyGame, state: State, clock: Clock, report: Report | None
    ) -> SearchResult:
        """Return the result of a search; if the player has a clock for the whole game, a time manager ends it."""
        managed = self.manages and self.ties is None  # a manager would end the search for ties at once
        if clock.left is None or clock.budget is None or self.limits != DEFAULT_LIMITS or not managed:
            return find(game, state, self._limits(clock), report=report)
        manager = TimeManager(clock.budget, only=len(capabilities.legal_actions(game, state)) == 1)

        def look(result: SearchResult) -> None:
            manager.look(result)
            if report:
                report(result)

        with stop_when(manager.enough):
            result = find(game, state, Limits(seconds=clock.longest), report=look)
        mine = manager.ended and result.stopped == "interrupt" and not stop_requested()
        return attrs.evolve(result, stopped="seconds") if mine else result

    def _limits(self, clock: Clock) -> Limits:
        """Return the player's own limits, shortened to the time on the clock."""
        if clock.budget is None:
            return self.limits
        # A player without limits of its own uses the whole budget of the clock.
        if self.limits == DEFAULT_LIMITS:
            return Limits(seconds=clock.budget)
        own = self.limits.seconds
        return attrs.evolve(self.limits, seconds=clock.budget if own is None else min(own, clock.budget))


def _preferring(result: SearchResult, action: Action) -> SearchResult:
    """Return the result with another action; the principal variation is then this action alone."""
    if action == result.action:
        return result
    return attrs.evolve(result, action=action, principal_variation=(action,))


@attrs.frozen
class AtRandom:
    """Chooses among equally good actions at random, each with the same probability. The same seed and state give the
    same choice.
    """

    seed: int

    def __call__(self, game: AnyGame, state: State, actions: tuple[Action, ...]) -> Action:
        # Seeded by the state, not by a running generator: a resumed game continues with the same choices.
        return random.Random(f"{self.seed} {state!r}").choice(actions)


@attrs.frozen
class Weak:
    """Plays a share of the moves at random, which makes a player weak. The same seed and state give the same moves."""

    share: float
    """From 0 to 1."""
    seed: int

    def __call__(self, game: AnyGame, state: State) -> Action:
        """Return a random action with the probability `share`; otherwise None."""
        # Seeded by the state, see `AtRandom`; and by another word, so that both choose independently.
        dice = random.Random(f"weak {self.seed} {state!r}")
        return dice.choice(capabilities.legal_actions(game, state)) if dice.random() < self.share else None


def by_score(game: AnyGame, state: State, actions: tuple[Action, ...]) -> Action:
    """Return the action with the best score for the player to move; the first such action if there are several."""
    if not isinstance(game, Scored):
        raise GGPError(f"{game.name} has no score by which to break ties")
    sign = 1 if game.to_move(state) == MAX else -1
    return max(actions, key=lambda action: sign * game.score(game.result(state, action)))


@attrs.frozen
class Replayed:
    """A player that plays the moves of a record."""

    actions: Mapping[State, Action] = attrs.field(repr=False)
    """The action for each state of the record."""
    name: str = "replay"
    text: str = "replay"

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `Participant`."""
        if state not in self.actions:
            where = capabilities.notation(game).format_state(state)
            raise RecordError(f"{self.name} has no move in {where}: the position is not in the record")
        return ChosenAction(self.actions[state])
