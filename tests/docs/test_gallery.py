"""The gallery shows what is drawn today."""

import pathlib
import sys
from xml.etree import ElementTree

import pytest

import ggp

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tools.gallery import DOCS, PICTURES, files  # noqa: E402 - no package that is installed


@pytest.fixture(scope="module")
def drawn():
    return files(ggp.load_registry(), PICTURES)


def test_every_file_of_the_gallery_is_as_drawn_today(drawn):
    kept = {name: (DOCS / name).read_text(encoding="utf-8") for name in drawn if (DOCS / name).exists()}
    assert [name for name in drawn if kept.get(name) != drawn[name]] == [], "python -m tools.gallery draws them anew"


def test_there_are_no_other_pictures(drawn):
    assert {f"gallery/{file.name}" for file in (DOCS / "gallery").iterdir()} == set(drawn) - {"gallery.md"}


def test_every_picture_can_be_read_and_needs_nothing_from_outside(drawn):
    for name, text in drawn.items():
        if name.endswith(".svg"):
            root = ElementTree.fromstring(text)  # noqa: S314 - drawn on the spot
            assert root.find("{http://www.w3.org/2000/svg}title").text
            assert "url(http" not in text
            assert "@import" not in text
