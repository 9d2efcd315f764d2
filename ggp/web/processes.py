"""Workers: processes that handle requests. A worker that takes too long is killed and replaced.

A library's pool of processes is not enough for a page. A page needs parts of a response before its end, and a worker
that knows the game. A worker that uses too much memory must be replaced, and no two workers may share a lock or a pipe.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import pathlib
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any, Literal, Protocol
from urllib.parse import quote

import attrs

from ggp.play.pondering import LONGEST
from ggp.web import worker
from ggp.web.problems import BusyError, TooMuchError, WorkerDiedError
from ggp.web.responder import Answer, PageRequest, Tell, silent
from ggp.web.value_store import ValueCache

GRACE = 1.0
"""Seconds that work on a page may go on after it is asked to end; after that, its worker is killed."""
SEARCH_GRACE = 10.0
"""`GRACE` of a search; it is longer, so that compiling can finish and the next search finds the code."""
BUSY = 6.0
"""Maximum ratio of clock time to processor time of a piece of work, if the machine is busy with other work."""
LOOK = 0.05
"""Minimum number of seconds between two looks at the processor time of a worker."""
LONG = 1.0
"""Seconds of processor time after which work continues at a low priority, so that short work is done first."""
LOW = 10
"""The low priority; 0 is normal, 19 is the lowest. A process cannot raise its priority again, so it is replaced."""
STARTING = 60.0
"""Maximum number of seconds that a worker may take to start. The first worker imports everything, which takes long on a
busy machine.
"""
STALLED = 3.0
"""Seconds to wait for a starting worker before the process that starts it is examined. If that process has used no
processor time between two examinations, it is stopped.
"""
JOBS = 5_000
"""Number of requests after which a worker is replaced."""
MEMORY = 300 << 20
"""Maximum memory of all workers, in bytes. Memory that they share, and the worker that ponders, do not count."""
RESERVED = worker.MEMORY // 2
"""A worker that has reserved more bytes than this is replaced: the next request may need room for a table."""
LEAVING = 2
"""Maximum number of replaced workers that may finish compiling, so that the next worker finds the code."""
SPARE = 2
"""Number of workers that stay while there are no requests."""
IDLE = 10.0
"""Seconds after which an idle worker ends, unless it is a spare one."""
QUIET = 0.5
"""Seconds without requests after which a machine ponders: a page often asks for two things in succession."""

METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""How workers are started: forked from a process without threads, or as new processes if the system has no fork."""

ENDING = BusyError("the server is ending")

log = logging.getLogger("ggp.web")


class Workers(Protocol):
    """The interface of objects that handle requests."""

    async def do(self, asked: PageRequest, *, searching: bool, seconds: float, tell: Tell = silent) -> Answer | None:
        """Return the answer of `ggp.web.responder.Responder.answer`. If the caller stops waiting, the request is
        cancelled.

        Arguments:
            seconds: the request's limit of processor time; the time that the request waits for a busy machine does not
            count.

        Raises:
            TooMuchError: the answer took longer than the limit.
            WorkerDiedError: the process died while working on the request.
        """

    def close(self) -> None:
        """End all work."""


