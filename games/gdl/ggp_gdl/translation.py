"""Translate a description into a class at once, or in a separate process if the translation takes long.

While that process runs, the rules are interpreted; the next time the game is loaded, the class is used. `python -m
ggp_gdl.translation` is that process.
"""

import contextlib
import multiprocessing
import os
import pathlib
import subprocess
import sys
import threading
import time

import msgspec

from ggp_gdl import written
from ggp_gdl.grounding import Deadline, OutOfTimeError
from ggp_gdl.play import Referee
from ggp_gdl.rehearsal import rehearsed
from ggp_gdl.written import Written

AT_ONCE, BY_A_WORKER = 7.0, 2.5
"""Maximum processor time to make a class while somebody waits, in seconds. A plugin may take at most 10 s to make a
game, and the page waits 5 s for a worker process.
"""
LARGEST = 3 << 30
"""Maximum memory of the translating process, in bytes."""
FORGOTTEN = 300.0
"""Seconds after which a process that has stored no class is assumed to have been killed."""
BEGUN = "its class is being made, and is used the next time the game is loaded"


class Request(msgspec.Struct):
    """A description to translate: the arguments of `Referee`, and the key under which the class is stored."""

    text: str
    title: str
    goals: str
    key: str


def patience() -> Deadline:
    """Return the time by which a class that is begun now must be finished."""
    return Deadline(AT_ONCE if multiprocessing.parent_process() is None else BY_A_WORKER)


def translate(referee: Referee, request: Request, deadline: Deadline) -> Written:
    """Return the class of a game, or the reason why no class exists yet. A class is stored, and so is a final reason.

    Arguments:
        deadline: the time after which the translation goes on in another process.
    """
    if _is_begun(request.key):
        return Written("", BEGUN)
    try:
        made = written.write(referee, deadline)
    except OutOfTimeError as error:
        return Written("", BEGUN if _begin(request) else str(error))
    written.keep(request.key, made)
    return made


def _begin(request: Request) -> bool:
    """Start the process for a request; return whether this is possible."""
    mark = _mark(request.key)
    if mark is None or sys.platform == "emscripten":
        return False
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
        process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not for it
        )
    except OSError:
        return False

    def send() -> None:
        with contextlib.suppress(OSError):
            process.communicate(msgspec.json.encode(request))

    threading.Thread(target=send, name="ggp-translation", daemon=True).start()
    return True


def _is_begun(key: str) -> bool:
    """Return whether a process is translating the description whose class is stored under `key`."""
    mark = _mark(key)
    try:
        return mark is not None and time.time() - mark.stat().st_mtime < FORGOTTEN
    except OSError:
        return False


def _mark(key: str) -> pathlib.Path | None:
    """Return the file whose existence shows that a process is translating the description with this key."""
    path = written.path_of(key)
    return None if path is None else path.with_suffix(".begun")


def serve(request: Request) -> None:
    """Translate a request; store the class, or the reason why no class exists."""
    try:
        made = written.write(rehearsed(request.text, request.title, request.goals))
    except MemoryError:
        made = Written("", f"making its class takes more than {LARGEST >> 30} GB of memory")
    written.keep(request.key, made)
    mark = _mark(request.key)
    if mark is not None:
        mark.unlink(missing_ok=True)


def main() -> None:
    """Translate the request that comes from the standard input."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (LARGEST, LARGEST))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)
    serve(msgspec.json.decode(sys.stdin.buffer.read(), type=Request))


if __name__ == "__main__":
    main()
