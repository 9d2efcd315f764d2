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
from ggp_search.engine.engine import interpreted
from ggp_search.engine.search import SearchStopped
from ggp_search.engine.tree_searcher import TreeSearcher

import ggp
from ggp.compiler import Code, machine

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


def test_every_searcher_with_a_recursion_explains_itself():
    for name in set(REGISTRY.searchers) - {"random", "solver"}:
        reasons = explained(KALAH, ggp.Limits(depth=3), name, speed="interpreted")
        assert reasons["speed"] == "interpreted, as asked for"
        assert reasons["recursion"].startswith(REGISTRY.searcher(name).recursion.__name__)
        assert all(isinstance(each, str) and each for each in reasons.values())


def test_random_play_and_proofs_are_explained_too():
    assert explained(KALAH, name="random")["seed"] == "none: another choice each time"
    assert explained(KALAH, name="random", seed=3)["seed"] == "3: the same choice for the same position each time"
    proved = explained(TICTACTOE, ggp.Limits(seconds=1), "solver")
    assert proved["proof"] == "at machine speed, after alphabeta has searched for 20% of the limits"
    assert proved["alphabeta's limits"].startswith("0.2 s; ")
    alone = explained(TICTACTOE, ggp.Limits(depth=3), "solver")
    assert alone["proof"].startswith("none: alphabeta searches alone")
    assert alone["alphabeta's limits"] == "3 plies; searched at once"


@pytest.mark.parametrize(
    ("limits", "options", "said"),
    [
        (ggp.Limits(), {}, {"limits": "10,000 playouts", "leaves": "utility at the end of the game"}),
        (
            ggp.Limits(depth=3, seconds=1),
            {},
            {
                "limits": "1 s, 3 plies deep",
                "leaves": "utility at the end of the game, evaluation margin at the depth limit",
            },
        ),
        (
            ggp.Limits(nodes=50),
            {"cutoff": 8, "tree": 2},
            {
                "limits": "50 playouts",
                "leaves": "utility at the end of the game, evaluation margin after 8 plies of random play",
                "bounds": "proved for each node, from ends of the game and from the game's bounds; a proved value ends"
                " the search",
                "tree": "2 MB; playouts continue without new nodes when it is full",
            },
        ),
    ],
)
def test_playouts_are_explained_with_their_limits_their_ends_and_their_tree(limits, options, said):
    assert explained(KALAH, limits, "mcts", **options).items() >= said.items()


@pytest.mark.parametrize(
    ("name", "speed", "said"),
    [
        ("alphabeta", "interpreted", "1: interpreted searches have one thread"),
        ("alphabeta", "compiled", "4, which share the table, at depths of at least 8 plies"),
        ("mcts", "interpreted", "1: interpreted searches have one thread"),
        ("mcts", "compiled", "4, in one tree"),
    ],
)
def test_threads_are_explained_as_they_run(name, speed, said):
    assert explained(KALAH, ggp.Limits(depth=3), name, threads=4, speed=speed)["threads"] == said


def test_threads_have_a_table_that_they_share():
    assert explained(KALAH, ggp.Limits(depth=3), threads=2)["table"].startswith("64 MB (threads share it), ")
    alone = explained(KALAH, ggp.Limits(depth=3), threads=2, table=0)
    assert alone["threads"] == "1: there is no table to share"
    found, plain = (
        REGISTRY.searcher("alphabeta", speed="compiled", table=0, threads=threads).search(
            KALAH, KALAH.initial_state(), ggp.Limits(depth=9)
        )
        for threads in (2, 1)
    )
    assert (found.value, found.statistics.nodes) == (plain.value, plain.statistics.nodes)


@pytest.mark.parametrize("depth", [4, 9])
def test_threads_search_at_machine_speed_at_any_depth(depth):
    state, limits = KALAH.initial_state(), ggp.Limits(depth=depth)
    plain, shared = (
        REGISTRY.searcher("alphabeta", speed="compiled", threads=threads).search(KALAH, state, limits)
        for threads in (1, 2)
    )
    assert (shared.value, shared.speed, shared.note) == (plain.value, "compiled", None)


@pytest.mark.parametrize(
    ("game", "limits", "said"),
    [
        ("kalah", ggp.Limits(seconds=1), "tried before depth 1 with at most 20,000 states in a tenth of the time, and"),
        ("kalah", ggp.Limits(nodes=200), "tried before depth 1 with at most 50 states, and again after each depth"),
        ("kalah", ggp.Limits(depth=5), None),
        ("kalah", ggp.Limits(), None),
        ("awari", ggp.Limits(seconds=1), None),  # positions come back
    ],
)
def test_attempts_at_the_whole_game_are_explained_as_they_run(game, limits, said, monkeypatch):
    game, tried = REGISTRY.game(game), []
    reasons = explained(game, limits, speed="interpreted")
    assert reasons.get("whole game", "").startswith(said or "")
    monkeypatch.setattr(Driver, "_small_game", lambda driver: tried.append(driver) or True)
    plan = REGISTRY.searcher("alphabeta", speed="interpreted").plan(game, game.initial_state(), limits)
    driver = Driver(plan, interpreted(plan))
    monkeypatch.setattr(Driver, "_iteration", never)
    driver.run()
    assert bool(tried) == ("whole game" in reasons) == (said is not None)


def never(driver, depth):
    raise SearchStopped


def test_the_first_search_says_how_far_it_goes(monkeypatch):
    monkeypatch.delenv("GGP_SPEED", raising=False)
    monkeypatch.setattr(compiled_engine, "is_ready", lambda plan: False)
    assert explained(KALAH, ggp.Limits(depth=6))["first"] == "20,000 states, interpreted: small games need no more"
    timed = explained(KALAH, ggp.Limits(seconds=1))["first"]
    assert timed == "1,000 states to the end of the game, interpreted: small games need no more"


def test_a_search_for_the_quickest_win_is_explained_as_it_runs():
    reasons = explained(TICTACTOE, ggp.Limits(depth=4), quickest=True)
    assert reasons["quickest"].startswith("one search for each depth, until a win is forced")
    assert reasons["tablebase"] == "none"
    with pytest.raises(ggp.UsageError, match="quickest is for games of win, draw and loss"):
        explained(KALAH, quickest=True)


def test_without_machine_speed_no_tablebase_is_used(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "available", lambda: False)
    told = explained(KALAH, ggp.Limits(depth=3), speed="interpreted", tablebase=str(tmp_path))["tablebase"]
    assert told == "none: llvmlite is not installed"


def test_leaves_of_a_search_to_the_end_are_ends_of_the_game():
    assert explained(KALAH)["leaves"] == "utility at the end of the game"


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
    drawn = page.partition("from the plan to machine code")[2].split("```")[1]
    assert names == set(re.findall(r"^ +(\w+\.py) ", drawn, re.MULTILINE))
    assert len(names) <= 6
