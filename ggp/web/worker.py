"""A worker: a process that handles one request at a time, and can be killed at any time.

The server sends messages through a pipe: `("do", number, asked, searching)` to ask for a page, `("end", number)` to end
the searches of a request, and `("leave",)`. After `("ponder", number)`, a machine searches while its opponent thinks,
until `("rest", number)`. The worker sends `("ready",)`, `("piece", kind, text)`, `("done", answer, held, busy,
ponders)`, `("known", keys)` to ask for values and `("learned", key, value)`. A worker dies with the server: when the
pipe breaks, and on Linux also when its parent process dies, even while it runs machine code.
"""

import contextlib
import ctypes
import gc
import logging
import os
import pathlib
import queue
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Literal

import attrs

from ggp.compiler import cache
from ggp.errors import GGPError, tell_warnings
from ggp.play import background
from ggp.plugins import Registry, load_registry
from ggp.searcher import stop_when
from ggp.watchdog import watching
from ggp.web.responder import PageRequest, Responder
from ggp.web.value_store import Kept

log = logging.getLogger("ggp.web")

MEMORY = 1 << 30
"""Maximum memory of a worker in bytes, on systems that can limit it."""
TIDY = 192 << 20
"""If a worker has reserved more bytes than this, it collects garbage before it reports the number of reserved bytes."""
CACHE = "visitors"
"""Directory for the object code of visitors' games, within the user's cache. It is separate, so that this code cannot
displace the user's own code.
"""


@attrs.frozen
class Offer:
    """Plugins, games and engines that a page offers besides the installed plugins."""

    files: Sequence[str] = ()
    """Plugin files."""
    games: Sequence[str] = ()
    """Names from which plugins make games, such as names of files."""
    engines: Mapping[str, str] = attrs.field(factory=dict)
    """The players of `Registry.offered`."""

    def load(self) -> Registry:
        """Return a registry with everything that is offered. Plugins that cannot be loaded are left out: the server has
        reported them.
        """
        registry = load_registry()
        for name, load in [*((file, registry.load_file) for file in self.files),
                           *((game, registry.list_game) for game in self.games)]:  # fmt: skip
            with contextlib.suppress(GGPError):
                load(name)
        registry.offered.update(self.engines)
        return registry


def main(connection: "Connection[object, Order]", offer: Offer) -> None:
    """Handle requests until the server has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _die_with_parent()
    _limit()
    directory = cache.directory()
    if directory:
        os.environ["GGP_CACHE_DIR"] = str(directory / CACHE)
    tell_warnings()
    link = ServerPipe(connection)
    with watching(lambda: None, log.error):
        registry = offer.load()
    responder = Responder(registry, link)
    link.send("ready")
    for number, asked, searching in link.work():
        if asked is None:
            with stop_when(lambda number=number: link.rested >= number):  # type: ignore[misc]
                responder.ponderer.search()
            continue
        with stop_when(lambda number=number: link.ended >= number):  # type: ignore[misc]
            answer = responder.answer(asked, searching=searching, tell=link.tell)
        link.send(
            "done",
            answer,
            Held(reserved=reserved(), private=memory(), lacked=responder.lacked_memory),
            background.busy(),
            responder.ponderer.url,
        )
    background.finish()


@attrs.frozen
class Held:
    """The memory of a worker after a request."""

    private: int
    """Bytes that the worker does not share with other processes."""
    reserved: int
    """Bytes that count against the worker's limit, whether it has used them or not."""
    lacked: bool
    """Whether the request failed because memory was exhausted."""


Order = (
    tuple[Literal["do"], int, PageRequest, bool]
    | tuple[Literal["end"], int]
    | tuple[Literal["ponder"], int]
    | tuple[Literal["rest"], int]
    | tuple[Literal["leave"]]
    | tuple[Literal["values"], Mapping[str, Kept]]
)
"""A message from the server."""


class ServerPipe:
    """The pipe to the server, read by another thread."""

    def __init__(self, connection: "Connection[object, Order]") -> None:
        self.ended = 0
        """The number of the last request that the server asked to end."""
        self.rested = 0
        """The number of the last pondering search that the server asked to end."""
        self._connection = connection
        self._sending = threading.Lock()
        self._work: queue.SimpleQueue[tuple[int, PageRequest | None, bool] | None] = queue.SimpleQueue()
        self._values: queue.SimpleQueue[Mapping[str, Kept]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="ggp-link", daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                order = self._connection.recv()
            except (EOFError, OSError):
                os._exit(0)  # the server has gone, and nobody wants an answer any more
            match order:
                case ("do", number, asked, searching):
                    self._work.put((number, asked, searching))
                case ("end", number):
                    self.ended = number
                case ("ponder", number):
                    self._work.put((number, None, True))
                case ("rest", number):
                    self.rested = number
                case ("leave",):
                    self._work.put(None)
                case ("values", values):
                    self._values.put(values)

    def send(self, *message: object) -> None:
        """Send a message to the server."""
        with self._sending:
            self._connection.send(message)

    def work(self) -> Iterator[tuple[int, PageRequest | None, bool]]:
        """Yield the number of each request, the request (None: ponder), and whether it may search, until the server
        asks the worker to end.
        """
        yield from iter(self._work.get, None)

    def tell(self, event: str, text: str) -> None:
        """See `ggp.web.responder.Tell`."""
        self.send("piece", event, text)

    def known(self, keys: Iterable[str]) -> Mapping[str, Kept]:
        """See `ggp.web.value_store.Values`."""
        self.send("known", tuple(keys))
        return self._values.get()

    def remember(self, key: str, value: Kept) -> None:
        """See `ggp.web.value_store.Values`."""
        self.send("learned", key, value)


def memory() -> int:
    """Return the memory in bytes that this process does not share with others; 0 if the system does not say."""
    try:
        lines = pathlib.Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_"))


def reserved() -> int:
    """Return the bytes of this process that count against `MEMORY`; 0 if the system does not say."""
    bytes_reserved = _reserved()
    if bytes_reserved > TIDY:
        gc.collect()  # a search that was compiled just now is part of a cycle
        bytes_reserved = _reserved()
    return bytes_reserved


def _reserved() -> int:
    try:
        text = pathlib.Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("VmData:")), 0)


def _die_with_parent() -> None:
    """Ask the system to kill this process when its parent dies, so that not even a loop in machine code survives the
    server.
    """
    parent = os.getppid()
    if sys.platform == "linux":
        death_signal = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(death_signal, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)  # it died before


def _limit() -> None:
    """Limit the memory of this process to `MEMORY`, on systems that can limit it."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on Windows; not beyond a limit that is set
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
