"""`ggp solve` by enumeration."""

import json

import pytest


@pytest.mark.parametrize(
    ("arguments", "method", "value", "distance"),
    [
        (("pong-hau-ki",), "retrograde analysis", 0, None),
        (("morris",), "retrograde analysis", 1, 9),
        (("tictactoe", "--method", "enumerate"), "backward induction", 0, 9),
        (("pig", "--option", "goal=6", "--option", "turns=4"), "backward induction", None, None),
    ],
)
def test_the_method_that_suits_the_game_is_chosen_and_told(ggp, arguments, method, value, distance):
    done = ggp("solve", *arguments, "--json")
    assert done.status == 0, done.err
    told = json.loads(done.out)
    assert (told["method"], told["distance"], told["exact"]) == (method, distance, True)
    if value is not None:
        assert told["value"] == value
    counts = told["positions"]
    assert all(sum(each.values()) == counts["all"] for each in counts["by_player"].values())


def test_a_solution_is_told_to_people(ggp):
    done = ggp("solve", "morris", "--values", "--moves", "b2")
    assert done.status == 0
    assert "value       1 to White, exact\noutcome     White wins\ndistance    8 plies to the end\n" in done.out
    assert "values      a3 1 in 8, " in done.out
    assert "statistics  retrograde analysis, " in done.out


def test_a_policy_is_written(ggp, tmp_path):
    place = tmp_path / "policy.json"
    assert ggp("solve", "pong-hau-ki", "--policy", str(place)).status == 0
    head, game, *lines = place.read_text().splitlines()
    assert json.loads(head)["format"] == "ggp policy"
    assert json.loads(game) == {
        "game": "pong-hau-ki",
        "parameters": {"occurrences": 3},
        "method": "retrograde analysis",
    }
    assert json.loads(lines[0]) == {"state": "OO/./XX X", "action": "a1", "lower": 0, "upper": 0, "distance": None}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("morris", "--layer", "3"), "ggp: --layer works only with proofs: add --method prove, or leave it out"),
        (("kalah", "--precision", "1e-3"), "ggp: --precision works only with enumeration: add --method enumerate"),
        (("kalah", "--policy", "x"), "ggp: --policy works only with enumeration: add --method enumerate"),
        (("morris", "--precision", "0"), "ggp: --precision must be a number"),
        (("morris", "--policy", ""), "ggp: --policy needs the name of a file"),
    ],
)
def test_what_does_not_go_together_is_refused(ggp, arguments, sentence):
    done = ggp("solve", *arguments)
    assert done.status == 2
    assert done.err.startswith(sentence)


def test_what_does_not_fit_in_memory_is_refused(ggp):
    done = ggp("solve", "morris", "--option", "men=9", "--memory", "1")
    assert done.status == 2
    assert "morris has more than" in done.err


def test_a_limit_of_time_is_kept(ggp):
    done = ggp("solve", "morris", "--option", "men=9", "--seconds", "0.01")
    assert done.status == 1
    assert done.err.startswith("ggp: not solved in the time given: ")


def test_a_tablebase_gives_a_value_as_exactly_as_the_solve_did(ggp, tmp_path):
    pig = ("pig", "--option", "goal=6")
    assert ggp("tablebase", "build", *pig, "--directory", str(tmp_path)).status == 0
    value = next(row for row in ggp("solve", *pig).out.splitlines() if row.startswith("value "))
    assert ", within " in value
    probed = ggp("tablebase", "probe", *pig, "--directory", str(tmp_path)).out
    assert value in probed.splitlines()
    assert " to 0." not in probed
    searched = ggp("search", *pig, "--searcher", f"star1:tablebase={tmp_path}").out
    assert "looking 0 plies" not in searched
