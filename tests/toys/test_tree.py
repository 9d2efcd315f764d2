import collections
import json
import math
import pickle

import pytest
from ggp_toys import Tree, tree_file
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.testing import minimax_value, perft

DICE = {
    "root": "A",
    "nodes": {
        "A": {"player": "max", "actions": {"left": "B", "right": "C"}},
        "B": {"player": "chance", "actions": {"heads": "D", "tails": "C"}, "probabilities": ["1/3", "2/3"]},
        "C": {"player": "max", "actions": {"up": "E", "down": "F"}},
        "D": {"utility": 9},
        "E": {"utility": -1.5},
        "F": {"utility": 3},
    },
}


def write(folder, content):
    path = folder / "exercise.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.fixture
def dice(tmp_path):
    return Tree(file=write(tmp_path, DICE))


def test_a_file_is_played_as_it_is_written(dice):
    names = {name: dice.parse_state(name) for name in "ABCDEF"}
    assert dice.initial_state() == names["A"]
    assert [dice.to_move(names[name]) for name in "ABC"] == [ggp.MAX, ggp.CHANCE, ggp.MAX]
    assert [dice.format_action(names["C"], action) for action in dice.actions(names["C"])] == ["up", "down"]
    assert dice.result(names["B"], dice.parse_action(names["B"], "tails")) == names["C"]
    assert list(dice.outcomes(names["B"])) == [(0, 1 / 3), (1, 2 / 3)]
    assert [dice.terminal_test(names[name]) for name in "ABCDEF"] == [False] * 3 + [True] * 3
    assert (dice.utility(names["E"], ggp.MAX), dice.utility(names["E"], ggp.MIN)) == (-1.5, 1.5)
    assert dice.bounds(names["C"]) == (-1.5, 9.0)
    assert dice.stochastic
    assert not dice.whole


def test_a_player_may_move_twice_running_and_two_branches_may_lead_to_one_node(dice):
    assert minimax_value(dice, dice.initial_state()) == pytest.approx(9 / 3 + 3 * 2 / 3)
    assert perft(dice, dice.initial_state(), 2) == 4


def test_whole_numbers_stay_whole_where_chance_does_not_move(tmp_path):
    nodes = {"A": {"player": "min", "actions": {"a": "B", "b": "C"}}, "B": {"utility": 2}, "C": {"utility": -1}}
    tree = Tree(file=write(tmp_path, {"root": "A", "nodes": nodes}))
    worth = tree.utility(tree.parse_state("B"), ggp.MAX)
    assert (worth, type(worth)) == (2, int)
    assert (tree.bounds(tree.initial_state()), tree.stochastic, tree.whole) == ((-1, 2), False, True)
    assert tree.to_move(tree.initial_state()) == ggp.MIN


def test_one_fraction_among_the_utilities_makes_all_of_them_floats(tmp_path):
    nodes = {"A": {"player": "min", "actions": {"a": "B", "b": "C"}}, "B": {"utility": 2}, "C": {"utility": 0.5}}
    tree = Tree(file=write(tmp_path, {"root": "A", "nodes": nodes}))
    assert type(tree.utility(tree.parse_state("B"), ggp.MAX)) is float
    assert not tree.whole


def test_a_single_leaf_is_a_tree(tmp_path):
    tree = Tree(file=write(tmp_path, {"root": "A", "nodes": {"A": {"utility": 4}}}))
    assert tree.terminal_test(tree.initial_state())


def test_a_long_way_down_is_read(tmp_path):
    nodes = {str(n): {"player": "max", "actions": {"on": str(n + 1)}} for n in range(5000)}
    tree = Tree(file=write(tmp_path, {"root": "0", "nodes": {**nodes, "5000": {"utility": 1}}}))
    assert tree.format_state((5000,)) == "5000"


