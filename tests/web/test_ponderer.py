"""On the page, a machine searches on while the visitor thinks, and nobody waits for it."""

import asyncio
import pathlib

import pytest

import ggp
from ggp.web.processes import Pool
from ggp.web.responder import PageRequest, Responder
from ggp.web.value_store import ValueCache
from ggp.web.worker import Offer

PLUGIN = str(pathlib.Path(__file__).with_name("pondering_plugin.py"))


def play(player, moves, *, other="human", game="nim"):
    return PageRequest("play", game, f"first={other}&second={player}&moves={moves}", script="answer")


def following(answer):
    """The request for the page to which an answer leads."""
    return PageRequest("play", "nim", answer.headers["Location"].partition("?")[2])


@pytest.fixture
def responder():
    registry = ggp.load_registry()
    registry.load_file(PLUGIN)
    return Responder(registry, ValueCache())


@pytest.fixture
def notes(tmp_path):
    return tmp_path / "notes"


def answered(responder, *asked, **more):
    return responder.answer(play(*asked, **more), searching=True)


def machine(responder):
    return responder.ponderer._position.machine


def test_a_machine_that_ponders_is_the_same_at_its_next_move(responder, notes):
    answered(responder, f"patient:notes={notes}", "1:1")
    first = machine(responder)
    answered(responder, f"patient:notes={notes}", "1:1,1:2,2:1")
    assert machine(responder) is first
    answered(responder, f"patient:notes={notes},ponder=yes", "1:1")
    assert machine(responder) is not first


@pytest.mark.parametrize(
    ("options", "moves", "other"),
    [
        pytest.param(",ponder=no", "1:1", "human", id="not asked to"),
        pytest.param(",compiled=no", "1:1", "human", id="not compiled"),
        pytest.param("", "1:3,2:4,3:4", "human", id="the game is over after its move"),
        pytest.param("", "1:1", "random:seed=1", id="against a machine"),
    ],
)
def test_others_do_not_ponder(responder, notes, options, moves, other):
    answer = answered(responder, f"patient:notes={notes}{options}", moves, other=other)
    assert answer.status in (200, 303)
    assert responder.ponderer.url == ""
    responder.ponderer.search()
    assert "ponders" not in (notes.read_text() if notes.exists() else "")


def test_the_address_of_the_game_has_neither_panels_nor_view(responder, notes):
    asked = play(f"patient:notes={notes}", "1:1&show=analysis&view=1")
    answer = responder.answer(asked, searching=True)
    assert "show=analysis" in answer.headers["Location"]
    assert responder.ponderer.url.endswith("moves=1:1,1:1")


def test_a_search_that_fails_while_pondering_harms_nobody(responder, notes, tmp_path):
    answered(responder, f"patient:notes={notes}", "1:1")
    notes.unlink()
    notes.mkdir()
    responder.ponderer.search()
    assert responder.ponderer.url


def test_a_worker_ponders_while_nobody_waits_and_rests_when_somebody_does(notes):
    player = f"patient:notes={notes}"

    async def noted(text):
        async with asyncio.timeout(120):
            while not (notes.exists() and text in notes.read_text(encoding="utf-8")):
                await asyncio.sleep(0.01)

    async def visit():
        pool = Pool(Offer(files=[PLUGIN]))
        try:
            moved = await pool.do(play(player, "1:1"), searching=True, seconds=120)
            worker = pool._pondering
            await noted("ponders in")
            page = await pool.do(following(moved), searching=False, seconds=120)
            await noted("rests in")
            assert (page.status, pool._pondering) == (200, worker)
            assert "patient" in page.body
            notes.write_text("", encoding="utf-8")
            await noted("ponders in")
            other = await pool.do(PageRequest("new", "nim"), searching=False, seconds=120)
            await noted("rests in")
            assert other.status == 200
            assert pool._pondering is worker
            assert len(pool._workers) > 1
        finally:
            pool.close()

    asyncio.run(visit())


def test_a_worker_that_nobody_comes_back_to_is_free_again(notes, monkeypatch):
    monkeypatch.setattr("ggp.web.processes.LONGEST", 0.0)

    async def visit():
        pool = Pool(Offer(files=[PLUGIN]))
        try:
            await pool.do(play(f"patient:notes={notes}", "1:1"), searching=True, seconds=120)
            async with asyncio.timeout(120):
                while pool._pondering:
                    await asyncio.sleep(0.01)
            assert any(process.ponders for process in pool._free)
        finally:
            pool.close()

    asyncio.run(visit())
