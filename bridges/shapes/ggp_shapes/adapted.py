"""Games of other frameworks as games of ggp: what all adapters share."""

import contextlib
import copy
import inspect
import io
import pathlib
import random
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar

import attrs

import ggp
from ggp import capabilities
from ggp.errors import IllegalActionError, NotationError, PluginError
from ggp.escapes import short

START = "start"
"""The text of the initial state."""
SIZES = 6
"""The value of a whole number that a class demands without a default, such as the size of its board."""


def frozen(value: Any) -> Hashable:
    """Return a hashable form of a value, by which it can be compared: of its items or attributes."""
    if isinstance(value, str | int | float | bool | bytes | None):
        return value
    if isinstance(value, Mapping):
        return "mapping", frozenset((frozen(key), frozen(each)) for key, each in value.items())
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(frozen, value))
    if isinstance(value, list | tuple):
        return tuple(map(frozen, value))
    if hasattr(value, "tobytes") and hasattr(value, "shape"):  # an array of NumPy
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, type) or inspect.isroutine(value):
        return value
    parts = getattr(value, "__dict__", None)
    if parts is not None:
        return type(value).__name__, frozen(parts)
    return value if isinstance(value, Hashable) else repr(value)


class AdaptedState:
    """A state of another framework, with the places of the actions that led to it among the legal ones."""

    __slots__ = ("history", "key", "mover", "value")

    def __init__(self, value: Any, mover: ggp.Player, history: tuple[int, ...], key: Hashable = None) -> None:
        self.value, self.mover, self.history = value, mover, history
        self.key = (frozen(value), mover) if key is None else key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AdaptedState) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"the state after {len(self.history)} actions"


class AdaptedAction:
    """A legal action of another framework: compared by its form, for it may be a list or an array."""

    __slots__ = ("key", "place", "value")

    def __init__(self, value: Any, place: int) -> None:
        self.value, self.place, self.key = value, place, frozen(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AdaptedAction) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return str(self.value)


@attrs.frozen
class Adapted:
    """A game of another framework; a subclass for each framework says how it is played.

    The methods that frameworks differ in get the value of a state and the player to move.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    framework: ClassVar[str]
    theirs: ClassVar[Any]
    """The class, or the module, that was recognized."""
    compiled: ClassVar[bool] = False
    repetition: ClassVar[str] = "draw"

    game: Any = ggp.constant(lambda adapted: repeatably(adapted.make))
    """The other framework's object, or its class or module."""
    beginning: Any = ggp.constant(lambda adapted: repeatably(adapted.start))
    """The initial state and the player to move."""

    def __reduce__(self) -> tuple[Any, ...]:
        return made_again, ((type(self).__module__, self.title), capabilities.parameters(self))

    # what the frameworks differ in

    def make(self) -> Any:
        """Return the game with these parameters."""
        return self.theirs(**capabilities.parameters(self))

    def start(self) -> tuple[Any, ggp.Player]:
        """Return the initial state, and the player to move."""
        raise NotImplementedError

    def legal(self, value: Any, mover: ggp.Player) -> Iterable[Any]:
        """Return the legal actions of a state that is not terminal."""
        raise NotImplementedError

    def after(self, value: Any, mover: ggp.Player, action: Any) -> tuple[Any, ggp.Player]:
        """Return the state after an action, and the player to move then; the state itself stays as it is."""
        raise NotImplementedError

    def over(self, value: Any, mover: ggp.Player) -> bool:
        """Return whether the game is over."""
        raise NotImplementedError

    def worth(self, value: Any, mover: ggp.Player) -> float:
        """Return the utility to MAX of a terminal state."""
        raise NotImplementedError

    def picture(self, value: Any) -> str:
        """Return the board as text."""
        return str(value)

    # the game

    def initial_state(self) -> AdaptedState:
        value, mover = self.beginning
        return AdaptedState(value, mover, ())

    def to_move(self, state: AdaptedState) -> ggp.Player:
        return state.mover

    def actions(self, state: AdaptedState) -> list[AdaptedAction]:
        found = [AdaptedAction(each, place) for place, each in enumerate(self.legal(state.value, state.mover))]
        return list(dict.fromkeys(found))

    def result(self, state: AdaptedState, action: AdaptedAction) -> AdaptedState:
        value, mover = self.after(state.value, state.mover, action.value)
        return AdaptedState(value, mover, (*state.history, action.place))

    def terminal_test(self, state: AdaptedState) -> bool:
        return bool(self.over(state.value, state.mover))

    def utility(self, state: AdaptedState, player: ggp.Player) -> float:
        value = float(self.worth(state.value, state.mover))
        return value if player == ggp.MAX else -value

    def draw(self, state: AdaptedState) -> str:
        return self.picture(state.value).strip("\n") or self.format_state(state)

    def format_state(self, state: AdaptedState) -> str:
        return ",".join(map(str, state.history)) or START

    def parse_state(self, text: str) -> AdaptedState:
        state = self.initial_state()
        for part in [] if text.strip() == START else text.split(","):
            places = {} if self.terminal_test(state) else {str(each.place): each for each in self.actions(state)}
            if part.strip() not in places:
                raise NotationError(
                    f"{short(text)!r} is not a state of {self.name}: it is written {START!r}, or as the places of the"
                    f" moves from there among the legal ones, separated by commas; {short(part.strip())!r} is none"
                )
            state = self.result(state, places[part.strip()])
        return state

    def format_action(self, state: AdaptedState, action: AdaptedAction) -> str:
        return self._texts(state)[action]

    def _texts(self, state: AdaptedState) -> dict[AdaptedAction, str]:
        """Return the text of each legal action as one word; its place where texts are the same."""
        legal = self.actions(state)
        words = ["".join(str(each.value).split()) or str(each.place) for each in legal]
        return {
            each: word if words.count(word) == 1 else str(each.place) for each, word in zip(legal, words, strict=True)
        }

    def parse_action(self, state: AdaptedState, text: str) -> AdaptedAction:
        word = "".join(text.split())
        texts = {} if self.terminal_test(state) else self._texts(state)
        for action, name in texts.items():
            if word == name or word == name.strip("(),"):
                return action
        right = ", ".join(texts.values()) or "none"
        raise IllegalActionError(f"{short(text)!r} is not an action here: they are {short(right, 300)}")


