"""Rules that never end at machine speed, far from the start: the call is named, and the command ends."""

import os
import pathlib
import signal
import subprocess
import sys
import time
import types

import pytest

from ggp.plugin_faults import machine_progress

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.slow

LOOPS = '''
class Loops:
    """Loops: a counter; a rule that never ends, far from the start."""

    name = "loops"

    def initial_state(self): return (0, 0, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return range(1, 4)

    def result(self, state, action):
        count, mover, total = state
        if count == 18 and total == 30:
            spin = 1
            while spin > 0:
                spin = (spin * 7) % 11 + 1
        return (count + 1, 1 - mover, total + action)

    def terminal_test(self, state): return state[0] >= 24
    def utility(self, state, player): return (state[2] % 5 - 2) * (1 if player == 0 else -1)
'''
REPEATS = """
class Wheel:
    '''Wheel: two numbers that come back; a rule that never ends, far from the start.'''

    name = "wheel"
    repetition = 0

    def initial_state(self): return (0, 0, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return range(3)

    def result(self, state, action):
        count, mover, total = state
        if count == 280 and total > 25_000:
            spin = 1
            while spin > 0:
                spin = (spin * 7) % 11 + 1
        return ((count + action) % 300, 1 - mover, (total + action) % 30_011)

    def terminal_test(self, state): return state[0] == 299
    def utility(self, state, player): return (state[2] % 5 - 2) * (1 if player == 0 else -1)
"""
NAMED = "failed: result((18, 0, 30), "
"""The call that does not end; all three actions begin one."""


PROGRAM = """
import sys
import ggp.watchdog, ggp_search.engine.limits
from ggp.cli import main

if __name__ == "__main__":
    ggp.watchdog.CALL, ggp_search.engine.limits.GRACE = 1.0, 0.5
    sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in a process of its own, since the call goes on as long as that lives."""
    (tmp_path / "loops.py").write_text(LOOPS)
    (tmp_path / "wheel.py").write_text(REPEATS)
    (tmp_path / "program.py").write_text(PROGRAM)
    began = []

    def run(*command):
        plugins = [each for name in ("loops", "wheel") for each in ("--plugin", str(tmp_path / f"{name}.py"))]
        call = [sys.executable, str(tmp_path / "program.py"), *plugins, *command]
        began.append(subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))  # noqa: S603
        return began[-1]

    yield run
    for each in began:
        each.kill()
        each.communicate()


@pytest.mark.parametrize(
    "command",
    [
        ["search", "loops", "--searcher", "alphabeta:table=0", "--seconds", "0.5"],
        ["search", "loops", "--searcher", "alphabeta:threads=2"],
        ["search", "loops", "--searcher", "mcts"],
        ["search", "loops", "--searcher", "dfpn"],
        ["solve", "loops"],
        ["analyse", "loops", "--seconds", "1"],
        ["perft", "loops", "20"],
        ["match", "loops", "alphabeta", "random", "--games", "2", "--plies", "0"],
    ],
    ids=" ".join,
)
def test_a_command_ends_and_names_the_call(run, command):
    running = run(*command)
    said = running.communicate(timeout=120)[1]
    assert NAMED in said
    assert running.returncode == 1


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("command", [["solve", "wheel"], ["tablebase", "build", "wheel"]], ids=" ".join)
def test_so_does_an_enumeration(run, tmp_path, command, threads):
    where = ["--directory", str(tmp_path)] if command[0] == "tablebase" else []
    running = run(*command, "--threads", threads, *where)
    said = running.communicate(timeout=120)[1]
    assert "wheel.py, failed: a rule below (0, 0, 0) has not returned" in said
    assert running.returncode == 1


def test_so_do_worker_processes(run, monkeypatch):
    running = run("match", "loops", "alphabeta", "random", "--games", "2", "--plies", "0", "--processes", "2")
    said = running.communicate(timeout=120)[1]
    assert NAMED in said
    assert running.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="sends Ctrl-C to one process")
def test_ctrl_c_ends_it_with_status_130(run):
    running = run("search", "loops", "--depth", "24", "--searcher", "alphabeta:table=0,speed=compiled")
    while running.poll() is None and _processor_time(running.pid) < 1.5:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=120)[1]
    assert running.returncode == 130, said


def _processor_time(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_look_at_machine_code_waits_until_its_module_has_been_imported(monkeypatch):
    name = "ggp.compiler.compiled_code"
    monkeypatch.setitem(sys.modules, name, types.ModuleType(name))  # as it is while another thread imports it
    assert machine_progress(sys._getframe()) is None
