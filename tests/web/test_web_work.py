"""Work is done in threads of which there are only so many, and ends when its time is over or nobody wants it."""

import asyncio
import threading
import time

import pytest
from waiting import wait_until

import ggp
from ggp.searcher import Limits, asked_to_end, until
from ggp.web.problems import BusyError, TooManyError, TooMuchError
from ggp.web.work import Workshop


def shop(**more):
    return Workshop("searches", **{"at_once": 2, "waiting": 1, "each": 2, "seconds": 20.0} | more)


def wait_for_the_end():
    while not asked_to_end():
        time.sleep(0.005)
    return "ended"


def test_what_the_work_answers_is_the_answer():
    assert asyncio.run(shop().do("Ann", lambda: threading.current_thread().name)) == "ggp-work"


def test_what_the_work_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        asyncio.run(shop().do("Ann", lambda: 1 // 0))


def test_a_visitor_has_only_so_much_under_way():
    async def visit():
        workshop, end = shop(), threading.Event()
        first = [asyncio.create_task(workshop.do("Ann", end.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(
            TooManyError, match=r"^you have 2 searches under way, which is the most: let one end first$"
        ):
            await workshop.do("Ann", end.wait)
        other = asyncio.create_task(workshop.do("Ben", end.wait))
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match=r"^3 searches are under way, which is the most: try again in a moment$"):
            await workshop.do("Eve", end.wait)
        end.set()
        await asyncio.gather(*first, other)
        return workshop.under_way

    assert asyncio.run(visit()) == 0


def test_no_more_goes_on_at_once_than_there_are_places():
    lock, now, most = threading.Lock(), 0, 0

    def count():
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        with lock:
            now -= 1

    async def visit():
        workshop = shop(waiting=100, each=100)
        await asyncio.gather(*(workshop.do("Ann", count) for _ in range(20)))

    asyncio.run(visit())
    assert most == 2


WORDS = "^this took more than 0.05 seconds, which is all that a page gives to it$"


def test_work_that_takes_too_long_is_told_to_end():
    with pytest.raises(TooMuchError, match=WORDS):
        asyncio.run(shop(seconds=0.05).do("Ann", wait_for_the_end))


def test_rules_that_come_to_no_end_are_broken_off_and_their_place_is_free_again():
    threads = []

    def endless():
        threads.append(threading.current_thread())
        while True:
            try:
                time.sleep(0.001)
            except Exception:  # rules may catch what they like  # noqa: S112
                continue

    async def visit():
        workshop = shop(seconds=0.05)
        with pytest.raises(TooMuchError, match=WORDS):
            await workshop.do("Ann", endless)
        while workshop.under_way:
            await asyncio.sleep(0.01)
        return await workshop.do("Ann", lambda: "free")

    assert asyncio.run(visit()) == "free"
    wait_until(lambda: not threads[0].is_alive())


def test_ctrl_c_within_the_work_is_the_end_of_its_time():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(TooMuchError, match=r"^this took more than 20 seconds"):
        asyncio.run(shop().do("Ann", interrupted))


def test_closing_ends_what_goes_on():
    async def visit():
        workshop = shop()
        task = asyncio.create_task(workshop.do("Ann", wait_for_the_end))
        await asyncio.sleep(0.02)
        workshop.close()
        return await task

    assert asyncio.run(visit()) == "ended"


@pytest.mark.parametrize("name", ["alphabeta", "mcts"])
def test_a_search_ends_when_it_is_asked_to_from_elsewhere(name):
    registry = ggp.load_registry()
    game, asked = registry.game("kalah"), threading.Event()
    threading.Timer(0.1, asked.set).start()
    with until(asked.is_set):
        found = registry.searcher(name).search(game, game.initial_state(), Limits(nodes=1 << 50))
    assert (found.stopped, found.complete) == ("interrupt", False)


def test_either_of_two_who_ask_ends_a_search():
    with until(lambda: True), until(lambda: False):
        assert asked_to_end()
    with until(lambda: False), until(lambda: True):
        assert asked_to_end()
    with until(lambda: False):
        assert not asked_to_end()
    assert not asked_to_end()
