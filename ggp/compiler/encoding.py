"""Values as machine words, and back."""

import enum
import functools
import hashlib
import itertools
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ggp.bits import Bits
from ggp.compiler.types import (
    ATOM,
    BOOL,
    FLOAT,
    GREATEST,
    INT,
    LEAST,
    NONE,
    ROWS,
    Alternative,
    ArrayOf,
    BitsOf,
    EnumOf,
    FrozenAttributes,
    FrozenPairs,
    FrozenRow,
    Mixed,
    NotRepresentable,
    OneOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    array_class_of,
    cells_class_of,
    field_keys,
    field_names,
    has_own_hash,
    in_atoms,
    keys_of,
    mapping_attributes,
    mapping_class_of,
    row_items,
    short,
    size,
    thawed_class,
)
from ggp.frozen_states import (
    FrozenArray,
    FrozenDict,
    FrozenList,
    FrozenObject,
    array_of,
    frozen_attributes,
    thawed_object,
)

WORD = (1 << 64) - 1
"""The bits of a word."""
_TEXTS: dict[int, str | None] = {0: None}
"""The texts that have been converted to numbers in this process, by number."""


@functools.cache
def atom(text: str | None) -> int:
    """Return the number that stands for a text. The number is the same in every process, so that object code can be
    cached.
    """
    if text is None:
        return 0
    number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big") + 1
    if _TEXTS.setdefault(number, text) != text:
        raise NotRepresentable(f"the texts {text!r} and {_TEXTS[number]!r} have the same number")
    return number


def signed(word: int) -> int:
    """Return the signed integer with the same 64 bits."""
    return word - (1 << 64) if word >> 63 else word


def flatten(value: object, kind: Type) -> list[int]:
    """Return the words of a value.

    Raises:
        NotRepresentable: the value does not have this type.
    """
    words: list[int] = []
    add_words(value, kind, words)
    return words


def add_words(value: Any, kind: Type, words: list[int]) -> None:
    """Append the words of a value. Raises as `flatten` does."""
    if type(value) is int and kind == INT and LEAST <= value <= GREATEST:  # most of what is given, so asked first
        words.append(value)
    elif isinstance(kind, OneOf):
        add_words(value, in_atoms(kind), words)
    elif isinstance(kind, Tuple) and kind.cls is Alternative:
        add_choice(value, kind, words)
    elif isinstance(kind, Tuple) and kind.cls is str:
        if type(value) is not str or len(value) != size(kind):
            raise NotRepresentable(f"{short(value)} is not a {kind}")
        words.extend(map(atom, value))
    elif (
        isinstance(kind, Tuple)
        and type(value) is (kind.cls or tuple)
        and isinstance(value, tuple)
        and len(value) == len(kind.items)
    ):
        for item, part in zip(value, kind.items, strict=True):  # as it stands, like most states
            add_words(item, part, words)
    elif isinstance(kind, Tuple):
        frozen, given = kind.cls or tuple, type(value)
        if frozen is Mixed and not isinstance(value, tuple):
            value = mixed(value)
        value = in_mapping(value, frozen)
        keys = keys_of(kind)
        if keys is not None and isinstance(value, FrozenDict):
            pairs = dict(value)
            if not pairs.keys() <= set(keys):
                raise NotRepresentable(f"{short(value)} has keys that no earlier state had")
            value = tuple.__new__(frozen, [(pairs[key],) if key in pairs else None for key in keys])
        elif (names := field_keys(thawed_class(frozen))) is not None and isinstance(value, FrozenDict):
            if tuple(key for key, _ in value) != names:
                raise NotRepresentable(f"{short(value)} has other keys than {', '.join(names)}")
            value = tuple.__new__(frozen, [each for _, each in value])
        cells = cells_class_of(frozen)
        if cells and isinstance(value, FrozenArray) and (value.shape, value.dtype) == (cells.shape, cells.dtype):
            value = tuple.__new__(cells, value.array().ravel().tolist())
        if issubclass(frozen, FrozenRow) and given is frozen.python:
            room = row_items(kind)
            add_words(len(value), INT, words)
            if len(value) > len(room):
                raise NotRepresentable(f"{short(value)} has more than {len(room)} items")
            for item in in_row(value, kind):
                add_words(item, room[0], words)
            words.extend([0] * sum(size(each) for each in room[len(value) :]))
            return
        if thawed_class(frozen) is not None and type(value) is thawed_class(frozen):
            value = frozen_attributes(value)
        if (
            isinstance(value, FrozenObject)
            and issubclass(frozen, FrozenAttributes)
            and (value.frozen_class, value.frozen_names) == (frozen.thawed, frozen._fields)
        ):
            value = tuple.__new__(frozen, value.frozen_values)
        if not isinstance(value, tuple) or len(value) != len(kind.items) or (kind.cls and type(value) is not kind.cls):
            raise NotRepresentable(f"{short(value)} is not a {kind}")
        for item, part in zip(value, kind.items, strict=True):
            add_words(item, part, words)
    elif isinstance(kind, RecordOf):
        names = field_names(kind.cls)
        if type(value) is not kind.cls:
            raise NotRepresentable(f"{short(value)} is not a {kind}")
        for name, part in zip(names, kind.items, strict=True):
            add_words(getattr(value, name), part, words)
    elif isinstance(kind, Optional):
        words.append(int(value is not None))
        if value is None:
            words.extend([0] * size(kind.item))
        else:
            add_words(value, kind.item, words)
    elif isinstance(kind, BitsOf) and kind.words > 1:
        if type(value) is not Bits or value.width != kind.width:
            raise NotRepresentable(f"{short(value)} is not a {kind}")
        words.extend(signed(value.word >> 64 * index & WORD) for index in range(kind.words))
    elif kind != NONE or value is not None:
        words.append(word_of(value, kind))


