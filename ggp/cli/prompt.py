"""Asking a human for a move."""

import contextlib
from typing import Any, TextIO

import click

from ggp import capabilities
from ggp.cli.words import hanging
from ggp.errors import IllegalActionError, NotationError
from ggp.game import Game
from ggp.play.clock import UNTIMED, Clock

MANY = 12
"""With no more legal moves than this, the prompt lists them."""


class QuitError(Exception):
    """The human wants to stop."""


class InputEndedError(Exception):
    """There is nothing more to read."""


class Prompt:
    """Asks on standard output and reads from standard input.

    Where the input is no terminal, what was read is printed too, so that the output reads like the dialogue.
    """

    def __init__(self, stream: TextIO, quiet: bool) -> None:
        self._echoes = not stream.isatty()
        self._quiet = quiet
        with contextlib.suppress(AttributeError):  # bytes that are no text are a wrong move, not a failure
            stream.reconfigure(errors="replace")  # type: ignore[attr-defined]

    def ask(self, game: Game[Any, Any], state: Any, clock: Clock = UNTIMED) -> Any:
        """The action that the human wants in `state`. What is wrong is answered with what is right.

        Raises:
            QuitError, InputEndedError, KeyboardInterrupt: there is no answer.
        """
        text = capabilities.notation(game)
        moves = [text.format_action(state, action) for action in game.actions(state)]
        choice = f" [{' '.join(moves)}]" if len(moves) <= MANY else ""
        if self._quiet:
            click.echo(text.format_state(state))
        while True:
            entry = self.read(f"Your move, {capabilities.mover_name(game, state)}{choice}: ")
            try:
                return text.parse_action(state, entry)
            except (NotationError, IllegalActionError):
                self._answer(entry, moves)

    def _answer(self, entry: str, moves: list[str]) -> None:
        """What follows an entry that is no legal move."""
        if entry.lower() in ("quit", "exit"):
            raise QuitError
        legal = ", ".join(moves)
        if entry.lower() in ("?", "help", "h"):
            lines = [*hanging("  moves", legal, 9), "  ?      shows this", "  quit   ends the game"]
        else:
            shown = entry if len(entry) <= 40 else entry[:37] + "..."
            lines = list(hanging("", f"{shown!r} cannot be played here; the moves are {legal} (? for help)", 0))
        click.echo("\n".join(lines))

    def read(self, question: str) -> str:
        """What the human answers to `question`, in one line.

        Raises:
            InputEndedError: there is nothing more to read.
        """
        try:
            entry = input(question)
        except EOFError:
            click.echo()
            raise InputEndedError from None
        if self._echoes:
            click.echo(entry)
        return entry.strip()


def wants_another(prompt: Prompt) -> bool:
    """Whether the human wants to play again."""
    try:
        return prompt.read("\nPlay again? [y/N] ").lower() in ("y", "yes")
    except InputEndedError:
        return False
