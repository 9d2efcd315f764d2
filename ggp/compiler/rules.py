"""Rules of specialization: the code that is written for each operation of open core, given its operands."""

import enum
import functools
import importlib
import inspect
import types as pytypes
from collections.abc import Callable, Sequence
from typing import Any

from ggp.bits import Bits
from ggp.capabilities import own_attributes, variables_of
from ggp.compiler import arithmetic, arrays, callables, containers, core, library, local_classes, skipping, types
from ggp.compiler.abstract import (
    NEVER,
    NOTHING,
    Abstract,
    Display,
    Exceptional,
    Fixed,
    InnerFunction,
    Iterator,
    Parent,
    Partially,
    Parts,
    Runtime,
    TypeMethod,
    Unfinished,
    is_array,
    is_unwritten,
    number,
)
from ggp.compiler.arrays import narrowed
from ggp.compiler.callables import call_method
from ggp.compiler.containers import (
    constant,
    copied,
    is_constant,
    is_read_only,
    kind_of_display,
    kind_of_fixed,
    length_of,
    resized,
    rows_of_any_length,
    shown,
    written,
)
from ggp.compiler.exceptions import raise_, run_try
from ggp.compiler.iteration import indexed, iterate
from ggp.compiler.mutable_states import filled, filled_pairs
from ggp.compiler.specialization import UNWRITTEN, Activation, Specializer
from ggp.compiler.types import (
    ATOM,
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    LETTER,
    NONE,
    NUMBER,
    BitsOf,
    EnumOf,
    List,
    Narrow,
    ObjectOf,
    OneOf,
    Optional,
    RecordOf,
    Tuple,
    field_names,
    is_frozen,
    is_record,
)

__all__ = [
    "adds_to_set",
    "arrays",
    "call_method",
    "callables",
    "constant",
    "copied",
    "described",
    "filled",
    "filled_pairs",
    "indexed",
    "is_constant",
    "is_read_only",
    "iterate",
    "kind_of_display",
    "kind_of_fixed",
    "length_of",
    "narrowed",
    "operation",
    "put_attribute_of",
    "raise_",
    "resized",
    "rows_of_any_length",
    "run_try",
    "shown",
    "skipping",
    "truth",
    "written",
]


def described(value: Abstract) -> str:
    """Return a name for the kind of a value, for messages."""
    if isinstance(value, Iterator):
        return f"the iterator {value.name}"
    if isinstance(value, (InnerFunction, TypeMethod, Partially)):
        return "a function"
    if isinstance(value, Exceptional):
        return f"a {value.cls.__name__}"
    return "this value"


def adds_to_set(s: Specializer, each: core.Operation, scope: Activation) -> bool:
    """Return whether an operation adds to a set that is made at run time."""
    first = each.operands[0]
    if s.env is None or not isinstance(first, core.Local):
        return False
    held = s.env.get((scope.home(first.name).path, first.name))
    owner = held.positional[0] if isinstance(held, Partially) and held.positional else held
    return owner is not None and class_of(owner) in library.LOCAL_SETS


def operation(s: Specializer, each: core.Operation, scope: Activation, statement: core.Assign) -> Abstract:
    """Return the value of an operation of open core."""
    going_on = containers.goes_on(s, each, scope, statement)
    if going_on is not None:
        return going_on
    operands = []
    for atom in each.operands:
        operands.append(s.value(atom, scope))
        if s.env is None:
            return NEVER
    rule = OPERATIONS.get(each.name)
    if rule is None:
        raise s.refuse(f"{each.name} is not compiled")
    if any(isinstance(value, Runtime) and value.kind == BOTTOM for value in operands):
        return NEVER
    if any(map(is_unwritten, operands)) and each.name not in ("text", "format", "call"):
        raise s.refuse(UNWRITTEN)
    if each.name not in LOOKED_INTO:
        return rule(s, each.detail, operands, scope)
    stored = operands[len(operands) - each.name.startswith("put_") :]
    looked_into = operands[: len(operands) - len(stored)]
    if each.name in ("is_sequence", "is_mapping") and arithmetic.is_choice(operands[0]):
        return s.ask_type(operands[0], lambda given: rule(s, each.detail, [given], scope))
    if each.name in ("item", "part", "unpack") and arithmetic.is_choice(operands[0]):
        looked_into[0] = s.of_wanted_types(operands[0], containers.is_plain_tuple) or operands[0]
    return arithmetic.of_each_type(s, looked_into, lambda given: rule(s, each.detail, [*given, *stored], scope))


