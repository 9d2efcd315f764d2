"""The types of values in machine code, and the conversion of values to machine words and back.

A value that is known only at run time has one of these types. A *word* is a signed integer of 64 bits. Every value,
however nested, is a fixed number of words.
"""

import enum
import functools
import hashlib
import struct
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import attrs

from ggp.bits import Bits

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
SPELLED = 9
"""Minimum length of a text that is stored letter by letter, such as a board; a shorter text is one word."""


class NotRepresentable(Exception):
    """A value is not supported in machine code, or does not have the required type."""


@attrs.frozen
class Type:
    """A type without parts."""

    name: str

    def __str__(self) -> str:
        return self.name


INT = Type("whole number")
BOOL = Type("truth value")
FLOAT = Type("float")
NONE = Type("None")
ATOM = Type("text")
"""The type of None, and of texts that are only compared: each is represented by a number."""
BITS = Type("Bits")
BOTTOM = Type("nothing yet")
"""The type of a value that is not known yet, such as that of a recursive call before the first return."""


@attrs.frozen
class EnumOf(Type):
    """Members of an enumeration: a member of an IntEnum is its number, any other is its index."""

    name: str = attrs.field(init=False, default="enumeration")
    kind: type[enum.Enum]

    def __str__(self) -> str:
        return self.kind.__name__


@attrs.frozen
class Tuple(Type):
    """A tuple, a named tuple of class `kind`, or a spelled-out text, whose `kind` is str."""

    name: str = attrs.field(init=False, default="tuple")
    items: tuple[Type, ...]
    kind: type | None = None

    def __str__(self) -> str:
        if is_text(self):
            return f"text of {len(self.items)} letters"
        name = self.kind.__name__ if self.kind else "tuple"
        if len(self.items) > 3 and len(set(self.items)) == 1:
            return f"{name} of {len(self.items)} × {self.items[0]}"
        return f"{name}({', '.join(map(str, self.items))})"


@attrs.frozen
class RecordOf(Type):
    """An instance of a frozen class: the types of its fields, in order."""

    name: str = attrs.field(init=False, default="record")
    kind: type
    items: tuple[Type, ...]

    def __str__(self) -> str:
        fields = zip(field_names(self.kind), self.items, strict=True)
        return f"{self.kind.__name__}({', '.join(f'{name}: {each}' for name, each in fields)})"


@attrs.frozen
class Optional(Type):
    """A value of another type, or None."""

    name: str = attrs.field(init=False, default="optional")
    item: Type

    def __str__(self) -> str:
        return f"{self.item} or None"


@attrs.frozen
class List(Type):
    """A sequence whose length is known only at run time. It cannot be part of a state, since its number of words
    varies.
    """

    name: str = attrs.field(init=False, default="list")
    item: Type

    def __str__(self) -> str:
        return f"list of {self.item}"


def is_text(kind: Type | None) -> bool:
    """Return whether a type is that of spelled-out texts."""
    return isinstance(kind, Tuple) and kind.kind is str


def text_type(length: int) -> Type:
    """Return the type of spelled-out texts of this length."""
    return Tuple((ATOM,) * length, str) if length >= SPELLED else ATOM


@functools.cache
def is_record(kind: Any) -> bool:
    """Return whether `kind` is a frozen class of attrs or dataclasses."""
    if issubclass(kind, tuple):
        return False
    if attrs.has(kind):
        return kind.__setattr__ is not object.__setattr__
    return is_dataclass(kind) and bool(getattr(kind, "__dataclass_params__").frozen)  # noqa: B009  mypy does not know it


