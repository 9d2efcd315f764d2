"""States that change: games whose states are lists, dictionaries, sets, arrays or objects of the author's own.

Tables, records and pages keep states, and compare them. So a state that could change is *frozen* when it leaves the
rules. At each call, the rules get a new state, which is *thawed* from the frozen state. Changes that the rules make to
a thawed state are not visible elsewhere.
"""

import collections
import dataclasses
import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from ggp.bits import Bits
from ggp.errors import ConformanceError
from ggp.escapes import short

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ItemT = TypeVar("ItemT")


class FrozenList(tuple[object, ...]):
    """A list that does not change. A frozen list is equal to the list that it was made from."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenList | list) and tuple.__eq__(self, tuple(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"


class FrozenSet(frozenset[object]):
    """A set that does not change."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, in_order(self)))}}}" if self else "set()"

    def __reduce__(self) -> tuple[object, ...]:
        return FrozenSet, (tuple(self),)


class FrozenDict(tuple[tuple[object, object], ...]):
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
    dtype: str
    """The type of the items, as NumPy writes it: `<i8`."""
    content: bytes

    def __repr__(self) -> str:
        return f"array({self.array().tolist()!r})"

    def array(self) -> "NDArray[np.generic]":
        """Return a new array."""
        import numpy

        return numpy.frombuffer(self.content, self.dtype).reshape(self.shape).copy()


