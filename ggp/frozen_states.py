"""States that change: games whose states are lists, dictionaries, sets, arrays or objects of the author's own.

Tables, records and pages keep states, and compare them. So a state that could change is *frozen* where it leaves the
rules, and the rules get a new one, *thawed*, at each call. Changes that the rules make to it are not visible elsewhere.
"""

import collections
import dataclasses
import enum
import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

import attrs

from ggp.bits import Bits
from ggp.errors import ConformanceError
from ggp.escapes import short
from ggp.game import AnyGame, Evaluation, Player
from ggp.options import constant, option, options_of, values_of
from ggp.scene import Scene


class FrozenList(tuple[Any, ...]):
    """A list that does not change. It is equal to that list."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenList | list) and tuple.__eq__(self, tuple(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"


class FrozenSet(frozenset[Any]):
    """A set that does not change."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, in_order(self)))}}}" if self else "set()"

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenSet, (tuple(self),)


class FrozenDict(tuple[tuple[Any, Any], ...]):
    """A dictionary that does not change: its pairs, sorted by their keys, so that their order makes no difference."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, dict):
            return dict(self) == other
        return isinstance(other, FrozenDict) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{key!r}: {value!r}' for key, value in self)}}}"


@attrs.frozen(repr=False)
class FrozenArray:
    """An array of NumPy that does not change."""

    shape: tuple[int, ...]
    kind: str
    content: bytes

    def __repr__(self) -> str:
        return f"array({self.array().tolist()!r})"

    def array(self) -> Any:
        """Return a new array."""
        import numpy

        return numpy.frombuffer(self.content, self.kind).reshape(self.shape).copy()


@attrs.frozen(repr=False)
class FrozenObject:
    """An object of an author's class that does not change: the class, and its attributes in the order of their names.

    Its attributes are those of the object.
    """

    kind: type
    names: tuple[str, ...]
    values: tuple[Any, ...]

    def __getattr__(self, name: str) -> Any:
        if name in self.names:
            return self.values[self.names.index(name)]
        raise AttributeError(f"{self.kind.__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        values = dict(zip(self.names, self.values, strict=True))
        names = [*(name for name in declared_names(self.kind) if name in values), *self.names]
        texts = (f"{name}={_text(values[name])}" for name in dict.fromkeys(names))
        return f"{self.kind.__name__}({', '.join(texts)})"


def _text(value: object) -> str:
    return value.__name__ if isinstance(value, type) else repr(value)


def made_of(kind: type, **values: object) -> FrozenObject:
    """Return the frozen object with these attributes, as its text says."""
    names = tuple(sorted(values))
    return FrozenObject(kind, names, tuple(freeze(values[name]) for name in names))


def declared_names(kind: Any) -> list[str]:
    """Return the names of a class's fields in the author's order; nothing for a class without declared fields."""
    if attrs.has(kind):
        return [each.name for each in attrs.fields(kind)]
    return [each.name for each in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []


def array_of(kind: str, items: object) -> Any:
    """Return the array with these items, as its text says."""
    import numpy

    return numpy.array(items, kind)


def in_order(items: Iterable[object]) -> list[Any]:
    """Return items sorted; by their texts, if they cannot be compared."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda each: (type(each).__name__, repr(each)))


def listed(actions: Any) -> Any:
    """Return actions in an order that is the same in each run: those of a set are sorted."""
    return in_order(actions) if isinstance(actions, set | frozenset) else actions


PLAIN = (type(None), bool, int, float, str, bytes, Bits)


