"""Object code on disk: one file for each thing compiled, named by its fingerprint.

Files that are damaged, of another version or not ours are ignored, and so are errors in writing.
`GGP_CACHE_DIR` names a directory to use instead of the user's cache; if it is empty, caching is off. Object code is run
without further checks, and a checksum does not show who wrote it. So a directory that other users can write to is not
used.
"""

import contextlib
import functools
import os
import pathlib
import stat
import time
import warnings

from ggp.errors import GGPError, GGPWarning
from ggp.files import replacing, sweep
from ggp.storage import Format

FORMAT = Format("object code", 3, largest=64 << 20)
SUFFIX = ".ggpo"
MOST_FILES = 4000
"""Maximum number of files; the least recently used are removed first. Each write examines all files, in 35 ms
(measured).
"""
MOST_BYTES = 256 << 20
"""Maximum total size in bytes. A file has 3 kB on average, and the search of a large game 40 kB (measured)."""
USED = 3600.0
"""Seconds between two updates of a file's modification time, which records its use."""


def directory() -> pathlib.Path | None:
    """Return the directory of the cache; None if caching is off."""
    named = os.environ.get("GGP_CACHE_DIR")
    if named is not None:
        return pathlib.Path(named) if named else None
    import platformdirs

    return pathlib.Path(platformdirs.user_cache_dir("ggp", appauthor=False)) / "machine"


def read(name: str) -> bytes | None:
    """Return the content stored under `name`; None if there is no intact file."""
    folder = directory()
    if folder is None or not os.path.exists(folder) or not _is_ours(folder):
        return None
    path = folder / f"{name}{SUFFIX}"
    try:
        kept, _, content = FORMAT.read(path).partition(b"\n")
    except GGPError:
        return None
    if kept != name.encode():  # the file of something else under this name
        return None
    _note_use(path)
    return content


def write(name: str, content: bytes) -> None:
    """Store the content under `name`, completely or not at all, so that two processes do not disturb each other."""
    folder = directory()
    if folder is None:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(folder):
            return
        with replacing(folder / f"{name}{SUFFIX}") as file:
            file.write(FORMAT.encode(name.encode() + b"\n", content))
        _prune(folder)
    except OSError as error:
        _warn(f"object code cannot be stored in {folder} ({error.strerror}): it is compiled again each time")


def _note_use(path: pathlib.Path) -> None:
    with contextlib.suppress(OSError):  # a read-only directory, or a file that another process has removed
        if time.time() - path.stat().st_mtime > USED:
            os.utime(path)


def _prune(folder: pathlib.Path) -> None:
    """Remove the least recently used files that exceed the limits."""
    sweep(folder, f"*{SUFFIX}")
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX):
                with contextlib.suppress(FileNotFoundError):  # another process has removed it
                    files.append((entry.stat().st_mtime, entry.stat().st_size, pathlib.Path(entry)))
    total = 0
    for number, (_, size, path) in enumerate(sorted(files, reverse=True), 1):
        total += size
        if number > MOST_FILES or total > MOST_BYTES:
            path.unlink(missing_ok=True)


def _is_ours(folder: pathlib.Path) -> bool:
    """Return whether no other user could have written a file into `folder`; warn if one could."""
    wrong = None if os.name == "nt" else _others(folder)
    if wrong:
        _warn(f"object code is neither stored in {folder} nor read from it: {wrong}")
    return not wrong


def _others(folder: pathlib.Path) -> str | None:
    """Return how another user could write to a directory or replace it; None if no one could."""
    try:
        real = folder.resolve(strict=True)
        for each in (real, *real.parents):
            status = each.stat()
            if status.st_uid not in (os.getuid(), 0):
                return f"{each} belongs to another user; name a directory of your own with GGP_CACHE_DIR"
            # A group that may write to a parent is mostly the user's own; a sticky one (/tmp) keeps our files safe.
            can_write = stat.S_IWOTH | (stat.S_IWGRP if each == real else 0)
            if status.st_mode & can_write and (each == real or not status.st_mode & stat.S_ISVTX):
                return f"other users can write to {each}; `chmod go-w {each}` forbids that"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    return None


@functools.cache
def _warn(message: str) -> None:
    """Print a warning, once in a process."""
    warnings.warn(message, GGPWarning, stacklevel=4)
