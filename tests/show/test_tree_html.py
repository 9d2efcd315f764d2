"""The page to step through a search: at every step what was known then, in data and in a real browser."""

import html
import itertools
import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tree_pictures import FIG52, REGISTRY, TEXTBOOK, after, trace

from ggp import MAX, Limits
from ggp.show.tree import Tree
from ggp.show.tree_film import film
from ggp.show.tree_html import tree_page
from ggp.show.tree_layout import lay_out, size
from ggp.show.tree_marks import marks
from ggp.show.tree_svg import tree_svg
from ggp.testing import trees
from ggp.testing.trees import LayeredTree, Node


@st.composite
def searches(draw):
    """A searcher's trace of a random game, and limits of the tree."""
    name = draw(st.sampled_from([*TEXTBOOK, "negascout", "star2", "mtdf", "dfpn", "mcts"]))
    game = draw(trees(stochastic=name in ("expectiminimax", "star2"), depth=3))
    events = list(REGISTRY.searcher(name).trace(game, game.initial_state(), Limits(depth=3)))
    return game, events, draw(st.sampled_from([{}, {"limit": 9}, {"levels": 1}, {"limit": 12, "levels": 2}]))


QUESTIONS = LayeredTree(
    (
        (Node(MAX, 0, ((0, 0), (1, 0), (0, 0))),),
        (Node(MAX, 0), Node(MAX, 1)),
    )
)
"""MTD(f) comes back to its root, and then visits actions that it cut before."""


@example((QUESTIONS, list(REGISTRY.searcher("mtdf").trace(QUESTIONS, QUESTIONS.initial_state())), {}), "window")
@given(searches(), st.sampled_from(["window", "ranges"]))
def test_at_every_step_the_marks_are_those_of_a_tree_that_has_only_these_steps(search, labels):
    game, events, limits = search
    shown = film(Tree(game, **limits), events, labels)
    for step in range(1, len(shown.steps) + 1):
        assert shown.at(step) == {mark.key: mark for mark in marks(after(events, step, game, **limits), labels)}


@given(searches())
def test_without_limits_a_step_is_an_event(search):
    game, events, _ = search
    assert len(film(Tree(game), events).steps) == len(events)


@given(searches())
def test_marks_of_visits_only_ever_come_and_never_go(search):
    game, events, limits = search
    shown = film(Tree(game, **limits), events)
    seen = [
        {key for key, mark in shown.at(step).items() if mark.symbol != "unvisited"}
        for step in range(1, len(shown.steps) + 1)
    ]
    assert all(before <= later for before, later in itertools.pairwise(seen))


def test_what_was_cut_is_no_longer_so_once_it_is_visited():
    searcher = REGISTRY.searcher("mtdf", ordering="none", bounds=False, etc=False)
    shown = film(Tree(QUESTIONS), searcher.trace(QUESTIONS, QUESTIONS.initial_state()))
    cut = [{mark.branch for mark in shown.at(step).values() if mark.symbol == "unvisited"} for step in range(1, 99)]
    assert [names for names, _ in itertools.groupby(cut)] == [set(), {"1", "2"}, {"2"}, set()]
    assert {mark.key for mark in shown.marks} == set(shown.versions)


def data(page):
    """The only search of a page."""
    text = re.search(r'<script type="application/json" id="searches">(.*?)</script>', page)[1]
    (search,) = json.loads(html.unescape(text))["panes"]
    keys = [mark[0] for mark in search["marks"]]
    return [{"at": keys[at], "line": line, "say": say} for at, line, say, *_ in search["steps"]]


def page_of(name, game=FIG52, depth=3, **options):
    searcher = REGISTRY.searcher(name)
    return tree_page(
        Tree(game), trace(name, game, depth), source=searcher.source, title=f"{name} on {game.name}", **options
    )


