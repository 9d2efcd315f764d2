"""Machine code as an object: it is called with ordinary values, and remembers what became part of the code.

`ggp.compiler.job` makes such an object, or finds it in memory or on disk.
"""

import ctypes
import functools
import itertools
import mmap
import sys
import threading
import types
from typing import Any, Protocol, TypeGuard

import attrs

from ggp.compiler import machine, memory
from ggp.compiler.encoding import add_words, build, flatten
from ggp.compiler.layout import parts
from ggp.compiler.refusals import Fault
from ggp.compiler.types import INT, Optional, Type, has_reference, size
from ggp.frozen_states import freeze

LISTS = 64 << 20
"""Size in bytes of the memory for lists that a program builds; the system provides the memory only when it is used."""
EXHAUSTED, FIRST_ERROR = 2, 3


@functools.cache
def stack_room() -> int:
    """Return the maximum stack size of a program, in bytes."""
    room = 1 << 20 if sys.platform == "win32" else 8 << 20
    if sys.platform != "win32":
        import resource

        limit = resource.getrlimit(resource.RLIMIT_STACK)[0]
        room = room if limit == resource.RLIM_INFINITY else min(room, limit)
    chosen = threading.stack_size()
    return (min(room, chosen) if chosen else room) * 5 // 8


class NumpyArray(Protocol):
    """An array of NumPy, which need not be installed."""

    dtype: object
    shape: tuple[int, ...]
    size: int

    def tobytes(self) -> bytes:
        """Return the array's items as bytes."""


class Variables:
    """Everything that changes while a program runs: the variables of its known objects, and memory for its lists."""

    def __init__(self, code: "Code") -> None:
        self.code = code
        self.memory = (ctypes.c_int64 * code.context_words)()
        self.address = ctypes.addressof(self.memory)
        if code.makes_lists:
            self._lists = mmap.mmap(-1, LISTS)
            first = ctypes.addressof(ctypes.c_char.from_buffer(self._lists))
            self.memory[0], self.memory[1] = first, first + LISTS
        self.memory[2] = stack_room()
        for (thing, name), _ in code.layout.items():
            self.set(thing, name, getattr(code.objects[thing], name))

    def get(self, thing: object, name: str) -> Any:
        """Return the value of a variable of a known object; `thing` is the object itself or its number."""
        kind, offset = self.code.layout[thing if type(thing) is int else self.code.numbers[id(thing)], name]
        if kind == INT:
            return self.memory[offset]
        return _read(self.address + 8 * offset, kind)

    def set(self, thing: object, name: str, value: Any) -> None:
        """Change a variable of a known object; other threads may do so while the program runs."""
        kind, offset = self.code.layout[thing if type(thing) is int else self.code.numbers[id(thing)], name]
        if kind == INT:
            self.memory[offset] = value
        else:
            _write(self.address + 8 * offset, kind, value)


def _read(address: int, kind: Type) -> object:
    """Return the value at an address, stored in LLVM's layout."""
    words: list[int] = []
    _words_at(address, kind, words)
    return build(iter(words), kind)


def _words_at(address: int, kind: Type, words: list[int]) -> None:
    for offset, bit in parts(kind):
        source = ctypes.c_uint8 if bit else ctypes.c_int64
        words.append(source.from_address(address + offset).value)


def _write(address: int, kind: Type, value: object) -> None:
    places = parts(kind)
    words = [0] * len(places) if value is None and isinstance(kind, Optional) else flatten(value, kind)
    for (offset, bit), word in zip(places, words, strict=True):
        target = ctypes.c_uint8 if bit else ctypes.c_int64
        target.from_address(address + offset).value = word


