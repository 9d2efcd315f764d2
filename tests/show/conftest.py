"""A page of a real Chromium, for what is drawn in one."""

import os
import shutil
from collections.abc import Iterator

import pytest

CHROMIUM = os.environ.get("GGP_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM and os.environ.get("CI") != "true":
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def drawn_page(chromium) -> Iterator[object]:
    """An empty page. At the end nothing may have been said on its console, and nothing loaded from outside."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    said, loaded = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: loaded.append(request.url))
    yield page
    assert said == []
    assert [url for url in loaded if not url.startswith(("file:", "data:"))] == []
    page.close()