LOOKED_INTO = frozenset(
    ("item", "part", "slice", "put_item", "put_part", "delete_item", "length", "unpack", "is_sequence", "is_mapping",
     "unary", "format")
)  # fmt: skip
"""Operations that act differently for each type that an operand may have."""


# Truth ----------------------------------------------------------------------------------------------------------------


def truth(s: Specializer, value: Abstract) -> "Runtime | bool":
    """Return whether a value is true."""
    if is_array(value):
        return arrays.truth(s, value)
    if isinstance(value, Fixed):
        return bool(value.value)
    if isinstance(value, Parts):
        own = special(s, value, "__bool__") or special(s, value, "__len__")
        return (
            truth(s, s.call_python(own, [value], {}))
            if own
            else (value.cls is not None and is_record(value.cls)) or bool(value.items)
        )
    if not isinstance(value, Runtime):
        if is_unwritten(value):
            raise s.refuse(UNWRITTEN)
        if isinstance(value, Iterator) and value.length is not None:
            return truth(s, value.length())
        return True
    kind = value.kind
    if kind in (BOTTOM, BOOL):
        return value
    if kind == NONE:
        return False
    if kind == LETTER:
        return True
    if kind == INT or isinstance(kind, Narrow):
        return s.emit("ne", value, number(0), kind=BOOL)
    if kind == FLOAT:
        return s.emit("ne", value, number(0.0, FLOAT), kind=BOOL)
    if isinstance(kind, BitsOf):
        return s.emit("ne", value, number(Bits(width=kind.width), kind), kind=BOOL)
    if isinstance(kind, OneOf):
        return truth(s, s.either_type(value, lambda each: arithmetic.as_value(truth(s, each))))
    if kind == NUMBER:
        return truth(s, s.either_number(value, lambda each: arithmetic.as_value(truth(s, each))))
    if kind == ATOM:
        none = s.emit("ne", value, number(None, ATOM), kind=BOOL)
        empty = s.emit("ne", value, number("", ATOM), kind=BOOL)
        return s.emit("and", none, empty, kind=BOOL)
    if isinstance(kind, Optional):
        inside = s.if_some(value, lambda held: arithmetic.as_value(truth(s, held)), lambda: Fixed(False))
        return inside.value if isinstance(inside, Fixed) else s.runtime(inside)
    if isinstance(kind, List):
        return s.emit("ne", s.emit("length", value, kind=INT), number(0), kind=BOOL)
    own = special(s, value, "__bool__") or special(s, value, "__len__")
    if own is not None:
        return truth(s, s.call_python(own, [value], {}))
    if isinstance(kind, Tuple):
        return bool(kind.items)
    if isinstance(kind, EnumOf) and issubclass(kind.cls, int):
        return truth(s, s.emit("convert", value, kind=INT))
    return True


def class_of(value: Abstract) -> type | None:
    """Return the class of an instance of a named tuple, a frozen class or a class of mutable objects."""
    if isinstance(value, Parts):
        return None if value.cls is str else value.cls
    if isinstance(value, Unfinished):
        return value.cls
    if isinstance(value, Runtime) and isinstance(value.kind, (RecordOf, ObjectOf, EnumOf)):
        return value.kind.cls
    if isinstance(value, Runtime) and isinstance(value.kind, Tuple) and value.kind.cls is not str:
        return value.kind.cls
    return None


def special(s: Specializer, value: Abstract, name: str) -> pytypes.FunctionType | None:
    """Return the method `name`, such as `__add__`, that an author wrote for the class of a value; None if there is
    none.
    """
    cls = class_of(value)
    if cls is None and isinstance(value, Fixed):
        cls = type(value.value)
    if cls is None or cls is Bits or is_frozen(cls):
        return None
    method = inspect.getattr_static(cls, name, NOTHING)
    if method is None and name not in ("__iter__", "__hash__"):
        raise s.refuse(f"{cls.__name__} sets {name} to None, which is not compiled")
    if isinstance(method, pytypes.FunctionType) and not is_generated(method):
        return method
    return None


