"""Background work of the app: the match in one thread, and searches for advice in others."""

import functools
import threading
from collections.abc import Callable

import attrs

from ggp.errors import GGPError, StoreError, UsageError
from ggp.game import State
from ggp.number_text import many
from ggp.play import Match, PlayedMove
from ggp.play.controller import Controller, last_own, take_back, value_moves
from ggp.searcher import Limits, SearchResult, stop_when
from ggp.tui.human_input import Command, CommandError, HumanInput

MOVES = 3
"""Maximum number of moves in the list of moves since the human's last one."""
ANALYSED = Limits(seconds=20, nodes=100_000_000)
"""Limits of an analysis of the position."""

Tell = Callable[[str], None]
"""Shows a text to the human."""


@attrs.frozen
class AppMatch:
    """A match in a thread, with its messages to the app and its questions to humans."""

    controller: Controller
    human_input: HumanInput
    """Makes the match wait for a human's entries."""
    describe: Callable[[PlayedMove], str]
    """Returns a move in words."""
    result: Callable[[Match], str]
    """Returns how the match ended, in words."""

    @property
    def match(self) -> Match:
        """The present match."""
        return self.controller.match


class BackgroundMatch:
    """A match that runs in the background until it is over or left.

    Arguments:
        happened: called after every change, with a description of it.
        ended: called when the match stops before its end.
    """

    def __init__(self, app_match: AppMatch, happened: Tell, ended: Callable[[], None]) -> None:
        self.failure: BaseException | None = None
        """The unexpected error that ended the match; None if no error ended it."""
        self._app_match = app_match
        self._happened = happened
        self._ended = ended
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ggp-match", daemon=True)

    @property
    def left(self) -> bool:
        """Whether the human has left."""
        return self._leaving.is_set()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def leave(self) -> None:
        """End the match, and with it its searches and its questions to the human."""
        self._leaving.set()
        self._app_match.human_input.command("quit")

    def join(self) -> None:
        """Wait until the match has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        try:
            with stop_when(self._leaving.is_set):
                while not self._app_match.match.over:
                    self._turn()
        except (KeyboardInterrupt, CommandError):
            self._end()
        except Exception as error:
            self.failure = error
            self._end()

    def _end(self) -> None:
        if not self.left:
            self._ended()

    def _turn(self) -> None:
        """Play one move, or carry out the human's command."""
        match = self._app_match.match
        mover, before = match.game.to_move(match.state), len(match.moves)
        sentence = ""
        try:
            match.step()
        except CommandError as error:
            if error.command == "quit":
                raise
            sentence = self._grant(error.command, mover)
        except StoreError as error:
            match.keeper = None
            sentence = f"The game is no longer saved: {error}"
        if len(match.moves) > before:
            since = match.moves[(last_own(match) or 0) + 1 :] or match.moves[-1:]  # the other may move twice
            sentence = "\n".join([*map(self._app_match.describe, since[-MOVES:]), sentence]).strip()
        self._happened(sentence)

    def _grant(self, command: Command, mover: int) -> str:
        match = self._app_match.match
        try:
            if command == "resign":
                match.resign(mover)
                return ""
            taken = take_back(match)
        except UsageError as error:
            return f"{error}."
        return f"Taken back: {many(taken, 'move')}."


def hint(app_match: AppMatch, current: Callable[[], bool], tell: Tell) -> None:
    """Report the move that the adviser would play, if the position is still the current one."""
    _aside(lambda: tell(f"{app_match.controller.hint().sentence(app_match.match.game)}."), current, tell)


def analyse(
    app_match: AppMatch, current: Callable[[], bool], report: Callable[[State, SearchResult], None], tell: Tell
) -> None:
    """Report the value of each move at growing depths, as long as the position is the current one."""
    game, state = app_match.match.game, app_match.match.state

    def think() -> None:
        searcher = app_match.controller.analyst
        if searcher:
            find = functools.partial(searcher.analyse, game, state, ANALYSED)
            result = value_moves(lambda look: find(report=look), game, state, lambda result: report(state, result))
            report(state, result)

    _aside(think, current, tell)


def _aside(think: Callable[[], None], current: Callable[[], bool], tell: Tell) -> None:
    """Run `think` in another thread; it is stopped when the position is no longer the current one."""

    def run() -> None:
        try:
            with stop_when(lambda: not current()):
                think()
        except KeyboardInterrupt:
            return
        except GGPError as error:
            tell(str(error))

    threading.Thread(target=run, name="ggp-advice", daemon=True).start()
