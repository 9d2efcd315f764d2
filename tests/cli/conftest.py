"""Runs `ggp` in this process, and as a process of its own."""

import io
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest
from countdown_plugin import COUNTDOWN

from ggp.cli import main


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """These tests are about what is said, not about speed; and no store of the user's is touched."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setenv("GGP_CLOCK", "processor")  # what is found in some seconds is found on a busy machine, too
    monkeypatch.setenv("GGP_STORE", str(tmp_path / "games.db"))


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def ggp(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """`ggp("search", "fig52")`, with `input=` as what is typed."""

    def run(*arguments: str, input: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input.encode()), encoding="utf-8"))
        capsys.readouterr()
        status = main(arguments)
        return Outcome(status, *capsys.readouterr())

    return run


@pytest.fixture
def start() -> Callable[..., "subprocess.Popen[str]"]:
    """Starts `ggp` as a process, with pipes for input and output."""

    def run(*arguments: str, stdout: int = subprocess.PIPE) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-W", "error", "-m", "ggp.cli", *arguments],
            stdin=pipe,
            stdout=stdout,
            stderr=pipe,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8:strict"},
        )

    return run


@pytest.fixture
def plugin(tmp_path: "os.PathLike[str]") -> Callable[[str], str]:
    """Writes a plugin's file; returns its path."""

    def write(text: str, name: str = "mine.py") -> str:
        path = os.path.join(tmp_path, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    return write


@pytest.fixture
def countdown(plugin: Callable[[str], str]) -> str:
    """A file with the game countdown."""
    return plugin(COUNTDOWN.replace("{trouble}", ""))


@pytest.fixture
def broken(plugin: Callable[[str], str]) -> str:
    """The same with rules that raise."""
    return plugin(COUNTDOWN.replace("{trouble}", "1 // (state[0] // 5); "))


@pytest.fixture
def endless(plugin: Callable[[str], str]) -> str:
    """A game that no search comes to the end of, and that takes its time; it writes a file after some moves."""
    return plugin(
        """
import pathlib
import time
import ggp

class Endless:
    "Never over."
    name = "endless"
    moves = []

    def initial_state(self): return (0, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return [1, 2, 3]
    def result(self, state, action):
        time.sleep(0.001)
        self.moves.append(action)
        if len(self.moves) == 300:  # of which the examination of the rules makes 180 at most
            pathlib.Path(__file__).with_suffix(".searched").touch()
        return (state[0] + action, 1 - state[1])
    def terminal_test(self, state): return False
    def utility(self, state, player): return 0

@ggp.hookimpl
def ggp_games():
    return [Endless]
"""
    )