def test_many_ways_to_one_node_are_walked_once(tmp_path):
    nodes = {str(n): {"player": "max", "actions": {"a": str(n + 1), "b": str(n + 1)}} for n in range(60)}
    tree = Tree(file=write(tmp_path, {"root": "0", "nodes": {**nodes, "60": {"utility": 1}}}))
    assert perft(tree, tree.initial_state(), 3) == 8


def changed(**nodes):
    """The tree above with some nodes changed, or taken out where None."""
    kept = {name: node for name, node in {**DICE["nodes"], **nodes}.items() if node is not None}
    return {"root": "A", "nodes": kept}


def chance(*probabilities):
    return {"player": "chance", "actions": {"heads": "D", "tails": "C"}, "probabilities": list(probabilities)}


LEAF = "a node with a utility is a leaf: it has no player, no actions and no probabilities"
NAME = "a name must not be empty, nor begin or end with a space"
SHARE = "it is a number above 0 and up to 1, or a fraction like '1/6'"
FINITE = "node 'D': the utility has to be finite, at most 2**53 in size"
FAULTS = {
    "not JSON": ('{"root" A}', "it is not JSON: expecting ':' delimiter at line 1, column 9"),
    "empty": ("", "it is empty"),
    "nested without end": ("[" * 100_000, "it is nested too deeply"),
    "an empty list": ("[]", "node A has no moves: write a leaf as a number"),
    "no root": ({"nodes": {}}, "'root' is missing"),
    "no nodes": ({"root": "A"}, "'nodes' is missing"),
    "nodes in a list": ({"root": "A", "nodes": []}, "the nodes have to be an object with the nodes by name"),
    "an unknown field": ({**DICE, "name": "x"}, "the entry 'name' is unknown"),
    "a root of another type": ({**DICE, "root": 1}, "root has to be a text, and is a whole number"),
    "the root is missing": ({**DICE, "root": "Z"}, "the root 'Z' is not among the nodes"),
    "no nodes at all": ({"root": "A", "nodes": {}}, "the root 'A' is not among the nodes"),
    "a key twice": ('{"root": "A", "root": "B", "nodes": {}}', "'root' is given twice"),
    "a node twice": (
        '{"root": "A", "nodes": {"A": {"utility": 1}, "A": {"utility": 2}}}',
        "node 'A' is given twice",
    ),
    "an action twice": (
        '{"root": "A", "nodes": {"A": {"player": "max", "actions": {"a": "B", "a": "B"}}, "B": {"utility": 1}}}',
        "node 'A': the action 'a' is given twice",
    ),
    "a field of a node twice": (
        '{"root": "A", "nodes": {"A": {"utility": 1, "utility": 2}}}',
        "node 'A': 'utility' is given twice",
    ),
    "a node without a name": (changed(**{"": {"utility": 1}}), f"node '': {NAME}"),
    "a node with a space at its end": (changed(**{"G ": {"utility": 1}}), f"node 'G ': {NAME}"),
    "a node that is a number": (changed(D=9), "node 'D': it has to be an object, and is a whole number"),
    "a node that says nothing": (changed(D={}), "node 'D': it has neither a utility nor a player who moves"),
    "an unknown field of a node": (changed(D={"value": 9}), "node 'D': the entry 'value' is unknown"),
    "a player nobody knows": (
        changed(C={"player": "black", "actions": {"up": "E", "down": "F"}}),
        "node 'C': the player 'black' is unknown: a player is max, min or chance",
    ),
    "no actions": (
        changed(C={"player": "min", "actions": {}}),
        "node 'C': it has a player and no actions: a node where the game is over has a utility instead",
    ),
    "an action without a name": (
        changed(C={"player": "min", "actions": {"": "E", "down": "F"}}),
        f"node 'C': the action '': {NAME}",
    ),
    "an action that leads to a number": (
        changed(C={"player": "min", "actions": {"up": 5, "down": "F"}}),
        "node 'C': each of its actions has to be a text, and one is a whole number",
    ),
    "a leaf with actions": (changed(D={"utility": 9, "actions": {"on": "E"}}), f"node 'D': {LEAF}"),
    "a leaf with a player": (changed(D={"utility": 9, "player": "max"}), f"node 'D': {LEAF}"),
    "a leaf with probabilities": (changed(D={"utility": 9, "probabilities": []}), f"node 'D': {LEAF}"),
    "a utility that is a text": (
        changed(D={"utility": "9"}),
        "node 'D': utility has to be a number, and is a text",
    ),
    "a utility that is true": (
        changed(D={"utility": True}),
        "node 'D': utility has to be a number, and is true or false",
    ),
    "an infinite utility": (changed(D={"utility": math.inf}), FINITE),
    "a utility that is no number": (changed(D={"utility": math.nan}), FINITE),
    "a utility that overflows": (json.dumps(changed(D={"utility": 9})).replace("9", "1e999"), FINITE),
    "a utility of 400 digits": (changed(D={"utility": 10**400}), FINITE),
    "an action into nowhere": (changed(E=None), "node 'C': 'up' leads to 'E', which is missing"),
    "a cycle": (
        changed(C={"player": "max", "actions": {"up": "E", "down": "A"}}, F=None),
        "node 'A' leads back to itself: A to B to C to A",
    ),
    "a node that leads to itself": (
        changed(C={"player": "max", "actions": {"up": "E", "down": "C"}}, F=None),
        "node 'C' leads back to itself: C to C",
    ),
    "a node nobody leads to": (changed(G={"utility": 1}), "node 'G' cannot be reached from the root 'A'"),
    "probabilities of a player": (
        changed(C={"player": "max", "actions": {"up": "E", "down": "F"}, "probabilities": [0.5, 0.5]}),
        "node 'C': only a node where chance moves can have probabilities; remove them, or write"
        ' "chance" as its player',
    ),
    "chance without probabilities": (
        changed(B={"player": "chance", "actions": {"heads": "D", "tails": "C"}}),
        "node 'B': chance needs one probability for each action: got 0 probabilities for 2 actions",
    ),
    "too few probabilities": (
        changed(B=chance(1)),
        "node 'B': chance needs one probability for each action: got 1 probabilities for 2 actions",
    ),
    "probabilities that sum to less": (
        changed(B=chance(0.3, 0.3)),
        "node 'B': the probabilities must add up to 1; they add up to 0.6",
    ),
    "probabilities that sum to more": (
        changed(B=chance("1/3", 0.7)),
        "node 'B': the probabilities must add up to 1; they add up to 1.03333333",
    ),
    "a probability of 0": (changed(B=chance(0, 1)), f"node 'B': 0.0 is not a probability: {SHARE}"),
    "a negative probability": (changed(B=chance(-0.5, 1.5)), f"node 'B': -0.5 is not a probability: {SHARE}"),
    "a probability that is no number": (changed(B=chance(math.nan, 1)), f"node 'B': nan is not a probability: {SHARE}"),
    "a fraction by 0": (changed(B=chance("1/0", 1)), f"node 'B': '1/0' is not a probability: {SHARE}"),
    "a text that is no fraction": (changed(B=chance("half", 1)), f"node 'B': 'half' is not a probability: {SHARE}"),
    "a power that would take for ever": (
        changed(B=chance("1e999999999", 1)),
        f"node 'B': '1e999999999' is not a probability: {SHARE}",
    ),
}


