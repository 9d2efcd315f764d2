"""ggp as an engine: front ends and match runners that others wrote can use any player, in any game.

A line that is not understood changes nothing, and is answered with one line, never with a traceback. A search runs in a
separate thread, so that `stop` and `isready` are read.
"""

import contextlib
import io
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any, ClassVar, TextIO

import attrs

from ggp import capabilities, repetition
from ggp.engine_dialect import Dialect
from ggp.errors import GGPError
from ggp.escapes import escaped, short
from ggp.game import Action, AnyGame, State
from ggp.play.clock import UNTIMED, Clock
from ggp.play.players import Machine, Participant
from ggp.searcher import Limits, Report, TwoSpeed
from ggp_engines.moves import parse_move

LONGEST = 1_000_000
"""Maximum number of characters of a line that are read."""


def lines_of(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; the stream may hold any bytes."""
    with contextlib.suppress(AttributeError, io.UnsupportedOperation):
        stream.reconfigure(errors="replace")  # type: ignore[attr-defined]
    while line := stream.readline(LONGEST):
        yield line


@attrs.define(eq=False)
class EngineServer:
    """A player as an engine; each subclass speaks a protocol."""

    game: AnyGame
    dialect: Dialect
    player: Participant
    output: TextIO = sys.stdout
    states: list[State] = attrs.field(init=False)
    """The states from the start to the present one."""
    _writing: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    _warm: bool = attrs.field(default=False, init=False)

    protocol: ClassVar[str]

    def __attrs_post_init__(self) -> None:
        self.states = [self.game.initial_state()]

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return repetition.is_over(self.game, self.states)

    def write(self, line: str) -> None:
        """Write a line."""
        with self._writing:
            print(escaped(line), file=self.output, flush=True)

    def serve(self, lines: Iterator[str]) -> None:
        """Answer lines until the input ends, or `quit` comes."""
        for line in lines:
            tokens = line.split()
            if self.is_end(tokens):
                break
            try:
                if tokens:
                    self.obey(tokens)
            except BrokenPipeError:
                raise
            except Exception as error:  # of a game or a searcher, too: an engine lives on
                what = str(error) if isinstance(error, GGPError) else f"{type(error).__name__}: {error}"
                self.complain(short(" ".join(what.split()), 400))
        self.leave()

    def is_end(self, tokens: list[str]) -> bool:
        """Return whether the line asks the engine to quit."""
        return tokens[:1] == ["quit"]

    def obey(self, tokens: list[str]) -> None:
        """Carry out a command."""
        raise NotImplementedError

    def complain(self, sentence: str) -> None:
        """Write the reason why a command was not carried out."""
        raise NotImplementedError

    def leave(self) -> None:
        """End the work that is still running."""

    def best_action(self, limits: Limits, clock: Clock = UNTIMED, report: Report | None = None) -> Action:
        """Return the player's action in the present state; if the player is stopped, return the best action so far.

        Raises:
            GGPError, KeyboardInterrupt: the player has found no action.
        """
        with repetition.played_before(self.states[:-1]):
            if not isinstance(self.player, Machine):
                return self.player.choose(self.game, self.state, clock).action
            actions: tuple[Action, ...] = capabilities.legal_actions(self.game, self.state)
            if limits == Limits() and len(actions) == 1:  # only limits ask for a value, too
                return actions[0]
            player = self.player if limits == Limits() else attrs.evolve(self.player, limits=limits)
            result = player.think(self.game, self.state, clock, report)
        if report:
            report(result)
        return result.action

    def warm_up(self) -> None:
        """Compile the search, which takes a second or two, before the first move is needed."""
        player, self._warm = self.player, True
        if isinstance(player, Machine) and isinstance(player.searcher, TwoSpeed) and player.searcher.speed == "auto":
            machine: Any = player.searcher
            with contextlib.suppress(Exception):  # what is not compiled is interpreted
                if os.environ.get("GGP_SPEED") != "interpreted":
                    compiled = attrs.evolve(machine, speed="compiled")
                    attrs.evolve(player, searcher=compiled).think(self.game, self.game.initial_state(), Clock(left=1))

    def read(self, text: str) -> State:
        """Return the state after the move that a text describes. Raises as `parse_move` does."""
        after: State = self.game.result(self.state, parse_move(self.game, self.dialect, self.state, text))
        return after
