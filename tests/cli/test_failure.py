"""What is asked wrongly, or goes wrong: one sentence on standard error, and the exit status."""

import os
import queue
import subprocess
import sys

import pytest

from ggp import progress
from ggp.cli import main, wait_message

USAGE = {
    "unknown command": (
        ["dance"],
        "there is no command 'dance': the commands are play, resume, replay",
    ),
    "unknown option": (["games", "--bogus"], "unknown option --bogus"),
    "no game": (["search"], "GAME is missing: type ggp search [OPTIONS] GAME (see ggp search --help)"),
    "a player too few": (["match", "nim"], "PLAYER is missing: type ggp match [OPTIONS] GAME PLAYER PLAYER (see"),
    "no output": (["book", "make", "nim"], "--output FILE is missing (see ggp book make --help)"),
    "an argument too many": (["rules", "nim", "pig"], "'pig' is one argument too many: type ggp rules [OPTIONS] GAME"),
    "a player behind the game": (["play", "nim", "easy"], "a player is given by an option, such as --second easy"),
    "unknown game": (["search", "chess"], "there is no game 'chess': the games are"),
    "a short name with one wrong letter": (["rules", "nym"], "there is no game 'nym' (did you mean nim?)"),
    "unknown game to list": (["games", "chess"], "there is no game 'chess': the games are"),
    "unknown searcher": (["search", "fig52", "--searcher", "deep"], "no searcher 'deep': the searchers are alphabeta"),
    "unknown parameter": (
        ["search", "nim", "--option", "heap=3"],
        "nim has no option 'heap' (did you mean heaps?): its options are heaps",
    ),
    "parameter without a value": (["search", "nim", "--option", "foo"], "options are written name=value"),
    "parameter out of range": (["search", "tictactoe", "--option", "k=99"], "got 99"),
    "parameter of the wrong type": (["search", "nim", "--option", "heaps=3,x"], "got '3,x'"),
    "a searcher's option": (
        ["search", "fig52", "--speed", "compiled"],
        "unknown option --speed: it belongs to the searcher, as in --searcher alphabeta:speed=VALUE",
    ),
    "an argument as an option": (
        ["perft", "kalah", "--depth", "3"],
        "DEPTH is written without --depth: type ggp perft",
    ),
    "a game's parameter": (
        ["search", "kalah", "--houses=4"],
        "unknown option --houses: it belongs to the game, as in --option houses=VALUE",
    ),
    "unknown option of a searcher": (["search", "fig52", "--searcher", "alphabeta:dept=3"], "its limits are depth"),
    "unknown evaluation": (["search", "fig52", "--searcher", "alphabeta:evaluation=x"], "has no evaluation 'x'"),
    "depth that is no number": (["search", "fig52", "--depth", "x"], "got 'x'"),
    "depth 0": (["search", "fig52", "--depth", "0"], "got 0"),
    "depth beyond the stack": (["search", "fig52", "--depth", "9" * 30], "deeper than the stack allows"),
    "depth of too many digits": (["search", "fig52", "--depth", "9" * 5000], "got '999"),
    "negative time": (["search", "fig52", "--seconds", "-1"], "got -1.0"),
    "endless time": (["search", "fig52", "--seconds", "1e400"], "got inf"),
    "no time": (["search", "fig52", "--seconds", "nan"], "got nan"),
    "fractional nodes": (["search", "fig52", "--nodes", "1.5"], "got '1.5'"),
    "no such state": (["search", "fig52", "--position", "Z"], "'Z' is not a state of fig52"),
    "impossible move": (["search", "fig52", "--moves", "a1,c1"], "c1"),
    "move after the end": (["search", "fig52", "--moves", "a1,b1,b1"], "'b1' cannot be played in B1: the game is over"),
    "chance refused": (["search", "pig", "--searcher", "alphabeta"], "pig is a game of chance; expectiminimax"),
    "chance refused in play": (["play", "pig", "--first", "alphabeta"], "pig is a game of chance; expectiminimax"),
    "unknown player": (["play", "fig52", "--first", "nobody"], "there is no player 'nobody'"),
    "a name of another game": (["play", "fig52", "--x", "random"], "no player 'x': its players are --max and --min"),
    "one side twice": (["play", "tictactoe", "--x", "human", "--first", "human"], "--first and --x are the same"),
    "seed that is no number": (["play", "pig", "--seed", "x"], "'x' is not a whole number (see ggp play --help)"),
    "a negative depth": (
        ["perft", "nim", "-1"],
        "unknown option -1 (negative numbers are not accepted here) (see ggp perft",
    ),
    "an empty parameter": (["search", "nim", "--option", ""], "--option needs NAME=VALUE; got ''"),
    "a parameter twice": (["search", "nim", "--option", "heaps=1", "--option", "heaps=2"], "heaps is given twice"),
    "a searcher's option twice": (["search", "nim", "--searcher", "scout:depth=1,depth=2"], "depth is given twice"),
    "a player's option twice": (["play", "nim", "--first", "hard:nodes=1,nodes=2"], "nodes is given twice"),
    "move that is no number": (["replay", "1", "--from", "x"], "'x' is not a whole number (see ggp replay --help)"),
    "a record without a name": (["replay", ""], "no record has an empty name: a record is a file, or the number"),
    "a seed that no record holds": (["play", "nim", "--seed", "9" * 30], "the seed must be a whole number from"),
    "perft depth": (["perft", "nim", "x"], "got 'x'"),
    "tree limit": (["tree", "fig52", "--limit", "0"], "got 0"),
    "tree of what cannot be watched": (["tree", "fig52", "--searcher", "random"], "random cannot be watched"),
    "a picture without a file": (["tree", "fig52", "--html"], "'--html' requires an argument (see ggp tree --help)"),
    "no examples": (["check", "fig52", "--examples", "0"], "got 0"),
    "no plugin file": (["--plugin", "/nowhere/x.py", "games"], "File '/nowhere/x.py' does not exist"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_what_is_asked_wrongly_is_one_sentence_and_status_2(ggp, arguments, message):
    found = ggp(*arguments)
    assert found.status == 2
    assert found.out == ""
    assert found.err.startswith("ggp: ")
    assert message in found.err
    assert found.err.count("\n") == 1


BAD_PLUGINS = {
    "raises on import": ("raise RuntimeError('no way')", "cannot be loaded: RuntimeError: no way (mine.py, line 1)"),
    "exits on import": ("import sys\nsys.exit(3)", "cannot be loaded: SystemExit"),
    "is no Python": ("def (:", "cannot be loaded: SyntaxError: invalid syntax (mine.py, line 1)\n"),
    "imports what is not there": ("import nowhere", "No module named 'nowhere' (mine.py, line 1)\n"),
    "misspells a hook": ("import ggp\n@ggp.hookimpl\ndef ggp_gmes(): return []", "misspells a hook"),
    "offers nothing": ("x = 1", "offers nothing"),
    "claims a taken name": (
        "import ggp, ggp_toys\n@ggp.hookimpl\ndef ggp_games():\n"
        "    return [type('Another', (ggp_toys.Nim,), {'name': 'fig52'})]",
        "the game name 'fig52' is claimed by",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_PLUGINS.values(), ids=BAD_PLUGINS)
def test_a_plugin_that_cannot_be_used_is_one_line_and_status_2(ggp, plugin, text, message):
    found = ggp("--plugin", plugin(text), "search", "nim", "--depth", "1")
    assert (found.status, found.out) == (2, "")
    assert message in found.err
    assert found.err.startswith("ggp: ")
    assert found.err.count("\n") == 1


def test_a_plugin_that_is_no_python_file_is_refused(ggp, plugin):
    found = ggp("--plugin", plugin("", "mine.txt"), "games")
    assert (found.status, found.out) == (2, "")
    assert found.err.endswith("mine.txt cannot be loaded: it is not a Python file: its name must end in .py\n")


def test_a_name_that_two_claim_is_unusable(ggp, plugin):
    found = ggp("--plugin", plugin(BAD_PLUGINS["claims a taken name"][0]), "search", "fig52")
    assert found.status == 2
    assert "it is unusable until one of them is removed" in found.err


@pytest.mark.parametrize(
    "arguments",
    [["search"], ["perft"], ["tree"], ["play", "--first", "random:seed=1", "--second", "random:seed=1"]],
    ids=lambda arguments: arguments[0],
)
def test_rules_that_raise_are_one_sentence_that_names_the_plugin(ggp, broken, arguments):
    command, *rest = arguments
    depth = ["6"] if command == "perft" else []
    found = ggp("--plugin", broken, command, "countdown", *depth, *rest)
    assert found.status == 1
    assert f"ggp: countdown, from {broken}, failed: result((4, 1), 1) raised ZeroDivisionError" in found.err
    assert "(mine.py, line 15)" in found.err
    assert found.err.count("\n") == 1


def test_a_broken_promise_is_one_sentence_and_status_1(ggp, broken):
    found = ggp("--plugin", broken, "check", "countdown", "--examples", "5")
    assert found.status == 1
    assert 'countdown breaks the promise "answers"' in found.err


def test_traceback_shows_where(ggp, broken):
    found = ggp("--traceback", "--plugin", broken, "search", "countdown")
    assert "Traceback (most recent call last)" in found.err


@pytest.mark.slow
def test_endless_recursion_of_a_plugin_is_one_sentence(ggp, plugin):
    from countdown_plugin import COUNTDOWN

    file = plugin(COUNTDOWN.replace("{trouble}", "self.result(state, action); "))
    found = ggp("--plugin", file, "perft", "countdown", "2")
    assert found.status == 1
    assert "failed: result((5, 0), 1) raised RecursionError: it goes deeper than Python's stack allows" in found.err


def test_a_fault_of_our_own_is_told_without_a_traceback(ggp, monkeypatch):
    monkeypatch.setattr("ggp.testing.perft_counts.perft_rows", lambda game, state, depth: {}["depth"])
    found = ggp("perft", "nim", "1")
    assert found.status == 1
    assert "internal error: KeyError: 'depth' (run ggp --traceback ... to see where)" in found.err


def test_a_full_disk_is_one_sentence(ggp, monkeypatch):
    import errno

    def full(game, state, depth):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("ggp.testing.perft_counts.perft_rows", full)
    found = ggp("perft", "nim", "1")
    assert (found.status, found.err) == (1, "ggp: No space left on device\n")


def test_a_full_disk_is_no_plugins_fault(start):
    with open("/dev/full", "w") as full:
        process = start("solve", "nim", "--quiet", stdout=full.fileno())
    process.stdin.close()
    assert (process.wait(120), process.stderr.read()) == (1, "ggp: No space left on device\n")
    process.stderr.close()


@pytest.mark.parametrize("streams", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_the_null_device(streams):
    command = f'"$0" -c "import ggp_start, sys; sys.exit(ggp_start.main())" show nim {streams}'
    run = subprocess.run(["/bin/sh", "-c", command, sys.executable], capture_output=True, text=True)  # noqa: S603
    assert (run.returncode, run.stderr) == (0, "")


def test_a_game_whose_input_is_closed_is_not_lost(tmp_path):
    command = '"$0" -c "import ggp_start, sys; sys.exit(ggp_start.main())" play nim --first human <&-'
    environment = os.environ | {"GGP_STORE": str(tmp_path / "games.db")}
    arguments = ["/bin/sh", "-c", command, sys.executable]
    run = subprocess.run(arguments, capture_output=True, text=True, env=environment)  # noqa: S603
    assert run.returncode == 1
    assert "the input ended before the game did, after 0 moves" in run.stderr


def test_a_reader_that_has_gone_is_no_error(start):
    reader, writer = os.pipe()
    os.close(reader)
    process = start("perft", "nim", "6", stdout=writer)
    os.close(writer)
    assert process.wait(120) == 1
    assert process.stderr.read() == ""
    process.stdin.close()
    process.stderr.close()


def test_a_game_that_no_searcher_serves_is_refused(ggp, countdown, monkeypatch):
    monkeypatch.setattr("ggp.plugins.serves", lambda entry, game: False)
    found = ggp("--plugin", countdown, "search", "countdown")
    assert (found.status, found.err) == (2, "ggp: no searcher that is installed can search countdown\n")


def test_a_missing_hypothesis_says_what_to_install(ggp, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "hypothesis", None)
    found = ggp("check", "nim")
    assert found.status == 1
    assert "install it with pip install 'ggp[testing]'" in found.err


def test_a_warning_of_ggps_own_is_a_line_and_no_failure_even_where_warnings_are_errors():
    program = "import warnings, ggp.errors as e; e.tell_warnings(); warnings.warn('it is slow', e.GGPWarning)"
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)  # noqa: S603
    assert (run.returncode, run.stderr) == (0, "ggp: warning: it is slow\n")


def test_what_takes_long_is_told_and_what_is_done_at_once_is_not(monkeypatch):
    told = queue.Queue()
    monkeypatch.setattr(wait_message, "say", told.put)
    monkeypatch.setattr(wait_message, "PATIENCE", 600.0)
    with wait_message.waiting("compiling x for y"):
        pass
    assert told.empty()
    monkeypatch.setattr(wait_message, "PATIENCE", 0.0)
    with wait_message.waiting("compiling x for y"):
        assert told.get(timeout=120) == "compiling x for y ..."


def test_in_a_terminal_a_sentence_breaks_between_words(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "30")
    assert main(["search", "nim", "--option", "heap=3"]) == 2
    assert (
        capsys.readouterr().err
        == "ggp: nim has no option 'heap'\n(did you mean heaps?): its\noptions are heaps, misere\n"
    )


def test_a_program_that_calls_main_has_no_front_end_afterwards(capsys):
    assert main(["games"]) == 0
    assert progress.shown.get() is progress.unseen
