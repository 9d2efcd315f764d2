"""Hypothesis profiles, `dev` here and `ci` where the environment says CI=true; and a browser with a checker."""

import gc
import os
import pathlib
import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, TypeVar

import hypothesis
import pytest
from ggp_search.engine.driver import prepare

from ggp import Limits

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WindowT = TypeVar("WindowT", "BrowserContext", "Page")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in a shell's background, where Ctrl-C is not heard
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["GGP_LEARNED"] = os.devnull  # what this machine has learned is not what is tested
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, not by each of hundreds of programs

prepare(Limits())  # the stack that searches need, before hypothesis looks at it

busy = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("dev", busy, max_examples=15)
hypothesis.settings.register_profile("ci", busy, max_examples=100, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
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
PATIENCE = 120_000
"""Milliseconds for which a page is waited for, on a busy machine."""
AXE = pathlib.Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser as slow, before pytest deselects what is."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """Start one worker more than there are processors: a sixth of the time, a worker waits for a program or a clock.

    Not for slow tests, some of which take the memory that there is.
    """
    workers = yield
    return workers + 1 if config.option.markexpr == "not slow" else workers


@hypothesis.settings(max_examples=1, database=None)
@hypothesis.given(hypothesis.strategies.none())
def first_example(nothing: None) -> None:
    """Let hypothesis make its random numbers. Older versions look for what refers to them, and see nothing frozen."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: all of it lives to the end, and is gone through again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        first_example()
        gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def data_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes into the user's own data directory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """Chromium. Where there is none the test is skipped, but never in CI.

    It ends with the module: as long as it runs, nothing else in this process can run a loop of asyncio.
    """
    path = os.environ.get("GGP_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None and os.environ.get("CI") != "true":
        pytest.skip("there is no Chromium: install it, or say where it is by GGP_CHROMIUM")
    from playwright.sync_api import expect, sync_playwright

    def patient(open: Callable[..., WindowT]) -> Callable[..., WindowT]:
        def opened(**options: object) -> WindowT:
            found = open(**options)
            found.set_default_timeout(PATIENCE)
            return found

        return opened

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=ARGUMENTS, timeout=PATIENCE)
        browser.new_context, browser.new_page = patient(browser.new_context), patient(browser.new_page)  # type: ignore[method-assign]
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def serious_faults() -> Callable[["Page"], list[tuple[str, str, str, list[str]]]]:
    """Finds faults of accessibility in a page by axe-core. Without it the test is skipped, but never in CI."""
    place = pathlib.Path(os.environ.get("GGP_AXE", AXE))
    if not place.is_file() and os.environ.get("CI") != "true":
        pytest.skip("there is no axe-core: npm install axe-core, or say where axe.min.js is by GGP_AXE")
    assert place.is_file(), "CI has to install axe-core, and to say where axe.min.js is by GGP_AXE"
    source = place.read_text(encoding="utf-8")

    def find(page: "Page") -> list[tuple[str, str, str, list[str]]]:
        """Serious and critical faults, in light and in dark surroundings."""
        page.evaluate(source)
        faults = []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            faults += [
                (scheme, each["id"], each["help"], [node["html"][:200] for node in each["nodes"][:3]])
                for each in found
                if each["impact"] in ("serious", "critical")
            ]
        return faults

    return find
