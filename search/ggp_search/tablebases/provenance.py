"""Provenance: which tablebases this user has built or verified. Before values of another tablebase are used, the user
is warned.

A checksum shows damage, but not who wrote a file. A header includes the checksums of all data. So the digests of the
headers are stored in the user's data directory, a line for each layer.
"""

import contextlib
import pathlib
import warnings
from collections.abc import Iterable, Sequence
from typing import Protocol

from ggp.errors import GGPWarning
from ggp.files import user_path
from ggp_search.tablebases.directory import default_directory


def digests_path() -> pathlib.Path:
    """Return the file that holds the digests."""
    return user_path("tablebases.proved")


class Digested(Protocol):
    """A file of a tablebase."""

    @property
    def digest(self) -> str:
        """Return the identity of a file."""


def remember(files: Iterable[Digested]) -> None:
    """Record that these files were built or verified here. If recording fails, the files will cause a warning again."""
    digests = _remembered()
    lines = [f"{digest}\n" for each in files if (digest := each.digest) not in digests]
    if lines:
        with contextlib.suppress(OSError):
            digests_path().parent.mkdir(parents=True, exist_ok=True)
            with digests_path().open("a") as file:
                file.write("".join(lines))


def warn_of_others(game: str, directory: pathlib.Path, files: Sequence[Digested]) -> None:
    """Warn about a tablebase that was not built or verified here, unless it is in the user's own directory."""
    own = directory.absolute() == default_directory().absolute()
    if own or not files or {each.digest for each in files} <= _remembered():
        return
    message = (
        f"the tablebase of {game} in {directory} was neither built nor verified by you:"
        f" `ggp tablebase verify {game} --directory {directory}` (with your options) checks it against the rules"
    )
    warnings.warn(message, GGPWarning, stacklevel=4)


def _remembered() -> set[str]:
    with contextlib.suppress(OSError, ValueError):
        return set(digests_path().read_text().split())
    return set()
