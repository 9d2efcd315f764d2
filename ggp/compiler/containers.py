"""Rules for tuples, lists, texts, records and objects: making them, reading and changing their items."""

import dataclasses
import enum
import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import attrs

from ggp.bits import Bits
from ggp.capabilities import variables_of
from ggp.compiler import arithmetic, core, letters, library
from ggp.compiler.abstract import (
    NEVER,
    NOTHING,
    Abstract,
    Display,
    Fixed,
    Iterator,
    Keywords,
    Parts,
    Runtime,
    is_array,
    number,
    values_of,
)
from ggp.compiler.encoding import in_mapping, in_row, mixed
from ggp.compiler.field_dicts import FieldList, field_dict, field_list
from ggp.compiler.specialization import MOST_PARTS, UNWRITTEN, Activation, Specializer
from ggp.compiler.types import (
    ATOM,
    BITS,
    BOOL,
    BOTTOM,
    FLOAT,
    GREATEST,
    INT,
    LEAST,
    LETTER,
    NONE,
    NUMBER,
    BitsOf,
    EnumOf,
    List,
    NotRepresentable,
    ObjectOf,
    OneOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    alike,
    are_numbers,
    are_texts,
    array_class_of,
    choice_of,
    field_dicts_in,
    field_keys,
    field_names,
    in_letters,
    is_frozen,
    is_record,
    is_row,
    is_text,
    is_thawed,
    join,
    keys_of,
    row_class,
    row_items,
    short,
    texts_in,
    thawed_class,
    type_of,
    zero_of,
)
from ggp.frozen_states import FrozenDict, FrozenObject

KeyT = TypeVar("KeyT")
MOST_PARTS_GATHERED = 256
"""The items of a tuple are kept as separate values if the tuple is made without a loop and has at most this number of
items.
"""
CONSTANT = "constant"
"""The origin of lists that belong to the program's data and must not be changed."""


# Known values ---------------------------------------------------------------------------------------------------------


def is_mutable(value: object) -> bool:
    """Return whether a known object may change while a program runs."""
    return isinstance(value, (list, dict, set, bytearray)) or is_array(Fixed(value))


def kind_of_fixed(value: object) -> Type:
    """Return the type of a known value; a table whose rows have different lengths is a list of rows.

    Raises:
        NotRepresentable: the value cannot be stored.
    """
    if isinstance(value, (list, range)):
        return _kind_of_items(list(value), list if isinstance(value, list) else tuple)
    if type(value) is tuple:
        try:
            return Tuple(tuple(map(kind_of_fixed, value)))
        except NotRepresentable:
            return _kind_of_items(list(value), tuple)
    if type(value) is str and len(value) == 1:
        return LETTER
    kind = in_letters(type_of(value))
    if is_thawed(kind):
        raise NotRepresentable(f"{short(value)} contains sets or objects, so its items cannot be chosen at run time")
    return kind


def _kind_of_items(items: list[object], cls: type) -> List:
    item: Type = BOTTOM
    for each in items:
        item = join_rows(item, kind_of_fixed(each))
    return List(item, cls, frozenset((CONSTANT,)))


def join_rows(one: Type, other: Type) -> Type:
    """Return the common type of two rows of a table; the rows may have different lengths."""
    try:
        return join(one, other)
    except NotRepresentable:
        if isinstance(one, (Tuple, List)) and isinstance(other, (Tuple, List)):
            if sequence_class(one) is sequence_class(other) is tuple:
                items = [*_items_of(one), *_items_of(other)]
                return List(functools.reduce(join_rows, items, BOTTOM), tuple, frozenset((CONSTANT,)))
        raise


def rows_of_any_length(one: Type, other: Type) -> Type | None:
    """Return a common type for tuples of different lengths; None if they have no common type."""
    if not isinstance(one, (Tuple, List)) or not isinstance(other, (Tuple, List)) or BOTTOM in (one, other):
        return None
    named = any(isinstance(each, Tuple) and each.cls is not None for each in (one, other))
    if named or sequence_class(one) is not tuple or sequence_class(other) is not tuple:
        return None
    try:
        item = functools.reduce(join_rows, [*_items_of(one), *_items_of(other)], BOTTOM)
    except NotRepresentable:
        return None
    origins = [each.origin for each in (one, other) if isinstance(each, List)]
    return List(item, tuple, frozenset().union(*origins))


def _items_of(kind: Tuple | List) -> list[Type]:
    return list(kind.items) if isinstance(kind, Tuple) else [kind.item]


def constant(s: Specializer, value: object, kind: Type) -> Runtime:
    """Return a known value as a constant of the type `kind`."""
    s.texts |= texts_in(value)
    if _loses_class(value, kind):
        s.note_mixed_numbers()
    try:
        return number(_as(value, kind), kind)
    except NotRepresentable as error:
        raise s.refuse(str(error)) from None


def _loses_class(value: object, kind: Type) -> bool:
    """Return whether a known value has a bool or a member of an Enum at a place where its type has an integer."""
    if kind in (INT, NUMBER):
        return isinstance(value, (bool, enum.Enum))
    if isinstance(kind, Optional):
        return _loses_class(value, kind.item)
    if isinstance(value, (tuple, list)) and isinstance(kind, List):
        return any(_loses_class(each, kind.item) for each in value)
    if isinstance(value, (tuple, list)) and isinstance(kind, (Tuple, RecordOf)):
        return any(map(_loses_class, value, kind.items))
    if isinstance(kind, OneOf) and (index := choice_of(kind, kind_of_fixed(value))) is not None:
        return _loses_class(value, kind.items[index])
    return False


def _as(value: object, kind: Type) -> object:
    """Return a known value in the form that its type requires: for example, with tuples in place of lists."""
    if isinstance(kind, List):
        if not isinstance(value, (tuple, list, range, str)):
            raise NotRepresentable(f"{short(value)} is not a {kind}")
        return tuple(_as(each, kind.item) for each in value)
    if isinstance(kind, Optional):
        return None if value is None else _as(value, kind.item)
    if isinstance(kind, OneOf):
        index = choice_of(kind, kind_of_fixed(value))
        if index is None:
            raise NotRepresentable(f"{short(value)} is not a {kind}")
        places = [*map(zero_of, kind.items)]
        places[index] = _as(value, kind.items[index])
        return index, *places
    if isinstance(kind, Tuple):
        if is_text(kind):
            return value
        if isinstance(value, FrozenDict) and (keys := keys_of(kind)) is not None:
            pairs = dict(value)
            if not pairs.keys() <= set(keys):
                raise NotRepresentable(f"{short(value)} has keys that no earlier state had")
            value = tuple((pairs[key],) if key in pairs else None for key in keys)
        elif (names := field_keys(thawed_class(kind.cls))) is not None and isinstance(value, FrozenDict):
            if tuple(key for key, _ in value) != names:
                raise NotRepresentable(f"{short(value)} has other keys than {', '.join(names)}")
            value = tuple(each for _, each in value)
        if is_row(kind) and isinstance(value, (tuple, frozenset)) and type(value) is row_class(kind).python:
            room = row_items(kind)
            if len(value) > len(room):
                raise NotRepresentable(f"{short(value)} has more than {len(room)} items")
            filled = [_as(each, room[0]) for each in in_row(value, kind)]
            return len(value), (*filled, *map(zero_of, room[len(value) :]))
        if isinstance(value, FrozenObject):
            stored_value = in_mapping(value, kind.cls or tuple)
            value = value.values if stored_value is value else stored_value
        if not isinstance(value, (tuple, list)) or len(value) != len(kind.items):
            raise NotRepresentable(f"{short(value)} is not a {kind}")
        items = [_as(*pair) for pair in zip(value, kind.items, strict=True)]
        if is_frozen(kind.cls):
            return tuple(items)
        return kind.cls(*items) if kind.cls else tuple(items)
    if kind == FLOAT and isinstance(value, (int, float)):
        return float(value)
    if kind == NUMBER:
        return tuple(mixed(value))
    if kind == INT and isinstance(value, (int, enum.Enum)):
        converted = int(value)  # type: ignore[arg-type]
        if not LEAST <= converted <= GREATEST:
            raise NotRepresentable(f"{short(value)} does not fit in 64 bits")
        return converted
    if kind not in (BOTTOM, NONE):
        join(type_of(value), kind)
    return value


