"""The screens in docs are pictures that need nothing else, and show what a browser shows today."""

import pathlib
import re
import sys
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

pytest.importorskip("playwright")
from tools import screens

KEPT = {screen.name: screens.DOCS / "screens" / f"{screen.name}.svg" for screen in screens.SCREENS}


def words(picture):
    """The texts of a picture, without its style sheets."""
    root = ElementTree.fromstring(picture)  # noqa: S314 - our own
    for style in [*root.iter("{http://www.w3.org/2000/svg}style")]:
        style.text = ""
    return " ".join("".join(root.itertext()).split())


def test_a_screen_is_small_and_needs_no_script_and_no_other_file():
    assert {file.name for file in (screens.DOCS / "screens").iterdir()} == {file.name for file in KEPT.values()}
    for file in KEPT.values():
        text = file.read_text()
        assert len(text) < 60_000
        assert "<script" not in text
        assert not re.search(r'src="(?!data:)|url\((?!#)|@import', text)
        assert "prefers-color-scheme: dark" in text


def test_the_screens_show_a_cut_and_a_board():
    assert "so the rest cannot matter: c2 and c3 are never visited." in words(KEPT["stepper"].read_text())
    assert "North to move" in words(KEPT["page"].read_text())


@pytest.mark.slow
@pytest.mark.parametrize("screen", screens.SCREENS, ids=lambda screen: screen.name)
def test_a_screen_says_what_the_page_says_today(chromium, screen):
    drawn = screens.draw(chromium, screen)
    assert words(drawn) == words(KEPT[screen.name].read_text()), "python -m tools.screens draws it anew"
