"""Searchers compared on the page: what they visit and save, and their trees side by side."""

import re

import pytest
from samples import sampled


def said(answer):
    return " ".join(re.sub(r"<[^>]*>", " ", answer.text).split())


def test_the_table_says_who_visits_what_and_saves_how_much(visitor):
    answer = visitor.get("/compare/fig52?searcher=minimax&searcher=alphabeta&searcher=scout")
    assert answer.status_code == 200
    assert "alphabeta visits 11 states where minimax visits 13: it saves 15 %." in said(answer)
    assert "minimax a1 3 13 9 0 0 % alphabeta a1 3 11 7 2 15 %" in said(answer)


def test_the_position_of_the_game_is_compared_and_kept(visitor):
    game = visitor.get("/play/kalah?seeds=3&moves=C,A&show=analysis&at=1").text
    url = re.search(r'href="(/compare/kalah[^"]*)"', game)[1].replace("&amp;", "&")
    page = visitor.get(url)
    assert "North to move" in page.text
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text)
    assert dict(hidden) == {"seeds": "3", "south": "human", "north": "human", "moves": "C,a", "at": "1"}
    assert re.findall(r'value="(\w+)" checked', page.text)  # some are chosen for whoever names none


def test_the_trees_stand_side_by_side_and_their_script_may_run(visitor):
    page = visitor.get("/compare/fig52?searcher=minimax&searcher=alphabeta").text
    url = re.search(r'id="trees" href="([^"]*)"', page)[1].replace("&amp;", "&")
    answer = visitor.get(url)
    assert answer.status_code == 200
    assert re.findall(r"<h2>(\w+)</h2>", answer.text) == ["minimax", "alphabeta"]
    back = re.search(r'<nav class="back"><a href="([^"]*)"', answer.text)[1].replace("&amp;", "&")
    assert re.findall(r'value="(\w+)" checked', visitor.get(back).text) == ["alphabeta", "minimax"]
    assert re.search(r"script-src 'self' 'sha256-", answer.headers["content-security-policy"])
    own, sent = (set(re.findall(r"'sha256-[^']*'", text)) for text in (answer.text, str(answer.headers)))
    assert own <= sent


def test_results_are_hidden_until_the_reader_asks_for_them(visitor):
    shown = [
        re.search(r'<details class="panel new" id="found"( open)?>', visitor.get(f"/compare/fig52{query}").text)
        for query in ("", "?searcher=minimax&searcher=alphabeta")
    ]
    assert [each[1] for each in shown] == [None, " open"]


@pytest.mark.parametrize("game", sampled(["hex", "domineering", "dotsandboxes", "breakthrough", "pancakes"], 3))
def test_the_default_comparison_is_not_too_large(visitor, game):
    assert "What they find" in visitor.get(f"/compare/{game}").text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("searcher=nobody", "'nobody' cannot be compared on fig52: "),
        ("depth=0", "Depth must be a number of plies from 1 to 8; got '0'"),
        ("depth=99", "Depth must be a number of plies from 1 to 8; got '99'"),
        ("moves=a1,b1", "The game is over: there is nothing to search"),
        ("nothing=1", "An address of fig52 has no parameter 'nothing'"),
    ],
)
def test_a_comparison_that_is_impossible_says_why(visitor, query, words):
    answer = visitor.get(f"/compare/fig52?{query}")
    assert (answer.status_code, words in said(answer).replace("&#39;", "'")) == (400, True)


def test_a_search_with_too_many_visits_is_reported_beside_the_form(visitor):
    answer = visitor.get("/compare/kalah?searcher=minimax&depth=8")
    assert answer.status_code == 200
    assert "minimax visits more than 5,000 states: look fewer plies ahead" in said(answer)
    assert 'name="depth"' in answer.text