class Pool:
    """Workers, started on demand; the caller limits how many run at the same time.

    Arguments:
        offer: what the workers offer besides the installed plugins.
    """

    def __init__(self, offer: worker.Offer = worker.Offer()) -> None:
        self._context: Any = multiprocessing.get_context(METHOD)
        if METHOD == "forkserver":
            self._context.set_forkserver_preload(["ggp.web.preloading"])
        self._offer = offer
        self._kept = ValueCache()
        self._closed = False
        self._workers: set[Process] = set()
        self._free: list[Process] = []
        """Idle workers; the last one of the list is the one that worked last."""
        self._leaving: list[Process] = []
        """Replaced workers that are still compiling."""
        self._pondering: Process | None = None
        """The worker whose machine moved last and ponders. The worker is kept for that game while its machine may
        ponder.
        """
        self._under_way = 0
        """Number of requests that somebody waits for."""

    async def do(self, asked: PageRequest, *, searching: bool, seconds: float, tell: Tell = silent) -> Answer | None:
        """See `Workers`."""
        self._under_way += 1
        if self._pondering:
            self._pondering.rest()
        try:
            return await self._twice(asked, searching, seconds, tell)
        finally:
            self._under_way -= 1
            if self._pondering:
                asyncio.get_running_loop().call_later(QUIET, self._ponder, self._pondering, self._pondering.jobs)

    async def _twice(self, asked: PageRequest, searching: bool, seconds: float, tell: Tell) -> Answer | None:
        # One more request may be too much for a worker that holds much memory. The second worker has done nothing yet.
        with contextlib.suppress(WorkerDiedError):
            process = self._take(asked)
            worked = process.jobs > 0
            answer = await self._done(process, asked, searching, seconds, tell)
            if not (worked and process.held.lacked):
                return answer
        return await self._done(self._start(), asked, searching, seconds, tell)

    async def _done(
        self, process: "Process", asked: PageRequest, searching: bool, seconds: float, tell: Tell
    ) -> Answer | None:
        try:
            return await process.do(asked, searching, seconds, tell)
        finally:
            self._give_back(process)

    def begin(self) -> None:
        """Start a worker, so that one is ready when it is needed."""
        self._free.append(self._start())

    def close(self) -> None:
        """Kill all workers, and start no more."""
        self._closed = True
        for process in (*self._workers, *self._leaving):
            process.kill()
        self._workers.clear()
        self._free.clear()

    def _start(self) -> "Process":
        if self._closed:
            raise ENDING
        process = Process(self._context, self._offer, self._kept)
        self._workers.add(process)
        return process

    def _take(self, asked: PageRequest) -> "Process":
        """Return an idle worker, preferably the one that ponders in this game, or else one that knows the rules."""
        ponders, self._free = self._pondering, [process for process in self._free if not process.dead]
        if ponders and not ponders.dead and ponders.ponders_in(asked):
            self._pondering = None
            return ponders
        if not self._free:
            return self._start()
        chosen = next((process for process in reversed(self._free) if asked.game in process.games), self._free[-1])
        self._free.remove(chosen)
        chosen.games.add(asked.game)
        return chosen

    def _give_back(self, process: "Process") -> None:
        if process not in self._workers:
            return  # the pool was closed
        if process.ponders and not (process.dead or process.jobs >= JOBS or self._lacks(process)):
            before, self._pondering = self._pondering, process
            asyncio.get_running_loop().call_later(LONGEST, self._end_pondering, process, process.jobs)
            if before:
                self._free_or_end(before)
        else:
            self._free_or_end(process)
        if not self._free:
            self.begin()  # whoever comes next does not wait for it to start

    def _free_or_end(self, process: "Process") -> None:
        """Let an idle worker wait for the next request, or replace it."""
        process.rest()
        if process.slow or self._worn(process):
            self._end(process)
        else:
            self._free.append(process)
            asyncio.get_running_loop().call_later(IDLE, self._end_if_idle, process, process.jobs)

    def _ponder(self, process: "Process", jobs: int) -> None:
        """Let the machine of a worker ponder, unless a request waits, or the worker has got another request after its
        first `jobs` requests.
        """
        if not self._under_way and process is self._pondering and process.jobs == jobs:
            process.ponder()

    def _end_pondering(self, process: "Process", jobs: int) -> None:
        """Free the worker that was kept for one game, unless it has got another request after its first `jobs`
        requests.
        """
        if process is self._pondering and process.jobs == jobs:
            self._pondering = None
            self._free_or_end(process)

    def _worn(self, process: "Process") -> bool:
        """Return whether a worker is to be replaced by a fresh one."""
        return process.dead or process.jobs >= JOBS or self._too_large(process)

    def _too_large(self, process: "Process") -> bool:
        total = sum(each.held.private for each in self._workers if each is not self._pondering)
        much = total > MEMORY and process.held.private > MEMORY / len(self._workers)
        return much or self._lacks(process)

    def _lacks(self, process: "Process") -> bool:
        return process.held.lacked or process.held.reserved > RESERVED

    def _end_if_idle(self, process: "Process", jobs: int) -> None:
        if process in self._free and process.jobs == jobs and len(self._free) > SPARE:
            self._free.remove(process)
            self._end(process)

    def _end(self, process: "Process") -> None:
        self._leaving = [each for each in self._leaving if each.runs]
        if process.busy and not process.dead and len(self._leaving) < LEAVING:
            self._leaving.append(process)
            process.leave()
        else:
            process.kill()
        self._workers.discard(process)


