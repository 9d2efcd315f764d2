"""Files that are written wholly or not at all."""

import contextlib
import os
import pathlib
from collections.abc import Iterator
from typing import BinaryIO

from ggp.errors import StoreError


@contextlib.contextmanager
def whole(path: pathlib.Path, what: str) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` at the end; if that is not reached, `path` stays as it was.

    Arguments:
        what: what it is called in errors: "the certificate".

    Raises:
        StoreError: it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            with open(beside, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreError(f"{what} {path} cannot be written: {error.strerror or error}") from error
