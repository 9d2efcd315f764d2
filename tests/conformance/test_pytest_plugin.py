"""`pytest --ggp`: the kit as a plugin of pytest."""

import os
import subprocess
import sys

import pytest

PLUGIN = """
import ggp

class Last:
    "Last: take one or two; whoever takes the last wins."
    name = "last"
    def initial_state(self): return (3, ggp.MAX)
    def to_move(self, state): return state[1]
    def actions(self, state): return range(1, min(2, state[0]) + 1)
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def terminal_test(self, state): return state[0] == 0
    def utility(self, state, player): return {utility}

@ggp.hookimpl
def ggp_games():
    return [Last]
"""


@pytest.fixture
def run(tmp_path):
    def run(utility, text=PLUGIN):
        (tmp_path / "mine.py").write_text(text.format(utility=utility))
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--ggp-plugin", "mine.py"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        environment["GGP_SPEED"] = "interpreted"  # what is compiled is checked elsewhere
        found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        return found.returncode, found.stdout + found.stderr

    return run


@pytest.mark.slow
def test_the_games_of_a_file_are_tests(run):
    status, out = run("-1 if state[1] == player else 1")
    assert status == 0, out
    assert "1 passed" in out


def test_a_broken_promise_is_a_sentence_and_no_traceback(run):
    status, out = run("1")
    assert status == 1
    assert 'last breaks the promise "zero sum"' in out
    assert "Traceback" not in out
    assert "FAILED ggp::ggp game last" in out or "ggp game last" in out


def test_a_file_that_is_no_plugin_is_a_sentence_and_no_internal_error(run):
    status, out = run("", "x = 1")
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "mine.py offers nothing: it needs the class of a game or searcher" in out
    assert "INTERNALERROR" not in out
