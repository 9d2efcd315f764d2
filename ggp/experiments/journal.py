"""The journal of an experiment: a file to which every finished game is added, so that an experiment can go on after
whatever ended it.

It is lines of JSON: on the first the experiment, on each other a game's number and record. A game's line is written at
once and is on the disk before the next one. A line that was cut off or damaged is as good as none: the game is played
again.
"""

import os
import pathlib
from typing import Any

import attrs
import msgspec

from ggp.errors import StoreError, UsageError
from ggp.experiments.experiment import Experiment, Outcome

FORMAT = "ggp experiment"
VERSION = 1
MARK = 20
"""Bytes by which a journal is known, of whatever experiment."""


@attrs.frozen(kw_only=True)
class Head:
    """The first line."""

    format: str = FORMAT
    version: int = VERSION
    experiment: Experiment


@attrs.define
class Journal:
    """An open journal. `games` is what was there when it was opened."""

    path: pathlib.Path
    games: dict[int, Outcome]
    damaged: int
    """How many lines could not be read."""
    _file: Any

    @classmethod
    def open(cls, path: pathlib.Path, experiment: Experiment) -> "Journal":
        """The journal of `experiment` at `path`, a new one if there is no file.

        Raises:
            UsageError: the file is no journal, or of another experiment; the message says what differs.
            StoreError: it cannot be read or written.
        """
        try:
            file = path.open("a+b", buffering=0)
            try:
                content = _begun(file, path, experiment)
            except BaseException:
                file.close()
                raise
        except OSError as error:
            raise StoreError(f"the journal {path} cannot be used: {error.strerror}") from None
        games, damaged = _games(content, experiment)
        return cls(path, games, damaged, file)

    def keep(self, outcome: Outcome) -> None:
        """Add a game; it is safe when this returns.

        Raises:
            StoreError: it cannot be written.
        """
        try:
            _write(self._file, _line(outcome))
        except OSError as error:
            raise StoreError(
                f"the journal {self.path} cannot be written: {error.strerror}; what it has is safe, and the same"
                " command goes on from there"
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _begun(file: Any, path: pathlib.Path, experiment: Experiment) -> bytes:
    """What the file has, after its first line is seen to be right, or written."""
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
        raise UsageError(f"{path} is no journal of an experiment: give another file")
    return content


def _line(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _write(file: Any, line: bytes) -> None:
    """Append all of `line` at once, so that two processes do not mix theirs, and wait for the disk."""
    if file.write(line) != len(line):
        raise OSError(28, "No space left on device")
    os.fsync(file.fileno())


def _require(path: pathlib.Path, line: bytes, experiment: Experiment) -> None:
    """Check that the first line tells of the same experiment."""
    try:
        head = msgspec.json.decode(line, type=Head)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise UsageError(f"{path} is no journal of an experiment: give another file") from None
    if (head.format, head.version) != (FORMAT, VERSION):
        raise UsageError(f"{path} is a journal of format {head.format} {head.version}: only {FORMAT} {VERSION} is read")
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
            outcome = msgspec.json.decode(line, type=Outcome)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            damaged += 1
            continue
        if 0 <= outcome.number < experiment.games:
            games[outcome.number] = outcome
    return games, damaged
