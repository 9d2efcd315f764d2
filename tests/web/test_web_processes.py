"""Work is done in processes, which are killed when their time is over or nobody wants the answer, and are replaced."""

import asyncio
import os
import pathlib
import signal
import subprocess
import sys
import threading

import pytest
from waiting import alive

import ggp
from ggp.searcher import Limits, stop_requested, stop_when
from ggp.web import processes
from ggp.web.problems import TooMuchError, WorkerDiedError
from ggp.web.processes import Pool
from ggp.web.responder import PageRequest
from ggp.web.worker import Offer

FAULTY = str(pathlib.Path(__file__).with_name("faulty_plugin.py"))


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """On a busy machine, short work may take long by the clock."""
    monkeypatch.setattr(processes, "LONG", 60)
    monkeypatch.setattr(processes, "SEARCH_GRACE", 120)


def using(test, **more):
    """Run a test with a pool that knows the faulty game."""

    async def run():
        pool = Pool(Offer(files=[FAULTY]))
        try:
            return await test(pool, **more)
        finally:
            pool.close()

    return asyncio.run(run())


def play(fault, moves="1,2"):
    return PageRequest("play", "faulty", f"fault={fault}&moves={moves}")


async def gone(*pids):
    async with asyncio.timeout(120):
        while any(map(alive, pids)):
            await asyncio.sleep(0.02)


def pids(pool):
    return [process._process.pid for process in pool._workers]


def test_the_response_is_that_of_the_worker():
    async def ask(pool):
        return await pool.do(play("none"), searching=False, seconds=120)

    answer = using(ask)
    assert answer.status == 200
    assert "2 to move" not in answer.body
    assert "<svg" in answer.body


@pytest.mark.parametrize("fault", ["endless"])
def test_rules_that_come_to_no_end_end_with_their_process(fault, monkeypatch):
    monkeypatch.setattr(processes, "GRACE", 0.1)

    async def ask(pool):
        await pool.do(play("none"), searching=False, seconds=120)
        before = pids(pool)
        with pytest.raises(TooMuchError, match=r"^this took more than 0.2 seconds, which is the limit of a page$"):
            await pool.do(play(fault), searching=False, seconds=0.2)
        await gone(before[0])
        answer = await pool.do(play("none"), searching=False, seconds=120)
        return answer.status

    assert using(ask) == 200


def test_a_worker_that_gets_no_processor_time_is_waited_for(monkeypatch):
    monkeypatch.setattr(processes, "_processor_time", lambda pid: 0.0)
    monkeypatch.setattr(processes, "BUSY", 1e6)

    async def ask(pool):
        return (await pool.do(play("none"), searching=False, seconds=0.001)).status

    assert using(ask) == 200


def test_memory_beyond_the_limit_is_refused_in_words():
    async def ask(pool):
        answer = await pool.do(play("memory"), searching=False, seconds=120)
        return answer.status, "this takes more memory than the page gives" in answer.body.lower()

    assert using(ask) == (422, True)


@pytest.mark.parametrize("fault", ["crash", "exit"])
def test_a_worker_that_dies_is_replaced(fault):
    async def ask(pool):
        with pytest.raises(WorkerDiedError, match=r"^the process that worked on this has died$"):
            await pool.do(play(fault), searching=False, seconds=120)
        return (await pool.do(play("none"), searching=False, seconds=120)).status

    assert using(ask) == 200


def test_a_request_whose_worker_has_died_is_tried_once_more():
    async def ask(pool):
        await pool.do(play("none"), searching=False, seconds=120)
        (process,) = pool._workers
        (first,) = pids(pool)
        os.kill(first, signal.SIGSTOP)  # it answers nothing before it is killed
        work = asyncio.create_task(pool.do(play("none"), searching=False, seconds=120))
        while process.jobs < 2:
            await asyncio.sleep(0.01)
        os.kill(first, signal.SIGKILL)
        answer = await work
        return answer.status, first in pids(pool)

    assert using(ask) == (200, False)


