"""Screens: `python -m tools.screens` draws the stepper and the page of a game into docs/screens, as a browser shows
them.

A screen is an SVG with the page's own elements and style sheets, without its scripts. Such an SVG is small, sharp at
any size, and light or dark like its surroundings. Needs Chromium and the extra `dev`.
"""

import base64
import contextlib
import html
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import attrs
from playwright.sync_api import Browser, Page, sync_playwright

DOCS = pathlib.Path(__file__).parents[1] / "docs"
SNAPSHOT = """() => {
  const px = (text) => text.replace(/([\\d.]+)d?vh\\b/g, (_, n) => `${n * innerHeight / 100}px`)
    .replace(/([\\d.]+)d?vw\\b/g, (_, n) => `${n * innerWidth / 100}px`);
  const keep = (rule) => /prefers-color-scheme/.test(rule.conditionText);
  const css = (rules) => [...rules].map((rule) => !(rule instanceof CSSMediaRule) || keep(rule) ? px(rule.cssText)
    : matchMedia(rule.conditionText).matches ? css(rule.cssRules) : "").join("\\n");
  const style = [...document.styleSheets].map((sheet) => css(sheet.cssRules)).join("\\n");
  document.querySelectorAll(".clock").forEach((each) => { each.textContent = "0:00"; });
  document.querySelectorAll("input").forEach((each) => each.setAttribute("value", each.value));
  document.querySelectorAll("option").forEach((each) => each.toggleAttribute("selected", each.selected));
  const scrolled = [...document.body.querySelectorAll("*")].filter((each) => each.scrollTop && each.firstElementChild);
  scrolled.map((each) => [each, each.scrollTop]).forEach(([each, top]) => {
    each.style.overflow = "hidden";
    each.firstElementChild.style.marginTop = `${-top}px`;
  });
  document.querySelectorAll("style, script, noscript, .unseen, .skip").forEach((each) => each.remove());
  return [style, new XMLSerializer().serializeToString(document.body)];
}"""
"""A function in JavaScript that returns the style sheets for this size of window, and the elements of the page. Rules
for other sizes are left out, and lengths become pixels, because a picture may be shown at any size. Clocks show no
time, however long the page took.
"""


@attrs.frozen
class Screen:
    """One picture of a page."""

    name: str
    """The name of the screen's file, without .svg."""
    words: str
    """Its description."""
    size: tuple[int, int]
    """Width and height of the window, in pixels."""
    open: Callable[[Page], object]
    """A function that opens the page and makes the moves that the picture shows."""


def ggp(*arguments: str) -> list[str]:
    """Return a command line that runs ggp."""
    return [sys.executable, "-m", "ggp", *arguments]


def stepper(page: Page) -> None:
    """Open the stepper where alpha-beta has cut two actions of figure 5.2."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "tree.html")
        subprocess.run(  # noqa: S603
            ggp("tree", "fig52", "--searcher", "alphabeta", "--html", str(file)), check=True, capture_output=True
        )
        page.goto(f"{file.as_uri()}#19")
        page.wait_for_selector(".mark.current")


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Run `ggp serve`, and return its address without the last slash."""
    with subprocess.Popen(ggp("serve", "--port", "0"), stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[2].rstrip("/")
        finally:
            process.terminate()


def board(page: Page) -> None:
    """Open a game of Kalah after two moves."""
    with serving() as address:
        page.goto(f"{address}/play/kalah?south=human&north=human&moves=C,F")
        page.wait_for_selector("#board svg")
        page.wait_for_load_state("networkidle")
        embed_pictures(page)


def embed_pictures(page: Page) -> None:
    """Replace the addresses of pictures by the pictures themselves."""
    for image in page.query_selector_all("img"):
        response = page.request.get(str(image.evaluate("each => each.src")))
        text = base64.b64encode(response.body()).decode()
        data = f"data:{response.headers['content-type'].split(';')[0]};base64,{text}"
        image.evaluate("(each, data) => each.setAttribute('src', data)", data)


SCREENS = (
    Screen("stepper", "A search, step by step: alpha-beta has cut c2 and c3 in figure 5.2.", (1180, 700), stepper),
    Screen("page", "Kalah on the page, after two moves.", (1180, 700), board),
)


def draw(browser: Browser, screen: Screen) -> str:
    """Return the picture of a screen."""
    width, height = screen.size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
    screen.open(page)
    style, body = page.evaluate(SNAPSHOT)
    page.close()
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">
<title>{screen.words}</title><style>{html.escape(style, quote=False)}</style>
<foreignObject width="{width}" height="{height}">{body}</foreignObject>
</svg>
"""


def chromium(play: Any) -> Browser:
    """Return the browser of the system, or else playwright's own."""
    browser: Browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    return browser


def main() -> None:
    """Write the files."""
    (DOCS / "screens").mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = chromium(play)
        for screen in SCREENS:
            file = DOCS / "screens" / f"{screen.name}.svg"
            file.write_text(draw(browser, screen), encoding="utf-8")
            print(file)  # noqa: T201 - what a command did
        browser.close()


if __name__ == "__main__":
    main()
