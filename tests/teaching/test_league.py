"""A league: nobody's failure stops it, and everybody's is named."""

import json
import sys

import pytest
from ggp_teach.cli.league import players_in

import ggp
from ggp.cli.app import main
from ggp.errors import ForfeitError, UsageError
from ggp.play import make_player

FIRST = "def choose(game, state):\n    return list(game.actions(state))[0]\n"
OFFENDERS = {
    "hangs": ("def choose(game, state):\n    while True: pass\n", "took more than"),
    "crashes": ("import os\ndef choose(game, state): os._exit(3)\n", "ended its process with status 3"),
    "prints": ("def choose(game, state):\n    for _ in range(10**5): print('x' * 10**4)\n", "printed more than 1 MB"),
    "fills": ("def choose(game, state):\n    return [0] * 10**10\n", "needed more than 1024 MB"),
    "illegal": ("def choose(game, state): return 99\n", "plays 99, which is not legal"),
    "reads": ("def choose(game, state): return open('/etc/hostname').read()\n", "tried to read the file"),
    "writes": ("def choose(game, state): open('out', 'w').write('x' * 10**9)\n", "tried to write the file"),
    "connects": ("import socket\ndef choose(g, s): socket.create_connection(('localhost', 1))\n", "open a connection"),
    "starts": ("import os\ndef choose(game, state): os.system('true')\n", "start another program"),
    "raises": ("def choose(game, state):\n    return 1 / 0\n", "ZeroDivisionError: division by zero (line 2)"),
    "hides it": (
        "def choose(game, state):\n    try: open('/etc/hostname')\n    except BaseException: pass\n    return 0\n",
        "tried to read the file",
    ),
    "nothing": ("x = 1\n", "it has no player"),
}


def player(tmp_path, text, options):
    registry = ggp.load_registry()
    game = registry.game("tictactoe")
    file = tmp_path / "player.py"
    file.write_text(text)
    return make_player(registry, f"python:{file}?{options}", game), game


@pytest.mark.slow
@pytest.mark.parametrize("case", OFFENDERS)
def test_a_failure_loses_the_game_and_is_named(case, tmp_path):
    text, sentence = OFFENDERS[case]
    found, game = player(tmp_path, text, f"seconds={0.4 if case == 'hangs' else 60}")
    with pytest.raises(ForfeitError) as error:
        found.choose(game, game.initial_state())
    assert sentence in str(error.value)


@pytest.mark.slow
def test_a_player_chooses_by_action_or_by_its_text(tmp_path):
    for text in (FIRST, FIRST.replace("list(game.actions(state))[0]", "game.format_action(state, 0)")):
        found, game = player(tmp_path, text, "seconds=60")
        chosen = found.choose(game, game.initial_state()).action
        assert chosen == next(iter(game.actions(game.initial_state())))
        found.close()


def test_the_players_of_a_folder_are_files_and_lines(tmp_path):
    (tmp_path / "b.py").write_text(FIRST)
    (tmp_path / "_helper.py").write_text("")
    (tmp_path / "more.txt").write_text("# levels\nmedium\n\nalphabeta:depth=2\n")
    assert players_in(tmp_path) == [f"python:{tmp_path / 'b.py'}", "medium", "alphabeta:depth=2"]
    (tmp_path / "more.txt").write_text("")
    with pytest.raises(UsageError, match="needs two players or more"):
        players_in(tmp_path)


@pytest.mark.slow
def test_a_league_ends_with_the_right_table_and_goes_on_where_it_was(tmp_path, capsys):
    folder = tmp_path / "players"
    folder.mkdir()
    (folder / "good.py").write_text(FIRST)
    (folder / "bad.py").write_text(OFFENDERS["illegal"][0])
    (folder / "levels.txt").write_text("minimax\n")
    command = ["league", str(folder), "--game", "tictactoe", "--games", "2", "--seconds", "5", "--json"]
    records = tmp_path / "records"
    assert main([*command, "--records", str(records)]) == 0
    found = json.loads(capsys.readouterr().out)
    table = {row["player"]: row for row in found["ratings"]["players"]}
    (bad,) = [row for name, row in table.items() if "bad.py" in name]
    assert (bad["wins"], bad["losses"]) == (0, 4)
    assert [("bad.py" in each["player"], each["games"]) for each in found["forfeits"]] == [(True, 4)]
    assert len(list(records.iterdir())) == 6
    assert main(command) == 0
    assert "6 of 6 games are in the journal" in capsys.readouterr().err


@pytest.mark.slow
def test_a_league_with_every_kind_of_offender_ends_with_the_right_table(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("ggp_teach.limited.PATIENCE", 300.0)  # a busy machine makes nobody lose
    for name in ("hangs", "crashes", "illegal", "reads", "writes"):
        (tmp_path / f"{name}.py").write_text(OFFENDERS[name][0])
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "last.py").write_text(FIRST.replace("[0]", "[-1]"))
    assert main(["league", str(tmp_path), "--game", "tictactoe", "--games", "2", "--seconds", "0.4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 42
    told = {each["player"].partition("?")[0].rpartition("/")[2]: each for each in found["forfeits"]}
    assert {name: each["first"].find(OFFENDERS[name[:-3]][1]) >= 0 for name, each in told.items()} == dict.fromkeys(
        ("hangs.py", "crashes.py", "illegal.py", "reads.py", "writes.py"), True
    )
    best = [row["player"] for row in found["ratings"]["players"][:2]]
    assert all("first.py" in each or "last.py" in each for each in best)
    assert all(row["losses"] <= 2 for row in found["ratings"]["players"][:2])


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_league_runs_on_a_cluster_with_files_and_engines(tmp_path, capsys):
    distributed = pytest.importorskip("distributed")
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "bad.py").write_text(OFFENDERS["illegal"][0])
    (tmp_path / "more.txt").write_text(f"ugi:{sys.executable} -m ggp ugi tictactoe alphabeta:depth=1\n")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        command = ["league", str(tmp_path), "--game", "tictactoe", "--games", "2", "--json"]
        assert main([*command, "--executor", f"dask:{cluster.scheduler_address}"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 6
    assert [each["games"] for each in found["forfeits"]] == [4]
    assert found["ratings"]["players"][0]["player"].startswith("ugi:")
