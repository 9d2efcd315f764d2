"""Python's built-in functions: those of numbers and classes, and the table of all of them."""

import ast
import builtins
import dataclasses
import functools
import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import attrs
from llvmlite import ir

from ggp.bits import Bits
from ggp.compiler import intrinsics, standard_library
from ggp.compiler.aggregates import Aggregates
from ggp.compiler.comparisons import is_number
from ggp.compiler.llvm_types import DOUBLE, OVERFLOW, WORD, is_large
from ggp.compiler.standard_library import Beyond
from ggp.compiler.types import (
    ATOM,
    BITS,
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    NONE,
    EnumOf,
    Optional,
)
from ggp.compiler.values import (
    SSA,
    Closure,
    Distinct,
    Enumerated,
    Filtered,
    Iterated,
    Known,
    Mapped,
    Pack,
    Partial,
    Reversed,
    Val,
    Value,
    known_values,
)

Handler = Callable[..., Any]


class Builtins(Aggregates):
    """Translates calls of builtins and other functions that are not written in Python."""

    def builtin(self, function: Callable[..., Any], arguments: list[Value], named: dict[str, Value]) -> Any:
        """Compile a call of a built-in function; return NotImplemented if it cannot be compiled."""
        try:
            handler = HANDLERS.get(function)
        except TypeError:  # not hashable
            return NotImplemented
        if handler is not None:
            return handler(self, *arguments, **named)
        if isinstance(function, type):
            return self.made(function, arguments, named)
        return NotImplemented

    # Numbers -----------------------------------------------------------------------------------------------------

    def py_abs(self, value: Value) -> Val:
        """Compile `abs(value)`."""
        found = self.unwrapped(self.runtime(value))
        if found.kind == BOTTOM:
            return found
        if found.kind == FLOAT:
            return Val(FLOAT, ssa=self.intrinsic("llvm.fabs.f64", DOUBLE, [found.ssa]))
        self._require_number(found, "abs")
        word = self.number(found, INT)
        negative = self.builder.icmp_signed("<", word, self.word(0))
        opposite = self.runtime(self.unary(ast.USub, Val(INT, ssa=word)))
        return Val(INT, ssa=self.builder.select(negative, opposite.ssa, word))

    def _require_number(self, value: Val, name: str) -> None:
        if not is_number(value):
            raise self.refuse(f"{name} of a {value.kind} is not compiled")

    def py_int(self, value: Value | None = None, base: Value | None = None) -> Value:
        """Compile `int(value)`."""
        if value is None or base is not None:
            return Known(0) if value is None else NotImplemented
        found = self.unwrapped(self.runtime(value))
        if found.kind == BOTTOM:
            return found
        if found.kind == FLOAT:
            return self._truncated(self.intrinsic("llvm.trunc.f64", DOUBLE, [found.ssa]))
        if found.kind == ATOM:
            digits = {str(digit): digit for digit in range(10)}
            return self.looked_up(digits, found, None, Beyond)
        self._require_number(found, "int")
        return Val(INT, ssa=self.number(found, INT))

    def _truncated(self, fraction: SSA) -> Val:
        """Return a float without a fractional part as an integer; fail beyond 2**62."""
        size = self.intrinsic("llvm.fabs.f64", DOUBLE, [fraction])
        small = self.builder.fcmp_ordered("<", size, ir.Constant(DOUBLE, float(1 << 62)))
        self.fail_if(self.builder.not_(small), OVERFLOW)
        return Val(INT, ssa=self.builder.fptosi(fraction, WORD))

    def py_float(self, value: Value) -> Val:
        """Compile `float(value)`."""
        found = self.unwrapped(self.runtime(value))
        if found.kind == BOTTOM:
            return found
        self._require_number(found, "float")
        return Val(FLOAT, ssa=self.number(found, FLOAT))

    def py_bool(self, value: Value | None = None) -> Value:
        """Compile `bool(value)`."""
        truth = self.truth(value) if value is not None else False
        return Known(truth) if isinstance(truth, bool) else Val(BOOL, ssa=truth)

    def py_round(self, value: Value, digits: Value | None = None) -> Any:
        """Compile `round(value)`: halves are rounded to even."""
        if digits is not None:
            return NotImplemented
        found = self.unwrapped(self.runtime(value))
        if found.kind == FLOAT:
            return self._truncated(self.intrinsic("llvm.roundeven.f64", DOUBLE, [found.ssa]))
        return self.py_int(found)

    def py_divmod(self, left: Value, right: Value) -> Pack:
        """Compile `divmod(left, right)`."""
        return Pack((self.binary(ast.FloorDiv, left, right), self.binary(ast.Mod, left, right)))

    def whole_part(self, name: str, value: Value) -> Value:
        """Compile `math.floor`, `math.ceil` and `math.trunc`."""
        found = self.unwrapped(self.runtime(value))
        if found.kind != FLOAT:
            return self.py_int(found)
        return self._truncated(self.intrinsic(f"llvm.{name}.f64", DOUBLE, [found.ssa]))

    def square_root(self, value: Value) -> Val:
        """Compile `math.sqrt(value)`."""
        found = self.py_float(value)
        negative = self.builder.fcmp_ordered("<", found.ssa, ir.Constant(DOUBLE, 0.0))
        self.fail_if(negative, self.program.status_of(ValueError))
        return Val(FLOAT, ssa=self.intrinsic("llvm.sqrt.f64", DOUBLE, [found.ssa]))

    def of_the_c_library(self, name: str, *values: Value) -> Val:
        """Compile functions of `math` by those of C's mathematical library, which Python itself calls."""
        words = [self.py_float(each).ssa for each in values]
        function = self.program.declare(name, ir.FunctionType(DOUBLE, [DOUBLE] * len(words)))
        made = self.builder.call(function, words)
        # Python raises an exception where the result is no number, or infinite.
        finite = self.builder.fcmp_ordered("==", self.builder.fsub(made, made), ir.Constant(DOUBLE, 0.0))
        self.fail_if(self.builder.not_(finite), self.program.status_of(ValueError))
        return Val(FLOAT, ssa=made)

    def py_isinstance(self, value: Value, kinds: Value) -> Value:
        """Compile `isinstance(value, kinds)`."""
        wanted = kinds.value if isinstance(kinds, Known) else None
        if isinstance(kinds, Pack):
            wanted = tuple(known_values(kinds.items) or ())
        if wanted is None:
            raise self.refuse("the second argument of isinstance must be a constant: a class, or a tuple of classes")
        if isinstance(value, Known):
            return Known(isinstance(value.value, wanted))
        classes = wanted if isinstance(wanted, tuple) else (wanted,)
        kind = value.kind if isinstance(value, Val) else None
        if self.is_spelled(value):
            return Known(any(issubclass(str, each) for each in classes))
        if isinstance(kind, Optional) or kind == ATOM:
            raise self.refuse("isinstance(...) cannot be compiled for a value that may be None; write `is None`")
        if (kind == FLOAT and (int in classes) != (float in classes)) or (
            kind == INT and bool in classes and int not in classes
        ):
            raise self.refuse(f"isinstance(...) cannot distinguish types of numbers in compiled code; got a {kind}")
        mine: type = (
            {INT: int, BOOL: bool, FLOAT: float, NONE: type(None), BITS: Bits}.get(kind, tuple) if kind else tuple
        )
        if isinstance(kind, EnumOf):
            mine = kind.kind
        own = self.class_of(value)
        return Known(any(issubclass(own or mine, each) for each in classes))


