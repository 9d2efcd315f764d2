"""Records from files, in either format, and from the store."""

import pathlib

from ggp.errors import RecordError
from ggp.play.json_format import from_json
from ggp.play.records import Record
from ggp.play.store import open_store
from ggp.play.text_format import from_text

LARGEST = 64 << 20
"""Bytes of the largest file that is read."""


def read_record(source: str, store: str | None = None) -> Record:
    """The record that `source` names: the number of a game in the store, or a file.

    Arguments:
        store: the file of the store; None is the user's own.

    Raises:
        RecordError: there is no such file, or it is no record.
        StoreError: there is no such game in the store.
    """
    if not source:
        raise RecordError("no record has an empty name: a record is a file, or the number of a game")
    if source.isascii() and source.isdigit():
        with open_store(store) as kept:
            return kept.get(int(source))
    return read_file(pathlib.Path(source))


def read_file(path: pathlib.Path) -> Record:
    """The record in a file, in the format that it is in. Raises as `read_record` does."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise RecordError(f"{path} cannot be read: {what}; a record is a file, or the number of a game") from None
    if len(data) > LARGEST:
        raise RecordError(f"{path} is no record: it is larger than {LARGEST >> 20} megabytes")
    return parse_record(data, str(path))


def parse_record(data: bytes, source: str) -> Record:
    """The record that the bytes of a file are, in either format. Raises as `read_record` does."""
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return from_json(data, source) if is_json else from_text(data, source)
