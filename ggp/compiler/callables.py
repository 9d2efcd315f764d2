"""Rules for calls of Python functions, methods and classes, and of what Python itself defines."""

import builtins
import collections
import copy
import dataclasses
import enum
import functools
import importlib
import inspect
import itertools
import math
import operator
import random
import re
import sys
import types as pytypes
import typing
from collections.abc import Callable, Iterable, Sequence

import attrs

from ggp import frozen_states
from ggp.bits import Bits
from ggp.capabilities import bound_object, module_name
from ggp.compiler import arithmetic, arrays, containers, core, intrinsics, iteration, letters, library, mutable_states
from ggp.compiler.abstract import (
    NEVER,
    NOTHING,
    UNSET,
    Abstract,
    Exceptional,
    Fixed,
    InnerFunction,
    Iterator,
    Keywords,
    Parent,
    Partially,
    Parts,
    Runtime,
    TypeMethod,
    Unfinished,
    Unset,
    is_array,
    is_unwritten,
    number,
    values_of,
)
from ggp.compiler.field_dicts import copied_fields, give_up, hashed
from ggp.compiler.front import open_core
from ggp.compiler.liveness import captured
from ggp.compiler.specialization import UNORDERED, UNWRITTEN, Activation, Reads, Specializer
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
    NotRepresentable,
    ObjectOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    array_class_of,
    bits_type,
    field_keys,
    field_names,
    in_atoms,
    is_record,
    size,
)

KeywordArguments = dict[str, Abstract]
MOST_PERMUTED = 4
"""Maximum number of items whose permutations are all written out."""


def call_operation(
    s: Specializer, details: Sequence[str | None], operands: list[Abstract], scope: Activation
) -> Abstract:
    """Return the result of a call in open core, some of whose arguments may be starred or named."""
    function, *arguments = operands
    if isinstance(function, Fixed) and function.value is super and len(arguments) == 2:
        cls, receiver = arguments
        return Parent(cls.value, receiver) if isinstance(cls, Fixed) else s.fails(TypeError)
    positional: list[Abstract] = []
    named: KeywordArguments = {}
    for detail, value in zip(details, arguments, strict=True):
        if detail is None:
            positional.append(value)
        elif detail == "*":
            items = containers.items_in_turn(s, value)
            if items is None:
                rows = containers.gathered(s, value, tuple)
                items = containers.fixed_items(s, rows)
            if items is None and isinstance(function, Fixed) and function.value is zip and len(arguments) == 1:
                return _columns(s, rows)
            if items is None:
                raise s.refuse("*arguments whose number is known only at run time are not compiled")
            positional.extend(items)
        elif detail == "**":
            if isinstance(value, Keywords):
                named.update(value.items)
                continue
            if not isinstance(value, Fixed) or not isinstance(value.value, dict):
                raise s.refuse("**arguments are compiled only if they are known when compiling")
            named.update({name: Fixed(each) for name, each in value.value.items()})
        else:
            named[detail] = value
    return call(s, function, positional, named)


def call(s: Specializer, function: Abstract, positional: list[Abstract], named: KeywordArguments) -> Abstract:
    """Return the result of calling a function with these arguments."""
    if s.env is None:
        return NEVER
    if isinstance(function, InnerFunction):
        return s.call_inner(function, positional, named)
    if isinstance(function, Partially):
        return call(s, function.function, [*function.positional, *positional], {**function.named, **named})
    if any(map(is_unwritten, [*positional, *named.values()])) and not _passes_on(function):
        raise s.refuse(UNWRITTEN)
    if isinstance(function, TypeMethod):
        return call_method(s, function.owner, function.name, positional, named)
    if isinstance(function, Fixed):
        return _call_fixed(s, function.value, positional, named)
    own = s.rules.special(s, function, "__call__")
    if own is not None:
        return s.call_python(own, [function, *positional], named)
    if isinstance(function, Runtime) and function.kind == BOTTOM:
        return NEVER
    return s.not_taken("a call", [function], "__call__")


def _passes_on(function: Abstract) -> bool:
    """Return whether a call only passes its arguments on, to an exception or to other compiled code."""
    callee = function.value if isinstance(function, Fixed) else None
    if isinstance(callee, type):
        return issubclass(callee, BaseException) or callee.__module__ != "builtins"
    inner = (pytypes.FunctionType, pytypes.MethodType, functools.partial, functools._lru_cache_wrapper)
    return not isinstance(function, (Fixed, TypeMethod)) or isinstance(callee, inner)


def _call_fixed(
    s: Specializer, function: Callable[..., object], positional: list[Abstract], named: KeywordArguments
) -> Abstract:
    try:
        handler = HANDLERS.get(function)
        instead = library.LIBRARY.get(function)
        sign = library.OPERATORS.get(function)
    except TypeError:  # not hashable
        handler = instead = sign = None
    handler = handler or arrays.handler(function)
    if (handler or instead) is not None and not _takes(function, positional, named):
        return s.fails(TypeError)
    if handler is not None:
        if function in COMPUTED and values_of([*positional, *named.values()]) is not None:
            return _computed(s, function, positional, named)
        if module_name(function) in ("builtins", "math") and function is not isinstance:
            return arithmetic.of_each_type(s, positional, lambda given: handler(s, *given, **named))
        return handler(s, *positional, **named)
    if arrays.is_scalar_class(function):
        return arrays.scalar(s, function, *positional, **named)
    if isinstance(bound_object(function), random.Random):
        raise s.refuse(f"{function.__name__} is not compiled: its result differs from call to call")
    if sign in arithmetic.ORDER:
        return arithmetic.as_value(arithmetic.compare(s, sign, *positional))
    if sign is not None:
        return arithmetic.binary(s, sign, *positional)
    if instead is library.enumerate_ and isinstance(start := [*positional, *named.values()][-1], Fixed):
        if len(positional) + len(named) == 2 and not isinstance(start.value, int):
            return s.not_taken("enumerate(...)", [start], "__index__")
    for index in OPENS.get(instead, ()):
        if index < len(positional):
            positional = [*positional[:index], iteration.opened(s, positional[index]), *positional[index + 1 :]]
    if instead is not None:
        return s.call_python(instead, positional, named)
    if isinstance(function, pytypes.FunctionType):
        return s.call_python(function, positional, named)
    if isinstance(function, pytypes.MethodType):
        receiver, inner = function.__self__, function.__func__
        if inner in library.LIBRARY:
            return s.call_python(library.LIBRARY[inner], [Fixed(receiver), *positional], named)
        own = inspect.getattr_static(type(receiver), function.__name__, None)
        contract = s.contracts.get((id(receiver), function.__name__)) if own is inner else None  # not by super()
        if isinstance(inner, pytypes.FunctionType):
            return s.call_python(inner, [Fixed(receiver), *positional], named, contract)
        return _call_fixed(s, inner, [Fixed(receiver), *positional], named)
    if isinstance(function, functools.partial):
        given = [Fixed(each) for each in function.args]
        words = {name: Fixed(each) for name, each in function.keywords.items()}
        return call(s, Fixed(function.func), [*given, *positional], {**words, **named})
    if isinstance(function, functools._lru_cache_wrapper):
        return call(s, Fixed(function.__wrapped__), positional, named)
    if isinstance(function, type):
        return made(s, function, positional, named)
    owner = bound_object(function)
    if (
        isinstance(function, pytypes.BuiltinFunctionType)
        and owner is not None
        and not isinstance(owner, pytypes.ModuleType)
    ):
        return call_method(s, Fixed(owner), function.__name__, positional, named)
    if isinstance(function, (pytypes.MethodDescriptorType, pytypes.WrapperDescriptorType)) and positional:
        return call_method(s, positional[0], function.__name__, positional[1:], named)
    if isinstance(function, pytypes.MethodWrapperType):
        return call_method(s, Fixed(function.__self__), function.__name__, positional, named)
    if isinstance(function, GETTERS):
        return _got(s, function, positional, named)
    own = inspect.getattr_static(type(function), "__call__", None)
    if isinstance(own, pytypes.FunctionType):
        return s.call_python(own, [Fixed(function), *positional], named)
    name = function.__qualname__ if hasattr(function, "__qualname__") else type(function).__name__
    module = (module_name(function) or "").lstrip("_")
    raise s.refuse(f"{f'{module}.' if module and module != 'builtins' else ''}{name}(...) is not compiled")


GETTERS = (operator.itemgetter, operator.attrgetter)
"""Classes of functions that get items or attributes."""


def _got(
    s: Specializer, function: Callable[..., object], positional: list[Abstract], named: KeywordArguments
) -> Abstract:
    """Return what a function of the `GETTERS` gets from its argument."""
    if len(positional) != 1 or named:
        return s.fails(TypeError)
    got = []
    for each in function.__reduce__()[1]:
        part = positional[0]
        if isinstance(function, operator.itemgetter):
            part = containers.item(s, part, Fixed(each))
        else:
            for name in each.split("."):
                part = s.rules.attribute_of(s, part, name)
        got.append(part)
    return got[0] if len(got) == 1 else containers.together(got)


