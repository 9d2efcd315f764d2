"""Rules for states that change: freezing and thawing, as `ggp.frozen_states` does in Python, and copying objects.

A frozen state is a value in machine code: a tuple of its items, together with the class of the thawed state. A thawed
state is a new list or object.
"""

import copy
import functools
import inspect
import types
from collections.abc import Callable, Sequence

import attrs

from ggp import frozen_states
from ggp.compiler import arrays, containers, library
from ggp.compiler.abstract import (
    NEVER,
    NOTHING,
    Abstract,
    Fixed,
    Iterator,
    Parts,
    Runtime,
    is_array,
    number,
    zero,
)
from ggp.compiler.field_dicts import FieldDict, FieldList
from ggp.compiler.specialization import MOST_PARTS, Specializer
from ggp.compiler.types import (
    BOOL,
    BOTTOM,
    INT,
    FrozenAttributes,
    FrozenMapping,
    List,
    Narrow,
    ObjectOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    array_class_of,
    cells_class,
    cells_class_of,
    frozen_class,
    has_reference,
    is_frozen,
    is_record,
    is_row,
    keys_of,
    mapping_class_of,
    parts_of,
    row_class,
    row_items,
    stored,
)
from ggp.frozen_states import FrozenList, FrozenObject, FrozenSet


def thaw(s: Specializer, value: Abstract) -> Abstract:
    """Return a frozen value as new lists and objects."""
    if isinstance(value, Fixed):
        return _thawed_constant(s, value.value)
    kind = s.kind_of(value)
    if not _holds_frozen(kind):
        return value
    if isinstance(kind, Optional):
        return s.if_some(value, functools.partial(thaw, s))
    assert isinstance(kind, (Tuple, RecordOf))
    if (cells := cells_class_of(kind)) is not None:
        return arrays.thawed(s, value, cells)
    if (keys := keys_of(kind)) is not None:
        plain = Runtime(s.runtime(value).atom, Tuple(kind.items))
        return s.call_python(library.thawed_pairs, [Fixed(keys), plain], {})
    if isinstance(kind, Tuple) and (mapping := mapping_class_of(kind)) is not None:
        return _mapping(s, mapping, thaw(s, containers.part(s, value, 0)))
    if isinstance(kind, Tuple) and is_row(kind):
        length, row = value.items if isinstance(value, Parts) else s.parts(s.runtime(value))
        own = row_class(kind).python
        if not issubclass(own, frozenset):
            made = s.call_python(library.thawed_row, [row, length], {})
            return containers.retyped(s, made, tuple) if own is tuple else made
        empty = containers.new_set(s, Fixed(()), set if own is FrozenSet else frozenset)
        return s.call_python(library.thawed_set, [empty, row, length], {})
    if kind.cls is FrozenList and len(set(kind.items)) == 1 and not _holds_frozen(kind.items[0]):
        return containers.gathered(s, Runtime(s.runtime(value).atom, Tuple(kind.items)))
    items = list(value.items) if isinstance(value, Parts) else list(s.parts(s.runtime(value)))
    return _made_of(s, kind.cls, [*map(functools.partial(_below, s, thaw), items, range(len(items)))])


def _thawed_constant(s: Specializer, value: object) -> Abstract:
    if frozen_states.thaw(value) is value:
        return Fixed(value)
    if isinstance(value, frozen_states.FrozenDict):
        pairs = [thaw(s, Fixed(each)) for pair in value for each in pair]
        return containers.dict_display(s, pairs)
    if isinstance(value, FrozenObject) and (mapping := mapping_class_of(s.kind_of(Fixed(value)))) is not None:
        return _mapping(s, mapping, thaw(s, Fixed(value.frozen_values[-1])))
    if isinstance(value, frozen_states.FrozenArray):
        return arrays.copied(s, Fixed(value.array()))
    if not isinstance(value, tuple | FrozenObject):
        content = frozen_states.described_state(frozen_states.thaw(value))
        raise s.refuse(f"a state that contains {content} is not compiled")
    items = value.frozen_values if isinstance(value, FrozenObject) else value
    made = [_below(s, thaw, Fixed(each), index) for index, each in enumerate(items)]
    return _made_of(
        s, type(value) if isinstance(value, tuple) else frozen_class(value.frozen_class, value.frozen_names), made
    )