@functools.cache
def field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a frozen class or a named tuple."""
    if hasattr(kind, "_fields"):
        return tuple(kind._fields)
    if attrs.has(kind):
        return tuple(each.name for each in attrs.fields(kind))
    return tuple(kind.__dataclass_fields__)


def type_of(value: Any) -> Type:
    """Return the type of a value.

    Raises:
        NotRepresentable: machine code does not support such values.
    """
    kind: Any = type(value)
    if kind is bool:
        return BOOL
    if kind is int:
        if not LEAST <= value <= GREATEST:
            raise NotRepresentable(f"{value} does not fit in 64 bits")
        return INT
    if kind is float:
        return FLOAT
    if value is None:
        return NONE
    if kind is str:
        return text_type(len(value))
    if kind is Bits:
        return BITS
    if isinstance(value, enum.Flag):
        raise NotRepresentable(
            f"{kind.__name__} is a set of flags, which cannot be compiled; write whole numbers or ggp.Bits"
        )
    if isinstance(value, enum.Enum):
        if getattr(kind, "_member_type_", object) not in (object, int):
            raise NotRepresentable(
                f"{kind.__name__} has a base class besides Enum, which cannot be compiled; use Enum or IntEnum"
            )
        return EnumOf(kind)
    if isinstance(value, tuple):
        return Tuple(tuple(map(type_of, value)), kind if hasattr(kind, "_fields") else None)
    if is_record(kind):
        return RecordOf(kind, tuple(type_of(getattr(value, name)) for name in field_names(kind)))
    raise NotRepresentable(
        f"{_short(value)} is of type {kind.__name__}; states and actions can only consist of whole numbers, floats, "
        "truth values, texts, None, enumerations, tuples and frozen classes"
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def join(one: Type, other: Type) -> Type:
    """Return the common type of two types.

    Raises:
        NotRepresentable: the types have no common type.
    """
    if one == other or other == BOTTOM:
        return one
    if one == BOTTOM:
        return other
    if {one, other} <= {INT, BOOL, FLOAT}:
        return FLOAT if FLOAT in (one, other) else INT
    for here, there in ((one, other), (other, one)):
        if here == NONE:
            return there if there == ATOM or isinstance(there, Optional) else Optional(there)
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Optional):
            return Optional(join(here.item, there.item if isinstance(there, Optional) else there))
        if isinstance(here, EnumOf) and issubclass(here.kind, int) and there in (INT, BOOL):
            return INT
    if (
        isinstance(one, EnumOf)
        and isinstance(other, EnumOf)
        and issubclass(one.kind, int)
        and issubclass(other.kind, int)
    ):
        return INT
    if is_text(one) != is_text(other):
        raise NotRepresentable(f"{one} and {other} have no common type")
    if isinstance(one, Tuple) and isinstance(other, Tuple) and len(one.items) == len(other.items):
        items = tuple(join(*pair) for pair in zip(one.items, other.items, strict=True))
        return Tuple(items, one.kind if one.kind is other.kind else None)
    if isinstance(one, RecordOf) and isinstance(other, RecordOf) and one.kind is other.kind:
        return RecordOf(one.kind, tuple(join(*pair) for pair in zip(one.items, other.items, strict=True)))
    if isinstance(one, List) and isinstance(other, List):
        return List(join(one.item, other.item))
    for here, there in ((one, other), (other, one)):
        if isinstance(here, List) and isinstance(there, Tuple):
            item = functools.reduce(join, there.items, here.item)
            return List(item)
    raise NotRepresentable(f"{one} and {other} have no common type")


def texts_in(value: Any) -> set[str]:
    """Return the texts in a value."""
    if isinstance(value, str):
        return set(value) if len(value) >= SPELLED else {value}
    kind: Any = type(value)
    items = [getattr(value, name) for name in field_names(kind)] if is_record(kind) else value
    return {text for each in items for text in texts_in(each)} if isinstance(items, (tuple, list)) else set()


def in_shape(kind: Type, shape: Type) -> Type:
    """Return a type with tuples instead of lists where `shape` has tuples, since states and actions have a fixed
    length.
    """
    if isinstance(kind, List) and isinstance(shape, Tuple):
        return Tuple(tuple(in_shape(kind.item, part) for part in shape.items))
    if isinstance(kind, Tuple) and isinstance(shape, Tuple) and len(kind.items) == len(shape.items):
        return Tuple(tuple(in_shape(*pair) for pair in zip(kind.items, shape.items, strict=True)), kind.kind)
    if isinstance(kind, RecordOf) and isinstance(shape, RecordOf) and len(kind.items) == len(shape.items):
        return RecordOf(kind.kind, tuple(in_shape(*pair) for pair in zip(kind.items, shape.items, strict=True)))
    return kind


def size(kind: Type) -> int:
    """Return the number of words of a type."""
    if isinstance(kind, (Tuple, RecordOf)):
        return sum(map(size, kind.items))
    if isinstance(kind, Optional):
        return 1 + size(kind.item)
    if isinstance(kind, List) or kind == BOTTOM:
        raise NotRepresentable(f"a {kind} has no fixed size")
    return 0 if kind == NONE else 1


# Values and words ------------------------------------------------------------------------------------------------

_TEXTS: dict[int, str | None] = {0: None}
"""The texts that have been converted to numbers in this process, by number."""


@functools.cache
def atom(text: str | None) -> int:
    """Return the number for a text. It is the same in every process, so that object code can be cached."""
    if text is None:
        return 0
    number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big") + 1
    if _TEXTS.setdefault(number, text) != text:
        raise NotRepresentable(f"the texts {text!r} and {_TEXTS[number]!r} have the same number")
    return number


def signed(word: int) -> int:
    """Return the signed integer with the same 64 bits."""
    return word - (1 << 64) if word >> 63 else word


def flatten(value: Any, kind: Type) -> list[int]:
    """Return the words of a value.

    Raises:
        NotRepresentable: the value does not have this type.
    """
    words: list[int] = []
    _flatten(value, kind, words)
    return words


def _flatten(value: Any, kind: Type, words: list[int]) -> None:
    if type(value) is int and kind == INT and LEAST <= value <= GREATEST:  # most of what is given, so asked first
        words.append(value)
    elif is_text(kind):
        if type(value) is not str or len(value) != size(kind):
            raise NotRepresentable(f"{_short(value)} is not a {kind}")
        words.extend(map(atom, value))
    elif isinstance(kind, Tuple):
        if (
            not isinstance(value, tuple)
            or len(value) != len(kind.items)
            or (kind.kind and type(value) is not kind.kind)
        ):
            raise NotRepresentable(f"{_short(value)} is not a {kind}")
        for item, part in zip(value, kind.items, strict=True):
            _flatten(item, part, words)
    elif isinstance(kind, RecordOf):
        names = field_names(kind.kind)
        if type(value) is not kind.kind:
            raise NotRepresentable(f"{_short(value)} is not a {kind}")
        for name, part in zip(names, kind.items, strict=True):
            _flatten(getattr(value, name), part, words)
    elif isinstance(kind, Optional):
        words.append(int(value is not None))
        if value is None:
            words.extend([0] * size(kind.item))
        else:
            _flatten(value, kind.item, words)
    elif kind != NONE or value is not None:
        words.append(_word(value, kind))


def _word(value: Any, kind: Type) -> int:
    if kind == FLOAT and isinstance(value, (int, float)):
        return int(struct.unpack("<q", struct.pack("<d", float(value)))[0])
    if kind == ATOM and (value is None or type(value) is str):
        return atom(value)
    if kind == BITS and type(value) is Bits:
        return signed(value.word)
    if isinstance(kind, EnumOf) and type(value) is kind.kind:
        return member_number(value)
    if kind in (INT, BOOL) and isinstance(value, int) and LEAST <= value <= GREATEST:
        return int(value)
    raise NotRepresentable(f"{_short(value)} is not a {kind}")


def member_number(member: Any) -> int:
    """Return the number for a member of an enumeration."""
    kind: Any = type(member)
    return int(member) if issubclass(kind, int) else list(kind).index(member)


def build(words: Iterator[int], kind: Type) -> Any:
    """Return the value with these words."""
    if isinstance(kind, Tuple):
        items = [build(words, part) for part in kind.items]
        if kind.kind is str:
            return "".join(items)
        return kind.kind(*items) if kind.kind else tuple(items)
    if isinstance(kind, RecordOf):
        return kind.kind(*[build(words, part) for part in kind.items])
    if isinstance(kind, Optional):
        present, value = next(words), build(words, kind.item)
        return value if present else None
    if kind == NONE:
        return None
    word = next(words)
    if kind == BOOL:
        return bool(word)
    if kind == FLOAT:
        return struct.unpack("<d", struct.pack("<q", word))[0]
    if kind == ATOM:
        return _TEXTS.get(word)
    if kind == BITS:
        return Bits(word & (1 << 64) - 1)
    if isinstance(kind, EnumOf):
        return kind.kind(word) if issubclass(kind.kind, int) else list(kind.kind)[word]
    return word


# Types as text, for the cache --------------------------------------------------------------------------------------


def describe(kind: Type) -> Any:
    """Return the type in JSON's types."""
    if isinstance(kind, (Tuple, RecordOf)):
        return ["tuple" if isinstance(kind, Tuple) else "record", _class_name(kind.kind), [*map(describe, kind.items)]]
    if isinstance(kind, Optional):
        return ["optional", describe(kind.item)]
    if isinstance(kind, EnumOf):
        return ["enum", _class_name(kind.kind)]
    return kind.name