PLAIN = (bool, float, int, list, str, tuple, type(None))
"""Classes whose operations are all known to the rules."""


BUILT_IN = (pytypes.MethodDescriptorType, pytypes.WrapperDescriptorType)
"""The classes of the methods that Python's own classes have."""


def python_class(value: Abstract) -> type | None:
    """Return the class that a value has in Python; None if it is not known."""
    if isinstance(value, Fixed):
        return type(value.value)
    if isinstance(value, Parts):
        return value.cls or tuple
    kind = value.kind if isinstance(value, Runtime) else None
    if isinstance(kind, Optional):
        kind = kind.item
    if isinstance(kind, BitsOf):
        return Bits
    own = value.cls if isinstance(value, Unfinished) else types.class_of(kind)
    if own is None and isinstance(kind, Tuple):
        own = tuple
    if own is not None:
        return None if is_frozen(own) else library.AS_PYTHON.get(own, own)
    plain: dict[object, type] = {INT: int, BOOL: bool, FLOAT: float, NONE: type(None), ATOM: str, LETTER: str}
    return plain.get(kind)


def may_have(s: Specializer, values: Sequence[Abstract], methods: tuple[str, ...]) -> str | None:
    """Return a name for the first value whose class may have a method that the rules do not know; None if there is
    none.

    In a program with arrays of NumPy, a number may be a NumPy number.
    """
    for each in values:
        cls = python_class(each)
        if cls is None:
            return described(each)
        if s.has_arrays and cls in (bool, float, int) and not isinstance(each, Fixed):
            return "a number in a program with arrays of NumPy"
        is_own = class_of(each) not in library.AS_PYTHON
        plain = PLAIN if is_own and (issubclass(cls, (int, tuple)) or cls in PLAIN) else ()
        homes = [next((home for home in cls.__mro__ if name in vars(home)), object) for name in methods]
        methods_of = [(home, vars(home).get(name)) for home, name in zip(homes, methods, strict=True)]
        if any(method is not None and home is not object and home not in plain for home, method in methods_of):
            return f"an instance of {cls.__name__}"
    return None


def is_generated(function: Callable[..., object]) -> bool:
    """Return whether attrs or dataclasses wrote a method, so that its effect is known."""
    file: str = function.__code__.co_filename
    return file.startswith("<attrs generated") or file == "<string>"


# Attributes -----------------------------------------------------------------------------------------------------------


def _has_field(cls: type | None, name: str) -> bool:
    """Return whether a class is a named tuple with a field of that name."""
    return cls is not None and hasattr(cls, "_fields") and name in cls._fields


def attribute_of(s: Specializer, owner: Abstract, name: str) -> Abstract:
    """Return an attribute: a field, a constant of a class, a property's value, or a method."""
    owner = containers.plain(s, owner, AttributeError)
    if arithmetic.is_choice(owner):
        only = s.only_type(owner, lambda each: isinstance(each, Tuple) and _has_field(each.cls, name))
        if only is not None:
            return attribute_of(s, only, name)
        return TypeMethod(owner, name)
    if is_array(owner):
        return arrays.attribute(s, owner, name)
    if isinstance(owner, Fixed):
        return _attribute_of_fixed(s, owner.value, name)
    if isinstance(owner, Parent):
        for each in _after(owner):
            if name in vars(each):
                return _member(s, owner.receiver, each, vars(each)[name], name)
        raise s.refuse(f"super() has no attribute {name}")
    if isinstance(owner, Unfinished):
        held = (s.env or {}).get((owner.site, f"%field.{name}"))
        if held is not None:
            if s.reads is not None:
                s.reads.origins.append(frozenset((("object", owner.site),)))
            return s.value_of(held)
    cls = class_of(owner)
    if cls is not None:
        if name == "__class__":
            return Fixed(library.AS_PYTHON.get(cls, cls))
        if special(s, owner, "__getattribute__") is not None:
            raise s.refuse(f"{cls.__name__} has a __getattribute__ of its own, which is not compiled")
        if isinstance(owner, Runtime) and isinstance(owner.kind, ObjectOf):
            if name in owner.kind.fields:
                index = owner.kind.fields.index(name)
                return s.emit("field", owner, kind=owner.kind.items[index], detail=index)
        elif isinstance(owner, Unfinished):
            pass
        elif not isinstance(owner, Runtime) or not isinstance(owner.kind, EnumOf):
            names = field_names(cls)
            if name in names:
                return containers.part(s, owner, names.index(name))
            if name == "_replace":
                return TypeMethod(owner, name)
        else:
            attribute = containers.of_member(s, owner, name)
            if attribute is not None:
                return attribute
        missing = object()
        attribute = inspect.getattr_static(cls, name, missing)
        if attribute is not missing:
            return _member(s, owner, cls, attribute, name)
        own = special(s, owner, "__getattr__")
        if own is not None:
            return s.call_python(own, [owner, Fixed(name)], {})
    if isinstance(owner, Runtime) and isinstance(owner.kind, BitsOf):
        if name == "word":
            return s.emit("word", owner, kind=INT)
        if name == "width":
            return Fixed(owner.kind.width)
    if isinstance(owner, Exceptional):
        raise s.refuse(f"the attribute {name} of an exception is not compiled")
    cls = python_class(owner)
    if cls is not None and not hasattr(cls, name) and not (s.has_arrays and cls in (bool, float, int)):
        return s.fails(AttributeError)
    return TypeMethod(owner, name)


