"""Endgame tablebases: the exact values of all positions of the lowest layers, for any game with a ranking.

`section_solver` finds the values of a layer; if positions come back, `layer_solver` does. `builder` writes the file of
a layer or of a whole game, or builds in memory. `inventory` lists the files of a directory, and `consistency` checks
them against the rules. Searches read tablebases by `ggp_search.tablebases`.
"""

from ggp_search.tablebases.directory import default_directory
from ggp_search.tablebases.ranking import ranking_of
from ggp_search.tablebases.tablebase import Tablebase, find_tablebase, open_tablebase

from ggp_solve.tablebases.builder import build, build_files, build_position_table
from ggp_solve.tablebases.consistency import verify

__all__ = [
    "Tablebase",
    "build",
    "build_files",
    "build_position_table",
    "default_directory",
    "find_tablebase",
    "open_tablebase",
    "ranking_of",
    "verify",
]
