"""File formats of ggp, with a checksum over the whole file and common errors. Files are written by `ggp.files`.

A file of a `Format` begins with a line of JSON, `{"format":"ggp opening book","version":2,"sha256":"..."}`. The content
follows. The checksum is the SHA-256 of the whole file, this line included, without the 64 digits themselves. The
checksum shows damage; it does not show who wrote the file.
"""

import hashlib
import importlib.resources
import json
import os
import pathlib
import zlib
from typing import Any, TypeVar

import attrs
import msgspec

from ggp.errors import GGPError, StoreError
from ggp.files import LARGEST, open_regular, read_beginning, read_bytes, reason, replacing, require_place

LONGEST_LINE = 1 << 20
"""Maximum length of the first line of a file, in bytes."""
DIGITS = 64
"""Number of hexadecimal digits of a checksum."""
PAGE = 4096
"""Alignment in bytes of data that is mapped into memory."""

KindT = TypeVar("KindT")


@attrs.frozen
class Format:
    """A file format of ggp: its first line, and the messages for files that cannot be used."""

    name: str
    """The name of the format in messages: "opening book"."""
    version: int
    """The version that is written; no other version is read."""
    error: type[GGPError] = StoreError
    """Error raised for a file that cannot be used."""
    remedy: str = ""
    """Advice in errors about a file that cannot be used, for example to remove the file."""
    largest: int = LARGEST
    """Maximum size, in bytes, of a file that is read."""

    def encode(self, *body: bytes | memoryview) -> bytes:
        """Return the content of a file that holds `body`."""
        head, rest = self._head()
        checksum = hashlib.sha256(head + rest)
        for piece in body:
            checksum.update(piece)
        return b"".join((head, checksum.hexdigest().encode(), rest, *body))

    def decode(self, content: bytes, source: str | os.PathLike[str]) -> bytes:
        """Return the body in the content of a file.

        Arguments:
            source: the name of the file in errors.

        Raises:
            GGPError: of the class `self.error`, if the file has another format or version, or is damaged.
        """
        head, rest = self._head()
        start = len(head) + DIGITS
        body = memoryview(content)[start:]
        checksum = hashlib.sha256(head)
        checksum.update(body)
        if content[:start] == head + checksum.hexdigest().encode() and content.startswith(rest, start):
            return content[start + len(rest) :]
        self.require(content.partition(b"\n")[0], source)
        raise self.damaged(source, "its checksum is wrong")

    def require(self, line: bytes, source: str | os.PathLike[str]) -> dict[str, object]:
        """Return the plain data of a file's first line.

        Raises:
            GGPError: of the class `self.error`, if the file has another format or version.
        """
        try:
            said = dict(decoded(line))
            named, version = said["format"], said["version"]
        except (ValueError, TypeError, LookupError):
            said, named, version = {}, None, None
        if named != f"ggp {self.name}":
            raise self.error(self._advised(f"{source} is not a ggp {self.name}, or its first line is damaged"))
        if version != self.version:
            number = repr(version)[:20]
            raise self.error(self._advised(f"{source} has version {number}, and this ggp reads version {self.version}"))
        return said

    def read(self, path: str | os.PathLike[str]) -> bytes:
        """Return the body of a file. Raises as `decode` does, and also if the file cannot be read."""
        try:
            content = read_bytes(path, self.largest)
        except OSError as error:
            raise self.unreadable(path, error) from None
        return self.decode(content, path)

    def shipped(self, package: str, name: str) -> bytes | None:
        """Return the body of a file in a package; None if the package has no such file. Raises as `decode` does."""
        content = packaged(package, name)
        return None if content is None else self.decode(content, f"{package}/{name}")

    def read_with_header(self, path: pathlib.Path, cls: type[KindT]) -> tuple[KindT, bytes]:
        """Return the header in the second line of a file, and what follows it. Raises as `read` and `header` do."""
        line, _, body = self.read(path).partition(b"\n")
        return self.header(path, line, cls), body

    def second_line(self, path: pathlib.Path) -> bytes:
        """Return the second line of a file, without checking the checksum.

        Raises:
            GGPError: of the class `self.error`, if the file cannot be read, or has another format or version.
        """
        try:
            with open_regular(path) as file:
                self.require(file.readline(LONGEST_LINE).rstrip(b"\n"), path)
                return file.readline(LONGEST_LINE).rstrip(b"\n")
        except OSError as error:
            raise self.unreadable(path, error) from None

    @property
    def beginning(self) -> int:
        """Return the size of the header line in bytes, including its end."""
        return sum(map(len, self._head())) + DIGITS

    def write(self, path: pathlib.Path, *body: bytes | memoryview) -> None:
        """Write a file with the content `body`, completely or not at all.

        Raises:
            GGPError: of the class `self.error`, if the file cannot be written; an existing file is left unchanged.
        """
        try:
            with replacing(path) as file:
                file.write(self.encode(*body))
        except OSError as error:
            raise self.unwritable(path, error) from error

    def require_place(self, path: pathlib.Path) -> None:
        """Check that a file can be written, and that an existing file has this format.

        Raises:
            StoreError: the file cannot be written, or `path` is a file of another format.
        """
        require_place(path, self.name)
        beginning = self._head()[0].partition(b",")[0]
        try:
            if path.exists() and read_beginning(path, len(beginning)) not in (b"", beginning):
                raise StoreError(f"{path} exists and is not a ggp {self.name}: name another file, or remove it")
        except OSError as error:
            raise StoreError(f"the {self.name} {path} cannot be read: {reason(error)}") from None

    def begins(self, path: pathlib.Path) -> bool:
        """Return whether a file begins like a file of this format.

        Raises:
            OSError: the file cannot be read.
        """
        beginning = self._head()[0].partition(b",")[0]
        return read_beginning(path, len(beginning)) == beginning

    def header(self, path: pathlib.Path, line: bytes, cls: type[KindT]) -> KindT:
        """Return the content of a header, given its line in a file.

        Raises:
            GGPError: GGPError: of the class `self.error`, if the header is damaged.
        """
        try:
            return converted(decoded(line), cls)
        except ValueError as error:
            raise self.damaged(path, f"its header is wrong: {error}") from None

    def unreadable(self, path: str | os.PathLike[str], error: OSError) -> GGPError:
        """Return the error for a file that cannot be read, with the reason."""
        return self.error(f"the {self.name} {path} cannot be read: {reason(error)}")

    def unwritable(self, path: str | os.PathLike[str], error: OSError) -> GGPError:
        """Return the error for a file that cannot be written, with the reason."""
        return self.error(f"the {self.name} {path} cannot be written: {reason(error)}")

    def damaged(self, source: str | os.PathLike[str], what: str) -> GGPError:
        """Return the error for a damaged file; `what` names the damaged part."""
        return self.error(self._advised(f"{source} is damaged: {what}"))

    def _head(self) -> tuple[bytes, bytes]:
        """Return the two parts of the first line: before the checksum, and after it."""
        line = json.dumps({"format": f"ggp {self.name}", "version": self.version, "sha256": ""}, separators=(",", ":"))
        return line[:-2].encode(), line[-2:].encode() + b"\n"

    def _advised(self, what: str) -> str:
        return f"{what}: {self.remedy}" if self.remedy else what


