"""Report failures of a command: one sentence on standard error, and the exit status."""

import contextlib
import errno
import os
import re
import sys
import traceback
from types import FrameType

import click

from ggp.cli.console import echo, say
from ggp.cli.session import Session
from ggp.entries import Entry
from ggp.errors import GGPError, UsageError, did_you_mean

FAILURE, USAGE, INTERRUPTED = 1, 2, 130


class Stopped(GGPError):
    """The command ends early, with this sentence and exit status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def report(error: Exception, session: Session) -> int:
    """Print `error` on standard error and return the exit status."""
    if isinstance(error, BrokenPipeError) or getattr(error, "errno", None) == errno.EPIPE:
        return _reader_is_gone()
    if session.traceback:
        echo("".join(traceback.format_exception(error)).rstrip(), err=True)
    sentence, status = in_words(error, session)
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    say(" ".join(sentence.split()))
    return status


def in_words(error: Exception, session: Session) -> tuple[str, int]:
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
            text = _asked_wrongly(error)
            return text if text.endswith("?)") else f"{text} (see {path} --help)", USAGE  # a proposal is enough
        case click.ClickException():
            return error.format_message(), FAILURE
        case click.Abort():
            return "interrupted", INTERRUPTED
    return _unforeseen(error, session), FAILURE


def _asked_wrongly(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption):
        if error.option_name[1:2].isdigit():
            return f"unknown option {error.option_name} (negative numbers are not accepted here)"
        names = (
            [option for each in error.ctx.command.get_params(error.ctx) for option in each.opts] if error.ctx else []
        )
        return f"unknown option {error.option_name}{did_you_mean(error.option_name, names)}"
    return re.sub(r"is not a valid integer( range)?$", "is not a whole number", error.format_message().rstrip("."))


def _unforeseen(error: Exception, session: Session) -> str:
    """Describe an unexpected error: the plugin it is in, its type and message, and its file and line."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, RecursionError):
        what = "it goes deeper than Python's stack allows"
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        for entry in session.used:
            if _belongs(frame, entry):
                place = f"{os.path.basename(frame.f_code.co_filename)}, line {number}"
                return f"{entry.name}, from {entry.source}, failed: {what} ({place})"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}{f': {error.filename}' if error.filename else ''}"
    return f"internal error: {what} (run ggp --traceback ... to see where)"


def _belongs(frame: FrameType, entry: Entry) -> bool:
    """Return whether the code of `frame` belongs to the package (or the file) of the plugin `entry`."""
    module = str(frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] == str(entry.factory.__module__).partition(".")[0]


def _reader_is_gone() -> int:
    """End silently if the reader of the output has closed the pipe (`ggp games | head -1`), even at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILURE
