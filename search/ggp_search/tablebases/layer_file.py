"""The file of a layer: a header that names its game, and one byte for each position.

The header is a line of JSON, followed by the CRC-32 of that line in eight hexadecimal digits, and blanks up to a
multiple of 4,096 bytes. Then the sections follow. A position's byte, -127 to 127, is the value of the rest of the game
to the player to move. While a layer is being built, each finished section is a file of the same format.
"""

import contextlib
import ctypes
import hashlib
import mmap
import os
import pathlib
import zlib
from collections.abc import Iterable, Iterator
from typing import Annotated

import attrs
from msgspec import Meta

from ggp.errors import TablebaseError
from ggp.files import open_regular, replacing
from ggp.storage import Format, converted, encoded, paged

AGAIN = "remove it, and `ggp tablebase build` builds it again"
FORMAT = Format("tablebase", 2, TablebaseError, AGAIN)
MOST_HEADER = 1 << 20
"""Maximum size of a header in bytes."""

PositionCount = Annotated[int, Meta(ge=0)]
LayerNumber = Annotated[int, Meta(ge=0, le=9999)]


@attrs.frozen(kw_only=True)
class LayerHeader:
    """The header of a layer's file."""

    format: str = f"ggp {FORMAT.name}"
    version: int = FORMAT.version
    game: str
    parameters: dict[str, object]
    """The game's parameters on which the tables depend; see `ggp.game.Ranking`."""
    layer: LayerNumber
    section: int | None
    """The section in the file; None if the file holds a whole layer."""
    sections: tuple[PositionCount, ...]
    """The number of positions of each section in the file; this is also the section's size in bytes."""
    checksums: tuple[int, ...]
    """The CRC-32 of each section."""

    @property
    def positions(self) -> int:
        """Number of positions in the file."""
        return sum(self.sections)

    def encoded(self) -> bytes:
        """Return the header as the first bytes of a file."""
        return paged(encoded(self))


@attrs.frozen
class MappedFile:
    """A file mapped into memory, read-only."""

    path: pathlib.Path
    header: LayerHeader
    begin: int
    """The offset in the file, in bytes, at which its data begins."""
    memory: mmap.mmap

    @property
    def address(self) -> int:
        """The address of the data in memory."""
        return _address_of(self.memory) + self.begin

    @property
    def digest(self) -> str:
        """The digest of the header; the header includes the checksums of all data."""
        return hashlib.sha256(self.memory[: self.begin]).hexdigest()

    def data(self) -> memoryview:
        """Return the data; the caller must release it before the file is unmapped."""
        return memoryview(self.memory)[self.begin :]


def write(path: pathlib.Path, header: LayerHeader, data: Iterable[bytes | memoryview]) -> None:
    """Write a file, completely or not at all.

    Raises:
        TablebaseError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(header.encoded())
            for piece in data:
                file.write(piece)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: pathlib.Path, error: OSError) -> TablebaseError:
    return TablebaseError(
        f"{FORMAT.unwritable(path, error)}; finished sections are saved: make room or name another directory, and run"
        " the same command again"
    )


def read_header(path: pathlib.Path) -> LayerHeader:
    """Return the header of a file.

    Raises:
        TablebaseError: the file cannot be read, is damaged, or has another format.
    """
    return _read(path)[0]


def _read(path: pathlib.Path) -> tuple[LayerHeader, int]:
    """Return the header, and the offset of the data."""
    with _reading(path), open_regular(path) as file:
        header, begin = _header(path, file.read(MOST_HEADER))
        size, right = os.fstat(file.fileno()).st_size, begin + header.positions
    if size != right:
        raise FORMAT.damaged(path, f"it has {size:,} bytes and should have {right:,}")
    return header, begin


@contextlib.contextmanager
def _reading(path: pathlib.Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FORMAT.unreadable(path, error) from None


def _header(path: pathlib.Path, start: bytes) -> tuple[LayerHeader, int]:
    """Return the header at the beginning of a file, and the offset of the data."""
    line = start.partition(b"\n")[0]
    said, head = FORMAT.require(line, path), paged(line + b"\n")
    if not start.startswith(head):
        raise FORMAT.damaged(path, "its header is damaged")
    try:
        header = converted(said, LayerHeader)
        if len(header.sections) != len(header.checksums):
            raise ValueError(f"there are {len(header.checksums)} checksums of {len(header.sections)} sections")
    except ValueError as error:
        raise FORMAT.damaged(path, f"its header is wrong: {error}") from None
    return header, len(head)


def open_mapped(path: pathlib.Path) -> MappedFile:
    """Map a file into memory without reading its data. Raises as `read_header` does."""
    header, begin = _read(path)
    with _reading(path), open_regular(path) as file:
        return MappedFile(path, header, begin, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def check(mapped: MappedFile) -> None:
    """Check the data against the checksums.

    Raises:
        TablebaseError: a checksum does not match.
    """
    at = 0
    with mapped.data() as view:
        for size, checksum in zip(mapped.header.sections, mapped.header.checksums, strict=True):
            with view[at : at + size] as section:
                if zlib.crc32(section) != checksum:
                    raise FORMAT.damaged(mapped.path, "its data is damaged")
            at += size


class _Buffer(ctypes.Structure):
    """The structure `Py_buffer` of Python's C interface, which gives the address of read-only memory."""

    _fields_ = (
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    )  # fmt: skip


def _address_of(memory: mmap.mmap) -> int:
    buffer = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(memory), ctypes.byref(buffer), 0)
    address = buffer.buf
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return int(address or 0)