def test_the_steps_of_figure_52_are_told():
    told = [step["say"] for step in data(page_of("alphabeta"))]
    for step, sentence in {
        1: "The search begins at A.",
        2: "A is MAX's. Its first action is a1.",
        3: "a1 leads to B.",
        6: "B1 is a leaf, worth 3. B is MIN's, so it is at most 3.",
        7: "The next action at B is b2.",
        9: "B2 is a leaf, worth 12. That changes nothing at B, which is at most 3 already.",
        13: "B is left: it is worth 3, by b1. A is MAX's, so it is at least 3.",
        15: "a2 leads to C, with the window [3, +inf]: MAX has 3 already.",
        19: "C is at most 2, and MAX has 3 already, so the rest cannot matter: c2 and c3 are never visited.",
        20: "C is left: it is worth at most 2, by c1. That changes nothing at A, which is at least 3 already.",
        27: "d2 leads to D2, with the window [3, 14]: MAX has 3 and MIN has 14 already.",
        33: "The search is done: A is worth 3, by a1.",
    }.items():
        assert told[step - 1] == sentence


def test_scout_tells_of_its_tests():
    told = [step["say"] for step in data(page_of("scout"))]
    assert told[14] == "a2 leads to C, which is only tested: its value is compared with 3."
    assert told[18] == "C is at most 2, which answers the test: c2 and c3 are never visited."


def test_chance_is_told_with_its_probabilities():
    told = [step["say"] for step in data(page_of("expectiminimax", REGISTRY.game("pig"), 2))]
    assert told[3] == "#2 is up to chance. Its first outcome is 1, of probability 1/6."
    assert told[5] == "The search looks no deeper: #3 is estimated to be worth 0. Its weight at #2 is 1/6."


def test_what_is_not_kept_is_one_step_and_said_to_be_missing():
    kalah = REGISTRY.game("kalah")
    shown = film(Tree(kalah, limit=10), trace("alphabeta", kalah, 4))
    missing = [step.say for step in shown.steps if "not shown" in step.say]
    assert len(shown.steps) < 100
    assert missing[-1] == "The search goes on below the root: 310 visits there are not shown."
    assert shown.steps[-1].say == "The search is done: the root is worth 1, by F."


def test_a_page_loads_nothing_and_runs_only_its_own_script():
    page = page_of("alphabeta")
    assert not re.search(r"(?:src|href)=|@import|url\(", page)
    assert re.search(r"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[\w+/=]{44}'", page)
    assert len(re.findall("<script", page)) == 2


def test_a_text_of_the_game_cannot_leave_its_place():
    class Sly(type(FIG52)):
        def format_action(self, state, action):
            return "</script><script>alert(1)</script>"

    game = Sly()
    page = tree_page(Tree(game), trace("alphabeta", game), title="<b>&\x00")
    assert len(re.findall("<script", page)) == 2
    assert "<b>" not in page
    assert any("</script>" in step["say"] for step in data(page))


CURRENT_IN_VIEW = """() => {
    const box = document.querySelector(".mark.current")?.getBoundingClientRect(); // far out of view nothing is drawn
    return box !== undefined && box.left >= 0 && box.right <= innerWidth;
}"""


