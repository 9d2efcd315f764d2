"""The law of the compiler's rules: before and after, a call comes to the same, and does the same to its arguments."""

import contextlib
import copy
import itertools
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ggp.compiler import core
from ggp.compiler.front import open_core
from ggp.compiler.refusals import Refused
from ggp.compiler.runnable import runnable

LONGEST = 2000
"""Items of an iterator that are compared."""


def core_of(function: types.FunctionType) -> types.FunctionType:
    """Return open core of a function as a function that Python runs."""
    return runnable(open_core(function), function)


def plain(value: Any, depth: int = 0) -> object:
    """Return a value with the types of all its parts, in a form that can be compared. Iterators are consumed."""
    if depth > 20 or isinstance(value, (types.FunctionType, types.MethodType, type)):
        return type(value).__name__

    def inside(items: Iterable[object]) -> object:
        return tuple(plain(each, depth + 1) for each in items)

    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, dict):
        return type(value).__name__, inside(value.items())
    if isinstance(value, (tuple, list)):
        return type(value).__name__, inside(value)
    if hasattr(value, "__next__"):
        items = []
        try:
            for each in itertools.islice(value, LONGEST):
                items.append(plain(each, depth + 1))
        except Exception as error:
            items.append(("raises", type(error).__name__))
        return "iterator", tuple(items)
    if type(value).__repr__ is object.__repr__:
        return type(value).__name__, inside(getattr(value, "__dict__", {}).items())
    return type(value).__name__, repr(value)


def outcome(function: Callable[..., object], arguments: Sequence[object]) -> object:
    """Return what a call comes to, and its arguments afterwards. Exceptions of Python are compared by type alone."""
    arguments = copy.deepcopy(arguments)
    try:
        found = "returns", plain(function(*arguments))
    except Exception as error:
        own = type(error).__module__ != "builtins"
        name = type(error).__name__.replace(
            "UnboundLocalError", "NameError"
        )  # which of them, depends on Python's version
        found = "raises", (name, plain(error.args) if own else plain(error.__cause__))
    return found, plain(arguments)


def differences(function: types.FunctionType, rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the rows for which a function and its core do not come to the same."""
    after, found = core_of(function), []
    for row in rows:
        wanted, got = outcome(function, row), outcome(after, row)
        if wanted != got and outcome(function, row) == wanted:  # else it depends on the time, or on chance
            found.append(f"{function.__name__}{tuple(row)}: {wanted}, as core {got}")
    return found


@contextlib.contextmanager
def as_core(modules: Sequence[types.ModuleType]) -> Iterator[list[str]]:
    """Put its core in place of each function and method of some modules; yield what has none, and why."""
    before: list[tuple[object, str, object]] = []
    refused: list[str] = []

    def replace(owner: object, name: str, value: Callable[..., object]) -> None:
        try:
            made = _core_of_any(value)
        except Refused as error:
            refused.append(f"{value.__qualname__}: {error}")
            return
        if made is not None:
            before.append((owner, name, owner.__dict__[name]))
            setattr(owner, name, made)

    try:
        for module in modules:
            for name, value in list(vars(module).items()):
                if getattr(value, "__module__", None) != module.__name__:
                    continue
                replace(module, name, value)
                for inner, method in list(vars(value).items()) if isinstance(value, type) else ():
                    if not issubclass(value, tuple) or not inner.startswith("_"):
                        replace(value, inner, method)
        yield refused
    finally:
        for owner, name, value in reversed(before):
            setattr(owner, name, value)


def _core_of_any(value: object) -> Any:
    """Return a function, method or property in core; None for anything else."""
    if isinstance(value, (staticmethod, classmethod)):
        inside = _core_of_any(value.__func__)
        return inside and type(value)(inside)
    if isinstance(value, property):
        inside = _core_of_any(value.fget)
        return inside and property(inside)
    if not isinstance(value, types.FunctionType) or value.__code__.co_filename.startswith("<"):
        return None  # such as what attrs writes
    if hasattr(value, "__wrapped__"):
        return None
    return core_of(value)


def statements(function: core.Function) -> Iterator[core.Statement]:
    """Yield all statements of a function, and of those inside it."""
    for each in core.statements_in(function.body):
        yield each
        if isinstance(each, core.Define):
            yield from statements(each.function)