def repeatably(function: Callable[[], Any]) -> Any:
    """Return what a function returns; if it draws at random, the same in every process."""
    before = random.getstate()
    random.seed(0)
    try:
        return function()
    finally:
        random.setstate(before)


def shown(function: Callable[[], Any]) -> str:
    """Return what a function prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        function()
    return printed.getvalue()


def copied(value: Any) -> Any:
    """Return a deep copy of a value, which other frameworks may change."""
    return copy.deepcopy(value)


def adapter(shape: type[Adapted], theirs: Any, fields: Mapping[str, Any]) -> type | None:
    """Return the class of a game of another framework; None if it is only a base class of that framework.

    Arguments:
        fields: the options of the game, by name, with their defaults.

    Raises:
        PluginError: the game cannot be played from its start.
    """
    options = {}
    for name, default in fields.items():
        options[name] = ggp.option(default, f"an argument of {theirs.__name__}")
        options[name].type = type(default)
    label = theirs.__name__ if isinstance(theirs, type) else pathlib.Path(theirs.__file__).stem
    made: Any = attrs.make_class(
        label, options, bases=(shape,), frozen=True, class_body={"__module__": theirs.__name__}
    )
    short_name = label.lower().removesuffix("game") or label.lower()
    made.__module__ = getattr(theirs, "__module__", theirs.__name__)
    made.name, made.title, made.theirs = f"{shape.framework}-{short_name}", label, theirs
    first = (inspect.getdoc(theirs) or "").strip().splitlines()[:1]
    made.__doc__ = f"{label}, a game written for {shape.framework}{': ' + first[0] if first else ''}"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            game = made()
            state = game.initial_state()
            game.terminal_test(state) or game.result(state, game.actions(state)[0])
    except NotImplementedError:
        return None
    except Exception as error:
        if inspect.isabstract(theirs) or label in BASES:
            return None
        raise PluginError(
            f"{label} looks like a game for {shape.framework}, but cannot be played: {type(error).__name__}: {error}"
        ) from error
    MADE[made.__module__, label] = found = made
    result: type = found
    return result


MADE: dict[tuple[str, str], Any] = {}
"""The classes of this process, by their modules and names, for `pickle`."""


def made_again(key: tuple[str, str], parameters: dict[str, Any]) -> Any:
    """Return the game of a class in `MADE`."""
    return MADE[key](**parameters)


BASES = {"Game", "StochasticGame", "TwoPlayerGame"}
"""Names of the frameworks' own base classes."""


def arguments(function: Callable[..., Any], skip: int = 0) -> dict[str, Any]:
    """Return the arguments of a constructor with their defaults; a number that has none gets `SIZES`."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return {}
    kinds = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    given = {each.name: each.default for each in parameters if each.kind not in kinds}
    found = {name: SIZES if value is inspect.Parameter.empty else value for name, value in given.items()}
    return {name: value for name, value in found.items() if isinstance(value, bool | int | float | str)}