def test_a_worker_is_replaced_after_a_want_of_memory_and_the_request_is_tried_once_more(monkeypatch):
    """The faulty rules ask for more memory than is left only where the worker holds some already."""

    async def ask(pool):
        first = await pool.do(play("hoard"), searching=False, seconds=120)
        (before,) = pids(pool)
        second = await pool.do(play("hoard"), searching=False, seconds=120)
        return first.status, second.status, before in pids(pool)

    monkeypatch.setattr(processes, "RESERVED", 2 << 30)
    assert using(ask) == (200, 200, False)


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="the system does not say")
def test_a_worker_is_replaced_by_what_it_has_reserved(monkeypatch):
    """Memory that is reserved and not touched counts against the limit of a process, as a table does."""

    async def ask(pool):
        await pool.do(play("none"), searching=False, seconds=120)
        (before,) = pids(pool)
        answer = await pool.do(play("hoard"), searching=False, seconds=120)
        return answer.status, before in pids(pool)

    assert using(ask) == (200, False)
    monkeypatch.setattr(processes, "RESERVED", 2 << 30)
    assert using(ask) == (200, True)


@pytest.mark.slow
@pytest.mark.skipif(processes.METHOD != "forkserver", reason="workers are not forked")
def test_where_the_process_that_starts_workers_is_stopped_it_is_replaced():
    async def ask(pool):
        await pool.do(play("none"), searching=False, seconds=120)
        stopped = processes.starter()
        os.kill(stopped, signal.SIGSTOP)
        (free,) = pool._workers
        free.jobs = processes.JOBS  # so that others have to be started
        first = await pool.do(play("none"), searching=False, seconds=120)
        second = await pool.do(play("none"), searching=False, seconds=120)
        await gone(stopped)
        return first.status, second.status, processes.starter() != stopped

    assert using(ask) == (
        200,
        200,
        True,
    )  # a shorter STALLED would find a process stopped that a busy machine lets wait


def test_the_process_that_starts_workers_has_ended_before_the_next_one_is_started(monkeypatch):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as starter:

        class Refused:
            def start(self):
                threading.Timer(0.1, starter.kill).start()
                raise ConnectionRefusedError

        monkeypatch.setattr(processes, "starter", lambda: starter.pid)
        monkeypatch.setattr(processes, "GRACE", 120)
        with pytest.raises(ConnectionRefusedError):
            processes._start(Refused())
        assert not alive(starter.pid)


def test_a_free_worker_that_was_killed_is_not_asked():
    async def ask(pool):
        await pool.do(play("none"), searching=False, seconds=120)
        for pid in pids(pool):
            os.kill(pid, signal.SIGKILL)
        while not all(process.dead for process in pool._workers):
            await asyncio.sleep(0.01)
        return (await pool.do(play("none"), searching=False, seconds=120)).status

    assert using(ask) == 200


def test_who_leaves_ends_the_search_and_the_worker_stays():
    async def ask(pool):
        told = asyncio.Event()
        asked = PageRequest("analysis", "kalah", "seeds=12")  # no solved one, which would be answered at once
        work = asyncio.create_task(pool.do(asked, searching=True, seconds=60, tell=lambda *_: told.set()))
        await told.wait()
        before = pids(pool)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        answer = await pool.do(PageRequest("new", "kalah"), searching=False, seconds=120)
        return answer.status, set(before) <= set(pids(pool)), work.cancelled()

    assert using(ask) == (200, True, True)


def test_pieces_come_before_the_end_and_values_are_learnt():
    async def ask(pool):
        pieces = []
        tell = lambda *piece: pieces.append(piece)  # noqa: E731
        await pool.do(PageRequest("analysis", "nim", "moves=1:2"), searching=True, seconds=30, tell=tell)
        return pieces, len(pool._kept._values)

    pieces, learnt = using(ask)
    assert pieces[-1][0] == "ended"
    assert "exact, 10 plies to the end" in pieces[-1][1]
    assert learnt == 1