def seen(page):
    """The keys of the marks that are to be seen, with their texts."""
    page.evaluate("() => new Promise(requestAnimationFrame)")
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".mark[data-key]")]
        .filter(mark => getComputedStyle(mark).display !== "none")
        .map(mark => [mark.dataset.key, [...mark.querySelectorAll("text")].map(text => text.textContent)]))"""
    )


@pytest.fixture
def opened(drawn_page, tmp_path):
    """Opens the page of a searcher on figure 5.2, at a step."""

    def opening(name="alphabeta", step=1, **options):
        file = tmp_path / "tree.html"
        file.write_text(page_of(name, **options), encoding="utf-8")
        drawn_page.goto(f"{file.as_uri()}#{step}")
        shown = "step => document.querySelector('#count').textContent.startsWith(`${step} of `)"
        drawn_page.wait_for_function(shown, arg=step)  # of a page that was open before, the address alone has changed
        return drawn_page

    return opening


@pytest.mark.parametrize(("name", "game"), [*((name, FIG52) for name in TEXTBOOK), ("mtdf", QUESTIONS)])
def test_the_browser_shows_at_each_step_what_was_known_then(opened, name, game):
    page, events = opened(name, game=game), trace(name, game)
    for step in range(1, len(events) + 1):
        assert page.text_content("#count") == f"{step} of {len(events)}"
        shown, known = seen(page), marks(after(events, step, game))
        assert set(shown) == {mark.key for mark in known}
        for mark in known:
            for text in (mark.branch, *mark.below, *mark.beside):
                assert not text or text in shown[mark.key]
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_browser_marks_the_line_of_the_pseudo_code_and_the_visit_in_hand(opened, name):
    page, events = opened(name), trace(name)
    for step in data(page.content()):
        assert page.text_content("#narration") == step["say"]
        lines = page.eval_on_selector_all(".code li", "all => all.map(each => each.getAttribute('aria-current'))")
        assert [index for index, current in enumerate(lines) if current] == [step["line"]]
        assert page.eval_on_selector_all(".current", "all => all.map(each => each.dataset.key)") == [step["at"]]
        page.keyboard.press("ArrowRight")
    assert len(events) == int(page.text_content("#count").split()[-1])


def test_keys_buttons_and_slider_step(opened):
    page = opened(step=7)
    count = lambda: page.text_content("#count").split()[0]  # noqa: E731
    for press, expected in [
        ("ArrowRight", "8"),
        ("ArrowLeft", "7"),
        ("End", "33"),
        ("ArrowRight", "33"),
        ("Home", "1"),
    ]:
        page.keyboard.press(press)
        assert count() == expected
    assert page.is_disabled("#first")
    for button, expected in [("next", "2"), ("last", "33"), ("back", "32"), ("first", "1")]:
        page.click(f"#{button}")
        assert count() == expected
    page.focus("#step")
    for press, expected in [("ArrowRight", "2"), ("End", "33"), ("ArrowLeft", "32"), ("Home", "1")]:
        page.keyboard.press(press)
        assert count() == expected


def test_the_search_plays_by_itself_and_stops_at_the_end(opened):
    page = opened(step=32)
    page.clock.install()
    page.clock.pause_at("2100-01-01")
    page.keyboard.press(" ")
    assert page.text_content("#play") == "Pause"
    page.clock.run_for(10_000)
    assert page.text_content("#play") == "Play"
    assert page.text_content("#count") == "33 of 33"
    page.keyboard.press(" ")
    assert page.text_content("#count") == "1 of 33"
    page.click("#play")
    assert page.text_content("#play") == "Play"


def test_on_a_phone_nothing_but_the_tree_and_the_code_scrolls_sideways(opened):
    page = opened(step=25)
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.keyboard.press("ArrowRight")
    page.wait_for_function(CURRENT_IN_VIEW)  # the view moves with the next frames


@pytest.mark.parametrize("step", [25, 26])
def test_what_is_current_stays_in_view_when_the_window_gets_narrow(opened, step):
    page = opened(step=step)
    page.set_viewport_size({"width": 360, "height": 640})
    page.wait_for_function(CURRENT_IN_VIEW)


def test_what_the_reader_has_dragged_out_of_view_stays_out_when_the_window_changes(opened):
    page = opened(step=25)
    tree = page.locator(".tree").bounding_box()
    page.mouse.move(tree["x"] + 20, tree["y"] + 20)
    page.mouse.down()
    page.mouse.move(tree["x"] + tree["width"] + 600, tree["y"] + 20, steps=4)
    page.mouse.up()
    frame(page)
    assert not page.evaluate(CURRENT_IN_VIEW)
    page.set_viewport_size({"width": 1200, "height": 700})
    page.wait_for_function("() => document.documentElement.clientWidth === 1200")
    frame(page)
    assert not page.evaluate(CURRENT_IN_VIEW)


def test_the_whole_tree_can_be_seen_at_once(opened):
    page = opened(step=33)
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.locator(".steps").bounding_box()["height"] < 120  # the rest is behind a button
    page.click("#more")
    page.click("#whole")
    assert page.get_attribute("#whole", "aria-pressed") == "true"
    page.evaluate("() => new Promise(requestAnimationFrame)")
    box = page.locator(".tree").bounding_box()
    for mark in page.locator(".mark").all():
        there = mark.bounding_box()
        assert box["x"] <= there["x"]
        assert there["x"] + there["width"] <= box["x"] + box["width"]


def test_without_scripts_the_finished_tree_is_to_be_seen(chromium, tmp_path):
    file = tmp_path / "tree.html"
    file.write_text(page_of("alphabeta"), encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator(".mark:visible").count() == 13
    assert page.locator('.mark[data-key="1"]:visible').text_content().endswith("A3[-inf, +inf]→ [3, +inf]#1")
    context.close()


def test_it_can_be_printed_without_its_controls(opened):
    page = opened(step=33)
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.is_visible("#next")
    assert page.is_visible(".tree")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_controls_have_names_and_what_changes_is_announced(opened):
    page = opened()
    assert [page.get_by_role("button", name=name).count() for name in ("First", "Back", "Play", "Next", "Last")] == [
        1
    ] * 5
    assert page.get_by_role("slider", name="Step").count() == 1
    assert page.get_attribute("#narration", "aria-live") == "polite"
    assert page.get_by_role("combobox", name="Speed").count() == 1
    assert page.get_by_role("region", name="The tree").count() == 1
    assert page.get_attribute("html", "lang") == "en"


@pytest.mark.parametrize("name", TEXTBOOK)
def test_no_page_has_a_serious_fault_of_accessibility(opened, serious_faults, name):
    for step in (1, 19, 33):
        assert serious_faults(opened(name, step)) == []


@pytest.fixture(scope="module")
def kalah_page(tmp_path_factory):
    """A file that steps through a search of Kalah with 1,500 visits."""
    kalah = REGISTRY.game("kalah")
    file = tmp_path_factory.mktemp("kalah") / "tree.html"
    tree = Tree(kalah, limit=1500)
    file.write_text(
        tree_page(tree, trace("alphabeta", kalah, 6), source=REGISTRY.searcher("alphabeta").source), encoding="utf-8"
    )
    return file.as_uri()


def frame(page):
    """Wait until what was asked for is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def count(page):
    return int(page.text_content("#count").split()[0].replace(",", ""))


