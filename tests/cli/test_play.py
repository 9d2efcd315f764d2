"""`ggp play`: the dialogue, the result, and how it ends before its time."""

import io
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from countdown_plugin import COUNTDOWN

from ggp.cli import main

RESUME = "; `ggp resume` continues it"
RANDOM = ["--first", "random:seed=1", "--second", "random:seed=2"]


def test_a_game_of_fig52_reads_like_this(ggp):
    found = ggp("play", "fig52", "--max", "human", "--min", "alphabeta:depth=1", input="a9\na1\n")
    dialogue = re.sub(r"\d\.\d\d s", "t s", found.out)
    boards = dialogue.split("\n\n")
    assert found.status == 0
    assert (
        "Your move, MAX [a1 a2 a3] (? for help): a9\n"
        "'a9' cannot be played here; the moves are a1, a2, a3 (? for help)\n" in dialogue
    )
    assert "Your move, MAX [a1 a2 a3]: a1\nMAX plays a1\n" in dialogue
    assert "MIN (alphabeta:depth=1) plays b1  [3 to MAX, exact, 4 states, t s]\n" in dialogue
    assert boards[-1] == "MAX (human) wins against MIN (alphabeta:depth=1): 3 to MAX.\n"
    assert found.err == ""


@pytest.mark.parametrize(
    ("limit", "said"), [("depth=1", "an estimate: the exact value is not known, depth 1"), ("depth=9", "exact")]
)
def test_a_perfect_player_says_whether_the_value_is_known(ggp, limit, said):
    found = ggp("play", "fig52", "--max", f"perfect:{limit}", "--min", "random:seed=1")
    assert f", {said}, " in next(line for line in found.out.splitlines() if line.startswith("MAX ("))


@pytest.mark.parametrize("first", ["human", "random:seed=1"])
@pytest.mark.parametrize("second", ["human", "alphabeta:depth=1"])
def test_all_combinations_play_to_the_end(ggp, first, second):
    found = ggp("play", "fig52", "--first", first, "--second", second, input="a1\nb1\nb1\nc1\nd1\n")
    assert found.status == 0
    assert " wins against " in found.out


def test_the_players_go_by_the_names_of_the_game(ggp, countdown):
    sides = ["--bob-the-great", "random:seed=1", "--ann", "human"]
    found = ggp("--plugin", countdown, "play", "countdown", *sides, input="2\n2\n1\n1\n")
    assert found.status == 0
    assert "Your move, Ann [1 2] (? for help): 2\n" in found.out
    assert "Bob the Great (random:seed=1) plays" in found.out


def test_a_human_who_is_alone_plays_against_a_searcher(ggp):
    assert "MIN (" in ggp("play", "fig52", input="a1\n").out
    assert "MAX (" in ggp("play", "fig52", "--second", "human", input="b1\n").out


def test_help_lists_the_moves_and_quit_ends_with_status_0(ggp):
    found = ggp("play", "fig52", input="?\nquit\n")
    assert "  moves    a1, a2, a3\n  hint     shows the move of a strong player\n" in found.out
    assert (found.status, found.err) == (0, "ggp: you quit after 0 moves; `ggp resume` continues it\n")


def test_a_game_from_a_file_is_resumed_with_that_file(ggp, tmp_path):
    (file := tmp_path / "mine.py").write_text(COUNTDOWN.replace("{trouble}", ""))
    found = ggp("--plugin", str(file), "play", "countdown", input="quit\n")
    assert found.err == f"ggp: you quit after 0 moves; `ggp --plugin {file} resume` continues it\n"
    assert ggp("--plugin", str(file), "resume", input="quit\n").err == found.err


def test_the_end_of_the_input_is_one_sentence_and_status_1(ggp):
    found = ggp("play", "nim", "--first", "human", "--second", "random:seed=1", input="x\n1:1\n")
    assert found.status == 1
    assert found.err == "ggp: the input ended before the game did, after 2 moves; `ggp resume` continues it\n"
    assert "'x' cannot be played here; the moves are 1:1" in found.out
    assert "second (random:seed=1) plays" in found.out


def test_quiet_shows_the_result_only(ggp):
    found = ggp("play", "tictactoe", *RANDOM, "--quiet")
    assert found.out.count("\n") == 1
    assert re.fullmatch(r"([XO] \(random:seed=.\) wins against .*|A draw between .*)\n", found.out)


def test_quiet_still_tells_a_human_where_the_game_stands(ggp):
    assert ggp("play", "fig52", "--quiet", input="a1\n").out.startswith(
        "A\nYour move, MAX [a1 a2 a3] (? for help): a1\n"
    )


def test_a_game_that_is_over_from_the_start_is_told(ggp):
    found = ggp("play", "tictactoe", *RANDOM, "--position", "XXX/OO./...")
    assert found.out.endswith("X (random:seed=1) wins against O (random:seed=2).\n")