def together(items: list[Abstract]) -> Abstract:
    """Return a tuple of values."""
    if all(isinstance(each, Fixed) and not is_mutable(each.value) for each in items):
        return Fixed(tuple(each.value for each in items))  # type: ignore[union-attr]
    return Parts(tuple(items))


def sequence_class(kind: Type) -> type:
    """Return the class of a sequence: tuple, list or str."""
    if isinstance(kind, List):
        return kind.cls
    return str if letters.is_text_kind(kind) else tuple


def is_sequence(value: Abstract) -> bool:
    """Return whether a pattern `[...]` may match a value."""
    if is_array(value):
        return False
    if isinstance(value, Fixed):
        return isinstance(value.value, (tuple, list, range))
    if isinstance(value, Parts):
        return value.cls is None or issubclass(value.cls, tuple)
    if has_fields(value):
        return True
    return (
        isinstance(value, Runtime) and isinstance(value.kind, (Tuple, List)) and sequence_class(value.kind) is not str
    )


# Parts ----------------------------------------------------------------------------------------------------------------


def plain(s: Specializer, value: Abstract, error: object = TypeError) -> Abstract:
    """Return an optional value as a value that is not None. Write code that raises an exception if the value
    is None.
    """
    if isinstance(value, Runtime) and isinstance(value.kind, Optional):
        s.fail_if(s.negated(s.emit("is_some", value, kind=BOOL)), error)
        return s.emit("content", value, kind=value.kind.item)
    return value


def part(s: Specializer, owner: Abstract, index: int) -> Abstract:
    """Return the item of a tuple or record at a known index."""
    if isinstance(owner, Fixed):
        thing = owner.value
        own: type = type(thing)
        if is_record(own):
            return Fixed(getattr(thing, field_names(own)[index]))
        return Fixed(thing[index])
    if isinstance(owner, Parts):
        return owner.items[index]
    assert isinstance(owner, Runtime) and isinstance(owner.kind, (Tuple, RecordOf))
    return s.emit("part", owner, kind=owner.kind.items[index], detail=index)


def is_compared(cls: type, index: int) -> bool:
    """Return whether comparisons of instances of a frozen class include this field."""
    if attrs.has(cls):
        return bool(attrs.fields(cls)[index].eq)
    if dataclasses.is_dataclass(cls):
        return dataclasses.fields(cls)[index].compare
    return True


def has_own(cls: type, method: str) -> bool:
    """Return whether a class overrides a comparison of `object`, in its own code or through attrs or dataclasses."""
    return inspect.getattr_static(cls, method) is not vars(object)[method]


def comparison_keys(cls: type) -> list[object]:
    """Return the functions that attrs uses to compare fields of a class."""
    fields = attrs.fields(cls) if attrs.has(cls) else ()
    return [key for each in fields for key in (each.eq_key, each.order_key) if key is not None]


def compared_row(s: Specializer, value: Abstract, cls: type, sign: str) -> Abstract:
    """Return the fields that attrs or dataclasses compare, as a tuple."""
    if attrs.has(cls):
        names = [each.name for each in attrs.fields(cls) if (each.eq if sign in ("==", "!=") else each.order)]
        if comparison_keys(cls):
            raise s.refuse(f"{cls.__name__} compares a field by means of a function; this is not compiled")
    else:
        names = [each.name for each in dataclasses.fields(cls) if each.compare]
    return Parts(tuple(s.rules.attribute_of(s, value, name) for name in names))


def has_fields(value: Abstract) -> bool:
    """Return whether a value is a list whose items have no common type."""
    kind = value.kind if isinstance(value, Runtime) else None
    return isinstance(kind, ObjectOf) and issubclass(kind.cls, FieldList)


def fields_of(s: Specializer, value: Abstract) -> list[Abstract]:
    """Return the items of a list whose items have no common type."""
    held = s.runtime(value)
    assert isinstance(held.kind, ObjectOf)
    own: type[FieldList] = held.kind.cls
    return [s.rules.attribute_of(s, held, field) for _, field in own.fields_by_key]


def fixed_items(s: Specializer, value: Abstract) -> list[Abstract] | None:
    """Return the items of a sequence, if it has a known length; None for any other value."""
    if has_fields(value):
        return fields_of(s, value)
    if is_array(value):
        return s.rules.arrays.items_of(s, value)  # type: ignore[no-any-return]
    if isinstance(value, Fixed):
        if isinstance(value.value, (tuple, list, str, range)):
            return [Fixed(each) for each in value.value]
        return None
    if isinstance(value, Parts) and (value.cls is None or value.cls is str or issubclass(value.cls, tuple)):
        return list(value.items)
    if isinstance(value, Keywords):
        return [Fixed(each) for each in value.items]
    if isinstance(value, Runtime) and letters.is_name(value.kind):
        return [letters.letter(s, value)]
    if isinstance(value, Runtime) and isinstance(value.kind, OneOf):
        value = s.only_type(value, is_plain_tuple) or value
    if isinstance(value, Runtime) and isinstance(value.kind, Tuple):
        return list(s.parts(value))
    return None


def items_in_turn(s: Specializer, value: Abstract) -> list[Abstract] | None:
    """Return the items that a loop over a sequence yields.

    Return None if the number of items is not known, or if an author's `__iter__` chooses them.
    """
    own = s.rules.special(s, value, "__iter__") is not None and not has_fields(value)
    return None if own else fixed_items(s, value)


def is_plain_tuple(kind: Type) -> bool:
    """Return whether values of a type are tuples of a known length."""
    return isinstance(kind, Tuple) and not is_text(kind)


def length_of(s: Specializer, value: Abstract) -> Abstract:
    """Return the length of a value."""
    if is_array(value):
        return s.rules.arrays.of(s, value).length()  # type: ignore[no-any-return]
    if isinstance(value, Fixed):
        return s.computed(len, value.value)
    own = s.rules.special(s, value, "__len__")
    if own is not None:
        return s.call_python(own, [value], {})
    value = plain(s, value)
    if isinstance(value, Iterator) and value.length is not None:
        return value.length()
    if isinstance(value, (Parts, Keywords)):
        return Fixed(len(value.items))
    if isinstance(value, Runtime):
        if isinstance(value.kind, Tuple):
            return Fixed(len(value.kind.items))
        if isinstance(value.kind, List):
            return s.emit("length", value, kind=INT)
        if isinstance(value.kind, BitsOf):
            return s.emit("bit_count", value, kind=INT)
        if letters.is_name(value.kind):
            return letters.by_text(s, value, len)
    return s.not_taken("len(...)", [value], "__len__")


