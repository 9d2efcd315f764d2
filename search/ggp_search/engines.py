"""The two speeds: machine code where it can be had, and interpreted otherwise."""

from collections.abc import Callable
from typing import Any

from ggp.errors import UsageError
from ggp.game import Compiled, Game
from ggp_search import interpreted, machine
from ggp_search.driver import Engine
from ggp_search.parts import interpreted as as_it_is
from ggp_search.settings import Settings


def engine(
    game: Game[Any, Any], state: Any, recursion: Callable[..., Any], windowed: bool, chance: bool, settings: Settings
) -> Engine:
    """The engine for one search.

    Arguments:
        recursion: `recursion(parts, compile)`.
        windowed: whether what it makes takes a window.
        chance: whether it weighs chance.

    Raises:
        UsageError: machine code is demanded and cannot be had.
    """
    why_not = _why_not(game, settings)
    if why_not is None:
        from ggp_search import compiled_engine

        try:
            return compiled_engine.engine(game, state, recursion, windowed, chance, settings)
        except OverflowError as error:
            why_not = str(error)
        except machine.compilation_errors() as error:
            why_not = f"its compiled form does not compile: {' '.join(str(error).split())[:300]}"
    if settings.speed == "compiled":
        raise UsageError(f"{game.name} cannot be searched at machine speed: {why_not}")
    note = why_not if isinstance(game, Compiled) and settings.speed == "auto" else None
    return interpreted_engine(game, recursion, windowed, settings, note)


def interpreted_engine(
    game: Game[Any, Any], recursion: Callable[..., Any], windowed: bool, settings: Settings, note: str | None = None
) -> Engine:
    """The engine that runs a recursion as it is written."""
    parts = interpreted.parts(game, settings)
    made = recursion(parts, as_it_is)
    return interpreted.InterpretedEngine(game, made, windowed, settings.evaluation, parts, note)


def _why_not(game: Game[Any, Any], settings: Settings) -> str | None:
    """Why there is no machine code for this search, in a clause; None if there is."""
    if settings.speed == "interpreted":
        return "GGP_SPEED or the option speed says interpreted"
    if not isinstance(game, Compiled):
        return "it offers no compiled form"
    if not machine.available():
        return "numba is not installed: pip install 'ggp[fast]' gives machine speed"
    if settings.evaluation_name is None:
        return "the evaluation is a function of the caller's own, which is interpreted"
    if settings.evaluation_name and settings.evaluation_name not in game.compiled(as_it_is).evaluations:
        return f"its compiled form has no evaluation {settings.evaluation_name!r}"
    return None
