"""Play a match at the keyboard from its present state to its end; each move is saved in the store."""

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Protocol

import click

from ggp.cli.console import echo, echo_line, say
from ggp.cli.failure import FAILURE, INTERRUPTED, Stopped
from ggp.cli.match_view import MatchView, moves_text
from ggp.cli.number_options import CommandT
from ggp.cli.prompt import BackError, InputEndedError, Prompt, QuitError, ResignError
from ggp.cli.session import Session
from ggp.errors import StoreError, UsageError
from ggp.game import Action, AnyGame, State
from ggp.number_text import many
from ggp.play import UNTIMED, Clock, Match, Participant, make_player
from ggp.play.controller import has_human, take_back, usual_adviser
from ggp.play.match import PlayedMove
from ggp.play.store import Store, open_store, store_match


def takes_store(command: CommandT) -> CommandT:
    """Add `--store`."""
    return click.option(
        "--store",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help="Database of recorded games (default: $GGP_STORE, or one in the user's data directory).",
    )(command)


def prompt_for(session: Session, quiet: bool) -> Prompt:
    """Return the prompt that asks the human for moves; a strong level gives hints."""
    return Prompt(sys.stdin, quiet, functools.partial(usual_adviser, session.registry))


class Asker(Protocol):
    """Interface of the prompt and of the terminal app, either of which asks a human for moves."""

    def ask(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> Action: ...


def new_player(
    session: Session, text: str, game: AnyGame, asker: Asker, *, seed: int | None = None, name: str | None = None
) -> Participant:
    """Return the player that `text` describes, as `make_player` does."""
    return make_player(session.registry, text, game, asker.ask, seed=seed, name=name)


@contextlib.contextmanager
def opened(store: str | None, wanted: bool, asks: Callable[[str], bool] | None) -> Iterator[Store | None]:
    """Open the store. Yield None if no store is wanted, or if the store cannot be opened and the user continues without
    it.

    Arguments:
        store: the file named by the user.
        asks: asks a human a question; None if no human can be asked.
    """
    if not wanted:
        yield None
        return
    with contextlib.ExitStack() as stack:
        try:
            opened_store: Store | None = stack.enter_context(open_store(store))
        except StoreError as error:
            _without(error, asks, stops=store is not None)
            opened_store = None
        yield opened_store


def start_recording(store: Store | None, match: Match, named: bool, asks: Callable[[str], bool] | None) -> None:
    """Record the match in the store; if that fails, ask whether to continue without recording."""
    if store:
        try:
            store_match(store, match)
        except StoreError as error:
            _without(error, asks, stops=named)


def _without(error: StoreError, asks: Callable[[str], bool] | None, stops: bool) -> None:
    """Print that the game cannot be saved, and ask whether to continue.

    Raises:
        Stopped: the user declines; or the user cannot be asked, and `stops` is true.
    """
    if asks:
        say(str(error))
        if not asks("Continue without saving the game?"):
            raise Stopped("the game could not be saved, and you chose not to continue", FAILURE)
    elif stops:
        raise Stopped(f"{error}; or play with --no-store", FAILURE)
    else:
        say(f"warning: the game is not saved: {error}")


LONGEST = 10_000
"""Number of moves after which an unfinished game is given up."""


def play_out(prompt: Prompt, match: Match, view: MatchView, resumes: str) -> None:
    """Play a match to its end, and show each position.

    Arguments:
        resumes: the command that resumes the match later.

    Raises:
        Stopped: the user left before the end.
    """
    try:
        view.show_board(match)
        while not match.over:
            if len(match.moves) >= LONGEST:
                raise Stopped(f"the game is not over after {where(match, resumes)}: it may have no end", FAILURE)
            _turn(match, view, prompt)
    except QuitError:
        raise Stopped(f"you quit after {where(match, resumes)}", 0) from None
    except InputEndedError:
        raise Stopped(f"the input ended before the game did, after {where(match, resumes)}", FAILURE) from None
    except KeyboardInterrupt:
        echo(err=True)  # the terminal's ^C stands alone
        location = where(match, resumes)
        raise Stopped(f"interrupted: the game is not finished, after {location}", INTERRUPTED) from None
    echo_line(view.result(match))


def _turn(match: Match, view: MatchView, prompt: Prompt) -> None:
    """Play one move, or carry out a command that the human entered."""
    mover, before = match.game.to_move(match.state), len(match.moves)
    try:
        _safely(match, prompt, match.step)
    except BackError:
        _back(match, prompt)
    except ResignError:
        _safely(match, prompt, lambda: match.resign(mover))
        return
    if len(match.moves) > before:
        view.show_move(match.moves[-1])
    view.show_board(match)


def _back(match: Match, prompt: Prompt) -> None:
    before = len(match.moves)
    try:
        _safely(match, prompt, lambda: take_back(match))
    except UsageError as error:
        echo(f"{error}")
        return
    echo(f"Taken back: {many(before - len(match.moves), 'move')}.")


def _safely(match: Match, prompt: Prompt, act: Callable[[], PlayedMove | int | None]) -> None:
    """Change the match by `act`; if the change cannot be saved, ask whether to continue without saving."""
    try:
        act()
    except StoreError as error:
        if match.keeper is None:
            raise
        _without(error, prompt.agrees if has_human(match) else None, stops=True)
        match.keeper = None


def where(match: Match, resumes: str) -> str:
    """Return a clause that says how many moves were played, and how to continue the game."""
    going_on = f"; {resumes} continues it" if match.keeper else ""
    return f"{moves_text(match)}{going_on}"


def resume_command(session: Session, store: str | None) -> str:
    """Return the command that resumes a stored game."""
    return f"`{session.program()} resume{f' --store {store}' if store else ''}`"
