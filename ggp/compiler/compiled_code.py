"""The interface of the compiler: functions compiled once, cached on disk, and called with ordinary values."""

import builtins
import collections
import contextlib
import ctypes
import functools
import itertools
import json
import mmap
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ggp.capabilities import declared
from ggp.compiler import cache, machine, memory
from ggp.compiler.budget import Budget, TooMuchWork
from ggp.compiler.encoding import add_words, atom, build, flatten
from ggp.compiler.fingerprint import is_current
from ggp.compiler.job import Job, Named, objects_of
from ggp.compiler.layout import parts
from ggp.compiler.library import AS_PYTHON
from ggp.compiler.refusals import Fault, Refused
from ggp.compiler.types import INT, ROWS, Mixed, Type, describe, described, has_reference, size
from ggp.frozen_states import FrozenList
from ggp.game import AnyGame

LISTS = 64 << 20
"""Size of the memory for lists that a program builds, in bytes; the system provides it as it is used."""
MOST_LOADED = 256
"""Maximum number of loaded programs in a process; each takes 30 to 200 kB. The least recently used are released."""
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
        """Return a variable of a known object, which is given itself or by its number."""
        kind, offset = self.code.layout[thing if type(thing) is int else self.code.numbers[id(thing)], name]
        if kind == INT:
            return self.memory[offset]
        return _read(self.address + 8 * offset, kind)

    def set(self, thing: Any, name: str, value: Any) -> None:
        """Change a variable of a known object; other threads may do so while the program runs."""
        kind, offset = self.code.layout[thing if type(thing) is int else self.code.numbers[id(thing)], name]
        if kind == INT:
            self.memory[offset] = value
        else:
            _write(self.address + 8 * offset, kind, value)


def _read(address: int, kind: Type) -> Any:
    """Return the value at an address, stored in LLVM's layout."""
    words: list[int] = []
    _words_at(address, kind, words)
    return build(iter(words), kind)


def _words_at(address: int, kind: Type, words: list[int]) -> None:
    for place, bit in parts(kind):
        source = ctypes.c_uint8 if bit else ctypes.c_int64
        words.append(source.from_address(address + place).value)


def _write(address: int, kind: Type, value: object) -> None:
    for (place, bit), word in zip(parts(kind), flatten(value, kind), strict=True):
        target = ctypes.c_uint8 if bit else ctypes.c_int64
        target.from_address(address + place).value = word


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
    objects: tuple[Any, ...] = ()
    """The known objects that have variables."""
    folded: tuple[tuple[Any, str, Any], ...] = ()
    """Attributes of known objects that are part of the code: object, name and value."""
    compiled_now: bool = False
    """Whether it was compiled by this call, and not loaded from memory or disk."""
    numbers: dict[int, int] = attrs.field(init=False)
    """The numbers of the known objects, by their ids."""

    def __attrs_post_init__(self) -> None:
        self.numbers = dict(zip(map(id, self.objects), itertools.count()))

    @property
    def is_current(self) -> bool:
        """Whether all attributes of known objects that are part of the code still have their values."""
        return is_current(self.folded)

    def variables(self) -> Variables:
        """Return new variables, with the values that the objects have now."""
        return Variables(self)

    def __call__(self, variables: Variables, *values: object) -> Any:
        """Run the program.

        Raises:
            NotRepresentable: a value does not have the type that the code was compiled for.
            Fault: machine code could not continue, for example because a number exceeds 64 bits; there is no result.
            Exception: the function raised it; its text is lost.
        """
        words: list[int] = []
        for value, kind in zip(values, self.arguments, strict=True):
            add_words(value, kind, words)
        given = (ctypes.c_int64 * max(1, len(words)))(*words)
        by_address = has_reference(self.result)
        found = (ctypes.c_int64 * (1 if by_address else max(1, size(self.result))))()
        first_list = variables.memory[0]
        status = self.loaded.run(variables.address, ctypes.addressof(given), ctypes.addressof(found))
        if status == 0 and by_address:
            made = memory.value_at(memory.word_at(found[0]), self.result)
            variables.memory[0] = first_list
            return made
        if status == 0:
            return build(iter(found), self.result)
        variables.memory[0] = first_list
        if status >= FIRST_ERROR:
            kind = self.errors[status - FIRST_ERROR]
            raise kind.__new__(kind)  # without arguments, which its initialiser may need
        if status == EXHAUSTED:
            raise Fault(f"lists and objects that are in use at once take more memory than {LISTS >> 20} MB")
        raise Fault("a number grew beyond 64 bits, or a variable had no value")


_loaded: "collections.OrderedDict[Any, Code]" = collections.OrderedDict()
_lock = threading.Lock()


def compile(
    function: Callable[..., object],
    *arguments: Any,
    game: Any = None,
    check: Callable[[Code], None] | None = None,
    budget: Budget | None = None,
) -> Code:
    """Return a function as machine code: from memory, from disk, or compiled now.

    Arguments:
        arguments: one for each parameter of the function. A `Type` stands for a value that is passed at each call; any
            other argument is a constant.
        game: the game whose states and actions are meant by STATE and ACTION.
        check: called with newly compiled code; if it raises `Refused`, the code is not stored.
        budget: the maximum cost of compiling; if it is exceeded, that fact is stored too.

    Raises:
        Refused: the function cannot be compiled; the message says why, with file and line.
    """
    job = _job(function, arguments, game, budget)
    with _lock:
        named = job.name()
        code = _find(job, named)
        if code is None:
            with _noted(job, named):
                code = _build(job, named, check)
        return code


