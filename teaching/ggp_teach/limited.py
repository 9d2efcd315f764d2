"""A process with limits for programs that strangers wrote: questions and answers are JSON over a pipe.

The process has limited memory, is killed if it does not answer in time, and prints nothing. The process opens no files
except Python's own and the allowed ones, and starts no programs and no connections. These limits stop accidents and
cheats, and an error names the program at fault. The limits do not stop attacks on the machine: if a program may attack
it, also use a separate account or container.
"""

import contextlib
import importlib
import json
import multiprocessing
import os
import pathlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any, Protocol

import attrs

MEGABYTE = 1 << 20
MOST_PRINTED = 1 << 20
"""Maximum number of characters that a program may print; they are not read."""
LARGEST_ANSWER = 16 << 20
"""Maximum size of an answer, in bytes."""
STARTING = 60.0
"""Maximum number of seconds for a process to start, including its imports."""
ORPHANED = 0.5
"""Seconds between two checks whether the parent process is still running."""
PATIENCE = 4.0
"""Maximum ratio of clock time to processor time of a question, if the machine is busy with other work."""
LOOK = 0.02
"""Seconds between two checks of the processor time of a process."""


class Answerer(Protocol):
    """An object that answers questions in a limited process. The object is made before the limits are set."""

    greeting: Any
    """The first answer that the process sends; it is set by `load`."""

    def load(self) -> None:
        """Load a stranger's program, under the limits."""

    def __call__(self, question: object) -> Any:
        """Return the answer to a question."""


class Overrun(Exception):
    """Raised if the program has broken a limit.

    Arguments:
        limit: "time", "memory", "crash", "output", or "files".
    """

    def __init__(self, limit: str, sentence: str) -> None:
        super().__init__(sentence)
        self.limit = limit


@attrs.frozen(kw_only=True)
class ProcessLimits:
    """The limits of a process."""

    megabytes: int = 1024
    """Memory, in megabytes."""
    readable: tuple[str, ...] = ()
    """Files and folders that may be read, besides Python's own."""
    hidden: tuple[str, ...] = ()
    """Folders that may be read only as far as `readable` contains them: the folders of the other players."""


class LimitedProcess:
    """A process that answers questions.

    Arguments:
        entry: a function, as `module:function`. The new process calls this function with `setup`; the function returns
            the handler of questions.
        setup: the argument of `entry`, as a value of JSON.

    Raises:
        Overrun: the process does not start, or breaks a limit while it starts.
    """

    def __init__(
        self, entry: str, setup: object, limits: ProcessLimits = ProcessLimits(), seconds: float = STARTING
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_live, args=(theirs, entry, setup, limits), daemon=True)
        with _may_have_children():
            self._process.start()
        theirs.close()
        self.seconds = 0.0
        """Seconds that the last question took."""
        try:
            self.greeting = self._receive(seconds, "to start")
        except BaseException:
            self.close()
            raise

    def ask(self, question: object, seconds: float) -> Any:
        """Return the answer to a question.

        Raises:
            Overrun: the answer takes more than `seconds`, or the program breaks another limit; the process is then
                ended.
        """
        if self._process.exitcode is not None:
            raise Overrun("crash", "has ended its process")
        started = time.perf_counter()
        try:
            self._pipe.send_bytes(json.dumps(question).encode())
            return self._receive(seconds, "to answer")
        except (Overrun, OSError) as error:
            self.close()
            raise error if isinstance(error, Overrun) else self._died() from None
        finally:
            self.seconds = time.perf_counter() - started

    def close(self) -> None:
        """End the process, however busy it is."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    @property
    def alive(self) -> bool:
        """Whether the process can still answer questions."""
        return self._process.exitcode is None

    def _receive(self, seconds: float, what: str) -> Any:
        started, before = time.monotonic(), self._processor_time()
        while not self._pipe.poll(min(seconds, LOOK) if seconds > 0 else 0):
            waited = time.monotonic() - started
            if waited > seconds:
                worked = self._processor_time() - before
                # A process that waits for the processor is not slow, but a process that sleeps is.
                if worked < 0 or worked > seconds or waited > PATIENCE * seconds:
                    raise Overrun("time", f"took more than {seconds:g} s {what}")
        try:
            answer: dict[str, Any] = json.loads(self._pipe.recv_bytes(LARGEST_ANSWER))
        except (EOFError, OSError):
            raise self._died() from None
        except ValueError:
            raise Overrun("crash", "gave an answer that cannot be read") from None
        if answer.get("fault"):
            limit, sentence = answer["fault"]
            raise Overrun(str(limit), str(sentence))
        return answer.get("answer")

    def _processor_time(self) -> float:
        """Return the processor time of the process in seconds; negative if the system does not report it."""
        try:
            fields = pathlib.Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError, AttributeError):
            return -1e9

    def _died(self) -> Overrun:
        self._process.join(1)
        code = self._process.exitcode
        if code is not None and code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
            return Overrun("crash", f"was ended by {name}")
        return Overrun("crash", f"ended its process{'' if code is None else f' with status {code}'}")


@contextlib.contextmanager
def _may_have_children() -> Iterator[None]:
    """Let this process start another process, even if it is a daemon itself, like the workers of dask.

    Python does not let a daemon start processes, since a daemon that is killed leaves its children behind. Our
    processes end on their own: see `_watch_parent`.
    """
    config: dict[str, object] = vars(multiprocessing.current_process()).get("_config", {})
    daemon = config.pop("daemon", None)
    try:
        yield
    finally:
        if daemon is not None:
            config["daemon"] = daemon


# In the new process ---------------------------------------------------------------------------------------------------


class Breach(BaseException):
    """Raised if the program does something that is not allowed.

    The class is not an `Exception`, so that `except Exception` does not hide it.
    """

    def __init__(self, limit: str, sentence: str) -> None:
        super().__init__(sentence)
        self.limit = limit


_breaches: list[Breach] = []
"""All breaches of the limits, whether or not the program has caught them."""


def _breach(limit: str, sentence: str) -> Breach:
    breach = Breach(limit, sentence)
    _breaches.append(breach)
    return breach


class _Printed:
    """Takes the place of standard output: counts what is printed."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self._left = MOST_PRINTED

    def write(self, text: str) -> int:
        self._left -= len(text)
        if self._left < 0:
            raise _breach("output", f"printed more than {MOST_PRINTED >> 20} MB")
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        raise OSError("standard output is not a file")


