"""What everybody gets is made once, and nothing else is kept."""

import asyncio
import socket

import pytest
from visiting import Here, Visitor

import ggp
from ggp.web import server
from ggp.web.answer_cache import AnswerCache
from ggp.web.responder import Answer, PageRequest, Responder
from ggp.web.site import create_app
from ggp.web.value_store import ValueCache


class Counting(Here):
    """Counts how often it is asked."""

    asked = 0

    async def do(self, asked, **more):
        self.asked += 1
        return await super().do(asked, **more)


@pytest.fixture(scope="module")
def responder():
    return Responder(ggp.load_registry(), ValueCache())


LASTING = {
    "a board": ("tictactoe", "moves=5,1", ""),
    "a board that stands for the script": ("tictactoe", "x=human&o=medium&moves=5", "move"),
    "a level's move": ("connectfour", "x=human&o=easy&moves=1,2,3,4,5,6,7,1,2", ""),
}
OWN = {
    "a player with a seed of its own": ("tictactoe", "x=random&o=human", ""),
    "a move of a player that is no level": ("tictactoe", "x=human&o=mcts:nodes=20,seed=1&moves=5", ""),
    "a level's move in the opening": ("tictactoe", "x=human&o=easy&moves=5", ""),
    "dice": ("einstein", "", ""),
    "a hint": ("tictactoe", "x=human&o=human&ask=hint", ""),
    "an analysis": ("tictactoe", "x=human&o=human&show=analysis", ""),
    "what is wrong": ("tictactoe", "moves=99", ""),
}


@pytest.mark.parametrize("asked", LASTING.values(), ids=LASTING)
def test_pages_that_depend_on_the_address_alone_are_cached(responder, asked):
    game, query, script = asked
    assert responder.answer(PageRequest("play", game, query, script=script), searching=True).lasting


@pytest.mark.parametrize("asked", OWN.values(), ids=OWN)
def test_random_or_searched_pages_are_not_cached(responder, asked):
    game, query, script = asked
    assert not responder.answer(PageRequest("play", game, query, script=script), searching=True).lasting


def test_a_page_that_was_seen_before_asks_no_worker():
    workers = Counting(ggp.load_registry())
    visitor = Visitor(create_app(workers))
    pages = {visitor.get("/play/tictactoe?x=human&o=human&moves=1,2,3").text for _ in range(3)}
    visitor.close()
    assert (len(pages), workers.asked) == (1, 1)


def test_the_least_recently_used_page_is_dropped_first():
    cache, pages = AnswerCache(size=300), [PageRequest("play", "nim", f"moves={number}") for number in range(5)]
    for page in pages[:3]:
        cache.put(page, Answer("x" * 90, lasting=True))
    assert cache.get(pages[0])
    cache.put(pages[3], Answer("x" * 90, lasting=True))
    assert [cache.get(page) is not None for page in pages] == [True, False, True, True, False]
    cache.put(pages[4], Answer("own"))
    assert cache.get(pages[4]) is None


def test_answers_are_sent_at_once():
    """Nagle's algorithm holds back what is not a full packet until the browser has confirmed the one before."""

    async def accepted():
        connected = asyncio.Event()
        options = []

        def see(reader, writer):
            options.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()
            connected.set()

        listening = server.listen("127.0.0.1", 0)
        async with await asyncio.start_server(see, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            await connected.wait()
            writer.close()
        return options

    assert all(asyncio.run(accepted()))