OPENS: dict[object, tuple[int, ...]] = {
    library.enumerate_: (0,),
    library.cycle: (0,),
    library.accumulate: (0,),
    library.islice: (0,),
    library.pairwise: (0,),
    library.compress: (0, 1),
    library.filter_false: (1,),
    library.takewhile: (1,),
    library.dropwhile: (1,),
    library.starmap: (1,),
}
"""For generators of the library: the indices of the arguments on which Python calls `iter` at once, before the first
item is requested.
"""


def _takes(function: object, positional: list[Abstract], named: KeywordArguments) -> bool:
    """Return whether a function of Python itself takes these arguments, as far as its signature is known."""
    signature = _signature(function)
    try:
        return signature is None or bool(signature.bind(*positional, **named))
    except TypeError:
        return False


@functools.cache
def _signature(function: Callable[..., object]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (ValueError, TypeError):
        return None


# Methods of Python's own types ----------------------------------------------------------------------------------------


UNCHANGING = (str, bytes, int, float, complex, tuple, frozenset, range, type(None), re.Pattern)
"""Classes whose methods return the same result at each call. So these methods can be called while compiling."""
CHANGING = {
    "add", "discard", "remove", "clear", "update", "pop", "setdefault", "popitem", "difference_update",
    "intersection_update", "symmetric_difference_update",
}  # fmt: skip
"""Methods that change a set or a dictionary."""


def call_method(
    s: Specializer, owner: Abstract, name: str, positional: list[Abstract], named: KeywordArguments
) -> Abstract:
    """Return the result of calling a method of a number, a text, a sequence, a set of bits or a dictionary."""
    owner = containers.plain(s, owner, AttributeError)
    if arithmetic.is_choice(owner):
        return s.either_type(owner, lambda each: call(s, s.rules.attribute_of(s, each, name), positional, named))
    if arithmetic.is_mixed(owner):
        return s.either_number(owner, lambda each: call_method(s, each, name, positional, named))
    if is_array(owner):
        return arrays.method(s, owner, name, positional, named)
    if name in CHANGING and containers.will_change(s, owner):
        return NEVER
    if s.rules.class_of(owner) in library.AS_PYTHON:
        if field_keys(s.rules.class_of(owner)) and name in ("keys", "values", "items"):
            raise s.refuse(containers.WITHOUT_ORDER)
        if named and name != "update":
            raise s.refuse(WITHOUT_KEYWORDS.format(name))
        if hasattr(s.rules.class_of(owner), name):
            return call(s, s.rules.attribute_of(s, owner, name), positional, named)
        own = library.AS_PYTHON[s.rules.class_of(owner)]
        if hasattr(own, name):
            raise s.refuse(f"the method {name} of a {own.__name__} is not compiled")
        return s.fails(AttributeError)
    if isinstance(owner, Fixed) and not containers.is_mutable(owner.value) and not isinstance(owner.value, Bits):
        if all(isinstance(each, Fixed) for each in [*positional, *named.values()]):
            return _folded_method(s, owner.value, name, positional, named)
    if isinstance(owner, Fixed) and isinstance(owner.value, (set, frozenset)) and name not in CHANGING:
        made_now = containers.new_set(s, owner, containers.own_class(owner.value))
        return call_method(s, made_now, name, positional, named)
    if isinstance(owner, Fixed) and isinstance(owner.value, dict):
        if named:
            raise s.refuse(WITHOUT_KEYWORDS.format(name))
        return _of_dictionary(s, owner.value, name, positional)
    if isinstance(owner, Keywords):
        return _of_keywords(s, owner.items, name, positional)
    if isinstance(owner, Iterator) and owner.name == "bin" and name == "count":
        if [each.value for each in positional if isinstance(each, Fixed)] != ["1"]:
            raise s.refuse('only count("1") is compiled for the text of a binary number')
        return s.emit("bit_count", owner.detail, kind=INT)
    kind = arithmetic.kind_or_none(s, owner)
    if named and isinstance(kind, (List, Tuple)) and name in ("append", "count", "extend", "index", "insert", "pop"):
        raise s.refuse(WITHOUT_KEYWORDS.format(name))
    if name in WRITTEN_OUT and (isinstance(kind, (BitsOf, List, Tuple)) or letters.is_name(kind)):
        return WRITTEN_OUT[name](s, owner, *positional)
    if isinstance(kind, BitsOf):
        return _of_bits(s, s.runtime(owner), name, positional)
    if kind is not None and arithmetic.is_number(kind):
        return _of_number(s, owner, kind, name, positional)
    if name == "_replace":
        return evolved(s, owner, named)
    if name == "_asdict":
        raise s.refuse("_asdict is not compiled")
    if letters.is_text(s, owner):
        return letters.method(s, owner, name, positional, named)
    if isinstance(kind, (List, Tuple)):
        return _of_sequence(s, owner, name, positional, named)
    if isinstance(owner, Fixed):
        method = getattr(type(owner.value), name, None)
        if isinstance(method, pytypes.FunctionType):
            return s.call_python(method, [owner, *positional], named)
        raise s.refuse(f"{type(owner.value).__name__}.{name}(...) is not compiled")
    if kind is None:
        raise s.refuse(f"the method {name} of {s.rules.described(owner)} is not compiled")
    if kind == BOTTOM:
        return NEVER
    return s.fails(AttributeError)


def _folded_method(
    s: Specializer, owner: object, name: str, positional: list[Abstract], named: KeywordArguments
) -> Abstract:
    if not hasattr(owner, name):
        return s.fails(AttributeError)
    method = getattr(owner, name)
    if isinstance(method, pytypes.MethodType):
        return _call_fixed(s, method, positional, named)
    is_type = isinstance(owner, type) and owner.__module__ == "builtins"
    if not is_type and not isinstance(owner, UNCHANGING):
        cls = owner if isinstance(owner, type) else type(owner)
        raise s.refuse(f"{cls.__name__}.{name}(...) is not compiled")
    return _computed(s, method, positional, named)


def _computed(
    s: Specializer, function: Callable[..., object], positional: list[Abstract], named: KeywordArguments
) -> Abstract:
    """Return the result of a function for known arguments, which is computed while compiling. An iterator becomes a
    tuple.
    """
    words = {key: each.value for key, each in named.items() if isinstance(each, Fixed)}
    result = s.computed(function, *(values_of(positional) or ()), **words)
    if not isinstance(result, Fixed):
        return result
    cls = type(result.value)
    runs = cls.__name__.endswith("iterator") or cls.__module__ == "itertools"
    return Fixed(tuple(result.value)) if runs else result


WITHOUT_KEYWORDS = "the method {} of a list, dictionary or set is compiled only without keywords"
WRITTEN_OUT: dict[str, Callable[..., Abstract]] = {
    "__getitem__": containers.item,
    "__len__": containers.length_of,
    "__contains__": lambda s, owner, value: arithmetic.as_value(containers.contains(s, value, owner)),
}
"""Special methods of sequences and sets that are called by their names."""


def _of_dictionary(s: Specializer, dictionary: dict[object, object], name: str, positional: list[Abstract]) -> Abstract:
    if name in ("keys", "values", "items") and not positional:
        return Fixed(tuple(getattr(dictionary, name)()))
    if name == "get":
        default = positional[1] if len(positional) > 1 else NOTHING
        if isinstance(positional[0], Fixed):
            key = positional[0].value
            return Fixed(dictionary[key]) if key in dictionary else default
        return containers.looked_up(s, dictionary, positional[0], default)
    raise s.refuse(f"a dictionary of the game or of a module is changed by {name}, which is not compiled")


def _of_keywords(s: Specializer, items: dict[str, Abstract], name: str, positional: list[Abstract]) -> Abstract:
    if name == "keys" and not positional:
        return Fixed(tuple(items))
    if name == "values" and not positional:
        return containers.together(list(items.values()))
    if name == "items" and not positional:
        return containers.together([containers.together([Fixed(key), value]) for key, value in items.items()])
    if name == "get" and positional and isinstance(positional[0], Fixed):
        default = positional[1] if len(positional) > 1 else NOTHING
        return items.get(positional[0].value, default)
    raise s.refuse(f"the method {name} of named arguments is not compiled")


def _of_bits(s: Specializer, owner: Runtime, name: str, positional: list[Abstract]) -> Abstract:
    if name == "lowest":
        return s.emit("lowest", owner, kind=INT)
    if name in ("including", "excluding"):
        return s.call_python(getattr(library, name), [owner, *positional], {})
    if name == "__iter__":
        return s.call_python(library.cells, [owner], {})
    if hasattr(Bits, name):
        raise s.refuse(f"the method {name} of Bits is not compiled")
    return s.fails(AttributeError)


def _of_number(s: Specializer, owner: Abstract, kind: object, name: str, positional: list[Abstract]) -> Abstract:
    if name in ("bit_count", "bit_length") and kind != FLOAT:
        return s.emit(name, arithmetic.whole(s, owner), kind=INT)
    if name == "is_integer" and kind == FLOAT:
        value = s.runtime(owner)
        return s.emit("eq", value, s.emit("floor", value, kind=FLOAT), kind=BOOL)
    if name in ("conjugate", "__int__", "__index__"):
        return owner
    sign = {f"__{word}__": sign for sign, word in arithmetic.METHODS.items()}.get(name)
    if sign is not None and positional:
        return arithmetic.binary(s, sign, owner, positional[0])
    if hasattr(int, name) or hasattr(float, name) or s.has_arrays:
        raise s.refuse(f"the method {name} of a number is not compiled")
    return s.fails(AttributeError)


def _of_sequence(
    s: Specializer, owner: Abstract, name: str, positional: list[Abstract], named: KeywordArguments
) -> Abstract:
    kind = s.kind_of(owner)
    if name == "append":
        return containers.append(s, owner, positional[0])
    if name == "extend":
        return containers.extend(s, owner, positional[0])
    if name == "sort":
        items = containers.changed(s, owner)
        ordered = _sorted(s, items, **named)
        s.call_python(library.sort_in_place, [items, ordered], {})
        return NOTHING
    if name in ("index", "count"):
        return s.call_python(library.METHODS[name], [owner, *positional], {})
    if name == "insert":
        items = containers.resized(s, owner)
        containers.item_for(s, items, positional[1])
        return s.call_python(library.list_insert, [items, *positional], {})
    if name == "copy" and isinstance(kind, List):
        return containers.gathered(s, owner)
    if name in library.METHODS and isinstance(kind, List) and kind.cls is list:
        return s.call_python(library.METHODS[name], [containers.resized(s, owner), *positional], {})
    if hasattr(list, name) or hasattr(tuple, name):
        raise s.refuse(f"the method {name} of a {kind} is not compiled")
    return s.fails(AttributeError)


# Classes --------------------------------------------------------------------------------------------------------------


def made(s: Specializer, cls: type, positional: list[Abstract], named: KeywordArguments) -> Abstract:
    """Return a new instance of a class."""
    if issubclass(cls, BaseException):
        return new_exception(s, cls, positional, named)
    if cls is collections.defaultdict:
        return _default_dict(s, positional, named)
    if typing.is_typeddict(cls):
        return call(s, Fixed(dict), positional, named)
    cls = library.AS_LOCAL.get(cls, cls)
    if issubclass(cls, enum.Enum):
        return _member(s, cls, positional[0])
    if (cls is Bits or cls in GETTERS or _is_value(cls)) and values_of([*positional, *named.values()]) is not None:
        return _computed(s, cls, positional, named)
    if cls is Bits:
        return _bits(s, **_bound(s, cls, inspect.signature(Bits), positional, named))
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        given = _bound(s, cls, inspect.signature(cls.__new__), [Fixed(cls), *positional], named)
        return Parts(tuple(given[name] for name in cls._fields), cls)
    frozen: type = cls
    if is_record(frozen):
        return _record(s, cls, positional, named)
    if (attrs.has(frozen) or dataclasses.is_dataclass(cls)) and s.rules.is_generated(cls.__init__):
        if hooks := _hooks(cls):
            raise s.refuse(f"{cls.__name__} cannot be compiled, since creating it runs its {', '.join(hooks)}")
        return _data_object(s, cls, positional, named)
    if (
        isinstance(inspect.getattr_static(cls, "__init__", None), pytypes.FunctionType)
        and cls.__new__ is object.__new__
    ):
        return _object(s, cls, positional, named)
    is_plain = cls.__init__ is object.__init__ and cls.__new__ is object.__new__ and cls.__module__ != "builtins"
    if is_plain and not positional and not named:
        return containers.new_object(s, cls, {})
    if cls.__module__.partition(".")[0] in sys.stdlib_module_names:
        raise s.refuse(
            f"{cls.__module__}.{cls.__name__}(...) is not compiled;"
            " use whole numbers, floats, texts, tuples or frozen classes"
        )
    raise s.refuse(
        f"{cls.__name__}(...) makes an object that can change; make it a tuple, a named tuple or a frozen class"
    )


NEEDS_ARGUMENTS = (UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError, BaseExceptionGroup)
"""Exception classes of Python whose instances can only be made with certain arguments."""
LOOKS_AT_ARGUMENTS = (OSError, SyntaxError)
"""Exceptions of Python whose class, or whose creation, depends on several arguments."""


def new_exception(s: Specializer, cls: type, positional: list[Abstract], named: KeywordArguments) -> Abstract:
    """Return a new exception.

    The arguments of the exception are lost, so arguments that could change its class are refused.
    """
    own = inspect.getattr_static(cls, "__init__")
    if isinstance(own, pytypes.FunctionType):
        try:
            inspect.signature(own).bind(None, *positional, **named)
        except TypeError:
            return s.fails(TypeError)
        if any(isinstance(each, core.Raise) for each in core.statements_in(open_core(own).body)):
            raise s.refuse(f"{cls.__name__}(...) is not compiled, since its __init__ may raise another exception")
    elif issubclass(cls, NEEDS_ARGUMENTS) or (issubclass(cls, LOOKS_AT_ARGUMENTS) and len(positional) > 1):
        raise s.refuse(f"{cls.__name__}(...) is not compiled, since its arguments may change its class")
    elif named and not issubclass(cls, (ImportError, AttributeError, NameError)):
        return s.fails(TypeError)
    return Exceptional(cls)


def _default_dict(s: Specializer, positional: list[Abstract], named: KeywordArguments) -> Abstract:
    """Return a new `defaultdict`."""
    factory = positional[0] if positional else NOTHING
    if not isinstance(factory, Fixed):
        raise s.refuse("defaultdict(...) of an inner function is not compiled: use one of the module, or int")
    if factory.value is None or len(positional) > 2:
        raise s.refuse(
            "defaultdict(...) is compiled only if its first argument is a function for missing values, such as int"
        )
    dictionary = made(s, library.default_dict(factory.value), [], {})
    if len(positional) == 2:
        call_method(s, dictionary, "update", [positional[1]], {})
    for name, value in named.items():
        containers.put_item(s, dictionary, Fixed(name), value)
    return dictionary


def _object(s: Specializer, cls: type, positional: list[Abstract], named: KeywordArguments) -> Abstract:
    """Return a new mutable object: its `__init__` is inlined here, and sets the fields of the object."""
    site = s.below(("object", cls.__qualname__))
    outer, s.path = s.path, site
    given = Unfinished(cls, site)
    s.call_python(inspect.getattr_static(cls, "__init__"), [given, *positional], named)
    s.path = outer
    if s.env is None:
        return NEVER
    names = [key[1].removeprefix("%field.") for key in s.env if key[0] == site and key[1].startswith("%field.")]
    return containers.new_object(s, cls, {name: s.value_of(s.env.pop((site, f"%field.{name}"))) for name in names})


@attrs.frozen
class _InitField:
    """A field of a class with an `__init__` that dataclasses or attrs wrote."""

    name: str
    parameter: str
    """Its parameter of `__init__`."""
    factory: Callable[..., object] | None
    """The function that makes the field's default value; None if there is none."""
    takes_self: bool = False
    """Whether the factory takes the new instance."""


def _init_fields(cls: type) -> list[_InitField]:
    if not attrs.has(cls):
        return [
            _InitField(
                each.name, each.name, None if each.default_factory is dataclasses.MISSING else each.default_factory
            )
            for each in dataclasses.fields(cls)
        ]
    fields = []
    for each in attrs.fields(cls):
        default = each.default
        made = type(default) is attrs.Factory
        factory, takes_self = (default.factory, default.takes_self) if made else (None, False)
        fields.append(_InitField(each.name, each.alias or each.name, factory, takes_self))
    return fields


def _data_object(s: Specializer, cls: type, positional: list[Abstract], named: KeywordArguments) -> Abstract:
    """Return a new instance of a class with fields that may change, and an `__init__` by dataclasses or attrs."""
    own: object = cls.__setattr__
    if own is not object.__setattr__:  # validators or converters run
        raise s.refuse(f"{cls.__name__} cannot be compiled, since it runs code when a field is changed")

    def made_by(field: _InitField) -> Abstract | None:
        if field.factory is None or field.takes_self:
            return None
        with s.inside(("field", field.name)):
            return call(s, Fixed(field.factory), [], {})

    fields = _given_fields(s, cls, positional, named, made_by)
    return containers.new_object(s, cls, fields) if s.env is not None else NEVER


def _given_fields(
    s: Specializer,
    cls: type,
    positional: list[Abstract],
    named: KeywordArguments,
    made_by: Callable[[_InitField], Abstract | None],
) -> KeywordArguments:
    """Return the fields of a new instance; the last argument makes the fields that are not given."""
    given = _bound(s, cls, inspect.signature(cls), positional, named)
    fields: KeywordArguments = {}
    for field in _init_fields(cls):
        value = given.get(field.parameter)
        if value is None or (isinstance(value, Fixed) and type(value.value).__name__ in FACTORIES):
            value = made_by(field)
        if value is None:
            raise s.refuse(f"{cls.__name__}(...) needs a value for its field {field.name}")
        fields[field.name] = value
    return fields


def _is_data_class(cls: type) -> bool:
    """Return whether the class has an `__init__` that dataclasses wrote, and that takes all fields."""
    if not dataclasses.is_dataclass(cls) or _hooks(cls):
        return False
    replace = cls.__replace__ if hasattr(cls, "__replace__") else None
    if replace is not vars(dataclasses).get("_replace"):  # CPython's own from 3.13 on
        return False
    generated = inspect.getattr_static(cls, "__init__", None)
    is_generated = isinstance(generated, pytypes.FunctionType) and generated.__code__.co_filename == "<string>"
    return is_generated and all(each.init for each in dataclasses.fields(cls))


def _is_value(cls: type) -> bool:
    """Return whether instances of a class are values that the compiler may make while compiling."""
    return (issubclass(cls, tuple) and hasattr(cls, "_fields")) or (is_record(cls) and not _hooks(cls))


def _hooks(cls: type) -> list[str]:
    hooks = [
        name
        for name in ("__attrs_post_init__", "__attrs_pre_init__", "__post_init__", "__new__")
        if getattr(cls, name, None) not in (None, object.__new__)
    ]
    if attrs.has(cls):
        hooks += ["converter" for each in attrs.fields(cls) if each.converter is not None]
        hooks += ["validator" for each in attrs.fields(cls) if each.validator is not None]
        if not _generated_init(cls):
            hooks.append("__init__")
    return hooks


def _generated_init(cls: type) -> bool:
    init = inspect.getattr_static(cls, "__init__", None)
    return isinstance(init, pytypes.FunctionType) and init.__code__.co_filename.startswith("<attrs")


def _bound(
    s: Specializer, cls: type, signature: inspect.Signature, positional: list[Abstract], named: KeywordArguments
) -> KeywordArguments:
    try:
        bound = signature.bind(*positional, **named)
    except TypeError as error:
        raise s.refuse(f"{cls.__name__}: {error}") from error
    given = dict(bound.arguments)
    for name, parameter in signature.parameters.items():
        if name not in given and parameter.default is not parameter.empty:
            given[name] = Fixed(parameter.default)
    return given


def _bits(s: Specializer, word: Abstract, width: Abstract) -> Abstract:
    """Return a set whose width is known, and whose cells are known only at run time."""
    if not isinstance(width, Fixed):
        raise s.refuse("the width of Bits must be known while compiling, such as a variable of the game")
    try:
        kind = bits_type(Bits(width=width.value).width)
    except ValueError:
        return s.fails(ValueError)
    except NotRepresentable as error:
        raise s.refuse(str(error)) from None
    number_ = arithmetic.whole(s, word)
    s.fail_if(s.emit("lt", number_, number(0), kind=BOOL), ValueError)
    if kind.width < 63:
        beyond = s.emit("shr", number_, number(kind.width), kind=INT)
        s.fail_if(s.emit("ne", beyond, number(0), kind=BOOL), ValueError)
    return s.emit("bits", number_, kind=kind)


FACTORIES = ("_Nothing", "Factory", "_HAS_DEFAULT_FACTORY_CLASS")
"""Classes that stand, in a signature, for a default value that is created anew at each call."""


def _record(s: Specializer, cls: type, positional: list[Abstract], named: KeywordArguments) -> Abstract:
    hooks = _hooks(cls)
    if hooks:
        raise s.refuse(
            f"{cls.__name__} cannot be compiled, since creating it runs its {', '.join(dict.fromkeys(hooks))}"
        )
    fields = _given_fields(
        s,
        cls,
        positional,
        named,
        lambda field: None if field.factory is None or field.takes_self else Fixed(field.factory()),
    )
    return Parts(tuple(fields.values()), cls)


def _member(s: Specializer, cls: type[enum.Enum], value: Abstract) -> Abstract:
    if isinstance(value, Fixed):
        return s.computed(cls, value.value)
    if s.kind_of(value) == EnumOf(cls):
        return value
    members = {each.value: each for each in cls}
    return containers.plain(s, containers.looked_up(s, members, value, NOTHING), ValueError)


def evolved(s: Specializer, value: Abstract, changes: KeywordArguments) -> Abstract:
    """Return a record or named tuple with some fields replaced."""
    value = containers.plain(s, value)
    cls: type | None = s.rules.class_of(value) or (type(value.value) if isinstance(value, Fixed) else None)
    if cls is not None and isinstance(value, Runtime) and isinstance(value.kind, ObjectOf) and _is_data_class(cls):
        names = [each.name for each in dataclasses.fields(cls)]
        if {*names} != {*value.kind.fields}:
            raise s.refuse(
                f"replace(...) of {cls.__name__} is not compiled, since instances have other attributes, too"
            )
        return _data_object(s, cls, [], {**{name: s.rules.attribute_of(s, value, name) for name in names}, **changes})
    if cls is None or not (is_record(cls) or hasattr(cls, "_fields")):
        raise s.refuse(
            "only frozen classes, named tuples and data classes whose __init__ takes all fields can be copied with"
            " other fields"
        )
    if is_record(cls) and _hooks(cls):
        raise s.refuse(f"{cls.__name__} cannot be compiled, since creating it runs its {', '.join(_hooks(cls))}")
    names = list(field_names(cls))
    items = [containers.part(s, value, index) for index in range(len(names))]
    for name, change in changes.items():
        if name not in names:
            return s.fails(TypeError)
        items[names.index(name)] = change
    return Parts(tuple(items), cls)


# Built-in functions ---------------------------------------------------------------------------------------------------


def _either_number(handler: Callable[..., Abstract]) -> Callable[..., Abstract]:
    """Return a rule for a number that may be an int or a float. The rule applies `handler` once for each of the two
    cases, since `handler` needs to know which of the two the number is.
    """

    def rule(s: Specializer, *given: Abstract, **named: Abstract) -> Abstract:
        if not given:
            return handler(s, **named)
        value, *others = containers.plain(s, given[0]), *given[1:]
        if arithmetic.is_mixed(value):
            return s.either_number(value, lambda each: handler(s, each, *others, **named))
        return handler(s, value, *others, **named)

    return rule


def _abs(s: Specializer, value: Abstract) -> Abstract:
    own = s.rules.special(s, value, "__abs__")
    if own is not None:
        return s.call_python(own, [value], {})
    value = containers.plain(s, value)
    kind = s.kind_of(value)
    if kind == FLOAT:
        return s.emit("fabs", s.runtime(value), kind=FLOAT)
    if not arithmetic.is_whole(kind):
        return s.not_taken("abs(...)", [value], "__abs__")
    stored = arithmetic.whole(s, value)
    if isinstance(kind, Narrow):
        return s.convert(_abs(s, stored), kind)
    negative = s.emit("lt", stored, number(0), kind=BOOL)
    return s.either(negative, lambda: s.emit("neg", stored, kind=INT, detail=s.checked), lambda: stored)


def _new(s: Specializer, cls: Abstract, /, *_: Abstract, **__: Abstract) -> Abstract:
    name = cls.value.__name__ if isinstance(cls, Fixed) and isinstance(cls.value, type) else "a class"
    raise s.refuse(
        f"making an object without its `__init__`, {name}.__new__(...), is not compiled: call {name}(...), or copy an"
        " object with copy.deepcopy"
    )


def _int(s: Specializer, value: Abstract = Fixed(0), /, base: Abstract | None = None) -> Abstract:
    own = s.rules.special(s, value, "__int__")
    if own is not None and base is None:
        return s.call_python(own, [value], {})
    value = containers.plain(s, value)
    kind = s.kind_of(value)
    if base is not None:
        if letters.is_text(s, value) or letters.is_name(kind):
            return s.call_python(library.number_in_base, [value, base], {})
        raise s.refuse("int(...) of a number takes no base: only a text may have one")
    if kind == FLOAT:
        return s.emit("truncate", s.emit("trunc", s.runtime(value), kind=FLOAT), kind=INT)
    if arithmetic.is_whole(kind):
        return arithmetic.whole(s, value)
    if letters.is_name(kind):
        return letters.by_text(s, s.runtime(value), int)
    if letters.is_text(s, value):
        return s.call_python(library.number_in, [value], {})
    return s.not_taken("int(...)", [value], "__int__", "__index__", "__trunc__")


def _float(s: Specializer, value: Abstract) -> Abstract:
    own = s.rules.special(s, value, "__float__")
    if own is not None:
        return s.call_python(own, [value], {})
    value = containers.plain(s, value)
    if letters.is_text(s, value):
        raise s.refuse("float(...) of a text is not compiled")
    return arithmetic.fraction(s, value) if s.env is not None else NEVER


def _bool(s: Specializer, value: Abstract = Fixed(False)) -> Abstract:
    return arithmetic.as_value(s.truth(value))


def _round(s: Specializer, value: Abstract, ndigits: Abstract = NOTHING) -> Abstract:
    if not (isinstance(ndigits, Fixed) and ndigits.value is None):
        raise s.refuse("round with a number of digits is not compiled")
    value = containers.plain(s, value)
    if s.kind_of(value) == FLOAT:
        return s.emit("truncate", s.emit("round_even", s.runtime(value), kind=FLOAT), kind=INT)
    return _as_whole(s, value, "round")


def _as_whole(s: Specializer, value: Abstract, name: str) -> Abstract:
    """Return a whole number as it is. Refuse any other value: the method that rounds it is not compiled."""
    kind = s.kind_of(value)
    if kind == BOTTOM or arithmetic.is_whole(kind):
        return arithmetic.whole(s, value)
    return s.not_taken(f"{name}(...)", [value], f"__{name}__", "__float__", "__index__")


def _whole_part(name: str) -> Callable[..., Abstract]:
    def handler(s: Specializer, value: Abstract) -> Abstract:
        value = containers.plain(s, value)
        if s.kind_of(value) == FLOAT:
            return s.emit("truncate", s.emit(name, s.runtime(value), kind=FLOAT), kind=INT)
        return _as_whole(s, value, name)

    return handler


def _of_math(name: str) -> Callable[..., Abstract]:
    def handler(s: Specializer, *values: Abstract) -> Abstract:
        given = [arithmetic.fraction(s, containers.plain(s, each)) for each in values]
        return s.emit("math", *given, kind=FLOAT, detail=name)

    return handler


def _math_pow(s: Specializer, base: Abstract, exponent: Abstract) -> Abstract:
    s.reordered += 1  # `**` raises other exceptions: Python takes over
    power = arithmetic.binary(s, "**", *[_call_fixed(s, float, [each], {}) for each in (base, exponent)])
    s.reordered -= 1
    return power


def _sqrt(s: Specializer, value: Abstract) -> Abstract:
    stored = arithmetic.fraction(s, containers.plain(s, value))
    s.fail_if(s.emit("lt", stored, number(0.0, FLOAT), kind=BOOL), ValueError)
    return s.emit("sqrt", stored, kind=FLOAT)


def _pow(s: Specializer, base: Abstract, exp: Abstract, mod: Abstract = NOTHING) -> Abstract:
    if isinstance(mod, Fixed) and mod.value is None:
        return arithmetic.binary(s, "**", base, exp)
    return s.call_python(library.power_modulo, [arithmetic.whole(s, each) for each in (base, exp, mod)], {})


def _isinstance(s: Specializer, value: Abstract, classes: Abstract) -> Abstract:
    if isinstance(classes, Parts):
        classes = Fixed(tuple(each.value for each in classes.items if isinstance(each, Fixed)))
    if not isinstance(classes, Fixed):
        raise s.refuse("the second argument of isinstance must be a constant: a class, or a tuple of classes")
    if isinstance(value, Fixed):
        return Fixed(issubclass(containers.own_class(value.value), inspect_classes(classes.value)))
    if is_array(value):
        array = importlib.import_module("numpy").ndarray
        return Fixed(any(issubclass(array, each) for each in inspect_classes(classes.value)))
    flat, kind = inspect_classes(classes.value), arithmetic.kind_or_none(s, value)
    if s.has_arrays and kind is not None and (kind == NUMBER or arithmetic.is_number(kind)):
        if any(each not in (list, tuple, str, dict, set) for each in flat):
            raise s.refuse(
                "isinstance(...) of a number is not compiled in a program with NumPy arrays, since NumPy's numbers have"
                " types of their own"
            )
    if arithmetic.is_mixed(value):
        return s.either_number(value, lambda each: _isinstance(s, each, classes))
    if arithmetic.is_choice(value):
        return s.ask_type(value, lambda each: _isinstance(s, each, classes))
    if isinstance(kind, Optional):
        return s.if_some(value, lambda held: _isinstance(s, held, classes), lambda: Fixed(type(None) in flat))
    if kind == ATOM:
        is_one = [any(issubclass(mine, each) for each in flat) for mine in (str, type(None))]
        if is_one[0] == is_one[1]:
            return Fixed(is_one[0])
        is_none = s.emit("eq", s.runtime(value), number(None, ATOM), kind=BOOL)
        return is_none if is_one[1] else s.negated(is_none)
    own = s.rules.class_of(value)
    if not library.AS_PYTHON.keys() & set(flat):
        own = library.AS_PYTHON.get(own, own)
    if kind == INT and bool in flat and int not in flat:
        raise s.refuse(f"isinstance(...) cannot distinguish types of numbers in compiled code; got a {kind}")
    if kind == INT and int not in flat and any(issubclass(each, int) for each in flat):
        s.require_classes("isinstance(...)")
    own_class = own or _python_class(kind) or tuple
    return Fixed(any(issubclass(own_class, each) for each in flat))


def _python_class(kind: Type | None) -> type | None:
    """Return the class of Python itself whose instances have this type; None if there is none."""
    if isinstance(kind, (Tuple, List)):
        return containers.sequence_class(kind)
    plain = {INT: int, BOOL: bool, FLOAT: float, LETTER: str, NONE: type(None)}
    return Bits if isinstance(kind, BitsOf) else plain.get(kind) if kind is not None else None


def inspect_classes(classes: type | tuple[type, ...]) -> tuple[type, ...]:
    """Return the classes that the second argument of isinstance names."""
    if isinstance(classes, tuple):
        return tuple(each for part in classes for each in inspect_classes(part))
    if isinstance(classes, pytypes.UnionType):
        return tuple(each for part in classes.__args__ for each in inspect_classes(part))
    return (classes,)


def _extreme(
    s: Specializer, before: Callable[..., object], positional: list[Abstract], named: KeywordArguments
) -> Abstract:
    """Compile `min` and `max`."""
    key, default = named.get("key", NOTHING), named.get("default")
    has_key = not isinstance(key, Fixed) or key.value is not None
    if len(positional) > 1 and not has_key:
        return functools.reduce(lambda one, other: s.call_python(SMALLER[before], [one, other], {}), positional)
    alone = len(positional) == 1 and s.rules.class_of(positional[0]) in library.LOCAL_SETS
    items = unordered(s, positional[0]) if len(positional) == 1 else containers.together(positional)
    given = [items, Fixed(before), *([key] if has_key else []), *([] if default is None else [default])]
    if has_key and alone:  # of several, Python's order decides
        if default is not None:
            raise s.refuse(UNORDERED)
        return s.call_python(library.extreme_alone, given, {})
    return s.call_python(library.extreme_by if has_key else library.extreme, given, {})


SMALLER: dict[Callable[..., object], Callable[..., object]] = {
    operator.lt: library.lesser,
    operator.gt: library.greater,
}
"""The functions that compute `min` and `max` of two values, by the comparison that they use."""


def _sorted(s: Specializer, items: Abstract, key: Abstract = NOTHING, reverse: Abstract = Fixed(False)) -> Abstract:
    if isinstance(items, Fixed) and isinstance(key, Fixed) and key.value is None and isinstance(reverse, Fixed):
        try:
            return containers.constants(s, containers.FixedList, sorted(items.value, reverse=reverse.value))
        except Exception as error:
            return s.fails(type(error))
    alone = s.rules.class_of(items) in library.LOCAL_SETS
    items = unordered(s, items)
    turned = s.truth(reverse)
    if isinstance(key, Fixed) and key.value is None:
        return s.call_python(library.sorted_items, [items, arithmetic.as_value(turned)], {})
    return s.call_python(
        library.sorted_alone if alone else library.sorted_by, [items, key, arithmetic.as_value(turned)], {}
    )


def _in_order(s: Specializer, items: Abstract) -> Abstract:
    kind = arithmetic.kind_or_none(s, unordered(s, items))
    if isinstance(kind, List) and (isinstance(kind.item, (EnumOf, ObjectOf)) or kind.item == NUMBER):
        raise s.refuse(UNORDERED)
    return _sorted(s, items)


def _zip(s: Specializer, *parts: Abstract, strict: Abstract = Fixed(False)) -> Abstract:
    if not parts:
        return Fixed(())
    if not isinstance(strict, Fixed):
        raise s.refuse("zip(..., strict=...) is compiled only for a value of strict that is known: True or False")
    parts = tuple(letters.of_letters(s, each) for each in parts)
    items = values_of(parts)
    if items is not None:
        try:
            return once(s, "zip", Fixed(tuple(zip(*items, strict=strict.value))))
        except Exception as error:
            return s.fails(type(error))
    fixed = [containers.items_in_turn(s, each) if not isinstance(each, Iterator) else None for each in parts]
    if all(each is not None for each in fixed):
        if strict.value and len({len(each) for each in fixed if each is not None}) > 1:
            return s.fails(ValueError)
        return once(s, "zip", containers.together([containers.together(list(row)) for row in zip(*fixed)]))  # noqa: B905
    parts = tuple(iteration.opened(s, each) for each in parts)
    if s.env is None:
        return NEVER
    runs = len(parts) == 2 and _has_no_index(s, parts[1])
    if runs and _is_sequence(parts[0]) and not strict.value:
        return s.call_python(library.zip_first, list(parts), {})
    rule = library.zip_strict if strict.value else library.zip_second
    if len(parts) == 1:
        return s.call_python(library.map_, [Fixed(_alone), parts[0]], {})

    def paired(rest: list[Abstract]) -> Abstract:
        pairs = s.call_python(rule, [parts[0], rest[0]], {})
        for each in rest[1:]:  # more than two are made of pairs of pairs
            pairs = s.call_python(library.map_, [Fixed(_flat), s.call_python(rule, [pairs, each], {})], {})
        return pairs

    return _by_index(s, "zip", parts[1:], paired)


def _zip_longest(s: Specializer, *parts: Abstract, fillvalue: Abstract = NOTHING) -> Abstract:
    if len(parts) != 2:
        raise s.refuse(f"zip_longest(...) is compiled only for two arguments; got {len(parts)}")
    parts = tuple(iteration.opened(s, letters.of_letters(s, each)) for each in parts)
    if s.env is None:
        return NEVER

    def paired(both: list[Abstract]) -> Abstract:
        return s.call_python(library.zip_longest, [*both, fillvalue], {})

    return _by_index(s, "zip_longest", parts, paired)


def _columns(s: Specializer, rows: Abstract) -> Abstract:
    """Return `zip(*rows)` for a number of rows that is known only at run time."""
    kind = s.kind_of(rows).item if isinstance(s.kind_of(rows), List) else None  # type: ignore[attr-defined]
    if kind == BOTTOM or s.env is None:
        return Fixed(())
    if not isinstance(kind, (List, Tuple)) or kind.cls not in (list, tuple, str, None):
        raise s.refuse(f"zip(*rows) is compiled only for lists, tuples and texts as rows; got {kind}")
    return s.call_python(library.columns, [rows], {})


def once(s: Specializer, name: str, items: Abstract) -> Abstract:
    """Return an iterator over the items of a tuple; it can be run through once."""
    run = s.only_once(name, lambda emit: s.rules.iterate(s, items, emit, 1))
    return Iterator(name, run, detail=items if name == "zip" else None)


def _alone(item: object) -> object:
    return (item,)


def _flat(pair: tuple[tuple[object, ...], object]) -> object:
    return (*pair[0], pair[1])


def _indexable(s: Specializer, items: Abstract) -> Abstract:
    """Return the items in a form that can be indexed; the items of an iterator are first collected in a list."""
    items = iteration.opened(s, items)
    return containers.gathered(s, items) if _has_no_index(s, items) else items


def _by_index(
    s: Specializer, name: str, parts: Sequence[Abstract], make: Callable[[list[Abstract]], Abstract]
) -> Abstract:
    """Return an iterator over items that are fetched by index.

    Items that cannot be indexed are collected when the loop begins, though Python asks for them later. If computing
    them raises an exception, Python takes over. Computing them must not change anything, nor read what the loop
    changes.

    Arguments:
        make: returns the iterator, given parts that can be indexed.
    """
    if not any(_has_no_index(s, each) for each in parts):
        return make(list(parts))
    return _gathered_early(s, f"{name}(...) of items", lambda: [_indexable(s, each) for each in parts], make)


def _gathered_early(
    s: Specializer, what: str, gather: Callable[[], list[Abstract]], make: Callable[[list[Abstract]], Abstract]
) -> Iterator:
    """Return the iterator from `make`; `gather` collects the argument of `make` when the loop begins (`_by_index`)."""

    def run(emit: Callable[[Abstract], None]) -> None:
        outer, s.reads = s.reads, Reads()
        effects, s.reordered = len(s.effects), s.reordered + 1
        items = gather()
        s.reordered -= 1
        reads, s.reads = s.reads, outer
        if outer is not None:
            outer.include(reads)
        if not all(s.is_made_below(each, s.path) for each in s.effects[effects:]):
            raise s.refuse(f"{what} that change something while they are looped over is not compiled")
        if s.env is None:
            return
        effects, assigned = len(s.effects), len(s.assigned)
        iteration.iterate(s, make(items), emit, 1)
        if s.are_changed(reads, effects, assigned):
            raise s.refuse(
                f"{what} that read what the loop changes is not compiled; make a list of them first: list(...)"
            )

    name = what.partition("(")[0]
    return Iterator(name, s.only_once(name, run))


def _has_no_index(s: Specializer, items: Abstract) -> bool:
    """Return whether items cannot be indexed, so that a loop can only run through them."""
    return _runs(items) or iteration.has_own_iterator(s, items)


def _runs(items: Abstract) -> bool:
    """Return whether the items come from an iterator other than a range, and so cannot be indexed."""
    return isinstance(items, Iterator) and items.name != "range"


def _is_sequence(items: Abstract) -> bool:
    """Return whether items come from a tuple, a list or a range."""
    if isinstance(items, Fixed):
        return isinstance(items.value, (tuple, list, range, str))
    if isinstance(items, Runtime):
        return isinstance(items.kind, (List, Tuple)) and items.kind.cls in (list, None)
    return isinstance(items, Parts) or (isinstance(items, Iterator) and items.name == "range")


def _filter(s: Specializer, function: Abstract, items: Abstract) -> Abstract:
    items = iteration.opened(s, items)
    if isinstance(function, Fixed) and function.value is None:
        return s.call_python(library.filter_true, [iteration.opened(s, items)], {})
    return s.call_python(library.filter_, [function, iteration.opened(s, items)], {})


def _map(s: Specializer, function: Abstract, *items: Abstract) -> Abstract:
    if len(items) == 1:
        return s.call_python(library.map_, [function, iteration.opened(s, items[0])], {})
    return s.call_python(library.map_, [Partially(Fixed(_spread), (function,), {}), _zip(s, *items)], {})


def _spread(function: Callable[..., object], given: Iterable[object]) -> object:
    return function(*given)


def _reversed(s: Specializer, items: Abstract) -> Abstract:
    own = s.rules.class_of(items) if isinstance(items, Runtime) and isinstance(items.kind, ObjectOf) else None
    if own and own not in library.AS_PYTHON and s.rules.special(s, items, "__reversed__") is None:
        if not (hasattr(own, "__len__") and hasattr(own, "__getitem__")):
            return s.not_taken("reversed(...)", [items], "__reversed__")
    own = s.rules.special(s, items, "__reversed__")
    if own is not None:
        return s.call_python(own, [items], {})
    if isinstance(items, Fixed):
        return once(s, "reversed", Fixed(tuple(reversed(items.value))))
    items = letters.of_letters(s, items)
    fixed = containers.fixed_items(s, items)
    if fixed is not None:
        return once(s, "reversed", containers.together(fixed[::-1]))
    return s.call_python(library.reversed_, [items], {})


def _next(s: Specializer, items: Abstract, *default: Abstract) -> Abstract:
    if not isinstance(items, Iterator) or not items.once:
        raise s.refuse("next(...) of an iterator in a variable is not compiled")
    return s.call_python(library.next_or if default else library.next_, [items, *default], {})


def unordered(s: Specializer, items: Abstract) -> Abstract:
    """Return the items of a set for a use in which the order of the items does not matter."""
    if isinstance(items, Runtime) and isinstance(items.kind, ObjectOf) and items.kind.cls in library.LOCAL_SETS:
        return s.rules.attribute_of(s, items, "items")  # type: ignore[no-any-return]
    return items


def _sum(s: Specializer, items: Abstract, start: Abstract = Fixed(0)) -> Abstract:
    if not library.COMPENSATED:
        return s.call_python(library.sum_, [unordered(s, items), start], {})
    is_zero = isinstance(start, Fixed) and type(start.value) is int and start.value == 0
    return s.call_python(library.sum_compensated, [unordered(s, items), NOTHING if is_zero else start], {})


def _alike(s: Specializer, one: Abstract, other: Abstract) -> Abstract:
    if isinstance(one, Fixed) and isinstance(other, Fixed):
        return Fixed(one.value is other.value or one.value == other.value)
    return arithmetic.as_value(arithmetic.alike(s, one, other))


def _is_float(s: Specializer, value: Abstract) -> Abstract:
    if not arithmetic.is_mixed(value):
        return Fixed(arithmetic.kind_or_none(s, value) == FLOAT)
    test = s.negated(s.emit("part", value, kind=BOOL, detail=0))
    s.implies(test, True, value, FLOAT)
    return test


def _only_float(s: Specializer, value: Abstract) -> Abstract:
    value = containers.plain(s, value)
    if arithmetic.is_mixed(value):
        return s.either_number(value, lambda each: each if each.kind == FLOAT else s.stop())
    if s.kind_of(value) != FLOAT:
        raise s.refuse(
            f"only floats can be summed together with floats here; got a {s.kind_of(value)}: write float(...)"
        )
    return value


def _reduce(s: Specializer, function: Abstract, items: Abstract, *start: Abstract) -> Abstract:
    return s.call_python(library.reduce_from if start else library.reduce, [function, items, *start], {})


def _product(s: Specializer, *pools: Abstract, repeat: Abstract = Fixed(1)) -> Abstract:
    given = [_indexable(s, each) for each in pools] * (repeat.value if isinstance(repeat, Fixed) else 1)
    return s.call_python(library.product, given, {})


def _reads_what_changes(s: Specializer, function: InnerFunction) -> bool:
    """Return whether an inner function reads variables that may be assigned after this, or that have no value yet."""
    for name in captured([core.Define("", function.function, {})]) - function.function.variables:
        home = function.scope.home(name)
        count = sum(core.target_of(each) == name for each in core.statements_in(home.function.body))
        if count > 1 or (count and s.rounds) or isinstance((s.env or {}).get((home.path, name), UNSET), Unset):
            return True
    return False


def _groupby(s: Specializer, items: Abstract, key: Abstract = NOTHING) -> Abstract:
    """Return the groups. Python computes a key when it reaches its item; here all keys are computed first."""
    if isinstance(key, InnerFunction) and _reads_what_changes(s, key):
        raise s.refuse("groupby(...) is not compiled if its function reads variables that change")
    if s.env is None:
        return NEVER
    items = iteration.opened(s, items)

    def gather() -> list[Abstract]:
        every = containers.gathered(s, items)
        has_key = not isinstance(key, Fixed) or key.value is not None
        return [every, s.call_python(library.keys_of, [every, key], {}) if has_key else every]

    return _gathered_early(
        s, "groupby(...) with a function or with items", gather, lambda given: s.call_python(library.groupby, given, {})
    )


def _hash(s: Specializer, value: Abstract) -> Abstract:
    raise s.refuse("hash(...) is not compiled")


def _ord(s: Specializer, value: Abstract) -> Abstract:
    value = containers.plain(s, value)
    if letters.is_one(value):
        return letters.by_text(s, s.runtime(value), ord)
    if letters.is_text(s, value):
        raise s.refuse("ord(...) of a text of several letters is not compiled")
    return s.not_taken("ord(...)", [value], "__add__")


def _chr(s: Specializer, code: Abstract) -> Abstract:
    index = arithmetic.whole(s, containers.plain(s, code))
    for wrong in (arithmetic.ordered(s, "<", index, Fixed(0)), arithmetic.ordered(s, ">=", index, Fixed(128))):
        s.fail_if(wrong, None)
    return containers.item(s, Fixed(letters.ASCII), index)


def _bin(s: Specializer, value: Abstract) -> Abstract:
    stored = arithmetic.whole(s, containers.plain(s, value))

    def run(_: object) -> None:
        raise s.refuse('only count("1") is compiled for the text of a binary number')

    return Iterator("bin", run, once=False, detail=stored)


def _callable(s: Specializer, value: Abstract) -> Abstract:
    return Fixed(isinstance(value, (InnerFunction, Partially)) or (isinstance(value, Fixed) and callable(value.value)))


def _getattr(s: Specializer, owner: Abstract, name: Abstract, *default: Abstract) -> Abstract:
    if not isinstance(name, Fixed):
        raise s.refuse("getattr is compiled only with a name that is known when compiling")
    if default and not _has_attribute(s, owner, name.value):
        return default[0]
    return s.rules.attribute_of(s, owner, name.value)  # type: ignore[no-any-return]


def _setattr(s: Specializer, owner: Abstract, name: Abstract, value: Abstract) -> Abstract:
    if not isinstance(name, Fixed) or not isinstance(name.value, str):
        raise s.refuse("setattr is compiled only with a name that is known when compiling")
    return s.rules.put_attribute_of(s, owner, name.value, value)  # type: ignore[no-any-return]


def _hasattr(s: Specializer, owner: Abstract, name: Abstract) -> Abstract:
    if not isinstance(name, Fixed):
        raise s.refuse("hasattr is compiled only with a name that is known when compiling")
    return Fixed(_has_attribute(s, owner, name.value))


def _has_attribute(s: Specializer, owner: Abstract, name: str) -> bool:
    """Return whether a value has an attribute, without reading it."""
    if isinstance(owner, Fixed):
        return hasattr(owner.value, name)
    cls = s.rules.class_of(owner)
    if isinstance(owner, Unfinished):
        return (owner.site, f"%field.{name}") in (s.env or {}) or hasattr(cls, name)
    if isinstance(owner, Runtime) and isinstance(owner.kind, ObjectOf) and name in owner.kind.fields:
        return True
    if cls is None or s.rules.special(s, owner, "__getattr__") is not None or library.AS_PYTHON.get(cls):
        cls = _python_class(arithmetic.kind_or_none(s, owner))
        if cls is None or is_array(owner):
            raise s.refuse(f"asking whether this value has the attribute {name} is not compiled")
    return hasattr(cls, name) or (is_record(cls) and name in field_names(cls))


def _type(s: Specializer, value: Abstract) -> Abstract:
    if isinstance(value, Fixed):
        return Fixed(containers.own_class(value.value))
    kind, own = s.kind_of(value), s.rules.class_of(value)
    own = library.AS_PYTHON.get(own, own)
    if s.has_arrays and (is_array(value) or kind == NUMBER or arithmetic.is_number(kind)):
        raise s.refuse(
            "type(...) of a number is not compiled in a program with NumPy arrays, since NumPy's numbers have types of"
            " their own"
        )
    if kind in (INT, NUMBER):
        s.require_classes("type(...)")
    own_class = own or _python_class(kind)
    if own_class is None or kind == FLOAT:
        raise s.refuse("type(...) of this value is not compiled")
    return Fixed(own_class)


def _iter(s: Specializer, items: Abstract) -> Abstract:
    if isinstance(items, Iterator):
        return items
    before = len(s.effects)
    iterator = iteration.opened(s, items)
    if not all(s.is_made_below(each, s.path) for each in s.effects[before:]):  # a loop would call it again, next() not
        raise s.refuse("iter(...) of an object whose __iter__ changes something is not compiled")
    return s.call_python(library.chain, [iterator], {})


def _set(s: Specializer, items: Abstract = Fixed(())) -> Abstract:
    if isinstance(items, Fixed) and items.value:
        return containers.constants(s, containers.FixedSet, items.value)
    return containers.new_set(s, items)


def _frozenset(s: Specializer, items: Abstract = Fixed(())) -> Abstract:
    if isinstance(items, Fixed) and items.value:
        return s.computed(frozenset, items.value)
    return containers.new_set(s, items, frozenset)


def _hashed(s: Specializer, value: Abstract) -> Abstract:
    """Return a value that is hashable; for any other value, write code that raises TypeError."""
    if isinstance(value, Fixed):
        try:
            hash(value.value)
        except TypeError as error:
            return s.fails(type(error))
        return value if containers.own_class(value.value) is not set else s.fails(TypeError)
    kind = arithmetic.kind_or_none(s, value)
    if isinstance(kind, Optional) and _changes(kind.item):
        s.fail_if(s.emit("is_some", s.runtime(value), kind=BOOL), TypeError)
        return value
    return s.fails(TypeError) if kind is not None and _changes(kind) else value


def _changes(kind: Type) -> bool:
    """Return whether values of a type can change, and so have no hash."""
    if isinstance(kind, List):
        return kind.cls is list or _changes(kind.item)
    if isinstance(kind, ObjectOf):
        own: object = library.AS_PYTHON.get(kind.cls, kind.cls)
        return own.__hash__ is None
    if bool(array_class_of(kind)):
        return True
    return isinstance(kind, (Tuple, RecordOf)) and any(map(_changes, kind.items))


def _permutations(s: Specializer, pool: Abstract, size: Abstract = NOTHING) -> Abstract:
    fixed = containers.items_in_turn(s, pool)
    if fixed is not None and isinstance(size, Fixed) and size.value != 2 and len(fixed) <= MOST_PERMUTED:
        rows = [containers.together(list(row)) for row in itertools.permutations(fixed, size.value)]
        return once(s, "permutations", containers.together(rows))
    return s.call_python(library.permutations, [_indexable(s, pool), size], {})


def _combinations(s: Specializer, pool: Abstract, size: Abstract) -> Abstract:
    return s.call_python(library.combinations, [_indexable(s, pool), size], {})


def copied_mapping(s: Specializer, items: Abstract) -> Abstract:
    """Return `{**items}`."""
    own = s.rules.class_of(items)
    is_known = isinstance(items, Fixed) and isinstance(items.value, dict)
    if is_known or field_keys(own) or (own is not None and issubclass(own, library.LocalDict)):
        return _dictionary(s, items)
    made = containers.dict_display(s, [])
    call_method(s, made, "update", [items], {})
    return made


def _dictionary(s: Specializer, items: Abstract = Fixed(()), /, **named: Abstract) -> Abstract:
    own = s.rules.class_of(items)
    if own is not None and issubclass(own, library.LocalDict) and own is not library.LocalDict:
        made = containers.dict_display(s, [])
        call_method(s, made, "update", [items], {})
        items, own = made, library.LocalDict
    if own is library.LocalDict or field_keys(own):
        copied = call_method(s, items, "copy", [], {})
        for name, value in named.items():
            containers.put_item(s, copied, Fixed(name), value)
        return copied
    if isinstance(items, Iterator) and isinstance(items.detail, (Fixed, Parts)) and items.name == "zip":
        items = items.detail
    pairs = (
        containers.items_in_turn(s, items)
        if not isinstance(items, Fixed) or not isinstance(items.value, dict)
        else None
    )
    if isinstance(items, Fixed) and isinstance(items.value, dict):
        pairs = [containers.together([Fixed(key), Fixed(value)]) for key, value in items.value.items()]
    flat: list[Abstract] = []
    for each in pairs or ():
        flat.extend(containers.items_in_turn(s, each) or ())
    for name, value in named.items():
        flat.extend((Fixed(name), value))
    made = containers.dict_display(s, flat)
    if pairs is None:
        s.call_python(library.fill, [made, items], {})
    return made


# Intrinsics -----------------------------------------------------------------------------------------------------------


def _intrinsic(name: str, kind: Type | None, kinds: tuple[Type, ...]) -> Callable[..., Abstract]:
    def handler(s: Specializer, *values: Abstract) -> Abstract:
        given = [arithmetic.whole(s, each) if wanted == INT else arithmetic.fraction(s, each)
                 for each, wanted in zip(values, kinds, strict=True)]  # fmt: skip
        if kind is None:
            s.do(name, *given)
            return NOTHING
        return s.emit(name, *given, kind=kind)

    return handler


def _words_of(s: Specializer, value: Abstract) -> Abstract:
    stored = s.runtime(value)
    if stored.kind == BOTTOM:
        return NEVER
    try:
        count = size(in_atoms(stored.kind))
    except NotRepresentable:
        raise s.refuse("a list whose length is known only at run time cannot be part of a state or an action") from None
    return s.emit("words", stored, kind=Tuple((INT,) * count))


def _like(s: Specializer, like: Abstract) -> Type:
    kind = s.kind_of(like)
    if isinstance(kind, Optional) or kind == NONE:  # a variable that holds no action yet stands for the type of actions
        expected = s.program_fact(("action",))
        kind = kind if expected == BOTTOM else expected
    return kind


def _put_value(s: Specializer, address: Abstract, value: Abstract) -> Abstract:
    s.do("put_value", arithmetic.whole(s, address), s.runtime(value))
    return NOTHING


def _get_value(s: Specializer, address: Abstract, like: Abstract) -> Abstract:
    return s.emit("get_value", arithmetic.whole(s, address), kind=_like(s, like))


def _pack(s: Specializer, address: Abstract, value: Abstract, layout: Abstract) -> Abstract:
    s.do("pack", arithmetic.whole(s, address), s.runtime(value), arithmetic.whole(s, layout))
    return NOTHING


def _unpack(s: Specializer, address: Abstract, like: Abstract, layout: Abstract) -> Abstract:
    return s.emit("unpack", arithmetic.whole(s, address), arithmetic.whole(s, layout), kind=s.kind_of(like))


def _is_packed(s: Specializer, address: Abstract, value: Abstract, layout: Abstract) -> Abstract:
    return s.emit("is_packed", arithmetic.whole(s, address), s.runtime(value), arithmetic.whole(s, layout), kind=BOOL)


def _fits(s: Specializer, value: Abstract, layout: Abstract) -> Abstract:
    return s.emit("fits", s.runtime(value), arithmetic.whole(s, layout), kind=BOOL)


def _set_length(s: Specializer, items: Abstract, length: Abstract) -> Abstract:
    s.do("set_length", containers.resized(s, items), arithmetic.whole(s, length))
    return NOTHING


HANDLERS: dict[object, Callable[..., Abstract]] = {
    builtins.abs: _either_number(_abs),
    object.__new__: _new,
    builtins.int: _either_number(_int),
    builtins.float: _float,
    builtins.bool: _bool,
    builtins.str: lambda s, value=Fixed(""): letters.shown(s, value),
    builtins.round: _either_number(_round),
    builtins.pow: _pow,
    builtins.isinstance: _isinstance,
    builtins.len: containers.length_of,
    builtins.min: lambda s, *positional, **named: _extreme(s, operator.lt, list(positional), named),
    builtins.max: lambda s, *positional, **named: _extreme(s, operator.gt, list(positional), named),
    builtins.sorted: _sorted,
    builtins.zip: _zip,
    builtins.filter: _filter,
    builtins.map: _map,
    builtins.reversed: _reversed,
    builtins.next: _next,
    builtins.sum: _sum,
    builtins.range: lambda s, *bounds: iteration.range_of(s, list(bounds)),
    builtins.any: lambda s, items: s.call_python(library.any_, [unordered(s, items)], {}),
    builtins.all: lambda s, items: s.call_python(library.all_, [unordered(s, items)], {}),
    builtins.list: lambda s, items=Fixed(()): containers.gathered(s, items),
    builtins.tuple: lambda s, items=Fixed(()): containers.gathered(s, items, tuple),
    builtins.set: _set,
    builtins.frozenset: _frozenset,
    builtins.dict: _dictionary,
    builtins.hash: _hash,
    builtins.ord: _ord,
    builtins.chr: _chr,
    builtins.bin: _bin,
    builtins.callable: _callable,
    builtins.getattr: _getattr,
    builtins.setattr: _setattr,
    builtins.hasattr: _hasattr,
    builtins.type: _type,
    builtins.iter: _iter,
    functools.reduce: _reduce,
    functools.partial: lambda s, function, /, *positional, **named: Partially(function, positional, named),
    itertools.product: _product,
    itertools.groupby: _groupby,
    itertools.zip_longest: _zip_longest,
    itertools.permutations: _permutations,
    itertools.combinations: _combinations,
    attrs.evolve: lambda s, value, /, **changes: evolved(s, value, changes),
    dataclasses.replace: lambda s, value, /, **changes: evolved(s, value, changes),
    copy.copy: mutable_states.shallow,
    copy.deepcopy: mutable_states.deepcopy,
    frozen_states.freeze: mutable_states.freeze,
    frozen_states.thaw: mutable_states.thaw,
    frozen_states.in_order: _in_order,
    math.floor: _either_number(_whole_part("floor")),
    math.ceil: _either_number(_whole_part("ceil")),
    math.trunc: _either_number(_whole_part("trunc")),
    math.sqrt: _sqrt,
    math.fabs: lambda s, value: _abs(s, _float(s, value)),
    **{
        getattr(math, name): _of_math(name)
        for name in (
            "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "exp", "expm1", "log1p", "log2",
            "log10", "sin", "sinh", "tan", "tanh", "fmod",
        )
    },
    math.log: lambda s, *values: _of_math("log")(s, *values) if len(values) == 1 else arithmetic.binary(
        s, "/", *[_call_fixed(s, math.log, [each], {}) for each in values]
    ),
    math.pow: _math_pow,
    library.set_length: _set_length,
    hashed: _hashed,
    library.as_member: mutable_states.as_member,
    give_up: lambda s: s.stop(),
    copied_fields: mutable_states.shallow_fields,
    library.with_item: mutable_states.with_item,
    library.to_the_power: lambda s, base, exponent: s.emit("math", base, exponent, kind=FLOAT, detail="pow"),
    library.is_float: _is_float,
    library.alike: _alike,
    library.only_float: _only_float,
    library.lowest_bit: lambda s, bits: s.emit("lowest", s.runtime(bits), kind=INT),
    library.without_lowest: lambda s, bits: s.emit("without_lowest", s.runtime(bits), kind=s.kind_of(bits)),
    library.one_bit: lambda s, bits: Fixed(Bits(1, s.kind_of(bits).width)),
    intrinsics.load: _intrinsic("load", INT, (INT,)),
    intrinsics.save: _intrinsic("save", None, (INT, INT)),
    intrinsics.prefetch: _intrinsic("prefetch", None, (INT,)),
    intrinsics.publish: _intrinsic("publish", None, (INT, INT)),
    intrinsics.add_to: _intrinsic("add_to", None, (INT, INT)),
    intrinsics.add_float_to: _intrinsic("add_float_to", None, (INT, FLOAT)),
    intrinsics.load_byte: _intrinsic("load_byte", INT, (INT,)),
    intrinsics.save_byte: _intrinsic("save_byte", None, (INT, INT)),
    intrinsics.mix: _intrinsic("mix", INT, (INT, INT)),
    intrinsics.random_item: lambda s, *given: s.rules.skipping.random_item(s, *given),
    intrinsics.spread: _intrinsic("spread", INT, (INT, INT)),
    intrinsics.bits_of: _intrinsic("bits_of", INT, (FLOAT,)),
    intrinsics.value_of: _intrinsic("value_of", FLOAT, (INT,)),
    intrinsics.next_above: _intrinsic("next_above", FLOAT, (FLOAT,)),
    intrinsics.next_below: _intrinsic("next_below", FLOAT, (FLOAT,)),
    intrinsics.words_of: _words_of,
    intrinsics.put_value: _put_value,
    intrinsics.get_value: _get_value,
    intrinsics.pack: _pack,
    intrinsics.unpack: _unpack,
    intrinsics.is_packed: _is_packed,
    intrinsics.fits: _fits,
}  # fmt: skip
"""Rules for functions of Python itself that cannot be plain Python in `library`."""
COMPUTED = {
    abs, int, float, round, ord, chr, bin, itertools.product, itertools.permutations, itertools.combinations,
    *[each for each in HANDLERS if module_name(each) == "math"],
}  # fmt: skip
"""Functions in `HANDLERS` that are called while compiling if all their arguments are known."""
