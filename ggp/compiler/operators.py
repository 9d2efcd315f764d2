"""Arithmetic, comparison and truth in machine code, as Python has them or not at all.

Whole numbers have 64 bits here. Where a result would not fit, where Python would raise an exception, or where a
fraction would be rounded otherwise, the function fails, and its caller runs the same code interpreted.
"""

import ast
import dataclasses
import enum
import inspect
import operator
import types as pytypes
from typing import Any

import attrs
from llvmlite import ir

from ggp.bits import Bits
from ggp.compiler.emitter import Emitter
from ggp.compiler.llvm_types import BIT, DOUBLE, OVERFLOW, WORD, array_item
from ggp.compiler.types import (
    ATOM,
    BITS,
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    NONE,
    EnumOf,
    List,
    Optional,
    RecordOf,
    Tuple,
    signed,
)
from ggp.compiler.values import SSA, Known, Lazy, Pack, Truth, Val, Value

OPERATORS: dict[type, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
METHODS: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
}  # fmt: skip
"""The methods with which classes say what an operator means to them."""
SYMBOLS: dict[type, str] = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
REFLECTED: dict[type, type] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
LOW63 = (1 << 63) - 1
EXACT = 1 << 53
"""Whole numbers up to this are fractions of exactly the same value."""


def is_number(value: Val) -> bool:
    """Return whether a run-time value takes part in arithmetic."""
    return value.kind in (INT, BOOL, FLOAT) or (isinstance(value.kind, EnumOf) and issubclass(value.kind.kind, int))


def written(kind: type | None, name: str) -> Any:
    """Return a special method that the author of a class wrote; None where Python or a library made it."""
    found = inspect.getattr_static(kind, name, None) if kind is not None else None
    if not isinstance(found, pytypes.FunctionType) or found.__code__.co_filename.startswith("<attrs"):
        return None
    made = found.__code__.co_filename == "<string>" or found.__module__ in ("enum", "collections", "typing", "ggp.bits")
    return None if made or getattr(found, "__module__", "") == "dataclasses" else found


