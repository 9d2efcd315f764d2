"""Experiments in files: they run, resume, and name what is wrong."""

import pytest

import ggp
from ggp.cli.app import main
from ggp.errors import UsageError
from ggp.experiments import even_starts, random_starts
from ggp.experiments.plan_file import read_plan

PLAN = """
players = ["minimax", "random"]
limits = "depth=2"
games = 2
seed = 3

[[game]]
name = "nim"
heaps = [1, 2]

[[game]]
name = "tictactoe"
plies = 1
"""


def test_a_file_is_an_experiment_for_each_game(tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(PLAN)
    nim, tictactoe = (part.experiment for part in read_plan(ggp.load_registry(), file).parts)
    assert (nim.game, nim.parameters["heaps"], nim.games) == ("nim", "1,2", 2)
    assert tictactoe.players == ("minimax:depth=2", "random:depth=2")


def test_starts_are_random_even_or_from_a_file(tmp_path):
    file = tmp_path / "plan.toml"
    (tmp_path / "places").write_text("1,0 first\n")
    starts = {}
    for line in ("", 'starts = "even"', 'starts = "places"'):
        file.write_text(PLAN.replace("heaps = [1, 2]", f"heaps = [1, 2]\n{line}"))
        starts[line] = read_plan(ggp.load_registry(), file).parts[0].experiment.starts
    nim = ggp.load_registry().game("nim", heaps=(1, 2))
    even = even_starts(ggp.load_registry(), nim, nim.initial_state(), 1, seed=3)
    assert starts == {
        "": random_starts(nim, nim.initial_state(), 1, seed=3),
        'starts = "even"': even,
        'starts = "places"': ("1,0 first",),
    }


WRONG = {
    "unknown entry": ("player = []\n" + PLAN, "unknown entry 'player'.*did you mean players"),
    "no such game": (PLAN.replace('"nim"', '"nimm"'), "there is no game 'nimm'"),
    "no such player": (PLAN.replace('"minimax"', '"minmax"'), "there is no player 'minmax'"),
    "odd games": (PLAN.replace("games = 2", "games = 3"), "games must be even"),
    "plies in words": (PLAN.replace("plies = 1", 'plies = "few"'), "plies must be a whole number; got 'few'"),
    "a wrong parameter": (PLAN.replace("heaps = [1, 2]", "heap = 3"), "heap"),
    "a wrong type": (PLAN.replace("seed = 3", 'seed = "x"'), "seed cannot be x: write seed = 1"),
    "a list for a number": (PLAN.replace("games = 2", "games = [1]"), "games cannot be .1.: write games = 40"),
    "no player": (PLAN.replace("players", "# players"), "players is missing: write players ="),
    "no TOML": ("players = [", "is not TOML"),
    "a wrong clock": ('clock = "hour=1"\n' + PLAN, "clock"),
    "one player": (PLAN.replace('"minimax", ', ""), "two players or more"),
    "a wrong test": ('sprt = "elo1=-5"\n' + PLAN, "elo0 must be less than elo1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_in_a_file_is_named(case, tmp_path):
    text, sentence = WRONG[case]
    file = tmp_path / "plan.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=sentence):
        read_plan(ggp.load_registry(), file)


@pytest.mark.slow
def test_an_experiment_ends_in_tables_and_reports_and_is_not_played_twice(tmp_path, capsys):
    file = tmp_path / "plan.toml"
    file.write_text(PLAN)
    assert main(["experiment", "run", str(file)]) == 0
    folder = tmp_path / "plan-results"
    assert (folder / "games.csv").read_text().count("\n") == 5
    assert "1-nim/report.html" in (folder / "report.html").read_text()
    capsys.readouterr()
    assert main(["experiment", "run", str(file)]) == 0
    assert "2 of 2 games are in the journal" in capsys.readouterr().err