def add_choice(value: object, kind: Tuple, words: list[int]) -> None:
    """Append the words of a value that has one of several types. Raises as `flatten` does."""
    for index, each in enumerate(kind.items[1:]):
        try:
            own = flatten(value, each)
        except NotRepresentable:
            continue
        places = [own if other == index else [0] * size(part) for other, part in enumerate(kind.items[1:])]
        words.extend([index, *(word for words_of_part in places for word in words_of_part)])
        return
    raise NotRepresentable(f"{short(value)} is not a {kind}")


def in_row(value: Iterable[object], kind: Type) -> list[object]:
    """Return the items of a value in the order in which they are stored. For a set, this is the order of
    their words.
    """
    items = list(value)
    if isinstance(value, frozenset):
        items.sort(key=lambda each: flatten(each, row_items(kind)[0]))
    return items


def mixed(value: object) -> Mixed:
    """Return the encoding of an int or a float.

    Raises:
        NotRepresentable: the value is not a number, or has more than 64 bits.
    """
    is_int = isinstance(value, int)
    return Mixed((is_int, word_of(value, INT if is_int else FLOAT)))


def word_of(value: object, kind: Type) -> int:
    """Return the word of a value of a type that has one word.

    Raises:
        NotRepresentable: the value does not have this type.
    """
    if kind == FLOAT and isinstance(value, (int, float)):
        return int(struct.unpack("<q", struct.pack("<d", float(value)))[0])
    if kind == ATOM and (value is None or type(value) is str):
        return atom(value)
    if isinstance(kind, BitsOf) and type(value) is Bits and value.width == kind.width <= 64:
        return signed(value.word)
    if isinstance(kind, EnumOf) and type(value) is kind.cls:
        return member_number(value)
    if kind in (INT, BOOL) and isinstance(value, int) and LEAST <= value <= GREATEST:
        return int(value)
    raise NotRepresentable(f"{short(value)} is not a {kind}")


def member_number(member: enum.Enum) -> int:
    """Return the number that stands for a member of an enumeration."""
    return int(member) if isinstance(member, int) else list(type(member)).index(member)


