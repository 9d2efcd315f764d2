"""Speed: the functions of an enumeration run as machine code, or as they are written."""

import functools
import os
from collections.abc import Callable
from typing import Any

from ggp import compiler
from ggp.errors import OptionError, UsageError
from ggp.game import MAX, AnyGame, State

SPEEDS = ("auto", "compiled", "interpreted")


def wanted() -> str:
    """Return the speed that the environment's GGP_SPEED asks for.

    Raises:
        OptionError: it asks for none that there is.
    """
    named = os.environ.get("GGP_SPEED") or "auto"
    if named not in SPEEDS:
        raise OptionError(f"GGP_SPEED cannot be {named!r}: it is one of {', '.join(SPEEDS)}")
    return named


class Interpreted:
    """Runs functions as they are written."""

    name = "interpreted"
    chunk = 2000
    """Positions between two looks at the clock."""

    def __call__(self, function: Callable[..., Any], known: Any, *values: Any) -> Any:
        return function(known, *values)


class Compiled:
    """Runs functions as machine code, whose variables are those of the known objects before and after each call."""

    name = "compiled"
    chunk = 100_000

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._codes: dict[tuple[Any, int], tuple[Any, Any, Any]] = {}

    @functools.cached_property
    def kind(self) -> compiler.Type:
        """The type of the states."""
        return compiler.compile(_plies, self.game, compiler.STATE, game=self.game).arguments[0]

    def __call__(self, function: Callable[..., Any], known: Any, *values: Any) -> Any:
        key = function, id(known)
        if key not in self._codes:
            kinds = [_KINDS.get(type(value), self.kind) for value in values]
            code = compiler.compile(function, known, *kinds, game=self.game)
            self._codes[key] = code, code.variables(), known  # so that no other object gets its id
        code, variables, _ = self._codes[key]
        things = [(place, thing, name) for place, thing in enumerate(code.objects) for name in type(thing).variables]
        for place, thing, name in things:
            variables.set(place, name, getattr(thing, name))
        result = code(variables, *values)
        for place, thing, name in things:
            setattr(thing, name, variables.get(place, name))
        return result


_KINDS = {int: compiler.INT, float: compiler.FLOAT}


def runner(game: AnyGame, state: State, speed: str | None = None) -> tuple[Interpreted | Compiled, str | None]:
    """Return what runs the functions of enumeration, and why that is not machine code, where it could have been.

    Arguments:
        speed: "auto", "compiled" or "interpreted"; None asks the environment's GGP_SPEED.

    Raises:
        UsageError: "compiled" is asked for, and the game cannot be compiled.
    """
    speed = speed or wanted()
    if speed == "interpreted":
        return Interpreted(), None
    try:
        compiler.compile(_plies, game, compiler.STATE, game=game)
    except (compiler.Refused, compiler.NotRepresentable) as error:
        if speed == "compiled":
            raise UsageError(f"{game.name} cannot be enumerated at machine speed: {error}") from None
        return Interpreted(), str(error)
    return Compiled(game), None


def _plies(game: AnyGame, state: State) -> float:
    """Call all that enumeration calls, to see whether it can be compiled."""
    if game.terminal_test(state):
        return float(game.utility(state, MAX))
    number = float(game.to_move(state))
    for action in game.actions(state):
        if game.result(state, action) == state:
            number += 1
    return number
