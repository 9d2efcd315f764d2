"""Files: opened without blocking, written completely or not at all, and locked by one process at a time."""

import contextlib
import errno
import functools
import glob
import os
import pathlib
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import BinaryIO

from ggp.errors import StoreError
from ggp.progress import lengthy

UNFINISHED = ".part"
"""Suffix of temporary files."""
OLD = 3600.0
"""A temporary file that is older than this number of seconds counts as left behind by a killed process."""
LARGEST = 1 << 30
"""Maximum size, in bytes, of a file that is read into memory, unless the file's format has another maximum."""
STANDARD_INPUT = "-"
"""The file name that stands for standard input."""
LOCK_PATIENCE = 0.1
"""Seconds between two attempts to get a lock."""
PYTHONS = pathlib.Path(os.__file__).parent
"""Directory of Python's own library, and of the packages that are installed."""


def user_path(name: str, variable: str = "") -> pathlib.Path:
    """Return the path that an environment variable names, or else the path of `name` in the user's data directory."""
    named = os.environ.get(variable)
    if named:
        return pathlib.Path(named)
    import platformdirs

    return pathlib.Path(platformdirs.user_data_dir("ggp", appauthor=False)) / name


@functools.cache
def is_pythons(file: str) -> bool:
    """Return whether a file belongs to Python's own library."""
    path = pathlib.Path(file)
    return PYTHONS in path.parents and not {"site-packages", "dist-packages"} & {*path.parts}


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading, without blocking.

    Raises:
        OSError: the file cannot be opened, or is not a regular file (a pipe, a device, a directory).
    """

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | vars(os).get("O_NONBLOCK", 0))  # opening a named pipe would wait for a writer

    try:
        file = open(path, "rb", opener=opener)  # noqa: SIM115 - the caller closes it
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from None  # a null character in the name
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is not a regular file")
    return file


def read_bytes(path: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """Return the bytes of a regular file, or of standard input for `-`; at most `largest` are allowed. Raises as
    `open_regular`.
    """
    if os.fspath(path) != STANDARD_INPUT:
        with open_regular(path) as file:
            # Python reserves as much memory as is asked for, before it reads.
            content = file.read(min(largest, os.fstat(file.fileno()).st_size) + 1)
    elif sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    else:
        content = sys.stdin.buffer.read(largest + 1)
    if len(content) > largest:
        raise OSError(errno.EFBIG, f"it is larger than {largest >> 20} MB")
    return content


def read_beginning(path: str | os.PathLike[str], size: int) -> bytes:
    """Return at most the first `size` bytes of a regular file. Raises as `open_regular`."""
    with open_regular(path) as file:
        return file.read(size)


def reason(error: Exception) -> str:
    """Return the system's reason for an error, as a clause, without the error's number."""
    said = error.strerror if isinstance(error, OSError) else None
    text = " ".join(str(said or error).split())
    return text[:1].lower() + text[1:]


def require_place(path: pathlib.Path, what: str) -> None:
    """Require that a file can be written; call this before long work.

    Arguments:
        what: a noun for the file in errors, such as "certificate".

    Raises:
        StoreError: the file cannot be written.
    """
    where = path.absolute().parent
    if path.is_dir():
        why = "it is a directory"
    elif path.exists() and not path.is_file():
        why = "it is not a regular file"
    elif not where.is_dir():
        why = f"there is no directory {where}"
    else:
        try:
            with tempfile.TemporaryFile(dir=where):
                return
        except OSError as error:
            why = reason(error)
    raise StoreError(f"the {what} {path} cannot be written: {why}")


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces `path` at the end. If the block fails, `path` is unchanged.

    Raises:
        OSError: the file cannot be written, or `path` exists and is not a regular file.
    """
    path = pathlib.Path(os.path.realpath(path))  # a link stays one
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is not a regular file")
    sweep(path.parent, glob.escape(path.name))
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
        _sync(path.parent)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _sync(directory: pathlib.Path) -> None:
    """Wait until a directory's entries are on the disk, so that a replaced file can be removed safely."""
    if os.name == "posix":
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def locked(path: pathlib.Path, what: str) -> Iterator[None]:
    """Hold a lock that only one process at a time can hold. The file `path` exists while the lock is held.

    The locks of a killed process are released. On systems without locks, and in read-only directories, nothing is
    locked.

    Arguments:
        what: the message that is shown while another process holds the lock, such as "waiting for ...".
    """
    file = None
    with contextlib.suppress(ImportError, OSError):
        file = _lock(path)
        if file is None:
            with lengthy(what):
                while file is None:
                    time.sleep(LOCK_PATIENCE)
                    file = _lock(path)
    if file is None:
        yield
        return
    with file:
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _lock(path: pathlib.Path) -> BinaryIO | None:
    """Take the lock and return its file; None if another process holds it.

    Raises:
        ImportError, OSError: this system has no file locks.
    """
    import fcntl

    file = path.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return file
    except (BlockingIOError, FileNotFoundError):  # another has it, or has removed it in this moment
        pass
    except BaseException:
        file.close()
        raise
    file.close()
    return None


def sweep(directory: pathlib.Path, pattern: str) -> None:
    """Remove temporary files that killed processes have left behind; `pattern` matches the names of the final files."""
    for path in directory.glob(f"{pattern}.????????{UNFINISHED}"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > OLD:
                path.unlink()


def write_file(path: pathlib.Path, content: bytes, what: str = "file") -> None:
    """Write a file that is not in a format of ggp, completely or not at all.

    Raises:
        StoreError: the file cannot be written; an existing file is left unchanged.
    """
    try:
        with replacing(path) as file:
            file.write(content)
    except OSError as error:
        raise StoreError(f"the {what} {path} cannot be written: {reason(error)}") from error
