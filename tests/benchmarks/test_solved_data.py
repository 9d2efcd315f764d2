"""What the documents say of Kalah, solved: beside what others have found, and replayed."""

import json
import pathlib

import pytest

import ggp
from benchmarks.solve import DATA, PUBLISHED
from ggp.capabilities import notation, play

ROWS = [json.loads(line) for line in DATA.read_text().splitlines()]
KNOWN = pathlib.Path(__file__).parents[1] / "data" / "kalah_values.json"


def named(row):
    return f"{row['houses']}-{row['seeds']}-{row['capture']}"


def test_every_case_is_there_once():
    cases = [(houses, seeds) for houses in range(1, 7) for seeds in range(1, 7) if (houses, seeds) != (6, 6)]
    cases += [(7, 1), (7, 2), (7, 3), (8, 1), (8, 2), (9, 1), (9, 2)]
    wanted = [f"{houses}-{seeds}-{capture}" for houses, seeds in cases for capture in ("standard", "empty")]
    assert sorted(map(named, ROWS)) == sorted(wanted)


def test_the_values_are_those_known_and_published():
    found = {(row["houses"], row["seeds"], row["capture"]): row["value"] for row in ROWS}
    known = {
        (row["houses"], row["seeds"], row["capture"]): row["value"]
        for row in json.loads(KNOWN.read_text())
        if row["capture"] != "none"
    }
    assert len(known) > 40
    assert {case: found[case] for case in known} == known
    assert {case: found[*case, "empty"] for case in PUBLISHED} == PUBLISHED


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_principal_line_is_legal_and_ends_in_the_value(row):
    game = ggp.load_registry().game("kalah", houses=row["houses"], seeds=row["seeds"], capture=row["capture"])
    text, state = notation(game), game.initial_state()
    for word in row["line"]:
        state = play(game, state, [text.parse_action(state, word)])
    assert game.terminal_test(state)
    assert game.utility(state, ggp.MAX) == row["value"]
