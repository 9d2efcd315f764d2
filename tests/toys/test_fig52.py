import pytest
from ggp_toys import Figure52

import ggp
from ggp.testing import minimax_value, perft

GAME = Figure52()


def test_the_values_of_the_figure():
    assert {node: minimax_value(GAME, node) for node in "ABCD"} == {"A": 3, "B": 3, "C": 2, "D": 2}


def test_the_leaves_in_the_order_of_the_figure():
    leaves = [
        GAME.utility(GAME.result(node, action), ggp.MAX)
        for node in (GAME.result("A", first) for first in GAME.actions("A"))
        for action in GAME.actions(node)
    ]
    assert leaves == [3, 12, 8, 2, 4, 6, 14, 5, 2]


def test_max_moves_at_the_root_and_min_below():
    assert [GAME.to_move(node) for node in "ABCD"] == [ggp.MAX, ggp.MIN, ggp.MIN, ggp.MIN]
    assert [perft(GAME, "A", depth) for depth in range(4)] == [1, 3, 9, 0]


def test_what_max_wins_min_loses():
    assert (GAME.utility("D1", ggp.MAX), GAME.utility("D1", ggp.MIN)) == (14, -14)


def test_names_are_understood_in_either_case():
    assert GAME.parse_state(" b1 ") == "B1"
    assert GAME.parse_action("B", "B2") == "b2"
    assert GAME.format_state("B1") == "B1"
    assert GAME.format_action("B", "b2") == "b2"


def test_an_unknown_state_is_refused_with_the_right_ones():
    with pytest.raises(ggp.NotationError) as caught:
        GAME.parse_state("E")
    right = "A, B, C, D, B1, B2, B3, C1, C2, C3, D1, D2, D3"
    assert str(caught.value) == f"'E' is not a state of fig52: the states are {right}"


def test_an_unknown_action_is_refused_with_the_right_ones():
    with pytest.raises(ggp.NotationError) as caught:
        GAME.parse_action("A", "a4")
    right = "a1, a2, a3, b1, b2, b3, c1, c2, c3, d1, d2, d3"
    assert str(caught.value) == f"'a4' is not an action of fig52: the actions are {right}"


@pytest.mark.parametrize(("state", "right"), [("A", "a1, a2, a3"), ("B1", "none: the game is over")])
def test_an_action_of_another_state_is_refused(state, right):
    with pytest.raises(ggp.IllegalActionError) as caught:
        GAME.parse_action(state, "c1")
    assert str(caught.value) == f"c1 is not possible at {state}: the actions there are {right}"


def test_the_drawing_is_the_tree_below():
    assert GAME.draw("C") == "C: MIN to move\n  c1 to C1: 2\n  c2 to C2: 4\n  c3 to C3: 6"
    assert GAME.draw("A").splitlines()[:3] == ["A: MAX to move", "  a1 to B: MIN to move", "    b1 to B1: 3"]
