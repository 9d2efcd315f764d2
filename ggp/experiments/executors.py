"""Where the games of an experiment are played: here, in processes of this machine, or on a cluster.

All are `concurrent.futures.Executor`s, the only interface that an experiment knows.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager
from typing import Any

import attrs

from ggp.errors import GGPError, UsageError, tell_warnings


@attrs.frozen
class Workshop:
    """How to open an executor, and to open another one should its processes die."""

    open: Callable[[], AbstractContextManager[Executor]]
    width: int
    """How many games it is given at a time."""


class Here(Executor):
    """Plays at once, in this process."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> "Future[Any]":
        """See `concurrent.futures.Executor`."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **options))
        except Exception as error:
            future.set_exception(error)
        return future


HERE = Workshop(Here, 1)


def workshop(processes: int = 1, executor: str | None = None) -> Workshop:
    """The workshop that the command line asks for.

    Arguments:
        processes: how many processes of this machine, if no executor is named.
        executor: `dask:ADDRESS`, a scheduler of dask.distributed.

    Raises:
        UsageError: there is no such executor, or it needs an extra that is not installed.
    """
    if executor is None:
        return HERE if processes == 1 else Workshop(lambda: _processes(processes), 2 * processes)
    kind, _, address = executor.partition(":")
    if kind != "dask" or not address:
        raise UsageError(f"there is no executor {executor!r}: it is written dask:ADDRESS, or left away")
    try:
        import distributed
    except ImportError:
        raise UsageError("the executor dask needs an extra: pip install 'ggp[cluster]'") from None
    return Workshop(lambda: _dask(distributed, address), DASK_WIDTH)


DASK_WIDTH = 64
"""Games given to a cluster at a time, whatever its size."""


@contextlib.contextmanager
def _processes(number: int) -> Iterator[Executor]:
    pool = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), _begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Let Ctrl-C end this process without a word: the one that began it hears of it too, and is not outlived."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    tell_warnings()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _dask(distributed: Any, address: str) -> Iterator[Executor]:
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise GGPError(f"no scheduler of dask answers at {address}: {' '.join(str(error).split())}") from None
    with client:
        pool = client.get_executor(pure=False, retries=3)
        try:
            yield pool
        finally:
            pool.shutdown(wait=False)
