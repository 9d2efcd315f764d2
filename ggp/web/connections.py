"""Limits on connections: their number, and the time to send a request and to read the response.

uvicorn itself waits without limit for the rest of a request, and for a client to read the response.
"""

import asyncio
import contextlib
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

ALL = 1_000
"""Maximum number of connections at the same time."""
FILES = 4_096
"""Number of files that the server should be able to open. The usual 1,024 is little more than the number of
connections.
"""
REQUEST = 10.0
"""Seconds to send the headers of a request; also to send its body."""
ANSWER = 120.0
"""Seconds from the end of a request to the end of its response; an analysis may use half of this time."""


class Connection(H11Protocol):
    """A connection that is closed when it takes too long."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.opened = self.loop.time()
        self._alarm: asyncio.TimerHandle | None = None
        self._awaited: tuple[object, bool, bool] | None = None
        """The event for which the alarm is set: the latest request, whether it is under way, and whether it was
        received completely.
        """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        others = len(self.connections)
        super().connection_made(transport)
        if others < ALL or self._make_room():
            self._watch()
        else:
            self._refuse(f"full house: {others} connections are open; try again in a moment")

    def _make_room(self) -> bool:
        """Close the oldest of the connections that wait for a request; return whether there was one."""
        waiting = [each for each in self.connections if isinstance(each, Connection) and not each.under_way]
        oldest = min(waiting, key=lambda each: each.opened)
        if oldest is not self:
            self.connections.discard(oldest)
            oldest.transport.abort()
        return oldest is not self

    @property
    def under_way(self) -> bool:
        """Whether a request has not been answered completely."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(exc)
        if self._alarm:
            self._alarm.cancel()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._watch()

    def on_response_complete(self) -> None:
        """Let uvicorn close the connection if no request follows. uvicorn calls this after each response."""
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

    def _refuse(self, sentence: str) -> None:
        body = f"{sentence[:1].upper()}{sentence[1:]}.\n".encode()
        head = f"HTTP/1.1 503 \r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        self.transport.write(f"{head}Retry-After: 5\r\nConnection: close\r\n\r\n".encode() + body)
        self.transport.close()


def more_files() -> None:
    """Raise the number of files that this process may open, as far as the system allows."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def config(app: ASGIApp, proxies: str | None, **options: Any) -> uvicorn.Config:
    """Return the configuration of uvicorn for `app`. Only `proxies` (addresses in uvicorn's format) may send the
    addresses of other clients.
    """
    return uvicorn.Config(
        app, http=Connection, ws="none", log_level="warning", access_log=False, lifespan="off",
        proxy_headers=proxies is not None, forwarded_allow_ips=proxies, server_header=False, **options,
    )  # fmt: skip
