"""Search trees as SVG: figure 5.2 as the textbook has it."""

import re

import pytest
from tree_pictures import FIG52, REGISTRY, SVG, TEXTBOOK, Picture, after, trace

from ggp.show.tree import Tree, fold
from ggp.show.tree_style import DARK, LIGHT, PAPER
from ggp.show.tree_svg import tree_svg

TEXTS = (
    *(("ink", ground) for ground in ("ground", "max", "min", "chance", "leaf")),
    *((colour, "ground") for colour in ("muted", "best", "cut")),
)
"""Pairs of colours: of a text, and of its background."""

VISITS = {"minimax": 13, "alphabeta": 11, "scout": 11, "expectiminimax": 13}
CUTTING = ["alphabeta", "scout"]


def picture(name, step=None, **options):
    return Picture(after(trace(name), step), **options)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_every_visit_is_drawn_once_and_numbered(name):
    marks = picture(name).groups("mark")
    numbers = [mark.get("data-key") for mark in marks if "unvisited" not in mark.get("class")]
    assert sorted(numbers, key=int) == [str(number) for number in range(1, VISITS[name] + 1)]


@pytest.mark.parametrize("name", TEXTBOOK)
def test_max_points_up_min_points_down_and_leaves_are_squares(name):
    drawn = picture(name)
    assert [len(drawn.groups(f"mark {kind}")) for kind in ("max", "min", "terminal")] == [1, 3, VISITS[name] - 4]
    for kind, apex in (("max", min), ("min", max)):
        path = drawn.groups(f"mark {kind}")[0].find(f"{SVG}path").get("d")
        heights = [float(y) for _, y in re.findall(r"([\d.]+) ([\d.]+)", path)]
        assert heights.count(apex(heights)) == 1
    assert "A2 2" in drawn.groups("mark terminal")[0].find(f"{SVG}path").get("d")


@pytest.mark.parametrize("name", TEXTBOOK)
def test_best_play_is_thick_and_nothing_else(name):
    drawn = picture(name)
    assert [mark.get("data-key") for mark in drawn.groups("mark principal")] == ["1", "2", "3"]
    assert len(drawn.groups("way principal")) == 3
    assert ".principal>.branch{stroke:var(--tree-best);stroke-width:4}" in drawn.root.find(f"{SVG}style").text


@pytest.mark.parametrize("name", TEXTBOOK)
def test_nothing_is_best_play_before_the_search_is_done(name):
    last = len(trace(name))
    assert picture(name, last - 1).groups("principal") == []
    assert len(picture(name, last).groups("mark principal")) == 3


@pytest.mark.parametrize("name", TEXTBOOK)
def test_only_what_was_cut_is_dashed_crossed_and_greyed(name):
    drawn = picture(name)
    cut = drawn.groups("mark unvisited")
    assert len(cut) == len(drawn.groups("way unvisited")) == (2 if name in CUTTING else 0)
    crossed = [group for group in drawn.groups("way") if any(p.get("class") == "cut" for p in group.iter(f"{SVG}path"))]
    assert crossed == drawn.groups("way unvisited")


@pytest.mark.parametrize("name", CUTTING)
def test_c2_and_c3_are_shown_as_never_visited_with_their_values(name):
    drawn = picture(name)
    assert [drawn.texts(mark.get("data-key")) for mark in drawn.groups("mark unvisited")] == [
        ["c2", "4", "not", "visited"],
        ["c3", "6", "not", "visited"],
    ]
    assert {mark.get("data-key").split("/")[0] for mark in drawn.groups("mark unvisited")} == {"6"}
    assert drawn.words("6/1") == "c2: not visited, a leaf worth 4"


@pytest.mark.parametrize("name", CUTTING)
def test_all_leaves_of_d_are_visited(name):
    drawn = picture(name)
    assert [drawn.texts(key)[:2] for key in ("9", "10", "11")] == [["d1", "14"], ["d2", "5"], ["d3", "2"]]


def test_the_window_of_a_is_from_3_once_b_is_known_and_not_before():
    known = 13
    assert [after(trace("alphabeta"), step).root.children[0].closed for step in (known - 1, known)] == [False, True]
    assert picture("alphabeta", known - 1).texts("1") == ["A", "…", "[-inf, +inf]", "#1"]
    assert picture("alphabeta", known).texts("1") == ["A", "…", "[-inf, +inf]", "→ [3, +inf]", "#1"]
    assert picture("alphabeta").texts("1") == ["A", "3", "[-inf, +inf]", "→ [3, +inf]", "#1"]


def test_scout_shows_the_bound_that_it_tests():
    assert picture("scout").texts("6") == ["a2", "C", "≤ 3", "test 3", "#6"]


def test_minimax_shows_what_is_known_so_far_in_place_of_windows():
    assert [picture("minimax", step).texts("2")[2] for step in (4, 6, 12, 13)] == ["…", "≤ 3 …", "3 …", "3"]


RANGES = {
    6: {"1": "[-inf, +inf]", "2": "[-inf, 3]"},
    9: {"1": "[-inf, +inf]", "2": "[-inf, 3]"},
    12: {"1": "[3, +inf]", "2": "[3, 3]"},
    18: {"1": "[3, +inf]", "6": "[-inf, 2]"},
    25: {"1": "[3, 14]", "8": "[-inf, 14]"},
    28: {"1": "[3, 5]", "8": "[-inf, 5]"},
    33: {"1": "[3, 3]", "2": "[3, 3]", "6": "[-inf, 2]", "8": "[2, 2]"},
}