@attrs.define(eq=False)
class Code:
    """A compiled function."""

    result: Type
    arguments: tuple[Type, ...]
    """The types of the arguments that are passed at each call."""
    layout: dict[tuple[int, str], tuple[Type, int]]
    """The type and the offset in words of each variable, by the number of its object and its name."""
    errors: tuple[type[BaseException], ...]
    context_words: int
    makes_lists: bool
    loaded: machine.Loaded
    words: tuple[int | None, ...]
    """The number of words of a state, an action and a key; None if unknown."""
    objects: tuple[object, ...] = ()
    """The known objects that have variables."""
    folded: tuple[tuple[object, str, object], ...] = ()
    """Attributes whose values are built into the code.

    Each item has the known object, the attribute's name, and the value as `kept` returns it.
    """
    compiled_now: bool = False
    """Whether the code was compiled for the present call of `compile`, and not loaded from memory or disk."""
    result_words: int | None = attrs.field(
        default=attrs.Factory(lambda code: None if has_reference(code.result) else size(code.result), takes_self=True)
    )
    """The number of words of a result; None if the program returns its address."""
    numbers: dict[int, int] = attrs.field(init=False)
    """The numbers of the known objects, by their ids."""

    def __attrs_post_init__(self) -> None:
        self.numbers = dict(zip(map(id, self.objects), itertools.count()))

    @property
    def is_current(self) -> bool:
        """Whether all attributes of known objects still have the values that are built into the code."""
        try:
            for thing, name, value in self.folded:
                now = getattr(thing, name)
                if now is not value and not _is_same(kept(now), value):
                    return False
        except Exception:  # whatever a property raises, it did not before
            return False
        return True

    def variables(self) -> Variables:
        """Return new variables with the present values of the objects that the code uses."""
        return Variables(self)

    def __call__(self, variables: Variables, *values: object) -> Any:
        """Run the program.

        Raises:
            NotRepresentable: a value does not have the type that the code was compiled for.
            Fault: machine code could not continue, for example because a number exceeds 64 bits; there is no result.
            Exception: an exception that the function itself raised, without its text.
        """
        words: list[int] = []
        for value, kind in zip(values, self.arguments, strict=True):
            add_words(value, kind, words)
        given = (ctypes.c_int64 * max(1, len(words)))(*words)
        result = (ctypes.c_int64 * (self.result_words or 1))()
        first_list = variables.memory[0]
        status = self.loaded.run(variables.address, ctypes.addressof(given), ctypes.addressof(result))
        if status == 0 and self.result_words is None:
            made = memory.value_at(memory.word_at(result[0]), self.result)
            variables.memory[0] = first_list
            return made
        if status == 0:
            return build(iter(result), self.result)
        variables.memory[0] = first_list
        if status >= FIRST_ERROR:
            cls = self.errors[status - FIRST_ERROR]
            raise cls.__new__(cls)  # without arguments, which its initialiser may need
        if status == EXHAUSTED:
            raise Fault(f"lists and objects that are in use at once take more memory than {LISTS >> 20} MB")
        raise Fault(
            "a number grew beyond 64 bits, a variable had no value, or a value has a form that only Python handles here"
        )


def members_of(thing: object) -> list[object]:
    """Return the objects that an object refers to, in a fixed order."""
    if hasattr(thing, "__dict__"):
        return list(vars(thing).values())
    cls = type(thing)
    return [
        getattr(thing, name) for name in (cls.__slots__ if hasattr(cls, "__slots__") else ()) if hasattr(thing, name)
    ]


def objects_of(arguments: tuple[object, ...]) -> tuple[object, ...]:
    """Return the known objects with variables, each before the objects that it refers to.

    The object of a bound method comes before the method.
    """
    objects: list[object] = []
    pending = [*reversed(arguments)]
    while pending:
        thing = pending.pop()
        if isinstance(thing, types.MethodType):
            thing = thing.__self__
        cls = type(thing)
        if hasattr(cls, "variables") and cls.variables and not any(each is thing for each in objects):
            objects.append(thing)
            pending.extend(reversed(members_of(thing)))
    return tuple(objects)


@attrs.frozen(eq=False)
class Globals:
    """The names of a module as attributes, so that they can be compared like the attributes of objects."""

    names: dict[str, object]

    def __getattr__(self, name: str) -> object:
        return self.names[name]


@attrs.frozen(eq=False)
class Cells:
    """The variables of enclosing functions that a function uses, as attributes."""

    function: types.FunctionType

    def __getattr__(self, name: str) -> object:
        cells = self.function.__closure__ or ()
        return cells[self.function.__code__.co_freevars.index(name)].cell_contents


def kept(value: object) -> object:
    """Return a snapshot of a value: a list, dictionary or set is frozen."""
    if isinstance(value, (list, dict, set)):
        return freeze(value) if type(value) in (list, dict, set) and len(value) <= MOST_COMPARED else value
    if type(value) not in UNCHANGING and is_array(value):
        return freeze(value) if value.size <= MOST_COMPARED else value
    return value


UNCHANGING = (int, float, str, tuple, type, types.FunctionType, types.MethodType, property)
"""The types of most values that become part of code; values of these types are not arrays."""


MOST_COMPARED = 10_000
"""A list, dictionary, set or array with at most this number of items is checked for changes before each search."""


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and bool(one == other))


def is_array(value: object) -> TypeGuard[NumpyArray]:
    """Return whether a value is an array of NumPy, or a NumPy number."""
    return not isinstance(value, type) and hasattr(value, "dtype") and hasattr(value, "tobytes")
