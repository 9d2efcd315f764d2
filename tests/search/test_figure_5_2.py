"""Figure 5.2 of AIMA (third edition): what the book says of it."""

import pytest

import ggp
from ggp.trace import Cut, Enter, Leaf, Try

REGISTRY = ggp.load_registry()
FIG52 = REGISTRY.game("fig52")
DETERMINISTIC = ["minimax", "alphabeta", "scout", "negascout", "mtdf"]
EXACT = [*DETERMINISTIC, "expectiminimax", "star1", "star2"]


def search(name, state="A", **options):
    return REGISTRY.searcher(name, **options).search(FIG52, state)


@pytest.mark.parametrize("name", EXACT)
def test_the_value_is_3_by_a1(name):
    found = search(name)
    assert (found.value, found.action, found.principal_variation) == (3, "a1", ("a1", "b1"))
    assert found.complete
    assert found.exact


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(("state", "action", "value"), [("B", "b1", 3), ("C", "c1", 2), ("D", "d3", 2)])
def test_min_moves_to_the_least(name, state, action, value):
    found = search(name, state)
    assert (found.action, found.value) == (action, value)


@pytest.mark.parametrize("name", EXACT)
def test_every_move_has_its_exact_value(name):
    found = REGISTRY.searcher(name).analyse(FIG52, "A")
    assert found.values == {"a1": 3, "a2": 2, "a3": 2}
    assert found.best_actions == ("a1",)


def leaves_of(name):
    return [event.value for event in REGISTRY.searcher(name).trace(FIG52, "A") if isinstance(event, Leaf)]


def test_minimax_looks_at_all_leaves():
    assert leaves_of("minimax") == [3, 12, 8, 2, 4, 6, 14, 5, 2]


@pytest.mark.parametrize("name", ["alphabeta", "scout"])
def test_alphabeta_and_scout_do_not_look_at_4_and_6(name):
    assert leaves_of(name) == [3, 12, 8, 2, 14, 5, 2]
    assert search(name).statistics.leaves == 7


def test_alphabeta_cuts_c_after_its_first_leaf_and_nothing_at_d():
    events = list(REGISTRY.searcher("alphabeta").trace(FIG52, "A"))
    assert [event for event in events if isinstance(event, Cut)] == [Cut(("c2", "c3"))]
    before = events[events.index(Cut(("c2", "c3"))) - 2]
    assert isinstance(before, Enter)
    assert (before.alpha, before.beta) == (3, float("inf"))


def test_the_actions_are_tried_from_left_to_right():
    events = REGISTRY.searcher("minimax").trace(FIG52, "A")
    tried = [event.action for event in events if isinstance(event, Try)]
    assert tried == ["a1", "b1", "b2", "b3", "a2", "c1", "c2", "c3", "a3", "d1", "d2", "d3"]


def test_scout_tests_c_and_d_before_it_would_evaluate_them():
    entered = [event for event in REGISTRY.searcher("scout").trace(FIG52, "A") if isinstance(event, Enter)]
    tested = {event.state for event in entered if event.alpha == event.beta}
    assert {"C", "D"} <= tested
    assert not {"A", "B"} & tested
