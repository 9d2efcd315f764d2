"""The tablebase in the directory that is named on the command line."""

import pathlib

from ggp_search.tablebases.ranking import ranking_of
from ggp_search.tablebases.tablebase import Tablebase, find_tablebase

from ggp.capabilities import parameters
from ggp.cli.console import assignments
from ggp.errors import UsageError
from ggp.game import AnyGame


def in_directory(game: AnyGame, directory: str) -> Tablebase:
    """Return the game's tablebase in this directory.

    Raises:
        UsageError: the directory has no tablebase; the message says how to build one.
        UnsupportedGameError: the game has no tablebases.
        TablebaseError: a file is damaged, or belongs to another game.
    """
    base = find_tablebase(game, directory)
    if base is None:
        ranking_of(game)
        options = (f"--option {each}" for each in assignments(parameters(game)).split())
        right = f"`ggp tablebase build {' '.join((game.name, *options))} --directory {directory} --layer N` builds one"
        raise UsageError(f"there is no tablebase of this {game.name} in {pathlib.Path(directory)}: {right}")
    return base