def _live(pipe: Connection, entry: str, setup: object, limits: ProcessLimits) -> None:
    """Answer questions until the pipe is closed."""
    _watch_parent()
    module, _, name = entry.partition(":")
    handler: Answerer = getattr(importlib.import_module(module), name)(setup)
    _limit(limits)
    question: object = None
    started = False
    while True:
        answer: dict[str, object] = {}
        try:
            if started:
                answer["answer"] = handler(question)
            else:
                handler.load()
                answer["answer"] = handler.greeting
        except Breach:
            pass
        except MemoryError:
            answer = {"fault": ("memory", f"needed more than {limits.megabytes} MB of memory")}
        except SystemExit as error:
            answer = {"fault": ("crash", f"called sys.exit({'' if error.code is None else error.code!r})")}
        except BaseException as error:
            answer = {"fault": ("crash", f"raised {type(error).__name__}: {error}")}
        if _breaches:
            answer = {"fault": (_breaches[0].limit, str(_breaches[0]))}
        try:
            pipe.send_bytes(json.dumps(answer).encode())
            question = json.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        started = True


def preload(source: str) -> None:
    """Import numpy in advance, since a program could not load numpy's libraries under the limits."""
    if "numpy" in source:
        with contextlib.suppress(ImportError):
            importlib.import_module("numpy")


def _watch_parent() -> None:
    """End this process soon after its parent has ended, even if this process is in an endless loop."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(ORPHANED)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _limit(limits: ProcessLimits) -> None:
    """Set the limits of this process permanently."""
    sys.dont_write_bytecode = True
    try:
        import resource

        most = limits.megabytes * MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass  # a system without limits, or with lower ones
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    sys.stdout = sys.stderr = _Printed()
    sys.addaudithook(_guard(limits))


WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = (
    "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate",
    "shutil.", "tempfile.",
)  # fmt: skip
STARTS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.spawn", "pty.", "os.startfile")
CONNECTS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethost", "socket.sendto", "urllib.")
INTRUDES = ("os.kill", "ctypes.", "signal.pthread_kill", "sqlite3.connect", "winreg.")


def _guard(limits: ProcessLimits) -> Callable[[str, tuple[Any, ...]], None]:
    """Return an audit hook that refuses files, programs and connections."""

    def folders(paths: Iterable[str]) -> tuple[str, ...]:
        paths_in_use = {
            form(path) for path in paths for form in (os.path.abspath, os.path.realpath) if os.path.isdir(path)
        }
        return tuple(path + os.sep for path in paths_in_use)

    library = [sys.prefix, sys.base_prefix, os.path.dirname(os.__file__)]
    pythons = folders([*library, *(each for each in sys.path if "-packages" in each)])
    importable = folders(filter(None, sys.path))
    hidden = folders(limits.hidden)
    allowed = {form(each) for each in limits.readable for form in (os.path.abspath, os.path.realpath)}
    within = tuple(each + os.sep for each in allowed)
    harmless = {os.devnull, "/dev/urandom", "/dev/random"}
    realpath, fspath, suffixes = os.path.realpath, os.fspath, (".py", ".pyc", ".so", ".pyd")

    def may_read(path: str) -> bool:
        real = realpath(path)
        if path in harmless or real in allowed or real.startswith(within):
            return True
        if real.startswith(hidden):
            return False
        return real.startswith(pythons) or (real.startswith(importable) and real.endswith(suffixes))

    def guard(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            if isinstance(path, int):
                return
            name = fspath(path)
            name = name.decode(errors="replace") if isinstance(name, bytes) else str(name)
            writes = (isinstance(flags, int) and flags & WRITES) or (isinstance(mode, str) and set(mode) & set("wax+"))
            if writes and name not in harmless:
                raise _breach("files", f"tried to write the file {name}")
            if not writes and not may_read(name):
                raise _breach("files", f"tried to read the file {name}")
        elif event.startswith(STARTS):
            raise _breach("files", "tried to start another program")
        elif event.startswith(CONNECTS):
            raise _breach("files", "tried to open a connection")
        elif event.startswith((*CHANGES, *INTRUDES)) and event != "ctypes.dlsym":
            raise _breach("files", f"tried to use {event}")

    return guard
