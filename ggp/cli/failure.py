"""Report failures of a command: one sentence on standard error, and the exit status."""

import contextlib
import errno
import os
import re
import sys
import traceback

import attrs
import click

from ggp.cli.console import echo, say
from ggp.cli.help import usage
from ggp.cli.session import Session
from ggp.errors import GGPError, UsageError, did_you_mean
from ggp.searcher import Limits

FAILURE, USAGE, INTERRUPTED = 1, 2, 130


class Stopped(GGPError):
    """Raised to end the command early, with a sentence and an exit status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def report(error: BaseException, session: Session) -> int:
    """Print `error` on standard error and return the exit status.

    After Ctrl-C, any failure counts as a consequence of Ctrl-C. In `ggp match ... | tee log`, for example, Ctrl-C also
    ends `tee`, and then the report cannot be written.
    """
    if _is_broken_pipe(error):
        _reader_is_gone()
        return INTERRUPTED if session.interrupted else FAILURE
    if session.traceback:
        echo("".join(traceback.format_exception(error)).rstrip(), err=True)
    sentence, status = error_sentence(error, session)
    if session.interrupted and status == FAILURE and not isinstance(error, Stopped):
        sentence, status = "interrupted", INTERRUPTED  # whatever failed then, failed because of Ctrl-C
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    say(" ".join(sentence.split()))
    return status


def error_sentence(error: BaseException, session: Session) -> tuple[str, int]:
    """Return the sentence and the exit status for an error."""
    match error:
        case Stopped():
            return str(error), error.status
        case UsageError():
            return str(error), USAGE
        case GGPError():
            return str(error), FAILURE
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else "ggp"
            text = _asked_wrongly(error, session)
            return text if text.endswith(
                ("?)", "=VALUE")
            ) else f"{text} (see {path} --help)", USAGE  # a proposal is enough
        case click.ClickException():
            return error.format_message(), FAILURE
        case click.Abort():
            return "interrupted", INTERRUPTED
    return _unforeseen(error, session), FAILURE


def _asked_wrongly(error: click.UsageError, session: Session) -> str:
    if isinstance(error, click.NoSuchOption):
        if error.option_name[1:2].isdigit():
            return f"unknown option {error.option_name} (negative numbers are not accepted here)"
        parameters = error.ctx.command.get_params(error.ctx) if error.ctx else []
        names = [text for each in parameters for text in each.opts if text.startswith("-")]
        arguments = {each.name for each in parameters if isinstance(each, click.Argument)}
        name = error.option_name.lstrip("-")
        if error.ctx and name in arguments:
            return f"{name.upper()} is written without {error.option_name}: type {usage(error.ctx)}"
        proposal = _written_elsewhere(name, names, session) or did_you_mean(error.option_name, names)
        return f"unknown option {error.option_name}{proposal}"
    if isinstance(error, click.MissingParameter) and error.param and error.ctx:
        name = error.param.make_metavar(error.ctx)
        if isinstance(error.param, click.Option):
            return f"{error.param.opts[0]} {name} is missing"
        return f"{name} is missing: type {usage(error.ctx)}"
    text = error.format_message().removeprefix("Invalid value for ").removeprefix("Invalid value: ").rstrip(".")
    return re.sub(r"is not a valid integer( range)?$", "is not a whole number", text)


def _written_elsewhere(name: str, options: list[str], session: Session) -> str:
    """Return how to write a searcher's option or a game's parameter that was typed as an option of the command."""
    if "--searcher" in options:
        for searcher, entry in session.registry.searchers.items():
            if name in {each.name for each in entry.options}:
                return f": it belongs to the searcher, as in --searcher {searcher}:{name}=VALUE"
    parameters = {each.name for entry in session.registry.games.values() for each in entry.options}
    if "--option" in options and name in parameters - {each.name for each in attrs.fields(Limits)}:
        return f": it belongs to the game, as in --option {name}=VALUE"
    return ""


def _unforeseen(error: BaseException, session: Session) -> str:
    """Describe an unexpected error: the plugin that is at fault, its method and the state, and what was raised."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    registry = session.loaded_registry()
    from ggp.plugin_faults import blame  # most commands do not fail

    is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC  # which is no plugin's fault
    fault = blame(error, registry) if registry and not is_full else None
    if fault:
        return fault
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}{f': {error.filename}' if error.filename else ''}"
    return f"internal error: {what} (run ggp --traceback ... to see where)"


def is_exit_of_click(error: BaseException) -> bool:
    """Return whether click itself ends the program, as it does after completing a word for the shell."""
    frames = list(traceback.walk_tb(error.__traceback__))
    by_click = str(frames[-1][0].f_globals.get("__name__", "")).partition(".")[0] in ("click", "rich_click")
    return isinstance(error, SystemExit) and by_click and not _is_broken_pipe(error)


def _is_broken_pipe(error: BaseException) -> bool:
    """Return whether the reader of the output has gone; click turns that error into a SystemExit."""
    came_from: BaseException | None = error
    while isinstance(came_from, SystemExit):
        came_from = came_from.__context__
    return isinstance(came_from, OSError) and (isinstance(came_from, BrokenPipeError) or came_from.errno == errno.EPIPE)


def _reader_is_gone() -> None:
    """Discard further output: its reader has closed the pipe (`ggp games | head -1`). Python would report it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
