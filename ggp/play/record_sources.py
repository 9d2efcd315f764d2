"""Records from files, in either format, and from the store."""

import pathlib

from ggp.errors import RecordError
from ggp.files import read_bytes, reason
from ggp.play.json_format import from_json
from ggp.play.records import Record
from ggp.play.store import open_store
from ggp.play.text_format import from_text

LARGEST = 64 << 20
"""Maximum size, in bytes, of a file that is read."""


def read_record(source: str, store: str | None = None) -> Record:
    """Return the record that `source` names: the number of a game in the store, a file, or `-` for standard input.

    Arguments:
        store: the file of the store; None: the user's own store.

    Raises:
        RecordError: the file does not exist, or is not a record.
        StoreError: the store has no game with that number.
    """
    if not source:
        raise RecordError("no record has an empty name: a record is a file, or the number of a game")
    if source.isascii() and source.isdigit():
        with open_store(store) as games:
            return games.get(int(source))
    return read_file(pathlib.Path(source))


def read_file(path: pathlib.Path) -> Record:
    """Return the record in a file, in either format. Raises as `read_record` does."""
    try:
        data = read_bytes(path, LARGEST)
    except OSError as error:
        sources = "a record is a file, the number of a game, or - for standard input"
        raise RecordError(f"{path} cannot be read: {reason(error)}; {sources}") from None
    return parse_record(data, str(path))


def parse_record(data: bytes, source: str) -> Record:
    """Return the record in the bytes of a file, in either format. Raises as `read_record` does."""
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return from_json(data, source) if is_json else from_text(data, source)