@pytest.mark.parametrize(("content", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_file_is_refused_in_words(tmp_path, content, fault):
    path = write(tmp_path, content)
    with pytest.raises(ggp.OptionError) as caught:
        Tree(file=path)
    assert str(caught.value) == f"tree file {path}: {fault}"


def test_a_long_cycle_is_told_in_short(tmp_path):
    nodes = {str(n): {"player": "max", "actions": {"on": str((n + 1) % 50)}} for n in range(50)}
    path = write(tmp_path, {"root": "0", "nodes": nodes})
    with pytest.raises(ggp.OptionError) as caught:
        Tree(file=path)
    assert str(caught.value).endswith("node '0' leads back to itself: 0 to 1 to 2 to 3 to ... to 48 to 49 to 0")


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path):
    path = str(tmp_path / "none.json")
    with pytest.raises(ggp.OptionError) as caught:
        Tree(file=path)
    assert str(caught.value) == f"tree file {path}: there is no such file"


def test_a_file_that_is_not_text_is_refused_in_words(tmp_path):
    path = tmp_path / "picture.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ggp.OptionError) as caught:
        Tree(file=str(path))
    assert str(caught.value) == f"tree file {path}: it is not text in UTF-8"


def test_a_file_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tree_file, "LONGEST", 5)
    path = tmp_path / "long.json"
    path.write_text('{"root": "A"}')
    with pytest.raises(ggp.OptionError) as caught:
        Tree(file=str(path))
    assert str(caught.value) == f"tree file {path} cannot be read: it is longer than 5 characters"


