"""Limits on connections: their number per address, and the time to send a request and to read the response.

uvicorn itself waits without limit for the rest of a request, and for a client to read the response.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ggp.web.visitors import network

ALL = 1_000
"""Maximum number of connections at the same time."""
EACH = 300
"""Maximum number of connections from one address, except for proxies named by the operator."""
FILES = 4_096
"""Number of files that the server should be able to open; the usual 1,024 is little more than the connections."""
REQUEST = 10.0
"""Seconds to send the headers of a request; also to send its body."""
ANSWER = 120.0
"""Seconds from the end of a request to the end of its response; an analysis may use half of them."""


def protocol(proxies: str | None) -> type[H11Protocol]:
    """Return the protocol of a server's connections.

    Arguments:
        proxies: addresses whose connections carry many visitors, as uvicorn takes them.
    """
    open_connections: dict[Connection, None] = {}
    exempt = frozenset(each.strip() for each in (proxies or "").split(","))

    class Counted(Connection):
        opened = open_connections
        trusted = exempt

    return Counted


class Connection(H11Protocol):
    """A connection that is closed when it takes too long."""

    opened: "dict[Connection, None]"
    """The open connections of this server, the oldest first."""
    trusted: frozenset[str]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.address = ""
        self._alarm: asyncio.TimerHandle | None = None
        self._awaited: tuple[object, bool, bool] | None = None
        """The request that the alarm is set for: the latest one, whether it is under way, and whether it was received
        completely.
        """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self.address = network(self.client[0]) if self.client else ""
        own = [each for each in self.opened if each.address == self.address]
        if len(own) >= EACH and not self.trusted & {self.address, "*"} and not _make_room(own):
            words = f"your network address has {len(own)} connections open, which is the limit: close one first"
            self._refuse(429, words)
        elif len(self.opened) >= ALL and not _make_room(self.opened):
            self._refuse(503, f"full house: {len(self.opened)} connections are open; try again in a moment")
        else:
            self.opened[self] = None
            self._watch()

    @property
    def under_way(self) -> bool:
        """Whether a request has not been answered completely."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(exc)
        self.opened.pop(self, None)
        if self._alarm:
            self._alarm.cancel()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._watch()

    def on_response_complete(self) -> None:
        """Let uvicorn close the connection if no request follows; it calls this when a response is sent."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._alarm_after(ANSWER)  # somebody has to read it still
        else:
            self._watch()  # the next request had come before

    def _watch(self) -> None:
        """Set the alarm for the event that the connection waits for, if that has changed."""
        awaited = (self.cycle, self.under_way, self.under_way and not self.cycle.more_body)
        if awaited != self._awaited:
            self._awaited = awaited
            self._alarm_after(ANSWER if awaited[2] else REQUEST)

    def _alarm_after(self, seconds: float) -> None:
        if self._alarm:
            self._alarm.cancel()
        self._alarm = self.loop.call_later(seconds, self.transport.abort)

    def _refuse(self, status: int, words: str) -> None:
        body = f"{words[:1].upper()}{words[1:]}.\n".encode()
        head = f"HTTP/1.1 {status} \r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        self.transport.write(f"{head}Retry-After: 5\r\nConnection: close\r\n\r\n".encode() + body)
        self.transport.close()


def _make_room(connections: Iterable[Connection]) -> bool:
    """Close the oldest of the connections that wait for a request; return whether there was one."""
    for connection in connections:
        if not connection.under_way:
            connection.opened.pop(connection, None)
            connection.transport.abort()
            return True
    return False


def more_files() -> None:
    """Raise the number of files that this process may open, as far as the system allows."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def config(app: Any, proxies: str | None, **options: Any) -> uvicorn.Config:
    """Return the configuration of uvicorn for `app`; `proxies` as in `protocol`. Only these may speak for other
    clients.
    """
    return uvicorn.Config(
        app, http=protocol(proxies), ws="none", log_level="warning", access_log=False, lifespan="off",
        proxy_headers=proxies is not None, forwarded_allow_ips=proxies, server_header=False, **options,
    )  # fmt: skip
