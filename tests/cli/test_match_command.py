"""`ggp match` and `ggp tournament`."""

import json
import pathlib
import signal
import time
from xml.etree import ElementTree

import pytest


def costless(found):
    """The report without what depends on the clock."""
    return {name: each for name, each in found.items() if name != "costs"}


def test_a_match_is_reported(ggp):
    found = ggp("match", "nim", "alphabeta", "random", "--games", "20")
    assert found.status == 0
    assert "# nim: alphabeta against random" in found.out
    assert "20 games of " in found.out
    assert "Points of alphabeta in the two games from one start: " in found.out
    assert "Whoever plays first scores " in found.out
    assert "| alphabeta | " in found.out


def test_a_match_is_told_as_json(ggp):
    found = json.loads(ggp("match", "tictactoe", "alphabeta", "random", "--games", "20", "--seed", "3", "--json").out)
    (match,) = found["matches"]
    assert match["wins"] + match["draws"] + match["losses"] == match["games"] == found["games"] == 20
    assert sum(match["pairs"]) == 10
    assert match["score"] == (match["wins"] + match["draws"] / 2) / 20
    assert match["elo_low"] < match["elo"]
    assert found["first_player"]["name"] == "X"
    assert [cost["player"] for cost in found["costs"]] == ["alphabeta", "random"]
    assert found["seed"] == 3


def test_the_same_seed_is_the_same_match_and_another_another(ggp):
    def match(seed):
        return costless(
            json.loads(ggp("match", "pig", "random", "easy", "--games", "10", "--seed", seed, "--json").out)
        )

    assert match("1") == match("1") != match("2")


def test_a_match_without_a_loss_has_no_greatest_difference(ggp):
    said = ggp("match", "fig52", "alphabeta", "minimax", "--games", "2", "--plies", "0")
    assert "+0 | " in said.out
    match = json.loads(ggp("match", "kalah", "alphabeta:depth=4", "random", "--games", "4", "--json").out)["matches"][0]
    assert match["losses"] == 0
    assert (match["elo"], match["elo_high"]) == (None, None)
    assert "+∞ | " in ggp("match", "kalah", "alphabeta:depth=4", "random", "--games", "4").out


def test_a_sequential_test_stops_the_match(ggp):
    found = ggp("match", "kalah", "easy", "random", "--sprt", "elo0=0,elo1=200", "--json")
    data = json.loads(found.out)
    assert data["sprt"]["accepted"] == "H1"
    assert data["sprt"]["ratio"] >= data["sprt"]["high"]
    assert 4 <= data["games"] <= 100
    said = ggp("match", "nim", "random", "random", "--sprt", "elo0=0,elo1=10", "--games", "6")
    assert "nothing is decided" in said.out


def test_a_tournament_of_several_games_rates_the_players_in_all_of_them(ggp, tmp_path):
    table = tmp_path / "games.csv"
    command = ["tournament", "tictactoe", "easy", "random", "--games", "4", "--also", "nim:heaps=1,2,2"]
    found = ggp(*command, "--csv", str(table), "--report", str(tmp_path / "report.md"))
    assert "All games (tictactoe, nim):" in found.out
    assert {path.name for path in tmp_path.glob("*.md")} == {"report-1-tictactoe.md", "report-2-nim.md"}
    assert [line.split(",")[1] for line in table.read_text().splitlines()[1:]] == ["tictactoe"] * 4 + ["nim"] * 4
    data = json.loads(ggp(*command, "--json").out)
    assert [each["game"] for each in data["experiments"]] == ["tictactoe", "nim"]
    assert [each["games"] for each in data["ratings"]["players"]] == [8, 8]
    assert "has no option 'heap'" in ggp(*command[:-1], "nim:heap=3").err


def test_a_tournament_is_reported_with_ratings_and_a_cross_table(ggp):
    found = ggp("tournament", "tictactoe", "alphabeta", "random", "easy", "--games", "6")
    assert found.status == 0
    assert "# tictactoe: 3 players" in found.out
    assert "| player" in found.out
    assert "| points of 6 games |   1 |   2 |   3 |" in found.out
    data = json.loads(ggp("tournament", "tictactoe", "alphabeta", "random", "easy", "--games", "6", "--json").out)
    elos = [row["elo"] for row in data["ratings"]["players"]]
    assert elos == sorted(elos, reverse=True)
    assert sum(elos) == pytest.approx(0, abs=1e-6)
    assert data["games"] == 18
    assert sum(row["games"] for row in data["ratings"]["players"]) == 36


