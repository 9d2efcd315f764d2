"""Where a match waits for what a human wants: the match runs in a thread of its own, the app in another."""

import queue
from typing import Any, Literal

from ggp.game import Action, AnyGame, State
from ggp.play import UNTIMED, Clock

Command = Literal["back", "resign", "quit"]


class CommandError(Exception):
    """The human wants something else than to move."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.command: Command = command


class HumanInput:
    """Asks a human for a move, for `ggp.play.make_player`, and waits for the answer."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._asked = False

    @property
    def waits(self) -> bool:
        """Whether a move is waited for."""
        return self._asked

    def ask(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> Any:
        """Return the action that the human wants.

        Raises:
            CommandError: the human wants something else.
        """
        self._asked = True
        answer = self._answers.get()
        self._asked = False
        if isinstance(answer, CommandError):
            raise answer
        return answer[0]

    def play(self, action: Action) -> None:
        """Answer with an action."""
        if self._asked:
            self._asked = False  # one answer to one question
            self._answers.put((action,))

    def command(self, command: Command) -> None:
        """Answer that something else is wanted; to quit is heard at any time."""
        if self._asked or command == "quit":
            self._asked = False
            self._answers.put(CommandError(command))
