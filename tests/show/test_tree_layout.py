"""Where the marks of a tree are placed, on random trees and all searchers."""

import itertools

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_pictures import REGISTRY, SVG, TEXTBOOK, Picture, after

from ggp import Limits
from ggp.show.tree_layout import ABOVE, SMALL, lay_out, size, symbol, text_width
from ggp.show.tree_marks import Mark, marks
from ggp.testing import minimax_value, trees

SEARCHERS = [*TEXTBOOK, "negascout", "star1", "star2"]


@st.composite
def drawn_trees(draw):
    """The tree of some searcher on a random game, after some step, within some limits."""
    name = draw(st.sampled_from(SEARCHERS))
    chance = name in ("expectiminimax", "star1", "star2")
    game = draw(trees(stochastic=chance, depth=4))
    events = list(REGISTRY.searcher(name).trace(game, game.initial_state(), Limits(depth=4)))
    step = draw(st.one_of(st.none(), st.integers(1, len(events))))
    limits = draw(st.sampled_from([{}, {"limit": 7}, {"levels": 2}, {"limit": 30, "levels": 3}]))
    return after(events, step, game, **limits)


def placed(tree, labels):
    shown = marks(tree, labels)
    return shown, lay_out(shown, {mark.key: size(mark) for mark in shown})


def box(layout, key):
    (x, y), own = layout.places[key], layout.sizes[key]
    return x - own.left, y - own.above, x + own.right, y + own.below


def overlap(one, other):
    return (
        one[0] < other[2] - 1e-6 and other[0] < one[2] - 1e-6 and one[1] < other[3] - 1e-6 and other[1] < one[3] - 1e-6
    )


@given(drawn_trees(), st.sampled_from(["window", "ranges"]))
def test_no_two_marks_overlap_and_all_are_in_the_picture(tree, labels):
    shown, layout = placed(tree, labels)
    boxes = {mark.key: box(layout, mark.key) for mark in shown}
    assert [pair for pair in itertools.combinations(boxes, 2) if overlap(*(boxes[key] for key in pair))] == []
    for left, top, right, bottom in boxes.values():
        assert left >= 0
        assert top >= 0
        assert right <= layout.width
        assert bottom <= layout.height


@given(drawn_trees())
def test_children_stand_in_order_below_their_parent_which_is_in_the_middle_of_them(tree):
    shown, layout = placed(tree, "window")
    children = {}
    for mark in shown:
        if mark.parent is not None:
            children.setdefault(mark.parent, []).append(mark.key)
    for parent, below in children.items():
        across = [layout.places[key][0] for key in below]
        assert across == sorted(across)
        assert layout.places[parent][0] == pytest.approx((across[0] + across[-1]) / 2)
        assert len({layout.places[key][1] for key in below}) == 1
        assert layout.places[parent][1] < layout.places[below[0]][1]


@given(drawn_trees())
def test_the_texts_of_neighbouring_branches_do_not_overlap(tree):
    shown, layout = placed(tree, "window")
    for one, other in itertools.pairwise(sorted(shown, key=lambda mark: (mark.parent or "", layout.places[mark.key]))):
        if one.parent is not None and one.parent == other.parent:
            between = ABOVE * (layout.places[other.key][0] - layout.places[one.key][0])
            assert between >= (text_width(one.branch, SMALL) + text_width(other.branch, SMALL)) / 2


@given(drawn_trees())
def test_every_kept_visit_is_drawn_once_and_the_others_are_counted(tree):
    drawn = Picture(tree)
    keys = [mark.get("data-key") for mark in drawn.groups("mark")]
    kept = list(tree.all_shown())
    assert len(set(keys)) == len(keys)
    assert {key for key in keys if "/" not in key} == {str(visit.order) for visit in kept}
    assert len(kept) + sum(visit.hidden for visit in kept) == tree.visits
    ways = [group.find(f"{SVG}path") for group in drawn.groups("way")]
    assert sum(way is not None for way in ways) == len(keys) - 1


@given(drawn_trees())
def test_what_is_known_of_a_value_is_true_at_every_step(tree):
    worth = tree.game.evaluations["estimate"]
    for visit in tree.all_shown():
        low, high = visit.range
        value = minimax_value(tree.game, visit.state, visit.depth, worth)
        assert low - 1e-9 <= value <= high + 1e-9
        if visit.closed:
            assert visit.lower - 1e-9 <= value <= visit.upper + 1e-9


@given(drawn_trees())
def test_a_value_is_known_as_soon_as_all_successors_are(tree):
    for visit in tree.all_shown():
        known = [below for below, _ in visit.searched.values()]
        if visit.branching and len(known) == visit.branching and all(low == high for low, high in known):
            assert visit.range[0] == pytest.approx(visit.range[1])


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_the_symbol_of_a_leaf_has_room_for_its_text(texts):
    for text in texts:
        mark = Mark("1", "terminal", None, inside=text)
        assert symbol(mark)[0] >= text_width(text, 14) + 8
        assert size(mark).left >= symbol(mark)[0] / 2


def test_a_tree_mirrored_is_the_mirror_of_its_picture():
    wide = {"1": None, "2": "1", **dict.fromkeys("3456", "2"), "7": "1", "8": "1", **dict.fromkeys("9abcd", "8")}
    mirrored = ["1", "8", *"dcba9", "7", "2", *"6543"]
    shown = {key: Mark(key, "terminal", parent, inside=key * ord(key)) for key, parent in wide.items()}
    shown["7"] = attrs.evolve(shown["7"], inside="7")
    sizes = {key: size(mark) for key, mark in shown.items()}
    one, other = lay_out(list(shown.values()), sizes), lay_out([shown[key] for key in mirrored], sizes)
    for key, (x, y) in one.places.items():
        assert other.places[key] == pytest.approx((one.width - x, y))