def test_a_gauntlet_is_the_first_player_against_the_others(ggp):
    data = json.loads(ggp("tournament", "nim", "easy", "random", "hard", "--gauntlet", "--games", "4", "--json").out)
    assert [(match["first"], match["second"]) for match in data["matches"]] == [("easy", "random"), ("easy", "hard")]


def test_a_player_who_won_all_is_rated_with_an_added_draw(ggp):
    said = ggp("tournament", "kalah", "easy", "random", "random:seed=1", "--games", "2", "--gauntlet")
    assert "For each player, 1 drawn game was added." in said.out


def test_games_that_are_too_long_are_told(ggp):
    said = ggp("match", "kalah", "random", "easy", "--games", "2", "--longest", "2")
    assert "2 games were too long and count as draws." in said.out


def test_reports_and_a_plot_are_written(ggp, tmp_path):
    page, data, picture, ratings = (tmp_path / name for name in ("r.md", "r.json", "p.svg", "t.svg"))
    match = ("match", "nim", "easy", "random", "--games", "20")
    found = ggp(*match, "--report", str(page), "--report", str(data), "--plot", str(picture))
    assert page.read_text() == found.out
    assert json.loads(data.read_text())["games"] == 20
    drawn = ElementTree.fromstring(picture.read_text())  # noqa: S314 - drawn on the spot
    assert drawn.get("aria-label") == "nim: easy against random: score, with 95 % intervals"
    share = json.loads(data.read_text())["matches"][0]["score"]
    dot = next(each for each in drawn if each.get("class") == "dot")
    assert (float(dot.get("cx")), float(dot.get("cy"))) == (690, pytest.approx(12 + (1 - share) * 252, abs=0.01))
    assert ggp("tournament", "nim", "easy", "random", "hard", "--games", "2", "--plot", str(ratings)).status == 0
    drawn = ElementTree.fromstring(ratings.read_text())  # noqa: S314 - drawn on the spot
    assert sum(each.get("class") == "dot" for each in drawn) == 3
    assert {"easy", "random", "hard"} < {each.text for each in drawn}


def test_starts_are_read_from_a_file(ggp, tmp_path):
    file = tmp_path / "starts"
    file.write_text("C\nB\nD\n")
    assert json.loads(ggp("match", "fig52", "easy", "hard", "--starts", str(file), "--json").out)["games"] == 6


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_even_starts_are_the_same_when_games_are_resumed(ggp, tmp_path, command):
    line = [command, "kalah", "--option", "houses=3", "--option", "seeds=2", "easy", "random", "--games", "4"]
    journal = tmp_path / "journal"
    first = ggp(*line, "--starts", "even", "--plies", "2", "--journal", str(journal))
    again = ggp(*line, "--starts", "even", "--plies", "2", "--journal", str(journal))
    assert "4 of 4 games are in the journal" in again.err
    assert again.out == first.out
    other = ggp(*line, "--plies", "2", "--journal", str(journal))
    assert "the journal" in other.err
    assert other.status != 0


def test_each_game_of_a_tournament_has_its_own_even_starts(ggp):
    found = ggp("tournament", "nim", "--also", "fig52", "easy", "random", "--games", "2", "--starts", "even", "--json")
    assert [each["starts"] for each in json.loads(found.out)["experiments"]] == [1, 1]


def test_games_begin_where_they_are_told_to(ggp):
    found = ggp("match", "fig52", "easy", "hard", "--moves", "a2", "--plies", "0", "--games", "2", "--json")
    assert json.loads(found.out)["different_games"] == 2
    assert "Whoever plays MAX scores" in ggp("match", "fig52", "easy", "hard", "--position", "C", "--plies", "0").out


