"""Provers, made for a game: machine speed where it can be had, a table, and a tablebase if there is one."""

import sys
from typing import Any

from ggp.game import Game
from ggp_search import alphabeta, engines
from ggp_search.driver import allow_recursion
from ggp_search.proving import Prover, require_solvable
from ggp_search.settings import settle
from ggp_search.tablebase import Tablebase


def new_prover(
    game: Game[Any, Any], state: Any, *, memory: float = 64, threads: int = 1, tablebase: Tablebase | None = None
) -> Prover:
    """A prover of values of `game`, which begins with nothing.

    Arguments:
        state: any state of those that it will be asked about.
        memory: megabytes of table.

    Raises:
        UnsupportedGameError: the game is one of chance.
    """
    require_solvable(game)
    allow_recursion()
    settings = settle(
        game,
        wanted="default",
        table=memory,
        ordering="auto",
        bounds=None,
        enhanced=True,
        speed="auto",
        threads=threads,
        endgames=tablebase,
    )
    engine = engines.engine(game, state, alphabeta.alphabeta, True, False, settings)
    engine.next_iteration()
    engine.live.limit = sys.maxsize
    return Prover(game, engine)
