"""A plan says what a search does and why; for one question at most two searches run."""

import pathlib
import re
import sys
import threading

import attrs
import pytest
from ggp_search.algorithms.minimax import minimax
from ggp_search.engine import compiled_engine
from ggp_search.engine.driver import Driver
from ggp_search.engine.tree_searcher import TreeSearcher

import ggp
from ggp.compiler import Code

REGISTRY = ggp.load_registry()
KALAH, TICTACTOE = REGISTRY.game("kalah"), REGISTRY.game("tictactoe")


def explained(game, limits=ggp.Limits(), name="alphabeta", **options):
    return REGISTRY.searcher(name, **options).explain(game, game.initial_state(), limits)


@attrs.frozen(kw_only=True)
class Former(TreeSearcher):
    """Minimax, with the former name of its recursion."""

    name = "former"
    page = staticmethod(minimax)
    windowed = False


def test_the_former_name_of_a_recursion_still_works():
    fig52 = REGISTRY.game("fig52")
    assert Former().search(fig52, "A").value == 3


@pytest.mark.parametrize(
    ("limits", "options", "said"),
    [
        (ggp.Limits(depth=12), {}, "none: a plain search"),
        (ggp.Limits(depth=13), {}, "64 MB (more than 12 plies), by key"),
        (ggp.Limits(depth=3), {"table": 2}, "2 MB (as asked for), by key"),
        (ggp.Limits(seconds=1), {}, "64 MB (time is limited), by key"),
        (ggp.Limits(nodes=10), {}, "64 MB (states are limited), by key"),
        (ggp.Limits(nodes=10), {"evaluation": lambda state: 0}, "64 MB (states are limited), by the whole state"),
        (ggp.Limits(), {"table": 0}, "none: a plain search"),
    ],
)
def test_the_table_is_explained_as_it_is_made(limits, options, said):
    assert explained(KALAH, limits, **options)["table"].startswith(said)
    plan = REGISTRY.searcher("alphabeta", **options).plan(KALAH, KALAH.initial_state(), limits)
    assert (plan.settings.table == 0) == said.startswith("none")


def test_every_searcher_with_a_page_explains_itself():
    for name in set(REGISTRY.searchers) - {"random", "solver"}:
        reasons = explained(KALAH, ggp.Limits(depth=3), name, speed="interpreted")
        assert reasons["speed"] == "interpreted, as asked for"
        assert reasons["recursion"].startswith(REGISTRY.searcher(name).recursion.__name__)
        assert all(isinstance(each, str) and each for each in reasons.values())


def test_an_evaluation_of_the_caller_is_said_to_be_interpreted():
    reasons = explained(KALAH, ggp.Limits(depth=3), evaluation=lambda state: 0)
    assert reasons["speed"] == f"interpreted: {compiled_engine.CALLERS_OWN}"
    assert reasons["leaves"].endswith("the caller's evaluation at the depth limit")


@pytest.mark.parametrize(
    ("limits", "options"),
    [
        (ggp.Limits(), {}),
        (ggp.Limits(), {"table": 0, "ordering": "none"}),
        (ggp.Limits(depth=6), {}),
        (ggp.Limits(nodes=300), {"table": 0}),
        (ggp.Limits(seconds=60), {}),
    ],
)
def test_at_most_two_searches_answer_one_question(limits, options, monkeypatch):
    ran = []
    run = Driver.run
    monkeypatch.setattr(Driver, "run", lambda driver: ran.append(driver) or run(driver))
    monkeypatch.setattr("ggp_search.engine.tree_searcher.INTERPRETED_FIRST", 100)
    monkeypatch.setattr("ggp_search.engine.tree_searcher.TOY", 100)
    monkeypatch.setattr(compiled_engine, "is_ready", lambda plan: False)
    REGISTRY.searcher("alphabeta", **options).search(TICTACTOE, TICTACTOE.initial_state(), limits)
    assert 1 <= len(ran) <= 2


@pytest.mark.parametrize(("heaps", "speed"), [((1, 2), "interpreted"), ((5, 6, 7), "compiled")])
def test_a_toy_that_is_soon_searched_to_its_end_is_not_compiled_whatever_the_time_is(heaps, speed, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")
    game = REGISTRY.game("nim", heaps=heaps)
    found = REGISTRY.searcher("alphabeta", table=1).search(game, game.initial_state(), ggp.Limits(seconds=60))
    assert (found.speed, found.value, found.exact) == (speed, 1, True)


def test_a_plan_is_the_key_of_its_code():
    searcher, state = REGISTRY.searcher("alphabeta"), KALAH.initial_state()
    plain, deep, table = (searcher.plan(KALAH, state, ggp.Limits(depth=depth)).key for depth in (5, 6, 14))
    assert plain == deep != table
    own = REGISTRY.searcher("alphabeta", evaluation=lambda state: 0)
    assert own.plan(KALAH, state, ggp.Limits(depth=5)).key is None


def _files_to_machine_code(search):
    """Return the files of ggp and of games whose functions run from `choose_engine` to the end of the first call of
    machine code.
    """
    names, on_the_way, start, end = set(), False, compiled_engine.choose_engine.__code__, Code.__call__.__code__

    def look(frame, event, argument):
        nonlocal on_the_way
        code = frame.f_code
        on_the_way = on_the_way or (event == "call" and code is start)
        package = (frame.f_globals.get("__name__") or "").partition(".")[0]
        if on_the_way and event == "call" and package.startswith("ggp") and not code.co_filename.startswith("<"):
            names.add(pathlib.Path(code.co_filename).name)
        if on_the_way and event == "return" and code is end:
            threading.setprofile(None)
            sys.setprofile(None)
            on_the_way = False

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        search()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return names


def test_the_way_to_machine_code_is_that_of_the_page_on_the_architecture(monkeypatch):
    monkeypatch.delenv("GGP_SPEED", raising=False)
    state, limits = KALAH.initial_state(), ggp.Limits(depth=6)
    REGISTRY.searcher("alphabeta", speed="compiled").search(KALAH, state, limits)
    names = _files_to_machine_code(lambda: REGISTRY.searcher("alphabeta").search(KALAH, state, limits))
    page = (pathlib.Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = page.partition("From the plan to machine code")[2].split("```")[1]
    assert names == set(re.findall(r"^ +(\w+\.py) ", drawn, re.MULTILINE))
    assert len(names) <= 6