def packaged(package: str, name: str) -> bytes | None:
    """Return the content of a file in a package; None if there is no such package, or it has no such file."""
    try:
        return importlib.resources.files(package).joinpath(name).read_bytes()
    except (ImportError, OSError, TypeError, ValueError, AttributeError):  # no package, or none with files
        return None


def sealed(line: bytes) -> bytes:
    """Return an object as a line of JSON with a checksum, for files to which lines are appended.

    The first entry, `sha256`, is the checksum of the line without its line break, with the 64 digits of the checksum
    left out.
    """
    return _SEAL + hashlib.sha256(_SEAL + _SEALED + line[1:]).hexdigest().encode() + _SEALED + line[1:]


def unsealed(line: bytes) -> bytes:
    """Return the object in a line written by `sealed`.

    Raises:
        ValueError: the line is damaged.
    """
    inner = b"{" + line[len(_SEAL) + DIGITS + len(_SEALED) :]
    if sealed(inner) != line:
        raise ValueError("its checksum is wrong")
    return inner


_SEAL, _SEALED = b'{"sha256":"', b'",'


def paged(line: bytes) -> bytes:
    """Return the header of data that is mapped into memory: a line, its CRC-32, and blanks up to a full page."""
    head = line + b"%08x\n" % zlib.crc32(line)
    return head.ljust(-(-len(head) // PAGE) * PAGE)


def checksum_of(*parts: object) -> str:
    """Return the checksum of a row of plain values, for files in which every row is checked separately."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def encoded(value: Any) -> bytes:
    """Return an attrs instance, or plain data, as a line of JSON.

    Raises:
        TypeError: the data holds a value that JSON cannot hold.
    """
    return msgspec.json.encode(attrs.asdict(value) if attrs.has(type(value)) else value) + b"\n"


def decoded(data: bytes) -> Any:
    """Return the plain data of a line of JSON.

    Raises:
        ValueError: the line is not JSON; the message is a clause that says why.
    """
    try:
        return msgspec.json.decode(data.decode("utf-8"))
    except UnicodeDecodeError:
        what = "it is not UTF-8"
    except RecursionError:
        what = "its brackets are nested too deep"
    except msgspec.MsgspecError as error:
        what = f"it is not JSON: {_clause(error)}"
    raise ValueError(what)


def converted(raw: Any, cls: type[KindT]) -> KindT:
    """Return plain data converted to `cls`, with each name and value checked. Raises as `decoded` does."""
    try:
        made = msgspec.convert(raw, cls)
    except msgspec.ValidationError as error:
        raise ValueError(_clause(error)) from None
    if attrs.has(cls):
        strange = sorted(set(raw) - {field.name for field in attrs.fields(cls)})
        if strange:
            raise ValueError(f"there is no such entry as {strange[0][:60]!r}")
    return made


def _clause(error: Exception) -> str:
    text = str(error).removeprefix("JSON is ")
    return text[:1].lower() + text[1:].replace("`", "")
