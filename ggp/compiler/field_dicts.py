"""Dictionaries with known texts as keys, and lists: if values have several types, each is stored in its own field."""

import copy
import functools
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

Item: TypeAlias = Any
"""A value of any type. Each function is compiled once for each combination of types that it is called with."""
ValueT = TypeVar("ValueT")


def hashed(value: ValueT) -> ValueT:
    """Return `value`, after checking that it can be a key, or an item of a set.

    Raises:
        TypeError: the value can change, so that it has no hash.
    """
    hash(value)
    return value


class Fields(tuple[tuple[Any, str], ...]):
    """Keys or indices, each with the name of the field that holds its value. A loop over them is always unrolled."""


class FieldDict:
    """A dictionary with fixed keys. The order of its keys is not known, so no loop may run over it.

    `field_dict` makes a subclass for each set of keys.
    """

    fields_by_key: ClassVar[Fields] = Fields()
    """The keys, sorted, each with the name of the field that holds its value."""

    def plain(self) -> dict[str, object]:
        """Return the same dictionary as a `dict`."""
        return {key: getattr(self, field) for key, field in self.fields_by_key}

    def __len__(self) -> int:
        return len(self.fields_by_key)

    def __contains__(self, key: object) -> bool:
        hashed(key)
        for each, _ in self.fields_by_key:  # noqa: SIM110  as in the other methods
            if each == key:
                return True
        return False

    def __getitem__(self, key: object) -> object:
        hashed(key)
        for each, field in self.fields_by_key:
            if each == key:
                return getattr(self, field)
        raise KeyError

    def __setitem__(self, key: object, value: object) -> None:
        hashed(key)
        for each, field in self.fields_by_key:
            if each == key:
                setattr(self, field, value)
                return
        give_up()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, dict) or len(other) != len(self.fields_by_key):
            return False
        for key, field in self.fields_by_key:  # noqa: SIM110  each value has a type of its own
            if key not in other or other[key] != getattr(self, field):
                return False
        return True

    def __or__(self, other: "NewItems") -> "FieldDict":
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other: "NewItems") -> Self:
        self.update(other)
        return self

    def get(self, key: object, default: object = None, /) -> object:
        """Return the value of a key, or a default."""
        hashed(key)
        for each, field in self.fields_by_key:
            if each == key:
                return getattr(self, field)
        return default

    def update(self, *others: "NewItems", **named: object) -> None:
        """Set all keys of another dictionary, and all names of keyword arguments, to their values."""
        if len(others) > 1:
            raise TypeError
        for other in others:
            if isinstance(other, FieldDict):
                for each, field in other.fields_by_key:
                    self[each] = getattr(other, field)
            else:
                for key, value in other.items() if isinstance(other, dict) else other:
                    self[key] = value
        for name, value in named.items():
            self[name] = value

    def copy(self) -> Self:
        """Return a new dictionary with the same keys and values."""
        return copied_fields(self)


class FieldList:
    """A list whose items have no common type, such as `[cells, "X", 0]`. The list's length does not change.

    `field_list` makes a subclass for each length.
    """

    fields_by_key: ClassVar[Fields] = Fields()
    """The indices, each with the name of the field that holds its item."""

    def plain(self) -> list[object]:
        """Return the same list as a `list`."""
        return [getattr(self, field) for _, field in self.fields_by_key]

    def __len__(self) -> int:
        return len(self.fields_by_key)

    def __iter__(self) -> Iterator[object]:
        for _, field in self.fields_by_key:
            yield getattr(self, field)

    def __contains__(self, value: object) -> bool:
        for _, field in self.fields_by_key:  # noqa: SIM110  each item has a type of its own
            if getattr(self, field) == value:
                return True
        return False

    def __getitem__(self, index: int) -> object:
        slot = index + len(self.fields_by_key) if index < 0 else index
        for each, field in self.fields_by_key:
            if each == slot:
                return getattr(self, field)
        raise IndexError

    def __setitem__(self, index: int, value: object) -> None:
        slot = index + len(self.fields_by_key) if index < 0 else index
        for each, field in self.fields_by_key:
            if each == slot:
                setattr(self, field, value)
                return
        raise IndexError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list) or len(other) != len(self.fields_by_key):
            return False
        for index, field in self.fields_by_key:  # noqa: SIM110  as above
            if other[index] != getattr(self, field):
                return False
        return True

    def copy(self) -> Self:
        """Return a new list with the same items."""
        return copied_fields(self)


NewItems: TypeAlias = FieldDict | dict[object, object] | Iterable[tuple[object, object]]
"""The items with which a dictionary is updated."""
FieldsT = TypeVar("FieldsT", bound=FieldDict | FieldList)


def copied_fields(value: FieldsT) -> FieldsT:
    """Return a new dictionary or list with the same values."""
    return copy.copy(value)


def give_up() -> None:
    """Let Python take over, since the operation that follows is not compiled."""
    raise NotImplementedError


AS_PYTHON: dict[type, type] = {FieldDict: dict, FieldList: list}
"""For each class of the library, the class of Python that it stands for."""


@functools.cache
def field_dict(keys: tuple[str, ...]) -> type[FieldDict]:
    """Return the class of dictionaries with the keys `keys`, which must be sorted."""
    fields_by_key = Fields((key, f".{key}") for key in keys)
    made: type[FieldDict] = type(f"dictionary of {', '.join(keys)}", (FieldDict,), {"fields_by_key": fields_by_key})
    AS_PYTHON[made] = dict
    return made


@functools.cache
def field_list(length: int) -> type[FieldList]:
    """Return the class of lists with `length` items."""
    fields_by_key = Fields((index, f".{index}") for index in range(length))
    made: type[FieldList] = type(f"list of {length}", (FieldList,), {"fields_by_key": fields_by_key})
    AS_PYTHON[made] = list
    return made
