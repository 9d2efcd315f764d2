"""Trees as teachers write them: nested lists and objects, estimates, bounds, quiet moves, CS188's tests."""

import json

import pytest
from ggp_toys import Tree

import ggp
from ggp.cli.app import main

HORIZON = {
    "player": "max",
    "bounds": [-9, 9],
    "moves": {
        "take": {"player": "min", "estimate": 5, "quiet": ["pass"], "moves": {"retake": -5, "pass": 5}},
        "wait": {"player": "min", "estimate": 1, "moves": [1, 2]},
    },
}
CS188 = '''
class: "GraphGameTreeTest"
alg: "{}"
num_agents: "2"
start_state: "max"
win_states: "A"
successors: """
max Left min1
max Right min2
min1 Left A
min1 Right B
min2 Left C
min2 Right D
"""
evaluation: """
A 3.0
B 5
C 4
D 3.5
"""
'''


def tree(tmp_path, content):
    file = tmp_path / "tree.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return Tree(file=str(file))


def value(game, searcher, depth=None):
    limits = ggp.Limits(depth=depth)
    return ggp.load_registry().searcher(searcher, speed="interpreted").search(game, game.initial_state(), limits).value


def test_nested_lists_are_a_tree_in_which_players_alternate(tmp_path):
    game = tree(tmp_path, "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    assert value(game, "alphabeta") == 3
    assert [game.format_action((0,), action) for action in game.actions((0,))] == ["a1", "a2", "a3"]
    assert game.graph.names[:3] == ("A", "B", "B1")


def test_quiescence_sees_beyond_the_horizon_what_alphabeta_does_not(tmp_path):
    game = tree(tmp_path, HORIZON)
    assert value(game, "alphabeta", 1) == 5
    assert value(game, "quiescence", 1) == 1
    assert value(game, "alphabeta") == 1


def test_known_bounds_cut_at_chance_nodes(tmp_path):
    chance = {"player": "chance", "moves": [-2, 2, 2, 2]}
    nested = {"bounds": [-2, 2], "moves": [1.5, chance]}
    game = tree(tmp_path, nested)
    assert game.bounds(game.initial_state()) == (-2, 2)
    registry = ggp.load_registry()
    entered = [len(list(registry.searcher(name).trace(game, (0,)))) for name in ("expectiminimax", "star1")]
    assert entered[1] < entered[0]
    assert value(game, "star1") == 1.5


@pytest.mark.parametrize(("agent", "expected"), [("AlphaBetaAgent", 3.5), ("ExpectimaxAgent", 4)])
def test_the_tests_of_cs188_are_read(agent, expected, tmp_path):
    game = tree(tmp_path, CS188.format(agent))
    assert value(game, "star1") == expected


FAULTS = {
    "outside the bounds": ({"bounds": [0, 1], "moves": [2]}, "2 is not within the bounds 0 to 1"),
    "unknown entry": ({"mover": "max", "moves": [1]}, "the entry 'mover' is unknown"),
    "unknown player": ({"player": "me", "moves": [1]}, "the player 'me' is unknown"),
    "no quiet action": ({"quiet": ["x"], "moves": {"y": 1}}, "the quiet action 'x' is not among its actions y"),
    "probabilities": ({"player": "chance", "probabilities": [1], "moves": [1, 2]}, "2 probabilities above 0"),
    "twice": ({"moves": [{"name": "A", "utility": 1}]}, "'A' is empty or given twice"),
    "a leaf with moves": ({"utility": 1, "moves": [1]}, "a node with a utility has no moves"),
    "no evaluation": (CS188.format("x").replace("B 5\n", ""), "'B' has no successors, so it needs an evaluation"),
    "no successors": (
        CS188.format("x").replace("max Left min1", "max Left"),
        "a line is a state, an action and the next state",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_named(case, tmp_path):
    content, sentence = FAULTS[case]
    with pytest.raises(ggp.OptionError, match=sentence):
        tree(tmp_path, content)


def test_frames_are_a_picture_for_each_step_an_animation_and_latex(tmp_path, capsys):
    assert main(["tree", "fig52", "--frames", str(tmp_path / "frames")]) == 0
    names = sorted(path.name for path in (tmp_path / "frames").iterdir())
    assert names[0] == "step-01.svg"
    assert names[-2:] == ["tree.svg", "tree.tex"]
    assert "<animate" in (tmp_path / "frames" / "tree.svg").read_text()
    assert (tmp_path / "frames" / "tree.tex").read_text().count("\\node[") == 13
