"""Values during specialization: what the compiler knows about the value of a variable.

A value is either stored at run time (`Runtime`), or *static*. A static value is a known object, or consists of parts
that are values, or exists only while compiling. An iterator, for example, exists only while compiling, until a loop
runs through it.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import attrs

from ggp.compiler import core
from ggp.compiler.types import BOTTOM, INT, Type, array_class_of, in_atoms, zero_of


@attrs.frozen(eq=False)
class Runtime:
    """A value that an atom of closed core holds."""

    atom: core.Local | core.Constant
    kind: Type


def number(value: object, kind: Type = INT) -> Runtime:
    """Return a constant of a type, by default a whole number."""
    return Runtime(core.Constant(value, kind if kind is INT else in_atoms(kind)), kind)


def zero(kind: Type) -> Runtime:
    """Return the value that has the type `kind` and zero in all its words. Raises as `zero_of` does."""
    return number(zero_of(kind), kind)


@attrs.frozen(eq=False)
class Fixed:
    """An object that is known while compiling."""

    value: Any


@attrs.frozen(eq=False)
class Parts:
    """A tuple, or an instance of the named tuple or frozen class `cls`; each item is a separate value."""

    items: "tuple[Abstract, ...]"
    cls: type | None = None


@attrs.frozen(eq=False)
class Display:
    """A list that a display or a comprehension is still making: its items so far are separate values.

    Nothing else refers to this list. The list becomes a stored one where it is used, or where a loop adds to it.
    """

    items: "tuple[Abstract, ...]"
    origin: object
    """The place in the program where the list is made, as in `ggp.compiler.types.List.origin`."""
    is_tuple: bool = False
    """Whether a tuple is made of the list when it is complete."""


@attrs.frozen(eq=False)
class InnerFunction:
    """A function defined inside another, with the scope that it was defined in."""

    function: core.Function
    scope: Any
    defaults: "dict[str, Abstract]"


@attrs.frozen(eq=False)
class TypeMethod:
    """A method of a value of one of Python's own types, by name."""

    owner: "Abstract"
    name: str


@attrs.frozen(eq=False)
class Partially:
    """A function together with its first arguments: `functools.partial(function, ...)`, or a method of an object."""

    function: "Abstract"
    positional: "tuple[Abstract, ...]"
    named: "dict[str, Abstract]"


@attrs.frozen(eq=False)
class Keywords:
    """The dictionary of a parameter with two stars: known names and their values."""

    items: "dict[str, Abstract]"


@attrs.frozen(eq=False)
class Parent:
    """`super()`: the classes that come after a class in the method resolution order of an instance."""

    cls: type
    receiver: "Abstract"


@attrs.frozen(eq=False)
class Iterator:
    """Something to loop over that has no value at run time: a generator's call, `range`, `zip` and the like.

    `run(emit)` writes the loop, and calls `emit` with each item. `once` says whether only one loop can use the
    iterator.
    """

    name: str
    run: "Callable[[Callable[[Abstract], None]], None]"
    once: bool = True
    length: "Callable[[], Abstract] | None" = None
    detail: Any = None


@attrs.frozen(eq=False)
class Unfinished:
    """An object whose `__init__` is being run. The object's fields are variables of the function that makes it."""

    cls: type
    site: int


@attrs.frozen(eq=False)
class Exceptional:
    """An exception that was created but not raised yet."""

    cls: type


@attrs.frozen(eq=False)
class Unset:
    """A variable without a value."""


@attrs.frozen(eq=False)
class Perhaps:
    """A variable that has a value only if a flag, known at run time, is set."""

    flag: Runtime
    value: "Abstract"


@attrs.frozen(eq=False)
class Poison:
    """A variable that got values without a common type; only reading it is an error."""

    message: str


UNSET = Unset()
NEVER = number(None, BOTTOM)
"""The value of an expression that never has a value, such as an item of a list that is always empty."""
NOTHING = Fixed(None)

Abstract: TypeAlias = (
    Runtime | Fixed | Parts | Display | InnerFunction | TypeMethod | Partially | Keywords | Parent | Iterator
    | Unfinished     | Exceptional | Unset | Perhaps | Poison
)  # fmt: skip


def is_array(value: Abstract) -> bool:
    """Return whether a value is an array of NumPy."""
    if isinstance(value, Fixed):
        return type(value.value).__name__ == "ndarray" and type(value.value).__module__ == "numpy"
    if isinstance(value, Parts):
        return bool(array_class_of(value.cls))
    return isinstance(value, Runtime) and bool(array_class_of(value.kind))


def is_unwritten(value: "Abstract") -> bool:
    """Return whether a value is a text that is put together at run time. Such a text cannot be stored. The text may
    only be the argument of an exception, or a part of another such text.
    """
    return isinstance(value, Iterator) and value.name == "f-string"


def may_call(value: Abstract) -> bool:
    """Return whether a value may call an inner function later, as an iterator does when a loop runs through it."""
    if isinstance(value, (Parts, Display)):
        return any(map(may_call, value.items))
    if isinstance(value, Perhaps):
        return may_call(value.value)
    return not isinstance(value, (Runtime, Fixed, Unfinished, Exceptional, Unset, Poison))


def values_of(items: Iterable[Abstract]) -> list[Any] | None:
    """Return the Python objects of known values; None if one is not known."""
    items = list(items)
    values = [each.value for each in items if isinstance(each, Fixed)]
    return values if len(values) == len(items) else None


def same(one: Abstract, other: Abstract) -> bool:
    """Return whether two values are certainly the same."""
    if one is other:
        return True
    if isinstance(one, Runtime) and isinstance(other, Runtime):
        return one.kind == other.kind and isinstance(one.atom, core.Local) and one.atom == other.atom
    if isinstance(one, Fixed) and isinstance(other, Fixed):
        if one.value is other.value:
            return True
        plain = isinstance(one.value, (int, str, bytes)) and type(one.value) is type(other.value)
        return bool(plain and one.value == other.value)
    if isinstance(one, Parts) and isinstance(other, Parts):
        alike = one.cls is other.cls and len(one.items) == len(other.items)
        return alike and all(map(same, one.items, other.items))
    if isinstance(one, Partially) and isinstance(other, Partially):
        if len(one.positional) != len(other.positional) or one.named.keys() != other.named.keys():
            return False
        named = [same(value, other.named[name]) for name, value in one.named.items()]
        return same(one.function, other.function) and all(map(same, one.positional, other.positional)) and all(named)
    if isinstance(one, InnerFunction) and isinstance(other, InnerFunction):
        return one.function is other.function and one.scope is other.scope and one.defaults == other.defaults
    if isinstance(one, Exceptional) and isinstance(other, Exceptional):
        return one.cls is other.cls
    return isinstance(one, Unset) and isinstance(other, Unset)