def index_in(s: Specializer, key: Abstract, length: Abstract) -> Runtime:
    """Return the index counted from the start, given one that may be negative. Write code that raises IndexError if the
    index is out of range.
    """
    index, room = arithmetic.whole(s, key), s.runtime(length)
    if s.env is None:
        return NEVER
    if isinstance(key, Fixed):
        if key.value < 0:
            index = s.emit("add", room, index, kind=INT, detail=False)
        wrong = s.emit("lt", index, number(0), kind=BOOL) if key.value < 0 else s.emit("ge", index, room, kind=BOOL)
        s.fail_if(wrong, IndexError)
        return index
    negative = s.emit("lt", index, number(0), kind=BOOL)
    placed = s.runtime(s.either(negative, lambda: s.emit("add", index, room, kind=INT, detail=False), lambda: index))
    s.fail_if(s.emit("lt", placed, number(0), kind=BOOL), IndexError)
    s.fail_if(s.emit("ge", placed, room, kind=BOOL), IndexError)
    return placed


def item(s: Specializer, owner: Abstract, key: Abstract) -> Abstract:
    """Return `owner[key]`."""
    if isinstance(owner, Runtime) and isinstance(owner.kind, Optional) and array_class_of(owner.kind.item):
        owner = plain(s, owner)
    if is_array(owner):
        return s.rules.arrays.item(s, owner, key)  # type: ignore[no-any-return]
    if isinstance(key, Parts) and (key.cls is slice or any(_is_part_key(each) for each in key.items)):
        raise s.refuse("a slice as one of several keys is compiled for arrays of NumPy only")
    if isinstance(key, Runtime) and key.kind == BOOL and s.has_arrays:
        raise s.refuse("a truth value as an index is not compiled in a program with arrays of NumPy: write int(...)")
    # The content of an object with variables may change.
    is_constant_owner = isinstance(owner, Fixed) and not variables_of(owner.value)
    if is_constant_owner and isinstance(owner, Fixed) and isinstance(key, Fixed) and not is_mutable(key.value):
        return s.computed(operator.getitem, owner.value, key.value)
    own = s.rules.special(s, owner, "__getitem__")
    if own is not None:
        return s.call_python(own, [owner, key], {})
    if isinstance(owner, Keywords) and isinstance(key, Fixed):
        return owner.items[key.value] if key.value in owner.items else s.fails(KeyError)
    if isinstance(owner, Fixed) and isinstance(owner.value, dict):
        return looked_up(s, owner.value, key, None)
    owner = plain(s, owner)
    key = plain(s, key)
    if s.env is None:
        return NEVER
    if isinstance(owner, Iterator) and owner.detail is not None and owner.name == "range":
        return s.call_python(library.range_item, [*owner.detail, key], {})
    if isinstance(owner, Runtime) and owner.kind == ATOM and isinstance(key, Fixed) and isinstance(key.value, int):
        return letters.by_text(s, owner, operator.itemgetter(key.value))
    items = fixed_items(s, owner) if isinstance(key, Fixed) else None
    if items is not None and isinstance(key, Fixed):
        if not isinstance(key.value, int):
            return s.not_taken("use as an index", [key], "__index__")
        return items[key.value] if -len(items) <= key.value < len(items) else s.fails(IndexError)
    if isinstance(owner, (Parts, Runtime)) and (items := _mixed_items(s, owner)):
        return _picked(s, items, index_in(s, key, Fixed(len(items))))
    alike = as_alike(s, owner)
    if isinstance(alike.kind, Tuple):
        index = index_in(s, key, Fixed(len(alike.kind.items)))
        return s.emit("pick", alike, index, kind=alike.kind.items[0])
    index = index_in(s, key, length_of(s, alike))
    return s.emit("get", alike, index, kind=alike.kind.item)  # type: ignore[attr-defined]


def _is_part_key(key: Abstract) -> bool:
    return isinstance(key, Parts) and key.cls is slice


def _mixed_items(s: Specializer, owner: Abstract) -> list[Abstract] | None:
    """Return the items of a tuple if they have no common type; None otherwise."""
    kind = s.kind_of(owner)
    if not isinstance(kind, Tuple) or is_text(kind):
        return None
    try:
        functools.reduce(join_rows, kind.items, BOTTOM)
    except NotRepresentable:
        return fixed_items(s, owner)
    return None


def _picked(s: Specializer, items: list[Abstract], choice: Runtime) -> Abstract:
    """Return the item at an index known only at run time. The machine code handles items of the commonest type; for any
    other item, it stops, and Python runs the program instead.
    """
    kinds = [s.kind_of(each) for each in items]
    common = max(kinds, key=kinds.count)
    picked: Abstract = NEVER
    chosen = [index for index, kind in enumerate(kinds) if kind == common]
    among: Runtime | bool = False
    for index in reversed(chosen):
        hit = s.emit("eq", choice, number(index), kind=BOOL)
        later = among
        among = s.truth(s.either(hit, lambda: Fixed(True), lambda later=later: arithmetic.as_value(later)))  # type: ignore[misc]
    s.fail_if(s.negated(among) if isinstance(among, Runtime) else not among, None)
    picked = items[chosen[-1]]
    for index in reversed(chosen[:-1]):
        hit = s.emit("eq", choice, number(index), kind=BOOL)
        later_item = picked
        picked = s.either(hit, lambda index=index: items[index], lambda later_item=later_item: later_item, common)  # type: ignore[misc]
    return picked


def as_alike(s: Specializer, owner: Abstract) -> Runtime:
    """Return a sequence in a form in which all items have one type. In this form, any item can be fetched by its
    index.
    """
    if isinstance(owner, Fixed):
        numbered = s.number_constants.get(id(owner.value))
        if numbered is not None:
            return numbered
        if are_numbers(owner.value):
            items = List(INT, tuple, frozenset((CONSTANT,)))
            s.alive.append(owner.value)
            numbered = s.number_constants[id(owner.value)] = number(owner.value, items)
            return numbered
        if not isinstance(owner.value, (tuple, list, range, str)):
            raise s.refuse(f"{short(owner.value)} has no items that can be picked at run time")
        kind = _kind_of_items(list(owner.value), str if isinstance(owner.value, str) else tuple)
        return constant(s, owner.value, kind)
    value = s.runtime(letters.of_letters(s, owner))
    if isinstance(value.kind, Tuple):
        if len(set(value.kind.items)) == 1:
            return value
        if not value.kind.items:
            return constant(s, (), List(BOTTOM, tuple))
        try:
            one = functools.reduce(join_rows, value.kind.items)
        except NotRepresentable as error:
            raise s.refuse(f"an item picked at run time: {error}") from None
        return s.convert(Parts(tuple(s.parts(value))), Tuple((one,) * len(value.kind.items)))
    if isinstance(value.kind, List):
        return value
    if value.kind == LETTER:
        return s.emit("make", value, kind=Tuple((LETTER,), str))
    raise s.refuse(f"a {value.kind} has no items")