def cached(
    function: Callable[..., object], *arguments: Any, game: Any = None, budget: Budget | None = None
) -> Code | None:
    """Return the code of `compile` if it is in memory or on disk; None if it would have to be compiled.

    Raises:
        Refused: it is already known that the function cannot be compiled, or costs more than it may.
    """
    job = _job(function, arguments, game, budget)
    with _lock:
        named = job.name()
        code = _find(job, named)
        if code is None:
            _require_worth(job, named)
        return code


_too_much: dict[str, float] = {}
"""Seconds in which programs could not be compiled, by fingerprint."""


@contextlib.contextmanager
def _noted(job: Job, named: Named | None) -> Iterator[None]:
    """Record that a program exceeds its budget, so that it is not compiled again.

    Raises:
        TooMuchWork: it does; or it is known that it does.
    """
    _require_worth(job, named)
    try:
        yield
    except TooMuchWork:
        if named is not None and job.budget.seconds is not None:
            _too_much[named.name] = job.budget.seconds
            cache.write("large-" + named.name, str(job.budget.seconds).encode())
        raise


def _require_worth(job: Job, named: Named | None) -> None:
    seconds = job.budget.seconds
    if named is None or seconds is None:
        return
    if named.name not in _too_much:
        _too_much[named.name] = float(cache.read("large-" + named.name) or 0)
    if seconds <= _too_much[named.name]:
        raise job.budget.refusal()


def _job(
    function: Callable[..., object], arguments: tuple[object, ...], game: AnyGame, budget: Budget | None = None
) -> Job:
    if not machine.available():
        raise Refused("llvmlite is not installed: pip install 'ggp[fast]' gives machine speed")
    if declared(game, "compiled") is False:
        raise Refused(f"{game.name} declares `compiled = False`")
    return Job(function, arguments, game, budget or Budget())


def _find(job: Job, named: Named | None) -> Code | None:
    if named is None:
        return None
    key = _key(named)
    if key in _loaded:
        _loaded.move_to_end(key)
        return _own(job, _loaded[key], named)
    content = cache.read(named.name)
    code = _load(content, named.classes) if content is not None else None
    return _own(job, _remember(key, code), named) if code is not None else None


def _own(job: Job, code: Code, named: Named | None) -> Code:
    """Return code with the objects of a job."""
    folded = named.folded if named is not None else ()
    return attrs.evolve(code, objects=objects_of(job.arguments), folded=folded, compiled_now=False)


def _build(job: Job, named: Named | None, check: Callable[[Code], None] | None) -> Code:
    content = job.build()
    code = _load(content, named.classes if named else {}) or _load(content, job.classes())
    if code is None:
        raise Refused("the compiled code cannot be linked")
    made = attrs.evolve(_own(job, code, named), compiled_now=True)
    if check is not None:
        check(made)
    if named is None:
        return made
    cache.write(named.name, content)
    _remember(_key(named), code)
    return made


def _key(named: Named) -> Any:
    """Return the fingerprint with the classes: a plugin that is reloaded defines new classes with the same names."""
    return named.name, tuple(sorted(map(id, named.classes.values())))


def _remember(key: object, code: Code) -> Code:
    _loaded[key] = code
    while len(_loaded) > MOST_LOADED:
        _loaded.popitem(last=False)
    return code


def _load(content: bytes, classes: dict[str, type]) -> Code | None:
    """Return the code in a file; None if it is damaged."""
    header, _, code = content.partition(b"\n")
    try:
        said = json.loads(header)
        known = {
            **classes,
            **{
                f"{each.__module__}.{each.__qualname__}": each
                for each in (*vars(builtins).values(), *AS_PYTHON, FrozenList, *ROWS, Mixed)
                if isinstance(each, type)
            },
        }
        for text in said["atoms"]:
            atom(text)
        return Code(
            described(said["result"], known),
            tuple(described(each, known) for each in said["arguments"]),
            {(index, name): (described(kind, known), place) for index, name, kind, place in said["layout"]},
            tuple(known[each] for each in said["errors"]),
            int(said["context"]),
            bool(said["lists"]),
            machine.Loaded(code),
            tuple(said["words"]),
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return None


_types: dict[str, Type] = {}
"""Types of results found by this process, by fingerprint."""


def result_type(
    function: Callable[..., object], *arguments: Any, game: Any = None, budget: Budget | None = None
) -> Type:
    """Return the type of a compiled function's result, as `compile` would find it.

    Raises:
        Refused: the function cannot be compiled.
    """
    job = _job(function, arguments, game, budget)
    named = job.name()
    kind = _cached_type(named)
    if kind is None:
        with _noted(job, named):
            kind = job.result_type()
        if named:
            _types[named.name] = kind
            cache.write("type-" + named.name, json.dumps(describe(kind)).encode())
    return kind


def state_and_action(game: AnyGame) -> tuple[Type, Type]:
    """Return the types that a game's states and actions are first taken to have.

    Raises:
        Refused: machine code does not support them.
    """
    return Job(_no_function, (), game).state_and_action()


def _no_function() -> None:
    """Stand for the function of a job that is not compiled."""


def cached_type(
    function: Callable[..., object], *arguments: Any, game: Any = None, budget: Budget | None = None
) -> Type | None:
    """Return the type of `result_type` if it is in memory or on disk; None if it would have to be inferred.

    Raises:
        Refused: it is already known that the function cannot be compiled, or costs more than it may.
    """
    job = _job(function, arguments, game, budget)
    named = job.name()
    kind = _cached_type(named)
    if kind is None:
        _require_worth(job, named)
    return kind


def _cached_type(named: Named | None) -> Type | None:
    if named is None:
        return None
    name, classes = named.name, named.classes
    if name not in _types:
        content = cache.read("type-" + name)
        if content is None:
            return None
        try:
            _types[name] = described(json.loads(content), classes)
        except (ValueError, KeyError, TypeError, IndexError):
            return None
    return _types[name]