def _mapping(s: Specializer, cls: type[FrozenMapping], items: Abstract) -> Abstract:
    """Return a new defaultdict or Counter with the keys and values of a dictionary."""
    if cls.factory is None:
        return s.call_python(library.counter_of, [items], {})
    return s.call_python(library.default_dict_of, [Fixed(cls.factory), items], {})


def _below(s: Specializer, rule: Callable[..., Abstract], value: Abstract, index: int) -> Abstract:
    """Return the result of a rule for an item; lists in the result get another origin than the list around it."""
    with s.inside(("item", index)):
        made: Abstract = rule(s, value)
        return made


def _made_of(s: Specializer, cls: type | None, items: list[Abstract]) -> Abstract:
    """Return the list, object or tuple that a frozen class stands for."""
    if s.env is None:
        return NEVER
    if cls is FrozenList:
        return containers.list_display(s, items)
    if cls is not None and issubclass(cls, FrozenAttributes) and cls.thawed is not None:
        return containers.new_object(s, cls.thawed, dict(zip(cls._fields, items, strict=True)))
    return Parts(tuple(items), cls if is_record(cls or tuple) or hasattr(cls, "_fields") else None)


def freeze(s: Specializer, value: Abstract) -> Abstract:
    """Return an immutable copy of a value. The caller must read the items of the copy at once."""
    shape = s.program_fact(("state",))
    return _frozen(s, value, s.program_fact(("action",)) if _is_set(s, value) and not is_row(shape) else shape)


def _is_set(s: Specializer, value: Abstract) -> bool:
    if isinstance(value, Fixed):
        return isinstance(value.value, (set, frozenset))
    return s.rules.class_of(value) in library.LOCAL_SETS


def _frozen_set(s: Specializer, value: Abstract, shape: Type) -> Abstract:
    """Return a set as its items, in the order of their words."""
    if not is_row(shape):
        raise s.refuse("a set in a state is compiled only where there is one in all states")
    if isinstance(value, Fixed):
        return s.convert(Fixed(frozen_states.freeze(value.value)), shape)
    python = FrozenSet if s.rules.class_of(value) is library.LocalSet else frozenset
    items = s.rules.attribute_of(s, value, "items")
    if items.kind == BOTTOM or not isinstance(items.kind, List):
        return NEVER
    if items.kind.item == BOTTOM or not row_items(shape):
        length = s.runtime(containers.length_of(s, items))
        s.fail_if(s.emit("gt", length, number(0), kind=BOOL), None)
        return s.convert(Fixed(python()), shape)
    made = s.runtime(s.call_python(library.in_order_of_words, [items, zero(row_items(shape)[0])], {}))
    return Runtime(made.atom, attrs.evolve(made.kind, cls=python)) if isinstance(made.kind, List) else NEVER


def as_member(s: Specializer, item: Abstract, like: Abstract) -> Abstract:
    """Return a frozen item of a set, converted to the type of another item."""
    kind = s.kind_of(like)
    return s.convert(_frozen(s, item, kind), kind)


