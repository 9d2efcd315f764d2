"""`ggp new`: a tested skeleton of a game or a searcher."""

import importlib.util
import keyword
import pathlib
import re
import shutil
import sys

import click

from ggp.cli.console import echo
from ggp.cli.help import Helpful
from ggp.errors import GGPError, UsageError
from ggp.files import reason

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "ggp-NAME"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["ggp[fast,testing]"]

[project.entry-points.ggp]
NAME = "ggp_NAME"

[tool.hatch.build.targets.wheel]
packages = ["ggp_NAME"]

[tool.pytest.ini_options]
pythonpath = ["."]
"""

GAME = '''\
"""CLASS, a game for ggp."""

import attrs

import ggp


@attrs.frozen
class CLASS:
    """CLASS: take stones from a heap in turn; whoever takes the last one wins."""

    name = "NAME"

    stones: int = ggp.option(12, "stones in the heap", minimum=1, maximum=1000)

    def initial_state(self):
        return (self.stones, ggp.MAX)  # everything the rules depend on: here the heap, and who is to move

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if state[1] == player else 1  # to the player: the other one has taken the last stone


@ggp.hookimpl
def ggp_games():
    return [CLASS]
'''

GAME_TEST = """\
import ggp
from ggp_NAME import CLASS

from ggp.testing import check_game, perft


def test_the_game_keeps_every_promise():
    check_game(CLASS())


def test_the_number_of_plays_is_known():
    game = CLASS()
    assert [perft(game, game.initial_state(), depth) for depth in range(4)] == [1, 3, 9, 27]


def test_who_wins_is_known():
    game = CLASS(stones=8)  # a multiple of 4 is lost for whoever is to move
    assert ggp.load_registry().searcher("alphabeta").search(game, game.initial_state()).value == -1
"""

SEARCHER = '''\
"""CLASS, a searcher for ggp."""

import attrs

import ggp
from ggp.game import MAX
from ggp_search import TreeSearcher


def NAME(game, search, state, depth, choice):
    """Return the minimax value of a state `depth` plies ahead, and the best action."""
    best = search.lowest if game.to_move(state) == MAX else search.highest
    for action in search.order(state, depth, choice):
        child = search.value(game.result(state, action), depth - 1)
        if child > best if game.to_move(state) == MAX else child < best:
            best, choice = child, action
    return best, choice


@attrs.frozen(kw_only=True)
class CLASS(TreeSearcher):
    """CLASS: visits every node down to the depth limit."""

    name = "NAME"
    recursion = staticmethod(NAME)
    windowed = False


@ggp.hookimpl
def ggp_searchers():
    return [CLASS]
'''

SEARCHER_TEST = """\
import ggp
from ggp_NAME import CLASS

from ggp.testing import check_exact_searcher


def test_the_searcher_finds_the_values_of_minimax():
    check_exact_searcher(CLASS())


def test_figure_5_2_is_worth_3():
    fig52 = ggp.load_registry().game("fig52")
    assert CLASS().search(fig52, fig52.initial_state()).value == 3
"""

README = """\
# NAME

A KIND for ggp. `pytest` runs its tests, `ggp --plugin ggp_NAME/__init__.py TRY` tries it out, and
`pip install -e .` installs it, so that `ggp` finds it without --plugin.
"""

ROLES = {
    "game": (GAME, GAME_TEST, "check NAME"),
    "searcher": (SEARCHER, SEARCHER_TEST, "search kalah --depth 6 --searcher NAME"),
}


@click.command("new", cls=Helpful)
@click.argument("role", metavar="KIND", type=click.Choice(list(ROLES)))
@click.argument("name", metavar="NAME")
@click.option("--directory", type=click.Path(file_okay=False, path_type=pathlib.Path), default=pathlib.Path(),
              help="Create the folder in this directory (default: the current one).")  # fmt: skip
def command(role: str, name: str, directory: pathlib.Path) -> None:
    """Create a folder with a working game or searcher and its test.

    KIND is `game` or `searcher`. Replace the rules with your own and run pytest again.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} cannot be the name of a {role}: use lower-case letters, digits and _")
    folder = directory / name
    if folder.exists():
        raise UsageError(f"{folder} already exists; choose another name or another --directory")
    source, test, trial = ROLES[role]
    files = {
        "pyproject.toml": PYPROJECT,
        "README.md": README.replace("TRY", trial),
        f"ggp_{name}/__init__.py": source,
        f"test_{name}.py": test,
    }
    try:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(_filled(text, role, name), encoding="utf-8")
    except OSError as error:
        raise GGPError(f"{folder} cannot be written: {reason(error)}") from None
    echo(f"created {folder} with pyproject.toml, README.md, ggp_{name} and test_{name}.py")
    echo(f"next: cd {folder} && {_pytest()}")


def _pytest() -> str:
    """Return the command that runs pytest in this environment; if pytest is missing, the command installs it first."""
    if importlib.util.find_spec("pytest") is None or importlib.util.find_spec("hypothesis") is None:
        return f"{sys.executable} -m pip install -e . && {sys.executable} -m pytest"
    program = shutil.which("pytest")
    here = program is not None and pathlib.Path(program).parent == pathlib.Path(sys.executable).parent
    return "pytest" if here else f"{sys.executable} -m pytest"  # the environment may not be activated


def _filled(text: str, role: str, name: str) -> str:
    title = "".join(part.capitalize() for part in name.split("_"))
    return text.replace("CLASS", title).replace("NAME", name).replace("KIND", role)