def _after(parent: Parent) -> list[type]:
    own = parent.receiver.value if isinstance(parent.receiver, Fixed) else None
    cls = (
        (own if isinstance(own, type) else type(own))
        if isinstance(parent.receiver, Fixed)
        else class_of(parent.receiver)
    )
    order = cls.__mro__ if cls else ()
    return list(order[order.index(parent.cls) + 1 :])


def _member(s: Specializer, owner: Abstract, cls: type, member: object, name: str) -> Abstract:
    """Return the attribute that an instance inherits from its class."""
    if isinstance(member, functools._lru_cache_wrapper):
        member = member.__wrapped__
    if isinstance(member, property):
        return s.call_python(member.fget, [owner], {}) if member.fget else s.fails(AttributeError)
    if isinstance(member, functools.cached_property):
        if isinstance(owner, Fixed):
            return folded(s, owner.value, name)
        return s.call_python(member.func, [owner], {})
    if isinstance(member, staticmethod):
        return Fixed(member.__func__)
    if isinstance(member, classmethod):
        return Fixed(member.__get__(None, cls))
    if isinstance(member, pytypes.FunctionType):
        if isinstance(owner, Fixed):
            return Fixed(pytypes.MethodType(member, owner.value))
        return Partially(Fixed(member), (owner,), {})
    if isinstance(member, BUILT_IN) and isinstance(owner, (Runtime, Parts)):
        return TypeMethod(owner, name)
    if hasattr(type(member), "__get__") and not isinstance(owner, Fixed):
        raise s.refuse(f"{name} of {cls.__name__} is a descriptor, which is not compiled")
    return Fixed(member)


def _attribute_of_fixed(s: Specializer, thing: object, name: str) -> Abstract:
    if name in variables_of(thing) and not isinstance(thing, type):
        number = s.objects.get(id(thing))
        if number is None:
            raise s.refuse(f"{type(thing).__name__} has attributes that change, but is not known to the program")
        kind = s.program_fact(("variable", number, name))
        return s.emit("variable", kind=kind, detail=(number, name))
    if isinstance(thing, enum.Enum) and name in ("value", "name"):
        return Fixed(getattr(thing, name))
    if not isinstance(thing, (type, pytypes.ModuleType)):
        member = inspect.getattr_static(type(thing), name, None)
        own = own_attributes(thing)
        if isinstance(member, property) and not isinstance(member.fget, functools.partial):
            if isinstance(member.fget, pytypes.FunctionType):
                return s.call_python(member.fget, [Fixed(thing)], {})
        if type(thing) in (list, dict, set) and member is not None:
            return TypeMethod(Fixed(thing), name)
        if name not in own and isinstance(member, pytypes.FunctionType):
            return Fixed(pytypes.MethodType(member, thing))
    return folded(s, thing, name)


