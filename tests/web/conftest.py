"""The site without a server, a server of its own, and a browser."""

import asyncio
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from ggp_search.driver import allow_recursion

import ggp
from ggp.web.site import create_app

allow_recursion()  # once and before hypothesis looks at it: a search would, in the middle of an example

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Visitor:
    """Asks the site, without a server and in this process."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self._runner = asyncio.Runner()

    def ask(self, method: str, url: str, *, follow: bool = False, **more: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                return await client.request(method, url, follow_redirects=follow, **more)

        return self._runner.run(send())

    def get(self, url: str, **more: Any) -> httpx.Response:
        return self.ask("GET", url, **more)

    def load(self, record: str | bytes) -> httpx.Response:
        """Send the file of a record by the form."""
        return self.ask("POST", "/load", files={"file": ("game.json", record)})

    def close(self) -> None:
        self._runner.close()


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about what is shown, not about machine speed."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    """Somebody who visits the site."""
    found = Visitor(create_app(ggp.load_registry()))
    yield found
    found.close()


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """`ggp serve` as a process, and the address that it has printed."""
    command = [sys.executable, "-W", "error", "-m", "ggp.cli", *arguments]
    environment = os.environ | {"GGP_SPEED": "interpreted", "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=environment)  # noqa: S603
    with process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Serving on http://"), line + process.stdout.read()
        try:
            yield line.split()[2], process
        finally:
            process.kill()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server."""
    with serving("serve", "--port", "0") as (address, _):
        yield address.rstrip("/")


@pytest.fixture
def serve() -> Callable[..., Any]:
    """Starts a server of one's own: `with serve("serve", "--port", "0") as (address, process)`."""
    return serving


def chromium() -> str | None:
    """Where the browser is, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("GGP_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium. Where there is none the test is skipped, but never in CI."""
    path = chromium()
    if path is None and os.environ.get("CI") != "true":
        pytest.skip("there is no Chromium: install it, or say where it is by GGP_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """Opens a page of the server in a window of its own, with options of it: `open_page("/", width=360)`.

    At the end of the test no page may have reported an error.
    """
    contexts, faults = [], []

    def open(path: str, *, width: int = 1280, **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, reduced_motion=options.pop("reduced_motion", "reduce"), **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(server + path)
        return page

    yield open
    for context in contexts:
        context.close()
    assert faults == []


def axe() -> pathlib.Path | None:
    """The source of axe-core, the checker of accessibility: where GGP_AXE says, or where npm has put it."""
    root = pathlib.Path(__file__).parents[2]
    named = os.environ.get("GGP_AXE")
    places = [pathlib.Path(named)] if named else [root / "node_modules" / "axe-core" / "axe.min.js"]
    return next((place for place in places if place.is_file()), None)


@pytest.fixture(scope="session")
def checker() -> str:
    """What finds faults of accessibility in a page. Without it the test is skipped, but never in CI."""
    place = axe()
    if place is None and os.environ.get("CI") != "true":
        pytest.skip("there is no axe-core: npm install axe-core, or say where axe.min.js is by GGP_AXE")
    assert place is not None, "CI has to install axe-core, and to say where axe.min.js is by GGP_AXE"
    return place.read_text(encoding="utf-8")


def wait_until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it has not come to hold"
        time.sleep(0.02)
