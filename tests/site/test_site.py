"""The documentation site: built without a warning and without a dead link, with a board that is played on offline."""

import os
import pathlib

import pytest

pytest.importorskip("sphinx")
from tools.site import __main__ as site
from tools.site import bundle

pytestmark = pytest.mark.slow

OWN_GAME = """
import ggp

class Last:
    "Last: take one or two; whoever takes the last wins."
    name = "last"
    def initial_state(self): return (4, ggp.MAX)
    def to_move(self, state): return state[1]
    def actions(self, state): return range(1, min(2, state[0]) + 1)
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def terminal_test(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if state[1] == player else 1

@ggp.hookimpl
def ggp_games():
    return [Last]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    has_pyodide = pathlib.Path(os.environ.get("GGP_PYODIDE", bundle.PYODIDE)).is_dir()
    assert has_pyodide or os.environ.get("CI") != "true", "CI has to install pyodide, and to say where by GGP_PYODIDE"
    output = tmp_path_factory.mktemp("site") / "site"
    site.build(output, board=has_pyodide)
    return output


def test_the_site_has_every_page_and_the_api(built):
    pages = {page.stem for page in (bundle.ROOT / "docs").rglob("*.md")}
    assert pages <= {page.stem for page in built.rglob("*.html")}
    assert "initial_state" in (built / "api" / "ggp.game.html").read_text(encoding="utf-8")


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="#here">x</a><a href="b.html">y</a><a href="a.html#no">z</a>'
    )
    assert list(site.dead_links(tmp_path)) == ["a.html: b.html", "a.html: a.html#no"]


def test_a_missing_pyodide_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_PYODIDE", str(tmp_path))
    with pytest.raises(bundle.MissingRuntimeError, match="npm install pyodide, or set GGP_PYODIDE"):
        bundle.script()


@pytest.fixture
def page(chromium, built):
    if not (built / "_static" / "board-files.js").exists():
        pytest.skip("there is no Pyodide: npm install pyodide")
    page, faults = chromium.new_page(offline=True), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto((built / "board.html").as_uri())
    page.wait_for_selector("#ggp-board svg a", timeout=300_000)
    yield page
    page.close()
    assert faults == []


def told(page, text):
    page.wait_for_function("text => document.querySelector('.status').textContent.includes(text)", arg=text)


def test_every_game_can_be_played_from_files_without_a_network_and_a_plugin_too(page):
    page.locator("#ggp-board svg a").first.click()
    told(page, "North (medium) plays")
    for game in page.locator("[name=game] option").evaluate_all("options => options.map(each => each.value)"):
        page.evaluate("document.querySelector('#ggp-board .place').replaceChildren()")
        page.select_option("[name=game]", game)
        page.wait_for_selector("#ggp-board .place svg")
        assert page.inner_text(".ggp-said") == ""
    page.fill("[name=parameters]", "stack=3,3")
    page.click("[name=begin]")
    page.wait_for_function("document.querySelector('.ggp-said').textContent !== ''")
    page.click("summary")
    page.fill("[name=plugin]", OWN_GAME)
    page.click("[name=load]")
    page.wait_for_function("document.querySelector('.place').textContent.includes('(4, 0)')")
    page.locator("#ggp-board svg a").first.click()
    told(page, "MIN (medium) plays")
