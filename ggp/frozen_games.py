"""Games whose states change: the rules get new states at each call, and the results of the rules are frozen.

See `ggp.frozen_states` for what is frozen, and how.
"""

import dataclasses
import functools
import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import attrs

from ggp.errors import ConformanceError
from ggp.frozen_states import attributes_of, freeze, in_order, is_own_value, thaw, vars_of
from ggp.game import ActionT, AnyGame, Evaluation, Player, State
from ggp.options import constant, option, options_of, values_of
from ggp.scene import Scene


@attrs.frozen(eq=False)
class FrozenGame:
    """A game that gives the author's rules a new state at each call, and freezes the states that they return.
    `playable` makes a subclass for each class of games, with the options and the capabilities of that class.
    """

    name: ClassVar[str]
    game_class: ClassVar[type]
    """The author's class of games."""

    inner: AnyGame = constant(
        lambda game: game.game_class(**{each.name: getattr(game, each.name) for each in options_of(game.game_class)})
    )
    """The game itself."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrozenGame) or type(self) is not type(other):
            return False
        one, two = self.inner, other.inner
        return bool(one == two or vars_of(one) == vars_of(two))

    def __hash__(self) -> int:
        return hash((type(self), repr(values_of(self))))

    def __reduce__(self) -> tuple[object, ...]:
        return playable, (self.inner,)

    def initial_state(self) -> object:
        return freeze(self.inner.initial_state())

    def to_move(self, state: State) -> Player:
        return freeze(self.inner.to_move(thaw(state)))  # type: ignore[no-any-return]

    def actions(self, state: State) -> Iterator[object]:
        for action in listed(self.inner.actions(thaw(state))):
            yield freeze(action)

    def result(self, state: object, action: object) -> object:
        return freeze(self.inner.result(thaw(state), thaw(action)))

    def terminal_test(self, state: State) -> bool:
        return bool(self.inner.terminal_test(thaw(state)))

    def utility(self, state: object, player: Player) -> float:
        return freeze(self.inner.utility(thaw(state), player))  # type: ignore[no-any-return]


class _Capabilities:
    """Capabilities of games; a `FrozenGame` gets the capabilities that the author's game has."""

    inner: Any

    def outcomes(self, state: State) -> Iterator[tuple[object, float]]:
        for action, probability in self.inner.outcomes(thaw(state)):
            yield freeze(action), freeze(probability)

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        return {
            name: attrs.evolve(each, function=functools.partial(_estimate, each.function))
            for name, each in self.inner.evaluations.items()
        }

    def score(self, state: State) -> float:
        return freeze(self.inner.score(thaw(state)))  # type: ignore[no-any-return]

    def key(self, state: object) -> object:
        return freeze(self.inner.key(thaw(state)))

    def canonical(self, state: State) -> object:
        return freeze(self.inner.canonical(thaw(state)))

    def bounds(self, state: State) -> tuple[float, float]:
        return freeze(self.inner.bounds(thaw(state)))  # type: ignore[no-any-return]

    def value_bounds(self, state: object) -> tuple[float, float]:
        return freeze(self.inner.value_bounds(thaw(state)))  # type: ignore[no-any-return]

    def passed(self, state: object) -> object:
        return freeze(self.inner.passed(thaw(state)))

    def quiet(self, state: object, action: object) -> bool:
        return bool(self.inner.quiet(thaw(state), thaw(action)))

    def suggest(self, state: object, action: object) -> int:
        return freeze(self.inner.suggest(thaw(state), thaw(action)))  # type: ignore[no-any-return]

    def layer(self, state: object) -> int:
        return freeze(self.inner.layer(thaw(state)))  # type: ignore[no-any-return]

    def positions(self, layer: int) -> int:
        return freeze(self.inner.positions(layer))  # type: ignore[no-any-return]

    def rank(self, state: object) -> int:
        return freeze(self.inner.rank(thaw(state)))  # type: ignore[no-any-return]

    def unrank(self, layer: int, rank: int) -> object:
        return freeze(self.inner.unrank(layer, rank))

    def turned(self, state: State) -> object:
        return freeze(self.inner.turned(thaw(state)))

    def format_state(self, state: object) -> str:
        return self.inner.format_state(thaw(state))  # type: ignore[no-any-return]

    def parse_state(self, text: str) -> object:
        return freeze(self.inner.parse_state(text))

    def format_action(self, state: object, action: object) -> str:
        return self.inner.format_action(thaw(state), thaw(action))  # type: ignore[no-any-return]

    def parse_action(self, state: object, text: str) -> object:
        return freeze(self.inner.parse_action(thaw(state), text))

    def draw(self, state: object) -> str:
        return self.inner.draw(thaw(state))  # type: ignore[no-any-return]

    def scene(self, state: object) -> Scene:
        scene: Scene = self.inner.scene(thaw(state))
        return attrs.evolve(scene, cells=tuple(attrs.evolve(each, action=freeze(each.action)) for each in scene.cells))

    def explain(self, state: object, action: object) -> str:
        return self.inner.explain(thaw(state), thaw(action))  # type: ignore[no-any-return]

    def known_values(self, state: object) -> Mapping[object, float]:
        return {freeze(action): freeze(value) for action, value in self.inner.known_values(thaw(state)).items()}

    @property
    def repetition(self) -> object:
        declared = self.inner.repetition
        return functools.partial(_estimate, declared) if callable(declared) else declared


COPIED = (
    "title", "rules", "player_names", "stochastic", "compiled", "arithmetic", "occurrences", "repetition_rule",
    "levels",
)  # fmt: skip
"""Attributes of the author's class that hold for the frozen game, too: they are copied."""


