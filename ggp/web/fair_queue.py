"""Fair turns: a limited number of places for work, given to visitors in turn, with limits on the queues."""

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Iterator

from ggp.web.problems import BusyError, TooManyError
from ggp.web.visitors import Visitor

Waiting = OrderedDict[str, OrderedDict[str, deque["asyncio.Future[None]"]]]
"""The waiting requests, by address and session, in order of arrival. Whoever was served last moves to the end."""


class FairQueue:
    """Gives places to visitors in turn: address by address, and within an address session by session.

    No visitor can hold all places: a session may hold a third of them, and an address all but one (each at least one).

    Arguments:
        what: the kind of work, in words: "searches".
        at_once: the number of places.
        each: the maximum number of requests of a session, waiting ones included.
        address: the same for an address: a household, or a class behind one router.
        most: the same for all visitors together.
        patience: the maximum wait for a place, in seconds.
    """

    def __init__(self, what: str, *, at_once: int, each: int, address: int, most: int, patience: float) -> None:
        self.what, self.at_once = what, at_once
        self._each, self._address, self._most, self._patience = each, address, most, patience
        self._under_way: Counter[Visitor | str] = Counter()
        self._placed: Counter[Visitor | str] = Counter()
        self._all = 0
        self._free = at_once
        self._waiting: Waiting = OrderedDict()

    @property
    def under_way(self) -> int:
        """Number of requests that wait or have a place."""
        return self._all

    @contextlib.contextmanager
    def admitted(self, visitor: Visitor) -> Iterator[None]:
        """Count a request from its arrival to its end.

        Raises:
            TooManyError, BusyError: the visitor has, or all visitors have, too many requests under way.
        """
        for who, most in ((visitor, self._each), (visitor.address, self._address)):
            if self._under_way[who] >= most:
                words = "you have" if who is visitor else "your network address has"
                raise TooManyError(f"{words} {most} {self.what} under way, which is the limit: let one end first")
        if self._all >= self._most:
            raise self._full()
        self._count(self._under_way, visitor, 1)
        self._all += 1
        try:
            yield
        finally:
            self._count(self._under_way, visitor, -1)
            self._all -= 1

    @contextlib.asynccontextmanager
    async def place(self, visitor: Visitor) -> AsyncIterator[None]:
        """Wait for a place, and hold it.

        Raises:
            BusyError: no place became free in time.
        """
        turn = self._queue(visitor)
        try:
            await asyncio.wait_for(turn, self._patience)
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._leave(visitor)
            if isinstance(error, TimeoutError):
                raise self._full() from None
            raise
        finally:
            self._grant()  # one who has left the queue may have stood before others
        try:
            yield
        finally:
            self._leave(visitor)

    def _queue(self, visitor: Visitor) -> "asyncio.Future[None]":
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(visitor.address, OrderedDict()).setdefault(visitor.session, deque()).append(turn)
        self._grant()
        return turn

    def _leave(self, visitor: Visitor) -> None:
        self._count(self._placed, visitor, -1)
        self._free += 1
        self._grant()

    def _grant(self) -> None:
        """Give free places to the visitors whose turn it is."""
        while self._free:
            visitor = self._next()
            if visitor is None:
                return
            sessions = self._waiting[visitor.address]
            sessions[visitor.session].popleft().set_result(None)
            sessions.move_to_end(visitor.session)
            self._waiting.move_to_end(visitor.address)
            self._count(self._placed, visitor, 1)
            self._free -= 1

    def _next(self) -> Visitor | None:
        """Return the first waiting visitor who may have another place."""
        for address, sessions in list(self._waiting.items()):
            for session, queue in list(sessions.items()):
                while queue and queue[0].done():  # gave up
                    queue.popleft()
                if not queue:
                    del sessions[session]
                elif self._may_have_more(Visitor(address, session)):
                    return Visitor(address, session)
            if not sessions:
                del self._waiting[address]
        return None

    def _may_have_more(self, visitor: Visitor) -> bool:
        of_session, of_address = max(1, self.at_once // 3), max(1, self.at_once - 1)
        return self._placed[visitor] < of_session and self._placed[visitor.address] < of_address

    def _full(self) -> BusyError:
        return BusyError(f"full house: {self._all} {self.what} are under way; try again in a moment")

    @staticmethod
    def _count(counter: "Counter[Visitor | str]", visitor: Visitor, change: int) -> None:
        for who in (visitor, visitor.address):
            counter[who] += change
            if counter[who] <= 0:
                del counter[who]