def looked_up(s: Specializer, dictionary: Mapping[KeyT, object], key: Abstract, default: Abstract | None) -> Abstract:
    """Return the value of a known dictionary for a key that is known only at run time."""
    keys, values = list(dictionary), list(dictionary.values())
    if not keys:
        return default if default is not None else s.fails(KeyError)
    whole = [each for each in keys if isinstance(each, int) and type(each) is int]
    kind = arithmetic.kind_or_none(s, key)
    if (
        len(whole) == len(keys) > 3
        and kind is not None
        and arithmetic.is_whole(kind)
        and max(whole) - min(whole) < 4 * len(whole) + 64
    ):
        low, room = min(whole), max(whole) - min(whole) + 1
        places = [-1] * room
        for index, each in enumerate(whole):
            places[each - low] = index
        index_of_key = s.call_python(
            library.dense_place, [Fixed(tuple(places)), Fixed(low), arithmetic.whole(s, key)], {}
        )
    else:
        index_of_key = number(-1)
        for index in range(len(keys) - 1, -1, -1):
            hit = arithmetic.equal(s, Fixed(keys[index]), key)
            index_of_key = s.either(hit, lambda index=index: number(index), lambda later=index_of_key: later)  # type: ignore[misc]
    missing = arithmetic.ordered(s, "<", index_of_key, Fixed(0))
    if default is None:
        s.fail_if(missing, KeyError)
        return s.either(True, lambda: _value_at(s, values, index_of_key), lambda: NEVER)
    return s.either(missing, lambda: default, lambda: _value_at(s, values, index_of_key))


def _value_at(s: Specializer, values: list[object], index: Abstract) -> Abstract:
    if all(each is values[0] for each in values):
        return Fixed(values[0])
    return item(s, Fixed(tuple(values)), index)


def of_member(s: Specializer, owner: Runtime, name: str) -> Abstract | None:
    """Return an attribute whose value depends on the member of an Enum; None for any other attribute."""
    assert isinstance(owner.kind, EnumOf)
    members = list(owner.kind.cls)
    if name in ("value", "name", "_value_", "_name_") or any(name in vars(each) for each in members):
        values = [getattr(each, name) for each in members]
        return looked_up(s, dict(zip(members, values, strict=True)), owner, None)
    return None


def slice_of(s: Specializer, owner: Abstract, start: Abstract, stop: Abstract, step: Abstract) -> Abstract:
    """Return `owner[start:stop:step]`."""
    bounds = [start, stop, step]
    if is_array(owner):
        return s.rules.arrays.item(s, owner, slice_key(bounds))  # type: ignore[no-any-return]
    fixed = values_of(bounds)
    owner = plain(s, owner)
    if fixed is not None:
        chosen = slice(*fixed)
        if isinstance(owner, Fixed):
            return s.computed(operator.getitem, owner.value, chosen)
        if isinstance(owner, Runtime) and owner.kind == ATOM:
            return letters.by_text(s, owner, operator.itemgetter(chosen))
        items = fixed_items(s, owner)
        if items is not None and has_fields(owner):
            return list_display(s, items[chosen])
        if items is not None:
            part = items[chosen]
            return letters.spelled(part) if sequence_class(s.kind_of(owner)) is str else together(part)
    given = [each if not (isinstance(each, Fixed) and each.value is None) else NOTHING for each in bounds]
    cls = sequence_class(s.kind_of(owner)) if not isinstance(owner, Fixed) else type(owner.value)
    alike = as_alike(s, owner)
    made = retyped(s, s.call_python(library.part, [alike, *given], {}), cls)
    length = alike.kind.length if isinstance(alike.kind, List) else None
    if fixed is None or length is None:
        return made
    return of_length(s, made, len(range(*slice(*fixed).indices(length))))


def retyped(s: Specializer, value: Abstract, cls: type) -> Abstract:
    """Return a new list, tuple or text with the items of another sequence."""
    if isinstance(value, Runtime) and isinstance(value.kind, List) and value.kind.cls is not cls:
        return Runtime(value.atom, attrs.evolve(value.kind, cls=cls, length=None))
    return value


def of_length(s: Specializer, made: Abstract, length: int | None) -> Abstract:
    """Return a new list. The list's length is known, unless lists that are made here grow or shrink later."""
    if not isinstance(made, Runtime) or not isinstance(made.kind, List) or made.kind.cls is not list:
        return made
    if length is not None and any(s.fact(("resized", origin)) for origin in made.kind.origin):
        length = None
    return Runtime(made.atom, attrs.evolve(made.kind, length=length))


def fixed_length(kind: Type | None) -> int | None:
    """Return the length of the sequences of a type; None if it is not known."""
    if isinstance(kind, Tuple):
        return len(kind.items)
    return kind.length if isinstance(kind, List) else None


def slice_key(bounds: list[Abstract]) -> Abstract:
    """Return a slice as a key."""
    fixed = values_of(bounds)
    return Fixed(slice(*fixed)) if fixed is not None else Parts(tuple(bounds), slice)


# Making lists and tuples ----------------------------------------------------------------------------------------------


def new_list(s: Specializer, cls: type = list, room: int = 0) -> Runtime:
    """Return a new empty list; the type of its items is a fact that belongs to this place in the program."""
    origin = "list", s.below("list")
    item_kind = s.fact(origin, BOTTOM)
    return s.new_list(List(item_kind, cls, frozenset((origin,))), number(room))


def append(s: Specializer, owner: Abstract, value: Abstract) -> Abstract:
    """Append an item to a list."""
    target = resized(s, owner)
    kind = target.kind.item  # type: ignore[attr-defined]
    s.do("append", target, item_for(s, target, value)) if kind != BOTTOM or _widens(s, target, value) else None
    return NOTHING


def _widens(s: Specializer, target: Runtime, value: Abstract) -> bool:
    item_for(s, target, value)
    return False


def item_for(s: Specializer, target: Runtime, value: Abstract) -> Runtime:
    """Return a value as an item of a list. If the value needs a wider type of items, all items have this type in the
    next pass.
    """
    assert isinstance(target.kind, List)
    try:
        kind = s.kind_of(value)
        wider = s.join(target.kind.item, kind)
    except NotRepresentable as error:
        raise s.refuse(f"a list gets items of different types: {error}") from None
    if not alike(wider, target.kind.item):
        s.widen(target.kind, attrs.evolve(target.kind, item=wider))
    if wider != target.kind.item:
        if not s.changed:
            raise s.refuse(
                f"items of a list have several types ({target.kind.item}; {kind}): make it a tuple, or an object with a"
                " field for each"
            )
        return NEVER
    return s.convert(value, wider)


def is_constant(kind: List) -> bool:
    """Return whether all lists of a type belong to the program's data."""
    return kind.origin == {CONSTANT}


def is_read_only(origin: frozenset[object]) -> bool:
    """Return whether a list of one of these origins belongs to the program's data."""
    return CONSTANT in origin


def copied(s: Specializer, items: Runtime, kind: List) -> Runtime:
    """Return a new sequence with the same items, converted to a wider type."""
    made = s.new_list(attrs.evolve(kind, length=None))
    s.rules.iterate(s, items, lambda each: s.do("append", made, s.convert(each, kind.item)), 1)
    return made if s.env is not None else NEVER