@attrs.frozen(repr=False)
class FrozenObject:
    """The frozen form of an object of an author's class. A frozen object consists of the object's class, and the
    object's attributes in the order of their names.

    The object's attributes can be read from the frozen object, too. So a frozen object's own three attributes have
    names that an author is unlikely to choose.
    """

    frozen_class: type
    frozen_names: tuple[str, ...]
    frozen_values: tuple[object, ...]

    def __getattr__(self, name: str) -> object:
        if name in self.frozen_names:
            return self.frozen_values[self.frozen_names.index(name)]
        raise AttributeError(f"{self.frozen_class.__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        values = dict(zip(self.frozen_names, self.frozen_values, strict=True))
        names = [*(name for name in declared_names(self.frozen_class) if name in values), *self.frozen_names]
        texts = (f"{name}={_text(values[name])}" for name in dict.fromkeys(names))
        return f"{self.frozen_class.__name__}({', '.join(texts)})"


def _text(value: object) -> str:
    return value.__name__ if isinstance(value, type) else repr(value)


def made_of(cls: type, /, **values: object) -> FrozenObject:
    """Return the frozen object with the attributes `values`. `Board(cells=...)` in the text of a state calls this
    function.
    """
    names = tuple(sorted(values))
    return FrozenObject(cls, names, tuple(freeze(values[name]) for name in names))


def declared_names(cls: type) -> list[str]:
    """Return the names of a class's fields in the author's order; an empty list for a class without declared fields."""
    if attrs.has(cls):
        return [each.name for each in attrs.fields(cls)]
    return [each.name for each in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else []


def array_of(dtype: str, items: Sequence[object]) -> "NDArray[np.generic]":
    """Return the array that consists of `items`. `array(...)` in the text of a state calls this function."""
    import numpy

    return numpy.array(items, dtype)


def in_order(items: Iterable[ItemT]) -> list[ItemT]:
    """Return items sorted; items that cannot be compared are sorted by their texts."""
    try:
        return sorted(items)  # type: ignore[type-var]
    except TypeError:
        return sorted(items, key=lambda each: (type(each).__name__, repr(each)))


PLAIN = (type(None), bool, int, float, str, bytes, Bits)


def freeze(value: Any) -> Any:
    """Return an immutable, hashable copy of a value; the value itself if it is immutable and hashable. Numbers of NumPy
    become numbers of Python.

    Raises:
        ConformanceError: the value contains something that cannot be copied, such as an open file.
    """
    cls = type(value)
    if cls in PLAIN or isinstance(value, enum.Enum):
        return value
    if cls is list:
        return FrozenList(map(freeze, value))
    if cls is dict:
        pairs = {freeze(key): freeze(each) for key, each in value.items()}
        return FrozenDict((key, pairs[key]) for key in in_order(pairs))
    if cls is set:
        return FrozenSet(map(freeze, value))
    if isinstance(value, frozenset):
        return value
    if isinstance(value, tuple):
        items = [freeze(each) for each in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return cls(*items) if hasattr(cls, "_fields") else tuple(items)
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
    """Return whether an object of an author's class is compared by value, although its attributes may change."""
    cls = type(value)
    if cls in PLAIN or isinstance(value, tuple | frozenset | enum.Enum | type | FrozenArray | FrozenObject):
        return False
    assigns: object = cls.__setattr__
    if not attributes_of(value) or assigns is not object.__setattr__:  # such as a frozen class of attrs
        return False
    return not callable(value) and _is_hashed_by_value(value)


def has_own_text(value: object) -> bool:
    """Return whether an object is of an author's class.

    The class may define the object's text; otherwise, the text is an address.
    """
    cls = type(value)
    if isinstance(value, type | FrozenArray | FrozenObject):
        return False
    return is_own_value(value) or bool(declared_names(cls)) or bool(isinstance(value, tuple) and field_names(value))


def told(value: object) -> object:
    """Return a value whose text shows its parts: objects of an author's classes show their attributes."""
    if isinstance(value, tuple) and field_names(value):
        return FrozenObject(type(value), field_names(value), tuple(map(told, value)))
    if has_own_text(value):
        frozen = _frozen_object(value)
        return attrs.evolve(frozen, frozen_values=tuple(map(told, frozen.frozen_values)))
    if isinstance(value, FrozenObject):
        return attrs.evolve(value, frozen_values=tuple(map(told, value.frozen_values)))
    if isinstance(value, tuple) and type(value) in (tuple, FrozenList):
        return type(value)(map(told, value))
    if isinstance(value, FrozenDict):
        return FrozenDict((told(key), told(each)) for key, each in value)
    return value


def frozen_attributes(value: object) -> FrozenObject:
    """Return the frozen form of an object, with the object's attributes."""
    return _frozen_object(value)


def thawed_object(value: FrozenObject) -> object:
    """Return a new object with the class and the attributes of the object that was frozen."""
    return _thawed_object(value)


CONTAINERS: tuple[Any, ...] = (
    collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque,
    bytearray, dict, list, set,
)  # fmt: skip
"""Containers that can change; each subclass stands before its base class."""


def _frozen_container(value: Any) -> FrozenObject:
    """Freeze a container other than a plain list, dictionary or set: its content and its attributes."""
    own = {name: getattr(value, name) for name in attributes_of(value)}
    content: object = list(value)
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


FACTORIES = (int, float, bool, str, list, set)
"""Classes that may make the missing values of a defaultdict in machine code."""


def is_counter_or_default(value: FrozenObject) -> bool:
    """Return whether a frozen value is a Counter, or a defaultdict of one of `FACTORIES`, without other attributes."""
    if value.frozen_class is collections.Counter:
        return value.frozen_names == ("items",)
    return (
        value.frozen_class is collections.defaultdict
        and len(value.frozen_names) == 2
        and value.frozen_values[0] in FACTORIES
    )


def _thawed_container(value: FrozenObject) -> object:
    own = {name: thaw(each) for name, each in zip(value.frozen_names, value.frozen_values, strict=True)}
    cls: Any = value.frozen_class
    made = cls.__new__(cls)
    base: Any = next(each for each in CONTAINERS if issubclass(value.frozen_class, each))
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
    cls = type(value)
    names = attributes_of(value)
    if not names and cls.__module__ == "builtins":
        raise ConformanceError(
            f"a state contains {short(repr(value))}, of type {cls.__name__}, which cannot be compared with its later "
            f"values: make it a list, a tuple, a dictionary, a set, or an object of a class of your own"
        )
    return FrozenObject(cls, names, tuple(freeze(getattr(value, name)) for name in names))


def attributes_of(value: object) -> tuple[str, ...]:
    """Return the names of an object's attributes, sorted."""
    slots = [
        name
        for each in type(value).__mro__
        for name in _slots(each)
        if name not in ("__dict__", "__weakref__") and hasattr(value, name)
    ]
    return tuple(sorted({*(vars(value) if hasattr(value, "__dict__") else ()), *slots}))


def _slots(cls: type) -> list[str]:
    given = cls.__dict__.get("__slots__", ())
    names = [given] if isinstance(given, str) else list(given)
    own = cls.__name__.lstrip("_")
    return [f"_{own}{name}" if name.startswith("__") and not name.endswith("__") else name for name in names]


def thaw(value: Any) -> Any:
    """Return a new list, dictionary, set, array or object that may change, given its frozen form."""
    cls = type(value)
    if cls in PLAIN:
        return value
    if cls is FrozenList:
        return [thaw(each) for each in value]
    if cls is FrozenDict:
        return {thaw(key): thaw(each) for key, each in value}
    if cls is FrozenSet:
        return {thaw(each) for each in in_order(value)}
    if cls is FrozenArray:
        return value.array()
    if cls is FrozenObject:
        return _thawed_object(value)
    if isinstance(value, tuple):
        items = [thaw(each) for each in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return cls(*items) if hasattr(cls, "_fields") else tuple(items)
    return value


def _thawed_object(value: FrozenObject) -> object:
    if issubclass(value.frozen_class, CONTAINERS):
        return _thawed_container(value)
    made: object = object.__new__(value.frozen_class)
    for name, each in zip(value.frozen_names, value.frozen_values, strict=True):
        object.__setattr__(made, name, thaw(each))
    return made


def is_ordered(value: object) -> bool:
    """Return whether a frozen state has dictionaries, and no sets. If so, its parts have a fixed order when they are
    thawed.
    """
    classes = set(_classes_in(value))
    return FrozenDict in classes and not any(issubclass(cls, frozenset) for cls in classes)


def _classes_in(value: object) -> Iterator[type]:
    """Yield the types of a frozen value and of its parts."""
    yield type(value)
    parts = value.frozen_values if isinstance(value, FrozenObject) else value if isinstance(value, tuple) else ()
    for each in parts:
        yield from _classes_in(each)


def described_state(state: object) -> str:
    """Return the kind of a state that can change, in words."""
    cls = type(state)
    if cls.__module__ == "builtins":
        names: dict[type, str] = {list: "a list", dict: "a dictionary", set: "a set"}
        return names.get(cls, f"a {cls.__name__} of values that can change")
    return "an array of NumPy" if cls.__module__ == "numpy" else f"an object of the class {cls.__name__}"


def part_without_form(value: object, path: str = "") -> tuple[str, str, str] | None:
    """Return the path and the description of the first part of a frozen state that cannot be compiled, and what to
    write instead. Return None if all parts can be compiled.
    """
    if isinstance(value, FrozenArray):
        whole = value.dtype in ("<i8", "<i4", "<i2", "|i1", "|b1", "<f8")
        return None if whole else (path, f"an array of NumPy of the kind {value.dtype}", "an array of int")
    if isinstance(value, FrozenObject):
        if issubclass(value.frozen_class, CONTAINERS) and not is_counter_or_default(value):
            if issubclass(value.frozen_class, collections.defaultdict):
                return path, f"a {value.frozen_class.__name__}", "a dict, or a defaultdict of int, list or the like"
            base = next(each for each in (dict, set, list) if issubclass(value.frozen_class, each) or each is list)
            return path, f"a {value.frozen_class.__name__}", f"a {base.__name__}"
        parts = [
            (f"{path}.{name}".lstrip("."), each)
            for name, each in zip(value.frozen_names, value.frozen_values, strict=True)
        ]
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


def field_names(value: tuple[object, ...] | list[object]) -> tuple[str, ...]:
    """Return the names of the parts of a named tuple; () for a list and any other tuple."""
    return next((vars(cls)["_fields"] for cls in type(value).__mro__ if "_fields" in vars(cls)), ())


def vars_of(value: object) -> object:
    """Return the attributes of an object, by name."""
    return {name: getattr(value, name) for name in attributes_of(value)}
