"""Provers, made for a game: machine speed where it can be had, a table, and a tablebase if there is one."""

from typing import Any

from ggp.game import Game
from ggp.searcher import Limits
from ggp_search.algorithms.alphabeta import AlphaBeta
from ggp_search.engine import speeds
from ggp_search.engine.driver import prepare
from ggp_search.engine.limits import Control
from ggp_search.engine.settings import settle
from ggp_search.proving import Prover, require_solvable
from ggp_search.tablebases.held import Tablebase


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
    prepare(Limits())
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
    engine = speeds.engine(game, state, AlphaBeta(), settings)
    engine.next_iteration()
    Control().watch(engine.counter)
    return Prover(game, engine)
