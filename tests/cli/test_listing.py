"""`ggp games`, `ggp searchers`, help and the program itself."""

import json
import subprocess
import sys

import click
import pytest

import ggp as framework
from ggp.cli.app import COMMANDS, program


def test_games_are_listed_with_summary_source_and_parameters(ggp):
    found = ggp("games")
    assert found.status == 0
    assert "tictactoe" in found.out
    assert "[toys (ggp" in found.out
    assert "heaps=3,4,5" in found.out
    assert all(len(line) <= 80 for line in found.out.splitlines())


@pytest.mark.parametrize("kind", ["games", "searchers"])
def test_json_lists_what_the_registry_has_with_every_parameter(ggp, kind):
    listed = {each["name"]: each for each in json.loads(ggp(kind, "--json").out)}
    entries = getattr(framework.load_registry(), kind)
    assert list(listed) == list(entries)
    for name, entry in entries.items():
        assert set(listed[name]) == {"name", "summary", "source", "parameters"}
        assert [each["name"] for each in listed[name]["parameters"]] == [each.name for each in entry.options]


def test_json_tells_type_range_default_and_meaning_of_a_parameter(ggp):
    tictactoe = next(each for each in json.loads(ggp("games", "--json").out) if each["name"] == "tictactoe")
    k = next(each for each in tictactoe["parameters"] if each["name"] == "k")
    assert (k["default"], k["minimum"], k["maximum"]) == (3, 1, 19)
    assert k["type"] == "a whole number from 1 to 19"
    assert k["meaning"] == "cells in a row that win"


def test_a_named_game_is_told_with_players_and_evaluations(ggp):
    found = ggp("games", "tictactoe")
    assert "players: X (MAX) and O (MIN)" in found.out
    assert "nim" not in found.out
    data = json.loads(ggp("games", "pig", "--json").out)
    assert data[0]["chance"] is True
    assert "evaluations" in data[0]


def test_searchers_are_listed_with_options_and_limits(ggp):
    found = ggp("searchers")
    assert "alphabeta" in found.out
    assert "Limits of every searcher" in found.out
    assert found.out.count("evaluation=default") == 1
    assert "evaluation=default" in ggp("searchers", "minimax").out


def test_without_a_command_there_is_the_help(ggp):
    assert ggp().status == 0
    assert "Usage: ggp" in ggp().out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page_with_its_options(ggp, command):
    found = ggp(command, "--help")
    assert found.status == 0
    assert f"Usage: ggp {command}" in found.out
    assert "--help" in found.out
    assert found.err == ""


def test_the_version_is_that_of_the_distribution(ggp):
    assert ggp("--version").out.startswith("ggp 0.")


def test_a_plugin_file_adds_its_game_with_its_parameter(ggp, countdown):
    found = ggp("--plugin", countdown, "games")
    assert found.status == 0
    assert "countdown" in found.out
    assert "start=5" in found.out


def test_what_a_plugin_prints_on_import_stays_out_of_the_data(ggp, plugin):
    file = plugin("import ggp\nprint('hello')\n@ggp.hookimpl\ndef ggp_games():\n    return []\n")
    found = ggp("--plugin", file, "games", "--json")
    assert json.loads(found.out)
    assert "hello" in found.err


def test_version_is_a_command_too(ggp):
    assert ggp("version") == ggp("--version")
    assert ggp("version").out.startswith("ggp ")


def test_the_help_page_imports_no_command():
    code = "import sys, ggp.cli; ggp.cli.main(['--help']); print(*(m for m in sys.modules if m.startswith('ggp')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    imported = set(done.stdout.splitlines()[-1].split())
    assert not {f"ggp.cli.{name}" for name in COMMANDS} & imported
    assert not {each for each in imported if each.startswith(("ggp_solve", "ggp_search", "ggp.compiler", "ggp.play"))}


def test_the_help_page_says_of_every_command_what_the_command_says():
    context = click.Context(program)
    for name in program.list_commands(context):
        listed, command = program.listed(context, name), program.get_command(context, name)
        assert listed.get_short_help_str() == command.get_short_help_str()
        assert getattr(listed, "section", "More") == getattr(command, "section", "More")


def test_the_list_of_games_imports_neither_rich_nor_the_compiler_nor_players():
    code = "import sys, ggp.cli; ggp.cli.main(['games']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    imported = set(done.stdout.splitlines()[-1].split())
    assert "ggp_kalah.game" in imported
    assert not imported & {
        "rich",
        "ggp.compiler",
        "ggp.play",
        "ggp.experiments",
        "multiprocessing",
        "numpy",
        "llvmlite",
    }
