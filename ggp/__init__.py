"""ggp plays any two-player zero-sum game of perfect information, with or without chance.

A game is a plugin, a searcher is a plugin, and any searcher plays any game that it can search:

    import ggp

    registry = ggp.load_registry()
    kalah = registry.game("kalah", houses=6, seeds=4)
    found = registry.searcher("alphabeta").search(kalah, kalah.initial_state(), ggp.Limits(depth=8))

The protocols are in `game` and `searcher`, the optional capabilities of games in `capabilities`, and their parameters
in `options`. `plugins` is the registry; `plugin_entries`, `plugin_files`, `plugin_hooks` and `plugin_faults` belong
to it. `board_game`, `grid`, `point_board` and `bits` are boards for authors, drawn by `scene`; `plain_board` is for
games without a scene. `frozen_games` and
`frozen_states` are for games whose states change. `opening_book` and `opening_table` hold values of positions that were
solved before, and `levels` has the strengths of the machine players. `repetition` and `pie_rule` are rules that many
games share. `files` and `storage` write files, `errors` has all errors, and `watchdog` and `rule_faults` find rules
that fail.
"""

from ggp.bits import Bits
from ggp.board_game import BoardGame
from ggp.errors import (
    ConformanceError,
    DepthError,
    ForfeitError,
    GGPError,
    GGPWarning,
    IllegalActionError,
    NotationError,
    OptionError,
    PluginError,
    RecordError,
    StoreError,
    TablebaseError,
    UnknownNameError,
    UnsupportedGameError,
    UsageError,
)
from ggp.game import CHANCE, MAX, MIN, Evaluation, Game, Player, Ranking, StochasticGame
from ggp.grid import Grid
from ggp.options import constant, option
from ggp.plugins import Registry, hookimpl, load_registry
from ggp.point_board import Points
from ggp.scene import Cell, Line, Move, Scene
from ggp.searcher import Limits, Searcher, SearchResult, Statistics

__all__ = [
    "CHANCE",
    "MAX",
    "MIN",
    "Bits",
    "BoardGame",
    "Cell",
    "ConformanceError",
    "DepthError",
    "Evaluation",
    "ForfeitError",
    "GGPError",
    "GGPWarning",
    "Game",
    "Grid",
    "IllegalActionError",
    "Limits",
    "Line",
    "Move",
    "NotationError",
    "OptionError",
    "Player",
    "PluginError",
    "Points",
    "Ranking",
    "RecordError",
    "Registry",
    "Scene",
    "SearchResult",
    "Searcher",
    "Statistics",
    "StochasticGame",
    "StoreError",
    "TablebaseError",
    "UnknownNameError",
    "UnsupportedGameError",
    "UsageError",
    "constant",
    "hookimpl",
    "load_registry",
    "option",
]
