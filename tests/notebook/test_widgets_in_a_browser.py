"""The widgets' other half in a real Chromium, connected with the widgets of this process."""

import time

import pytest
from frames import FRAME_BY_FRAME, recorded

import ggp
from ggp.notebook import play, step_through

REGISTRY = ggp.load_registry()
KALAH = REGISTRY.game("kalah")
FIG52 = REGISTRY.game("fig52")


def board(game=KALAH, **players):
    return play(game, registry=REGISTRY, seed=1, **players)


def wait_until(page, holds):
    """Wait until something holds, while Python hears what the page tells."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if holds():
            return
        page.wait_for_timeout(10)
    raise AssertionError("it has not come to hold")


def settled(page, widget):
    """Wait until the page shows what Python has."""
    wait_until(page, lambda: page.evaluate("['board', 'status'].map(known)") == [widget.board, widget.status])


def cell(page, name):
    return page.locator(f'.cell[data-name="{name}"]')


FLIES = """() => {
    window.seen = [];
    const look = () => {
        const frame = document.querySelector('.place svg').getBoundingClientRect();
        for (const each of document.querySelectorAll('.flying')) {
            const box = each.getBoundingClientRect();
            const left = document.querySelector('[data-name=C] .digits').textContent;
            window.seen.push([box.x + box.width / 2, box.top >= frame.top && box.bottom <= frame.bottom, left]);
        }
        requestAnimationFrame(look);
    };
    look();
}"""


def test_seeds_are_seen_to_fly_and_then_the_answer(shown):
    widget = board(south="human", north="human")
    page = shown(widget, reduced_motion="no-preference")
    start, end = (cell(page, name).locator(".outline").bounding_box() for name in ("C", "South's store"))
    page.evaluate(FRAME_BY_FRAME)
    page.evaluate(FLIES)
    cell(page, "C").click()
    wait_until(page, lambda: page.evaluate("window.seen.length"))
    wait_until(page, lambda: page.locator(".moving").count() == 0)
    seen = recorded(page, "seen")
    assert len(seen) > 10
    assert all(inside and left == "0" for _, inside, left in seen)
    assert all(start["x"] < x < end["x"] + end["width"] for x, _, _ in seen)
    assert cell(page, "F").locator(".digits").text_content() == "5"
    assert page.locator(".place a").count() > 0


def test_a_whole_game_of_kalah_is_played_by_clicks(shown):
    widget = board(REGISTRY.game("kalah", houses=3, seeds=2), south="human", north="medium")
    page = shown(widget)
    for _ in range(60):
        if widget.over:
            break
        before = len(widget.moves)
        page.locator(".place a").first.click()
        wait_until(page, lambda before=before: len(widget.moves) > before)
        settled(page, widget)
    assert widget.over
    assert (
        page.locator(".status").inner_text().split(". ")[-1].startswith(("South (", "North (", "A draw", "X (", "O ("))
    )
    assert page.locator(".place a").count() == 0


def test_the_keyboard_is_enough(shown):
    widget = board(south="human", north="medium")
    page = shown(widget)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_until(page, lambda: widget.moves == ["C"])
    settled(page, widget)
    assert page.evaluate("document.activeElement.tagName") == "a"
    page.keyboard.press(" ")
    wait_until(page, lambda: len(widget.moves) > 1)
    settled(page, widget)
    assert page.evaluate("document.activeElement.tagName") == "a"


def test_keys_do_not_reach_the_notebook(shown):
    page = shown(board(south="human", north="medium"))
    page.evaluate("window.heard = []; document.addEventListener('keydown', (event) => heard.push(event.key))")
    cell(page, "A").locator("..").focus()
    for key in ("a", "d", "Enter", " "):
        page.keyboard.press(key)
    assert page.evaluate("heard") == []


def test_the_focus_stays_on_its_cell_as_long_as_it_can_be_chosen(shown):
    widget = board(REGISTRY.game("tictactoe"), x="human", o="human")
    page = shown(widget)
    focused = "document.activeElement.querySelector('.cell')?.dataset.name"
    cell(page, "5").locator("..").focus()
    widget.moves = ["1"]
    page.evaluate("value => fromPython('board', value)", widget.board)
    assert page.evaluate(focused) == "5"
    widget.moves = ["5"]
    page.evaluate("value => fromPython('board', value)", widget.board)
    assert page.evaluate(focused) == "1"


def test_buttons_take_back_hint_and_begin_again(shown):
    widget = board(south="human", north="medium")
    page = shown(widget)
    button = lambda text: page.get_by_role("button", name=text)  # noqa: E731
    assert button("Take back").get_attribute("aria-disabled") == "true"
    button("Take back").click(force=True)
    assert widget.asked == {}
    cell(page, "A").click()
    wait_until(page, lambda: button("Take back").get_attribute("aria-disabled") == "false")
    button("Hint").click()
    wait_until(page, lambda: page.locator(".status").inner_text().startswith("hard would play"))
    button("Take back").click()
    wait_until(page, lambda: widget.moves == [])
    settled(page, widget)
    assert cell(page, "A").locator(".digits").text_content() == "4"
    cell(page, "C").click()
    wait_until(page, lambda: widget.moves == ["C"])
    settled(page, widget)
    button("New game").click()
    wait_until(page, lambda: button("New game").get_attribute("aria-disabled") == "true")
    assert widget.moves == []


def test_what_python_plays_is_seen(shown):
    widget = board(south="human", north="medium")
    page = shown(widget)
    widget.moves = ["C", "F"]
    page.evaluate("value => fromPython('board', value)", widget.board)
    assert cell(page, "C").locator(".digits").text_content() == "0"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_the_page_does_not_scroll_sideways(shown, scheme):
    page = shown(board(south="human", north="medium"), width=360, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_nothing_serious_is_wrong_for_those_who_do_not_see_it(shown, serious_faults):
    widget = board(south="human", north="medium")
    page = shown(widget)
    page.get_by_role("button", name="Hint").click()
    wait_until(page, lambda: "best is C: 8" in page.locator(".status").inner_text())
    page.add_style_tag(content="body { color-scheme: light dark }")
    page.evaluate("document.body.setAttribute('role', 'main')")
    assert serious_faults(page) == []


def test_a_style_sheet_of_the_page_puts_no_frames_around_cells(shown):
    page = shown(board(south="human", north="medium"))
    page.add_style_tag(content=".outline { outline-style: solid; }")  # Tailwind's, which marimo loads
    assert page.eval_on_selector(".place .outline", "cell => getComputedStyle(cell).outlineStyle") == "none"


def test_after_clean_up_the_board_listens_no_more(shown):
    widget = board(south="human", north="medium")
    page = shown(widget)
    page.evaluate("cleanUp()")
    page.evaluate("fromPython('status', 'nobody hears this')")
    assert page.locator(".status").inner_text() == ""


@pytest.fixture
def stepper(shown):
    """The widget of a search of figure 5.2, its page, and what is in the frame."""

    def show(step=1, width=1200):
        widget = step_through(FIG52, REGISTRY.searcher("alphabeta"))
        widget.step = step
        page = shown(widget, width=width)
        frame = page.frame_locator("iframe")
        frame.locator("#count").wait_for()
        page.frames[1].wait_for_load_state()  # from then on the widget hears of steps
        return widget, page, frame

    return show


def test_the_stepper_begins_where_python_says(stepper):
    _, page, frame = stepper(19)
    expect = pytest.importorskip("playwright.sync_api").expect
    expect(frame.locator("#count")).to_have_text("19 of 33")
    page.evaluate("fromPython('step', 25)")
    expect(frame.locator("#count")).to_have_text("25 of 33")


def test_steps_in_the_frame_are_pythons(stepper):
    widget, page, frame = stepper()
    frame.locator("#next").click()
    frame.locator("#next").click()
    wait_until(page, lambda: widget.step == 3)
    frame.locator("#last").click()
    wait_until(page, lambda: widget.step == 33)


def test_the_frame_is_as_tall_as_the_page_in_it(stepper):
    _, page, _ = stepper(width=700)
    height = lambda: page.eval_on_selector("iframe", "frame => frame.clientHeight")  # noqa: E731
    wait_until(page, lambda: height() > 650)
    assert height() <= 1000


def test_who_cannot_be_watched_is_refused():
    with pytest.raises(ggp.UsageError, match="random cannot be watched: only searchers with a method `trace` can"):
        step_through(FIG52, REGISTRY.searcher("random"))
    with pytest.raises(ggp.UnsupportedGameError, match="alphabeta cannot search pig: pig is a game of chance"):
        step_through(REGISTRY.game("pig"), REGISTRY.searcher("alphabeta"))
