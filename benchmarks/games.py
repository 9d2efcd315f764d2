"""Games: how many games each framework has."""

import pathlib
from collections.abc import Callable

from benchmarks.ours import registry
from benchmarks.peers import imported
from benchmarks.report import NONE, ReportTable, Section
from benchmarks.rounds import Unavailable
from benchmarks.scale import Scale

OTHER_FRONT_ENDS = ("-Flask", "-Kivy")
"""Suffixes of easyAI's modules that only show the game of another module in a different way."""


def games(scale: Scale) -> Section:
    """Count the games."""
    counts: dict[str, Callable[[], int]] = {
        "ggp": lambda: len(registry().games),
        "open_spiel": spiel_games,
        "open_spiel, of the kind that ggp plays": served_games,
        "easyAI": easy_games,
    }
    rows = tuple(_row(name, count) for name, count in counts.items())
    return Section(
        "Games",
        "For ggp, the games of the built-in plugins are counted. For open_spiel, the registered games are counted,"
        " including those written in Python. ggp plays their zero-sum games for two players with perfect information,"
        " and puzzles for one player: `ggp games openspiel:` lists them. For easyAI, the modules of easyAI.games are"
        " counted, without second front ends.",
        (ReportTable(("framework", "games"), rows),),
    )


def _row(name: str, count: Callable[[], int]) -> tuple[str, str]:
    try:
        return name, f"{count():,}"
    except Unavailable as error:
        return f"{name}: {error}", NONE


def spiel_games() -> int:
    """Return how many games open_spiel registers. Raises Unavailable if the framework is not installed."""
    imported("open_spiel.python.games")  # registers those written in Python
    names = [each.short_name for each in imported("pyspiel").registered_games()]
    return sum(not name.startswith("ggp_") for name in names)  # the bridge may have registered ours


def served_games() -> int:
    """Return how many of OpenSpiel's games ggp can play. Raises Unavailable if the framework is not installed."""
    imported("pyspiel")
    return len(registry().game_names("openspiel"))


def easy_games() -> int:
    """Return how many games easyAI has. Raises Unavailable if the framework is not installed."""
    folder = pathlib.Path(str(imported("easyAI").__file__)).parent / "games"
    modules = [file.stem for file in folder.glob("[A-Z]*.py")]
    if not modules:
        raise Unavailable("easyAI was installed without its games")
    return sum(not name.endswith(OTHER_FRONT_ENDS) for name in modules)
