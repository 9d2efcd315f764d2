"""`ggp levels`: the levels of a game and their Elo."""

import json

import pytest

from ggp.levels import read


def test_it_shows_each_level_with_its_elo_and_its_player(ggp):
    out = ggp("levels", "kalah").out
    lines = [line.split("|")[1:-1] for line in out.splitlines() if line.startswith("|")]
    assert [line[0].strip() for line in lines] == ["level", "-------", "easy", "medium", "hard", "master", "perfect"]
    assert all(line[1].strip()[:1] in "+-" for line in lines[2:])
    assert lines[4][3].strip() == "alphabeta:seconds=0.5"
    assert "Elo 0 is a beginner, who looks one ply ahead." in out


def test_levels_that_were_not_measured_have_no_elo(ggp):
    found = ggp("levels", "kalah", "--option", "houses=5")
    assert "Their strength has not been measured: `ggp levels kalah --measure`" in found.out
    assert json.loads(ggp("levels", "kalah", "--option", "houses=5", "--json").out)["tournament"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--games", "5"], "--games must be even (each start is played twice with sides swapped); got 5"),
        (["--searcher", "mcts"], "--searcher and --output are for the tournament: add --measure"),
        (["--measure", "--searcher", "star9"], "there is no searcher 'star9'"),
        (["--measure", "--share", "2"], "--share must be a number from 0.001 to 1"),
    ],
)
def test_wrong_options_are_refused(ggp, arguments, message):
    found = ggp("levels", "nim", *arguments)
    assert found.status == 2
    assert message in found.err


@pytest.mark.slow
def test_a_tournament_is_kept_and_shown(ggp, tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_LEVELS", str(tmp_path / "own.jsonl"))
    small, other = ("levels", "nim", "--option", "heaps=1,2,2", "--json"), tmp_path / "other.jsonl"
    quick = ("--measure", "--games", "4", "--share", "0.002", "--searcher", "alphabeta:speed=interpreted")
    measured = ggp(*small, *quick, "--output", str(other))
    assert measured.status == 0
    (kept,) = read(other)
    assert json.loads(measured.out)["tournament"]["elo"] == kept.elo
    monkeypatch.setenv("GGP_LEVELS", str(other))
    assert (kept.game, kept.perfect, kept.searcher) == ("nim", True, "alphabeta:speed=interpreted")
    assert list(kept.elo) == ["easy", "medium", "hard", "master", "perfect"]
    shown = json.loads(ggp(*small).out)
    assert shown["tournament"]["elo"] == kept.elo
    assert list(shown["levels"]) == list(kept.elo)