def places(page):
    """Where the marks that are in view stand in the tree, by their keys."""
    frame(page)
    found = page.eval_on_selector_all(
        ".tree .mark", "all => all.map(mark => [mark.dataset.key, mark.getAttribute('transform')])"
    )
    numbers = {key: [float(each) for each in re.findall(r"-?[\d.]+", text)] for key, text in found}
    return {key: (x, y) for key, (x, y) in numbers.items()}


def test_the_browser_places_the_nodes_where_every_other_picture_has_them(drawn_page, tmp_path):
    kalah = REGISTRY.game("kalah")
    events = trace("scout", kalah, 3)
    file = tmp_path / "tree.html"
    file.write_text(tree_page(Tree(kalah), events), encoding="utf-8")
    drawn_page.goto(f"{file.as_uri()}#9999")
    drawn_page.click("#path")
    drawn_page.click("#boards")
    expected = film(Tree(kalah), events).layout().places
    found = places(drawn_page)
    assert len(found) > 10
    for key, (x, y) in found.items():
        assert (x, y) == pytest.approx(expected[key], abs=0.2)


def test_a_click_on_a_node_goes_to_its_step_and_two_collapse_it(opened):
    page = opened(step=33)
    page.locator('.tree .mark[data-key="6"]').click()
    assert count(page) == 15
    page.keyboard.press("End")
    before = places(page)
    page.evaluate("void Object.defineProperty(Event.prototype, 'timeStamp', {value: 0})")  # however slow they are
    page.locator('.tree .mark[data-key="2"]').dblclick()
    frame(page)
    assert count(page) == 3
    page.keyboard.press("End")
    after = places(page)
    assert set(before) - set(after) == {"3", "4", "5"}
    assert page.locator('.tree .mark[data-key="2"]').text_content().endswith("▸ 3 below")