def _frozen(s: Specializer, value: Abstract, shape: Type) -> Abstract:
    """Return a frozen value.

    Arguments:
        shape: the type of states, or of the part of states that the value belongs to. The type may give the length of a
            list.
    """
    if _is_set(s, value):
        return _frozen_set(s, value, shape)
    if isinstance(value, Fixed):
        return Fixed(frozen_states.freeze(value.value))
    kind = s.kind_of(value)
    if array_class_of(kind):
        return arrays.frozen(s, value, cells_class)
    if isinstance(kind, Narrow):
        return s.convert(value, INT)
    if not has_reference(kind):
        return value
    if isinstance(kind, Optional):
        part = shape.item if isinstance(shape, Optional) else shape
        return s.if_some(value, lambda held: _frozen(s, held, part))
    if isinstance(kind, ObjectOf) and _is_mapping(kind.cls):
        return _frozen(s, containers.new_object(s, library.LocalDict, _fields_of(s, value)), shape)
    if isinstance(kind, ObjectOf) and kind.cls is library.LocalDict:
        lists = [attrs.evolve(each, item=_frozen_kind(s, each.item)) for each in kind.items if isinstance(each, List)]
        return Runtime(s.runtime(value).atom, attrs.evolve(kind, items=tuple(lists)))
    if containers.has_fields(value):
        return Parts(_frozen_items(s, containers.fields_of(s, value), shape, FrozenList), FrozenList)
    if isinstance(kind, ObjectOf) and kind.cls in library.AS_PYTHON and not issubclass(kind.cls, FieldDict):
        raise s.refuse(f"a {library.AS_PYTHON[kind.cls].__name__} in a state is not compiled: make it a list or a dict")
    if isinstance(kind, ObjectOf):
        names = tuple(sorted(kind.fields))
        own = frozen_class(kind.cls, names)
        held = s.runtime(value)
        fields = {name: (index, each) for index, (name, each) in enumerate(zip(kind.fields, kind.items, strict=True))}
        items = [s.emit("field", held, kind=fields[name][1], detail=fields[name][0]) for name in names]
        return Parts(_frozen_items(s, items, shape, own), own)
    if isinstance(kind, List):
        separate = containers.spread(s, value, MOST_PARTS) if kind.cls is list else None
        if separate is None and not _is_plain(kind.item) and isinstance(shape, Tuple) and shape.cls is FrozenList:
            separate = _counted(s, s.runtime(value), kind, len(shape.items))
        if separate is not None:
            return Parts(_frozen_items(s, separate, shape, FrozenList), FrozenList)
        if not _is_plain(kind.item) and is_row(shape) and row_items(shape):
            made = s.runtime(s.call_python(library.members, [value, zero(row_items(shape)[0])], {}))
            frozen_as = FrozenList if kind.cls is list else kind.cls
            return Runtime(made.atom, attrs.evolve(made.kind, cls=frozen_as)) if isinstance(made.kind, List) else NEVER
        return Runtime(s.runtime(value).atom, _frozen_kind(s, kind))
    if isinstance(kind, (Tuple, RecordOf)):
        parts = value.items if isinstance(value, Parts) else tuple(s.parts(s.runtime(value)))
        return Parts(_frozen_items(s, parts, shape, kind.cls), kind.cls)
    raise s.refuse(f"a state that contains a {kind} with items that can change is not compiled")


def _is_mapping(cls: type) -> bool:
    return issubclass(cls, library.LocalDefaultDict | library.LocalCounter)


def _frozen_items(s: Specializer, items: Sequence[Abstract], shape: Type, cls: type | None) -> tuple[Abstract, ...]:
    """Return the items, frozen. If `shape`, the type of the part of the state, has the class `cls`, the items get the
    types that `shape` gives them.
    """
    fits = isinstance(shape, (Tuple, RecordOf)) and shape.cls is cls and len(shape.items) == len(items)
    shapes = shape.items if fits else [BOTTOM] * len(items)  # type: ignore[attr-defined]
    return tuple(_frozen(s, *pair) for pair in zip(items, shapes, strict=True))


def _counted(s: Specializer, items: Runtime, kind: List, count: int) -> list[Abstract] | None:
    """Return the items of a list of length `count`; if the list has another length, Python takes over."""
    if count > MOST_PARTS:
        return None
    length = s.emit("length", items, kind=INT)
    s.fail_if(s.emit("ne", length, number(count), kind=BOOL), None)
    return [s.emit("get", items, number(index), kind=kind.item) for index in range(count)]


def _is_plain(kind: Type) -> bool:
    """Return whether lists with items of the type `kind` can be frozen without a change."""
    if isinstance(kind, ObjectOf) or array_class_of(kind):
        return False
    return all(map(_is_plain, parts_of(kind)))


def _frozen_kind(s: Specializer, kind: Type) -> Type:
    """Return the type that a list of the type `kind` has when it is read as a part of a frozen state."""
    if not _is_plain(kind):
        raise s.refuse("a state with a list of objects or arrays of a length known only at run time is not compiled")
    if isinstance(kind, List):
        return List(_frozen_kind(s, kind.item), FrozenList if kind.cls is list else kind.cls, kind.origin)
    if isinstance(kind, Tuple):
        return Tuple(tuple(_frozen_kind(s, each) for each in kind.items), kind.cls)
    if isinstance(kind, Optional):
        return Optional(_frozen_kind(s, kind.item))
    return kind