def test_a_folder_is_refused_in_words(tmp_path):
    with pytest.raises(ggp.OptionError) as caught:
        Tree(file=str(tmp_path))
    assert str(caught.value) == f"tree file {tmp_path} cannot be read: Is a directory"


def test_a_name_that_no_file_can_have_is_refused_in_words():
    with pytest.raises(ggp.OptionError, match=r"^tree file a\x00b cannot be read: "):
        Tree(file="a\0b")


def test_the_registry_passes_the_message_on(tmp_path):
    path = write(tmp_path, "")
    registry = ggp.Registry()
    registry.register(Tree)
    with pytest.raises(ggp.OptionError) as caught:
        registry.game("tree", file=path)
    assert str(caught.value) == f"tree file {path}: it is empty"


def test_notation_goes_round(dice):
    for number, name in enumerate(DICE["nodes"]):
        assert (dice.format_state((number,)), dice.parse_state(f" {name} ")) == (name, (number,))
        for action in () if dice.terminal_test((number,)) else dice.actions((number,)):
            assert dice.parse_action((number,), dice.format_action((number,), action)) == action


def test_an_unknown_node_is_refused_with_the_right_ones(dice):
    with pytest.raises(ggp.NotationError) as caught:
        dice.parse_state("Z")
    assert str(caught.value) == "'Z' is not a node of the tree: the nodes are A, B, C, D, E, F"


def test_of_many_nodes_the_first_are_named():
    with pytest.raises(ggp.NotationError) as caught:
        Tree(depth=2, branching=4).parse_state("Z")
    names = "A, A.1, A.2, A.3, A.4, A.1.1, A.1.2, A.1.3, A.1.4, A.2.1 and 11 more"
    assert str(caught.value) == f"'Z' is not a node of the tree: the nodes are {names}"


@pytest.mark.parametrize(
    ("error", "state", "text", "message"),
    [
        (ggp.IllegalActionError, "C", "heads", "'heads' is not possible at C: the actions there are up, down"),
        (ggp.IllegalActionError, "D", "up", "'up' is not possible at D: the game is over"),
        (ggp.NotationError, "C", "x", "'x' is not an action anywhere in the tree; at C the actions there are up, down"),
        (ggp.NotationError, "D", "x", "'x' is not an action anywhere in the tree; at D the game is over"),
    ],
)
def test_a_wrong_action_is_refused_in_words(dice, error, state, text, message):
    with pytest.raises(error) as caught:
        dice.parse_action(dice.parse_state(state), text)
    assert str(caught.value) == message


def test_the_drawing_shows_a_node_and_where_it_leads(dice):
    assert dice.draw(dice.parse_state("A")) == "A: MAX to move\n  left to B\n  right to C"
    assert dice.draw(dice.parse_state("B")) == "B: chance to move\n  heads (0.333) to D: 9\n  tails (0.667) to C"
    assert dice.draw(dice.parse_state("E")) == "E: -1.5"


