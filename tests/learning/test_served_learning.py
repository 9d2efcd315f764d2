"""The page of `ggp serve` that learns a game."""

import re

import pytest
from ggp_search.learned.weights_path import default_path

import ggp

pytest.importorskip("starlette")
from ggp.web.responder import PageRequest, Responder
from ggp.web.value_store import ValueCache


@pytest.fixture
def visit(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_LEARNED", str(tmp_path))
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setattr("ggp_learn.cells.GAMES", 40)
    monkeypatch.setattr("ggp_learn.served_learning.SLICE", 0.1)
    responder = Responder(ggp.load_registry(), ValueCache())

    def visited(query=""):
        return responder.answer(PageRequest("learn", "game", query), searching=True)

    return visited


def games_of(answer):
    return re.search(r"<dt>Games</dt><dd>([\d,]+)", answer.body)[1]


def test_it_learns_at_each_request_and_asks_for_itself_until_the_time_is_over(visit):
    first = visit("game=tictactoe&minutes=1")
    assert (first.status, default_path(ggp.load_registry().game("tictactoe")).is_file()) == (200, True)
    again = re.search(r'content="1;url=/learn/game\?([^"]*)"', first.body)
    assert again[1].replace("&amp;", "&") == "game=tictactoe&until=60"
    assert games_of(first) == "0"
    second = visit("game=tictactoe&until=60")
    for _ in range(100):  # on a busy machine, learning may not begin before its time is over
        if games_of(second) == "0":
            second = visit("game=tictactoe&until=60")
    assert games_of(second) != "0"
    assert "<svg" in second.body
    assert 'fill="' not in second.body  # its colours are those of the page, light or dark
    last = visit("game=tictactoe&until=0.01")
    assert 'http-equiv="refresh"' not in last.body


def test_the_page_of_a_game_links_to_it():
    responder = Responder(ggp.load_registry(), ValueCache())
    asked = PageRequest("play", "tictactoe", "h=4")
    assert "/learn/game?game=tictactoe&amp;h=4" in responder.answer(asked, searching=True).body


def test_a_game_with_parameters_keeps_them(visit):
    answer = visit("game=tictactoe&minutes=1&h=4&v=3&k=3")
    assert "until=60&amp;h=4&amp;v=3&amp;k=3" in answer.body


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("", 200, "Learn a game"),
        ("game=nosuch&minutes=1", 400, "nosuch"),
        ("game=tictactoe&minutes=99", 400, "inutes must be one of 1, 3, 10"),
        ("game=tictactoe&minutes=1&h=77777", 400, "h"),
        ("game=<b>", 400, "&lt;b&gt;"),
    ],
)
def test_what_is_asked_wrongly_is_explained(visit, query, status, words):
    answer = visit(query)
    assert answer.status == status
    assert words in answer.body


def test_a_server_keeps_a_limited_number_of_games(visit, monkeypatch):
    monkeypatch.setattr("ggp_learn.served_learning.MOST", 0)
    answer = visit("game=tictactoe&minutes=1")
    assert answer.status == 400
    assert "the most that it keeps" in answer.body
