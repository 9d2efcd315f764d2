"""What `ggp match` and `ggp tournament` say of the games: the verdict, in a terminal, as a page, and on the way."""

import io
import re
import sys

import pytest
from rich.console import Console

from ggp import load_registry
from ggp.cli import experiment, live_view, progress_line
from ggp.experiments import Experiment, Results, outcomes
from ggp.experiments.pairs import Pairs
from ggp.experiments.report import blocks, data, verdict
from ggp.progress import lengthy


def met(*counts, first="hard", second="medium"):
    pairs = Pairs(counts)
    return {
        "first": first,
        "second": second,
        "pairs": counts,
        "score": pairs.share,
        "superiority": pairs.superiority,
    }


@pytest.mark.parametrize(
    ("counts", "sentence"),
    {
        "sure": ((0, 0, 14, 6, 30), "hard is stronger: more than 99.9 % sure; expect it to score 83 of 100 games."),
        "of the second": ((6, 4, 8, 1, 1), "medium is stronger: 99 % sure; expect it to score 66 of 100 games."),
        "not yet": (
            (2, 1, 4, 1, 4),
            "Nothing is sure yet: hard has scored 58 %, and is the stronger one with probability 77 %."
            " More games would tell.",
        ),
        "even": ((1, 0, 3, 0, 1), "hard and medium are even so far: each has scored 50 %."),
        "nothing": ((0, 0, 0, 0, 0), "No pair of games was finished, so nothing can be said yet."),
    }.values(),
)
def test_the_verdict_is_a_sentence(counts, sentence):
    assert verdict({"matches": [met(*counts)]}) == sentence


def test_of_a_tournament_it_is_about_the_first_two():
    found = {
        "ratings": {"players": [{"player": name} for name in ("b", "a", "c")]},
        "matches": [met(0, 0, 0, 0, 9, first="c", second="a"), met(9, 0, 1, 0, 0, first="a", second="b")],
    }
    assert verdict(found).startswith("b is first, a second. Of these two, b is stronger: more than 99.9 % sure; ")


def test_the_report_begins_with_it(ggp):
    lines = ggp("match", "nim", "alphabeta", "random", "--games", "20").out.splitlines()
    assert lines[0] == "# nim: alphabeta against random"
    assert lines[2] == "alphabeta is stronger: 98 % sure; expect it to score 70 of 100 games."


def test_without_a_game_it_is_one_sentence(played):
    _, match = played
    found = data(Results(match), load_registry().game("nim"))
    assert blocks(found) == ["No game was finished, so nothing can be said yet."]