def filled(s: Specializer, items: list[Abstract], kind: Tuple) -> Runtime:
    """Return a list, or items, as a frozen list of a maximum length; Python takes over if there are too many."""
    row = kind.items[1]
    assert isinstance(row, Tuple)
    zeros = zero(row)
    if isinstance(items, list):
        if len(items) > len(row.items):
            return s.stop()
        rest = [zero(each) for each in row.items[len(items) :]]
        made = s.emit("make", *[s.convert(each, row.items[0]) for each in items], *rest, kind=row)
        return s.emit("make", number(len(items)), made, kind=kind)
    length = s.runtime(containers.length_of(s, items))
    s.fail_if(s.emit("gt", length, number(len(row.items)), kind=BOOL), None)
    with s.inside(("filled", kind)):  # lists with other room have facts of their own
        items_row = zeros if items.kind.item == BOTTOM else s.call_python(library.filled, [zeros, items], {})
    return s.emit("make", length, s.runtime(items_row), kind=kind)


def filled_pairs(s: Specializer, dictionary: Runtime, kind: Tuple) -> Runtime:
    """Return a dictionary as a frozen dictionary of the type `kind`, which has fixed keys. If the dictionary has other
    keys, Python takes over.
    """
    plain = Tuple(kind.items)
    zeros = zero(plain)
    with s.inside(("filled", kind)):
        row = s.call_python(library.filled_pairs, [zeros, Fixed(keys_of(kind)), dictionary], {})
    return Runtime(s.runtime(row).atom, kind) if s.env is not None else NEVER


def with_item(s: Specializer, row: Abstract, index: Abstract, item: Abstract) -> Abstract:
    """Return a tuple whose items have one type, with one item replaced."""
    held = s.runtime(row)
    if held.kind == BOTTOM:
        return NEVER
    assert isinstance(held.kind, Tuple)
    return s.emit("with_item", held, s.runtime(index), s.convert(item, held.kind.items[0]), kind=held.kind)


def _holds_frozen(kind: Type) -> bool:
    if isinstance(kind, Optional):
        return _holds_frozen(kind.item)
    if isinstance(kind, RecordOf):
        return any(map(_holds_frozen, kind.items))
    return isinstance(kind, Tuple) and (is_frozen(kind.cls) or any(map(_holds_frozen, kind.items)))


# Copies ---------------------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Memo:
    """The lists and objects that `copy.deepcopy` has copied, as one list for each type."""

    site: object
    """The key of the fact with the types of everything that this call copies."""
    copied: dict[Type, Abstract]


def deepcopy(s: Specializer, value: Abstract, memo: Abstract = NOTHING) -> Abstract:
    """Return a copy of a value and of all values in it. If the same list is in two places of the value, Python takes
    over.

    Arguments:
        memo: the argument of an author's `__deepcopy__`.
    """
    given = memo.detail if isinstance(memo, Iterator) and memo.name == "memo" else None
    if given is None and not (isinstance(memo, Fixed) and memo.value is None):
        raise s.refuse("copy.deepcopy with the argument memo is not compiled; leave the argument out")
    if isinstance(value, Fixed):
        if copy.deepcopy(value.value) is value.value:
            return value
        raise s.refuse("a deep copy of a constant of the game or of a module is not compiled")
    if is_array(value):
        if given is not None:
            _mark_copied(s, s.runtime(arrays.of(s, value).cells), given)
        return arrays.copied(s, value)
    kind = s.kind_of(value)
    if not has_reference(kind):
        return value
    if given is None and _is_copied_at_once(kind) and not _has_own_copy(kind):
        seen: list[Runtime] = []
        return _copied(s, value, seen)
    return _copied_one_by_one(s, value, given or _new_memo(s, kind))


