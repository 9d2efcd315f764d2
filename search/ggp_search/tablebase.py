"""Endgame tablebases in memory; see `ggp_search.tablebases`."""

from ggp_search.tablebases.filling import filling_code, ranking_of
from ggp_search.tablebases.held import Tablebase, build

__all__ = ["Tablebase", "build", "filling_code", "ranking_of"]
