"""The table of solved boards that the game ships, held to what other programs found."""

import json
import pathlib

import pytest
from ggp_kalah import solved

import ggp
from ggp.capabilities import known_values
from ggp.play.controller import known_result

REGISTRY = ggp.load_registry()
OTHERS = json.loads((pathlib.Path(__file__).parents[1] / "data" / "kalah_values.json").read_text(encoding="utf-8"))
KNOWN = [row for row in OTHERS if (row["houses"], row["seeds"], row["capture"]) in solved.boards()]


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: row["id"])
def test_every_opening_is_worth_what_another_program_found(row):
    game = REGISTRY.game("kalah", houses=row["houses"], seeds=row["seeds"], capture=row["capture"])
    values = known_values(game, game.initial_state())
    assert {str(action): value for action, value in values.items()} == row["opening_values"]


def test_the_usual_boards_are_there():
    assert len(KNOWN) > 40
    assert {(6, seeds, capture) for seeds in range(1, 6) for capture in ("standard", "empty")} <= solved.boards().keys()


@pytest.mark.parametrize("board", solved.boards(), ids=str)
def test_best_play_keeps_the_value_to_the_end(board):
    houses, seeds, capture = board
    game = REGISTRY.game("kalah", houses=houses, seeds=seeds, capture=capture)
    state = game.initial_state()
    found = known_result(game, state)
    for action in found.principal_variation:
        assert found.value in known_values(game, state).values()
        state = game.result(state, action)
    assert game.terminal_test(state)
    assert game.utility(state, ggp.MAX) == found.value


def test_other_rules_are_not_in_the_table():
    for other in ({"majority": True}, {"turn": "whole"}, {"scoring": "outcome"}, {"capture": "none"}, {"seeds": 9}):
        game = REGISTRY.game("kalah", **other)
        assert known_values(game, game.initial_state()) == {}


def test_what_is_not_known_is_not_better_than_the_best():
    game = REGISTRY.game("kalah", seeds=5)
    state = game.initial_state()
    searched = REGISTRY.searcher("alphabeta", speed="interpreted").analyse(game, state, ggp.Limits(depth=2))
    found = known_result(game, state, searched)
    assert found.exact
    assert found.value == max(found.values.values()) == 10
    assert found.values.keys() == searched.values.keys()
