"""Limits of visitors: a number of places for work, given in fair turns, and limits on the queues for them."""

import asyncio
import contextlib
import ipaddress
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from weakref import WeakValueDictionary

from starlette.requests import Request

from ggp.web.problems import BusyError, TooManyError


class FairQueue:
    """Gives places to visitors in turn. A visitor may have a third of the places (at least one).

    The requests of a visitor wait for each other first, and only then for the places of all, in order of arrival. So a
    visitor with many requests mostly waits for their own.

    Arguments:
        what: the kind of work, in words: "searches".
        at_once: the number of places.
        each: the maximum number of requests of a visitor, waiting ones included.
        most: the same for all visitors together.
        patience: the maximum wait for a place, in seconds.
    """

    def __init__(self, what: str, *, at_once: int, each: int, most: int, patience: float) -> None:
        self.what = what
        self._each, self._most, self._patience = each, most, patience
        self._under_way: Counter[str] = Counter()
        self._places, self._share = asyncio.Semaphore(at_once), max(1, at_once // 3)
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        """The places of each visitor, for as long as any request waits for one or has one."""

    @property
    def under_way(self) -> int:
        """Number of requests that wait or have a place."""
        return self._under_way.total()

    @contextlib.contextmanager
    def admitted(self, visitor: str) -> Iterator[None]:
        """Count a request from its arrival to its end.

        Raises:
            TooManyError, BusyError: the visitor has, or all visitors have, too many requests under way.
        """
        if self._under_way[visitor] >= self._each:
            raise TooManyError(f"you have {self._each} {self.what} under way, which is the limit: let one end first")
        if self.under_way >= self._most:
            raise self._full()
        self._under_way[visitor] += 1
        try:
            yield
        finally:
            self._under_way[visitor] -= 1
            self._under_way += Counter()  # forgets visitors without requests

    @contextlib.asynccontextmanager
    async def place(self, visitor: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it.

        Raises:
            BusyError: no place became free in time.
        """
        own = self._own.setdefault(visitor, asyncio.Semaphore(self._share))
        async with contextlib.AsyncExitStack() as held:
            try:
                async with asyncio.timeout(self._patience):
                    await held.enter_async_context(own)
                    await held.enter_async_context(self._places)
            except TimeoutError:
                raise self._full() from None
            yield

    def _full(self) -> BusyError:
        return BusyError(f"full house: {self.under_way} {self.what} are under way; try again in a moment")


def visitor(request: Request) -> str:
    """Return the sender of the request: the network of its peer.

    The address in X-Forwarded-For is used only if the peer is a proxy that the operator names.
    """
    return network(request.client.host if request.client else "unknown")


def network(host: str) -> str:
    """Return the part of an address that identifies a visitor: all of IPv4, the first 64 bits of IPv6."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