@pytest.fixture
def terminal(monkeypatch):
    """Standard output and error are a terminal of 80 columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")


LONG = "alphabeta:depth=2,evaluation=margin,table=0,ordering=none"


@pytest.mark.parametrize(
    "command", [("match", "kalah", LONG, "random"), ("tournament", "kalah", LONG, "random", "easy", "minimax:depth=1")]
)
def test_in_a_terminal_every_line_fits(ggp, terminal, monkeypatch, command):
    monkeypatch.setattr(experiment.sys.stdout, "isatty", lambda: True, raising=False)
    out = re.sub("\x1b\\[\\d*m", "", ggp(*command, "--games", "4").out)
    assert max(map(len, out.splitlines())) <= 80
    assert not [line for line in out.splitlines() if line.startswith(("|", "#"))]
    assert "alphabeta:de" in out


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def monotonic(self):
        return self.now


def drawn(line, width=80):
    """The line of progress as it is now, without colour."""
    screen = Console(width=width, no_color=True, file=io.StringIO())
    screen.print(line.draw())
    return screen.file.getvalue().rstrip()


@pytest.fixture(scope="module")
def played():
    nim = load_registry().game("nim")
    starts = (nim.format_state(nim.initial_state()),) * 20
    return list(
        outcomes(match := Experiment(game="nim", players=("easy", "random"), couples=((0, 1),), starts=starts))
    ), (match)


def test_progress_says_nothing_that_it_does_not_know_and_fits_the_line(played, monkeypatch):
    games, match = played
    clock = Clock()
    monkeypatch.setattr(experiment, "time", clock)
    monkeypatch.setattr(progress_line, "time", clock)
    line = progress_line.ProgressLine(every=10_000)
    results, progress = Results(match), experiment.ExperimentProgress(line, match.games, 0)
    lines = []
    for outcome in games:
        results.add(outcome)
        clock.now += 0.5
        progress.show(results)
        lines.append(drawn(line, 79))
    assert not [line for line in lines if "inf" in line or len(line) >= 80]
    assert not [line for line in lines[:4] if "left" in line or "sure" in line]
    assert lines[0].startswith(" " * 10)
    assert "  1 of 40 games  +" in lines[0]
    assert "15 s left" in lines[9]
    assert "easy ahead, " in lines[-1]
    assert lines[-1].startswith("━" * 10)


def test_the_line_of_progress_moves_without_news_and_ends_where_there_is_no_room(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress_line, "time", clock)
    line = progress_line.ProgressLine(limit=20)
    line.show("2 of 6 moves exact", "value 8", "C F e B F E a b F A F B e d E F C F D")
    assert drawn(line, 60).split("  ")[-4:] == ["0 s", "2 of 6 moves exact", "value 8", "C F e B F E a…"]
    clock.now += 10
    assert drawn(line, 60).startswith("━━━━━       10 s  2 of 6 moves exact")
    line = progress_line.ProgressLine()
    line.show("finding positions", "12,345 positions")
    before, clock.now = drawn(line, 79), clock.now + 3.15
    assert before.endswith("0 s  finding positions  12,345 positions")
    assert drawn(line, 79).endswith("3 s  finding positions  12,345 positions")
    assert before[:10] != drawn(line, 79)[:10]


def test_what_is_compiled_meanwhile_stands_in_the_line(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress_line.ProgressLine() as line:
        line.show("0 of 6 moves exact")
        with lengthy("compiling alphabeta for kalah"):
            assert drawn(line).endswith("0 s  compiling alphabeta for kalah  0 of 6 moves exact")
        assert drawn(line).endswith("0 s  0 of 6 moves exact")


def test_a_match_is_shown_live_game_by_game(ggp):
    found = ggp("match", "nim", "easy", "random", "--games", "4", "--live")
    assert [line.split(".")[0] for line in found.err.splitlines()] == [
        f"ggp: Game {number}: {names}"
        for number, names in enumerate(
            ["easy (first) against random (second)", "random (first) against easy (second)"] * 2, 1
        )
    ]
    assert found.out == re.sub(r"^\|.*ms.*(\n\|.*)*", lambda table: table[0], found.out)


def test_in_a_terminal_it_is_shown_move_by_move(ggp, terminal, monkeypatch):
    monkeypatch.setattr(experiment.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(live_view, "PACE", 0)
    out = ggp("match", "kalah", "random:seed=1", "alphabeta:depth=2", "--games", "2", "--live").out
    assert "Game 1: random:seed=1 (South) against alphabeta:depth=2 (North)" in out
    assert "North to move" in out
    assert re.search(f"^[{live_view.HEIGHTS}]+  \\d+ seeds? for (South|North)$", out, re.MULTILINE)
    assert "random:seed=1 0" in out
    assert "★ alphabeta:depth=2 wins the match, 2 : 0 ★" in out
    assert re.search(r"-400 .*●.* \+400  Elo -∞ \(-∞ to [+-]\d+\)", out)


def test_the_band_of_elo_narrows_with_the_games():
    few, many = (live_view.elo_band(Pairs((number, 0, 0, 0, number))) for number in (2, 50))
    assert few.count("█") > many.count("█") > 0
    assert "Elo +0 (" in few
    assert live_view.elo_band(Pairs()) == ""


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([1, 0.5], "one wins the match, 1.5 : 0.5"),
        ([0, 0.5], "other wins the match, 1.5 : 0.5"),
        ([0.5, 0.5], "one and other share the match, 1 : 1"),
    ],
)
def test_a_match_ends_with_its_winner(points, sentence):
    assert live_view.won(points, ("one", "other")) == sentence


def test_of_a_long_match_the_last_games_are_shown():
    assert live_view.series([1, 0.5, 0]) == "1 ½ 0"
    assert live_view.series([0.0] * 60 + [1]).endswith("0 0 1")
    assert len(live_view.series([0.0] * 60)) < 60


def test_live_shows_one_game_at_a_time(ggp):
    found = ggp("match", "nim", "easy", "random", "--live", "--processes", "2")
    assert (found.status, found.out) == (2, "")
    assert "--live shows one game at a time: leave out --processes and --executor" in found.err


@pytest.mark.parametrize("players", [("easy", "random"), ("easy", "random", "medium")], ids=["match", "tournament"])
def test_the_page_has_the_verdict_plots_and_tables(ggp, tmp_path, chromium, serious_faults, players):
    file = tmp_path / "report.html"
    command = "match" if len(players) == 2 else "tournament"
    found = ggp(command, "nim", *players, "--games", "10", "--html", str(file))
    assert found.status == 0
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    loaded = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(file.as_uri())
    assert loaded == [file.as_uri()]
    assert page.inner_text(".verdict") in found.out
    assert page.locator("svg[role=img]").count() == (2 if command == "match" else 1)
    assert page.locator("table").count() == (3 if command == "match" else 4)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert serious_faults(page) == []
    assert not page.is_visible("#replay")
    page.get_by_role("link", name="Game 3", exact=True).click()
    page.locator("#replay").wait_for()
    assert page.inner_text("#title").startswith("Game 3: ")
    moves = page.locator("#moves button").count()
    assert page.inner_text("#told") == "The start"
    page.get_by_role("button", name="End").click()
    assert page.inner_text("#told").startswith(f"{moves}. ")
    assert "has won" in page.inner_text("#caption")
    page.get_by_role("button", name="Back").click()
    assert page.inner_text("#told").startswith(f"{moves - 1}. ")
    assert serious_faults(page) == []
    page.close()
