"""A server that is attacked answers everything in time, serves others meanwhile, and is as before afterwards.

`python -m benchmarks.serving` does the same at full length, and measures.
"""

import asyncio
import contextlib
import random

import httpx
import pytest

import ggp
from benchmarks import serving

WAIT = 600
"""Seconds in which a server that does not hang answers, even on a very busy machine."""


def attack(address, visit, number):
    """Let so many visit at once, each from an address of its own."""

    async def all_at_once():
        async with asyncio.TaskGroup() as group:
            for each in range(number):
                group.create_task(one(each))

    async def one(each):
        transport = httpx.AsyncHTTPTransport(local_address=f"127.0.0.{2 + each}")
        async with httpx.AsyncClient(transport=transport, base_url=address.rstrip("/"), timeout=WAIT) as client:
            await visit(client, each)

    asyncio.run(all_at_once())


@pytest.mark.slow
def test_random_requests_at_once_are_answered_and_wedge_nothing(serve):
    registry, found = ggp.load_registry(), []

    async def visit(client, each):
        dice = random.Random(each)
        for _ in range(25):
            method, url, body = serving.request(registry, dice, 0.1)
            answer = await client.request(method, url, content=body or None)
            found.append((url, answer.status_code, answer.text))

    with serve("serve", "--port", "0") as (address, _):
        attack(address, visit, 12)
        assert [each for each in found if each[1] >= 500 and "full house" not in each[2].lower()] == []
        assert {200, 303, 400, 404} <= {status for _, status, _ in found}
        assert httpx.get(f"{address}play/kalah?north=easy&moves=A", timeout=WAIT).status_code == 303


@pytest.mark.slow
def test_a_visitor_who_asks_for_much_is_refused_and_another_is_not(serve):
    searched, streamed, other = [], [], []

    async def hog(client):
        async with contextlib.AsyncExitStack() as held:
            for _ in range(20):
                answer = await held.enter_async_context(client.stream("GET", "/analysis/kalah?seeds=7"))
                streamed.append(answer.status_code)
            url = "/play/kalah?north=alphabeta:seconds=2&moves=A"
            searched.extend(each.status_code for each in await asyncio.gather(*(client.get(url) for _ in range(20))))

    async def visit(client, each):
        if each == 0:
            await hog(client)
        else:
            for _ in range(20):
                other.append((await client.get("/play/kalah?north=medium&moves=A")).status_code)

    with serve("serve", "--port", "0") as (address, _):
        attack(address, visit, 2)
    assert other == [303] * 20
    assert set(searched) == {303, 429}  # how many of each depends on how soon the searches end
    assert streamed.count(429) >= 10  # those that were held open at first may have come to their end