@pytest.mark.parametrize(("step", "known"), RANGES.items())
def test_the_ranges_are_those_of_the_textbook_step_by_step(step, known):
    drawn = picture("alphabeta", step, labels="ranges")
    for key, text in known.items():
        assert text in drawn.texts(key)
        assert not any("→" in each for each in drawn.texts(key))


@pytest.mark.parametrize(("name", "c"), [("minimax", "[2, 2]"), ("scout", "[-inf, 2]"), ("expectiminimax", "[2, 2]")])
def test_the_ranges_of_the_other_searchers(name, c):
    drawn = picture(name, labels="ranges")
    texts = [drawn.texts(mark.get("data-key")) for mark in drawn.groups("mark min")]
    assert "[3, 3]" in drawn.texts("1")
    assert [next(text for text in each if text.startswith("[")) for each in texts] == ["[3, 3]", c, "[2, 2]"]


def test_the_visit_in_hand_is_marked_until_the_search_is_done():
    assert [group.get("data-key") for group in picture("alphabeta", 19).groups("current")] == ["6"]
    assert picture("alphabeta").groups("current") == []


def test_chance_is_a_circle_with_its_outcomes_probabilities():
    pig = REGISTRY.game("pig")
    drawn = Picture(fold(pig, trace("expectiminimax", pig, 2)))
    assert "A20 20" in drawn.groups("mark chance")[0].find(f"{SVG}path").get("d")
    assert drawn.texts("3")[0] == "1 (1/6)"
    assert len(drawn.groups("mark estimate")) == 6


def test_states_with_a_long_text_are_not_written_into_the_picture():
    pig = REGISTRY.game("pig")
    assert Picture(fold(pig, trace("expectiminimax", pig, 2))).texts("1") == ["0.167", "#1"]


def test_what_lies_beyond_the_limits_is_counted():
    kalah = REGISTRY.game("kalah")
    events = trace("alphabeta", kalah, 4)
    drawn = Picture(fold(kalah, events, limit=60))
    assert len(drawn.groups("mark")) < 100
    assert "310 more" in drawn.texts("1/more")
    shallow = Picture(fold(kalah, events, limit=10**9, levels=1))
    assert len(shallow.groups("mark")) - len(shallow.groups("mark unvisited")) == 13
    assert sum(int(shallow.texts(g.get("data-key"))[0].split()[0]) for g in shallow.groups("mark more")) == 390 - 7


def test_the_limit_is_on_what_is_kept_so_that_levels_that_are_left_out_make_room():
    kalah = REGISTRY.game("kalah")
    tree = fold(kalah, trace("alphabeta", kalah, 4), limit=20, levels=1)
    assert (tree.shown, tree.visits) == (7, 390)
    assert [visit.order for visit in fold(kalah, trace("alphabeta", kalah, 4), limit=3).all_shown()] == [1, 2, 3]


def test_many_successors_that_were_cut_are_one_mark():
    kalah = REGISTRY.game("kalah")
    drawn = Picture(fold(kalah, trace("alphabeta", kalah, 4)))
    together = [drawn.words(mark.get("data-key")) for mark in drawn.groups("mark unvisited")]
    assert "b, c, d and 2 more: not visited" in together


def test_the_picture_tells_what_it_shows_to_those_who_do_not_see_it():
    root = picture("alphabeta", title="alphabeta on fig52", identity="one").root
    title, text = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert (root.get("role"), root.get("aria-labelledby"), root.get("aria-describedby")) == (
        "group",
        title.get("id"),
        text.get("id"),
    )
    assert title.get("id") == "one-title"
    assert (title.text, text.text) == (
        "alphabeta on fig52",
        "11 visits, the value is 3 by a1, 2 successors not visited.",
    )


def test_every_mark_is_told_in_words():
    drawn = picture("alphabeta")
    assert drawn.words("6") == "#6, a2, C, MIN to move, window [3, +inf], value ≤ 2 by c1"
    assert drawn.words("8") == "#8, a3, D, MIN to move, window [3, +inf], then [3, 14], then [3, 5], value ≤ 2 by d3"
    assert picture("scout").words("6") == "#6, a2, C, MIN to move, test 3, value ≤ 3 by c1"
    assert {mark.get("role") for mark in drawn.groups("mark")} == {"img"}


def test_a_search_without_events_is_an_empty_picture():
    assert "Nothing was visited." in tree_svg(Tree(FIG52))


def test_a_tree_is_a_picture_in_a_notebook():
    tree = fold(FIG52, trace("alphabeta"))
    assert tree._repr_svg_() == tree_svg(tree)
    assert repr(tree) == "<the search tree of 11 visits on fig52>"
    assert repr(tree.root) == "<visit 1 of 'A'>"


def test_a_tree_keeps_a_bounded_number_of_visits_unless_asked_for_more():
    kalah = REGISTRY.game("kalah")
    assert sum(1 for _ in fold(kalah, trace("minimax", kalah, 4)).all_shown()) == 200


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colours", [LIGHT, DARK, PAPER], ids=["light", "dark", "paper"])
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_texts_stand_out_from_what_they_are_written_on(colours, text, ground):
    dark, bright = sorted([luminance(colours[text]), luminance(colours[ground])])
    assert (bright + 0.05) / (dark + 0.05) >= 4.5
