"""The widgets in marimo: what depends on them runs again by itself."""

import contextlib
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

NOTEBOOK = pathlib.Path(__file__).with_name("marimo_notebook.py")
MARIMO = [sys.executable, "-m", "marimo", "-y", "-q"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where marimo shows the notebook."""
    port = _free_port()
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | {"GGP_SPEED": "interpreted", "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    command = [*MARIMO, "run", str(NOTEBOOK), "--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, env=environment, cwd=home, stdin=subprocess.DEVNULL) as process:  # noqa: S603
        try:
            _wait_for(f"http://127.0.0.1:{port}/health")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _free_port():
    """Find a port that is free, and that nobody takes until marimo does: connections have the ports from 32,768 on."""
    for port in range(20_000 + os.getpid() % 10_000, 32_768):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


def _wait_for(url):
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url):  # noqa: S310
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")


@pytest.mark.slow
def test_cells_follow_the_board_and_the_stepper(chromium, address):
    page = chromium.new_page(viewport={"width": 1100, "height": 1400})
    expect = pytest.importorskip("playwright.sync_api").expect
    page.goto(address)
    told = page.get_by_text("moves so far:")
    expect(told).to_have_text("moves so far: .")
    page.locator(".ggp-play .cell[data-name=C]").click()
    expect(told).to_have_text("moves so far: C.")
    page.locator(".ggp-play .cell[data-name=F]").click()
    expect(told).to_have_text("moves so far: C F b a.")
    expect(page.locator(".ggp-analysis caption")).to_contain_text("looking 3 plies ahead")
    page.frame_locator("iframe.ggp-stepper").locator("#next").click()
    expect(page.get_by_text("step 2.")).to_be_visible(timeout=120_000)
    page.close()


@pytest.mark.slow
def test_the_notebook_runs_as_a_script(tmp_path):
    environment = os.environ | {"GGP_SPEED": "interpreted", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, str(NOTEBOOK)], capture_output=True, text=True, env=environment)  # noqa: S603
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
