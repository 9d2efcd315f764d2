"""The errors that ggp raises on purpose, and its warnings.

All derive from `GGPError`. A wrong request is a `UsageError` (exit status 2 on the command line); any other `GGPError`
is a failure (exit status 1). Each message is one sentence: what was given, what is accepted, and what to do instead.
"""

import difflib
import sys
import warnings
from collections.abc import Iterable
from typing import Literal

from ggp.escapes import escaped


class GGPError(Exception):
    """The root of all errors that ggp raises on purpose."""


class GGPWarning(UserWarning):
    """A problem that does not stop the work."""


class UsageError(GGPError, ValueError):
    """A request that cannot be fulfilled; the caller can correct it."""


class UnknownNameError(UsageError, LookupError):
    """No game, searcher, evaluation or player has the given name."""


class OptionError(UsageError):
    """An option or a parameter is unknown, of the wrong type, or out of range."""


class NotationError(UsageError):
    """A text is not a state or an action in the game's notation."""


class IllegalActionError(UsageError):
    """An action that the rules do not allow in this state."""


class ForfeitError(GGPError):
    """A program that plays a game has failed, and loses the game; the message says how it failed."""

    def __init__(self, sentence: str, how: Literal["forfeit", "time", "resigned"] = "forfeit") -> None:
        super().__init__(sentence)
        self.how = how


class RecordError(UsageError):
    """A text or a file is not a record of a game, or its game cannot be replayed."""


class UnsupportedGameError(UsageError, TypeError):
    """The searcher cannot search this kind of game, such as one with chance."""


class DepthError(UsageError, RecursionError):
    """The search would go deeper than the stack allows."""


class NoMemoryError(UsageError, MemoryError):
    """There is not enough memory for a table or a tree of the size that was asked for."""


class PluginError(GGPError):
    """A plugin cannot be used: it fails to load, misspells a hook, or claims a name that is taken."""


class FaultError(GGPError):
    """A game or a searcher raised an exception, or did not end. The message names the method and the state."""


class StoreError(GGPError):
    """The store of games cannot be read, or a move cannot be saved."""


class TablebaseError(GGPError):
    """A tablebase cannot be built or written, or its file is damaged or belongs to another game."""


class CertificateError(GGPError):
    """A file is not a certificate, or does not prove its claim."""


class BookError(GGPError):
    """A file is not an opening book, or is damaged."""


class ConformanceError(GGPError, AssertionError):
    """A game or a searcher does not keep a promise of its protocol."""


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return a clause that proposes the most similar of `names`, or the only one that begins with `name`; "" if there
    is none.
    """
    choices = list(names)
    near = difflib.get_close_matches(name.lower(), choices, n=1, cutoff=0.65)  # two of three letters
    begun = [each for each in choices if name and each.startswith(name.lower())]
    similar = near or (begun if len(begun) == 1 else [])
    return f" (did you mean {similar[0]}?)" if similar else ""


def tell_warnings() -> None:
    """Print warnings in one line on standard error from now on. Warnings of ggp are never turned into errors."""
    warnings.simplefilter("always", GGPWarning)
    warnings.showwarning = lambda message, *_: print(f"ggp: warning: {escaped(str(message))}", file=sys.stderr)  # noqa: T201
