"""Limits for visitors: a number of slots for work, given in turn, and limits on the queues for these slots."""

import asyncio
import contextlib
import ipaddress
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from weakref import WeakValueDictionary

from starlette.requests import Request

from ggp.web.problems import BusyError, TooManyError


class FairQueue:
    """Gives slots to visitors in turn. A visitor may have a third of the slots (at least one).

    If a visitor uses this share already, a further request first waits until another request of the same visitor has
    ended. Only then does it wait for a free slot, together with the requests of other visitors, in order of arrival. So
    a visitor with many requests mostly waits for their own requests.

    Arguments:
        what: the kind of work, in words: "searches".
        at_once: the number of slots.
        each: the maximum number of requests of one visitor, including those that wait.
        most: the maximum number of requests of all visitors together.
        patience: the maximum wait for a turn, in seconds.
    """

    def __init__(self, what: str, *, at_once: int, each: int, most: int, patience: float) -> None:
        self.what = what
        self._each, self._most, self._patience = each, most, patience
        self._under_way: Counter[str] = Counter()
        self._slots, self._share = asyncio.Semaphore(at_once), max(1, at_once // 3)
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        """Each visitor's share of the slots, kept as long as a request of the visitor holds a slot or waits for one.
        """

    @property
    def under_way(self) -> int:
        """Number of requests that hold a slot or wait for one."""
        return self._under_way.total()

    @contextlib.contextmanager
    def admitted(self, visitor: str) -> Iterator[None]:
        """Count a request from its arrival to its end.

        Raises:
            TooManyError: the visitor has too many requests under way.
            BusyError: all visitors together have too many requests under way.
        """
        if self._under_way[visitor] >= self._each:
            raise TooManyError(
                f"you have {self._each} {self.what} under way, which is the limit: wait until one has ended"
            )
        if self.under_way >= self._most:
            raise self._full()
        self._under_way[visitor] += 1
        try:
            yield
        finally:
            self._under_way[visitor] -= 1
            self._under_way += Counter()  # forgets visitors without requests

    @contextlib.asynccontextmanager
    async def turn(self, visitor: str) -> AsyncIterator[None]:
        """Wait for a slot, and hold it during the `with` block.

        Raises:
            BusyError: no slot became free in time.
        """
        own = self._own.setdefault(visitor, asyncio.Semaphore(self._share))
        async with contextlib.AsyncExitStack() as held:
            try:
                async with asyncio.timeout(self._patience):
                    await held.enter_async_context(own)
                    await held.enter_async_context(self._slots)
            except TimeoutError:
                raise self._full() from None
            yield

    def _full(self) -> BusyError:
        return BusyError(f"full house: {self.under_way} {self.what} are under way; try again in a moment")


def visitor(request: Request) -> str:
    """Return the visitor who sent the request, as the network of the peer's address.

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
