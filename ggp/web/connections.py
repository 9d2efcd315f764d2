"""Connections: how many of one address, and how long a request may take to arrive and an answer to be read.

uvicorn waits for ever for the rest of a request, and for ever for somebody to read the answer.
"""

import asyncio
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ggp.web.visitors import network

ALL = 500
"""Connections at the same time: half of the files that a process can usually open."""
EACH = 100
"""The same from one address, proxies that the operator names apart."""
REQUEST = 10.0
"""Seconds in which a request's headers have to come, and then again its body."""
ANSWER = 120.0
"""Seconds from the end of a request to the end of its answer; an analysis waits and streams for half of them."""


def protocol(proxies: str | None) -> type[H11Protocol]:
    """Return the protocol of a server's connections.

    Arguments:
        proxies: addresses whose connections carry many visitors, as uvicorn takes them.
    """
    open_connections: set[Connection] = set()
    exempt = frozenset(each.strip() for each in (proxies or "").split(","))

    class Counted(Connection):
        opened = open_connections
        trusted = exempt

    return Counted


class Connection(H11Protocol):
    """A connection that is closed when it takes too long."""

    opened: "set[Connection]"
    trusted: frozenset[str]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.address = ""
        self._alarm: asyncio.TimerHandle | None = None
        self._awaited: tuple[Any, bool, bool] | None = None
        """What the alarm is for: the latest request, whether it is under way, and whether all of it has come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self.address = network(self.client[0]) if self.client else ""
        own = sum(1 for each in self.opened if each.address == self.address)
        if len(self.opened) >= ALL:
            self._refuse(503, f"full house: {len(self.opened)} connections are open; try again in a moment")
        elif own >= EACH and not self.trusted & {self.address, "*"}:
            self._refuse(429, f"your network address has {own} connections open, which is the limit: close one first")
        else:
            self.opened.add(self)
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(exc)
        self.opened.discard(self)
        if self._alarm:
            self._alarm.cancel()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._watch()

    def on_response_complete(self) -> None:
        """Called by uvicorn, which closes the connection itself if no request follows, when an answer is on its way."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._alarm_after(ANSWER)  # somebody has to read it still
        else:
            self._watch()  # the next request had come before

    def _watch(self) -> None:
        """Set the alarm for what the connection waits for now, if it waits for something else than before."""
        under_way = self.cycle is not None and not self.cycle.response_complete
        awaited = (self.cycle, under_way, under_way and not self.cycle.more_body)
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


def config(app: Any, proxies: str | None, **options: Any) -> uvicorn.Config:
    """Return how uvicorn serves `app`; `proxies` as in `protocol`. No peer is believed who it speaks for but these."""
    return uvicorn.Config(
        app, http=protocol(proxies), ws="none", log_level="warning", access_log=False, lifespan="off",
        proxy_headers=proxies is not None, forwarded_allow_ips=proxies, server_header=False, **options,
    )  # fmt: skip
