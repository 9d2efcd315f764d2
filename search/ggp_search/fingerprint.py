"""A fingerprint of functions: their code, their constants, and those of all that they reach.

Machine code is kept under the fingerprint of what it was made from, so that changed rules, parameters or searchers
are never served by stale code. What cannot be fingerprinted is refused, and then nothing is kept.
"""

import enum
import hashlib
import sys
import types
from typing import Any


class NoFingerprint(Exception):
    """Something is reached whose content cannot be told."""


def fingerprint(*things: Any) -> str:
    """A text that is the same for the same code and constants, and another for any other.

    Raises:
        NoFingerprint: a function reaches a value that is not code, a number, a text, an array or a tuple of these.
    """
    digest = hashlib.sha256()
    seen: dict[Any, int] = {}
    for thing in things:
        _add(thing, digest, seen)
    return digest.hexdigest()


def _add(thing: Any, digest: Any, seen: dict[Any, int]) -> None:
    if thing is None or isinstance(thing, (bool, int, float, complex, str, bytes)):
        digest.update(f"{type(thing).__name__} {thing!r};".encode())
    elif isinstance(thing, (tuple, list, frozenset)):
        members = sorted(thing, key=repr) if isinstance(thing, frozenset) else thing
        digest.update(f"{type(thing).__name__} {len(members)};".encode())
        for member in members:
            _add(member, digest, seen)
    elif isinstance(thing, types.FunctionType):
        if id(thing) in seen:  # met before: functions call each other
            digest.update(f"again {seen[id(thing)]};".encode())
        else:
            seen[id(thing)] = len(seen)
            _add_function(thing, digest, seen)
    elif isinstance(thing, types.CodeType):
        _add_code(thing, digest, seen)
    elif isinstance(thing, types.BuiltinFunctionType) or (isinstance(thing, type) and _is_told_by_name(thing)):
        digest.update(f"named {thing.__module__} {thing.__qualname__};".encode())
    elif isinstance(thing, enum.EnumType):
        digest.update(f"enum {thing.__qualname__} {list(thing)!r};".encode())
    elif hasattr(thing, "dtype") and hasattr(thing, "tobytes"):
        digest.update(f"array {thing.dtype} {getattr(thing, 'shape', ())};".encode() + thing.tobytes())
    else:
        raise NoFingerprint(f"{thing!r} of {type(thing).__name__}")


def _add_function(function: types.FunctionType, digest: Any, seen: dict[Any, int]) -> None:
    _add_code(function.__code__, digest, seen)
    _add(function.__defaults__, digest, seen)
    _add(tuple(sorted((function.__kwdefaults__ or {}).items())), digest, seen)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        digest.update(f"cell {name};".encode())
        _add(cell.cell_contents, digest, seen)
    for name in sorted(_global_names(function.__code__)):
        if name in function.__globals__:
            digest.update(f"global {name};".encode())
            _add_global(function.__globals__[name], function.__code__, digest, seen)


def _add_global(value: Any, code: types.CodeType, digest: Any, seen: dict[Any, int]) -> None:
    """Of a module, what the code may take from it: the attributes that it names."""
    if not isinstance(value, types.ModuleType):
        _add(value, digest, seen)
        return
    digest.update(f"module {value.__name__};".encode())
    if _is_library(value.__name__) or (value, code) in seen:
        return
    seen[value, code] = len(seen)
    for name in sorted(_global_names(code) & vars(value).keys()):
        digest.update(f"member {name};".encode())
        _add_global(vars(value)[name], code, digest, seen)


def _is_told_by_name(kind: type) -> bool:
    """Whether its name tells what code makes of it: machine code raises errors, and calls int and the like."""
    return issubclass(kind, BaseException) or _is_library(kind.__module__)


def _is_library(module: str) -> bool:
    """Whether it is part of Python or NumPy, whose versions tell its content."""
    return module.partition(".")[0] in {*sys.stdlib_module_names, "numpy"}


def _global_names(code: types.CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*(_global_names(each) for each in inner))


def _add_code(code: types.CodeType, digest: Any, seen: dict[Any, int]) -> None:
    digest.update(f"code {code.co_name} {code.co_argcount} {code.co_flags} {code.co_names};".encode() + code.co_code)
    _add(code.co_consts, digest, seen)
