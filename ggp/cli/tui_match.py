"""A match in the terminal app: `ggp play --tui`."""

import sys
from typing import TYPE_CHECKING

from ggp.cli.console import echo
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.keyboard_match import where
from ggp.cli.match_view import MatchView
from ggp.cli.session import Session
from ggp.errors import UsageError
from ggp.play import Match
from ggp.play.controller import Controller

if TYPE_CHECKING:
    from ggp.tui.human_input import HumanInput


def new_input() -> "HumanInput":
    """Return the terminal in which humans are asked for moves.

    Raises:
        UsageError: Textual is not installed, or standard output is not a terminal.
    """
    try:
        import textual  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "textual":
            raise
        raise UsageError("the terminal app needs an extra: pip install 'ggp[tui]'") from None
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UsageError("--tui needs a terminal: standard input and output must not be files or pipes")
    from ggp.tui.human_input import HumanInput

    return HumanInput()


def play_out_in_app(session: Session, human_input: "HumanInput", match: Match, view: MatchView, resumes: str) -> None:
    """Play a match to its end in the app, then print how it ended; see `ggp.cli.keyboard_match.play_out`.

    Raises:
        Stopped: the user left the app before the end.
    """
    from ggp.tui import app, background_match

    try:
        app.run(background_match.AppMatch(Controller(session.registry, match), human_input, view.describe, view.result))
    except KeyboardInterrupt:
        raise Stopped(f"interrupted: the game is not finished, after {where(match, resumes)}", INTERRUPTED) from None
    if not match.over:
        raise Stopped(f"you quit after {where(match, resumes)}", 0)
    echo(view.result(match))
