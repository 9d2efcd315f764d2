"""A game of every registered game, played to its end on the page: by clicks alone, and by the keyboard alone."""

import random
import re

import pytest

import ggp

pytestmark = pytest.mark.slow

CHOICES = "#board a, .others a"
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
MOST = 600
"""Clicks, or keys pressed upon a choice."""


def state_of(page):
    return page.url, page.evaluate("document.querySelector('.table').dataset.seen")


def settled(page, before):
    """Wait until the page shows something else, and all of it."""
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_function("() => !document.getElementById('main').hasAttribute('aria-busy')")


def over(page):
    """Whether the game has ended: nothing can be chosen, and the page says who has won."""
    return page.locator(CHOICES).count() == 0 and page.locator(".outcome").count() == 1


@pytest.mark.parametrize("name", ggp.load_registry().games)
def test_a_game_is_played_to_its_end_by_clicks_alone(open_page, name):
    page, dice = open_page(f"/play/{name}"), random.Random(1)
    for _ in range(MOST):
        if over(page):
            break
        links = page.locator(CHOICES)
        ends = [each for each in links.all() if "from=" not in (each.get_attribute("href") or "")]
        before = page.url
        dice.choice(ends or links.all()).click()
        settled(page, before)
    assert over(page)
    assert re.search(r"wins against|A draw|is over", page.inner_text(".outcome"))


@pytest.mark.parametrize("name", ggp.load_registry().games)
def test_a_game_is_played_to_its_end_by_the_keyboard_alone(open_page, name):
    page, dice = open_page(f"/play/{name}"), random.Random(2)
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