def folded(s: Specializer, thing: object, name: str) -> Abstract:
    """Return an attribute of a known object as a constant."""
    try:
        value = getattr(thing, name)
    except AttributeError:
        return s.fails(AttributeError)
    except Exception as error:
        raise s.refuse(f"{name} of {type(thing).__name__} raises {type(error).__name__}") from None
    s.lasting(name, value)
    s.alive.append(thing)
    return arrays.fixed(s, value)


def put_attribute_of(s: Specializer, owner: Abstract, name: str, value: Abstract) -> Abstract:
    """Write `owner.name = value`."""
    if isinstance(owner, Fixed) and name in variables_of(owner.value):
        number = s.objects.get(id(owner.value))
        if number is None:
            raise s.refuse(f"{type(owner.value).__name__} has attributes that change, but is not known to the program")
        learned = s.program_fact(("variable", number, name))
        wider = s.join(learned, s.kind_of(value))
        if wider != learned:
            s.learn_of_program(("variable", number, name), wider)
        s.do("put_variable", s.convert(value, wider), detail=(number, name))
        return NOTHING
    cls = class_of(owner)
    if isinstance(owner, (Unfinished, Runtime)) and cls is not None:
        if special(s, owner, "__setattr__") is not None and not is_record(cls):
            raise s.refuse(f"{cls.__name__} has a __setattr__ of its own, which is not compiled")
        member = inspect.getattr_static(cls, name, None)
        if isinstance(member, property):
            return s.fails(AttributeError) if member.fset is None else s.call_python(member.fset, [owner, value], {})
        if hasattr(type(member), "__set__") and not isinstance(member, pytypes.MemberDescriptorType):
            raise s.refuse(f"{name} of {cls.__name__} is a descriptor, which is not compiled")
    if isinstance(owner, Unfinished):
        s.effects.append(frozenset((("object", owner.site),)))
        if s.env is not None:
            s.env[owner.site, f"%field.{name}"] = value
        return NOTHING
    if isinstance(owner, Runtime) and isinstance(owner.kind, ObjectOf):
        return containers.put_field(s, owner, name, value)
    if cls is not None:
        raise s.refuse(f"{cls.__name__} is a frozen class: {name} of an instance cannot be changed")
    raise s.refuse(f"changing the attribute {name} is not compiled; rules must not change the game")


# The table ------------------------------------------------------------------------------------------------------------


def _binary(s: Specializer, sign: str, operands: list[Abstract], scope: Activation) -> Abstract:
    if any(map(is_array, operands)):
        return arrays.elementwise(s, sign, *operands)
    return arithmetic.binary(s, sign, *operands)


def _inplace(s: Specializer, sign: str, operands: list[Abstract], scope: Activation) -> Abstract:
    if is_array(operands[0]):
        return arrays.inplace(s, sign, *operands)
    if is_array(operands[1]) and not isinstance(arithmetic.kind_or_none(s, operands[0]), List):
        return arrays.elementwise(s, sign, *operands)
    return containers.inplace(s, sign, *operands)


def _unary(s: Specializer, sign: str, operands: list[Abstract], scope: Activation) -> Abstract:
    if sign != "not" and is_array(operands[0]):
        return arrays.unary(s, sign, operands[0])
    return arithmetic.unary(s, sign, operands[0])


def _compare(s: Specializer, sign: str, operands: list[Abstract], scope: Activation) -> Abstract:
    if sign in arrays.COMPARISONS and any(map(is_array, operands)):
        if not any(isinstance(each, Fixed) and each.value is None for each in operands):
            return arrays.elementwise(s, sign, *operands)
    return arithmetic.as_value(arithmetic.compare(s, sign, *operands))


def _import(s: Specializer, detail: tuple[str, str | None], operands: list[Abstract], scope: Activation) -> Abstract:
    module = importlib.import_module(detail[0])
    return Fixed(module if detail[1] is None else getattr(module, detail[1]))


def _list(s: Specializer, detail: str | None, operands: list[Abstract], scope: Activation) -> Abstract:
    if detail is None:
        return containers.list_display(s, operands)
    return Display(tuple(operands), ("list", s.below("list")), detail == "tuple")


