"""States that plain searches enter: the numbers of independent programs (tests/data/README.md says whose)."""

import json
import pathlib

import pytest

import ggp

COUNTS = json.loads((pathlib.Path(__file__).parents[1] / "data" / "search_counts.json").read_text())
REGISTRY = ggp.load_registry()
PLAIN = {"table": 0, "ordering": "none", "bounds": False}


def plain(name, game, depth=None, **options):
    return REGISTRY.searcher(name, **PLAIN, **options).search(game, game.initial_state(), ggp.Limits(depth=depth))


def margins(depths):
    return [
        (int(depth), *COUNTS["alphabeta_margin"][depth]) for depth in COUNTS["alphabeta_margin"] if int(depth) in depths
    ]


@pytest.mark.parametrize(("depth", "states", "value"), margins(range(1, 9)))
def test_alphabeta_on_kalah_interpreted(depth, states, value):
    found = plain("alphabeta", REGISTRY.game("kalah"), depth, speed="interpreted")
    assert (found.statistics.nodes, found.value, found.speed) == (states, value, "interpreted")


@pytest.mark.parametrize(("depth", "states", "value"), margins(range(1, 13)))
def test_alphabeta_on_kalah_compiled(depth, states, value):
    found = plain("alphabeta", REGISTRY.game("kalah"), depth, speed="compiled")
    assert (found.statistics.nodes, found.value, found.speed) == (states, value, "compiled")


@pytest.mark.parametrize("depth", [10, 11, 12])
def test_alphabeta_on_kalah_for_the_outcome(depth):
    found = plain(
        "alphabeta", REGISTRY.game("kalah", scoring="outcome"), depth, speed="compiled", evaluation="hundredth"
    )
    assert found.statistics.nodes == COUNTS["alphabeta_outcome_states"][str(depth)]


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("minimax", COUNTS["tictactoe"]["minimax_states"]),
        ("alphabeta", COUNTS["tictactoe"]["alphabeta_states_row_order"]),
    ],
)
def test_tictactoe_from_the_empty_board(name, states, speed):
    found = plain(name, REGISTRY.game("tictactoe"), speed=speed)
    assert (found.statistics.nodes, found.value, found.exact) == (states, 0, True)


def test_a_search_without_options_to_a_small_depth_is_the_plain_one():
    kalah = REGISTRY.game("kalah")
    found = REGISTRY.searcher("alphabeta").search(kalah, kalah.initial_state(), ggp.Limits(depth=6))
    assert found.statistics.nodes == COUNTS["alphabeta_margin"]["6"][0]


def test_nodes_for_the_variation_and_the_values_are_counted_apart():
    kalah = REGISTRY.game("kalah")
    found = REGISTRY.searcher("alphabeta", **PLAIN).analyse(kalah, kalah.initial_state(), ggp.Limits(depth=6))
    assert found.statistics.nodes == COUNTS["alphabeta_margin"]["6"][0]
    assert found.statistics.extra_nodes > found.statistics.nodes