def changed(s: Specializer, owner: Abstract) -> Runtime:
    """Return a list in a form that may be changed."""
    will_change(s, owner)
    if isinstance(owner, Fixed) and isinstance(owner.value, list):
        raise s.refuse("a list that is part of the game or of a module is changed; copy it first: list(...)")
    owner = plain(s, owner, AttributeError)
    target = s.runtime(owner)
    if target.kind == BOTTOM:
        return NEVER
    if not isinstance(target.kind, List) or target.kind.cls is not list:
        own = library.AS_PYTHON.get(s.rules.class_of(target))
        raise s.refuse(
            f"items of a {own.__name__ if own else target.kind} cannot be changed; make a list of it first: list(...)"
        )
    if CONSTANT in target.kind.origin:
        raise s.refuse("a list that is part of the game or of a module is changed; copy it first: list(...)")
    s.effects.append(target.kind.origin)
    for origin in target.kind.origin:
        if isinstance(origin, tuple) and origin[0] == "parameter" and s.making is not None:
            s.making.changes.add(origin[2])
    return target


def resized(s: Specializer, owner: Abstract) -> Runtime:
    """Prepare a list for a change of its number of items, and return the list."""
    target = changed(s, owner)
    if isinstance(target.kind, List) and target.kind.length is not None:
        for origin in target.kind.origin:
            if not s.fact(("resized", origin)):
                s.learn(("resized", origin), True)
    return target


def extend(s: Specializer, owner: Abstract, items: Abstract) -> Abstract:
    """Append all items of an iterable to a list."""
    if isinstance(items, Runtime) and isinstance(items.kind, List):  # so many as it has now: it may be the list itself
        with s.inside("extend"):
            s.rules.indexed(s, items, lambda each: append(s, owner, each), s.runtime(length_of(s, items)))
        return NOTHING
    s.rules.iterate(s, items, lambda each: append(s, owner, each), 1)
    return NOTHING


def list_display(s: Specializer, items: list[Abstract]) -> Abstract:
    """Return `[a, b]`."""
    return shown(s, Display(tuple(items), ("list", s.below("list"))))


def kind_of_display(s: Specializer, made: Display) -> List:
    """Return the type of a list that the program is still making.

    Raises:
        NotRepresentable: its items have no common type.
    """
    item: Type = s.fact(made.origin, BOTTOM)
    try:
        for each in made.items:
            item = s.join(item, s.kind_of(each))
    except NotRepresentable as error:
        raise NotRepresentable(f"a list gets items of different types: {error}") from None
    return List(item, list, frozenset((made.origin,)))


def written(s: Specializer, made: Display, kind: List) -> Runtime:
    """Write a list that was being made, with all items converted to a type."""
    learned = s.fact(made.origin, BOTTOM)
    wider = s.join(learned, kind.item)
    if not alike(wider, learned):
        s.learn(made.origin, wider)
    if wider != kind.item:
        return NEVER
    new = s.new_list(attrs.evolve(kind, length=None), number(len(made.items)))
    for each in made.items if kind.item != BOTTOM else ():
        s.do("append", new, s.convert(each, kind.item))
    return new


def shown(s: Specializer, made: Display) -> Abstract:
    """Return a list after all its items have been appended. If the items have no common type, each item becomes a
    field.
    """
    try:
        kind = kind_of_display(s, made)
    except NotRepresentable as error:
        if s.fact(made.origin) is not None:  # more than one type is appended to it
            raise s.refuse(str(error)) from None
        fields = {f".{index}": each for index, each in enumerate(made.items)}
        return new_object(s, field_list(len(fields)), fields)
    return of_length(s, written(s, made, kind), len(made.items) or None)


def goes_on(s: Specializer, each: core.Operation, scope: Activation, statement: core.Assign) -> Abstract | None:
    """Append to a list that the program is still making, or convert it to a tuple. Return None for any
    other operation.
    """
    target = each.operands[0] if each.operands and each.name in ("append", "extend", "join") else None
    if s.env is None or not isinstance(target, core.Local):
        return None
    key = scope.home(target.name).path, target.name
    made = s.env.get(key)
    if not isinstance(made, Display) or (each.name == "join" and each.detail != "tuple"):
        return None
    if each.name == "join":
        return together(list(made.items))
    value = s.value(each.operands[1], scope)

    def add(item: Abstract) -> None:
        before = s.env.get(key) if s.env is not None else None
        s.effects.append(frozenset((made.origin,)))
        if isinstance(before, Display):
            s.set(target.name, attrs.evolve(before, items=(*before.items, item)), scope)
        elif before is not None:
            append(s, before, item)

    if each.name == "append":
        add(value)
        return NOTHING
    items = spread(s, value, MOST_PARTS_GATHERED if made.is_tuple else MOST_PARTS)
    for item in items or ():
        add(item)
    if items is None:
        around, s.collecting = s.collecting, [*s.collecting, (scope, [statement])]
        s.rules.iterate(s, value, add, 1)
        s.collecting = around
    return NOTHING


def spread(s: Specializer, value: Abstract, most: int) -> list[Abstract] | None:
    """Return the items of a tuple or list if their number is known and at most `most`; otherwise None."""
    if isinstance(value, Fixed):
        is_short = type(value.value) in (tuple, list, range) and len(value.value) <= most
        return fixed_items(s, value) if is_short else None
    if has_fields(value):
        return fields_of(s, value)
    if s.rules.special(s, value, "__iter__") is not None:
        return None
    if is_array(value):
        count = s.rules.arrays.of(s, value).shape[0]
        return s.rules.arrays.items_of(s, value) if count is not None and count <= most else None
    if isinstance(value, Parts):
        return fixed_items(s, value) if len(value.items) <= most else None
    length = fixed_length(value.kind) if isinstance(value, Runtime) else None
    if length is None or length > most:
        return None
    assert isinstance(value, Runtime)
    return None if is_text(value.kind) else list(s.parts(as_tuple(s, value)))


def as_tuple(s: Specializer, value: Runtime) -> Runtime:
    """Return a sequence of known length as a tuple."""
    if isinstance(value.kind, Tuple):
        return value
    assert isinstance(value.kind, List) and value.kind.length is not None
    return s.convert(value, Tuple((value.kind.item,) * value.kind.length))


