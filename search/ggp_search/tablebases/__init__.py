"""Endgame tablebases: the exact values of all positions of the lowest grades, for any game with a ranking.

A *grade* (see `ggp.game.Ranking`) is one file, memory-mapped when it is used: `files` is its format, `shelf` its
name, `building` makes it, `opening` finds it again, `verifying` compares it with the rules, and `held` asks it.
"""

from ggp_search.tablebases.building import build_files
from ggp_search.tablebases.filling import ranking_of
from ggp_search.tablebases.held import Tablebase, build
from ggp_search.tablebases.opening import find_tablebase, open_tablebase
from ggp_search.tablebases.shelf import default_directory
from ggp_search.tablebases.verifying import verify

__all__ = [
    "Tablebase",
    "build",
    "build_files",
    "default_directory",
    "find_tablebase",
    "open_tablebase",
    "ranking_of",
    "verify",
]
