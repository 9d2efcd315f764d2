"""Tables: what commands write is read by pandas without options."""

import io
import json

import pytest
from ggp_solve.analysis import analyse
from ggp_solve.proof.proof_solver import solve
from ggp_solve.solver import solve as enumerate_game

import ggp
from ggp.cli.app import main
from ggp.play import make_player, play_game
from ggp.play.store import open_store
from ggp.tables import ResultTable, flat
from ggp.testing import perft_table

pandas = pytest.importorskip("pandas")

COMMANDS = {
    "search": (["search", "tictactoe", "--values", "--quiet"], 9),
    "perft": (["perft", "tictactoe", "2"], 3),
    "analyse": (["analyse", "tictactoe", "--quiet"], 9),
    "solve": (["solve", "nim", "--quiet"], 1),
    "match": (["match", "nim", "minimax:depth=2", "random", "--games", "2"], 2),
    "tournament": (["tournament", "nim", "minimax:depth=2", "random", "minimax:depth=1", "--games", "2"], 6),
    "compare": (["compare", "fig52", "minimax", "alphabeta"], 2),
    "export": (["export", "nim", "--positions", "5", "--values", "exact"], 5),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_pandas_reads_the_table_of_a_command(name, tmp_path, capsys):
    arguments, rows = COMMANDS[name]
    assert main([*arguments, "--csv", str(tmp_path / "table.csv")]) == 0
    found = pandas.read_csv(tmp_path / "table.csv")
    assert len(found) == rows
    assert not any(column.startswith("Unnamed") for column in found.columns)
    assert found["game"].nunique() == 1


def test_a_table_without_rows_has_its_columns(tmp_path, capsys):
    table = tmp_path / "table.csv"
    assert main(["record", "list", "--store", str(tmp_path / "games.db"), "--csv", str(table)]) == 0
    found = pandas.read_csv(table)
    assert len(found) == 0
    assert list(found.columns[:3]) == ["number", "changed", "game"]
    assert ResultTable().to_csv() == "number\n"
    assert list(ResultTable(empty=("move",)).headed({"game": "nim"}).columns) == ["game", "move"]


def test_a_dash_prints_the_table_and_nothing_else(capsys):
    assert main(["search", "fig52", "--values", "--quiet", "--csv", "-"]) == 0
    found = pandas.read_csv(io.StringIO(capsys.readouterr().out))
    assert list(found["move"]) == ["a1", "a2", "a3"]
    assert list(found["value"]) == [3, 2, 2]


def test_results_become_data_frames():
    registry = ggp.load_registry()
    game = registry.game("fig52")
    found = registry.searcher("alphabeta").analyse(game, "A").to_pandas(game, "A")
    assert list(found["move"]) == ["a1", "a2", "a3"]
    assert found["value"].dtype.kind == "i"


def test_solutions_and_analyses_become_data_frames():
    registry = ggp.load_registry()
    nim = registry.game("nim", heaps=(1, 2))
    start = nim.initial_state()
    solution = solve(nim, start, values=True).to_pandas(nim, start)
    assert dict(zip(solution["move"], solution["value"], strict=True)) == {"1:1": -1, "2:1": 1, "2:2": -1}
    assert list(solution[solution["best"]]["action"]) == [repr((2, 1))]
    enumerated = enumerate_game(nim, start).to_pandas(nim, start)
    analysed = analyse(nim, start).to_pandas(nim, start)
    for frame in (enumerated, analysed):
        assert dict(zip(frame["move"], frame["value"], strict=True)) == {"1:1": -1, "2:1": 1, "2:2": -1}


def test_counts_become_a_data_frame():
    found = perft_table(ggp.load_registry().game("tictactoe"), (0, 0, 0), 3).to_pandas()
    assert list(found["count"]) == [1, 9, 72, 504]


def test_a_record_becomes_a_data_frame_with_a_row_for_each_move(tmp_path, capsys):
    registry = ggp.load_registry()
    nim = registry.game("nim")
    players = [make_player(registry, text, nim) for text in ("alphabeta:depth=2", "random:seed=1")]
    record = play_game(nim, players)
    found = record.to_pandas()
    assert list(found["move"]) == [move.action for move in record.moves]
    assert list(found["nodes"]) == [move.thought.nodes for move in record.moves]
    with open_store(tmp_path / "store.db") as store:
        number = store.add(record)
        games = store.to_pandas()
    assert list(games["moves"]) == [len(record.moves)]
    assert main(["record", "show", str(number), "--store", str(tmp_path / "store.db"), "--csv", "-"]) == 0
    read = pandas.read_csv(io.StringIO(capsys.readouterr().out))
    assert list(read["move"]) == list(found["move"])
    assert set(read["game"]) == {"nim"}


def test_numbers_stay_numbers_and_what_is_unknown_is_missing():
    table = ResultTable([{"a": 1.0, "b": None}, {"a": float("inf"), "b": "x, y"}])
    assert table.to_csv() == 'a,b\n1,\ninf,"x, y"\n'
    found = pandas.read_csv(io.StringIO(table.to_csv()))
    assert found["a"].dtype.kind == "f"
    assert flat({"a": {"b": 1}, "c": ["x", "y"]}) == {"a.b": 1, "c": "x y"}


def test_positions_go_to_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    file = tmp_path / "positions.parquet"
    assert main(["export", "tictactoe", "--positions", "8", "--values", "depth=2", "--parquet", str(file)]) == 0
    found = pandas.read_parquet(file)
    assert len(found) == found["position"].nunique() == 8


def test_a_wrong_kind_of_values_is_refused(capsys):
    assert main(["export", "nim", "--values", "much"]) == 2
    assert "--values takes none, exact, depth=N" in " ".join(capsys.readouterr().err.split())


def test_json_and_csv_go_together(tmp_path, capsys):
    assert main(["perft", "nim", "2", "--json", "--csv", str(tmp_path / "p.csv")]) == 0
    assert len(json.loads(capsys.readouterr().out)["perft"]) == len(pandas.read_csv(tmp_path / "p.csv")) == 3