def test_too_few_starts_are_told(ggp):
    found = ggp("match", "fig52", "easy", "hard", "--games", "10")
    assert "ggp: only 3 of the 5 starts are different" in found.err
    assert found.status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "nim", "easy", "human"], "a human cannot play here"),
        (["match", "nim", "easy", "bard"], "there is no player 'bard'"),
        (["match", "pancakes", "easy", "hard"], "pancakes is for one player"),
        (
            ["match", "nim", "easy", "hard", "--games", "3"],
            "--games must be even (each start is played twice with sides swapped); got 3",
        ),
        (
            ["match", "nim", "easy", "hard", "--games", "none"],
            "--games must be a whole number from 2 to 10,000,000; got 'none'",
        ),
        (["match", "nim", "easy", "hard", "--processes", "0"], "got 0"),
        (["match", "nim", "easy", "hard", "--executor", "here"], "there is no executor 'here'"),
        (
            ["match", "nim", "easy", "hard", "--starts", "x", "--plies", "1"],
            "--starts and --plies cannot be used together",
        ),
        (["match", "nim", "easy", "hard", "--starts", "no such file"], "no such file cannot be read"),
        (
            ["match", "nim", "easy", "hard", "--starts", "evne"],
            "--starts takes a file of start positions, or the word even",
        ),
        (
            ["match", "nim", "easy", "hard", "--starts", "even", "--plies", "99"],
            "nim has no start position 99 plies after 3,4,5 first",
        ),
        (["tournament", "nim", "easy", "hard", "--also", "fig52", "--starts", "x"], "a file of starts is for one game"),
        (["match", "nim", "easy", "hard", "--plies", "99"], "nim has no start position 99 plies after 3,4,5 first"),
        (
            ["match", "nim", "easy", "hard", "--report", "x.txt"],
            "the name of a report must end in .md, .json or .html; got x.txt",
        ),
        (["match", "nim", "easy", "hard", "--report", "no/x.md"], "there is no directory no"),
        (["match", "nim", "easy", "hard", "--plot", "x.png"], "the name of a plot must end in .svg"),
        (["match", "nim", "easy", "hard", "--plot", "no/x.svg"], "there is no directory no"),
        (["match", "nim", "easy", "hard", "--sprt", "elo0=5,elo1=1"], "elo0 must be less than elo1 (1); got 5"),
        (["tournament", "nim", "easy"], "a tournament needs two players or more; got 1"),
        (["tournament", "nim", "easy", "easy"], "a player is named twice"),
    ],
)
def test_what_was_asked_wrongly_is_told_before_the_first_game(ggp, arguments, message):
    found = ggp(*arguments)
    assert found.status == 2
    assert message in found.err
    assert found.out == ""


@pytest.mark.parametrize("option", ["--report", "--plot"])
def test_a_file_that_cannot_be_written_is_told(ggp, tmp_path, option):
    place = tmp_path / ("x.md" if option == "--report" else "x.svg")
    place.mkdir()
    found = ggp("match", "nim", "easy", "hard", "--games", "2", option, str(place))
    assert found.status == 1
    assert "cannot be written: it is a directory" in found.err


def test_a_journal_is_gone_on_with_and_its_damage_told(ggp, tmp_path):
    path = tmp_path / "j.jsonl"
    command = ("match", "nim", "easy", "random", "--games", "10", "--journal", str(path), "--json")
    right = costless(json.loads(ggp(*command).out))
    again = ggp(*command)
    assert "10 of 10 games are in the journal" in again.err
    assert costless(json.loads(again.out)) == right
    path.write_bytes(path.read_bytes()[:-100])
    damaged = ggp(*command)
    assert "has 1 damaged line" in damaged.err
    assert costless(json.loads(damaged.out)) == right
    other = ggp(*command[:4], *command[5:])
    assert other.status == 2


def games_in(path):
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["1", "2"])
def test_killed_at_any_moment_a_tournament_goes_on_and_comes_to_the_same(start, ggp, tmp_path, processes):
    path = tmp_path / "j.jsonl"
    command = ["tournament", "kalah", "random", "alphabeta:depth=2", "easy", "--games", "8", "--json"]
    right = costless(json.loads(ggp(*command).out))
    for goal in (1, 9, 10):
        run = start(*command, "--journal", str(path), "--processes", processes)
        while games_in(path) < goal and run.poll() is None:
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=300)  # not even its processes are left, or this would wait for them
        assert games_in(path) >= min(goal, 24)
    resumed = ggp(*command, "--journal", str(path))
    assert "games are in the journal" in resumed.err
    assert costless(json.loads(resumed.out)) == right


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c_ends_a_match_with_what_was_played(start, tmp_path, processes):
    path = pathlib.Path(tmp_path / "j.jsonl")
    command = ["match", "kalah", "alphabeta:depth=3", "easy", "--games", "2000", "--json"]
    run = start(*command, "--journal", str(path), "--processes", processes)
    # Games are counted in their order: with two processes later ones may end before the first.
    while not (games_in(path) > 5 and b'"number":0,' in path.read_bytes()) and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=300)
    assert run.returncode == 130, err
    assert "of 2000 games; the same command resumes from there" in err
    assert json.loads(out)["games"] >= 1
    assert "Traceback" not in err