def _threads(pid: int) -> list[int]:
    """Return the ids whose priority must be changed to slow a process down: on Linux those of its threads, since each
    has a priority of its own; elsewhere that of the process.
    """
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return [pid]


def _processor_time(pid: int) -> float:
    """Return the processor time of a process in seconds. If the system does not report it, return the clock time."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def starter() -> int:
    """Return the id of the process that workers are forked from; 0 if there is none."""
    server = vars(forkserver).get("_forkserver")
    return vars(server).get("_forkserver_pid") or 0 if server else 0


@attrs.frozen
class Died:
    """The last message from a worker, sent when it dies."""


Message = (
    tuple[Literal["ready"]]
    | tuple[Literal["piece"], str, str]
    | tuple[Literal["done"], Answer | None, worker.Held, bool, str]
    | Died
)
"""A message from a worker that its `Process` hands on."""

_starting = threading.Lock()
"""Lock for starting processes: the standard library's list of processes is not safe for threads."""


def _start(process: Any) -> None:
    """Start a process. If the process that starts workers (the starter) is ending, wait until it has ended. Until then,
    the standard library would take the starter for running, and fail to start the next worker, too.

    Raises:
        EOFError, OSError: the process was not started.
    """
    before = starter()
    try:
        process.start()
    except (EOFError, ConnectionError):
        last = time.monotonic() + GRACE
        while before and _runs(before) and time.monotonic() < last:
            time.sleep(0.001)
        raise


def _runs(pid: int) -> bool:
    """Return whether a child process of this process is running; False if the system does not report it."""
    try:
        return hasattr(os, "waitid") and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