def _match_class(
    s: Specializer, detail: tuple[int, tuple[str, ...]], operands: list[Abstract], scope: Activation
) -> Abstract:
    """Return the attributes that a class pattern reads; None if the subject is not an instance of the class."""
    subject, cls = operands
    count, names = detail
    is_one = truth(s, callables.HANDLERS[isinstance](s, subject, cls))

    def parts() -> Abstract:
        held = containers.plain(s, subject)
        positional = [_positional(s, index, held, cls) for index in range(count)]
        return Parts((*positional, *[attribute_of(s, held, name) for name in names]))

    if isinstance(is_one, bool):
        return parts() if is_one else NOTHING
    return s.either(is_one, parts, lambda: NOTHING)


def _match_keys(s: Specializer, detail: object, operands: list[Abstract], scope: Activation) -> Abstract:
    subject, *keys = operands
    if isinstance(subject, Fixed) and all(isinstance(each, Fixed) for each in keys):
        dictionary = subject.value
        if all(each.value in dictionary for each in keys):  # type: ignore[union-attr]
            return Parts(tuple(Fixed(dictionary[each.value]) for each in keys))  # type: ignore[union-attr]
        return NOTHING
    raise s.refuse("matching a dictionary that is made at run time is not compiled")


def _positional(s: Specializer, index: int, subject: Abstract, cls: Abstract) -> Abstract:
    assert isinstance(cls, Fixed)
    if cls.value in (int, str, float, bool, tuple, list, dict, set, frozenset, bytes):
        return subject
    return attribute_of(s, subject, cls.value.__match_args__[index])


OperationRule = Callable[[Specializer, Any, list[Abstract], Activation], Abstract]
OPERATIONS: dict[str, OperationRule] = {
    "binary": _binary,
    "inplace": _inplace,
    "unary": _unary,
    "compare": _compare,
    "attribute": lambda s, name, operands, scope: attribute_of(s, operands[0], name),
    "put_attribute": lambda s, name, operands, scope: put_attribute_of(s, operands[0], name, operands[1]),
    "item": lambda s, detail, operands, scope: containers.item(s, *operands),
    "part": lambda s, detail, operands, scope: containers.slice_of(s, *operands),
    "put_item": lambda s, detail, operands, scope: containers.put_item(s, *operands),
    "put_part": lambda s, detail, operands, scope: containers.put_part(s, *operands),
    "delete_item": lambda s, detail, operands, scope: containers.delete_item(s, *operands),
    "delete_part": lambda s, detail, operands, scope: containers.delete_part(s, *operands),
    "append": lambda s, detail, operands, scope: containers.append(s, *operands),
    "extend": lambda s, detail, operands, scope: containers.extend(s, *operands),
    "update": lambda s, detail, operands, scope: callables.call_method(s, operands[0], "update", operands[1:], {}),
    "add": lambda s, detail, operands, scope: containers.add_to_set(s, *operands),
    "length": lambda s, detail, operands, scope: containers.length_of(s, operands[0]),
    "match_class": _match_class,
    "class": local_classes.class_operation,
    "decorate": local_classes.decorate_operation,
    "match_keys": _match_keys,
    "slice": lambda s, detail, operands, scope: containers.slice_key(operands),
    "iterator": lambda s, detail, operands, scope: operands[0],
    "call": callables.call_operation,
    "tuple": lambda s, detail, operands, scope: containers.together(operands),
    "list": _list,
    "set": lambda s, detail, operands, scope: containers.set_display(s, operands),
    "dict": lambda s, detail, operands, scope: (
        callables.copied_mapping(s, operands[0]) if detail == "**" else containers.dict_display(s, operands)
    ),
    "join": lambda s, detail, operands, scope: containers.joined(s, detail, operands[0]),
    "unpack": lambda s, detail, operands, scope: containers.unpack(s, detail, operands[0]),
    "text": lambda s, detail, operands, scope: containers.text(s, operands),
    "format": lambda s, detail, operands, scope: containers.formatted(s, detail, *operands),
    "import": _import,
    "is_sequence": lambda s, detail, operands, scope: Fixed(containers.is_sequence(operands[0])),
    "is_mapping": lambda s, detail, operands, scope: Fixed(
        isinstance(operands[0], Fixed) and isinstance(operands[0].value, dict)
    ),
}