def test_a_draw_is_told(ggp):
    found = ggp("play", "tictactoe", *RANDOM, "--quiet", "--position", "XOX/XOO/OXX")
    assert found.out == "A draw between X (random:seed=1) and O (random:seed=2).\n"


def test_chance_rolls_the_same_with_the_same_seed(ggp):
    games = [ggp("play", "pig", *RANDOM, "--seed", seed).out for seed in ("1", "1", "2")]
    assert "Chance: " in games[0]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_bytes_that_are_no_text_are_a_wrong_move(start):
    process = start("play", "fig52", "--second", "random")
    process.stdin.buffer.write(b"\xff\n")
    out, err = process.communicate(timeout=120)
    assert "cannot be played here; the moves are a1, a2, a3" in out
    assert (process.returncode, err) == (1, f"ggp: the input ended before the game did, after 0 moves{RESUME}\n")


def wait_for(process, text):
    limit = threading.Timer(120, process.kill)  # reading has no time-out of its own
    limit.start()
    seen = ""
    while text not in seen:
        read = process.stdout.read(1)
        assert read, f"{seen!r} was all there was"
        seen += read
    limit.cancel()


def test_ctrl_c_at_the_prompt_is_one_sentence_and_status_130(start):
    process = start("play", "fig52", "--second", "random")
    wait_for(process, "(? for help): ")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err == f"\nggp: interrupted: the game is not finished, after 0 moves{RESUME}\n"


def test_ctrl_c_while_a_searcher_thinks_ends_the_game(start, endless):
    process = start("--plugin", endless, "play", "endless", "--first", "alphabeta:seconds=60", "--second", "random")
    searched = pathlib.Path(endless).with_suffix(".searched")
    while not searched.exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    resume = RESUME.replace("ggp", f"ggp --plugin {endless}")
    assert (process.returncode, err) == (130, f"\nggp: interrupted: the game is not finished, after 0 moves{resume}\n")


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_ctrl_c_in_a_search_prints_what_was_found_and_status_130(start, endless, form):
    process = start("--plugin", endless, "search", "endless", "--seconds", "60", *form)
    searched = pathlib.Path(endless).with_suffix(".searched")
    while not searched.exists():  # several depths are done by then
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err == "ggp: interrupted: this is the result of the last completed depth\n"
    assert ('"stopped": "interrupt"' if form else "stopped by Ctrl-C") in out


IMPATIENT = """
import os, signal, sys, ggp_start

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "ggp.cli":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.exit(ggp_start.main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot send itself Ctrl-C")
def test_ctrl_c_while_modules_are_imported_is_one_sentence_and_status_130():
    run = subprocess.run([sys.executable, "-c", IMPATIENT], capture_output=True, text=True)  # noqa: S603
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "ggp: interrupted\n")


def test_ctrl_c_in_another_command_is_one_sentence_and_status_130(start, endless):
    process = start("--plugin", endless, "perft", "endless", "30")
    wait_for(process, "to move\n")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err.strip()) == (130, "ggp: interrupted")
    assert "| depth | count | seconds |" in out  # what was counted by then


def test_at_a_terminal_a_human_is_asked_to_play_again(ggp, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdin", Terminal())
    answers = iter(["a1", "y", "a2", "n"])
    questions = []

    def ask(question):
        questions.append(question)
        return next(answers)

    monkeypatch.setattr("builtins.input", ask)
    assert main(["play", "fig52", "--second", "alphabeta:depth=1"]) == 0
    assert [question.strip() for question in questions] == [
        "Your move, MAX [a1 a2 a3] (? for help):",
        "Play again? [y/N]",
        "Your move, MAX [a1 a2 a3]:",
        "Play again? [y/N]",
    ]


def test_the_first_question_alone_says_how_to_get_help(ggp):
    out = ggp("play", "nim", "--option", "heaps=1,2", "--first", "human", "--second", "easy", input="x\nquit\n").out
    questions = [line for line in out.splitlines() if line.startswith("Your move")]
    assert ["(? for help): " in line for line in questions] == [True, False]


def test_a_question_with_long_moves_is_wrapped(ggp):
    out = ggp("play", "gdl:tictactoe", "--first", "human", "--second", "human", input="mark-2-2\nquit\n").out
    assert (
        "\nYour move, x [mark-1-1 mark-1-2 mark-1-3 mark-2-1 mark-2-2 mark-2-3 mark-3-1\n"
        "mark-3-2 mark-3-3] (? for help): mark-2-2\n"
    ) in out


def test_hint_and_analysis_favour_the_same_player(ggp):
    sides = ("--south", "easy", "--north", "human", "--quiet")
    out = ggp("play", "kalah", "--option", "houses=3", "--option", "seeds=2", *sides, input="hint\nanalyse\nquit\n").out
    hint = next(line for line in out.splitlines() if line.startswith(("best is ", "hard would play ")))
    move, value = hint.split(": ")[0].split()[-1], hint.split(": ")[1].split(" (")[0]
    assert f"{move} {value}" in " ".join(out.split("Worth ")[1].split())
