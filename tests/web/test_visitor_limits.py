"""Visitors take turns: whoever asks for much waits for itself, and everybody's share is bounded."""

import asyncio
import contextlib

import pytest

from ggp.web.problems import BusyError, TooManyError
from ggp.web.visitor_limits import FairQueue

ANN, BEN, EVE = (f"192.0.2.{number}" for number in (1, 2, 3))


def turns(**more):
    return FairQueue("searches", **{"at_once": 3, "each": 100, "most": 1000, "patience": 120.0} | more)


async def served(places, *visitors):
    """Return the order in which visitors are served if all ask at once, and the most that were served together."""
    order, holding, most = [], [], 0

    async def ask(visitor):
        nonlocal most
        async with places.turn(visitor):
            order.append(visitor)
            holding.append(visitor)
            most = max(most, len(holding))
            await asyncio.sleep(0.001)
            holding.remove(visitor)

    await asyncio.gather(*(ask(visitor) for visitor in visitors))
    return order, most


def test_who_asks_for_much_does_not_keep_others_waiting():
    order, _ = asyncio.run(served(turns(), *[ANN] * 50, BEN))
    assert order.index(BEN) <= 3


def test_visitors_are_served_in_turn():
    order, _ = asyncio.run(served(turns(at_once=1), EVE, *[ANN] * 4, *[BEN] * 4, *[EVE] * 4))
    assert all(set(order[place : place + 3]) == {ANN, BEN, EVE} for place in range(1, 12, 3))


def test_a_visitor_has_a_third_of_the_places():
    assert asyncio.run(served(turns(at_once=4), *[ANN] * 8))[1] == 1
    assert asyncio.run(served(turns(at_once=9), *[ANN] * 8))[1] == 3
    assert asyncio.run(served(turns(at_once=1), *[ANN] * 8))[1] == 1
    assert asyncio.run(served(turns(at_once=4), *[ANN] * 8, BEN))[1] == 2

    async def hold(places, visitors):
        async with contextlib.AsyncExitStack() as held:
            for visitor in visitors:
                await held.enter_async_context(places.turn(visitor))

    asyncio.run(hold(turns(at_once=6), [ANN, ANN, BEN, BEN]))
    with pytest.raises(BusyError):
        asyncio.run(hold(turns(at_once=6, patience=0.01), [ANN] * 3))


def test_waiting_has_an_end():
    async def wait():
        places = turns(at_once=1, patience=0.01)
        async with places.turn(ANN):
            with places.admitted(BEN), pytest.raises(BusyError, match=r"^full house: 1 searches are under way; "):
                async with places.turn(BEN):
                    pass
        async with places.turn(BEN):
            return places.under_way

    assert asyncio.run(wait()) == 0


def test_who_gives_up_waiting_takes_no_place():
    async def give_up():
        places = turns(at_once=1)
        async with places.turn(ANN):
            waiting = [asyncio.create_task(served(places, visitor)) for visitor in (ANN, BEN, BEN)]
            await asyncio.sleep(0)
            for each in waiting:
                each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return await served(places, EVE, ANN, BEN)

    assert asyncio.run(give_up()) == ([EVE, ANN, BEN], 1)


def test_a_visitor_and_all_have_only_so_much_under_way():
    places = turns(each=2, most=3)
    with contextlib.ExitStack() as held:
        for visitor in (ANN, ANN, BEN):
            held.enter_context(places.admitted(visitor))
        with pytest.raises(
            TooManyError, match=r"^you have 2 searches under way, which is the limit: wait until one has ended$"
        ):
            held.enter_context(places.admitted(ANN))
        with pytest.raises(BusyError, match=r"^full house: 3 searches are under way; try again in a moment$"):
            held.enter_context(places.admitted(EVE))
    assert places.under_way == 0
    with places.admitted(ANN):
        assert places.under_way == 1
