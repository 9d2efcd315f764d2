"""Let a match wait for a human's entries. The match and the app run in different threads."""

import queue
from typing import Literal

from ggp.game import Action, AnyGame, State
from ggp.play import UNTIMED, Clock

Command = Literal["back", "resign", "quit"]


class CommandError(Exception):
    """The human has given a command instead of a move."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.command: Command = command


class HumanInput:
    """Asks a human for a move, for `ggp.play.make_player`, and waits for the answer."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[CommandError | tuple[Action]] = queue.SimpleQueue()
        self._asked = False

    @property
    def waits(self) -> bool:
        """Whether a move is awaited."""
        return self._asked

    def ask(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> Action:
        """Return the action that the human chooses.

        Raises:
            CommandError: the human gave a command instead.
        """
        self._asked = True
        answer = self._answers.get()
        self._asked = False
        if isinstance(answer, CommandError):
            raise answer
        return answer[0]

    def play(self, action: Action) -> None:
        """Answer the question with an action. If no question is open, do nothing."""
        if self._asked:
            self._asked = False  # one answer to one question
            self._answers.put((action,))

    def command(self, command: Command) -> None:
        """Answer the question with a command. The command to quit works at any time."""
        if self._asked or command == "quit":
            self._asked = False
            self._answers.put(CommandError(command))
