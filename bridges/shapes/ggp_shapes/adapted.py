"""Games of other frameworks as games of ggp: the part that all adapters share.

A state is whatever the framework uses: a board, or an object with its moves. States may change, since the rules get a
new copy at each call, see `ggp.frozen_games`. So the adapters are short, and are compiled with the game.
"""

import contextlib
import inspect
import io
import pathlib
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeAlias

import attrs

import ggp
from ggp import capabilities
from ggp.errors import PluginError
from ggp.frozen_games import playable
from ggp.frozen_states import freeze
from ggp.game import State

Theirs: TypeAlias = Any
"""An object of another framework: a game, a state, a move. The object's shape is checked when the object is recognized.
"""

SIZES = 6
"""The whole number that is passed to a class for a parameter without a default, such as the size of its board."""


@attrs.frozen
class Adapted:
    """A game of another framework; for each framework, a subclass defines how its games are played."""

    name: ClassVar[str]
    title: ClassVar[str]
    framework: ClassVar[str]
    theirs: ClassVar[Theirs]
    """The class or the module that was recognized."""
    repetition: ClassVar[str] = "draw"

    game: Theirs = ggp.constant(lambda adapted: repeatably(adapted.make))
    """The other framework's object, or the class or module itself."""
    beginning: Theirs = ggp.constant(lambda adapted: repeatably(adapted.start))
    """The initial state."""

    def __reduce__(self) -> tuple[object, ...]:
        return made_again, ((type(self).__module__, self.title), capabilities.parameters(self))

    def make(self) -> Theirs:
        """Return the game with these parameters."""
        return self.theirs(**capabilities.parameters(self))

    def start(self) -> Theirs:
        """Return the initial state."""
        raise NotImplementedError

    def initial_state(self) -> Theirs:
        return self.beginning

    def to_move(self, state: State) -> ggp.Player:
        raise NotImplementedError

    def actions(self, state: State) -> Iterable[Theirs]:
        raise NotImplementedError

    def result(self, state: Theirs, action: Theirs) -> Theirs:
        raise NotImplementedError

    def terminal_test(self, state: State) -> bool:
        raise NotImplementedError

    def worth(self, state: object) -> float:
        """Return the utility to MAX of a terminal state."""
        raise NotImplementedError

    def utility(self, state: Theirs, player: ggp.Player) -> float:
        return self.worth(state) if player == ggp.MAX else -self.worth(state)

    def draw(self, state: object) -> str:
        return self.picture(state).strip("\n") or written(state)

    def picture(self, state: object) -> str:
        """Return the board as text."""
        return written(state)


def written(value: object) -> str:
    """Return a value as text: as its class writes it, or with the value's attributes if the class defines no text."""
    cls: Any = type(value)
    bare = cls.__str__ is object.__str__ and cls.__repr__ is object.__repr__
    return repr(freeze(value)) if bare else str(value)


def sign(mover: ggp.Player) -> int:
    """Return 1 for MAX, and -1 for MIN."""
    return 1 if mover == ggp.MAX else -1


def repeatably(function: Callable[[], Theirs]) -> Theirs:
    """Return what a function returns. Random numbers that the function draws are the same in every process."""
    before = random.getstate()
    random.seed(0)
    try:
        return function()
    finally:
        random.setstate(before)


def shown(function: Callable[[], Theirs]) -> str:
    """Return the text that a function prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        function()
    return printed.getvalue()


def adapter(shape: type[Adapted], theirs: Theirs, fields: Mapping[str, object]) -> type | None:
    """Return the class of a game of another framework; None if it is only a base class of that framework.

    Arguments:
        fields: the options of the game, by name, with their defaults.

    Raises:
        PluginError: the game cannot be played from its start.
    """
    options: dict[str, Any] = {}
    for name, default in fields.items():
        options[name] = ggp.option(default, f"an argument of {theirs.__name__}")
        options[name].type = type(default)
    label = theirs.__name__ if isinstance(theirs, type) else pathlib.Path(theirs.__file__).stem
    made: Any = attrs.make_class(
        label, options, bases=(shape,), frozen=True, class_body={"__module__": theirs.__name__}
    )
    short_name = label.lower().removesuffix("game") or label.lower()
    made.__module__ = theirs.__module__ if isinstance(theirs, type) else theirs.__name__
    made.name, made.title, made.theirs = f"{shape.framework}-{short_name}", label, theirs
    first = (inspect.getdoc(theirs) or "").strip().splitlines()[:1]
    made.__doc__ = f"{label}, a game written for {shape.framework}{': ' + first[0] if first else ''}"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            game = playable(made())
            state = game.initial_state()
            game.terminal_test(state) or game.result(state, next(iter(game.actions(state))))
    except NotImplementedError:
        return None
    except Exception as error:
        if inspect.isabstract(theirs) or label in BASES:
            return None
        raise PluginError(
            f"{label} looks like a game for {shape.framework}, but cannot be played: {type(error).__name__}: {error}"
        ) from error
    MADE[made.__module__, label] = adapted = made
    result: type = adapted
    return result


MADE: dict[tuple[str, str], Any] = {}
"""The classes of this process, by their modules and names, for `pickle`."""


def made_again(key: tuple[str, str], parameters: dict[str, object]) -> object:
    """Return the game with these parameters, made by the class that `MADE` has under this key."""
    return MADE[key](**parameters)


BASES = {"Game", "StochasticGame", "TwoPlayerGame"}
"""Names of the frameworks' own base classes."""


def arguments(function: Callable[..., object], skip: int = 0) -> dict[str, object]:
    """Return the arguments of a constructor with their defaults; `SIZES` takes the place of a missing default."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return {}
    kinds = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    given = {each.name: each.default for each in parameters if each.kind not in kinds}
    arguments = {name: SIZES if value is inspect.Parameter.empty else value for name, value in given.items()}
    return {name: value for name, value in arguments.items() if isinstance(value, bool | int | float | str)}