def freeze(value: Any) -> Any:
    """Return an immutable, hashable copy of a value; the value itself if it is immutable and hashable. Numbers of NumPy
    become Python's.

    Raises:
        ConformanceError: it contains what cannot be copied, such as an open file.
    """
    kind = type(value)
    if kind in PLAIN or isinstance(value, enum.Enum):
        return value
    if kind is list:
        return FrozenList(map(freeze, value))
    if kind is dict:
        pairs = {freeze(key): freeze(each) for key, each in value.items()}
        return FrozenDict((key, pairs[key]) for key in in_order(pairs))
    if kind is set:
        return FrozenSet(map(freeze, value))
    if isinstance(value, frozenset):
        return value
    if isinstance(value, tuple):
        items = [freeze(each) for each in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return kind(*items) if hasattr(kind, "_fields") else tuple(items)
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return freeze(value.item()) if value.shape == () else FrozenArray(value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, CONTAINERS):
        return _frozen_container(value)
    if isinstance(value, type | FrozenArray | FrozenObject | FrozenList | FrozenDict) or callable(value):
        return value
    if _is_hashed_by_value(value):
        return value
    return _frozen_object(value)


def is_own_value(value: object) -> bool:
    """Return whether an object of an author's class says by itself whether it is equal to another, though its
    attributes may change.
    """
    kind: Any = type(value)
    if kind in PLAIN or isinstance(value, tuple | frozenset | enum.Enum | type | FrozenArray | FrozenObject):
        return False
    if not attributes_of(value) or kind.__setattr__ is not object.__setattr__:  # such as a frozen class of attrs
        return False
    return not callable(value) and _is_hashed_by_value(value)


def has_no_text(value: object) -> bool:
    """Return whether a value is an object that compares itself, but whose text is nothing but its address."""
    kind: Any = type(value)
    return is_own_value(value) and kind.__repr__ is object.__repr__


def told(value: Any) -> Any:
    """Return a value whose text says what it is made of: objects without a `__repr__` show their attributes."""
    if has_no_text(value):
        frozen = _frozen_object(value)
        return attrs.evolve(frozen, values=tuple(map(told, frozen.values)))
    if isinstance(value, FrozenObject):
        return attrs.evolve(value, values=tuple(map(told, value.values)))
    if type(value) in (tuple, FrozenList):
        return type(value)(map(told, value))
    if type(value) is FrozenDict:
        return FrozenDict((told(key), told(each)) for key, each in value)
    return value


def frozen_attributes(value: object) -> FrozenObject:
    """Return an object with its attributes, frozen."""
    return _frozen_object(value)


def thawed_object(value: FrozenObject) -> Any:
    """Return a new object of the class that was frozen."""
    return _thawed_object(value)


CONTAINERS: tuple[Any, ...] = (
    collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque,
    bytearray, dict, list, set,
)  # fmt: skip
"""Containers that can change; subclasses stand before their base."""


def _frozen_container(value: Any) -> FrozenObject:
    """Freeze a container that is not just a list, dictionary or set: what it contains, and its attributes."""
    own = {name: getattr(value, name) for name in attributes_of(value)}
    content: Any = list(value)
    if isinstance(value, collections.defaultdict):
        own["default_factory"] = value.default_factory
    if isinstance(value, collections.deque):
        own["maxlen"] = value.maxlen
    if isinstance(value, collections.OrderedDict):
        content = list(value.items())  # their order is a part of what it is
    elif isinstance(value, dict | set):
        content = dict(value) if isinstance(value, dict) else set(value)
    values = {"items": content, **own}
    names = tuple(sorted(values))
    return FrozenObject(type(value), names, tuple(freeze(values[name]) for name in names))


def _thawed_container(value: FrozenObject) -> Any:
    own = {name: thaw(each) for name, each in zip(value.names, value.values, strict=True)}
    kind: Any = value.kind
    made: Any = kind.__new__(kind)
    base: Any = next(each for each in CONTAINERS if issubclass(value.kind, each))
    content = [own.pop("items")]
    if base is collections.defaultdict:
        content.insert(0, own.pop("default_factory"))
    if base is collections.deque:
        content.append(own.pop("maxlen"))
    base.__init__(made, *content)  # not that of the author's class, whose arguments may be others
    for name, each in own.items():
        object.__setattr__(made, name, each)
    return made


def _is_hashed_by_value(value: object) -> bool:
    own: object = type(value).__hash__
    if own is None or own is object.__hash__:
        return False
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _frozen_object(value: object) -> FrozenObject:
    kind = type(value)
    names = attributes_of(value)
    if not names and kind.__module__ == "builtins":
        raise ConformanceError(
            f"a state contains {short(repr(value))}, of type {kind.__name__}, which cannot be compared with what it"
            " will be later: make it a list, a tuple, a dictionary, a set, or an object of a class of your own"
        )
    return FrozenObject(kind, names, tuple(freeze(getattr(value, name)) for name in names))


def attributes_of(value: object) -> tuple[str, ...]:
    """Return the names of an object's attributes, sorted."""
    slots = [
        name
        for each in type(value).__mro__
        for name in _slots(each)
        if name not in ("__dict__", "__weakref__") and hasattr(value, name)
    ]
    return tuple(sorted({*getattr(value, "__dict__", ()), *slots}))


def _slots(kind: type) -> list[str]:
    given = kind.__dict__.get("__slots__", ())
    names = [given] if isinstance(given, str) else list(given)
    own = kind.__name__.lstrip("_")
    return [f"_{own}{name}" if name.startswith("__") and not name.endswith("__") else name for name in names]


def thaw(value: Any) -> Any:
    """Return what was frozen: a new list, dictionary, set, array or object, which may change."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is FrozenList:
        return [thaw(each) for each in value]
    if kind is FrozenDict:
        return {thaw(key): thaw(each) for key, each in value}
    if kind is FrozenSet:
        return {thaw(each) for each in in_order(value)}
    if kind is FrozenArray:
        return value.array()
    if kind is FrozenObject:
        return _thawed_object(value)
    if isinstance(value, tuple):
        items = [thaw(each) for each in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return kind(*items) if hasattr(kind, "_fields") else tuple(items)
    return value


def _thawed_object(value: FrozenObject) -> Any:
    if issubclass(value.kind, CONTAINERS):
        return _thawed_container(value)
    made: Any = object.__new__(value.kind)
    for name, each in zip(value.names, value.values, strict=True):
        object.__setattr__(made, name, thaw(each))
    return made


# Games ----------------------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class FrozenGame:
    """A game whose rules get new states at each call. `playable` makes a subclass for each class of games, with the
    options and the capabilities of that class.
    """

    name: ClassVar[str]
    kind: ClassVar[Any]
    """The class of the game itself."""

    inner: Any = constant(
        lambda game: game.kind(**{each.name: getattr(game, each.name) for each in options_of(game.kind)})
    )
    """The game itself."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrozenGame) or type(self) is not type(other):
            return False
        one, two = self.inner, other.inner
        return bool(one == two or vars_of(one) == vars_of(two))

    def __hash__(self) -> int:
        return hash((type(self), repr(values_of(self))))

    def __reduce__(self) -> tuple[Any, ...]:
        return playable, (self.inner,)

    def initial_state(self) -> Any:
        return freeze(self.inner.initial_state())

    def to_move(self, state: Any) -> Player:
        return freeze(self.inner.to_move(thaw(state)))  # type: ignore[no-any-return]

    def actions(self, state: Any) -> Iterator[Any]:
        for action in listed(self.inner.actions(thaw(state))):
            yield freeze(action)

    def result(self, state: Any, action: Any) -> Any:
        return freeze(self.inner.result(thaw(state), thaw(action)))

    def terminal_test(self, state: Any) -> bool:
        return bool(self.inner.terminal_test(thaw(state)))

    def utility(self, state: Any, player: Player) -> float:
        return freeze(self.inner.utility(thaw(state), player))  # type: ignore[no-any-return]


class _Capabilities:
    """Capabilities of games; a `FrozenGame` gets those that the game itself has."""

    inner: Any

    def outcomes(self, state: Any) -> Iterator[tuple[Any, float]]:
        for action, probability in self.inner.outcomes(thaw(state)):
            yield freeze(action), freeze(probability)

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        return {
            name: attrs.evolve(each, function=functools.partial(_estimate, each.function))
            for name, each in self.inner.evaluations.items()
        }

    def score(self, state: Any) -> float:
        return freeze(self.inner.score(thaw(state)))  # type: ignore[no-any-return]

    def key(self, state: Any) -> Any:
        return freeze(self.inner.key(thaw(state)))

    def canonical(self, state: Any) -> Any:
        return freeze(self.inner.canonical(thaw(state)))

    def bounds(self, state: Any) -> tuple[float, float]:
        return freeze(self.inner.bounds(thaw(state)))  # type: ignore[no-any-return]

    def value_bounds(self, state: object) -> tuple[float, float]:
        return freeze(self.inner.value_bounds(thaw(state)))  # type: ignore[no-any-return]

    def passed(self, state: object) -> Any:
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

    def unrank(self, layer: int, rank: int) -> Any:
        return freeze(self.inner.unrank(layer, rank))

    def turned(self, state: Any) -> Any:
        return freeze(self.inner.turned(thaw(state)))

    def format_state(self, state: object) -> str:
        return self.inner.format_state(thaw(state))  # type: ignore[no-any-return]

    def parse_state(self, text: str) -> Any:
        return freeze(self.inner.parse_state(text))

    def format_action(self, state: object, action: object) -> str:
        return self.inner.format_action(thaw(state), thaw(action))  # type: ignore[no-any-return]

    def parse_action(self, state: object, text: str) -> Any:
        return freeze(self.inner.parse_action(thaw(state), text))

    def draw(self, state: object) -> str:
        return self.inner.draw(thaw(state))  # type: ignore[no-any-return]

    def scene(self, state: object) -> Scene:
        scene: Scene = self.inner.scene(thaw(state))
        return attrs.evolve(scene, cells=tuple(attrs.evolve(each, action=freeze(each.action)) for each in scene.cells))

    def explain(self, state: object, action: object) -> str:
        return self.inner.explain(thaw(state), thaw(action))  # type: ignore[no-any-return]

    def known_values(self, state: object) -> Mapping[Any, float]:
        return {freeze(action): freeze(value) for action, value in self.inner.known_values(thaw(state)).items()}

    @property
    def repetition(self) -> Any:
        declared = self.inner.repetition
        return functools.partial(_estimate, declared) if callable(declared) else declared


COPIED = (
    "title", "rules", "player_names", "stochastic", "compiled", "arithmetic", "occurrences", "repetition_rule",
    "levels",
)  # fmt: skip
"""Attributes that say the same of both games."""


def _estimate(function: Any, state: Any) -> Any:
    return freeze(function(thaw(state)))


def described_state(state: object) -> str:
    """Return the kind of a state that can change, in words."""
    kind: Any = type(state)
    if kind.__module__ == "builtins":
        known: dict[Any, str] = {list: "a list", dict: "a dictionary", set: "a set"}
        return known.get(kind, f"a {kind.__name__} of what can change")
    return "an array of NumPy" if kind.__module__ == "numpy" else f"an object of the class {kind.__name__}"


def part_without_form(value: object, path: str = "") -> tuple[str, str, str] | None:
    """Return the first part of a frozen state that cannot be compiled: its path, its description, and what to write
    instead. None if there is none.
    """
    if isinstance(value, FrozenArray):
        whole = value.kind in ("<i8", "<i4", "<i2", "|i1", "|b1", "<f8")
        return None if whole else (path, f"an array of NumPy of the kind {value.kind}", "an array of int")
    if isinstance(value, FrozenObject):
        if issubclass(value.kind, CONTAINERS):
            base = next(each for each in (dict, set, list) if issubclass(value.kind, each) or each is list)
            return path, f"a {value.kind.__name__}", f"a {base.__name__}"
        parts = [(f"{path}.{name}".lstrip("."), each) for name, each in zip(value.names, value.values, strict=True)]
    elif isinstance(value, FrozenDict):
        parts = [(f"{path}[{key!r}]", each) for key, each in value]
    elif isinstance(value, tuple):
        names = field_names(value) or [f"[{index}]" for index in range(len(value))]
        parts = [
            (f"{path}{name}" if name[0] == "[" else f"{path}.{name}".lstrip("."), each)
            for name, each in zip(names, value, strict=True)
        ]
    else:
        return None
    return next((part for name, each in parts if (part := part_without_form(each, name))), None)


def field_names(value: tuple[Any, ...] | list[Any]) -> tuple[str, ...]:
    """Return the names of the parts of a named tuple; () for a list and any other tuple."""
    return next((vars(kind)["_fields"] for kind in type(value).__mro__ if "_fields" in vars(kind)), ())


def vars_of(value: object) -> Any:
    """Return the attributes of an object, by name."""
    return {name: getattr(value, name) for name in attributes_of(value)}


def playable(game: AnyGame) -> Any:
    """Return a game with states that do not change: the game itself, if its states are such."""
    if isinstance(game, FrozenGame):
        return game
    known = _PLAYABLE.get(id(game))
    if known is None or known[0] is not game:
        while len(_PLAYABLE) >= MOST_PLAYABLE:
            _PLAYABLE.pop(next(iter(_PLAYABLE)), None)
        known = _PLAYABLE[id(game)] = game, game if _is_frozen(game) else frozen_game(game)
    return known[1]


def known_playable(game: AnyGame) -> Any:
    """Return what `playable` has returned for a game; the game itself if it was not asked. No rule is called."""
    known = _PLAYABLE.get(id(game))
    return game if known is None or known[0] is not game else known[1]


_PLAYABLE: dict[int, tuple[Any, Any]] = {}
"""Games that were asked about, by identity, with what `playable` returned."""
MOST_PLAYABLE = 32


def _is_frozen(game: AnyGame) -> bool:
    """Return whether a game's first state and action are values that do not change, and have one size; the size makes
    no difference in a game that is never compiled.
    """
    is_interpreted = getattr(game, "compiled", True) is False
    try:
        state = game.initial_state()
        if freeze(state) is not state or (not is_interpreted and _varies(state, state)):
            return False
        if game.terminal_test(state):
            return True
        actions = game.actions(state)
        if isinstance(actions, set | frozenset):
            return False
        action = next(iter(actions), None)
        if freeze(action) is not action or (not is_interpreted and _varies(action, action)):
            return False
        return action is None or is_interpreted or not _varies(state, game.result(state, action))
    except ConformanceError:
        raise
    except Exception:  # whoever asks for the state gets the error
        return True


def _varies(one: object, other: object) -> bool:
    """Return whether there are tuples at the same place in two states that differ in length, or sets, or objects whose
    attributes may change.
    """
    if isinstance(one, frozenset) or is_own_value(one):
        return True
    if type(one) is not type(other):
        return False
    parts = [_parts_of(each) for each in (one, other)]
    return len(parts[0]) != len(parts[1]) or any(map(_varies, *parts))


def _parts_of(value: object) -> Any:
    """Return the items of a tuple, or the fields of an object of attrs or dataclasses."""
    if isinstance(value, tuple):
        return value
    if attrs.has(type(value)) or dataclasses.is_dataclass(value):
        return [getattr(value, name) for name in attributes_of(value)]
    return ()


def frozen_game(game: AnyGame) -> Any:
    """Return a game whose states are frozen."""
    made: Any = _subclass(type(game))
    try:
        frozen = made(**values_of(game))
    except Exception:  # a class whose arguments are no options
        frozen = object.__new__(made)
    object.__setattr__(frozen, "inner", game)
    return frozen


def same_options(kind: object) -> dict[str, Any]:
    """Return the options of a class as fields of another class."""
    fields: dict[str, Any] = {}
    for each in options_of(kind):
        limits: Any = {"minimum": each.minimum, "maximum": each.maximum, "choices": each.choices, "path": each.path}
        fields[each.name] = option(each.default, each.meaning, **limits)
        fields[each.name].type = each.type
    return fields


@functools.cache
def _subclass(kind: Any) -> type:
    body: dict[str, Any] = {
        name: member for name, member in vars(_Capabilities).items() if name[0] != "_" and hasattr(kind, name)
    }
    body |= {name: property(functools.partial(_of_inner, name=name)) for name in COPIED if hasattr(kind, name)}
    for name in COPIED:
        if name in body and not isinstance(getattr(kind, name), property):
            body[name] = getattr(kind, name)
    made: Any = attrs.make_class(
        kind.__name__, same_options(kind), bases=(FrozenGame,), frozen=True, eq=False,
        class_body={**body, "__module__": kind.__module__},
    )  # fmt: skip
    made.__module__, made.__doc__, made.__qualname__ = kind.__module__, kind.__doc__, kind.__qualname__
    made.name, made.kind = getattr(kind, "name", kind.__name__), kind
    result: type = made
    return result


def _of_inner(game: Any, name: str) -> Any:
    return getattr(game.inner, name)


def frozen_play(game: AnyGame, state: object) -> tuple[Any, Any]:
    """Return a game with states that do not change, and a state of it."""
    game, frozen = playable(game), freeze(state)
    return game if frozen is state else frozen_game(game) if not isinstance(game, FrozenGame) else game, frozen
