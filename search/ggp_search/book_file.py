"""The file of an opening book: read strictly, written whole."""

import contextlib
import functools
import os
import pathlib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
import msgspec

from ggp.capabilities import notation, parameters
from ggp.errors import BookError
from ggp.game import Game
from ggp.play.records import Name, Value
from ggp.storage import Format, converted, decoded, encoded, locked

VARIABLE: Final = "GGP_BOOK"
"""The environment variable that names the user's own book."""
DEFAULT: Final = "default"
"""As a path: the user's own book."""
FORMAT: Final = Format("opening book", 2, BookError, largest=256 << 20)
"""What its first line says."""

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


@contextlib.contextmanager
def changing(path: pathlib.Path) -> Iterator[None]:
    """Let no other process change the book meanwhile; the directory of the user's own one is made."""
    if path == default_path():
        with contextlib.suppress(OSError):  # which is told when the file is written
            path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(f"{path.name}.lock"), f"waiting for another process that writes {path}"):
        yield


def write(path: pathlib.Path, lines: Iterable[Line]) -> None:
    """Write a book.

    Raises:
        BookError: it cannot be written; what was there still is.
    """
    FORMAT.write(path, *map(encoded, lines))


def read(path: pathlib.Path) -> Mapping[Hashable, Line]:
    """The lines of a book by key; none, if it is the user's own and not there yet.

    Raises:
        BookError: it cannot be read, or is damaged; the line is named.
    """
    try:
        status = path.stat()
    except OSError as error:
        if isinstance(error, FileNotFoundError) and path == default_path():
            return {}
        raise FORMAT.unreadable(path, error) from None
    return _read(path, status.st_mtime_ns, status.st_size, status.st_ino)


@functools.lru_cache(maxsize=4)
def _read(path: pathlib.Path, changed: int, size: int, inode: int) -> Mapping[Hashable, Line]:
    """The lines of a book as it was when it was changed last."""
    found = dict[Hashable, Line]()
    for number, data in enumerate(FORMAT.read(path).splitlines(), 2):
        try:
            line = converted(decoded(data), Line)
            if line.key in found:
                raise ValueError(f"{line.position} is there twice")
        except ValueError as error:
            raise FORMAT.damaged(path, f"line {number}: {error}") from None
        found[line.key] = line
    return found