def _new_memo(s: Specializer, kind: Type) -> Memo:
    site = "memo", s.below("memo")
    copied: dict[Type, Abstract] = {}
    for each in dict.fromkeys((*_references(kind), *s.fact(site, ()))):
        with s.inside(("copied", each)):
            copied[each] = containers.new_list(s)
    return Memo(site, copied)


def _mark_copied(s: Specializer, held: Runtime, memo: Memo) -> None:
    """Record that a list or an object is copied; if it was copied before, Python takes over."""
    kind = stored(held.kind)
    if kind in memo.copied:
        s.call_python(library.note_copied, [held, memo.copied[kind]], {})
    elif s.env is not None and held.kind != BOTTOM:
        s.learn(memo.site, (*s.fact(memo.site, ()), kind))


def _own_copy(cls: object) -> types.FunctionType | None:
    """Return the `__deepcopy__` that a class defines in Python; None if it defines none."""
    method = inspect.getattr_static(cls, "__deepcopy__", None)
    return method if isinstance(method, types.FunctionType) else None


def _has_own_copy(kind: Type) -> bool:
    return (isinstance(kind, ObjectOf) and _own_copy(kind.cls) is not None) or any(map(_has_own_copy, parts_of(kind)))


def _is_copied_at_once(kind: Type) -> bool:
    """Return whether a value holds only lists of values without references, or lists of such lists."""
    if isinstance(kind, Optional) and has_reference(kind):
        return False
    if isinstance(kind, List) and has_reference(kind.item):
        return isinstance(kind.item, List) and not has_reference(kind.item.item)
    return all(map(_is_copied_at_once, parts_of(kind)))


def _references(kind: Type) -> dict[Type, None]:
    """Return the stored types of all lists and objects in values of a type."""
    references = {stored(kind): None} if isinstance(kind, (List, ObjectOf)) else {}
    for each in parts_of(kind):
        references |= _references(each)
    return references


def _copied_one_by_one(s: Specializer, value: Abstract, memo: Memo) -> Abstract:
    """Return a deep copy of a value.

    Arguments:
        memo: the lists and objects that were copied before.
    """
    kind = s.kind_of(value)
    if not has_reference(kind) or s.env is None:
        return value
    if isinstance(kind, Optional):
        return s.if_some(value, lambda held: _copied_one_by_one(s, held, memo))
    rule = functools.partial(_copied_one_by_one, memo=memo)
    if isinstance(kind, Tuple) and not array_class_of(kind):
        items = value.items if isinstance(value, Parts) else tuple(s.parts(s.runtime(value)))
        return Parts(tuple(_below(s, rule, each, index) for index, each in enumerate(items)), kind.cls)
    if not isinstance(kind, (List, ObjectOf)):
        raise s.refuse(f"copy.deepcopy of a {kind} in a list is not compiled; copy its parts one by one")
    held = s.runtime(value)
    _mark_copied(s, held, memo)
    if isinstance(kind, ObjectOf):
        own = _own_copy(kind.cls)
        if own is not None:
            return s.call_python(own, [held, Iterator("memo", _memo_alone(s), detail=memo)], {})
        _check_copied(s, kind.cls)
        fields = {}
        for index, (name, each) in enumerate(zip(kind.fields, kind.items, strict=True)):
            fields[name] = _below(s, rule, s.emit("field", held, kind=each, detail=index), index)
        return containers.new_object(s, kind.cls, fields) if s.env is not None else NEVER
    if not has_reference(kind.item):
        return containers.gathered(s, held, kind.cls)
    made = containers.new_list(s)
    s.rules.iterate(s, held, lambda each: containers.append(s, made, rule(s, each)), 1)
    return containers.of_length(s, containers.retyped(s, made, kind.cls), kind.length)


def _memo_alone(s: Specializer) -> Callable[[object], None]:
    def run(_: object) -> None:
        raise s.refuse("the memo of __deepcopy__ may only be passed on to copy.deepcopy")

    return run


