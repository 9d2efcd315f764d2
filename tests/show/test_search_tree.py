"""The search tree: folded from events, drawn as text."""

from math import inf, nextafter

import pytest

from ggp.game import CHANCE, MAX, MIN
from ggp.number_text import interval, number, window
from ggp.show.tree import Tree, fold
from ggp.show.tree_text import draw_tree
from ggp.trace import Cut, Enter, Leaf, Leave, Try


class Path:
    """States are texts of the actions played; the length says who moves."""

    name = "path"
    movers = (MAX, MIN, MAX)

    def initial_state(self):
        return ""

    def to_move(self, state):
        return self.movers[len(state)]

    def actions(self, state):
        return ["a", "b", "c"]

    def result(self, state, action):
        return state + action

    def terminal_test(self, state):
        return len(state) == len(self.movers)

    def utility(self, state, player):
        return 0

    def format_state(self, state):
        return state or "start"

    def parse_state(self, text):
        return text

    def format_action(self, state, action):
        return action

    def parse_action(self, state, text):
        return text


class Dice(Path):
    movers = (CHANCE, MAX)


def leaf(state, value, alpha=-inf, beta=inf, terminal=True):
    return [Enter(state, 0, alpha, beta), Leaf(value, terminal)]


CUT = [
    Enter("", 2, -inf, inf),
    *[Try("a"), *leaf("a", 3)],
    *[Try("b"), Enter("b", 1, 3, inf)],
    *[Try("a"), *leaf("ba", 2, 3, inf)],
    *[Cut(("b", "c")), Leave(-inf, 2, "a")],
    *[Try("c"), *leaf("c", 2.5, 3, inf, terminal=False)],
    Leave(3, 3, "a"),
]

SCOUT = [
    Enter("", 2, -inf, inf),
    *[Try("a"), *leaf("a", 3)],
    *[Try("b"), Enter("b", 1, 3, 3)],
    *[Try("a"), *leaf("ba", 5, 3, 3)],
    Leave(nextafter(3, inf), inf, "a"),
    Enter("b", 1, -inf, inf),
    *[Try("a"), *leaf("ba", 5)],
    *[Leave(5, 5, "a"), Leave(5, 5, "b")],
]


def test_visits_are_numbered_as_they_happen_and_hang_where_they_were_made():
    root = fold(Path(), CUT).root
    assert (root.order, root.action, root.mover) == (1, None, MAX)
    assert [(child.order, child.action) for child in root.children] == [(2, "a"), (3, "b"), (5, "c")]
    assert [(child.order, child.state) for child in root.children[1].children] == [(4, "ba")]


def test_a_window_is_narrowed_by_what_becomes_known_of_the_children_until_it_is_empty():
    root = fold(Path(), CUT).root
    assert (root.window, root.windows) == ((-inf, inf), [(3, inf)])
    assert (root.children[1].window, root.children[1].windows) == ((3, inf), [])


@pytest.mark.parametrize(("root", "bounds"), [("", (-inf, 2)), ("a", (4, inf))], ids=["MAX", "MIN"])
def test_a_bound_on_the_wrong_side_narrows_nothing(root, bounds):
    child = [Enter(root + "a", 1, -inf, inf), Leave(*bounds, "a")]
    assert fold(Path(), [Enter(root, 2, -inf, inf), Try("a"), *child, Leave(-inf, inf, "a")]).root.windows == []


def test_a_cut_keeps_the_actions_that_were_not_tried():
    b = fold(Path(), CUT).root.children[1]
    assert b.cut == ("b", "c")
    assert (b.lower, b.upper, b.choice) == (-inf, 2, "a")


def test_leaves_are_terminal_or_estimates():
    root = fold(Path(), CUT).root
    assert [child.leaf for child in root.children] == ["terminal", None, "estimate"]


def test_a_state_that_is_tested_and_then_evaluated_is_visited_twice():
    root = fold(Path(), SCOUT).root
    assert [(child.order, child.action, child.is_test) for child in root.children] == [
        (2, "a", False),
        (3, "b", True),
        (5, "b", False),
    ]
    assert root.windows == [(3, inf), (5, inf)]