def test_keys_go_up_and_down_the_tree_collapse_and_zoom(opened):
    page = opened(step=15)
    for key, step in (("ArrowDown", 17), ("ArrowUp", 15), ("ArrowUp", 1)):
        page.keyboard.press(key)
        assert count(page) == step
    page.keyboard.press("End")
    page.keyboard.press("c")
    assert set(places(page)) == {"1"}
    assert page.get_attribute("#collapse", "aria-pressed") == "true"
    page.keyboard.press("c")
    before = apart(page, "1", "8")
    page.keyboard.press("+")
    after = apart(page, "1", "8")
    assert [new / old for new, old in zip(after, before, strict=True)] == pytest.approx([1.4, 1.4], abs=0.01)


def apart(page, one, other):
    """How many pixels there are from the first mark to the other: across, and down."""
    frame(page)
    first, second = (page.locator(f'.tree .mark[data-key="{key}"] .symbol').bounding_box() for key in (one, other))
    return second["x"] - first["x"], second["y"] - first["y"]


def test_a_step_draws_what_has_changed_and_nothing_else(drawn_page, kalah_page):
    drawn_page.goto(f"{kalah_page}#900")
    if drawn_page.get_attribute("#path", "aria-pressed") == "false":
        drawn_page.click("#path")
    frame(drawn_page)
    marked = "all => all.forEach(each => { each.old = true; })"
    for _ in range(5):
        drawn_page.eval_on_selector_all(".tree .mark", marked)
        drawn_page.keyboard.press("ArrowRight")
        frame(drawn_page)
        new = drawn_page.eval_on_selector_all(".tree .mark", "all => all.filter(each => !each.old).length")
        assert new <= 4


def test_the_tree_is_moved_by_dragging(opened):
    page = opened(step=33)
    box = page.locator(".tree").bounding_box()
    before = page.locator('.tree .mark[data-key="1"]').bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 50, steps=4)
    page.mouse.up()
    frame(page)
    after = page.locator('.tree .mark[data-key="1"]').bounding_box()
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((40, 30), abs=1)
    assert count(page) == 33


def test_alpha_beta_and_the_best_action_stand_in_a_table_for_the_whole_path(opened):
    page = opened(step=28)
    rows = [[cell.inner_text() for cell in row.locator("th,td").all()] for row in page.locator(".known tbody tr").all()]
    assert [row[:6] for row in rows] == [
        ["A", "MAX", "3", "+inf", "3 to 5", "a1"],
        ["a3", "MIN", "3", "5", "≤ 5", "d2"],
        ["d2", "", "", "", "5", ""],
    ]


def test_the_path_alone_is_shown_from_the_root_to_here(drawn_page, kalah_page):
    drawn_page.goto(f"{kalah_page}#900")
    if drawn_page.get_attribute("#path", "aria-pressed") == "false":
        drawn_page.click("#path")
    frame(drawn_page)
    box = drawn_page.locator(".tree").bounding_box()
    for mark in (drawn_page.locator('.tree .mark[data-key="1"]'), drawn_page.locator(".tree .mark.current").first):
        top = mark.bounding_box()["y"]
        assert box["y"] <= top <= box["y"] + box["height"]


