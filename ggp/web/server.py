"""Run the server: where it listens, and how it ends."""

import errno
import ipaddress
import os
import signal
import socket
from collections.abc import Callable

import uvicorn

from ggp.errors import GGPError, UsageError
from ggp.web.connections import config, more_files
from ggp.web.processes import Pool
from ggp.web.security import LOOPBACK
from ggp.web.site import create_app
from ggp.web.worker import Offer

BACKLOG = 1024
KEPT = 60
"""Seconds for which an idle connection stays open: about as long as a visitor thinks about a move."""
PATIENCE = 2
"""Seconds in which running requests must finish when the server ends."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at host and port; port 0 means any free port.

    Raises:
        UsageError: the host is not an address of this machine.
        GGPError: the port is in use, or the user has no permission to use it.
    """
    try:
        family, socket_type, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # Without the protocol, asyncio would leave Nagle's algorithm on, and answers would wait up to 40 ms.
        listening = socket.socket(family, socket_type, protocol)
    except OSError as error:
        raise UsageError(f"{host} is not an address of this machine: {error.strerror}") from None
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _no_place(error, host, port) from None
    return listening


def _no_place(error: OSError, host: str, port: int) -> GGPError:
    match error.errno:
        case errno.EADDRINUSE:
            return GGPError(f"port {port} is in use: take another with --port, or --port 0 for any that is free")
        case errno.EACCES:
            return GGPError(f"port {port} may not be used: take one above 1023, or --port 0 for any that is free")
        case errno.EADDRNOTAVAIL:
            return UsageError(f"{host} is not an address of this machine")
    return GGPError(f"nothing can listen on {host}, port {port}: {error.strerror}")


def names(host: str) -> tuple[str, ...] | None:
    """Return the host names that browsers may use for a server on `host`, if this is a loopback address: the names of
    this machine. Return None for any other address, since browsers may then use any name.
    """
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    own = f"[{host}]" if ":" in host else host
    return tuple(dict.fromkeys((*LOOPBACK, own))) if loopback else None


def url(host: str, port: int) -> str:
    """Return the address of the front page."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


class Server(uvicorn.Server):
    """A server that stops its searches when it ends, so that no request waits for them.

    Arguments:
        begin: called when the server accepts requests.
        close: called when the server is asked to end.
    """

    def __init__(self, config: uvicorn.Config, begin: Callable[[], None], close: Callable[[], None]) -> None:
        super().__init__(config)
        self._begin, self._close = begin, close

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        await super().startup(sockets)
        self._begin()

    def handle_exit(self, sig: int, frame: object) -> None:
        """End on Ctrl-C, or when the system asks for it."""
        self._close()
        super().handle_exit(sig, frame)  # type: ignore[arg-type]


def serve(listening: socket.socket, host: str, offer: Offer, *, proxies: str | None = None) -> None:
    """Answer requests until Ctrl-C.

    Arguments:
        host: the host as the user gave it.
        offer: what the page offers in addition to the installed plugins.
        proxies: addresses of trusted proxies, separated by commas.
    """
    more_files()
    pool = Pool(offer)
    app = create_app(pool, names(host))
    options = {"timeout_keep_alive": KEPT, "timeout_graceful_shutdown": PATIENCE, "backlog": BACKLOG}
    server = Server(config(app, proxies, **options), pool.begin, pool.close)
    before = signal.getsignal(signal.SIGINT)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # the usual way to end it
    finally:
        signal.signal(signal.SIGINT, before)
        pool.close()
        listening.close()
