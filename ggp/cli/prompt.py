"""Ask a human for a move at the prompt."""

import contextlib
from collections.abc import Callable, Mapping
from typing import TextIO

from ggp import capabilities
from ggp.capabilities import rules
from ggp.cli.console import echo, echo_rows, echo_text, fitted
from ggp.errors import IllegalActionError, NotationError
from ggp.escapes import short
from ggp.game import Action, AnyGame, State
from ggp.opening_book import known_values
from ggp.play import UNTIMED, Clock, Machine
from ggp.play.controller import advise, sure, value_moves
from ggp.show.value_text import value_text

MANY = 12
"""The prompt lists the legal moves if there are at most this many."""

COMMANDS = {
    "hint": "shows the move of a strong player",
    "analyse": "shows the value of each move",
    "rules": "prints the rules",
    "back": "takes your last move back",
    "resign": "resigns the game",
    "quit": "leaves the game; `ggp resume` continues it",
    "?": "shows this",
}
"""Words that can be entered instead of a move in a game, each with its meaning."""


class QuitError(Exception):
    """The human wants to stop."""


class BackError(Exception):
    """The human wants to take back their last move."""


class ResignError(Exception):
    """The human resigns."""


class InputEndedError(Exception):
    """The input has ended."""


LEAVING = {"quit": QuitError, "exit": QuitError, "back": BackError, "undo": BackError, "resign": ResignError}
"""Entries that end the question, with the exception that each raises."""


class Prompt:
    """Asks on standard output and reads from standard input.

    If the input is not a terminal, each line that is read is also printed, so that the output shows the dialogue.

    Arguments:
        adviser: returns the player who gives hints and analyses of a game.
        theme: the hint that is given if there is no adviser; it says what the right move does.
        commands: the words that can be entered instead of a move, each with its meaning.
    """

    def __init__(
        self,
        stream: TextIO,
        quiet: bool,
        adviser: Callable[[AnyGame], Machine] | None = None,
        theme: str = "",
        commands: Mapping[str, str] = COMMANDS,
    ) -> None:
        self._echoes = not stream.isatty()
        self._quiet = quiet
        self._adviser, self._theme, self._commands = adviser, theme, commands
        self._hint = " (? for help)"
        """A hint about the commands, printed with the first question only."""
        with contextlib.suppress(AttributeError):  # bytes that are no text are a wrong move, not a failure
            stream.reconfigure(errors="replace")  # type: ignore[attr-defined]

    def ask(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> Action:
        """Ask the human for an action in `state`. Wrong input is explained, with the legal moves.

        Raises:
            QuitError, BackError, ResignError: the human entered the command of that name.
            InputEndedError, KeyboardInterrupt: the input ended, or Ctrl-C was pressed.
        """
        text = capabilities.notation(game)
        moves = [text.format_action(state, action) for action in capabilities.all_actions(game, state)]
        choice = f" [{' '.join(moves)}]" if len(moves) <= MANY else ""
        left = "" if clock.limit is None else f" ({clock.limit:.0f} s left)"
        if self._quiet:
            echo(text.format_state(state))
        while True:
            question = f"Your move, {capabilities.mover_name(game, state)}{choice}{left}{self._hint}:"
            entry = self.read(f"{fitted(question)} ")
            self._hint = ""
            try:
                return text.parse_action(state, entry)
            except (NotationError, IllegalActionError):
                self._answer(entry.lower(), entry, moves, game, state)

    def _answer(self, word: str, entry: str, moves: list[str], game: AnyGame, state: State) -> None:
        """Print what is wrong with an entry that is not a legal move."""
        if word in LEAVING:
            raise LEAVING[word]
        legal = ", ".join(moves)
        if word in ("?", "help", "h"):
            echo_rows({"moves": legal} | dict(self._commands), indent=2, title=9)
        elif word == "rules":
            echo_text(rules(game) or "this game has no description of its rules")
        elif word == "hint" and self._theme:
            echo_text(f"Theme: {self._theme}.")
        elif word in ("hint", "analyse", "analyze") and self._adviser:
            self._advise(word, self._adviser(game), game, state)
        else:
            echo_text(f"{short(entry, 40)!r} cannot be played here; the moves are {legal} (? for help)")

    def _advise(self, word: str, adviser: Machine, game: AnyGame, state: State) -> None:
        if word == "hint":
            echo_text(advise(adviser, game, state).sentence(game))
            return
        result = value_moves(lambda _: adviser.searcher.analyse(game, state, adviser.limits), game, state)
        if result.stopped == "interrupt":
            raise KeyboardInterrupt
        text, known = capabilities.notation(game), known_values(game, state)
        each = ", ".join(
            f"{text.format_action(state, action)} {'about ' if known and action not in known else ''}"
            + value_text(game, value, exact=result.exact)
            for action, value in (result.values or {}).items()
        )
        echo_text(f"Worth ({sure(result)}): {each}")

    def read(self, question: str) -> str:
        """Print `question` and return the line that the human enters.

        Raises:
            InputEndedError: the input has ended.
        """
        try:
            entry = input(question)
        except EOFError:
            echo()
            raise InputEndedError from None
        if self._echoes:
            echo(entry)
        return entry.strip()

    def agrees(self, question: str) -> bool:
        """Ask the human; return whether the answer is yes. An empty answer means no."""
        try:
            return self.read(f"{question} [y/N] ").lower() in ("y", "yes")
        except InputEndedError:
            return False
