"""The site without a server, a server of its own, and a browser."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from ggp_search.engine.driver import prepare
from visiting import Here, Visitor

import ggp
from ggp.web.site import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

prepare(ggp.Limits())  # once and before hypothesis looks at it: a search would, in the middle of an example


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about what is shown, not about speed."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setenv("GGP_CLOCK", "processor")  # what is found in some seconds is found on a busy machine, too


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    """Somebody who visits the site."""
    found = Visitor(create_app(Here(ggp.load_registry())))
    yield found
    found.close()


PATIENT = """
import sys
from ggp.cli import main
from ggp.web import processes, site

processes.BUSY = processes.STARTING = site.PATIENCE = 1000.0
sys.exit(main(sys.argv[1:]))
"""
"""`ggp`, with pages that wait for a processor, and for their turn, for as long as a very busy machine makes them."""


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """`ggp serve` as a process, and the address that it has printed."""
    command = [sys.executable, "-W", "error", "-c", PATIENT, *arguments]
    environment = os.environ | {"GGP_SPEED": "interpreted", "GGP_CLOCK": "processor", "PYTHONUNBUFFERED": "1"}
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
def serve() -> Callable[..., contextlib.AbstractContextManager[object]]:
    """Starts a server of one's own: `with serve("serve", "--port", "0") as (address, process)`."""
    return serving


@pytest.fixture
def open_page(chromium: "Browser", server: str) -> Iterator[Callable[..., "Page"]]:
    """Opens a page of the server in a window of its own, with options of it: `open_page("/", width=360)`.

    At the end of the test no page may have reported an error, but for one that is `failing`.
    """
    contexts, faults = [], []

    def open(path: str, *, width: int = 1280, height: int = 800, **options: Any) -> "Page":
        failing = options.pop("failing", False)
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            reduced_motion=options.pop("reduced_motion", "reduce"),
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        if not failing:
            page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(server + path)
        return page

    yield open
    for context in contexts:
        context.close()
    assert faults == []
