"""The journal of an experiment: a file of the finished games, from which an interrupted experiment continues.

The file consists of lines of JSON. The first line holds the experiment; each other line holds a game's number and
record. Every line has its own checksum. A game's line is on the disk before the next game is added. A truncated or
damaged line is ignored: its game is played again.
"""

import io
import os
import pathlib

import attrs
import msgspec

from ggp.errors import StoreError, UsageError
from ggp.experiments.experiment import Experiment, Outcome
from ggp.files import reason
from ggp.storage import converted, decoded, sealed, unsealed

FORMAT = "ggp experiment"
VERSION = 2
MARK = 11
"""First bytes of a journal; they identify the file as a journal."""


@attrs.frozen(kw_only=True)
class Head:
    """The first line."""

    format: str = FORMAT
    version: int = VERSION
    experiment: Experiment


@attrs.define
class Journal:
    """An open journal. `games` are the games that were in the file when it was opened."""

    path: pathlib.Path
    games: dict[int, Outcome]
    damaged: int
    """Number of lines that could not be read."""
    _file: io.FileIO

    @classmethod
    def open(cls, path: pathlib.Path, experiment: Experiment) -> "Journal":
        """Open the journal of `experiment` at `path`; create it if there is no file.

        Raises:
            UsageError: the file is not a journal, or belongs to another experiment; the message names the difference.
            StoreError: the file cannot be read or written.
        """
        if path.exists() and not path.is_file() and not path.is_dir():
            raise _foreign(path)
        try:
            file = path.open("a+b", buffering=0)
            try:
                content = _begun(file, path, experiment)
            except BaseException:
                file.close()
                raise
        except OSError as error:
            raise StoreError(f"the journal {path} cannot be used: {reason(error)}") from None
        games, damaged = _games(content, experiment)
        return cls(path, games, damaged, file)

    def add(self, outcome: Outcome) -> None:
        """Add a game. When this returns, the game is on the disk.

        Raises:
            StoreError: the file cannot be written.
        """
        try:
            _write(self._file, _line(outcome))
        except OSError as error:
            raise StoreError(
                f"the journal {self.path} cannot be written: {reason(error)}; the games in it are safe, and the same "
                f"command resumes from there"
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _begun(file: io.FileIO, path: pathlib.Path, experiment: Experiment) -> bytes:
    """Check the first line of the file, or write it to an empty file; return the file's content."""
    head = _line(Head(experiment=experiment))
    file.seek(0)
    content: bytes = file.read(MARK)
    if head.startswith(content):  # what begins otherwise is not read on: it may be endless
        content += file.read()
    first, end, _ = content.partition(b"\n")
    if end:
        _require(path, first, experiment)
        if not content.endswith(b"\n"):
            _write(file, b"\n")  # what comes next is not to be spoilt by a line that was cut off
    elif head.startswith(content):  # new, or cut off in its first line
        if content:
            file.truncate(0)
        _write(file, head)
    else:
        raise _foreign(path)
    return content


def _foreign(path: pathlib.Path) -> UsageError:
    return UsageError(f"{path} is not a journal of an experiment, or its first line is damaged: give another file")


def _line(value: object) -> bytes:
    return sealed(msgspec.json.encode(value)) + b"\n"


def _write(file: io.FileIO, line: bytes) -> None:
    """Append `line` in one call, so that the lines of two processes are not mixed; then wait for the disk."""
    if file.write(line) != len(line):
        raise OSError(28, "No space left on device")
    os.fsync(file.fileno())


def _require(path: pathlib.Path, line: bytes, experiment: Experiment) -> None:
    """Check that the first line belongs to the same experiment."""
    try:
        said = decoded(line)
        named, version = said["format"], said["version"]
        head = converted(decoded(unsealed(line)), Head) if version == VERSION else None
    except (ValueError, TypeError, LookupError):
        named, version, head = None, None, None
    if named != FORMAT or not isinstance(version, int):
        raise _foreign(path)
    if head is None:
        raise UsageError(f"{path} is a journal of version {version}, and this ggp reads version {VERSION}")
    names = [field.name for field in attrs.fields(Experiment) if field.name != "plugins"]
    differing = [name for name in names if getattr(head.experiment, name) != getattr(experiment, name)]
    if differing:
        raise UsageError(f"{path} is the journal of another experiment: its {' and '.join(differing)} differ")


def _games(content: bytes, experiment: Experiment) -> tuple[dict[int, Outcome], int]:
    games, damaged = {}, 0
    for line in content.split(b"\n")[1:]:
        if not line:
            continue
        try:
            outcome = converted(decoded(unsealed(line)), Outcome)
        except ValueError:
            damaged += 1
            continue
        if 0 <= outcome.number < experiment.games:
            games[outcome.number] = outcome
    return games, damaged
