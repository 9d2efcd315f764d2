"""The types of values in machine code, and the conversion of values to machine words and back.

A value that is known only at run time has one of these types. A *word* is a signed integer of 64 bits. Every value,
however nested, is a fixed number of words.
"""

import ast
import collections
import dataclasses
import enum
import functools
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any, ClassVar, TypeGuard, TypeVar

import attrs

from ggp.bits import CELLS, Bits
from ggp.compiler.field_dicts import AS_PYTHON, FieldDict, FieldList, field_dict, field_list
from ggp.frozen_states import (
    CONTAINERS,
    FACTORIES,
    FrozenArray,
    FrozenDict,
    FrozenList,
    FrozenObject,
    FrozenSet,
    frozen_attributes,
    is_counter_or_default,
    is_own_value,
)

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
LONG, SHORT = 9, 2
"""Minimum lengths of texts that are stored letter by letter, as boards. If a game is refused with the first length, the
second is tried.
"""
MOST_LENGTHS = 16
"""Maximum number of different lengths of names; with more lengths, the texts are boards that grow."""

FoundT = TypeVar("FoundT")


class NotRepresentable(Exception):
    """A value is not supported in machine code, or does not have the required type."""


@attrs.define
class _Texts:
    """The rule that says which texts are boards. All other texts are names, and each is stored as one word."""

    least: int = LONG
    """The minimum length of a board."""
    names: frozenset[int] = frozenset()
    """The lengths of long texts that are nevertheless names."""
    differing: set[int] = attrs.field(factory=set)
    """The lengths of boards that must have the same type as texts of another length."""
    short: bool = False
    """Whether there was a text shorter than a board."""


_texts: ContextVar[_Texts] = ContextVar("_texts", default=_Texts())  # noqa: B039  what the default notes is not read


def with_texts(task: Callable[[], FoundT], error: type[Exception], lengths: tuple[int, ...] = (LONG, SHORT)) -> FoundT:
    """Return the result of `task()`. Choose which texts are boards and which are names so that the task does not fail.

    At first, long texts are taken for boards. Then texts of different lengths that must have one type become names.
    If nothing helps, short texts are boards, too, since they may be the rows of a board.

    Arguments:
        lengths: the minimum lengths of boards to try.

    Raises:
        error: the error that the task raised first.
    """
    first: Exception | None = None
    for least in lengths:
        texts = _Texts(least)
        while len(texts.names) <= MOST_LENGTHS:
            token = _texts.set(texts)
            try:
                return task()
            except error as failed:
                first = first or failed
                if texts.differing <= texts.names:
                    break
                texts = _Texts(least, texts.names | texts.differing)
            finally:
                _texts.reset(token)
        if not texts.short:
            break
    assert first
    raise first from None


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
"""The type of None and of texts that are only compared; each such value is represented by a number."""
LETTER = Type("letter")
"""The type of texts of one character in specialization. Such a text is stored like ATOM, and closed core uses ATOM for
it.
"""
NUMBER = Type("int or float")
"""The type of numbers, in specialization, that may be ints or floats; only run time shows which. Closed core uses
`MIXED` for it.
"""