class Process:
    """A worker, as the server sees it: a thread starts it and waits for its messages."""

    def __init__(self, context: Any, offer: worker.Offer, kept: ValueCache) -> None:
        self.dead = False
        self.runs = True
        """Whether the process is running, even if it has been asked to leave."""
        self.slow = False
        """Whether the process has the low priority."""
        self.jobs = 0
        self.held = worker.Held(0, 0, lacked=False)
        """The memory of the process after its last request."""
        self.busy = False
        """Whether the worker is still compiling after its response."""
        self.ponders = ""
        """The address of the game in which this worker's machine may ponder; "" for none."""
        self._pondered = 0
        """Number of times that pondering was started."""
        self.games: set[str] = set()
        """The games that the worker has worked on."""
        self._kept = kept
        self._ready = self._ended = False
        self._sending = threading.Lock()
        self._heard: asyncio.Queue[Message] = asyncio.Queue()
        self._connection, child = context.Pipe()
        given = (child, offer)
        self._process = context.Process(target=worker.main, args=given, name="ggp-worker", daemon=True)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop, child), name="ggp-listen", daemon=True).start()

    async def do(self, asked: PageRequest, searching: bool, seconds: float, tell: Tell) -> Answer | None:
        """Handle a request; see `Workers`. Afterwards, the worker is idle or dead."""
        self.jobs += 1
        await self._begun()
        loop, limit = asyncio.get_running_loop(), asyncio.timeout(None)
        slowing = loop.create_task(self._after(LONG, self._slow_down))
        ending = loop.create_task(self._after(seconds, lambda: limit.reschedule(loop.time())))
        try:
            async with limit:
                try:
                    self._send("do", self.jobs, asked, searching)
                    return await self._answer(tell)
                finally:
                    slowing.cancel()
                    ending.cancel()
        except TimeoutError:
            await self._wind_up(SEARCH_GRACE if searching else GRACE)
            sentence = f"this took more than {seconds:g} seconds, which is the limit of a page"
            raise TooMuchError(sentence) from None
        except asyncio.CancelledError:
            await self._wind_up(SEARCH_GRACE if searching else GRACE)
            raise

    async def _after(self, seconds: float, act: Callable[[], None]) -> None:
        """Call `act` after the process has used this many more seconds of processor time, or after `BUSY` times as many
        by the clock.
        """
        used, last, left = _processor_time(self._process.pid), time.monotonic() + BUSY * seconds, seconds
        while left > 0 and time.monotonic() < last:
            await asyncio.sleep(max(left, LOOK))
            left = used + seconds - _processor_time(self._process.pid)
        act()

    async def _begun(self) -> None:
        """Wait until the process has started. If the process that starts workers has come to a stop, replace that
        process.
        """
        end, used = time.monotonic() + STARTING, -1.0
        while not self._ready:
            try:
                async with asyncio.timeout(STALLED):
                    await self._hear(silent)
            except TimeoutError:
                if time.monotonic() > end:
                    self.kill()
                    sentence = f"the server is overloaded: a process has not started in {STARTING:g} seconds"
                    raise BusyError(sentence) from None
                before, used = used, _processor_time(starter()) if starter() else -1.0
                if self._process.pid is None and 0 <= used == before:
                    log.error("the process that starts workers has come to a stop, and is replaced")
                    os.kill(starter(), signal.SIGKILL)

    async def _wind_up(self, grace: float) -> None:
        """Wait for the search to end by itself; kill the worker if it does not."""
        with contextlib.suppress(TimeoutError, WorkerDiedError, BusyError):
            async with asyncio.timeout(grace):
                self._send("end", self.jobs)
                await self._answer(silent)
                return
        self.kill()

    async def _answer(self, tell: Tell) -> Answer | None:
        while True:
            done = await self._hear(tell)
            if done:
                answer: Answer | None = done[0]
                return answer

    async def _hear(self, tell: Tell) -> tuple[Answer | None] | None:
        """Process the next message from the worker. If the message is the response, return it in a tuple; otherwise,
        return None.
        """
        match await self._heard.get():
            case ("ready",):
                self._ready = True
            case ("piece", kind, text):
                tell(kind, text)
            case ("done", answer, held, busy, ponders):
                self.held, self.busy, self.ponders = held, busy, ponders
                return (answer,)
            case Died():
                raise ENDING if self._ended else WorkerDiedError("the process that worked on this has died")
        return None

    def ponders_in(self, asked: PageRequest) -> bool:
        """Return whether the worker ponders in the game that a request is about, or in an earlier state of it."""
        url = f"/play/{quote(asked.game, safe='')}?{asked.query}"
        return bool(self.ponders) and (url + "&").replace(",", "&").startswith(self.ponders.replace(",", "&") + "&")

    def ponder(self) -> None:
        """Let the machine of this worker search on, until `rest` is called or the next request arrives."""
        self._pondered += 1
        self._send("ponder", self._pondered)

    def rest(self) -> None:
        """End the pondering soon."""
        self._send("rest", self._pondered)

    def kill(self) -> None:
        """End the process at once."""
        self.dead = self._ended = True
        if self._process.pid is not None:
            self._process.kill()

    def leave(self) -> None:
        """Ask the process to end as soon as it has finished compiling."""
        self.dead = True
        self._send("leave")

    def _slow_down(self) -> None:
        if hasattr(os, "setpriority"):
            self.slow = True
            low = os.getpriority(os.PRIO_PROCESS, 0) + LOW
            for thread in _threads(self._process.pid):
                with contextlib.suppress(OSError):  # it has ended
                    os.setpriority(os.PRIO_PROCESS, thread, low)

    def _send(self, *message: object) -> None:
        with self._sending, contextlib.suppress(OSError):  # it has died: that is heard soon
            self._connection.send(message)

    def _listen(self, loop: asyncio.AbstractEventLoop, child: Connection) -> None:
        """Start the process, and pass on its messages until it ends."""
        try:
            with _starting:
                _start(self._process)
        except (OSError, EOFError) as error:
            log.error("no worker can be started: %s", error)
            self.runs = False
            self._hand_on(loop, Died())
            return
        finally:
            child.close()
        if self._ended:
            self._process.kill()
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                break
            match message:
                case ("known", keys):
                    self._send("values", self._kept.known(keys))
                case ("learned", key, value):
                    self._kept.remember(key, value)
                case _:
                    self._hand_on(loop, message)
        self.dead = True
        self.runs = False
        self._hand_on(loop, Died())
        self._process.join()

    def _hand_on(self, loop: asyncio.AbstractEventLoop, message: Message) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
            loop.call_soon_threadsafe(self._heard.put_nowait, message)
