"""The file of an opening book: read strictly, written whole."""

import contextlib
import functools
import os
import pathlib
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Final

import attrs
import msgspec

from ggp import json_lines
from ggp.capabilities import notation, parameters
from ggp.errors import BookError
from ggp.files import whole
from ggp.game import Game
from ggp.play.records import Name, Value

VARIABLE: Final = "GGP_BOOK"
"""The environment variable that names the user's own book."""
DEFAULT: Final = "default"
"""As a path: the user's own book."""
HEAD: Final = {"format": "ggp opening book", "version": 1}
"""The first line."""
LARGEST: Final = 256 << 20
"""Bytes of the largest book that is read."""

Place = str | os.PathLike[str]


@attrs.frozen(kw_only=True)
class Line:
    """A line of a book."""

    game: Name
    parameters: Mapping[str, Value]
    position: Name
    value: float
    """The exact one, to MAX."""
    best: tuple[Name, ...]
    """Actions that keep the value, as far as they are known."""

    @property
    def key(self) -> Hashable:
        """What it is about: the game, its parameters, and the position."""
        return self.game, _sorted(self.parameters), self.position


def key(game: Game[Any, Any], state: Any) -> Hashable:
    """The key of a line about `state`."""
    return game.name, _sorted(parameters(game)), notation(game).format_state(state)


def _sorted(values: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(values, order="sorted")


def default_path() -> pathlib.Path:
    """The user's own book: the file that GGP_BOOK names, else one in the user's data directory."""
    named = os.environ.get(VARIABLE)
    if named:
        return pathlib.Path(named)
    import platformdirs

    return pathlib.Path(platformdirs.user_data_dir("ggp", appauthor=False)) / "book.jsonl"


def place(path: Place) -> pathlib.Path:
    """The file that `path` stands for."""
    return default_path() if os.fspath(path) == DEFAULT else pathlib.Path(path)


def write(path: pathlib.Path, lines: Iterable[Line]) -> None:
    """Write a book.

    Raises:
        StoreError: it cannot be written; what was there still is.
    """
    if path == default_path():
        with contextlib.suppress(OSError):  # which is told when the file is written
            path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path, "the opening book") as file:
        file.write(json_lines.encoded(HEAD))
        file.writelines(map(json_lines.encoded, lines))


def read(path: pathlib.Path) -> Mapping[Hashable, Line]:
    """The lines of a book by key; none, if it is the user's own and not there yet.

    Raises:
        BookError: it cannot be read, or is damaged; the line is named.
    """
    try:
        status = path.stat()
        return _read(path, status.st_mtime_ns, status.st_size, status.st_ino)
    except FileNotFoundError as error:
        if path == default_path():
            return {}
        raise BookError(f"the opening book {path} cannot be read: {error.strerror}") from None
    except OSError as error:
        raise BookError(f"the opening book {path} cannot be read: {error.strerror or error}") from None


@functools.lru_cache(maxsize=4)
def _read(path: pathlib.Path, changed: int, size: int, inode: int) -> Mapping[Hashable, Line]:
    """The lines of a book as it was when it was changed last."""
    if size > LARGEST:
        raise BookError(f"the opening book {path} is larger than {LARGEST >> 20} megabytes")
    head, *rest = path.read_bytes().split(b"\n")
    number, found = 1, dict[Hashable, Line]()
    try:
        if json_lines.decoded(head) != HEAD:
            raise ValueError(f"it does not say {HEAD['format']!r}, version {HEAD['version']}")
        for number, data in enumerate(rest[:-1], 2):  # noqa: B007
            line = json_lines.converted(json_lines.decoded(data), Line)
            if line.key in found:
                raise ValueError(f"{line.position} is there twice")
            found[line.key] = line
        number += 1
        if rest[-1:] != [b""]:
            raise ValueError("it breaks off here")
    except ValueError as error:
        raise BookError(f"{path} is no opening book, or a damaged one: line {number}: {error}") from None
    return found
