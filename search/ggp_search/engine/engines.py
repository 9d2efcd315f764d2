"""One search engine for one search: the recursion run as it is written, or as machine code."""

from typing import Any

from ggp import compiler
from ggp.compiler import machine
from ggp.errors import UsageError
from ggp.game import Game
from ggp_search.engine.driver import Engine
from ggp_search.engine.interpreted_engine import interpreted
from ggp_search.engine.search import Recursion
from ggp_search.engine.settings import Settings


def is_ready(game: Game[Any, Any], state: Any, recursion: Recursion, settings: Settings) -> bool:
    """Return whether an engine is made without compiling: it has to be interpreted, or its code is kept."""
    if settings.speed != "auto" or settings.evaluation_name is None or not machine.available():
        return True
    from ggp_search.engine.compiled_engine import is_kept

    try:
        return is_kept(game, state, recursion, settings)
    except compiler.Refused:
        return True


def engine(game: Game[Any, Any], state: Any, recursion: Recursion, settings: Settings) -> Engine:
    """Return the engine for one search: machine code where it can be had, and interpreted otherwise.

    Raises:
        UsageError: machine code is demanded and cannot be had.
    """
    if settings.speed == "interpreted":
        return interpreted(game, recursion, settings)
    if settings.evaluation_name is None:
        why = "the evaluation is a function of the caller's own, which is interpreted"
    else:
        from ggp_search.engine.compiled_engine import compiled

        try:
            return compiled(game, state, recursion, settings)
        except compiler.Refused as error:
            why = str(error)
    if settings.speed == "compiled":
        raise UsageError(f"{game.name} cannot be searched at machine speed: {why}")
    return interpreted(game, recursion, settings, why)
