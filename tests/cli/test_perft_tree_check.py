"""`ggp perft`, `ggp tree`, `ggp check`, and completion in the shell."""

import json
import pathlib

import pytest

from ggp.cli.app import program

FIGURE_52 = """\
 #  move          mover  window                    value
 1  A             MAX    [-inf, +inf] [3, +inf]    3 by a1
 2  ├─ a1 B       MIN    [-inf, +inf] [-inf, 3]    3 by b1
 3  │  ├─ b1 B1                                    3
 4  │  ├─ b2 B2                                    12
 5  │  └─ b3 B3                                    8
 6  ├─ a2 C       MIN    [3, +inf]                 ≤ 2 by c1
 7  │  ├─ c1 C1                                    2
    │  └─ c2, c3                                   not visited
 8  └─ a3 D       MIN    [3, +inf] [3, 14] [3, 5]  ≤ 2 by d3
 9     ├─ d1 D1                                    14
10     ├─ d2 D2                                    5
11     └─ d3 D3                                    2
"""


def test_figure_52_under_alpha_beta_is_drawn_like_this(ggp):
    found = ggp("tree", "fig52", "--searcher", "alphabeta")
    assert (found.status, found.err) == (0, "")
    assert found.out == FIGURE_52


def test_scout_shows_its_tests_as_visits(ggp):
    lines = ggp("tree", "fig52", "--searcher", "scout").out.splitlines()
    assert lines[6].split() == ["6", "├─", "a2", "C", "MIN", "test", "3", "≤", "3", "by", "c1"]


def test_minimax_has_no_windows(ggp):
    assert "window" not in ggp("tree", "fig52", "--searcher", "minimax").out


def test_the_tree_as_data_has_windows_cuts_and_values(ggp):
    found = json.loads(ggp("tree", "fig52", "--searcher", "alphabeta", "--json").out)
    assert (found["game"], found["searcher"], found["visits"]) == ("fig52", "alphabeta", 11)
    root = found["tree"]
    assert (root["order"], root["value"], root["choice"], root["to_move"]) == (1, 3, "a1", "MAX")
    assert (root["window"], root["windows"]) == ([None, None], [[3, None]])
    c = root["children"][1]
    assert (c["action"], c["cut"], c["value"], c["lower"], c["upper"]) == ("a2", ["c2", "c3"], None, None, 2)
    assert [leaf["value"] for leaf in root["children"][2]["children"]] == [14, 5, 2]


def test_a_large_tree_is_shown_in_part(ggp):
    found = ggp("tree", "tictactoe", "--depth", "3", "--limit", "20", "--searcher", "minimax")
    assert found.out.count("\n") < 30
    assert "more" in found.out
    assert found.err == "the first 20 of 586 visits; --limit shows more\n"


def test_the_default_searcher_can_be_watched(ggp):
    assert ggp("tree", "pig", "--depth", "2").status == 0


def test_perft_counts_the_openings_of_tictactoe(ggp):
    rows = json.loads(ggp("perft", "tictactoe", "4", "--json").out)["perft"]
    assert [(row["depth"], row["count"]) for row in rows] == [(0, 1), (1, 9), (2, 72), (3, 504), (4, 3024)]
    assert "|     4 | 3,024 |" in ggp("perft", "tictactoe", "4").out


def test_perft_ends_where_no_play_is_that_long(ggp):
    rows = json.loads(ggp("perft", "fig52", "99", "--json").out)["perft"]
    assert [row["count"] for row in rows] == [1, 3, 9, 0]


def test_check_tells_of_every_promise(ggp):
    from ggp.testing import PROMISES

    found = ggp("check", "nim", "--examples", "3", "--option", "heaps=1,2")
    assert found.status == 0
    assert "nim heaps=1,2" in found.out
    for promise in PROMISES:
        assert f"\n| {promise} " in found.out
    assert found.out.endswith("all promises are kept\n")
    data = json.loads(ggp("check", "fig52", "--examples", "3", "--json").out)
    assert [each["promise"] for each in data["promises"]] == list(PROMISES)


def test_check_says_how_searchers_are_checked(ggp):
    file = str(pathlib.Path(__file__).parents[2] / "examples" / "killers" / "ggp_killers" / "searcher.py")
    found = ggp("check", file)
    assert found.status == 2
    assert f"searcher.py has no game to check; to check its searchers, type pytest --ggp-plugin {file}" in found.err
    found = ggp("--plugin", file, "check", "killers")
    assert found.status == 2
    assert "killers is a searcher, and ggp check checks games: type pytest --ggp-plugin FILE.py" in found.err


def completed(words, begun):
    from click.shell_completion import ShellComplete

    found = ShellComplete(program, {}, "ggp", "_GGP_COMPLETE").get_completions(words, begun)
    return [each.value for each in found]


@pytest.mark.parametrize(
    ("words", "begun", "expected"),
    [
        ([], "sea", ["search", "searchers"]),
        (["search"], "fig", ["fig52"]),
        (["games"], "tic", ["tictactoe"]),
        (["search", "nim", "--option"], "", ["heaps=", "misere=", "swap="]),
        (["search", "--option"], "", []),
        (["search", "nim", "--searcher"], "alphab", ["alphabeta"]),
        (["search", "nim", "--searcher"], "alphabeta:de", ["alphabeta:depth="]),
        (["search", "nim", "--searcher"], "minimax:depth=3,no", ["minimax:depth=3,nodes="]),
        (["search", "nim", "--searcher"], "nobody:", []),
        (["play", "nim", "--first"], "hu", ["human"]),
    ],
)
def test_the_shell_completes_names(words, begun, expected):
    assert completed(words, begun) == expected


def test_the_shell_completes_the_games_of_a_plugin_file(countdown, plugin, capsys):
    assert completed(["--plugin", countdown, "search"], "count") == ["countdown"]
    assert completed(["--plugin", plugin("1 // 0", "bad.py"), "search"], "fig") == ["fig52"]
    assert capsys.readouterr() == ("", "")


def test_nothing_is_counted_that_a_game_does_not_offer(ggp, countdown):
    rows = ggp("--plugin", countdown, "check", "countdown").out.splitlines()
    counts = {row.split("|")[1].strip(): row.split("|")[3].strip() for row in rows if row.count("|") == 4}
    absent = ("bounds", "evaluations", "drawing", "scene", "explanation", "canonical states", "hints", "ranking")
    assert {counts[name] for name in absent} == {"none"}
    assert counts["actions"] != "none"
