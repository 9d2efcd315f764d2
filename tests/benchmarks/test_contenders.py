"""All contenders search the trees that they are said to search, at a small size; nothing is timed here."""

import importlib.util
import json
import pathlib
import re
import shutil

import pytest
from ggp_search import SearchStopped

from benchmarks import comparisons, machine, native, peers
from benchmarks.ours import PLAIN, Whole, recursion, registry
from benchmarks.rounds import Unavailable
from benchmarks.scale import QUICK
from benchmarks.whole import PIG, SHALLOW, STRONG

COUNTS = json.loads(pathlib.Path(__file__).parents[1].joinpath("data", "search_counts.json").read_text())
MARGIN = {int(depth): tuple(found) for depth, found in COUNTS["alphabeta_margin"].items()}
needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
needs_fast = pytest.mark.skipif(importlib.util.find_spec("llvmlite") is None, reason="there is no machine speed")


@pytest.fixture
def no_library():
    native.library.cache_clear()
    yield
    native.library.cache_clear()


@needs_c
@pytest.mark.parametrize("depth", range(1, 12))
def test_the_c_program_visits_the_known_states_and_finds_the_known_value(depth):
    search = native.Native(depth, 0)
    assert (search.contender().count(), search.value) == MARGIN[depth]


@needs_c
def test_the_c_program_with_a_table_finds_the_same_value_in_every_iteration():
    search = native.Native(10, 1)
    contender = search.contender()
    counts = set()
    for _ in range(native.GENERATIONS + 3):
        contender.before()
        counts.add(contender.count())
        assert search.value == MARGIN[10][1]
    assert len(counts) == 1
    assert counts.pop() < MARGIN[10][0]


@needs_c
def test_the_c_program_stops_at_its_limit_of_states():
    search = native.Native(8, 0)
    search.live.limit = 1000
    with pytest.raises(SearchStopped):
        search.contender().run()
    assert search.live.nodes == 1001


@needs_c
@needs_fast
@pytest.mark.parametrize("megabytes", [1, 64])
@pytest.mark.parametrize("depth", [6, 10])
def test_the_c_program_and_ours_visit_the_same_states_with_a_table(depth, megabytes):
    text = comparisons.TABLE.replace("table=64", f"table={megabytes}")
    ours = recursion(registry().game("kalah"), f"alphabeta:{text},speed=compiled", depth)
    theirs = native.Native(depth, megabytes).contender()
    for contender in (ours, theirs):
        contender.before()
    assert ours.count() == theirs.count()


def test_open_spiel_visits_the_states_that_we_visit():
    pytest.importorskip("pyspiel")
    game = registry().game("kalah", scoring="outcome")
    ours = recursion(game, f"{comparisons.OUTCOME},speed=interpreted", 7)
    assert peers.spiel_alphabeta("mancala", 7).count() == ours.count()
    assert peers.spiel_alphabeta("tic_tac_toe", 9).count() == COUNTS["tictactoe"]["alphabeta_states_row_order"]


def test_open_spiel_looks_as_many_actions_of_players_ahead_as_it_is_told():
    pytest.importorskip("pyspiel")
    assert [peers.spiel_expectiminimax(depth).count() for depth in (0, 1, 2)] == [1, 3, 23]


def test_easy_ai_passes_after_an_extra_turn():
    pytest.importorskip("easyAI")
    from benchmarks.easy_kalah import PASS, EasyKalah

    game = EasyKalah()
    game.make_move(2)  # four seeds, the last into the store
    game.switch_player()
    assert game.possible_moves() == [PASS]
    game.make_move(PASS)
    game.switch_player()
    assert game.possible_moves() == [0, 1, 3, 4, 5]
    assert game.scoring() == 1
    for move in (PASS, 2):
        game.switch_player()
        game.unmake_move(move)
    assert game.possible_moves() == [0, 1, 2, 3, 4, 5]
    assert peers.easy_negamax(4).count() > 100


def test_what_is_not_installed_is_said_in_words(monkeypatch, no_library):
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(native.shutil, "which", lambda name: None)
    with pytest.raises(Unavailable, match="open_spiel is not installed"):
        peers.spiel_alphabeta("mancala", 2)
    with pytest.raises(Unavailable, match="easyAI is not installed"):
        peers.easy_negamax(2)
    with pytest.raises(Unavailable, match="there is no C compiler `cc` here"):
        native.Native(2, 0).contender()


def test_a_peer_that_cannot_be_imported_is_said_in_words(monkeypatch):
    def broken(name):
        raise ImportError("No module named 'easyAI.AI'")

    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: "found")
    monkeypatch.setattr(peers.importlib, "import_module", broken)
    with pytest.raises(Unavailable, match=r"easyAI cannot be imported: No module named 'easyAI\.AI'"):
        peers.easy_negamax(2)


@needs_c
def test_a_c_compiler_that_fails_is_said_in_words(monkeypatch, no_library, tmp_path):
    source = tmp_path / "kalah.c"
    source.write_text("no C at all")
    monkeypatch.setattr(native, "SOURCE", source)
    with pytest.raises(Unavailable, match=r"the C compiler failed: .*kalah"):
        native.Native(2, 0).contender()


def test_without_peers_a_comparison_tells_what_is_missing_and_measures_the_rest(monkeypatch):
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: None)
    section = comparisons.interpreted(QUICK)
    text = section.markdown()
    assert "open_spiel alpha-beta, outcome: open_spiel is not installed" in text
    assert f"{MARGIN[QUICK.interpreted_depth][0]:,}" in text
    assert [target.found for target in section.targets] == [None, None]


def test_a_searcher_that_does_not_exist_is_a_row_that_says_so():
    game = registry().game("kalah")
    with pytest.raises(Unavailable, match="there is no searcher 'deepthought'"):
        recursion(game, "deepthought", 2)
    with pytest.raises(Unavailable, match="alphabeta has no option 'tables'"):
        Whole(game, "alphabeta:tables=2", 2).contender()
    with pytest.raises(Unavailable, match="random cannot be timed: it has no recursion"):
        recursion(game, "random", 2)


@pytest.mark.parametrize("searcher", [*SHALLOW, *STRONG, *PIG])
def test_every_row_of_the_ablations_is_a_searcher_that_exists(searcher):
    registry().parse_searcher(searcher)


def test_a_whole_search_counts_the_states_of_all_its_iterations():
    game = registry().game("kalah")
    deepening = Whole(game, f"alphabeta:{PLAIN},speed=interpreted,nodes=1000000", 4)
    assert deepening.contender().count() == sum(MARGIN[depth][0] for depth in (1, 2, 3, 4))


def test_the_facts_name_versions_and_no_machine():
    facts = machine.facts()
    assert "cores" in facts
    assert "ggp 0" in facts
    assert machine.platform.node() not in re.findall(r"[\w.-]+", facts)