def test_after_each_event_the_tree_is_what_was_known_then():
    tree, known = Tree(Path()), []
    for event in CUT:
        tree.add(event)
        known.append((tree.visits, tree.root.closed, interval(tree.root.lower, tree.root.upper)))
    assert known[0] == (1, False, "unknown")
    assert known[-2] == (5, False, "unknown")
    assert known[-1] == (5, True, "3")
    assert "..." in draw_tree(fold(Path(), CUT[:4]))


def test_beyond_the_limit_visits_are_counted_where_they_are_missing():
    tree = fold(Path(), CUT, limit=3)
    assert (tree.visits, tree.root.hidden, tree.root.children[1].hidden) == (5, 1, 1)
    assert (tree.root.lower, tree.root.upper) == (3, 3)


def test_where_chance_moves_the_probability_is_kept_and_no_window_narrows():
    events = [
        Enter("", 1, -inf, inf),
        *[Try("a", 0.25), *leaf("a", 4)],
        *[Try("b", 0.75), *leaf("b", 0), Leave(1, 1, None)],
    ]
    root = fold(Dice(), events).root
    assert (root.mover, root.windows) == (CHANCE, [])
    assert [child.probability for child in root.children] == [0.25, 0.75]
    assert draw_tree(fold(Dice(), events)).splitlines() == [
        "#  move          mover   value",
        "1  start         chance  1",
        "2  ├─ a (1/4) a          4",
        "3  └─ b (3/4) b          0",
    ]


def test_a_cut_an_estimate_and_hidden_visits_are_drawn():
    assert draw_tree(fold(Path(), CUT)).splitlines() == [
        "#  move        mover  window                  value",
        "1  start       MAX    [-inf, +inf] [3, +inf]  3 by a",
        "2  ├─ a a                                     3",
        "3  ├─ b b      MIN    [3, +inf]               ≤ 2 by a",
        "4  │  ├─ a ba                                 2",
        "   │  └─ b, c                                 not visited",
        "5  └─ c c                                     2.5 (estimate)",
    ]
    assert "   └─ … 1 more" in draw_tree(fold(Path(), CUT, limit=4)).splitlines()


def test_a_test_is_drawn_with_its_bound_and_what_it_proved():
    line = draw_tree(fold(Path(), SCOUT)).splitlines()[3]
    assert " ".join(line.split()) == "3 ├─ b b MIN test 3 > 3 by a"


def test_no_events_no_tree():
    assert fold(Path(), []).root is None
    assert draw_tree(fold(Path(), [])).split() == ["#", "move", "mover", "value"]


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    {
        "a value": (3.0, 3.0, "3"),
        "a fraction": (1 / 3, 1 / 3, "0.333333"),
        "nothing": (-inf, inf, "unknown"),
        "at least": (3, inf, "≥ 3"),
        "more than": (nextafter(3, inf), inf, "> 3"),
        "at most": (-inf, 2.5, "≤ 2.5"),
        "less than": (-inf, nextafter(2.5, -inf), "< 2.5"),
        "between": (1, 2, "1 to 2"),
    }.values(),
)
def test_what_is_known_of_a_value_in_words(lower, upper, text):
    assert interval(lower, upper) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *[(2.0, "2"), (-0.125, "-0.125"), (10**20, "1" + 20 * "0"), (-1e300, "-1e+300")],
        *[(inf, "+inf"), (-inf, "-inf"), (float("nan"), "unknown")],
    ],
)
def test_numbers_are_written_without_needless_digits(value, text):
    assert number(value) == text


def test_a_window_that_changes_often_is_drawn_as_at_first_and_in_the_end():
    events = [Enter("", 1, -inf, inf)]
    for action, value in zip("abc", (1, 2, 3), strict=True):
        events += [Try(action), *leaf(action, value, value - 1, inf)]
    drawn = draw_tree(fold(Path(), [*events, Leave(3, 3, "c")]))
    assert "[-inf, +inf] … [3, +inf]  3 by c" in drawn


def test_of_many_cut_actions_the_first_are_named():
    events = [Enter("", 1, -inf, inf), Try("a"), *leaf("a", 1), Cut(tuple("bcdefghij")), Leave(1, inf, "a")]
    assert "   └─ b, c, d, … 6 more         not visited" in draw_tree(fold(Path(), events)).splitlines()


def test_a_window_has_its_bounds_to_three_digits():
    assert window(-1 / 9, inf) == "[-0.111, +inf]"
