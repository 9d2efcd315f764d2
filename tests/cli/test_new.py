"""`ggp new`, `ggp rules`, `ggp help`, and names that are almost right."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import pytest

from ggp.cli.app import main


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["game", "searcher"])
def test_a_new_plugin_passes_its_own_tests(kind, tmp_path):
    assert main(["new", kind, "clobber", "--directory", str(tmp_path)]) == 0
    tests = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(tests, cwd=tmp_path / "clobber", capture_output=True, text=True, check=False)  # noqa: S603
    assert run.returncode == 0, run.stdout + run.stderr
    for file in (tmp_path / "clobber").rglob("*.*"):
        assert file.is_dir() or file.suffix == ".pyc" or len(file.read_text().splitlines()) <= 45


@pytest.mark.parametrize(
    ("missing", "on_path", "printed"),
    [
        (None, True, "&& pytest"),
        (None, False, f"&& {sys.executable} -m pytest"),
        ("pytest", True, f"&& {sys.executable} -m pip install -e . && {sys.executable} -m pytest"),
    ],
)
def test_the_next_command_works_in_the_environment_of_ggp(missing, on_path, printed, tmp_path, monkeypatch, capsys):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else found(name))
    folder = pathlib.Path(sys.executable).parent if on_path else tmp_path
    monkeypatch.setattr(shutil, "which", lambda name: str(folder / name))
    assert main(["new", "game", "clobber", "--directory", str(tmp_path)]) == 0
    assert capsys.readouterr().out.replace("\n", " ").rstrip().endswith(printed)


def test_what_is_there_is_not_written_over(tmp_path, capsys):
    assert main(["new", "game", "clobber", "--directory", str(tmp_path)]) == 0
    assert main(["new", "game", "clobber", "--directory", str(tmp_path)]) == 2
    assert "already exists" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["Clobber", "2048", "con nect", "class", "../x", ""])
def test_a_name_that_cannot_be_a_module_is_refused(name, tmp_path, capsys):
    assert main(["new", "game", name, "--directory", str(tmp_path)]) == 2
    assert "cannot be the name of a game: use lower-case letters, digits and _" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["serch"], "there is no command 'serch' (did you mean search?)"),
        (["rules", "kalha"], "there is no game 'kalha' (did you mean kalah?)"),
        (["search", "nim", "--searcher", "alphabet"], "there is no searcher 'alphabet' (did you mean alphabeta?)"),
        (["xyzzy"], "there is no command 'xyzzy': the commands are"),
    ],
)
def test_a_name_that_is_almost_right_is_proposed(arguments, said, capsys):
    assert main(arguments) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_help_shows_the_page_of_a_command(capsys):
    assert main(["help", "perft"]) == 0
    assert "Usage: ggp perft" in capsys.readouterr().out
    assert main(["help"]) == 0
    assert "Usage: ggp [OPTIONS] COMMAND" in capsys.readouterr().out


def test_help_explains_games_and_searchers_too(ggp):
    assert ggp("help", "nim") == ggp("games", "nim")
    assert ggp("help", "scout") == ggp("searchers", "scout")
    assert "command 'chess'" in ggp("help", "chess").err


def test_the_other_spelling_of_analyse_is_known(capsys):
    assert main(["analyze", "--help"]) == 0
    assert "Usage: ggp analyse" in capsys.readouterr().out


def test_rules_prints_title_rules_and_players(capsys):
    assert main(["rules", "connectfour"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Connect Four\n")
    assert "Players: " in printed


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (["domineering"], "Players: Vertical, who begins, and Horizontal.\n"),
        (["domineering", "--option", "first=horizontal"], "Players: Vertical and Horizontal, who begins.\n"),
        (["pancakes"], "Player: the cook, alone.\n"),
    ],
)
def test_rules_say_who_begins(capsys, game, said):
    assert main(["rules", *game]) == 0
    assert capsys.readouterr().out.endswith(said)