def gathered(s: Specializer, items: Abstract, cls: type = list) -> Abstract:
    """Return `list(items)` or `tuple(items)`."""
    if has_fields(items):
        return together(fields_of(s, items)) if cls is tuple else list_display(s, fields_of(s, items))
    items = letters.of_letters(s, items)
    if s.rules.special(s, items, "__iter__") is not None:
        items = Iterator("iter", functools.partial(s.rules.iterate, s, items, size=1))
    if is_array(items):
        fixed_rows = s.rules.arrays.items_of(s, items) if cls is tuple else None
        items = s.rules.arrays.iterate(s, items) if fixed_rows is None else together(fixed_rows)
    fixed = None if isinstance(items, Runtime) else fixed_items(s, items)
    if cls is tuple:
        if isinstance(items, Runtime) and isinstance(items.kind, Tuple) and not is_text(items.kind):
            return Runtime(items.atom, items.kind) if items.kind.cls is None else Parts(tuple(s.parts(items)))
        if fixed is None and isinstance(items, Runtime) and letters.is_text_kind(items.kind):
            fixed = fixed_items(s, items)
        if fixed is not None:
            return together(fixed)
        if isinstance(items, Iterator):
            return _straight(s, items)
    items = plain(s, items)
    if s.env is None:
        return NEVER
    if isinstance(items, Runtime) and isinstance(items.kind, List):
        if items.kind.cls is cls is tuple:
            return items
        if items.kind.item == BOTTOM:
            return Runtime(new_list(s, cls).atom, attrs.evolve(items.kind, cls=cls))
        if cls is tuple and fixed_length(items.kind) is not None:
            return as_tuple(s, items)
        copied = attrs.evolve(items.kind, cls=cls, origin=_own_origin(s, items.kind), length=None)
        made = s.emit("copy", items, kind=copied)
        if isinstance(made.atom, core.Local):
            s.copied[made.atom.name] = items, s.epoch
        return of_length(s, made, items.kind.length)
    if isinstance(items, Runtime) and isinstance(items.kind, Tuple) and cls is list:
        alike = as_alike(s, items)
        if isinstance(alike.kind, Tuple):
            origin = "list", s.below("list")
            one = s.fact(origin, BOTTOM)
            wider = s.join(one, alike.kind.items[0])
            if wider != one:
                s.learn(origin, wider)
            made_kind = List(wider, list, frozenset((origin,)))
            if wider == alike.kind.items[0]:
                return of_length(s, s.emit("list_of", alike, kind=made_kind), len(alike.kind.items))
    if isinstance(items, Iterator) and items.name == "zip" and isinstance(items.detail, Fixed | Parts):
        items.run(lambda each: None)  # it is used up
        items = items.detail
    if cls is list and (fixed := spread(s, items, MOST_PARTS)):
        return list_display(s, fixed)
    made = new_list(s)
    start, count, straight = s.block, 0, True

    def emit(each: Abstract) -> None:
        nonlocal count, straight
        straight, count = straight and s.block is start, count + 1
        append(s, made, each)

    s.rules.iterate(s, items, emit, 1)
    if s.env is None:
        return made
    if cls is list:
        straight = straight and s.block is start and count <= MOST_PARTS
        return of_length(s, made, count if straight and count else None)
    return retyped(s, made, cls)


def _own_origin(s: Specializer, kind: List) -> frozenset[object]:
    """Return the origin for a copy of a list.

    At first, the copy's items have the type of the original's items; later items may widen the type.
    """
    origin = "list", s.below("list")
    learned = s.fact(origin, BOTTOM)
    if s.join(learned, kind.item) != learned:
        s.learn(origin, s.join(learned, kind.item))
    elif learned != kind.item:
        for each in kind.origin:
            s._widen_origin(each, learned)
    return frozenset((origin,))


def _straight(s: Specializer, items: Iterator) -> Abstract:
    """Return the items of an iterator as a tuple; if no loop makes the items, they stay separate values."""
    site = "straight", s.below("straight")
    is_straight = s.fact(site)
    made = new_list(s) if is_straight is not True else None
    items_so_far: list[Abstract] = []
    start, loops = s.block, s.loops
    straight = True

    def emit(each: Abstract) -> None:
        nonlocal straight
        straight = straight and s.loops == loops and s.block is start and len(items_so_far) < MOST_PARTS_GATHERED
        items_so_far.append(each)
        if made is not None:
            append(s, made, each)

    s.rules.iterate(s, items, emit, 1)
    straight = straight and s.block is start
    if made is None and not straight:
        s.learn(site, False)
    if is_straight is None and straight and s.env is not None:
        s.learn(site, True)
    if s.env is None:
        return NEVER
    return together(items_so_far) if made is None else retyped(s, made, tuple)


def joined(s: Specializer, name: str, items: Abstract) -> Abstract:
    """Return the list, tuple or set that a display with starred items makes; `items` is a list of all its items."""
    if name == "list":
        return items
    if name == "tuple":
        return gathered(s, items, tuple)
    return set_display(s, [items], star=True)


def unpack(s: Specializer, detail: tuple[int, int | None], value: Abstract) -> Abstract:
    """Return the parts that `a, *b, c = value` assigns."""
    before, behind = detail
    value = letters.of_letters(s, value)
    value = plain(s, value)
    items = items_in_turn(s, value)
    if items is None and not (isinstance(value, Runtime) and isinstance(value.kind, List)):
        value = gathered(s, value, tuple)
        items = fixed_items(s, value)
    if items is not None:
        least = before + (behind or 0)
        if len(items) < least or (behind is None and len(items) != before):
            return s.fails(ValueError)
        if behind is None:
            return Parts(tuple(items))
        end = len(items) - behind
        middle = list_display(s, items[before:end])
        return Parts((*items[:before], middle, *items[end:]))
    rest = s.runtime(value)
    if s.env is None or not isinstance(rest.kind, List):  # the loop over the items has raised the exception
        return NEVER
    length = length_of(s, rest)
    if behind is None:
        wrong = arithmetic.compare(s, "!=", length, Fixed(before))
        s.fail_if(wrong, ValueError)
        return Parts(tuple(s.emit("get", rest, number(index), kind=rest.kind.item) for index in range(before)))
    s.fail_if(arithmetic.compare(s, "<", length, Fixed(before + behind)), ValueError)
    first = [item(s, rest, Fixed(index)) for index in range(before)]
    middle = slice_of(s, rest, Fixed(before), Fixed(-behind) if behind else NOTHING, NOTHING)
    last = [item(s, rest, Fixed(index - behind)) for index in range(behind)]
    return Parts((*first, retyped(s, middle, list), *last))


def new_object(s: Specializer, cls: type, fields: dict[str, Abstract]) -> Abstract:
    """Return a new object with these attributes, which may change."""
    names = sorted(fields)  # in one order, however it is made
    values = [fields[name] for name in names]
    origin = "object", s.below(("object", cls.__qualname__))
    kind_now = ObjectOf(cls, tuple(names), tuple(map(s.kind_of, values)))
    learned = s.fact(origin, kind_now)
    if (learned.cls, learned.fields) != (kind_now.cls, kind_now.fields):
        raise s.refuse(f"{cls.__name__}.__init__ does not set the same attributes in all cases")
    wider = s.join(learned, kind_now)
    if s.fact(origin) is None or not alike(wider, learned):
        s.learn(origin, wider)
    assert isinstance(wider, ObjectOf)
    return s.emit("new", *map(s.convert, values, wider.items), kind=attrs.evolve(wider, origin=frozenset((origin,))))


# Changing lists and objects -------------------------------------------------------------------------------------------


def put_item(s: Specializer, owner: Abstract, key: Abstract, value: Abstract) -> Abstract:
    """Write `owner[key] = value`."""
    if isinstance(owner, Runtime) and isinstance(owner.kind, Optional) and array_class_of(owner.kind.item):
        owner = plain(s, owner)
    if is_array(owner):
        return s.rules.arrays.put_item(s, owner, key, value)  # type: ignore[no-any-return]
    if will_change(s, owner):
        return NEVER
    keys = field_keys(s.rules.class_of(owner))
    if keys is not None and isinstance(key, Fixed) and key.value not in keys:
        raise s.refuse(
            f"a dictionary with the keys {', '.join(map(repr, keys))}, whose values are of several types, gets the key"
            f" {key.value!r}: give it all its keys where it is made, with None where there is nothing"
        )
    own = s.rules.special(s, owner, "__setitem__")
    if own is not None:
        return s.call_python(own, [owner, key, value], {})
    target = changed(s, owner)
    if s.env is None or target.kind == BOTTOM:
        return NEVER
    stored = item_for(s, target, value)
    key = plain(s, key)
    index = index_in(s, key, length_of(s, target))
    s.do("put", target, index, stored)
    return NOTHING


