"""Plugins that fail: each command says in one sentence which game or searcher, in which method and in which state."""

import contextlib
import signal

import pytest

from ggp import watchdog
from ggp.cli import main
from ggp.errors import GGPError
from ggp.plugins import Registry, hookimpl

LAME = '''
import itertools, sys, ggp
from ggp.scene import Cell, Scene

class Lame:
    """Lame: a counter; its methods fail as asked from the state 2 on."""

    name, compiled = "lame", False

    def initial_state(self): return 0
    def to_move(self, state): return state % 2
    def actions(self, state): return (1, 2)
    def result(self, state, action): return state + action
    def terminal_test(self, state): return state >= 8
    def utility(self, state, player): return 1 if player == 0 else -1
'''

RAISES = "raise ZeroDivisionError('by zero')"
FAULTS = {
    "to_move raises": ("to_move", "state", RAISES, "to_move(2) raised ZeroDivisionError: by zero"),
    "to_move returns nonsense": ("to_move", "state", "return 'junk'", "to_move(2) returned 'junk'; it must be ggp.MAX"),
    "actions returns nothing": ("actions", "state", "return None", "actions(2) returned None; it must be the legal"),
    "actions has none": ("actions", "state", "return ()", "actions(2) returned (); there must be at least one until"),
    "actions has no end": ("actions", "state", "return itertools.count()", "actions(2) yields more than 100,000"),
    "result raises": ("result", "state, action", RAISES, "result(2, 1) raised ZeroDivisionError: by zero"),
    "result returns nothing": ("result", "state, action", "return None", "result(2, 1) returned None; it must be"),
    "result exits": ("result", "state, action", "sys.exit(4)", "result(2, 1) raised SystemExit: 4"),
    "result recurses": (
        "result", "state, action", "return self.result(state, action)",
        "result(2, 1) raised RecursionError: it goes deeper than Python's stack allows",
    ),
    "terminal_test returns nonsense": ("terminal_test", "state", "return 'junk'", "terminal_test(2) returned 'junk'"),
}  # fmt: skip

COMMANDS = {
    "search": ["search", "lame", "--depth", "4", "--quiet"],
    "mcts": ["search", "lame", "--searcher", "mcts", "--nodes", "100"],
    "tree": ["tree", "lame", "--depth", "4"],
    "solve": ["solve", "lame"],
    "match": ["match", "lame", "random", "random", "--games", "2", "--plies", "0"],
    "play": ["play", "lame", "--first", "random", "--second", "random", "--no-store"],
    "compare": ["compare", "lame", "alphabeta", "minimax", "--depth", "4"],
    "perft": ["perft", "lame", "5"],
    "analyse": ["analyse", "lame", "--seconds", "0.2"],
    "quickest": ["search", "lame", "--searcher", "alphabeta:quickest=yes", "--depth", "4", "--quiet"],
    "tablebase": ["tablebase", "build", "lame"],
    "tournament": ["tournament", "lame", "random", "mcts:nodes=50", "--games", "2", "--plies", "0"],
    "show": ["show", "lame", "--moves", "1,1,1"],
    "describe": ["describe", "lame", "--moves", "1,1", "--json"],
}

QUICK = {"result recurses": ["search"], "to_move returns nonsense": COMMANDS, "others": list(COMMANDS)[:8]}
"""The commands that are not slow, or would be slow together, by fault."""


@pytest.mark.parametrize(
    ("fault", "command"),
    [
        pytest.param(fault, command, marks=[pytest.mark.slow] * (command not in QUICK.get(fault, QUICK["others"])))
        for fault in FAULTS
        for command in COMMANDS
    ],
)
def test_a_fault_of_a_game_is_one_sentence_with_method_and_state(ggp, plugin, fault, command):
    method, arguments, body, sentence = FAULTS[fault]
    good = next(line for line in LAME.splitlines() if f"def {method}(" in line).split(": return ")[1]
    text = LAME.replace(
        f"def {method}(self, {arguments}): return {good}",
        f"def {method}(self, {arguments}):\n        if state == 2:\n            {body}\n        return {good}",
    )
    file = plugin(text)
    found = ggp("--plugin", file, *COMMANDS[command])
    assert found.status == 1
    assert f"failed: {sentence}" in found.err
    assert found.err.startswith("ggp: lame")
    assert found.err.count("\n") == 1