def _copied(s: Specializer, value: Abstract, seen: list[Runtime]) -> Abstract:
    kind = s.kind_of(value)
    if not has_reference(kind) or s.env is None:
        return value
    if array_class_of(kind):
        _check_distinct(s, s.runtime(arrays.of(s, value).cells), seen)
        return arrays.copied(s, value)
    if isinstance(kind, Tuple):
        items = value.items if isinstance(value, Parts) else tuple(s.parts(s.runtime(value)))
        copies = [_below(s, lambda s, each: _copied(s, each, seen), *pair) for pair in zip(items, range(len(items)))]  # noqa: B905
        return Parts(tuple(copies), kind.cls)
    held = s.runtime(value)
    if isinstance(kind, ObjectOf):
        _check_copied(s, kind.cls)
        _check_distinct(s, held, seen)
        fields = {}
        for index, (name, each) in enumerate(zip(kind.fields, kind.items, strict=True)):
            part = s.emit("field", held, kind=each, detail=index)
            fields[name] = _below(s, lambda s, part: _copied(s, part, seen), part, index)
        return containers.new_object(s, kind.cls, fields) if s.env is not None else NEVER
    if isinstance(kind, List) and not (isinstance(kind.item, List) and has_reference(kind.item.item)):
        if isinstance(kind.item, List) or not has_reference(kind.item):
            _check_distinct(s, held, seen)
            if not has_reference(kind.item):
                return containers.gathered(s, held, kind.cls)
            made = s.call_python(library.copied_rows, [held], {})
            return containers.of_length(s, containers.retyped(s, made, kind.cls), kind.length)
    raise s.refuse(f"copy.deepcopy of a {kind} is not compiled; copy its parts one by one")


def _check_distinct(s: Specializer, held: Runtime, seen: list[Runtime]) -> None:
    """Let Python take over if a list, or a list in it, was copied before: each list must be copied only once."""
    for each in seen:
        if stored(each.kind) == stored(held.kind):
            s.fail_if(s.emit("same", each, held, kind=BOOL), None)
        for outer, inner in ((each, held), (held, each)):
            if isinstance(outer.kind, List) and stored(outer.kind.item) == stored(inner.kind):
                s.call_python(library.give_up_if_in, [inner, outer], {})
        if isinstance(each.kind, List) and has_reference(each.kind.item) and stored(each.kind) == stored(held.kind):
            s.call_python(library.give_up_if_shared, [each, held], {})
    seen.append(held)


def _check_copied(s: Specializer, cls: type) -> None:
    """Refuse classes that define how their instances are copied."""
    for name in ("__deepcopy__", "__copy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__"):
        if getattr(cls, name, None) is not getattr(object, name, None):
            raise s.refuse(f"{cls.__name__} has {name}, so that a copy of it is not compiled")


def shallow(s: Specializer, value: Abstract) -> Abstract:
    """Return `copy.copy(value)`."""
    if is_array(value):
        return arrays.copied(s, value)
    if isinstance(value, Fixed) and copy.copy(value.value) is not value.value:
        raise s.refuse("a copy of a constant of the game or of a module is not compiled; write list(...)")
    kind = None if isinstance(value, Fixed) else s.kind_of(value)
    if isinstance(kind, List):
        return containers.gathered(s, value, kind.cls)
    if isinstance(kind, Optional) and has_reference(kind):
        raise s.refuse("a copy of a value that may be None is not compiled")
    if not isinstance(kind, ObjectOf):
        return value
    if kind.cls in library.AS_PYTHON and not issubclass(kind.cls, FieldDict | FieldList):
        return s.rules.call_method(s, value, "copy", [], {})  # type: ignore[no-any-return]
    own = s.rules.special(s, value, "__copy__")
    if own is not None:
        return s.call_python(own, [value], {})
    _check_copied(s, kind.cls)
    return shallow_fields(s, value)


def shallow_fields(s: Specializer, value: Abstract) -> Abstract:
    """Return a new object with the same fields."""
    kind = s.runtime(value).kind
    return containers.new_object(s, kind.cls, _fields_of(s, value)) if isinstance(kind, ObjectOf) else NEVER


def _fields_of(s: Specializer, value: Abstract) -> dict[str, Abstract]:
    held = s.runtime(value)
    assert isinstance(held.kind, ObjectOf)
    pairs = enumerate(zip(held.kind.fields, held.kind.items, strict=True))
    return {name: s.emit("field", held, kind=each, detail=index) for index, (name, each) in pairs}
