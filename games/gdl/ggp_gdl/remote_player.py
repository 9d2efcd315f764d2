"""Players of other programs that use the GGP protocol: `gdl:HOST:PORT?start=10,play=5`.

The rule for failures: a player loses the game if it cannot be reached, is busy, is late by more than `GRACE`, or
answers with an illegal move.
"""

import http.client
import itertools
import re
import secrets
from collections.abc import Iterable
from typing import ClassVar

import attrs

from ggp import capabilities, repetition
from ggp.errors import ForfeitError, UsageError
from ggp.escapes import escaped, short
from ggp.game import Action, AnyGame, State
from ggp.options import build, option, parse_options, split_options
from ggp.play.clock import UNTIMED, Clock
from ggp.play.players import ChosenAction
from ggp_gdl.description import DescriptionError, Term, format_term, parse, parse_terms
from ggp_gdl.game import AnyDescribed, DescribedGame
from ggp_gdl.play import Referee, referee_of
from ggp_gdl.protocol import CONTENT, PORT

GRACE = 2.0
"""Seconds by which an answer may be late."""
LARGEST = 10_000
"""Maximum number of bytes of an answer that are read."""


@attrs.frozen
class Clocks:
    """The clocks of a match, in seconds."""

    start: int = option(10, "seconds to get ready", minimum=1)
    play: int = option(5, "seconds for a move", minimum=1)


@attrs.define(eq=False, slots=False)
class RemotePlayer:
    """A player at an address, which is asked for each move by HTTP."""

    name: str
    text: str
    address: tuple[str, int]
    clocks: Clocks
    game: AnyDescribed
    _match: str = attrs.field(default="", init=False)
    """The name of the match that was begun; "" if no match was begun."""
    _states: tuple[State, ...] = attrs.field(default=(), init=False)
    """The states for which moves were sent to the player."""

    written: ClassVar[str] = "gdl:HOST:PORT?start=SECONDS,play=SECONDS"

    @classmethod
    def parse(cls, rest: str, game: AnyGame, *, seed: int, name: str) -> "RemotePlayer":
        """Return the player at `HOST:PORT`. See `ggp.play.players.PlayerKind`."""
        where, _, options = rest.partition("?")
        matched = re.fullmatch(r"(?:http://)?(\[[0-9a-fA-F:]+\]|[\w.-]+)(?::(\d{1,5}))?/?", where)
        if matched is None or not 0 < int(matched[2] or PORT) < 65536:
            raise UsageError(f"{short(where)!r} is not the address of a player: write {cls.written}")
        if not isinstance(game, DescribedGame):
            raise UsageError(
                f"{game.name} is not described in GDL, which players of the GGP protocol require: play one of `ggp"
                " gdl list`, or a file from `ggp gdl write`"
            )
        clocks = build(Clocks, "gdl", parse_options(Clocks, "gdl", split_options(options)))
        return cls(name, f"gdl:{rest}", (matched[1].strip("[]"), int(matched[2] or PORT)), clocks, game)

    def close(self) -> None:
        """End the match."""
        if self._match:
            match, self._match, self._states = self._match, "", ()
            try:
                self._ask(f"(stop {match} nil)", 1)
            except ForfeitError:  # it may have gone, and the game is over
                return

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.players.Participant`."""
        states = (*repetition.states_played(), state)
        seconds = self.clocks.play if clock.limit is None else max(1, int(clock.limit))
        if not self._match or self._states != states[: len(self._states)]:
            self.close()
            self._begin(states[0], game.to_move(state), seconds)
            answer = self._play("nil", seconds)
        for before, after in itertools.pairwise(states[max(len(self._states) - 1, 0) :]):
            answer = self._play(self._moves(before, after), seconds)
        self._states = states
        return ChosenAction(self._action(state, answer))

    @property
    def _referee(self) -> Referee:
        return referee_of(self.game.text)

    def _begin(self, start: State, mover: int, seconds: int) -> None:
        """Send the description; the facts of the state take the place of the initial facts."""
        game = self.game
        self._match = f"ggp-{secrets.token_hex(8)}"
        rules: list[Term] = [*parse(game.text)]
        if start != game.initial_state():
            initial = [("init", fact) for fact in game.facts(start)]
            rules = [*(rule for rule in rules if not _is_initial(rule)), *initial]
        description = " ".join(map(format_term, rules))
        role = self._referee.role(mover)
        answer = self._ask(
            f"(start {self._match} {role} ({description}) {self.clocks.start} {seconds})", self.clocks.start
        )
        if answer.lower() == "busy":
            self._match = ""
            raise ForfeitError(f"{self.name} is busy with another match")

    def _moves(self, before: State, after: State) -> str:
        """Return the moves of all roles that lead from the state `before` to the state `after`, as text in GDL."""
        game = self.game
        action = next(each for each in capabilities.legal_actions(game, before) if game.result(before, each) == after)
        position = self._referee.position(frozenset(game.facts(before)))
        mover = self._referee.role(position.mover)
        moves = [game.move_of(action) if role == mover else legal[0] for role, legal in position.moves.items()]
        return f"({' '.join(map(format_term, moves))})"

    def _play(self, moves: str, seconds: int) -> str:
        return self._ask(f"(play {self._match} {moves})", seconds)

    def _action(self, state: State, answer: str) -> Action:
        game = self.game
        try:
            terms: tuple[Term, ...] = parse_terms(answer)
        except DescriptionError:
            terms = ()
        legal: Iterable[Action] = capabilities.legal_actions(game, state)
        for action in legal:
            if terms == (game.move_of(action),):
                return action
        where = game.format_state(state)
        raise ForfeitError(f"{self.name} played {short(escaped(answer), 100)!r}, which is not legal in {where}")

    def _ask(self, text: str, seconds: float) -> str:
        """Return the player's answer to a message.

        Raises:
            ForfeitError: no answer comes in time.
        """
        connection = http.client.HTTPConnection(*self.address, timeout=seconds + GRACE)
        try:
            connection.request("POST", "/", text.encode(), {"Content-Type": CONTENT, "Accept": CONTENT})
            return connection.getresponse().read(LARGEST).decode(errors="replace").strip()
        except TimeoutError:
            raise ForfeitError(f"{self.name} has not answered within {seconds:g} s") from None
        except (OSError, http.client.HTTPException) as error:
            raise ForfeitError(f"{self.name} cannot be reached: {error or type(error).__name__}") from None
        finally:
            connection.close()


RemotePlayer.name = "gdl"  # the kind, as a user writes it; each player has a name of its own


def _is_initial(rule: Term) -> bool:
    """Return whether a rule gives facts of the initial state."""
    head = rule[1] if rule[0] == "<=" else rule
    return head[0] == "init"