@pytest.mark.parametrize("commands", [["search", "play"], pytest.param(COMMANDS, marks=pytest.mark.slow)], ids=len)
def test_a_call_that_does_not_end_ends_the_command(ggp, plugin, monkeypatch, commands):
    monkeypatch.setattr(watchdog, "CALL", 0.3)
    monkeypatch.setattr(watchdog, "LOOK", 0.05)
    body = "\n        while state == 2: pass\n        return state + action"
    file = plugin(LAME.replace("def result(self, state, action): return state + action",
                               "def result(self, state, action):" + body))  # fmt: skip
    for command in commands:
        found = ggp("--plugin", file, *COMMANDS[command])
        assert (found.status, found.err.count("\n")) == (1, 1), command
        assert "failed: result(2, 1) has not returned for" in found.err, command
    found = ggp("--plugin", file, "check", "lame")
    assert found.status == 1
    assert "failed: result(2, 1) has not returned for" in found.err


def test_the_watch_calls_no_rule_itself_though_the_first_one_does_not_end(ggp, plugin, monkeypatch):
    monkeypatch.setattr(watchdog, "CALL", 0.3)
    monkeypatch.setattr(watchdog, "LOOK", 0.05)
    file = plugin(LAME.replace("return (1, 2)", "\n        while True: pass"))
    found = ggp("--plugin", file, "search", "lame")
    assert found.status == 1
    assert "failed: actions(0) has not returned for" in found.err


DROPS = {
    "garbage collector": "gc.callbacks.append(once); gc.collect()",
    "weak reference": "watch = weakref.ref(type('Gone', (), {})(), lambda gone: drop())",
    "__del__": "type('Gone', (), {'__del__': lambda self: drop()})()",
}
"""Calls of `drop` in which Python prints an exception, and goes on."""
SIGNALS = {"fault": ("while True: pass", 1), "ctrl-c": ("signal.raise_signal(signal.SIGINT)", 130)}


@pytest.mark.parametrize("sent", SIGNALS)
@pytest.mark.parametrize("place", DROPS)
def test_what_a_signal_raises_where_python_drops_it_is_raised_again(ggp, plugin, monkeypatch, place, sent):
    waits, status = SIGNALS[sent]
    monkeypatch.setattr(watchdog, "CALL", 0.1 if sent == "fault" else 10)
    monkeypatch.setattr(watchdog, "LOOK", 0.05)
    head = f"import gc, signal, weakref\n\ndef drop():\n    {waits}\n\n"
    head += "def once(phase, info):\n    gc.callbacks.remove(once)\n    drop()\n"
    rule = f"\n        if state == 2:\n            {DROPS[place]}\n            while True: pass\n"
    text = head + LAME.replace("action): return state + action", f"action):{rule}        return state + action")
    found = ggp("--plugin", plugin(text), "perft", "lame", "5")
    assert (found.status, found.err.strip().count("\n")) == (status, 0)
    assert ("failed: result(2, 1) has not returned for" if sent == "fault" else "ggp: interrupted") in found.err


@pytest.mark.slow
def test_play_without_end_is_left_after_so_many_moves(ggp, plugin, monkeypatch):
    monkeypatch.setattr("ggp.cli.keyboard_match.LONGEST", 50)
    file = plugin(LAME.replace("return state >= 8", "return False"))
    found = ggp("--plugin", file, "play", "lame", "--first", "random", "--second", "random", "--no-store", "--quiet")
    assert found.status == 1
    assert "the game is not over after" in found.err
    assert "it may have no end" in found.err
    found = ggp("--plugin", file, "solve", "lame")
    assert found.status == 2
    assert "lame was not over after 4000 plies" in found.err


HUGE = '''
import ggp

class Huge:
    """Huge: the first to be chosen, and it fails."""

    name, preference = "huge", 10**9

    def unsupported_reason(self, game): {refuses}
    def search(self, game, state, limits=None, *, report=None): {searches}
    analyse = search
'''


@pytest.mark.parametrize(
    ("refuses", "searches", "words"),
    [
        ("return None", "raise KeyError('gone')", "failed in 3,4,5 first: KeyError: 'gone'"),
        ("return None", "return 7", "failed: it returned 7; it must be a ggp.SearchResult"),
        ("raise SystemExit", "pass", ""),
    ],
)
def test_a_default_searcher_that_fails_is_named_and_left_out(ggp, plugin, refuses, searches, words):
    file = plugin(HUGE.format(refuses=refuses, searches=searches))
    found = ggp("--plugin", file, "search", "nim", "--depth", "3", "--quiet")
    assert found.status == 0
    assert "searcher    alphabeta" in found.out
    if words:
        assert found.err.startswith(f"ggp: warning: huge, from {file}, {words}")
        assert found.err.endswith("; it is left out\n")
    found = ggp("--plugin", file, "search", "nim", "--depth", "3", "--searcher", "huge")
    assert found.status == 1


TRIED = """
class Tried:
    '''Tried: the first to be chosen.'''

    name, preference = "tried", 10**9

    def unsupported_reason(self, game): return None

    def search(self, game, state, limits=None, *, report=None):
        {searches}

    analyse = search
"""


