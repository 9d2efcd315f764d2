"""`ggp compare`: the table, the page and what is refused."""

import json
import re

import pytest

TABLE = """\
alphabeta visits 11 states where minimax visits 13: it saves 15 %.
All find the value 3, by a1.

| searcher  | move | value | visits | leaves | cut | saved |
| --------- | ---- | ----: | -----: | -----: | --: | ----: |
| minimax   | a1   |     3 |     13 |      9 |   0 |   0 % |
| alphabeta | a1   |     3 |     11 |      7 |   2 |  15 % |
| scout     | a1   |     3 |     11 |      7 |   2 |  15 % |
"""


def test_the_table_says_what_each_visits_cuts_and_saves(ggp):
    found = ggp("compare", "fig52", "minimax", "alphabeta", "scout")
    assert (found.status, found.out) == (0, TABLE)


def test_the_page_is_titled_by_the_plies_that_there_are(ggp):
    assert (
        "<title>Figure 5.2: minimax, alphabeta, 2 plies ahead<"
        in ggp("compare", "fig52", "minimax", "alphabeta", "--html", "-").out
    )


def test_a_program_reads_the_same(ggp):
    found = json.loads(ggp("compare", "kalah", "minimax", "alphabeta", "--depth", "4", "--json").out)
    assert [(each["visits"], each["value"]) for each in found["searches"]] == [(1169, 1), (390, 1)]
    assert found["searches"][1]["saved"] == pytest.approx(1 - 390 / 1169)
    assert found["to_move"] == "South"


@pytest.mark.parametrize("game", ["nim", "tictactoe", "kalah"])
def test_a_comparison_has_the_numbers_of_the_searches(ggp, game):
    searchers = ("minimax", "alphabeta:table=1", "negascout", "mtdf", "dfpn", "mcts:playouts=60", "quiescence")
    found = json.loads(ggp("compare", game, "--depth", "3", "--json", *searchers).out)["searches"]
    for each in found:
        search = json.loads(ggp("search", game, "--depth", "3", "--searcher", each["searcher"], "--json").out)
        counted = search["statistics"]
        assert [each[name] for name in ("action", "value", "visits", "leaves")] == [
            search["action"],
            search["value"],
            counted["nodes"],
            counted["leaves"],
        ]


def test_a_row_is_of_one_search(ggp):
    searchers = ("alphabeta:table=1", "mtdf", "mcts")  # mtdf deepens, and is drawn at the full depth only
    found = json.loads(ggp("compare", "kalah", "--depth", "6", "--json", *searchers).out)["searches"]
    assert [each["cut"] for each in found] == [608, None, None]
    assert [(each["lower"], each["upper"]) for each in found] == [(3, 3), (None, None), (None, None)]
    rows = [line.split("|")[6].strip() for line in ggp("compare", "kalah", "--depth", "6", "mtdf").out.splitlines()[2:]]
    assert rows[-1] == "-"


def test_one_searcher_alone_is_told_without_a_comparison(ggp):
    assert "All" not in ggp("compare", "fig52", "alphabeta").out


@pytest.mark.parametrize(
    ("searchers", "message"),
    {
        "none": ([], "SEARCHER... is missing: type ggp compare [OPTIONS] GAME SEARCHER..."),
        "twice": (["minimax", "minimax"], "a searcher is named twice"),
        "not watched": (["minimax", "random"], "random cannot be watched"),
        "unknown": (["minmax"], "did you mean minimax"),
    }.values(),
)
def test_what_is_asked_wrongly_is_said(ggp, searchers, message):
    found = ggp("compare", "fig52", *searchers)
    assert (found.status, found.out) == (2, "")
    assert message.lower() in found.err.lower()


def test_the_page_has_every_tree_and_a_sentence_for_each(ggp, tmp_path, chromium, serious_faults):
    file = tmp_path / "compare.html"
    found = ggp("compare", "fig52", "minimax", "alphabeta", "scout", "--html", str(file))
    assert found.status == 0
    assert "alphabeta visits 11 states where minimax visits 13" in found.out
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{file.as_uri()}#20")
    assert page.locator(".pane h2").all_text_contents() == ["minimax", "alphabeta", "scout"]
    assert page.locator(".narration").all_text_contents() == [
        "c2 leads to C2.",
        "C is left: it is worth at most 2, by c1. That changes nothing at A, which is at least 3 already.",
        "C is left: it is worth at most 3, by c1. That changes nothing at A, which is at least 3 already.",
    ]
    assert page.locator(".tally").all_text_contents() == ["8 states visited", "7 states visited", "7 states visited"]
    page.keyboard.press("End")
    assert [re.sub(r"\s", " ", each) for each in page.locator(".tally").all_text_contents()] == [
        "13 states visited; saves nothing",
        "11 states visited; saves 2 of minimax’s 13 (15 %)",
        "11 states visited; saves 2 of minimax’s 13 (15 %)",
    ]
    assert page.text_content("#count") == "38 of 38"
    assert [
        each.startswith("The search is done: A is worth 3") for each in page.locator(".narration").all_text_contents()
    ] == [True] * 3
    assert page.locator(".pane").nth(1).locator(".mark.unvisited").count() == 2
    assert page.locator(".pane").nth(0).locator(".mark").count() == 13
    for width in (360, 820, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert serious_faults(page) == []
    assert wrong == []
    page.close()
