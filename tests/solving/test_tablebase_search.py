"""Monte Carlo searches and the searcher of reviews read tablebases."""

import pytest
from ggp_awari import Awari
from ggp_kalah import Kalah
from ggp_search import Flat, MonteCarlo
from ggp_solve.tablebases import build_files

import ggp
from ggp.capabilities import legal_actions
from ggp.play.controller import required_analyst

KALAH = Kalah(houses=3, seeds=2)
LATE = KALAH.parse_state("<3,5,4,0,1,0,1,0,1> S")
"""A position with three seeds in the houses."""
MIDDLE = KALAH.parse_state("<3,3,3,1,1,1,1,1,1> S")


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_TABLEBASES", str(tmp_path))
    return tmp_path


def exact(game, state):
    return ggp.load_registry().searcher("alphabeta", tablebase="none").analyse(game, state)


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")


@pytest.mark.parametrize("state", [LATE, MIDDLE], ids=["in the tablebase", "above it"])
def test_playouts_end_in_the_tablebase_and_prove_values(state, tables):
    build_files(KALAH, tables, 4)
    wanted = exact(KALAH, state)
    found = {}
    for speed in ("interpreted", "compiled"):
        searcher = MonteCarlo(tablebase=str(tables), speed=speed, prior=0, minimax=0.0)
        found[speed] = searcher.search(KALAH, state, ggp.Limits(nodes=2_000))
        assert (found[speed].value, found[speed].exact, found[speed].speed) == (wanted.value, True, speed)
        assert found[speed].action in wanted.best_actions
    assert found["interpreted"].statistics.nodes == found["compiled"].statistics.nodes
    if state == MIDDLE:
        alone = MonteCarlo(tablebase="none", speed="interpreted", prior=0, minimax=0.0)
        alone = alone.search(KALAH, state, ggp.Limits(nodes=2_000))
        assert found["interpreted"].statistics.nodes < alone.statistics.nodes


def test_playouts_of_flat_search_end_in_the_tablebase(tables, interpreted):
    build_files(KALAH, tables, 5)
    based, alone = (Flat(tablebase=where).search(KALAH, MIDDLE, ggp.Limits(nodes=50)) for where in ("default", "none"))
    assert based.action in legal_actions(KALAH, MIDDLE)
    assert based.value != alone.value


def test_a_limit_of_nodes_uses_no_tablebase_unasked(tables, interpreted):
    build_files(KALAH, tables, 5)
    results = {
        where: MonteCarlo(tablebase=where).search(KALAH, MIDDLE, ggp.Limits(nodes=200)).statistics.nodes
        for where in ("auto", "none", "default")
    }
    assert results["auto"] == results["none"] != results["default"]


def test_layers_that_know_all_moves_need_no_playout(tables, interpreted):
    awari = Awari()
    build_files(awari, tables, 4)
    state = awari.parse_state("<0,0,0,0,1,1;22;0,0,0,0,1,1;22> S")
    wanted = ggp.load_registry().searcher("alphabeta", tablebase="default").search(awari, state)
    found = MonteCarlo().search(awari, state, ggp.Limits(seconds=0.1))
    assert (found.value, found.exact, found.statistics.nodes) == (wanted.value, True, 0)


def test_a_review_reads_the_tablebase_whatever_its_limit(tables, interpreted):
    build_files(KALAH, tables, 4)
    registry = ggp.load_registry()
    found = required_analyst(registry, KALAH).search(KALAH, MIDDLE, ggp.Limits(nodes=20_000))
    plain = registry.searcher("alphabeta").search(KALAH, MIDDLE, ggp.Limits(nodes=20_000))
    assert (found.value, found.exact) == (plain.value, True)
    assert found.statistics.nodes < plain.statistics.nodes


def test_a_directory_without_tables_is_refused(tmp_path):
    with pytest.raises(ggp.OptionError, match=r"mcts: tablebase=.* is not a directory with tables of kalah"):
        MonteCarlo(tablebase=str(tmp_path)).search(KALAH, LATE, ggp.Limits(nodes=5))


@pytest.mark.parametrize("name", ["alphabeta", "mcts", "flat"])
def test_a_searcher_explains_that_the_table_answers(name, tables, interpreted):
    awari, limits = Awari(), ggp.Limits(nodes=10)
    build_files(awari, tables, 4)
    searcher = ggp.load_registry().searcher(name, tablebase="default")
    positions = {"<0,0,0,0,1,1;22;0,0,0,0,1,1;22> S": True, "<1,1,1,1,1,1;18;1,1,1,1,1,1;18> S": False}
    for position, answers in positions.items():
        state = awari.parse_state(position)
        assert ("searched" in searcher.explain(awari, state, limits)) == answers
        assert (searcher.search(awari, state, limits).statistics.nodes == 0) == answers
