"""A page of a real Chromium, for what is drawn in one."""

from collections.abc import Iterator

import pytest


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