class Operators(Emitter):
    """Translates operators."""

    # Special methods ---------------------------------------------------------------------------------------------

    def class_of(self, value: Value) -> type | None:
        """Return the class of a record or named tuple; None for anything else."""
        raise NotImplementedError

    def special(self, value: Value, name: str) -> Any:
        """Return a special method that the class of a run-time value has; None for what has none."""
        if isinstance(value, Val):
            kind = value.kind.item if isinstance(value.kind, Optional) else value.kind
            if isinstance(kind, EnumOf):
                return written(kind.kind, name)
            return written(getattr(kind, "kind", None), name)
        if isinstance(value, Known) and isinstance(value.value, enum.Enum):
            return written(type(value.value), name)
        return written(self.class_of(value), name) if isinstance(value, (Pack, Known)) else None

    def by_method(self, kind: type, left: Value, right: Value) -> Value | None:
        """Return what a class's own method says about an operator; None where no class says anything."""
        name = METHODS.get(kind)
        for one, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
            found = self.special(one, method)
            if found is not None:
                return self.call(Known(found), [one, other], {}, None)
        return None

    # Binary ------------------------------------------------------------------------------------------------------

    def binary(self, kind: type, left: Value, right: Value) -> Value:
        """Return `left kind right`."""
        if isinstance(left, Known) and isinstance(right, Known):
            try:
                return Known(OPERATORS[kind](left.value, right.value))
            except ZeroDivisionError as error:
                return self.fails_here(type(error))
            except Exception as error:
                raise self.refuse(f"{error}") from error
        if (own := self.by_method(kind, left, right)) is not None:
            return own
        if kind in (ast.Add, ast.Mult) and (joined := self._sequence(kind, left, right)) is not None:
            return joined
        if kind is ast.BitAnd and (masked := self._masked(left, right)) is not None:
            return masked
        first, second = self.unwrapped(self.runtime(left)), self.unwrapped(self.runtime(right))
        if BOTTOM in (first.kind, second.kind):
            return self.bottom()
        if NONE in (first.kind, second.kind):
            return self.fails_here(TypeError)
        if BITS in (first.kind, second.kind):
            return self._of_bits(kind, first, second)
        if not is_number(first) or not is_number(second):
            raise self.refuse(f"{self.symbol(kind)} between {first.kind} and {second.kind} is not compiled")
        if kind is ast.Pow:
            return self._power(first, right if isinstance(right, Known) else second)
        if first.kind == BOOL and second.kind == BOOL and kind in (ast.BitAnd, ast.BitOr, ast.BitXor):
            method = {ast.BitAnd: self.builder.and_, ast.BitOr: self.builder.or_, ast.BitXor: self.builder.xor}[kind]
            return Val(BOOL, ssa=method(first.ssa, second.ssa))
        if FLOAT in (first.kind, second.kind) or kind is ast.Div:
            return Val(FLOAT, ssa=self._fractions(kind, self.number(first, FLOAT), self.number(second, FLOAT)))
        return Val(INT, ssa=self._whole(kind, self.number(first, INT), self.number(second, INT)))

    def symbol(self, kind: type) -> str:
        """Return how an operator is written."""
        sample = ast.BinOp(ast.Name("a"), kind(), ast.Name("b"))
        return ast.unparse(sample)[2:-2]

    def _sequence(self, kind: type, left: Value, right: Value) -> Value | None:
        """Return the sum of two tuples or lists, or a tuple or list repeated; None for anything else."""
        if kind is ast.Mult:
            if isinstance(left, (Val, Known)) and not self._is_sequence(left):
                left, right = right, left
            items = self.items(left) if self._is_sequence(left) else None
            if items is None:
                return None
            if isinstance(right, Known):
                return Pack(tuple(map(self.frozen, items)) * right.value)
            raise self.refuse("a tuple or list is repeated a number of times that is known only at run time")
        if not (self._is_sequence(left) and self._is_sequence(right)):
            return None
        first, second = self.items(left), self.items(right)
        if first is not None and second is not None:
            return Pack((*map(self.frozen, first), *map(self.frozen, second)))
        return self.joined(left, right)

    def joined(self, left: Value, right: Value) -> Val:
        """Return the list of the items of two sequences."""
        raise NotImplementedError

    def _is_sequence(self, value: Value) -> bool:
        if isinstance(value, Pack):
            return True
        if isinstance(value, Known):
            return isinstance(value.value, (tuple, list))
        return (isinstance(value, Val) and isinstance(value.kind, (Tuple, List))) or isinstance(value, Lazy)

    def _masked(self, left: Value, right: Value) -> Val | None:
        """Return `number & mask` for a known mask beyond 63 bits."""
        for value, mask in ((left, right), (right, left)):
            if isinstance(mask, Known) and type(mask.value) is int and mask.value > LOW63 and isinstance(value, Val):
                value = self.unwrapped(value)
                if value.kind not in (INT, BOOL):
                    return None
                word = self.number(value, INT)
                self.fail_if(self.builder.icmp_signed("<", word, self.word(0)), OVERFLOW)
                return Val(INT, ssa=self.builder.and_(word, self.word(mask.value & LOW63)))
        return None

    def _whole(self, kind: type, left: SSA, right: SSA) -> SSA:
        builder = self.builder
        if kind in (ast.BitAnd, ast.BitOr, ast.BitXor):
            return {ast.BitAnd: builder.and_, ast.BitOr: builder.or_, ast.BitXor: builder.xor}[kind](left, right)
        if kind in (ast.Add, ast.Sub, ast.Mult):
            name = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}[kind]
            if not self.checked:
                return getattr(builder, name)(left, right)
            pair = ir.LiteralStructType([WORD, BIT])
            found = self.intrinsic(f"llvm.s{name}.with.overflow.i64", pair, [left, right])
            self.fail_if(builder.extract_value(found, 1), OVERFLOW)
            return builder.extract_value(found, 0)
        if kind in (ast.LShift, ast.RShift):
            return self._shift(kind, left, right)
        if kind in (ast.FloorDiv, ast.Mod):
            self.fail_if(builder.icmp_signed("==", right, self.word(0)), self.program.status_of(ZeroDivisionError))
            least = builder.icmp_signed("==", left, self.word(-1 << 63))
            self.fail_if(builder.and_(least, builder.icmp_signed("==", right, self.word(-1))), OVERFLOW)
            quotient, rest = builder.sdiv(left, right), builder.srem(left, right)
            # Python rounds down; the machine rounds towards zero.
            other_signs = builder.icmp_signed("<", builder.xor(rest, right), self.word(0))
            adjust = builder.and_(builder.icmp_signed("!=", rest, self.word(0)), other_signs)
            if kind is ast.Mod:
                return builder.select(adjust, builder.add(rest, right), rest)
            return builder.sub(quotient, builder.zext(adjust, WORD))
        raise self.refuse(f"{self.symbol(kind)} is not compiled for whole numbers")

    def _shift(self, kind: type, left: SSA, right: SSA) -> SSA:
        builder = self.builder
        if not self.checked:
            right = builder.and_(right, self.word(63))
            return builder.shl(left, right) if kind is ast.LShift else builder.ashr(left, right)
        constant = right.constant if isinstance(right, ir.Constant) else None
        if constant is None or constant < 0:
            self.fail_if(builder.icmp_signed("<", right, self.word(0)), self.program.status_of(ValueError))
        if kind is ast.RShift:
            if constant is None or constant > 63:
                right = builder.select(builder.icmp_signed(">", right, self.word(63)), self.word(63), right)
            return builder.ashr(left, right)
        if constant is None or constant > 63:
            zero = builder.icmp_signed("==", left, self.word(0))
            far = builder.icmp_signed(">", right, self.word(63))
            self.fail_if(builder.and_(far, builder.not_(zero)), OVERFLOW)
            right = builder.and_(right, self.word(63))
        shifted = builder.shl(left, right)
        self.fail_if(builder.icmp_signed("!=", builder.ashr(shifted, right), left), OVERFLOW)
        return shifted

    def _fractions(self, kind: type, left: SSA, right: SSA) -> SSA:
        builder = self.builder
        if kind in (ast.Div, ast.FloorDiv, ast.Mod):
            zero = builder.fcmp_ordered("==", right, ir.Constant(DOUBLE, 0.0))
            self.fail_if(zero, self.program.status_of(ZeroDivisionError))
        simple = {ast.Add: builder.fadd, ast.Sub: builder.fsub, ast.Mult: builder.fmul, ast.Div: builder.fdiv}
        if kind in simple:
            made = simple[kind](left, right)
            if self.checked and kind is not ast.Div and not any(isinstance(e, ir.Constant) for e in (left, right)):
                # What is a fraction here may be a whole number in Python, which would not be rounded.
                size = self.intrinsic("llvm.fabs.f64", DOUBLE, [made])
                self.fail_if(builder.fcmp_ordered(">", size, ir.Constant(DOUBLE, float(EXACT))), OVERFLOW)
            return made
        if kind in (ast.FloorDiv, ast.Mod):
            return self._fraction_divided(kind, left, right)
        raise self.refuse(f"{self.symbol(kind)} is not compiled for fractions")

    def _fraction_divided(self, kind: type, left: SSA, right: SSA) -> SSA:
        """Return `left // right` or `left % right` of fractions, step by step as CPython does."""
        builder, zero = self.builder, ir.Constant(DOUBLE, 0.0)
        function = self.program.declare("fmod", ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE]))
        rest = builder.call(function, [left, right])
        quotient = builder.fdiv(builder.fsub(left, rest), right)
        some = builder.fcmp_unordered("!=", rest, zero)
        negative = builder.fcmp_ordered("<", right, zero), builder.fcmp_ordered("<", rest, zero)
        adjust = builder.and_(some, builder.xor(*negative))
        if kind is ast.Mod:
            signed_zero = self.intrinsic("llvm.copysign.f64", DOUBLE, [zero, right])
            return builder.select(some, builder.select(adjust, builder.fadd(rest, right), rest), signed_zero)
        quotient = builder.select(adjust, builder.fsub(quotient, ir.Constant(DOUBLE, 1.0)), quotient)
        whole = self.intrinsic("llvm.floor.f64", DOUBLE, [quotient])
        far = builder.fcmp_ordered(">", builder.fsub(quotient, whole), ir.Constant(DOUBLE, 0.5))
        whole = builder.select(far, builder.fadd(whole, ir.Constant(DOUBLE, 1.0)), whole)
        signed_zero = self.intrinsic("llvm.copysign.f64", DOUBLE, [zero, builder.fdiv(left, right)])
        return builder.select(builder.fcmp_unordered("!=", quotient, zero), whole, signed_zero)

    def _power(self, base: Val, exponent: Value) -> Value:
        if (
            isinstance(exponent, Known)
            and type(exponent.value) is int
            and 0 <= exponent.value <= 64
            and base.kind != FLOAT
        ):
            made: Value = Known(1)
            for _ in range(exponent.value):
                made = self.binary(ast.Mult, made, base)
            return made
        exponent = self.runtime(exponent)
        if FLOAT in (base.kind, exponent.kind):
            return self._fraction_raised(base, exponent)
        from ggp.compiler import library

        return self.call(Known(library.power), [base, exponent], {}, None)

    def _fraction_raised(self, base: Val, exponent: Val) -> Val:
        """Return a power of fractions; fail where it is not finite or not real."""
        one, other = self.number(base, FLOAT), self.number(exponent, FLOAT)
        zero = ir.Constant(DOUBLE, 0.0)
        bad = self.builder.and_(self.builder.fcmp_ordered("==", one, zero), self.builder.fcmp_ordered("<", other, zero))
        self.fail_if(bad, self.program.status_of(ZeroDivisionError))
        made = self.builder.call(self.program.declare("pow", ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE])), [one, other])
        finite = self.builder.fcmp_ordered("==", self.builder.fsub(made, made), zero)
        self.fail_if(self.builder.not_(finite), OVERFLOW)
        return Val(FLOAT, ssa=made)

    def call(self, function: Value, positional: list[Value], named: dict[str, Value], node: ast.AST | None) -> Value:
        """Call a function."""
        raise NotImplementedError

    def _of_bits(self, kind: type, left: Val, right: Val) -> Val:
        builder = self.builder
        if left.kind == BITS and right.kind == BITS:
            if kind is ast.Sub:
                return Val(BITS, ssa=builder.and_(left.ssa, builder.not_(right.ssa)))
            methods = {ast.BitAnd: builder.and_, ast.BitOr: builder.or_, ast.BitXor: builder.xor}
            if kind in methods:
                return Val(BITS, ssa=methods[kind](left.ssa, right.ssa))
        if left.kind == BITS and kind in (ast.LShift, ast.RShift) and right.kind in (INT, BOOL):
            count = self.number(right, INT)
            self.fail_if(builder.icmp_signed("<", count, self.word(0)), self.program.status_of(ValueError))
            far = builder.icmp_signed(">", count, self.word(63))
            method = builder.shl if kind is ast.LShift else builder.lshr
            shifted = method(left.ssa, builder.and_(count, self.word(63)))
            return Val(BITS, ssa=builder.select(far, self.word(0), shifted))
        raise self.refuse(f"{self.symbol(kind)} between {left.kind} and {right.kind} is not compiled")

    # Unary -------------------------------------------------------------------------------------------------------

    def unary(self, kind: type, operand: Value) -> Value:
        """Return `kind operand`."""
        if kind is ast.Not:
            truth = self.truth(operand)
            return Known(not truth) if isinstance(truth, bool) else Val(BOOL, ssa=self.builder.not_(truth))
        if isinstance(operand, Known):
            try:
                return Known(OPERATORS[kind](operand.value))
            except Exception as error:
                raise self.refuse(str(error)) from error
        if (own := self.special(operand, f"__{METHODS.get(kind)}__")) is not None:
            return self.call(Known(own), [operand], {}, None)
        value = self.unwrapped(self.runtime(operand))
        if value.kind == BOTTOM:
            return value
        if value.kind == BITS and kind is ast.Invert:
            return Val(BITS, ssa=self.builder.not_(value.ssa))
        if value.kind == FLOAT and kind in (ast.USub, ast.UAdd):
            return Val(FLOAT, ssa=self.builder.fneg(value.ssa)) if kind is ast.USub else value
        if not is_number(value) or value.kind == FLOAT:
            raise self.refuse(f"{kind.__name__} of {value.kind} is not compiled")
        word = self.number(value, INT)
        if kind is ast.Invert:
            return Val(INT, ssa=self.builder.not_(word))
        if kind is ast.UAdd:
            return Val(INT, ssa=word)
        return Val(INT, ssa=self._whole(ast.Sub, self.word(0), word))

    # Truth -------------------------------------------------------------------------------------------------------

    def truth(self, value: Value) -> Truth:
        """Return whether a value is true: a bool where that is known, else a bit."""
        if isinstance(value, Known):
            try:
                return bool(value.value)
            except Exception as error:
                raise self.refuse(str(error)) from error
        for name in ("__bool__", "__len__"):
            if not (isinstance(value, Val) and isinstance(value.kind, Optional)):
                own = self.special(value, name)
                if own is not None:
                    return self.truth(self.call(Known(own), [value], {}, None))
        if isinstance(value, Pack):
            return len(value.items) > 0 if value.kind is None or issubclass(value.kind, tuple) else True
        if isinstance(value, Lazy):
            value = self.runtime(value)
        if not isinstance(value, Val):
            return True
        kind, builder = value.kind, self.builder
        if kind == BOTTOM:
            return self.bit(False)
        if kind == BOOL:
            return value.ssa
        if kind == FLOAT:
            return builder.fcmp_unordered("!=", value.ssa, ir.Constant(DOUBLE, 0.0))
        if kind in (INT, BITS) or (isinstance(kind, EnumOf) and issubclass(kind.kind, int)):
            return builder.icmp_signed("!=", value.ssa, self.word(0))
        if kind == NONE:
            return False
        if kind == ATOM:
            empty = self.program.literal("", ATOM)
            return builder.and_(
                builder.icmp_signed("!=", value.ssa, self.word(0)), builder.icmp_signed("!=", value.ssa, empty)
            )
        if isinstance(kind, Optional):
            inner = self.truth(self.part(value, 1))
            present = self.ssa(self.part(value, 0))
            return present if inner is True else builder.and_(present, self.bit(inner) if inner is False else inner)
        if isinstance(kind, Tuple):
            return len(kind.items) > 0
        if isinstance(kind, List):
            return builder.icmp_signed("!=", self.list_parts(value)[1], self.word(0))
        return True

    def truth_bit(self, value: Value) -> SSA:
        """Return whether a value is true as a bit."""
        truth = self.truth(value)
        return self.bit(truth) if isinstance(truth, bool) else truth

    # Comparison --------------------------------------------------------------------------------------------------

    def compared(self, kind: type, left: Value, right: Value) -> Value:
        """Return `left kind right` for one comparison operator."""
        if kind in (ast.In, ast.NotIn):
            found = self.contains(right, left)
            return found if kind is ast.In else self.unary(ast.Not, found)
        if kind in (ast.Is, ast.IsNot):
            return self._identity(kind, left, right)
        if isinstance(left, Known) and isinstance(right, Known):
            return Known(OPERATORS[kind](left.value, right.value))
        if kind in (ast.Eq, ast.NotEq):
            same = self.equal(left, right)
            if kind is ast.Eq:
                return Known(same) if isinstance(same, bool) else Val(BOOL, ssa=same)
            return Known(not same) if isinstance(same, bool) else Val(BOOL, ssa=self.builder.not_(same))
        if (own := self.special(left, f"__{METHODS[kind]}__")) is not None:
            return self.call(Known(own), [left, right], {}, None)
        if (own := self.special(right, f"__{METHODS[REFLECTED[kind]]}__")) is not None:
            return self.call(Known(own), [right, left], {}, None)
        first, second = self.unwrapped(self.runtime(left)), self.unwrapped(self.runtime(right))
        if BOTTOM in (first.kind, second.kind):
            return self.bottom()
        if NONE in (first.kind, second.kind):
            return self.fails_here(TypeError)
        if isinstance(first.kind, (Tuple, List)) and isinstance(second.kind, (Tuple, List)):
            return self._ordered(kind, first, second)
        if first.kind == BITS and second.kind == BITS and kind is ast.Lt:
            return Val(BOOL, ssa=self.builder.icmp_unsigned("<", first.ssa, second.ssa))
        if not is_number(first) or not is_number(second):
            raise self.refuse(f"{SYMBOLS[kind]} between {first.kind} and {second.kind} is not compiled")
        if FLOAT in (first.kind, second.kind):
            pair = self.number(first, FLOAT), self.number(second, FLOAT)
            return Val(BOOL, ssa=self.builder.fcmp_ordered(SYMBOLS[kind], *pair))
        return Val(BOOL, ssa=self.builder.icmp_signed(SYMBOLS[kind], self.number(first, INT), self.number(second, INT)))

    def _ordered(self, kind: type, left: Val, right: Val) -> Value:
        """Return which of two sequences comes first."""
        from ggp.compiler import library

        if isinstance(left.kind, Tuple) and isinstance(right.kind, Tuple):
            return self._lexical(kind, left, right)
        if kind in (ast.Gt, ast.LtE):
            left, right = right, left
        before = self.call(Known(library.comes_before), [left, right], {}, None)
        return before if kind in (ast.Lt, ast.Gt) else self.unary(ast.Not, before)

    def contains(self, container: Value, item: Value) -> Value:
        """Return `item in container`."""
        raise NotImplementedError

    def _lexical(self, kind: type, left: Val, right: Val) -> Val:
        """Return which of two tuples comes first."""
        assert isinstance(left.kind, Tuple)
        assert isinstance(right.kind, Tuple)
        pairs = list(zip(self.items(left) or [], self.items(right) or [], strict=False))
        shorter = OPERATORS[kind](len(left.kind.items), len(right.kind.items))
        found: Any = self.bit(shorter)
        stricter: dict[type, type] = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}
        strict = stricter.get(kind, kind)
        for one, other in reversed(pairs):
            same = self.equal(one, other)
            ahead = self.truth_bit(self.compared(strict, one, other))
            found = self.builder.select(self.bit(same) if isinstance(same, bool) else same, found, ahead)
        return Val(BOOL, ssa=found)

    def _identity(self, kind: type, left: Value, right: Value) -> Value:
        if isinstance(left, Known) and isinstance(right, Known):
            return Known(OPERATORS[kind](left.value, right.value))
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Known) and not isinstance(one.value, (bool, enum.Enum, type(None))):
                raise self.refuse("`is` is compiled for None, truth values and enumerations; write ==")
            if isinstance(one, Known) and isinstance(one.value, bool) and isinstance(other, Val) and other.kind != BOOL:
                raise self.refuse("`is` with a truth value is compiled for truth values alone; write ==")
        return self.compared(ast.Eq if kind is ast.Is else ast.NotEq, left, right)

    def equal(self, left: Value, right: Value) -> Truth:
        """Return whether two values are equal: a bool where that is known, else a bit."""
        if isinstance(left, Known) and isinstance(right, Known):
            return bool(left.value == right.value)
        for one, other in ((left, right), (right, left)):
            own = self.special(one, "__eq__")
            if own is not None and not self._may_be_none(one, other):
                return self.truth(self.call(Known(own), [one, other], {}, None))
        first, second = self.items_of_tuple(left), self.items_of_tuple(right)
        if first is not None and second is not None and not (self._arrays(left, right) and len(first) > 16):
            return self._all_equal(first, second)
        if isinstance(left, Known) and left.value is None:
            left, right = right, left
        if isinstance(right, Known) and right.value is None:
            return self._is_none(left)
        one, other = self.runtime(left), self.runtime(right)
        return self._equal(one, other)

    def _may_be_none(self, one: Value, other: Value) -> bool:
        """Return whether None is compared with a class that compares in its own way; refuse where that is not known."""
        if isinstance(other, Known) and other.value is None:
            return True
        if any(isinstance(each, Val) and isinstance(each.kind, Optional) for each in (one, other)):
            raise self.refuse("a class with its own __eq__ is compared with what may be None; compare with None first")
        return False

    def items_of_tuple(self, value: Value) -> list[Any] | None:
        """Return the items of a tuple; None for anything else."""
        if isinstance(value, Pack) and (value.kind is None or issubclass(value.kind, tuple)):
            return list(value.items)
        if isinstance(value, Known) and isinstance(value.value, tuple):
            return [Known(each) for each in value.value]
        if isinstance(value, Val) and isinstance(value.kind, Tuple):
            return self.items(value)
        return None

    def _arrays(self, left: Value, right: Value) -> bool:
        return all(isinstance(each, Val) and array_item(each.kind) is not None for each in (left, right))

    def _all_equal(self, left: list[Value], right: list[Value]) -> Truth:
        if len(left) != len(right):
            return False
        found: Any = True
        for one, other in zip(left, right, strict=True):
            same = self.equal(one, other)
            if same is False:
                return False
            if same is not True:
                found = same if found is True else self.builder.and_(found, same)
        return found

    def _is_none(self, value: Value) -> Truth:
        if not isinstance(value, Val):
            return False
        if value.kind in (NONE, BOTTOM):
            return True if value.kind == NONE else self.bit(False)
        if isinstance(value.kind, Optional):
            return self.builder.not_(self.ssa(self.part(value, 0)))
        if value.kind == ATOM:
            return self.builder.icmp_signed("==", value.ssa, self.word(0))
        return False

    def _equal(self, left: Val, right: Val) -> Truth:
        one, other, builder = left.kind, right.kind, self.builder
        if BOTTOM in (one, other):
            return self.bit(False)
        if isinstance(one, Optional) or isinstance(other, Optional):
            return self._equal_optional(left, right)
        if NONE in (one, other):
            return self._is_none(left if other == NONE else right)
        if is_number(left) and is_number(right):
            if FLOAT in (one, other):
                return builder.fcmp_ordered("==", self.number(left, FLOAT), self.number(right, FLOAT))
            return builder.icmp_signed("==", self.number(left, INT), self.number(right, INT))
        if (one == other and one in (ATOM, BITS)) or (isinstance(one, EnumOf) and one == other):
            return builder.icmp_signed("==", left.ssa, right.ssa)
        if isinstance(one, RecordOf) and isinstance(other, RecordOf):
            if one.kind is not other.kind:
                return False
            places = self._compared_places(one.kind)
            return self._all_equal([self.part(left, i) for i in places], [self.part(right, i) for i in places])
        if isinstance(one, Tuple) and isinstance(other, Tuple):
            if len(one.items) != len(other.items):
                return False
            return self.equal_sequences(left, right)
        if isinstance(one, (List, Tuple)) and isinstance(other, (List, Tuple)):
            return self.equal_sequences(left, right)
        return False

    def _compared_places(self, kind: type) -> list[int]:
        """Return the places of the fields by which two instances of a frozen class are compared."""
        if inspect.getattr_static(kind, "__eq__") is inspect.getattr_static(object, "__eq__"):
            raise self.refuse(f"instances of {kind.__name__} are equal only if they are the same one; compare fields")
        if attrs.has(kind):
            fields = attrs.fields(kind)
            if any(each.eq_key is not None for each in fields):
                raise self.refuse(f"a field of {kind.__name__} is compared by a function, which is not compiled")
            return [index for index, each in enumerate(fields) if each.eq]
        return [index for index, each in enumerate(dataclasses.fields(kind)) if each.compare]

    def equal_sequences(self, left: Val, right: Val) -> SSA:
        """Return whether two sequences are equal, in a loop."""
        raise NotImplementedError

    def _equal_optional(self, left: Val, right: Val) -> SSA:
        """Compare two values of which either may be None: equal if both are None, or neither is and they are equal."""
        parts = []
        for value in (left, right):
            if isinstance(value.kind, Optional):
                parts.append((self.ssa(self.part(value, 0)), self.part(value, 1)))
            else:
                parts.append((self.bit(value.kind != NONE), value))
        (here, one), (there, other) = parts
        same = True if NONE in (one.kind, other.kind) else self._equal(one, other)
        both = self.builder.and_(here, there)
        alike = both if same is True else self.builder.and_(both, self.bit(False) if same is False else same)
        neither = self.builder.not_(self.builder.or_(here, there))
        return self.builder.or_(alike, neither)

    # Bits --------------------------------------------------------------------------------------------------------

    def bits_of_number(self, number: Value) -> Val:
        """Return `Bits(number)`."""
        if isinstance(number, Known):
            return Val(BITS, ssa=self.word(signed(Bits(number.value).word)))
        word = self.number(self.unwrapped(self.runtime(number)), INT)
        self.fail_if(self.builder.icmp_signed("<", word, self.word(0)), OVERFLOW)
        return Val(BITS, ssa=word)

    def bit_of_cell(self, cell: Value) -> SSA:
        """Return the word in which one bit is set; fail where the cell is none of 0 to 63."""
        word = self.number(self.unwrapped(self.runtime(cell)), INT)
        self.fail_if(self.builder.icmp_unsigned(">", word, self.word(63)), self.program.status_of(ValueError))
        return self.builder.shl(self.word(1), self.builder.and_(word, self.word(63)))

    def bits_of_cells(self, cells: Any) -> Val:
        """Return `Bits.of(*cells)`."""
        word: Any = self.word(0)
        for cell in cells:
            word = self.builder.or_(word, self.bit_of_cell(cell))
        return Val(BITS, ssa=word)

    def lowest_bit(self, word: SSA) -> SSA:
        """Return the place of the lowest bit that is set."""
        return self.intrinsic("llvm.cttz.i64", WORD, [word, self.bit(False)])

    def bit_count(self, word: SSA) -> SSA:
        """Return how many bits are set."""
        return self.intrinsic("llvm.ctpop.i64", WORD, [word])
