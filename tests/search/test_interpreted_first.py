"""A small search does not wait for a compiler: where no machine code is stored, it runs interpreted first."""

import pytest
from ggp_search.engine import compiled_engine

import ggp
from ggp.compiler import job

REGISTRY = ggp.load_registry()


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("GGP_SPEED", raising=False)
    for module, name in ((job, "_loaded"), (job, "_types"), (compiled_engine, "_CODES")):
        monkeypatch.setattr(module, name, type(getattr(module, name))())


def search(depth):
    game = REGISTRY.game("kalah")
    return REGISTRY.searcher("alphabeta").search(game, game.initial_state(), ggp.Limits(depth=depth))


def test_a_small_search_is_interpreted_if_no_code_is_cached():
    assert (search(5).speed, search(5).note) == ("interpreted", None)


def test_a_large_search_is_compiled_and_from_then_on_small_ones_too():
    assert search(9).speed == "compiled"
    assert search(5).speed == "compiled"


def test_the_answer_is_the_same_whichever_speed_came_first():
    small = search(6)
    search(9)
    again = search(6)
    assert [small.speed, again.speed] == ["interpreted", "compiled"]
    assert (small.value, small.action, small.statistics.nodes) == (again.value, again.action, again.statistics.nodes)


def test_a_limit_of_nodes_that_is_reached_interpreted_ends_the_search():
    game = REGISTRY.game("kalah")
    searcher = REGISTRY.searcher("alphabeta", table=0, ordering="none")
    found = searcher.search(game, game.initial_state(), ggp.Limits(nodes=500))
    assert found.stopped == "nodes"
    assert found.statistics.nodes <= 500