@pytest.mark.parametrize(
    "command",
    [
        ["play", "nim", "--first", "random", "--second", "medium", "--no-store", "--quiet"],
        ["match", "nim", "medium", "random", "--games", "2", "--plies", "0"],
        ["search", "nim", "--depth", "2"],
    ],
    ids=" ".join,
)
def test_a_preferred_searcher_is_tried_before_it_is_used_anywhere(ggp, plugin, command):
    found = ggp("--plugin", plugin(TRIED.format(searches="raise KeyError('gone')")), *command)
    assert found.status == 0, found.err
    assert "failed in 3,4,5 first: KeyError: 'gone'" in found.err
    assert found.err.endswith("; it is left out\n")


HANGS = {
    "searcher": (TRIED.format(searches="while True: pass"), "failed: a search of depth 1 has not returned", 0),
    "hook": (
        "import ggp\n\n@ggp.hookimpl\ndef ggp_games():\n    while True: pass",
        "its ggp_games has not returned",
        2,
    ),
    "import": ("while True: pass", "its import has not returned", 2),
    "name": (
        "import ggp\n\n@ggp.hookimpl\ndef ggp_game_named(name):\n    while True: pass",
        "cannot make absent:: its ggp_game_named has not returned",
        1,
    ),
}


@pytest.mark.parametrize("hang", HANGS)
def test_a_plugin_that_does_not_answer_is_named(ggp, plugin, monkeypatch, hang):
    text, sentence, status = HANGS[hang]
    monkeypatch.setattr(watchdog, "CALL", 0.3)
    monkeypatch.setattr(watchdog, "LOOK", 0.05)
    found = ggp("--plugin", plugin(text), "search", "absent:" if hang == "name" else "nim", "--depth", "2")
    assert (found.status, found.err.count("\n")) == (status, 1)
    assert sentence in found.err


def test_a_plugin_that_exits_when_it_is_asked_for_a_name_is_named(ggp, plugin):
    file = plugin("import ggp, sys\n\n@ggp.hookimpl\ndef ggp_game_named(name):\n    sys.exit(4)")
    found = ggp("--plugin", file, "search", "absent:")
    assert (found.status, found.err.count("\n")) == (1, 1)
    assert "cannot make absent:: SystemExit: 4" in found.err


def test_a_preference_is_a_number(ggp, plugin):
    file = plugin(TRIED.format(searches="pass").replace("10**9", "'high'"))
    found = ggp("--plugin", file, "search", "nim", "--depth", "2")
    assert (found.status, found.err.count("\n")) == (2, 1)
    assert "offers tried, whose preference is 'high': it must be a number" in found.err


class Exits:
    @hookimpl
    def ggp_games(self):
        raise SystemExit(4)


class YieldsForEver:
    @hookimpl
    def ggp_searchers(self):
        while True:
            yield int


@pytest.mark.parametrize(
    ("plugin", "words"), [(Exits(), "raised SystemExit: 4"), (YieldsForEver(), "offers more than 10,000 classes")]
)
def test_a_bad_hook_is_named_and_left_out(plugin, words):
    problems = []
    registry = Registry(problems.append)
    registry._plug(plugin, "bad")
    assert list(registry.searchers) == []
    assert len(problems) == 1
    assert words in problems[0]


@pytest.mark.parametrize(
    "consequence", [BrokenPipeError(), RuntimeError("cannot schedule"), GGPError("a worker process died")], ids=str
)
def test_after_ctrl_c_the_status_is_130_whatever_fails_then(consequence, monkeypatch, capsys):
    def interrupted(*_):
        signal.raise_signal(signal.SIGINT)

    def report(*_):
        raise consequence

    monkeypatch.setattr("ggp.cli.experiment.play_job", interrupted)
    monkeypatch.setattr("ggp.cli.experiment.report", report)
    monkeypatch.setattr("ggp.cli.failure._reader_is_gone", lambda: None)
    assert main(["match", "nim", "random", "random", "--games", "2"]) == 130
    assert "internal error" not in capsys.readouterr().err


def test_a_build_of_tables_that_fails_because_of_ctrl_c_says_that_it_goes_on(monkeypatch, capsys, tmp_path):
    def build(*_, **__):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("cannot schedule new futures after shutdown")

    monkeypatch.setattr("ggp_solve.tablebases.build_files", build)
    assert main(["tablebase", "build", "nim", "--layer", "3", "--directory", str(tmp_path)]) == 130
    assert capsys.readouterr().err == (
        "ggp: interrupted: finished sections are saved, and the same command resumes from them\n"
    )