@attrs.frozen
class BitsOf(Type):
    """A set of cells from 0 to width - 1, stored in as many words as it needs."""

    name: str = attrs.field(init=False, default="Bits")
    width: int

    def __str__(self) -> str:
        return "Bits" if self.width == CELLS else f"Bits of {self.width} cells"

    @property
    def words(self) -> int:
        return -(-self.width // 64)


BITS = BitsOf(CELLS)
WIDEST = 1024
"""Maximum width of sets in machine code: LLVM takes minutes to compile integers of many thousand bits."""
STATUS = Type("status")
"""The type of a caught exception in closed core: a number for its class, or for a fault."""
BOTTOM = Type("nothing yet")
"""The type of a value whose type is not known yet, such as a recursive call before the first return."""


@attrs.frozen
class Narrow(Type):
    """A NumPy number with fewer than 64 bits, in specialization. The number is stored like INT. If a result does not
    fit in its bits, Python takes over.
    """

    name: str = attrs.field(init=False, default="narrow number")
    bits: int

    def __str__(self) -> str:
        return f"int{self.bits}"


@attrs.frozen
class EnumOf(Type):
    """Members of an enumeration: a member of an IntEnum is stored as its number, and any other member as its index."""

    name: str = attrs.field(init=False, default="enumeration")
    cls: type[enum.Enum]

    def __str__(self) -> str:
        return self.cls.__name__


@attrs.frozen
class Tuple(Type):
    """A tuple, a named tuple of class `cls`, or a spelled-out text, whose `cls` is str."""

    name: str = attrs.field(init=False, default="tuple")
    items: tuple[Type, ...]
    cls: type | None = None

    def __str__(self) -> str:
        if is_text(self):
            return f"text of {len(self.items)} letters"
        if self.cls is Alternative:
            return " or ".join(map(str, self.items[1:]))
        name = self.cls.__name__ if self.cls else "tuple"
        if len(self.items) > 3 and len(set(self.items)) == 1:
            return f"{name} of {len(self.items)} × {self.items[0]}"
        return f"{name}({', '.join(map(str, self.items))})"


@attrs.frozen
class RecordOf(Type):
    """An instance of a frozen class: the types of its fields, in order."""

    name: str = attrs.field(init=False, default="record")
    cls: type
    items: tuple[Type, ...]

    def __str__(self) -> str:
        fields = zip(field_names(self.cls), self.items, strict=True)
        return f"{self.cls.__name__}({', '.join(f'{name}: {each}' for name, each in fields)})"


@attrs.frozen
class Optional(Type):
    """A value of another type, or None."""

    name: str = attrs.field(init=False, default="optional")
    item: Type

    def __str__(self) -> str:
        return f"{self.item} or None"


@attrs.frozen
class OneOf(Type):
    """A value of one of several types, in specialization; only run time shows which type.

    Closed core uses a tuple of class `Alternative` for it.
    """

    name: str = attrs.field(init=False, default="one of")
    items: tuple[Type, ...]
    """The types, each from a different family (`_family`), in the order of the families' names."""
    excluded: frozenset[int] = frozenset()
    """The indices of the types that the value cannot have here, for example after a test with `isinstance`."""

    def __str__(self) -> str:
        return " or ".join(str(each) for index, each in enumerate(self.items) if index not in self.excluded)


@attrs.frozen
class List(Type):
    """A sequence whose length is known only at run time.

    Such a sequence cannot be part of a state, since its number of words varies.
    """

    name: str = attrs.field(init=False, default="list")
    item: Type
    cls: type = list
    """`tuple` for a tuple whose length is known only at run time, `str` for such a text."""
    origin: frozenset[object] = attrs.field(default=frozenset(), eq=False, repr=False)
    """The places in a program that make lists of this type; see `ggp.compiler.specialization`."""
    length: int | None = None
    """During specialization, the assumed length of lists of this type; None if unknown. Where the length is used, it is
    checked. In closed core, this length is always None.
    """

    def __str__(self) -> str:
        return f"list of {self.item}"


@attrs.frozen
class ObjectOf(Type):
    """An instance of a class whose fields may change: the types of its fields, in order. It has an identity."""

    name: str = attrs.field(init=False, default="object")
    cls: type
    fields: tuple[str, ...]
    items: tuple[Type, ...]
    origin: frozenset[object] = attrs.field(default=frozenset(), eq=False, repr=False)
    """The places in a program that make objects of this type; see `ggp.compiler.specialization`."""

    def __str__(self) -> str:
        return str(AS_PYTHON.get(self.cls, self.cls).__name__)  # what authors call it, such as dict


def is_text(kind: Type | None) -> bool:
    """Return whether a type is the type of spelled-out texts."""
    return isinstance(kind, Tuple) and kind.cls is str


def text_type(length: int) -> Type:
    """Return the type of texts with this length."""
    return Tuple((ATOM,) * length, str) if is_spelled(length) else ATOM


def is_spelled(length: int) -> bool:
    """Return whether texts with this length are stored letter by letter."""
    texts = _texts.get()
    texts.short = texts.short or SHORT <= length < texts.least
    return length >= texts.least and length not in texts.names


@functools.cache
def frozen_class(cls: type, names: tuple[str, ...]) -> type:
    """Return the class that stands for a `FrozenObject` of a class with these attributes, in this order."""
    return type(cls.__name__, (FrozenAttributes,), {"_fields": names, "thawed": cls})


class FrozenAttributes(tuple[object, ...]):
    """The base class of tuples that stand for frozen objects."""

    __slots__ = ()
    thawed: ClassVar[type | None] = None
    """The class of the objects that are frozen in this way."""
    _fields: ClassVar[tuple[str, ...]] = ()


def thawed_class(cls: object) -> type | None:
    """Return the class of the objects that are frozen as `cls`; None if `cls` is not a class for frozen objects."""
    return cls.thawed if isinstance(cls, type) and issubclass(cls, FrozenAttributes) else None


class FrozenRow(tuple[object, ...]):
    """The class for frozen lists of limited length. An instance has the length, and as many items as the limit; unused
    items are zero.
    """

    __slots__ = ()
    python: ClassVar[type] = FrozenList
    """The class of the values that an instance stands for."""


class TupleRow(FrozenRow):
    """The class that stands for tuples with up to a fixed number of items."""

    __slots__ = ()
    python = tuple


class SetRow(FrozenRow):
    """The class for frozen sets that were made from a set; it holds the items in the order of their words."""

    __slots__ = ()
    python = FrozenSet


class FrozenSetRow(FrozenRow):
    """The class that stands for an author's frozen sets."""

    __slots__ = ()
    python = frozenset


ROWS = (FrozenRow, TupleRow, SetRow, FrozenSetRow)


def is_row(kind: object) -> "TypeGuard[Tuple]":
    """Return whether values of a type may have fewer items than they have room for."""
    return isinstance(kind, Tuple) and kind.cls in ROWS


def is_thawed(kind: Type) -> bool:
    """Return whether rules can use values of a type only after `thaw`: frozen sets, and objects with their own hash."""
    if isinstance(kind, Tuple) and (kind.cls in (SetRow, FrozenSetRow) or has_own_hash(thawed_class(kind.cls))):
        return True
    return any(map(is_thawed, parts_of(kind)))


def has_own_hash(cls: object) -> bool:
    """Return whether a class defines a hash for its objects."""
    own: object = cls.__hash__ if isinstance(cls, type) else None
    return own not in (None, object.__hash__)


def bits_type(width: int) -> BitsOf:
    """Return the type of sets with this width.

    Raises:
        NotRepresentable: the width is too large.
    """
    if width > WIDEST:
        raise NotRepresentable(f"Bits of more than {WIDEST} cells cannot be compiled; got {width}")
    return BitsOf(width)


def row_of(item: Type, room: int, cls: type | None = FrozenRow) -> Type:
    """Return the type of frozen lists, or of another class in `ROWS`, with at most this many items."""
    return Tuple((INT, Tuple((item,) * room)), cls)


def row_class(kind: Tuple) -> type[FrozenRow]:
    """Return the class of `ROWS` that stands for a row of a type."""
    assert kind.cls is not None and issubclass(kind.cls, FrozenRow)
    return kind.cls


def row_items(kind: Type) -> tuple[Type, ...]:
    """Return the types of the items for which a row has room."""
    assert isinstance(kind, Tuple) and isinstance(kind.items[1], Tuple)
    return kind.items[1].items


def _items_in(kind: Type) -> list[Type]:
    """Return the types of the items of a sequence or a row."""
    if isinstance(kind, List):
        return [kind.item]
    assert isinstance(kind, Tuple)
    return list(row_items(kind) if kind.cls in ROWS else kind.items)


def _stored_as(kind: Type) -> type | None:
    """Return the class in `ROWS` that can store values of a type; None if there is none."""
    if not isinstance(kind, (List, Tuple)):
        return None
    own = kind.cls or tuple
    return own if own in ROWS else next((each for each in ROWS if each.python is own), None)


def zero_of(kind: Type) -> object:
    """Return the value that has the type `kind` and zero in all its words, as a constant of closed core.

    Raises:
        NotRepresentable: the type has no such value.
    """
    if isinstance(kind, Tuple):
        return tuple(map(zero_of, kind.items))
    if isinstance(kind, RecordOf):  # its constructor may refuse such fields
        made: object = object.__new__(kind.cls)
        for name, each in zip(field_names(kind.cls), kind.items, strict=True):
            object.__setattr__(made, name, zero_of(each))
        return made
    if isinstance(kind, OneOf):
        return (0, *map(zero_of, kind.items))
    if isinstance(kind, Optional) or kind in (ATOM, LETTER, NONE):
        return None
    if isinstance(kind, Narrow):
        return 0
    if isinstance(kind, BitsOf):
        return Bits(width=kind.width)
    if isinstance(kind, EnumOf) and not issubclass(kind.cls, int):
        return next(iter(kind.cls))
    zero = {INT: 0, BOOL: False, FLOAT: 0.0, NUMBER: (False, 0)}.get(kind)
    if zero is None:
        raise NotRepresentable(f"a list of {kind} whose length changes cannot be part of a state")
    return zero


class ArrayOf(tuple[object, ...]):
    """The base class of classes for arrays of NumPy.

    An instance has a list of cells, the index of the first cell, and those lengths and strides that are known only at
    run time. A view of an array has the same cells as the array.
    """

    __slots__ = ()
    shape: ClassVar[tuple[int | None, ...]] = ()
    strides: ClassVar[tuple[int | None, ...]] = ()
    """For each axis, the number of cells from one index to the next."""
    dtype: ClassVar[str] = ""


class FrozenCells(tuple[object, ...]):
    """The base class of classes that stand for frozen arrays; an instance holds all cells."""

    __slots__ = ()
    shape: ClassVar[tuple[int, ...]] = ()
    dtype: ClassVar[str] = ""


@functools.cache
def array_class(shape: tuple[int | None, ...], strides: tuple[int | None, ...], dtype: str) -> type:
    """Return the class for arrays with this shape and these strides; None stands for a stride that is not known."""
    counts = [f"count_{axis}" for axis, count in enumerate(shape) if count is None]
    fields = ("cells", "start", *counts, *["step" for each in strides if each is None])
    members = {"_fields": fields, "shape": shape, "strides": strides, "dtype": dtype}
    return type(_array_name(shape, dtype), (ArrayOf,), members)


@functools.cache
def cells_class(shape: tuple[int, ...], dtype: str) -> type:
    """Return the class that stands for frozen arrays with this shape."""
    return type(_array_name(shape, dtype), (FrozenCells,), {"shape": shape, "dtype": dtype})


def _array_name(shape: tuple[int | None, ...], dtype: str) -> str:
    return f"{dtype} array of {' × '.join(map(str, shape))}"


def array_class_of(kind: object) -> type[ArrayOf] | None:
    """Return the class of NumPy arrays that a type or class stands for; None if it stands for no array."""
    own_class = kind.cls if isinstance(kind, Tuple) else kind
    return own_class if isinstance(own_class, type) and issubclass(own_class, ArrayOf) else None


def cells_class_of(kind: object) -> type[FrozenCells] | None:
    """Return the class for the frozen arrays of a type or class; None if it stands for no frozen array."""
    own_class = kind.cls if isinstance(kind, Tuple) else kind
    return own_class if isinstance(own_class, type) and issubclass(own_class, FrozenCells) else None


ITEM_TYPES: dict[str, Type] = {
    "<i8": INT, "<i4": Narrow(32), "<i2": Narrow(16), "|i1": Narrow(8), "|b1": BOOL, "<f8": FLOAT,
}  # fmt: skip
"""The types of the cells of NumPy arrays, by the `dtype` of the array."""


def contiguous(shape: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the strides of a new array with this shape."""
    strides: list[int] = []
    step = 1
    for count in reversed(shape):
        strides.append(step)
        step *= count or 0
    return tuple(reversed(strides))


class Mixed(tuple[object, ...]):
    """A number that is an int or a float, known only at run time: a flag for int, and the number's word."""

    __slots__ = ()


MIXED = Tuple((BOOL, INT), Mixed)
"""The type of numbers that may be ints or floats; a float is stored as the int with its bits."""


class Alternative(tuple[object, ...]):
    """A value of one of several types: the index of its type, then a place for each type.

    The places of the other types are zero, so that equal values have equal words.
    """

    __slots__ = ()


MOST_CHOICES = 4
"""Maximum number of types in a `OneOf`, whose values have one of several types."""


def _family(kind: Type) -> str | None:
    """Return the name of the group of types whose values may equal values of this type. Return None if this type cannot
    be one of several types of a value.
    """
    if kind in (INT, BOOL, FLOAT, NUMBER):
        return "number"
    if kind in (ATOM, LETTER) or is_text(kind):
        return "text"
    if isinstance(kind, Tuple) and all(map(_is_part, kind.items)):
        is_tuple = kind.cls is None or (hasattr(kind.cls, "_fields") and not is_frozen(kind.cls))
        return f"tuple of {len(kind.items):03}" if is_tuple else None
    return _class_name(kind.cls) if isinstance(kind, EnumOf) and not issubclass(kind.cls, (int, enum.Flag)) else None


def _is_part(kind: Type) -> bool:
    """Return whether a tuple among the alternatives of a `OneOf` may have an item of this type."""
    if isinstance(kind, Optional):
        return _is_part(kind.item)
    return kind in (NONE, BOTTOM) or isinstance(kind, (BitsOf, OneOf)) or _family(kind) is not None


def one_of(one: Type, other: Type) -> Type | None:
    """Return the type of values that have one of two types. Return None if the two types have a common type other than
    a `OneOf`.

    Raises:
        NotRepresentable: the types belong to one family and have no common type.
    """
    by_family: dict[str, Type] = {}
    had = set()
    for kind in (one, other):
        excluded = kind.excluded if isinstance(kind, OneOf) else ()
        for index, each in enumerate(kind.items if isinstance(kind, OneOf) else (kind,)):
            family = _family(each)
            if family is None:
                return None
            by_family[family] = join(by_family.get(family, BOTTOM), each)
            had |= {family} if index not in excluded else set()
    if not 1 < len(by_family) <= MOST_CHOICES:
        return None
    _require_no_rows([each for each in by_family.values() if isinstance(each, Tuple) and not is_text(each)])
    families = sorted(by_family)
    excluded = frozenset(index for index, family in enumerate(families) if family not in had)
    return OneOf(tuple(by_family[family] for family in families), excluded)


def _require_no_rows(tuples: list[Tuple]) -> None:
    """Check that tuples of different lengths are not rows of one table: their items must have no common type.

    Raises:
        NotRepresentable: they are.
    """
    try:
        item = functools.reduce(join, [part for each in tuples for part in each.items], BOTTOM)
    except NotRepresentable:
        return
    if len(tuples) > 1 and not isinstance(item, OneOf):
        raise NotRepresentable(f"{tuples[0]} and {tuples[1]} have no common type")


def has_names(kind: Type) -> bool:
    """Return whether values of a type contain texts that are stored as one machine word each."""
    is_board = is_text(kind) or (isinstance(kind, List) and kind.cls is str)
    return not is_board and (kind in (ATOM, LETTER) or any(map(has_names, parts_of(kind))))


def has_choice(kind: Type) -> bool:
    """Return whether values of a type contain a value of one of several types."""
    return isinstance(kind, OneOf) or any(map(has_choice, parts_of(kind)))


def choice_of(kind: OneOf, given: Type) -> int | None:
    """Return the index of the type in `kind` that includes another type; None if no type does."""
    families = [*map(_family, kind.items)]
    family = "text" if given == NONE else _family(given)
    return families.index(family) if family in families else None


def optional(kind: Type) -> Type:
    """Return the type of values that have a given type or are None."""
    has_none = kind in (ATOM, NONE) or isinstance(kind, Optional)
    if isinstance(kind, OneOf) and LETTER in kind.items:
        return attrs.evolve(kind, items=tuple(ATOM if each == LETTER else each for each in kind.items))
    return kind if has_none or (isinstance(kind, OneOf) and ATOM in kind.items) else Optional(kind)


class FrozenPairs(tuple[object, ...]):
    """The base class of classes for frozen dictionaries.

    An instance holds for each key a tuple with its value, or None.
    """

    __slots__ = ()
    keys: ClassVar[tuple[object, ...]] = ()


@functools.cache
def frozen_pairs(keys: tuple[object, ...]) -> type:
    """Return the class that stands for frozen dictionaries with all or some of these keys."""
    return type("FrozenPairs", (FrozenPairs,), {"keys": keys})


class FrozenMapping(tuple[object, ...]):
    """The base class of classes for frozen defaultdicts and Counters. The only item of an instance is the contents of
    the dictionary, as `frozen_pairs` stores them.
    """

    __slots__ = ()
    python: ClassVar[type] = collections.Counter
    """The class of the values that an instance stands for."""
    factory: ClassVar[type | None] = None
    """The class that makes the missing values of a defaultdict; None for any other dictionary."""


@functools.cache
def frozen_mapping(python: type, factory: type | None) -> type:
    """Return the class that stands for frozen defaultdicts with a factory, or for frozen Counters."""
    return type("FrozenMapping", (FrozenMapping,), {"python": python, "factory": factory})


def mapping_class_of(kind: object) -> type[FrozenMapping] | None:
    """Return `kind`, or the class of its values, if that is a class for frozen defaultdicts or Counters; otherwise
    None.
    """
    own_class = kind.cls if isinstance(kind, Tuple) else kind
    return own_class if isinstance(own_class, type) and issubclass(own_class, FrozenMapping) else None


def mapping_attributes(cls: type[FrozenMapping], items: object) -> dict[str, object]:
    """Return the attributes of a frozen defaultdict or Counter, in the order of their names."""
    return {"items": items} if cls.factory is None else {"default_factory": cls.factory, "items": items}


def _mapping_type(value: FrozenObject) -> Type | None:
    """Return the type of a frozen defaultdict or Counter; None if machine code does not support it."""
    if not is_counter_or_default(value):
        return None
    inner = type_of(value.frozen_values[-1])
    factory = value.frozen_values[0] if len(value.frozen_values) == 2 else None
    return Tuple((inner,), frozen_mapping(value.frozen_class, factory)) if keys_of(inner) is not None else None


def keys_of(kind: Type) -> tuple[object, ...] | None:
    """Return the keys of the frozen dictionaries of a type; None if the type is not for dictionaries."""
    frozen = kind.cls if isinstance(kind, Tuple) else None
    return frozen.keys if isinstance(frozen, type) and issubclass(frozen, FrozenPairs) else None


def pairs_of(keys: tuple[Any, ...], value: Type) -> Type:
    """Return the type of frozen dictionaries with all or some of these keys.

    Raises:
        NotRepresentable: the keys cannot be sorted, or are neither numbers nor texts.
    """
    try:
        ordered = tuple(sorted(keys))
        plain = ast.literal_eval(repr(ordered)) == ordered
    except (TypeError, ValueError, SyntaxError):
        plain = False
    if not plain or len(keys) > MOST_ROOM:
        raise NotRepresentable(
            f"a dictionary in a state with {len(keys)} keys such as {short(keys[0])} is not compiled"
        )
    return Tuple((Optional(Tuple((value,))),) * len(ordered), frozen_pairs(ordered))


def value_in(pairs: Type) -> Type:
    """Return the type of the values in frozen dictionaries of this type."""
    assert isinstance(pairs, Tuple)
    if not pairs.items:
        return BOTTOM
    held = pairs.items[0]
    assert isinstance(held, Optional) and isinstance(held.item, Tuple)
    return held.item.items[0]


def dict_type(keys: tuple[object, ...], values: list[Type]) -> Type:
    """Return the type of frozen dictionaries with these keys, in order, and with values of these types.

    If the keys are texts and the values have no common type, each value has a type of its own.
    """
    try:
        one = functools.reduce(with_room, values, BOTTOM)
        if not {BOOL, INT} <= {*values} and not (has_choice(one) and are_texts(keys)):
            return pairs_of(keys, one)
    except NotRepresentable:
        if not are_texts(keys):
            raise
    if not are_texts(keys):
        return pairs_of(keys, one)
    return Tuple(tuple(values), frozen_field_dict(keys))


def are_texts(keys: tuple[object, ...]) -> "TypeGuard[tuple[str, ...]]":
    """Return whether all keys of a dictionary are texts."""
    return bool(keys) and {*map(type, keys)} == {str}


def frozen_field_dict(keys: tuple[str, ...]) -> type:
    """Return the class that stands for frozen dictionaries with exactly these keys, whose values have several types."""
    own = field_dict(tuple(sorted(keys)))
    cls: type = own  # not type[FieldDict], which mypy takes for unhashable, as its instances are
    return frozen_class(cls, tuple(field for _, field in own.fields_by_key))


def field_keys(cls: object) -> tuple[str, ...] | None:
    """Return the keys of the dictionaries that a class of `field_dict` is for; None for any other class."""
    if isinstance(cls, type) and issubclass(cls, FieldDict):
        return tuple(key for key, _ in cls.fields_by_key)
    return None


def class_of(kind: Type | None) -> type | None:
    """Return the only class whose instances have this type; None if there is no such class."""
    return kind.cls if isinstance(kind, EnumOf | Tuple | RecordOf | List | ObjectOf) else None


def field_dicts_in(kind: Type) -> Iterator[frozenset[str]]:
    """Yield the keys of each dictionary in values of a type, if the dictionary has values of several types."""
    keys = field_keys(thawed_class(class_of(kind)))
    if keys is not None:
        yield frozenset(keys)
    for each in parts_of(kind):
        yield from field_dicts_in(each)


def with_room(one: Type, other: Type) -> Type:
    """Return the common type of two frozen states, with room for lists that differ in length.

    Raises:
        NotRepresentable: the two types have no common type.
    """
    row = _stored_as(one)
    if isinstance(one, Tuple) and isinstance(other, Tuple) and row is not None and row is _stored_as(other):
        if is_row(one) or is_row(other) or len(one.items) != len(other.items):
            rows = [_items_in(each) for each in (one, other)]
            return row_of(functools.reduce(with_room, rows[0] + rows[1], BOTTOM), max(map(len, rows)), row)
    keys = [_dictionary_keys(each) for each in (one, other)]
    if keys[0] is not None and keys[1] is not None:
        return _dictionary_with_room(one, other, keys[0], keys[1])
    if isinstance(one, Tuple) and isinstance(other, Tuple) and one.cls is other.cls:
        if len(one.items) == len(other.items) and not is_text(one):
            return Tuple(tuple(map(with_room, one.items, other.items)), one.cls)
    if isinstance(one, RecordOf) and isinstance(other, RecordOf) and one.cls is other.cls:
        return RecordOf(one.cls, tuple(map(with_room, one.items, other.items)))
    return join(one, other)


def _dictionary_keys(kind: Type) -> tuple[object, ...] | None:
    """Return the keys of the frozen dictionaries of a type; None if the type is not for dictionaries."""
    return keys_of(kind) if keys_of(kind) is not None else field_keys(thawed_class(class_of(kind)))


def _dictionary_with_room(one: Type, other: Type, keys: tuple[object, ...], others: tuple[object, ...]) -> Type:
    """Return the common type of two types of frozen dictionaries. Raises as `with_room` does."""
    if keys_of(one) is not None and keys_of(other) is not None:
        try:
            return pairs_of(
                (*{**dict.fromkeys(keys), **dict.fromkeys(others)},), with_room(*map(value_in, (one, other)))
            )
        except NotRepresentable:
            if keys != others or not are_texts(keys):
                raise
    if keys != others:
        raise NotRepresentable(
            f"a dictionary has the keys {', '.join(map(repr, keys))} in one state, and"
            f" {', '.join(map(repr, others))} in another; give it all of them in every state, with None where there is"
            " nothing"
        )
    assert are_texts(keys)  # of pairs and of a class with fields, or of two such classes
    items = [(value_in(each),) * len(keys) if keys_of(each) is not None else each.items for each in (one, other)]  # type: ignore[attr-defined]
    return Tuple(tuple(map(with_room, *items)), frozen_field_dict(keys))


def roomy(kind: Type) -> Type:
    """Return a type whose lists of changing length have room for twice as many items as were seen."""
    if is_row(kind):
        items = _items_in(kind)
        room = max(LEAST_ROOM, 2 * len(items))
        if room > MOST_ROOM:
            raise NotRepresentable(f"the state's list of changing length is too long: it has {len(items)} items")
        return row_of(roomy(items[0]), room, kind.cls) if items else kind
    return _part_by_part(kind, roomy)


MOST_CELLS = 1024
"""Maximum number of items of an array in a state."""
LEAST_ROOM, MOST_ROOM = 4, 128
"""Bounds for the number of items that a list in a state has room for, if its length changes."""


def is_frozen(cls: object) -> bool:
    """Return whether a class is one of the classes for frozen lists, or stands for values of another class."""
    pairs = isinstance(cls, type) and issubclass(cls, FrozenPairs | FrozenMapping)
    return cls in (FrozenList, *ROWS, Mixed, Alternative) or pairs or bool(thawed_class(cls) or cells_class_of(cls))


@functools.cache
def is_record(cls: type) -> bool:
    """Return whether `cls` is a frozen class of attrs or dataclasses."""
    if issubclass(cls, tuple):
        return False
    if attrs.has(cls):
        return cls.__setattr__ is not object.__setattr__
    return dataclasses.is_dataclass(cls) and bool(cls.__dataclass_params__.frozen)  # type: ignore[attr-defined]


@functools.cache
def field_names(cls: type) -> tuple[str, ...]:
    """Return the names of the fields of a frozen class or a named tuple."""
    if attrs.has(cls):
        return tuple(each.name for each in attrs.fields(cls))
    if dataclasses.is_dataclass(cls):
        return tuple(each.name for each in dataclasses.fields(cls))
    assert hasattr(cls, "_fields")
    return tuple(cls._fields)


def in_one_order(items: Iterable[object]) -> bool:
    """Return whether the items of a set have the same order in every run. The order of texts and of members of an Enum
    differs from run to run.
    """
    return all(map(_hashes_alike, items))


def _hashes_alike(value: object) -> bool:
    cls: type = type(value)
    if isinstance(value, tuple):
        return in_one_order(value)
    if isinstance(value, (int, float)):
        return True
    return is_record(cls) and in_one_order([getattr(value, name) for name in field_names(cls)])


def are_numbers(value: object) -> bool:
    """Return whether a value is a tuple of integers that each fit in a word. The whole value is tested at once, since
    tables of a game may have hundreds of thousands of integers.
    """
    return type(value) is tuple and set(map(type, value)) == {int} and LEAST <= min(value) <= max(value) <= GREATEST


def type_of(value: Any) -> Type:
    """Return the type of a value.

    Raises:
        NotRepresentable: machine code does not support such values.
    """
    cls: Any = type(value)
    if cls is bool:
        return BOOL
    if cls is int:
        if not LEAST <= value <= GREATEST:
            raise NotRepresentable(f"{value} does not fit in 64 bits")
        return INT
    if cls is float:
        return FLOAT
    if value is None:
        return NONE
    if cls is str:
        return text_type(len(value))
    if cls is Bits:
        return bits_type(value.width)
    if isinstance(value, enum.Flag):
        raise NotRepresentable(
            f"{cls.__name__} is a set of flags, which cannot be compiled; write whole numbers or ggp.Bits"
        )
    if isinstance(value, enum.Enum):
        if cls._member_type_ not in (object, int):
            raise NotRepresentable(
                f"{cls.__name__} has a base class besides Enum, which cannot be compiled; use Enum or IntEnum"
            )
        return EnumOf(cls)
    if isinstance(value, FrozenDict):
        return dict_type(tuple(key for key, _ in value), [type_of(each) for _, each in value])
    if isinstance(value, FrozenArray) and value.dtype in ITEM_TYPES and len(value.shape) > 0:
        count = len(value.content) // int(value.dtype[2])
        if count > MOST_CELLS:
            raise NotRepresentable(f"an array of NumPy with {count} items in a state cannot be compiled")
        return Tuple((in_atoms(ITEM_TYPES[value.dtype]),) * count, cells_class(value.shape, value.dtype))
    if isinstance(value, FrozenArray):
        raise NotRepresentable(
            f"an array of NumPy of the kind {value.dtype} in a state cannot be compiled; make it one of int"
        )
    if cls in (frozenset, FrozenSet):
        items = [type_of(each) for each in value]
        item = functools.reduce(with_room, items, BOTTOM)
        if len({*items} & {INT, BOOL, FLOAT}) > 1 or FLOAT in items:
            raise NotRepresentable("a set of floats, or of numbers of several types, in a state is not compiled")
        return row_of(item, len(items), next(each for each in ROWS if each.python is cls))
    if isinstance(value, FrozenObject) and (mapping := _mapping_type(value)) is not None:
        return mapping
    if isinstance(value, FrozenObject) and issubclass(
        value.frozen_class, (collections.deque, bytearray, dict, list, set)
    ):
        raise NotRepresentable(
            f"a {value.frozen_class.__name__} in a state cannot be compiled; make it a list or a dictionary"
        )
    if isinstance(value, FrozenObject):
        if issubclass(value.frozen_class, CONTAINERS):
            raise NotRepresentable(f"{short(value)} is of type {value.frozen_class.__name__}, which is not compiled")
        return Tuple(tuple(map(type_of, value.frozen_values)), frozen_class(value.frozen_class, value.frozen_names))
    if isinstance(value, tuple):
        return Tuple(tuple(map(type_of, value)), cls if hasattr(cls, "_fields") or cls is FrozenList else None)
    if is_record(cls):
        return RecordOf(cls, tuple(type_of(getattr(value, name)) for name in field_names(cls)))
    if is_own_value(value):
        return type_of(frozen_attributes(value))
    python = next(each for each in cls.__mro__ if each.__module__ != "ggp.compiler.containers")
    raise NotRepresentable(
        f"{short(value)} is of type {python.__name__}; states, actions and what the rules read of "
        "the game can only consist of whole numbers, floats, "
        "truth values, texts, None, enumerations, tuples and frozen classes"
    )


def short(value: object) -> str:
    """Return the text of a value, cut to 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def join(one: Type, other: Type) -> Type:
    """Return the common type of two types.

    Raises:
        NotRepresentable: the types have no common type.
    """
    if one == other:
        return _of_both(one, other)
    if other == BOTTOM:
        return one
    if one == BOTTOM:
        return other
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Narrow) and (isinstance(there, Narrow) or there in (INT, BOOL)):
            return Narrow(min(here.bits, there.bits)) if isinstance(there, Narrow) else here
    if {one, other} <= {INT, BOOL, FLOAT, NUMBER}:
        return INT if {one, other} == {INT, BOOL} else NUMBER
    for here, there in ((one, other), (other, one)):
        if {here, there} <= {LETTER, ATOM, NONE} and LETTER in (here, there):
            return ATOM
        if here == NONE:
            return optional(there)
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Optional):
            return optional(join(here.item, there.item if isinstance(there, Optional) else there))
        if isinstance(here, EnumOf) and issubclass(here.cls, int) and there in (INT, BOOL):
            return INT
    if (
        isinstance(one, EnumOf)
        and isinstance(other, EnumOf)
        and issubclass(one.cls, int)
        and issubclass(other.cls, int)
    ):
        return INT
    if is_text(one) or is_text(other):
        for here, there in ((one, other), (other, one)):
            if isinstance(here, List) and here.cls is str and isinstance(there, Tuple):
                return List(functools.reduce(join, there.items, here.item), str, here.origin)
        if {one, other} - {each for each in (one, other) if is_text(each)} <= {ATOM, LETTER}:
            _texts.get().differing.update(size(each) for each in (one, other) if is_text(each))
    if isinstance(one, Tuple) and isinstance(other, Tuple) and one.cls is not other.cls:
        line = _line_of_either(one, other)
        if line is not None:
            return line
    if isinstance(one, Tuple) and isinstance(other, Tuple) and one.cls is other.cls:
        if len(one.items) == len(other.items):
            return Tuple(tuple(join(*pair) for pair in zip(one.items, other.items, strict=True)), one.cls)
    if isinstance(one, RecordOf) and isinstance(other, RecordOf) and one.cls is other.cls:
        return RecordOf(one.cls, tuple(join(*pair) for pair in zip(one.items, other.items, strict=True)))
    if isinstance(one, List) and isinstance(other, List) and one.cls is other.cls:
        length = one.length if one.length == other.length else None
        return List(join(one.item, other.item), one.cls, one.origin | other.origin, length)
    if isinstance(one, ObjectOf) and isinstance(other, ObjectOf) and (one.cls, one.fields) == (other.cls, other.fields):
        items = tuple(map(join, one.items, other.items))
        return ObjectOf(one.cls, one.fields, items, one.origin | other.origin)
    for here, there in ((one, other), (other, one)):
        if isinstance(here, List) and isinstance(there, Tuple) and here.cls is tuple and there.cls is None:
            item = functools.reduce(join, there.items, here.item)
            return List(item, here.cls, here.origin)
    families = {_family(one), _family(other)}
    either = one_of(one, other) if len(families) == 2 or families == {None} else None
    if either is None:
        raise NotRepresentable(f"{one} and {other} have no common type")
    return either


def _line_of_either(one: Tuple, other: Tuple) -> Tuple | None:
    """Return the type of one-dimensional arrays of either stride; None if the types differ in more than the stride."""
    here, there = array_class_of(one), array_class_of(other)
    if here is None or there is None or len(here.shape) != 1 or (here.shape, here.dtype) != (there.shape, there.dtype):
        return None
    count = 2 + here.shape.count(None)
    items = tuple(join(*pair) for pair in zip(one.items[:count], other.items[:count], strict=True))
    return Tuple((*items, INT), array_class(here.shape, (None,), here.dtype))


def _of_both(one: Type, other: Type) -> Type:
    """Return one of two equal types, with the origins of both."""
    if one is other or not has_reference(one):
        return one
    if isinstance(one, List) and isinstance(other, List):
        return attrs.evolve(one, item=_of_both(one.item, other.item), origin=one.origin | other.origin)
    if isinstance(one, Optional) and isinstance(other, Optional):
        return Optional(_of_both(one.item, other.item))
    assert isinstance(one, (Tuple, RecordOf, ObjectOf)) and isinstance(other, (Tuple, RecordOf, ObjectOf))
    items = tuple(map(_of_both, one.items, other.items))
    if isinstance(one, ObjectOf) and isinstance(other, ObjectOf):
        return attrs.evolve(one, items=items, origin=one.origin | other.origin)
    return attrs.evolve(one, items=items)


def origins(kind: Type) -> Iterator[frozenset[object]]:
    """Yield the origins of the lists and objects in a type, in a fixed order."""
    if isinstance(kind, (List, ObjectOf)):
        yield kind.origin
    if isinstance(kind, (List, Optional)):
        yield from origins(kind.item)
    elif isinstance(kind, (Tuple, RecordOf, ObjectOf)):
        for each in kind.items:
            yield from origins(each)


def alike(one: Type, other: Type) -> bool:
    """Return whether two types are equal and have the same origins."""
    return one == other and (one is other or list(origins(one)) == list(origins(other)))


def with_origins(kind: Type, parameter: object, argument: Type) -> Type:
    """Return the type of a result as its caller sees it: lists of a parameter are now lists of the argument."""
    if isinstance(kind, (List, ObjectOf)) and parameter in kind.origin:
        given = argument.origin if isinstance(argument, (List, ObjectOf)) else frozenset()
        kind = attrs.evolve(kind, origin=kind.origin - {parameter} | given)
    return _part_by_part(kind, lambda each: with_origins(each, parameter, argument))


def without_lengths(kind: Type) -> Type:
    """Return a type whose lists may have any number of items."""
    if isinstance(kind, List):
        return attrs.evolve(kind, item=without_lengths(kind.item), length=None)
    return _part_by_part(kind, without_lengths) if has_reference(kind) else kind


def in_letters(kind: Type) -> Type:
    """Return a type in the form that specialization uses: spelled-out texts consist of letters."""
    if is_text(kind):
        return Tuple((LETTER,) * size(kind), str)
    if kind == MIXED:
        return NUMBER
    if isinstance(kind, Tuple) and kind.cls is Alternative:
        return OneOf(tuple(map(in_letters, kind.items[1:])))
    return _part_by_part(kind, in_letters)


def in_atoms(kind: Type) -> Type:
    """Return a type in the form that closed core uses: a letter is a text, and a number carries a flag for int."""
    if isinstance(kind, List):
        return attrs.evolve(kind, item=in_atoms(kind.item), length=None)
    if kind == NUMBER:
        return MIXED
    if isinstance(kind, OneOf):
        return Tuple((INT, *map(in_atoms, kind.items)), Alternative)
    if isinstance(kind, Narrow):
        return INT
    return ATOM if kind == LETTER else _part_by_part(kind, in_atoms)


def _part_by_part(kind: Type, change: Callable[[Type], Type]) -> Type:
    if isinstance(kind, (List, Optional)):
        return attrs.evolve(kind, item=change(kind.item))
    if isinstance(kind, (Tuple, RecordOf, ObjectOf, OneOf)):
        return attrs.evolve(kind, items=tuple(map(change, kind.items)))
    return kind


@functools.cache
def stored(kind: Type) -> Type:
    """Return a type without details that do not affect storage, such as whether a list is a tuple or a text."""
    if isinstance(kind, List):
        return List(stored(kind.item))
    if isinstance(kind, Optional):
        return Optional(stored(kind.item))
    if isinstance(kind, Tuple) and is_frozen(kind.cls):
        return Tuple(tuple(map(stored, kind.items)))
    if isinstance(kind, (Tuple, RecordOf, ObjectOf)):
        return attrs.evolve(kind, items=tuple(map(stored, kind.items)))
    return kind


def parts_of(kind: Type) -> tuple[Type, ...]:
    """Return the types of the parts of a type, each once."""
    if isinstance(kind, (List, Optional)):
        return (kind.item,)
    return tuple(dict.fromkeys(kind.items)) if isinstance(kind, (Tuple, RecordOf, ObjectOf, OneOf)) else ()


def linked_class(kind: Type, around: tuple[object, ...] = ()) -> type | None:
    """Return a class whose objects contain other objects of the same class; None if there is no such class.

    A type lets an object contain objects of its own class, down to a depth of `MOST_LINKED`.
    """
    if isinstance(kind, ObjectOf):
        around = (*around, kind.cls)
        if around.count(kind.cls) > MOST_LINKED:
            return kind.cls
    return next((linked for each in parts_of(kind) if (linked := linked_class(each, around))), None)


def nesting(kind: Type) -> int:
    """Return the number of levels of tuples, lists and objects in a type."""
    return 1 + max(map(nesting, parts_of(kind)), default=-1)


MOST_LINKED, MOST_NESTED = 3, 12
"""Maximum nesting of objects of one class, and of all values; deeper nesting is assumed to be endless."""


def has_reference(kind: Type) -> bool:
    """Return whether values of a type contain lists or objects."""
    if isinstance(kind, (List, ObjectOf)):
        return True
    if isinstance(kind, Optional):
        return has_reference(kind.item)
    return isinstance(kind, (Tuple, RecordOf)) and any(map(has_reference, kind.items))


def texts_in(value: object) -> set[str]:
    """Return the texts in a value."""
    if isinstance(value, str):
        return set(value) if is_spelled(len(value)) else {value}
    cls: type = type(value)
    items = [getattr(value, name) for name in field_names(cls)] if is_record(cls) else value
    return {text for each in items for text in texts_in(each)} if isinstance(items, (tuple, list)) else set()


def in_shape(kind: Type, shape: Type) -> Type:
    """Return a type with tuples in place of lists where `shape` has tuples: states and actions have a fixed length."""
    if isinstance(shape, OneOf) and isinstance(kind, (List, Tuple)):
        length = len(kind.items) if isinstance(kind, Tuple) else kind.length
        tuples = [each for each in shape.items if isinstance(each, Tuple) and not is_text(each)]
        fitting = [each for each in tuples if len(each.items) == length] or (tuples if len(tuples) == 1 else [])
        return in_shape(kind, fitting[0]) if fitting else kind
    if mapping_class_of(shape) and isinstance(kind, ObjectOf) and isinstance(shape, Tuple):
        return Tuple((in_shape(kind, shape.items[0]),), shape.cls)
    keys = keys_of(shape)
    if keys is not None and (isinstance(kind, ObjectOf) or keys_of(kind) is not None):
        if isinstance(kind, ObjectOf):
            held = kind.items[kind.fields.index("held")]
            assert isinstance(held, List)
            value = held.item
        else:
            value = value_in(kind)
        return pairs_of(keys, with_room(BOTTOM, in_shape(value, value_in(shape))))
    if is_row(shape) and _stored_as(kind) is shape.cls:
        room = _items_in(shape)
        like = room[0] if room else BOTTOM
        item = functools.reduce(with_room, [in_shape(each, like) for each in _items_in(kind)], like)
        return row_of(item, len(room), shape.cls)
    frozen = [each.cls is FrozenList for each in (kind, shape) if isinstance(each, (List, Tuple))]
    plain = not (isinstance(shape, Tuple) and is_frozen(shape.cls))
    if isinstance(kind, List) and isinstance(shape, Tuple) and (all(frozen) or (plain and not any(frozen))):
        own = kind.cls if kind.cls in (str, FrozenList) else None
        return Tuple(tuple(in_shape(kind.item, part) for part in shape.items), own)
    if isinstance(kind, Tuple) and isinstance(shape, Tuple) and len(kind.items) == len(shape.items):
        return Tuple(tuple(in_shape(*pair) for pair in zip(kind.items, shape.items, strict=True)), kind.cls)
    if isinstance(kind, RecordOf) and isinstance(shape, RecordOf) and len(kind.items) == len(shape.items):
        return RecordOf(kind.cls, tuple(in_shape(*pair) for pair in zip(kind.items, shape.items, strict=True)))
    return kind


def size(kind: Type) -> int:
    """Return the number of words of a type."""
    if isinstance(kind, (Tuple, RecordOf)):
        return sum(map(size, kind.items))
    if isinstance(kind, Optional):
        return 1 + size(kind.item)
    if isinstance(kind, OneOf):
        return size(in_atoms(kind))
    if isinstance(kind, List) or kind == BOTTOM:
        raise NotRepresentable(f"a {kind} has no fixed size")
    if isinstance(kind, BitsOf):
        return kind.words
    return 0 if kind == NONE else 1


def describe(kind: Type) -> object:
    """Return the type as a value of JSON."""
    if isinstance(kind, Tuple) and (keys := keys_of(kind)) is not None:
        return ["pairs", repr(keys), [*map(describe, kind.items)]]
    if isinstance(kind, Tuple) and (mapping := mapping_class_of(kind)) is not None:
        factory = mapping.factory.__name__ if mapping.factory else None
        return ["mapping", [mapping.python.__name__, factory], [describe(kind.items[0])]]
    if isinstance(kind, Tuple) and (array := array_class_of(kind)) is not None:
        return ["array", [array.shape, array.strides, array.dtype], [*map(describe, kind.items)]]
    if isinstance(kind, Tuple) and (cells := cells_class_of(kind)) is not None:
        return ["cells", [cells.shape, (), cells.dtype], [*map(describe, kind.items)]]
    if isinstance(kind, ObjectOf | Tuple) and (keys := field_keys(thawed_class(kind.cls) or kind.cls)) is not None:
        return ["dictionary" if isinstance(kind, ObjectOf) else "frozen dictionary", keys, [*map(describe, kind.items)]]
    if isinstance(kind, ObjectOf) and issubclass(kind.cls, FieldList):
        return ["list of fields", None, [*map(describe, kind.items)]]
    if isinstance(kind, Tuple) and thawed_class(kind.cls):
        names = list(field_names(kind.cls))
        return ["frozen", _class_name(thawed_class(kind.cls)), names, [*map(describe, kind.items)]]
    if isinstance(kind, Tuple) and kind.cls is Alternative:
        return ["one of", None, [*map(describe, kind.items)]]
    if isinstance(kind, (Tuple, RecordOf)):
        return ["tuple" if isinstance(kind, Tuple) else "record", _class_name(kind.cls), [*map(describe, kind.items)]]
    if isinstance(kind, Optional):
        return ["optional", describe(kind.item)]
    if isinstance(kind, EnumOf):
        return ["enum", _class_name(kind.cls)]
    if isinstance(kind, BitsOf):
        return ["bits", kind.width]
    if isinstance(kind, List):
        return ["list", _class_name(kind.cls), describe(kind.item)]
    if isinstance(kind, ObjectOf):
        return ["object", _class_name(kind.cls), list(kind.fields), [*map(describe, kind.items)]]
    return kind.name


WITHOUT_PARTS = {each.name: each for each in (INT, BOOL, FLOAT, NONE, ATOM, BOTTOM)}


def described(text: Any, classes: dict[str, type]) -> Type:
    """Return the type from the output of `describe`.

    Arguments:
        classes: the classes that may occur in the type, by their names in the output of `describe`.

    Raises:
        KeyError: a class is missing.
    """
    if isinstance(text, str):
        return WITHOUT_PARTS[text]
    if text[0] == "bits":
        return BitsOf(text[1])
    if text[0] == "optional":
        return Optional(described(text[1], classes))
    if text[0] == "enum":
        return EnumOf(classes[text[1]])
    if text[0] == "list":
        sequence = next(each for each in (list, tuple, str) if _class_name(each) == text[1])
        return List(described(text[2], classes), sequence)
    items = tuple(described(each, classes) for each in text[-1])
    if text[0] in ("array", "cells"):
        shape, strides, dtype = text[1]
        made = array_class(tuple(shape), tuple(strides), dtype) if text[0] == "array" else None
        return Tuple(items, made or cells_class(tuple(shape), dtype))
    if text[0] == "one of":
        return Tuple(items, Alternative)
    if text[0] == "pairs":
        return Tuple(items, frozen_pairs(ast.literal_eval(text[1])))
    if text[0] == "mapping":
        factory = next((each for each in FACTORIES if each.__name__ == text[1][1]), None)
        return Tuple(items, frozen_mapping(vars(collections)[text[1][0]], factory))
    if text[0] == "frozen dictionary":
        return Tuple(items, frozen_field_dict(tuple(text[1])))
    if text[0] == "dictionary":
        own: type[FieldDict | FieldList] = field_dict(tuple(text[1]))
        return ObjectOf(own, tuple(field for _, field in own.fields_by_key), items)
    if text[0] == "list of fields":
        own = field_list(len(items))
        return ObjectOf(own, tuple(field for _, field in own.fields_by_key), items)
    if text[0] == "frozen":
        return Tuple(items, frozen_class(classes[text[1]], tuple(text[2])))
    if text[0] == "object":
        return ObjectOf(classes[text[1]], tuple(text[2]), items)
    if text[0] == "record":
        return RecordOf(classes[text[1]], items)
    if text[1] == _class_name(str):
        return Tuple(items, str)
    return Tuple(items, classes[text[1]] if text[1] else None)


def _class_name(cls: type | None) -> str | None:
    return f"{cls.__module__}.{cls.__qualname__}" if cls else None


def classes_in(kind: Type) -> Iterator[type]:
    """Yield the classes that a type and its parts have."""
    if isinstance(kind, (Tuple, RecordOf, ObjectOf)):
        made_here = keys_of(kind) is not None or bool(array_class_of(kind) or cells_class_of(kind))
        made_here = made_here or field_keys(thawed_class(kind.cls) or kind.cls) is not None
        made_here = made_here or issubclass(kind.cls or tuple, FieldList | FrozenMapping)
        if kind.cls and kind.cls not in (str, Alternative) and not made_here:
            yield thawed_class(kind.cls) or kind.cls
        for part in kind.items:
            yield from classes_in(part)
    elif isinstance(kind, (List, Optional, OneOf)):
        for part in parts_of(kind):
            yield from classes_in(part)
    elif isinstance(kind, EnumOf):
        yield kind.cls
