"""Executors that play the games of an experiment: in this process, in processes of this machine, or on a cluster.

All of them are a `concurrent.futures.Executor`, the only interface that an experiment knows.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

import attrs

from ggp.errors import GGPError, UsageError, tell_warnings

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

ResultT = TypeVar("ResultT")


@attrs.frozen
class Workshop:
    """The way to open an executor; it is used again if the processes of an executor die."""

    open: Callable[[], AbstractContextManager[Executor]]
    width: int
    """The number of games submitted at a time."""


class Here(Executor):
    """Executor that runs each call at once, in this process."""

    def submit(self, function: Callable[..., ResultT], /, *arguments: object, **options: object) -> "Future[ResultT]":
        """See `concurrent.futures.Executor`."""
        future: Future[ResultT] = Future()
        try:
            future.set_result(function(*arguments, **options))
        except Exception as error:  # Ctrl-C ends the experiment
            future.set_exception(error)
        return future


HERE = Workshop(Here, 1)


def workshop(processes: int | None = None, executor: str | None = None) -> Workshop:
    """Return the workshop that the command line asks for.

    Arguments:
        processes: the number of processes on this machine; None: only this process.
        executor: `dask:ADDRESS`, a scheduler of dask.distributed.

    Raises:
        UsageError: both arguments are given, there is no such executor, or it needs an extra that is not installed.
    """
    if executor is None:
        number = processes or 1
        return HERE if number == 1 else Workshop(lambda: _processes(number), 2 * number)
    if processes is not None:
        raise UsageError("--processes and --executor cannot be used together: each says where the games are played")
    prefix, _, address = executor.partition(":")
    if prefix != "dask" or not address:
        raise UsageError(f"there is no executor {executor!r}: write dask:ADDRESS, or leave the option out")
    try:
        import distributed
    except ImportError:
        raise UsageError("the executor dask needs an extra: pip install 'ggp[cluster]'") from None
    return Workshop(lambda: _dask(distributed, address), DASK_WIDTH)


DASK_WIDTH = 64
"""Number of games that are submitted to a cluster at a time, whatever the cluster's size."""
CONNECTING = 30.0
"""Maximum time in seconds for the scheduler of a cluster to answer, on a busy machine."""


class Processes(ProcessPoolExecutor):
    """Processes that end when their parent process ends for any reason, and that ignore its Ctrl-C."""

    def __init__(self, number: int) -> None:
        context = multiprocessing.get_context("spawn")
        ours, self._lifeline = context.Pipe(duplex=False)
        super().__init__(number, context, _begin, (ours,))

    def submit(self, function: Callable[..., ResultT], /, *arguments: object, **options: object) -> "Future[ResultT]":
        """See `concurrent.futures.Executor`."""
        with _signals_blocked():  # a process that is begun here inherits that
            return super().submit(function, *arguments, **options)

    def kill(self) -> None:
        """End the processes at once, even in the middle of a game."""
        self._lifeline.close()
        self.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _processes(number: int) -> Iterator[Executor]:
    pool = Processes(number)
    try:
        yield pool
    except BaseException:
        with _deaf():
            pool.kill()
        raise
    pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread while the context is open."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Ignore Ctrl-C during the clean-up, which is short."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(lifeline: object) -> None:
    """Initialize a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tell_warnings()
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: "Connection") -> None:
    """Wait until the pipe is closed or the parent process is dead, then end this process."""
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv()
    os._exit(1)


@contextlib.contextmanager
def _dask(distributed: ModuleType, address: str) -> Iterator[Executor]:
    try:
        client = distributed.Client(address, timeout=CONNECTING)
    except (OSError, ValueError) as error:
        raise GGPError(f"no scheduler of dask answers at {address}: {' '.join(str(error).split())}") from None
    with client:
        pool = client.get_executor(pure=False, retries=3)
        try:
            yield pool
        finally:
            pool.shutdown(wait=False)