def described(text: Any, classes: dict[str, type]) -> Type:
    """Return the type from the output of `describe`.

    Arguments:
        classes: the classes that may occur in it, by their names in the output of `describe`.

    Raises:
        KeyError: a class is missing.
    """
    if isinstance(text, str):
        return {each.name: each for each in (INT, BOOL, FLOAT, NONE, ATOM, BITS)}[text]
    if text[0] == "optional":
        return Optional(described(text[1], classes))
    if text[0] == "enum":
        return EnumOf(classes[text[1]])
    items = tuple(described(each, classes) for each in text[2])
    if text[0] == "record":
        return RecordOf(classes[text[1]], items)
    if text[1] == _class_name(str):
        return Tuple(items, str)
    return Tuple(items, classes[text[1]] if text[1] else None)


def _class_name(kind: type | None) -> str | None:
    return f"{kind.__module__}.{kind.__qualname__}" if kind else None


def classes_in(kind: Type) -> Iterator[type]:
    """Yield the classes of a type and of its parts."""
    if isinstance(kind, (Tuple, RecordOf)):
        if kind.kind and kind.kind is not str:
            yield kind.kind
        for part in kind.items:
            yield from classes_in(part)
    elif isinstance(kind, Optional):
        yield from classes_in(kind.item)
    elif isinstance(kind, EnumOf):
        yield kind.kind