def in_mapping(value: Any, cls: type) -> Any:
    """Return a frozen defaultdict or Counter as `cls` stores it. Return any other value as it is."""
    mapping = mapping_class_of(cls)
    if mapping is None or not isinstance(value, FrozenObject) or value.frozen_class is not mapping.python:
        return value
    items = value.frozen_values[-1]
    is_same = dict(zip(value.frozen_names, value.frozen_values, strict=True)) == mapping_attributes(mapping, items)
    return tuple.__new__(mapping, (items,)) if is_same else value


def of_class(cls: Any, items: list[Any]) -> Any:
    """Return the tuple, named tuple, frozen list or frozen object with these items."""
    if (keys := field_keys(thawed_class(cls))) is not None:
        return FrozenDict(zip(keys, items, strict=True))
    if thawed := thawed_class(cls):
        frozen = FrozenObject(thawed, cls._fields, tuple(items))
        return thawed_object(frozen) if has_own_hash(thawed) else frozen
    if cls is FrozenList:
        return FrozenList(items)
    if cells := cells_class_of(cls):
        return FrozenArray(cells.shape, cells.dtype, array_of(cells.dtype, items).tobytes())
    if own := array_class_of(cls):
        return _array(own, *items)
    if isinstance(cls, type) and issubclass(cls, FrozenPairs):
        return FrozenDict((key, each[0]) for key, each in zip(cls.keys, items, strict=True) if each is not None)
    if (mapping := mapping_class_of(cls)) is not None:
        given = mapping_attributes(mapping, items[0])
        return FrozenObject(mapping.python, tuple(given), tuple(given.values()))
    if cls in ROWS:
        return cls.python(items[1][: items[0]])
    if cls is Mixed:
        return items[1] if items[0] else build(iter(items[1:]), FLOAT)
    return cls(*items) if cls else tuple(items)


def _array(cls: type[ArrayOf], cells: Sequence[object], start: int, *counts: int) -> object:
    """Return a new array with the items of a view of cells."""
    import numpy

    rest = iter(counts)
    lengths = [next(rest) if each is None else each for each in cls.shape]
    data = array_of(cls.dtype, cells)
    strides = [(next(rest) if each is None else each) * data.itemsize for each in cls.strides]
    if not len(cells):
        return data.reshape(lengths)
    return numpy.lib.stride_tricks.as_strided(data[start:], lengths, strides).copy()


def build(words: Iterator[int], kind: Type) -> Any:
    """Return the value with these words."""
    if isinstance(kind, OneOf):
        return build(words, in_atoms(kind))
    if isinstance(kind, Tuple) and kind.cls is Alternative:
        places = [[*itertools.islice(words, size(part))] for part in kind.items]
        index = 1 + places[0][0]
        return build(iter(places[index]), kind.items[index])
    if isinstance(kind, Tuple):
        items = [build(words, part) for part in kind.items]
        if kind.cls is str:
            return "".join(items)
        return of_class(kind.cls, items)
    if isinstance(kind, RecordOf):
        return kind.cls(*[build(words, part) for part in kind.items])
    if isinstance(kind, Optional):
        if next(words):
            return build(words, kind.item)
        for _ in range(size(kind.item)):  # nothing is in these: there may be no such text, say
            next(words)
        return None
    if kind == NONE:
        return None
    word = next(words)
    if isinstance(kind, BitsOf):
        parts = [word, *(next(words) for _ in range(kind.words - 1))]
        return Bits(sum((each & WORD) << 64 * index for index, each in enumerate(parts)), kind.width)
    if kind == BOOL:
        return bool(word)
    if kind == FLOAT:
        return struct.unpack("<d", struct.pack("<q", word))[0]
    if kind == ATOM:
        return _TEXTS.get(word)
    if isinstance(kind, EnumOf):
        return kind.cls(word) if issubclass(kind.cls, int) else list(kind.cls)[word]
    return word
