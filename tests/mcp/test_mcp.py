"""The server for assistants: what its tools answer, and what they refuse."""

import asyncio
import random

import pytest
from ggp_mcp.server import Tools, server

import ggp
from ggp.errors import GGPError

REGISTRY = ggp.load_registry()
TOOLS = Tools(REGISTRY)


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """What is found in some seconds is found on a busy machine, too."""
    monkeypatch.setenv("GGP_CLOCK", "processor")


def test_games_are_listed_and_described():
    assert {"kalah", "othello"} <= {each["name"] for each in TOOLS.games()}
    found = TOOLS.describe("kalah", {"houses": "3", "seeds": "1"}, moves=("C",))
    assert found["position"]["to_move"] == "South"
    assert [each["action"] for each in found["position"]["actions"]] == ["A", "B"]
    assert found["parameters"][0]["value"] == 3


def test_a_position_is_shown_as_text_and_picture():
    text, svg = TOOLS.show("tictactoe", moves=("5",))
    assert "O to move" in text
    assert svg.startswith("<svg")


def test_moves_analyses_and_solutions():
    assert TOOLS.best_move("tictactoe", "hard", moves=("1", "5", "2"))["move"] == "3"
    assert TOOLS.analyse("nim", {"heaps": "1,2"}, seconds=1.0)["values"] == {"1:1": -1, "2:1": 1, "2:2": -1}
    assert TOOLS.solve("fig52")["value"] == 3


WRONG = {
    "no such game": lambda: TOOLS.describe("chess"),
    "no such parameter": lambda: TOOLS.describe("kalah", {"file": "/etc/passwd"}),
    "a file as a game": lambda: TOOLS.describe("gdl:/etc/passwd"),
    "a file as a parameter": lambda: TOOLS.describe("tree", {"file": "/etc/passwd"}),
    "a program as a player": lambda: TOOLS.best_move("kalah", "ugi:cat"),
    "a record as a player": lambda: TOOLS.best_move("kalah", "replay:/etc/passwd"),
    "a huge board": lambda: TOOLS.describe("nim", {"heaps": ",".join(["9"] * 1000)}),
    "an illegal move": lambda: TOOLS.describe("kalah", moves=("Z",)),
    "too many moves": lambda: TOOLS.describe("kalah", moves=("A",) * 2000),
    "a wrong position": lambda: TOOLS.describe("kalah", start="<x>"),
    "a long search": lambda: TOOLS.analyse("kalah", seconds=1e9),
    "a finished game": lambda: TOOLS.best_move("nim", start="0,0,0 first"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refused_in_a_sentence(case):
    with pytest.raises(GGPError, match=r"\w+ \w+"):
        WRONG[case]()


def test_random_input_raises_nothing_else():
    dice = random.Random(7)
    pieces = ["kalah", "A", "<6", "", "\x00", "é", "../..", "5", "none", "human", "-1", "gdl:", "openspiel:x", "1e999"]
    for _ in range(150):
        name, key, value, start, move = (dice.choice(pieces) for _ in range(5))
        try:
            TOOLS.describe(name, {key: value}, start, (move,))
        except GGPError:
            continue


def test_the_server_offers_the_tools():
    made = server(REGISTRY)
    names = {tool.name for tool in asyncio.run(made.list_tools())}
    assert names == {"list_games", "describe_game", "show_position", "best_move", "analyse", "solve"}


def test_a_caller_is_told_what_is_wrong():
    made = server(REGISTRY)
    with pytest.raises(Exception, match="there is no game 'chess': the games are awari"):
        asyncio.run(made.call_tool("describe_game", {"game": "chess"}))
