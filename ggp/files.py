"""Files that are written wholly or not at all."""

import contextlib
import errno
import glob
import os
import pathlib
import secrets
import time
from collections.abc import Iterator
from typing import BinaryIO

from ggp.errors import StoreError

UNFINISHED = ".part"
"""What the name of a file ends with that is being written."""
OLD = 3600.0
"""Seconds after which nobody writes to such a file any more."""


def require_place(path: pathlib.Path, what: str) -> None:
    """Require that a file could be written: before long work, not after it.

    Arguments:
        what: what it is called in errors: "the certificate".

    Raises:
        StoreError: it could not.
    """
    where = path.absolute().parent
    if path.is_dir():
        raise StoreError(f"{what} {path} cannot be written: it is a directory")
    if not where.is_dir():
        raise StoreError(f"{what} {path} cannot be written: there is no directory {where}")
    if not os.access(where, os.W_OK):
        raise StoreError(f"{what} {path} cannot be written: {where} is read-only")


@contextlib.contextmanager
def whole(path: pathlib.Path, what: str) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` at the end; if that is not reached, `path` stays as it was.

    Arguments:
        what: what it is called in errors: "the certificate".

    Raises:
        StoreError: it cannot be written.
    """
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise StoreError(f"{what} {path} cannot be written: {error.strerror or error}") from error


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[BinaryIO]:
    """As `whole`, for those who have words of their own for an OSError."""
    path = pathlib.Path(os.path.realpath(path))  # a link stays one
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "It is no regular file")
    sweep(path.parent, glob.escape(path.name))
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def sweep(directory: pathlib.Path, pattern: str) -> None:
    """Remove what killed processes left half written of the files of such names."""
    for path in directory.glob(f"{pattern}.????????{UNFINISHED}"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > OLD:
                path.unlink()