def test_without_windows_the_table_has_no_columns_for_them(opened):
    assert opened("mcts").locator(".known thead th:visible").all_inner_texts() == [
        "move",
        "to move",
        "value",
        "best",
        "range",
    ]


def test_the_reader_predicts_the_cuts_and_is_told(opened):
    page = opened()
    page.click("#predict")
    said = []
    while count(page) < 33:
        if page.is_visible("#cut"):
            said.append(page.inner_text("#question"))
            page.click("#cut")
            said.append(page.inner_text("#question"))
        page.click("#go" if page.is_visible("#go") else "#next")
    assert said[0] == "Still to try at B: b2 and b3. Does the search visit what is left, or cut it?"
    assert said[1] == (
        "No, they are visited. B is at most 3, but MAX has no alternative yet: b2 and b3 may still matter."
    )
    assert (
        "Right. C is at most 2, and MAX has 3 already, so the rest cannot matter: c2 and c3 are never visited." in said
    )
    assert page.inner_text("#score") == "1 of 7 right"


def test_without_cuts_there_is_nothing_to_predict(opened):
    assert not opened("minimax").is_visible("#predict")


def test_the_board_of_the_state_is_at_its_node_and_large_beside_the_tree(drawn_page, kalah_page):
    drawn_page.goto(f"{kalah_page}#3")
    frame(drawn_page)
    assert drawn_page.locator(".tree .mark .ggp-board").count() == 2
    large = drawn_page.locator("#board svg")
    digits = [text.strip() for text in large.locator(".digits").all_text_contents()]
    assert sorted(digits, key=int) == ["0"] * 3 + ["4"] * 7 + ["5"] * 4
    assert drawn_page.inner_text("#board figcaption") == "North to move"
    assert large.locator(".ring").count() == 5
    drawn_page.click("#boards")
    frame(drawn_page)
    assert drawn_page.locator(".tree .mark .ggp-board").count() == 0


def test_of_a_large_tree_only_what_is_in_view_is_drawn(drawn_page, kalah_page):
    drawn_page.goto(f"{kalah_page}#999999")
    frame(drawn_page)
    assert 1 < drawn_page.locator(".tree .mark").count() < 100
    drawn_page.click("#whole")
    frame(drawn_page)
    assert drawn_page.locator(".tree .mark").count() == 0
    assert drawn_page.locator(".tree .all path").count() < 10
    box = drawn_page.locator(".tree").bounding_box()
    lines = drawn_page.locator(".tree .all .branch").bounding_box()
    assert box["x"] - 1 <= lines["x"]
    assert lines["x"] + lines["width"] <= box["x"] + box["width"] + 1


@pytest.mark.parametrize("width", [360, 820, 1280])
def test_no_page_with_boards_has_a_serious_fault_of_accessibility(drawn_page, kalah_page, serious_faults, width):
    drawn_page.set_viewport_size({"width": width, "height": 740})
    drawn_page.goto(f"{kalah_page}#200")
    assert drawn_page.evaluate("document.documentElement.scrollWidth") == width
    assert serious_faults(drawn_page) == []


def test_no_text_is_wider_than_the_room_it_was_given(drawn_page, tmp_path):
    kalah = REGISTRY.game("kalah")
    tree = after(trace("scout", kalah, 3), game=kalah)
    shown = marks(tree)
    sizes = {mark.key: size(mark) for mark in shown}
    layout = lay_out(shown, sizes)
    file = tmp_path / "tree.svg"
    file.write_text(tree_svg(tree), encoding="utf-8")
    drawn_page.goto(file.as_uri())
    boxes = drawn_page.eval_on_selector_all(
        ".mark text:not(.action)",
        "all => all.map(text => [text.parentNode.dataset.key, text.getBBox().x, text.getBBox().width])",
    )
    for key, left, width in boxes:
        x, _ = layout.places[key]
        assert left >= x - sizes[key].left - 0.5
        assert left + width <= x + sizes[key].right + 0.5
