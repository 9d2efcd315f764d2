"""A game of every registered game, played to its end on the page: by clicks alone, and by the keyboard alone."""

import random
import re

import pytest
from frames import FRAME_BY_FRAME, recorded

import ggp

pytestmark = pytest.mark.slow

CHOICES = "#board a, .others a"
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
MOST = 600
"""Clicks, or keys pressed upon a choice."""
SMALLER = {
    "awari": "?north=easy",
    "breakthrough": "?rows=6&columns=5",
    "checkers": "?white=easy",
    "connectfour": "?width=5&height=4",
    "domineering": "?rows=5&columns=5",
    "dotsandboxes": "?rows=2&columns=2",
    "hex": "?size=5",
    "kalah": "?houses=4",
    "othello": "?size=6",
}
"""Boards on which a game soon ends, and opponents who answer at once."""


def settled(page, before):
    """Wait until the page shows something else, and all of it."""
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_function("() => !document.getElementById('main').hasAttribute('aria-busy')")


def over(page):
    """Whether the game has ended: nothing can be chosen, and the page says who has won."""
    return page.locator(CHOICES).count() == 0 and page.locator(".outcome").count() == 1


WATCH = """() => {
    window.frames = [];
    const look = () => {
        const svg = document.querySelector('#board svg'), box = svg.getBoundingClientRect();
        const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
            && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
        const window_ = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
        const flying = [...svg.querySelectorAll('.flying')].map((each) => within(each.getBoundingClientRect(), box));
        const parts = [...svg.querySelectorAll('.outline, .end, rect.board')]; // no caption
        const visible = parts.every((each) => within(each.getBoundingClientRect(), window_)) && !scrollY;
        window.frames.push({visible, flying: flying.length, inside: !flying.includes(false)});
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes in every frame whether all of the board is in the window, and what flies on the board."""
SIZES = [(360, 740, "light"), (740, 360, "light"), (820, 600, "light"), (1280, 800, "light"), (360, 740, "dark")]
SCROLLING = {"hex"}
"""Games whose board is wider than a phone, so that a finger hits its cells: it scrolls in its frame."""
STILL = {"pancakes"}
"""Games in which nothing flies: a stack is turned over where it lies."""


def move(page):
    """Make the first move that can be chosen, by one click or two."""
    start = page.get_attribute(".table", "data-moves")
    for _ in range(3):
        links, before = page.locator(CHOICES).all(), page.url
        ends = [each for each in links if moves_of(each.get_attribute("href")) != moves_of(before)]
        (ends or links)[0].click()
        settled(page, before)
        if page.get_attribute(".table", "data-moves") != start:
            return
    raise AssertionError("no move was made")


def moves_of(url):
    return next(iter(re.findall("moves=([^&]*)", url)), "")


@pytest.mark.parametrize("name", ggp.load_registry().games)
def test_the_board_is_wholly_visible_before_during_and_after_a_move(open_page, name):
    flown = 0
    for width, height, scheme in SIZES:
        page = open_page(
            f"/play/{name}", width=width, height=height, color_scheme=scheme, reduced_motion="no-preference"
        )
        page.evaluate(FRAME_BY_FRAME)
        page.evaluate(WATCH)
        move(page)
        page.wait_for_function("() => window.frames.length > 2")
        frames = recorded(page, "frames")
        page.context.close()
        scrolls = name in SCROLLING and width < 400
        hidden = [each for each in frames if not ((each["visible"] or scrolls) and each["inside"])]
        assert (width, height, scheme, hidden) == (width, height, scheme, [])
        flown += sum(each["flying"] for each in frames)
    game = ggp.load_registry().game(name)
    exercise = ggp.capabilities.scene(game, game.initial_state()).lines
    assert flown or exercise or name in STILL


@pytest.mark.parametrize("name", ggp.load_registry().games)
def test_a_game_is_played_to_its_end_by_clicks_alone(open_page, name):
    page, dice = open_page(f"/play/{name}{SMALLER.get(name, '')}"), random.Random(1)
    for _ in range(MOST):
        if over(page):
            break
        links = page.locator(CHOICES)
        ends = [each for each in links.all() if "from=" not in (each.get_attribute("href") or "")]
        before = page.url
        dice.choice(ends or links.all()).click()
        settled(page, before)
    assert over(page)
    assert re.search(r"wins against|A draw|has finished", page.inner_text(".outcome"))


@pytest.mark.parametrize("name", ggp.load_registry().games)
def test_a_game_is_played_to_its_end_by_the_keyboard_alone(open_page, name):
    page, dice = open_page(f"/play/{name}{SMALLER.get(name, '')}"), random.Random(2)
    address = "document.activeElement?.closest?.('#board a, .others a')?.getAttribute('href') ?? ''"
    for _ in range(MOST):
        if over(page):
            break
        before = page.url
        wanted = "from=" in before  # the first cell of a move is chosen, and its end is wanted
        for _ in range(40):
            page.keyboard.press(dice.choice(ARROWS))
            found = page.evaluate(address)
            if found and not (wanted and ("from=" in found or found == before)):
                break
        else:
            for _ in range(30):
                page.keyboard.press("Tab")
                if page.evaluate(address):
                    break
        page.keyboard.press("Enter")
        settled(page, before)
    assert over(page)