def put_part(
    s: Specializer, owner: Abstract, start: Abstract, stop: Abstract, step: Abstract, value: Abstract
) -> Abstract:
    """Write `owner[start:stop:step] = value`."""
    if is_array(owner):
        return s.rules.arrays.put_item(s, owner, slice_key([start, stop, step]), value)  # type: ignore[no-any-return]
    target = resized(s, owner)
    if not (isinstance(step, Fixed) and step.value is None):
        items = gathered(s, value)
        return s.call_python(library.put_steps, [target, start, stop, step, items], {})
    return s.call_python(library.put_part, [target, start, stop, gathered(s, value)], {})


def delete_item(s: Specializer, owner: Abstract, key: Abstract) -> Abstract:
    """Write `del owner[key]`."""
    if will_change(s, owner):
        return NEVER
    own = s.rules.special(s, owner, "__delitem__")
    if own is not None:
        return s.call_python(own, [owner, key], {})
    s.call_python(library.list_pop, [resized(s, owner), key], {})
    return NOTHING


def delete_part(s: Specializer, owner: Abstract, start: Abstract, stop: Abstract, step: Abstract) -> Abstract:
    """Write `del owner[start:stop]`."""
    if not (isinstance(step, Fixed) and step.value is None):
        raise s.refuse("del of a slice with a step is not compiled")
    return s.call_python(library.delete_part, [resized(s, owner), start, stop], {})


def put_field(s: Specializer, owner: Runtime, name: str, value: Abstract) -> Abstract:
    """Write `owner.name = value` for a mutable object."""
    assert isinstance(owner.kind, ObjectOf)
    if name not in owner.kind.fields:
        raise s.refuse(f"{owner.kind} gets the attribute {name} after its __init__")
    index = owner.kind.fields.index(name)
    try:
        wider = s.join(owner.kind.items[index], s.kind_of(value))
    except NotRepresentable as error:
        raise s.refuse(f"{name} of {owner.kind} gets values of different types: {error}") from None
    if not alike(wider, owner.kind.items[index]):
        items = (*owner.kind.items[:index], wider, *owner.kind.items[index + 1 :])
        s.widen(owner.kind, attrs.evolve(owner.kind, items=items))
    if wider != owner.kind.items[index]:
        return NOTHING
    s.effects.append(owner.kind.origin)
    s.do("put_field", owner, s.convert(value, wider), detail=index)
    return NOTHING


def inplace(s: Specializer, sign: str, one: Abstract, other: Abstract) -> Abstract:
    """Return the value of `one += other`."""
    kind = arithmetic.kind_or_none(s, one)
    if isinstance(kind, List) and kind.cls is list:
        if sign == "+":
            extend(s, one, other)
            return one
        if sign == "*":
            s.call_python(library.repeat_in_place, [resized(s, one), other], {})
            return one
    if sign in "|&-^" and will_change(s, one):
        return NEVER
    if isinstance(one, Fixed) and isinstance(one.value, (set, dict)):
        raise s.refuse("a set or dictionary that is part of the game or of a module is changed; copy it first")
    own = s.rules.special(s, one, f"__i{arithmetic.METHODS[sign]}__")
    if own is not None:
        return s.call_python(own, [one, other], {})
    return arithmetic.binary(s, sign, one, other)


# Operators of sequences -----------------------------------------------------------------------------------------------


def combined(s: Specializer, sign: str, one: Abstract, other: Abstract) -> Abstract:
    """Return `one + other` or `one * other` of sequences."""
    if letters.is_text(s, one) or letters.is_text(s, other):
        return letters.combined(s, sign, one, other)
    if sign == "*":
        if not isinstance(one, Fixed) or isinstance(one.value, int):
            kind = arithmetic.kind_or_none(s, one)
            if kind is not None and arithmetic.is_whole(kind):
                one, other = other, one
        return _repeated(s, one, other)
    if sign != "+":
        return arithmetic.cannot_combine(s, sign, one, other)
    kinds = [arithmetic.kind_or_none(s, each) for each in (one, other)]
    if None in kinds:
        raise s.refuse(f"{sign} of {s.rules.described(one)} and {s.rules.described(other)} is not compiled")
    if not all(isinstance(each, (Tuple, List)) for each in kinds):
        if s.has_arrays:
            raise s.refuse("an operator on a sequence and a number is not compiled in a program with arrays of NumPy")
        return arithmetic.cannot_combine(s, sign, one, other)
    classes = [sequence_class(each) for each in kinds]  # type: ignore[arg-type]
    if classes[0] is not classes[1]:
        return s.fails(TypeError)
    items = [fixed_items(s, each) for each in (one, other)]
    if items[0] is not None and items[1] is not None and classes[0] is not list:
        return together([*items[0], *items[1]])
    made = new_list(s)
    extend(s, made, one)
    extend(s, made, other)
    lengths = [fixed_length(each) for each in kinds]
    length = None if None in lengths else sum(lengths)  # type: ignore[arg-type]
    return of_length(s, retyped(s, made, classes[0]), length)


def _repeated(s: Specializer, items: Abstract, times: Abstract) -> Abstract:
    kind = arithmetic.kind_or_none(s, items)
    if not isinstance(kind, (Tuple, List)):
        return arithmetic.cannot_combine(s, "*", items, times)
    if not (isinstance(times, Fixed) and isinstance(times.value, int)):
        times = arithmetic.whole(s, times)
    if s.env is None:
        return NEVER
    fixed = fixed_items(s, items)
    if isinstance(times, Fixed) and fixed is not None and not (isinstance(kind, List) and kind.cls is list):
        return together(fixed * int(times.value))
    made = new_list(s)
    s.call_python(library.repeat_into, [made, items, times], {})
    length = fixed_length(kind)
    whole = length * max(0, times.value) if length is not None and isinstance(times, Fixed) else None
    return of_length(s, retyped(s, made, sequence_class(kind)), whole)


def contains(s: Specializer, value: Abstract, items: Abstract) -> "Runtime | bool":
    """Return whether `value in items` is true."""
    if arithmetic.is_choice(items):
        return s.truth(s.either_type(items, lambda each: arithmetic.as_value(contains(s, value, each))))
    if arithmetic.is_choice(value) and isinstance(items, Fixed):
        return s.truth(s.either_type(value, lambda each: arithmetic.as_value(contains(s, each, items))))
    if is_array(items):
        return s.rules.arrays.contains(s, value, items)  # type: ignore[no-any-return]
    if isinstance(items, Fixed) and isinstance(value, Fixed):
        try:
            return value.value in items.value
        except Exception as error:
            s.fails(type(error))
            return False
    own = s.rules.special(s, items, "__contains__")
    if own is not None:
        return s.truth(s.call_python(own, [items, value], {}))
    items = plain(s, items)
    if not isinstance(items, Iterator) and isinstance(arithmetic.kind_or_none(s, items), BitsOf):
        return s.truth(s.call_python(library.bits_contain, [s.runtime(items), value], {}))
    if letters.is_text(s, items):
        return letters.contains(s, value, items)
    if isinstance(items, Keywords):
        return among(s, value, [Fixed(each) for each in items.items])
    if isinstance(items, Fixed):
        members = items.value
        if isinstance(members, (dict, set, frozenset, tuple, list)):
            whole = [each for each in members if type(each) is int]
            kind = arithmetic.kind_or_none(s, value)
            if len(whole) == len(members) > 3 and kind is not None and arithmetic.is_whole(kind):
                if max(whole) - min(whole) < 64:
                    low = min(whole)
                    word = sum(1 << each - low for each in set(whole))
                    bits = constant(s, Bits(word), BITS)
                    shifted = arithmetic.binary(s, "-", arithmetic.whole(s, value), Fixed(low))
                    return s.truth(s.call_python(library.bits_contain, [bits, shifted], {}))
            if len(members) <= 16 or isinstance(members, (dict, set, frozenset)):
                test = among(s, value, [Fixed(each) for each in members])
                if all(type(each) is str and len(each) == 1 for each in members):
                    s.implies(test, True, value, LETTER)
                return test
    if isinstance(items, Iterator) and items.name == "range" and items.detail is not None:
        return s.truth(s.call_python(library.range_contains, [*items.detail, value], {}))
    alternatives = fixed_items(s, items) if isinstance(items, Parts) else None
    if alternatives is not None:
        return among(s, value, alternatives)
    return s.truth(s.call_python(library.contains, [items, value], {}))