def test_workers_are_replaced_after_some_work_and_by_what_they_hold(monkeypatch):
    async def ask(pool):
        pool.begin()
        seen = set(pool._workers)
        for _ in range(4):
            await pool.do(play("none"), searching=False, seconds=120)
            seen |= pool._workers
        return sum(process.dead for process in seen)

    assert using(ask) == 0
    monkeypatch.setattr(processes, "JOBS", 2)
    assert using(ask) == 2
    monkeypatch.setattr(processes, "JOBS", 100)
    monkeypatch.setattr(processes, "MEMORY", 1000)
    assert using(ask) == 4


def test_a_worker_that_has_nothing_to_do_ends_but_for_spare_ones(monkeypatch):
    monkeypatch.setattr(processes, "IDLE", 0.05)

    async def ask(pool):
        await asyncio.gather(*(pool.do(play("none"), searching=False, seconds=120) for _ in range(5)))
        async with asyncio.timeout(120):
            while len(pool._workers) > processes.SPARE:
                await asyncio.sleep(0.02)
        return len(pool._free)

    assert using(ask) == processes.SPARE


@pytest.mark.skipif(not hasattr(os, "setpriority"), reason="the system has no priorities")
def test_long_work_gives_way_to_short_work_and_its_worker_is_replaced(monkeypatch):
    async def ask(pool, fault):
        pool.begin()
        (process,) = pool._workers
        before = os.getpriority(os.PRIO_PROCESS, 0)
        work = asyncio.create_task(pool.do(play(fault), searching=False, seconds=120))
        monkeypatch.setattr(process, "kill", lambda: None)
        await work
        threads = processes._threads(process._process.pid)
        assert len(threads) >= 2
        (low,) = {os.getpriority(os.PRIO_PROCESS, thread) for thread in threads}
        return low - before, process in pool._workers

    monkeypatch.setattr(processes, "LONG", 0.1)
    monkeypatch.setattr(processes, "LOW", 1)  # at the usual one, a busy machine would let the work wait for long
    lowest = 19 - os.getpriority(os.PRIO_PROCESS, 0)
    assert using(ask, fault="slow") == (min(processes.LOW, lowest), False)
    monkeypatch.setattr(processes, "LONG", 60)
    assert using(ask, fault="none") == (0, True)


def test_closing_kills_running_work():
    async def ask(pool):
        work = asyncio.create_task(pool.do(play("endless"), searching=False, seconds=60))
        while not any(process._ready for process in pool._workers):
            await asyncio.sleep(0.01)
        await pool.do(play("none"), searching=False, seconds=120)
        before = pids(pool)
        pool.close()
        with pytest.raises(ggp.GGPError, match="the server is ending"):
            await work
        with pytest.raises(ggp.GGPError, match="the server is ending"):
            await pool.do(play("none"), searching=False, seconds=120)
        await gone(*before)

    using(ask)


@pytest.mark.skipif(not pathlib.Path("/proc/self/smaps_rollup").exists(), reason="the system does not say")
def test_memory_is_what_a_process_has_of_its_own():
    program = """
import os
from ggp.web import worker
before = worker.memory()
held = bytearray(os.urandom(1 << 20) * 32)
print(worker.memory() - before)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert 30 << 20 <= int(found.stdout) <= 40 << 20


@pytest.mark.parametrize("name", ["alphabeta", "mcts"])
def test_a_search_ends_when_it_is_asked_to_from_elsewhere(name):
    registry = ggp.load_registry()
    game, asked = registry.game("kalah"), threading.Event()
    threading.Timer(0.1, asked.set).start()
    with stop_when(asked.is_set):
        found = registry.searcher(name).search(game, game.initial_state(), Limits(nodes=1 << 50))
    assert (found.stopped, found.complete) == ("interrupt", False)


def test_either_of_two_who_ask_ends_a_search():
    with stop_when(lambda: True), stop_when(lambda: False):
        assert stop_requested()
    with stop_when(lambda: False), stop_when(lambda: True):
        assert stop_requested()
    with stop_when(lambda: False):
        assert not stop_requested()
    assert not stop_requested()
