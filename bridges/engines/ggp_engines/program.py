"""Programs that others wrote: processes that exchange lines of text with ggp, and that cannot disturb a match.

Every wait is limited in time, and every queue in length. A program is ended together with all processes that
it has started.
"""

import collections
import contextlib
import multiprocessing.util
import os
import pathlib
import queue
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Hashable, Sequence
from typing import Any

from ggp.errors import ForfeitError, UsageError
from ggp.escapes import escaped, short
from ggp.files import user_path, write_file

DIRECTORIES = "/usr/games:/usr/local/games"
"""Directories in which Debian installs engines; they are not on every user's path."""
LINE = 65_536
"""Maximum number of characters of a line."""
WAITING = 10_000
"""Maximum number of lines that wait to be read; a program that writes more must wait."""
KEPT = 65_536
"""Maximum number of bytes of standard error that are kept; the last bytes are kept."""
LEAVING = 0.5
"""Seconds that a program is given to end on its own, before it is killed."""
POSIX = os.name == "posix"


def find_program(command: Sequence[str]) -> list[str]:
    """Return the command with the full path of its program.

    Raises:
        UsageError: there is no such program.
    """
    if not command:
        raise UsageError("an engine needs a command, such as uci:fairy-stockfish")
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), DIRECTORIES])
    program = shutil.which(command[0], path=path)
    if program is None:
        raise UsageError(f"there is no program {short(command[0])!r}: install it, or give its whole path")
    return [program, *command[1:]]


class Program:
    """A running program.

    Arguments:
        command: the program, as `find_program` returns it, with its arguments.

    Raises:
        ForfeitError: the program cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.name = pathlib.Path(command[0]).name
        self.key: Hashable = None
        """Identifies the program, its options and the game for which the program is ready; None at first."""
        try:
            self.process = subprocess.Popen(  # noqa: S603 - the user has named it
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=POSIX,  # so that Ctrl-C does not reach it, and its children can be ended with it
            )
        except OSError as error:
            raise ForfeitError(f"{self.name} cannot be started: {error.strerror or error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue(WAITING)
        self._errors: collections.deque[bytes] = collections.deque(maxlen=64)
        self._closed = False
        if POSIX:
            os.set_blocking(self._input.fileno(), False)
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read_lines, self._read_errors)]
        for thread in self._threads:
            thread.start()

    @property
    def _input(self) -> Any:
        return self.process.stdin

    def _read_lines(self) -> None:
        """Put the lines of standard output into the queue; None marks the end of the output."""
        output: Any = self.process.stdout
        with contextlib.suppress(OSError, ValueError):
            while line := output.readline(LINE):
                if not self._put(line.decode(errors="replace").rstrip("\r\n")):
                    return
        self._put(None)

    def _put(self, line: str | None) -> bool:
        while not self._closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=1)
                return True
        return False

    def _read_errors(self) -> None:
        errors: Any = self.process.stderr
        with contextlib.suppress(OSError, ValueError):
            while chunk := errors.read1(KEPT // 64):
                self._errors.append(chunk)

    def send(self, text: str, seconds: float) -> None:
        """Write a line.

        Raises:
            ForfeitError: the program has ended, or has read nothing for this many seconds.
        """
        data, until = memoryview(text.encode() + b"\n"), time.monotonic() + seconds
        try:
            while data:
                written = self._input.raw.write(data) if POSIX else self._input.write(data)
                if not POSIX:
                    self._input.flush()
                data = data[written or 0 :]
                if data and not written:
                    left = until - time.monotonic()
                    if left <= 0 or not select.select([], [self._input], [], left)[1]:
                        raise self.failed(f"has not read its input for {seconds:g} s")
        except (OSError, ValueError):
            raise self.failed("has ended") from None

    def receive(self, until: float) -> str:
        """Return the next line.

        Arguments:
            until: the time until which to wait, by `time.monotonic`.

        Raises:
            ForfeitError: the program has ended.
            TimeoutError: the program wrote no line in time.
        """
        seconds = until - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._put(None)  # for whoever reads next
            raise self.failed("has ended")
        return line

    def skip(self) -> None:
        """Discard the lines that were not read yet, since they do not answer later questions."""
        with contextlib.suppress(queue.Empty):
            for _ in range(self._lines.qsize()):
                if self._lines.get_nowait() is None:
                    self._put(None)

    def failed(self, what: str, how: Any = "forfeit") -> ForfeitError:
        """End the program, and return the error for its failure. The error quotes the program's last line on standard
        error.

        Everything that the program wrote to standard error is kept in the file `engines/NAME.stderr` of the user's data
        directory.
        """
        self.close(LEAVING if "ended" in what else 0)
        status = self.process.returncode
        died = f" with status {status}" if "ended" in what and status not in (None, -9) else ""
        errors = b"".join(self._errors)[-KEPT:].decode(errors="replace").strip()
        last = f"; its last words: {short(escaped(errors.splitlines()[-1]), 200)}" if errors else ""
        if errors:
            with contextlib.suppress(Exception):  # a full disk must not harm the run
                path = user_path("engines") / f"{self.name}.stderr"
                path.parent.mkdir(parents=True, exist_ok=True)
                write_file(path, errors.encode())
        return ForfeitError(f"{self.name} {what}{died}{last}", how)

    def close(self, seconds: float = LEAVING) -> None:
        """End the program and all processes that it has started; it is given `seconds` to end on its own."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OSError, ValueError):
            self._input.raw.write(b"quit\n")
        with contextlib.suppress(OSError, ValueError):
            self._input.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        with contextlib.suppress(OSError):
            if POSIX:
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(LEAVING)
        if not any(thread.is_alive() for thread in self._threads):
            for stream in (self.process.stdout, self.process.stderr):
                if stream:
                    stream.close()


class Pool:
    """Programs that keep running between games, for the next game with the same key.

    The programs end with this process.
    """

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._idle: collections.deque[Program] = collections.deque()
        self._lock = threading.Lock()
        multiprocessing.util.Finalize(self, self.end, exitpriority=10)  # for worker processes, too, which run no atexit

    def take(self, key: Hashable) -> Program | None:
        """Return a program that is ready for a game with this key; None if there is none."""
        with self._lock:
            for program in self._idle:
                if program.key == key:
                    self._idle.remove(program)
                    return program if program.process.poll() is None else None
        return None

    def give_back(self, program: Program) -> None:
        """Keep a program for the next game."""
        with self._lock:
            self._idle.append(program)
            old = self._idle.popleft() if len(self._idle) > self._most else None
        if old:
            old.close()

    def end(self) -> None:
        """End all programs."""
        while self._idle:
            self._idle.pop().close()


IDLE = Pool()
"""The programs that this process keeps for later games."""