def among(s: Specializer, value: Abstract, items: list[Abstract]) -> "Runtime | bool":
    """Return whether a value is equal to one of the items."""
    test: Runtime | bool = False
    for each in reversed(items):
        hit = arithmetic.alike(s, each, value)
        if hit is True:
            test = True
        elif hit is not False:
            later = test
            test = s.truth(s.either(hit, lambda: Fixed(True), lambda later=later: arithmetic.as_value(later)))  # type: ignore[misc]
    return test


# Texts ----------------------------------------------------------------------------------------------------------------


def text(s: Specializer, parts: list[Abstract]) -> Abstract:
    """Return an f-string."""
    fixed = values_of(parts)
    if fixed is not None:
        return Fixed("".join(fixed))
    if not all(letters.is_text(s, each) for each in parts):
        return Iterator("f-string", _no_text(s))
    joined_text = parts[0]
    for index, each in enumerate(parts[1:]):
        with s.inside(("part", index)):
            joined_text = letters.combined(s, "+", joined_text, each)
    return joined_text


CONVERSIONS: dict[int, Callable[[object], object]] = {-1: lambda x: x, 114: repr, 115: str, 97: ascii}
"""The functions that an f-string applies to a value before formatting it, by the number of the letter behind `!`."""


def formatted(s: Specializer, conversion: int, value: Abstract, specification: Abstract) -> Abstract:
    """Return the text of a value in an f-string."""
    if isinstance(value, Fixed) and isinstance(specification, Fixed):
        shown = CONVERSIONS[conversion](value.value)
        return Fixed(format(shown, specification.value))
    if isinstance(specification, Fixed) and not specification.value and conversion in (-1, ord("s")):
        return letters.shown(s, value)
    if isinstance(specification, Fixed) and conversion == -1 and s.kind_of(value) == INT:
        return letters.aligned(s, value, specification.value)
    return Iterator("f-string", _no_text(s))


def _no_text(s: Specializer) -> Callable[[object], None]:
    def run(_: object) -> None:
        raise s.refuse(UNWRITTEN)

    return run


# Sets and dictionaries ------------------------------------------------------------------------------------------------


class FixedList(list[object]):
    """A sorted list of constants. If the program changes the list made at `site`, the list is made at run time."""

    site: object = None


class FixedSet(frozenset[object]):
    """A set of constants. If the program changes the set made at `site`, the set is made at run time."""

    site: object = None


WITHOUT_ORDER = (
    "a loop over a dictionary whose values are of several types is not compiled: name its keys, as in"
    ' for key in ("a", "b")'
)


class FixedDict(dict[object, object]):
    """A dictionary of constants. If the program changes the dictionary made at `site`, the dictionary is made at run
    time.
    """

    site: object = None


def own_class(value: object) -> type:
    """Return the Python class of a known value."""
    classes: dict[object, type] = {FixedList: list, FixedSet: set, FixedDict: dict}
    return classes.get(type(value), type(value))


def constants(s: Specializer, cls: type, items: Iterable[object]) -> Abstract:
    """Return a list or set of constants; if it is changed later, it is made at run time.

    Arguments:
        cls: `FixedList` or `FixedSet`.
    """
    site = "changed", s.below(cls.__name__)
    if s.fact(site):
        return MADE[cls](s, Fixed(tuple(items)))
    container = cls(items)
    container.site = site
    return Fixed(container)


def new_set(s: Specializer, items: Abstract, cls: object = set) -> Abstract:
    """Return a set or a frozen set that is made at run time."""
    from ggp.compiler import callables

    return callables.made(s, library.AS_LOCAL[cls], [callables.unordered(s, items)], {})


MADE: dict[object, Callable[[Specializer, Abstract], Abstract]] = {FixedList: gathered, FixedSet: new_set}
"""The rules that make lists and sets of constants at run time."""


def set_display(s: Specializer, items: list[Abstract], star: bool = False) -> Abstract:
    """Return `{a, b}`."""
    values = values_of(items)
    if values and not star:
        return constants(s, FixedSet, values)
    return new_set(s, items[0] if star else together(items))


def dict_display(s: Specializer, items: list[Abstract]) -> Abstract:
    """Return `{a: b}`."""
    from ggp.compiler import callables

    fixed = values_of(items)
    site = "changed", s.below("dict")
    if fixed and not s.fact(site):
        constant_dict = FixedDict(zip(fixed[::2], fixed[1::2], strict=True))
        constant_dict.site = site
        return Fixed(constant_dict)
    if _has_fields(s, items):
        fields = {f".{key.value}": value for key, value in zip(items[::2], items[1::2], strict=True)}  # type: ignore[union-attr]
        return new_object(s, field_dict(tuple(sorted(name[1:] for name in fields))), fields)
    made = callables.made(s, library.LocalDict, [], {})
    for key, value in zip(items[::2], items[1::2], strict=True):
        put_item(s, made, key, value)
    return made


def _has_fields(s: Specializer, items: list[Abstract]) -> bool:
    """Return whether each value of a dictionary is stored with a separate type.

    This is so if the keys are known texts, and the values of the dictionary have no common type. It is also so if the
    values of a dictionary with these keys in states or actions have no common type.
    """
    keys = [each.value for each in items[::2] if isinstance(each, Fixed)]
    if 2 * len(keys) != len(items) or not are_texts(tuple(keys)):
        return False
    shapes = [s.program_fact((fact,)) for fact in ("state", "action")]
    if any({*keys} <= keys_of_shape for shape in shapes for keys_of_shape in field_dicts_in(shape)):
        return True
    try:
        functools.reduce(s.join, map(s.kind_of, items[1::2]), BOTTOM)
    except NotRepresentable:
        return True
    return False


def will_change(s: Specializer, owner: Abstract) -> bool:
    """Return whether a display of constants is changed here; if it is, the next pass makes the display at run time."""
    if (
        isinstance(owner, Fixed)
        and isinstance(owner.value, (FixedList, FixedSet, FixedDict))
        and owner.value.site is not None
    ):
        s.learn(owner.value.site, True)
        return True
    return False


def add_to_set(s: Specializer, owner: Abstract, value: Abstract) -> Abstract:
    """Add an item to a set."""
    return s.rules.call_method(s, owner, "add", [value], {})  # type: ignore[no-any-return]