def _estimate(function: Callable[[object], float], state: object) -> float:
    return freeze(function(thaw(state)))  # type: ignore[no-any-return]


def playable(game: AnyGame) -> AnyGame:
    """Return a game with states that do not change: the game itself, if its states do not change."""
    if isinstance(game, FrozenGame):
        return game
    entry = _PLAYABLE.get(id(game))
    if entry is None or entry[0] is not game:
        while len(_PLAYABLE) >= MOST_PLAYABLE:
            _PLAYABLE.pop(next(iter(_PLAYABLE)), None)
        entry = _PLAYABLE[id(game)] = game, game if _is_frozen(game) else frozen_game(game)
    return entry[1]


def made_playable(game: AnyGame) -> AnyGame:
    """Return the result of `playable` for a game; the game itself if `playable` was not called. No rule is called."""
    entry = _PLAYABLE.get(id(game))
    return game if entry is None or entry[0] is not game else entry[1]


_PLAYABLE: dict[int, tuple[AnyGame, AnyGame]] = {}
"""Results of `playable`, by the `id` of the game."""
MOST_PLAYABLE = 32


def _is_frozen(game: AnyGame) -> bool:
    """Return whether a game's states and actions are values that do not change.

    All states must also have the same size, unless the game is never compiled. The first states are examined. If the
    first state contains None, that place may hold a list or a dictionary later. So the states of a random match are
    examined, too.
    """
    is_interpreted = hasattr(game, "compiled") and game.compiled is False
    dice, actions = random.Random(0), list[object]()
    try:
        first = state = game.initial_state()
        examined = MOST_EXAMINED if _has_none(first) else 1
        for number in range(examined):
            if number:
                state = game.result(state, dice.choice(actions))
            if freeze(state) is not state or (not is_interpreted and _varies(first, state)):
                return False
            if game.terminal_test(state):
                return True
            given = game.actions(state)
            if isinstance(given, set | frozenset):
                return False
            actions = list(itertools.islice(given, MOST_CHOICES))
            for action in actions[:1] or [None]:
                if freeze(action) is not action or (not is_interpreted and _varies(action, action)):
                    return False
            if not actions:
                return True
        return is_interpreted or examined > 1 or not _varies(first, game.result(first, actions[0]))
    except ConformanceError:
        raise
    except (Exception, SystemExit):  # whoever asks for the state gets the error
        return True


MOST_EXAMINED = 16
"""Maximum number of states of the random match."""
MOST_CHOICES = 1_000
"""Maximum number of actions from which a random match chooses: faulty rules may yield actions without end."""


def _has_none(value: object) -> bool:
    """Return whether a value is None, or has a part that is None."""
    return value is None or any(map(_has_none, _parts_of(value)))


def _varies(one: object, other: object) -> bool:
    """Return whether two states have tuples of different lengths at the same place.

    Sets, and objects whose attributes may change, also count as different.
    """
    if isinstance(one, frozenset) or is_own_value(one):
        return True
    if type(one) is not type(other):  # such as None at first, and an object later
        return other is not None and _varies(other, other)
    parts, others = _parts_of(one), _parts_of(other)
    return len(parts) != len(others) or any(map(_varies, parts, others))


def _parts_of(value: object) -> Sequence[object]:
    """Return the items of a tuple, or the fields of an object of attrs or dataclasses."""
    if isinstance(value, tuple):
        return value
    if attrs.has(type(value)) or dataclasses.is_dataclass(value):
        return [getattr(value, name) for name in attributes_of(value)]
    return ()


def frozen_game(game: AnyGame) -> AnyGame:
    """Return a game whose states are frozen."""
    made = _subclass(type(game))
    try:
        frozen = made(**values_of(game))
    except Exception:  # a class whose arguments are no options
        frozen = object.__new__(made)
    object.__setattr__(frozen, "inner", game)
    return frozen


def same_options(cls: Callable[..., object]) -> dict[str, Any]:
    """Return the options of a class as fields of another class."""
    fields: dict[str, Any] = {}
    for each in options_of(cls):
        fields[each.name] = option(
            each.default, each.meaning, minimum=each.minimum, maximum=each.maximum, choices=each.choices, path=each.path
        )
        fields[each.name].type = each.type
    return fields


@functools.cache
def _subclass(cls: type) -> type[FrozenGame]:
    body: dict[str, object] = {
        name: member for name, member in vars(_Capabilities).items() if name[0] != "_" and hasattr(cls, name)
    }
    body |= {name: property(functools.partial(_of_inner, name=name)) for name in COPIED if hasattr(cls, name)}
    for name in COPIED:
        if name in body and not isinstance(getattr(cls, name), property):
            body[name] = getattr(cls, name)
    made: type[FrozenGame] = attrs.make_class(
        cls.__name__, same_options(cls), bases=(FrozenGame,), frozen=True, eq=False,
        class_body={**body, "__module__": cls.__module__},
    )  # fmt: skip
    made.__module__, made.__doc__, made.__qualname__ = cls.__module__, cls.__doc__, cls.__qualname__
    made.name, made.game_class = cls.name if hasattr(cls, "name") else cls.__name__, cls
    return made


def _of_inner(game: FrozenGame, name: str) -> object:
    return getattr(game.inner, name)


def frozen_play(game: AnyGame, state: object) -> tuple[AnyGame, State]:
    """Return a game with states that do not change, and a state of it."""
    game, frozen = playable(game), freeze(state)
    return game if frozen is state else frozen_game(game) if not isinstance(game, FrozenGame) else game, frozen


def listed(actions: Iterable[ActionT]) -> Iterable[ActionT]:
    """Return actions in an order that is the same in each run: the actions of a set are sorted."""
    return in_order(actions) if isinstance(actions, set | frozenset) else actions
