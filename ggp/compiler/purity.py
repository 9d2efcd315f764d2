"""Decide whether a function may be called during compilation, so that its result becomes part of the code."""

import builtins
import dis
import functools
import random
import types
from typing import Any

from ggp.compiler.rows import GROWING

IMPURE_MODULES = {"datetime", "io", "os", "random", "secrets", "sys", "threading", "time", "uuid"}
IMPURE_BUILTINS = {builtins.print, builtins.input, builtins.open, builtins.hash, builtins.id, builtins.globals}
CHANGING = {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "STORE_DEREF"}
"""Bytecode instructions that change objects which outlive the call."""


def is_pure(called: Any) -> bool:
    """Return whether a function always returns the same result for the same arguments, and has no side effects.

    This is decided from its bytecode and from the objects that its names refer to, including the functions that it
    calls.
    """
    owner = getattr(called, "__self__", None)
    if isinstance(owner, random.Random) or is_impure(called):
        return False
    function = getattr(called, "__func__", called)
    function = getattr(function, "__wrapped__", function)
    if not isinstance(function, types.FunctionType):
        return True
    return _is_pure(function, None if owner is None or isinstance(owner, type) else _Owner(owner))


class _Owner:
    """An object, hashed by identity even if it is not hashable itself."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Owner) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


@functools.lru_cache(maxsize=4096)
def _is_pure(function: types.FunctionType, owner: _Owner | None) -> bool:
    pending, seen = [function], set()
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        for code in _codes(each.__code__):
            if any(step.opname in CHANGING for step in dis.get_instructions(code)):
                return False
            for name in code.co_names:
                found = each.__globals__.get(name, getattr(builtins, name, None))
                member = getattr(type(owner.thing), name, None) if owner is not None else None
                held = vars(owner.thing).get(name) if owner is not None and hasattr(owner.thing, "__dict__") else None
                if any(is_impure(thing) for thing in (found, member, held)):
                    return False
                pending.extend(thing for thing in (found, member) if isinstance(thing, types.FunctionType))
            changed = any(name in GROWING for name in code.co_names) or any(
                step.opname in ("STORE_SUBSCR", "DELETE_SUBSCR") for step in dis.get_instructions(code)
            )
            outer = [each.__globals__.get(name) for name in code.co_names]
            if changed and any(isinstance(thing, (list, dict, set)) for thing in (*outer, *(each.__defaults__ or ()))):
                return False
    return True


def _codes(code: types.CodeType) -> list[types.CodeType]:
    return [code, *[inner for each in code.co_consts if isinstance(each, types.CodeType) for inner in _codes(each)]]


def is_impure(thing: Any) -> bool:
    """Return whether a function, module or random generator can give different results at each call."""
    if isinstance(thing, random.Random):
        return True
    if isinstance(thing, types.ModuleType):
        return thing.__name__.partition(".")[0] in IMPURE_MODULES or thing.__name__ == "numpy.random"
    if isinstance(thing, (types.FunctionType, types.BuiltinFunctionType)):
        named = (getattr(thing, "__module__", None) or "").partition(".")[0] in IMPURE_MODULES
        return named or thing in IMPURE_BUILTINS or isinstance(getattr(thing, "__self__", None), random.Random)
    return isinstance(thing, types.MethodType) and isinstance(thing.__self__, random.Random)