def test_a_tree_comes_back_from_a_pickle_though_its_file_has_changed(tmp_path, dice):
    pickled = pickle.dumps(dice)
    write(tmp_path, "")
    again = pickle.loads(pickled)  # noqa: S301 - pickled on the spot
    assert again == dice
    assert hash(again) == hash(dice)
    assert minimax_value(again, again.initial_state()) == minimax_value(dice, dice.initial_state())


def test_two_trees_from_one_file_differ_when_it_has_changed_between(tmp_path, dice):
    write(tmp_path, {"root": "A", "nodes": {"A": {"utility": 0}}})
    assert Tree(file=dice.file) != dice


def leaves(tree):
    return [tree.utility((node,), ggp.MAX) for node in range(len(tree.graph.names)) if tree.terminal_test((node,))]


def test_a_random_tree_depends_on_its_seed_alone():
    shapes = [Tree(seed=seed, chance=0.5).graph for seed in (1, 1, 2)]
    assert shapes[0] == shapes[1]
    assert shapes[0] != shapes[2]


def test_a_random_tree_is_pinned():
    # any change of how trees are drawn changes everybody's exercises
    assert leaves(Tree(depth=2, branching=3, seed=7)) == [-7, 8, -6, 2, 9, -8, 7, -3, -8]


@given(st.integers(0, 5), st.integers(1, 4), st.integers(-20, 20), st.integers(0, 9))
def test_a_random_tree_has_the_depth_branching_and_leaves_asked_for(depth, branching, low, more):
    tree = Tree(depth=depth, branching=branching, low=low, high=low + more)
    assert perft(tree, tree.initial_state(), depth) == len(leaves(tree)) == branching**depth
    assert perft(tree, tree.initial_state(), depth + 1) == 0
    assert all(low <= leaf <= low + more for leaf in leaves(tree))
    assert not tree.stochastic


def test_players_alternate_in_a_random_tree():
    tree = Tree(depth=3, branching=2)
    movers = {tree.format_state((n,)).count("."): tree.to_move((n,)) for n in range(7)}
    assert movers == {0: ggp.MAX, 1: ggp.MIN, 2: ggp.MAX}


def test_chance_moves_at_the_share_of_nodes_asked_for_and_never_at_the_root():
    tree = Tree(depth=8, branching=3, chance=0.25, seed=3)
    movers = collections.Counter(
        tree.to_move((n,)) for n in range(1, len(tree.graph.names)) if not tree.terminal_test((n,))
    )
    assert 0.22 < movers[ggp.CHANCE] / movers.total() < 0.28
    assert tree.to_move(tree.initial_state()) == ggp.MAX
    assert Tree(chance=1.0).stochastic


def test_probabilities_of_a_random_tree_sum_to_1():
    tree = Tree(depth=4, branching=5, chance=1.0)
    for node in range(1, 31):
        outcomes = list(tree.outcomes((node,)))
        assert [outcome for outcome, _ in outcomes] == list(tree.actions((node,)))
        assert all(share > 0 for _, share in outcomes)
        assert sum(share for _, share in outcomes) == pytest.approx(1, abs=1e-12)


def test_a_random_tree_comes_back_from_a_pickle():
    tree = Tree(depth=2, seed=5, chance=0.5)
    again = pickle.loads(pickle.dumps(tree))  # noqa: S301 - pickled on the spot
    assert (again, hash(again), again.graph) == (tree, hash(tree), tree.graph)


def test_a_range_upside_down_is_refused():
    with pytest.raises(ggp.OptionError) as caught:
        Tree(low=3, high=2)
    assert str(caught.value) == "low must be at most high (2); got 3"


def test_a_tree_too_large_is_refused():
    with pytest.raises(ggp.OptionError) as caught:
        Tree(depth=13, branching=3)
    size = "a tree of depth 13 and branching 3 has more than 1,000,000 nodes"
    assert str(caught.value) == f"{size}: choose a lower depth or branching"