def _library(function: Callable[..., Any]) -> Handler:
    return lambda body, *arguments: body.call(Known(function), list(arguments), {}, None)


HANDLERS: dict[Any, Handler] = {
    builtins.any: Builtins.py_any,
    builtins.all: Builtins.py_all,
    builtins.sum: Builtins.py_sum,
    builtins.min: lambda body, *items, **named: body.best(ast.Lt, *items, **named),
    builtins.max: lambda body, *items, **named: body.best(ast.Gt, *items, **named),
    builtins.len: Builtins.length,
    builtins.tuple: Builtins.sequence,
    builtins.list: Builtins.sequence,
    builtins.set: lambda body, items=Known(()): Distinct(body.sequence(items)),
    builtins.frozenset: lambda body, items=Known(()): Distinct(body.sequence(items)),
    builtins.iter: lambda body, items: Iterated(items),
    builtins.sorted: Builtins.py_sorted,
    builtins.ord: Builtins.py_ord,
    builtins.next: Builtins.py_next,
    builtins.range: Builtins.py_range,
    builtins.enumerate: lambda body, items, start=Known(0): Enumerated(items, start),
    builtins.zip: Builtins.py_zip,
    builtins.reversed: lambda body, items: Reversed(items),
    builtins.map: lambda body, function, items: Mapped(function, items),
    builtins.filter: lambda body, function, items: Filtered(function, items),
    builtins.abs: Builtins.py_abs,
    builtins.int: Builtins.py_int,
    builtins.float: Builtins.py_float,
    builtins.bool: Builtins.py_bool,
    builtins.round: Builtins.py_round,
    builtins.divmod: Builtins.py_divmod,
    builtins.pow: lambda body, base, exponent, *modulus: (
        NotImplemented if modulus else body.binary(ast.Pow, base, exponent)
    ),
    builtins.isinstance: Builtins.py_isinstance,
    Bits: lambda body, word=Known(0): body.bits_of_number(word),
    Bits.of.__func__: lambda body, kind, *cells: body.bits_of_cells(cells),  # type: ignore[attr-defined]
    functools.reduce: Builtins.folded,
    functools.partial: lambda body, function, *given, **named: Partial(function, given, named),
    operator.add: lambda body, one, other: body.binary(ast.Add, one, other),
    operator.mul: lambda body, one, other: body.binary(ast.Mult, one, other),
    operator.or_: lambda body, one, other: body.binary(ast.BitOr, one, other),
    operator.xor: lambda body, one, other: body.binary(ast.BitXor, one, other),
    attrs.evolve: lambda body, value, **changes: body.evolved(value, changes),
    dataclasses.replace: lambda body, value, **changes: body.evolved(value, changes),
    math.floor: lambda body, value: body.whole_part("floor", value),
    math.ceil: lambda body, value: body.whole_part("ceil", value),
    math.trunc: lambda body, value: body.whole_part("trunc", value),
    math.sqrt: Builtins.square_root,
    math.fabs: lambda body, value: body.py_abs(body.py_float(value)),
    math.prod: _library(standard_library.prod),
    math.gcd: _library(standard_library.gcd),
    math.comb: _library(standard_library.comb),
    math.isqrt: _library(standard_library.isqrt),
    intrinsics.load: Builtins.loaded,
    intrinsics.save: Builtins.saved,
    intrinsics.load_byte: Builtins.loaded_byte,
    intrinsics.save_byte: Builtins.saved_byte,
    intrinsics.mix: Builtins.mixed,
    intrinsics.spread: Builtins.spread,
    intrinsics.bits_of: Builtins.bits_of,
    intrinsics.value_of: Builtins.value_of,
    intrinsics.next_above: lambda body, value: body.next_float(value, True),
    intrinsics.next_below: lambda body, value: body.next_float(value, False),
    intrinsics.words_of: Builtins.words_of,
    intrinsics.put_value: Builtins.put_value,
    intrinsics.get_value: Builtins.get_value,
    intrinsics.pack: Builtins.pack,
    intrinsics.unpack: Builtins.unpack,
    intrinsics.is_packed: Builtins.is_packed,
    intrinsics.fits: Builtins.fits,
}
for _function in (
    itertools.product,
    itertools.permutations,
    itertools.combinations,
    itertools.chain,
    itertools.pairwise,
):
    HANDLERS[_function] = functools.partial(
        lambda body, *parts, function, **named: body.combined(function, *parts, **named), function=_function
    )
for _name in ("log", "log2", "log10", "log1p", "exp", "expm1", "sin", "cos", "tan", "atan", "tanh", "atan2", "pow"):
    HANDLERS[getattr(math, _name)] = functools.partial(
        lambda body, *values, name: body.of_the_c_library(name, *values), name=_name
    )

__all__ = ["HANDLERS", "Builtins", "Closure", "is_large"]
