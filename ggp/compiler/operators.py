"""Arithmetic in machine code, with the results of Python or none at all.

Integers have 64 bits here. If a result would not fit, if Python would raise an exception, or if a float would be
rounded differently, the function fails, and its caller runs the same code interpreted.
"""

import ast
from typing import Any

from llvmlite import ir

from ggp.bits import Bits
from ggp.compiler.comparisons import EXACT, METHODS, OPERATORS, Comparisons, is_number
from ggp.compiler.encoding import signed
from ggp.compiler.llvm_types import BIT, DOUBLE, OVERFLOW, WORD
from ggp.compiler.types import BITS, BOOL, BOTTOM, FLOAT, INT, NONE, List, Tuple
from ggp.compiler.values import SSA, Known, Lazy, Pack, Val, Value

LOW63 = (1 << 63) - 1


class Operators(Comparisons):
    """Translates operators."""

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
        if kind in (ast.Add, ast.Mult):
            joined = self.joined_texts(kind, left, right)
            if joined is None:
                joined = self._sequence(kind, left, right)
            if joined is not None:
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
        """Return the symbol of an operator."""
        sample = ast.BinOp(ast.Name("a"), kind(), ast.Name("b"))
        return ast.unparse(sample)[2:-2]

    def _sequence(self, kind: type, left: Value, right: Value) -> Value | None:
        """Return the sum of two tuples or lists, or a repeated tuple or list; None for other operands."""
        if kind is ast.Mult:
            if isinstance(left, (Val, Known)) and not self._is_sequence(left):
                left, right = right, left
            items = self.items(left) if self._is_sequence(left) else None
            if items is None:
                return None
            if isinstance(right, Known):
                return Pack(tuple(map(self.frozen, items)) * right.value)
            raise self.refuse("a tuple or list can only be multiplied by a constant here")
        if not (self._is_sequence(left) and self._is_sequence(right)):
            return None
        if self.is_spelled(left) or self.is_spelled(right):
            raise self.refuse("a text and a tuple cannot be added")
        first, second = self.items(left), self.items(right)
        if first is not None and second is not None:
            return Pack((*map(self.frozen, first), *map(self.frozen, second)))
        return self.joined(left, right)

    def joined_texts(self, kind: type, left: Value, right: Value) -> Value | None:
        """Return the sum of two texts, or a repeated text; None for other operands."""
        raise NotImplementedError

    def joined(self, left: Value, right: Value) -> Val:
        """Return a list of the items of both sequences."""
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
                # A float here may be a whole number in Python, which would not be rounded.
                size = self.intrinsic("llvm.fabs.f64", DOUBLE, [made])
                self.fail_if(builder.fcmp_ordered(">", size, ir.Constant(DOUBLE, float(EXACT))), OVERFLOW)
            return made
        if kind in (ast.FloorDiv, ast.Mod):
            return self._fraction_divided(kind, left, right)
        raise self.refuse(f"{self.symbol(kind)} is not compiled for floats")

    def _fraction_divided(self, kind: type, left: SSA, right: SSA) -> SSA:
        """Return `left // right` or `left % right` of floats, step by step as CPython does."""
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
        from ggp.compiler import standard_library

        return self.call(Known(standard_library.power), [base, exponent], {}, None)

    def _fraction_raised(self, base: Val, exponent: Val) -> Val:
        """Return a power of floats; fail if it is infinite or not real."""
        one, other = self.number(base, FLOAT), self.number(exponent, FLOAT)
        zero = ir.Constant(DOUBLE, 0.0)
        bad = self.builder.and_(self.builder.fcmp_ordered("==", one, zero), self.builder.fcmp_ordered("<", other, zero))
        self.fail_if(bad, self.program.status_of(ZeroDivisionError))
        made = self.builder.call(self.program.declare("pow", ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE])), [one, other])
        finite = self.builder.fcmp_ordered("==", self.builder.fsub(made, made), zero)
        self.fail_if(self.builder.not_(finite), OVERFLOW)
        return Val(FLOAT, ssa=made)

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
            return self.negated(operand)
        if isinstance(operand, Known):
            try:
                return Known(OPERATORS[kind](operand.value))
            except Exception as error:
                return self.fails_here(type(error))
        if (own := self.special(operand, f"__{METHODS.get(kind)}__")) is not None:
            return self.call(Known(own), [operand], {}, None)
        value = self.unwrapped(self.runtime(operand))
        if value.kind == BOTTOM:
            return value
        if value.kind == NONE:
            return self.fails_here(TypeError)
        if value.kind == BITS and kind is ast.Invert:
            return Val(BITS, ssa=self.builder.not_(value.ssa))
        if value.kind == FLOAT and kind in (ast.USub, ast.UAdd):
            return Val(FLOAT, ssa=self.builder.fneg(value.ssa)) if kind is ast.USub else value
        if not is_number(value) or value.kind == FLOAT:
            raise self.refuse(
                f"`{ast.unparse(ast.UnaryOp(kind(), ast.Name('value')))}` is not compiled for a {value.kind}"
            )
        word = self.number(value, INT)
        if kind is ast.Invert:
            return Val(INT, ssa=self.builder.not_(word))
        if kind is ast.UAdd:
            return Val(INT, ssa=word)
        return Val(INT, ssa=self._whole(ast.Sub, self.word(0), word))

    # Bits --------------------------------------------------------------------------------------------------------

    def bits_of_number(self, number: Value) -> Val:
        """Return `Bits(number)`."""
        if isinstance(number, Known):
            return Val(BITS, ssa=self.word(signed(Bits(number.value).word)))
        word = self.number(self.unwrapped(self.runtime(number)), INT)
        self.fail_if(self.builder.icmp_signed("<", word, self.word(0)), OVERFLOW)
        return Val(BITS, ssa=word)

    def bit_of_cell(self, cell: Value) -> SSA:
        """Return the word with this one bit set; fail if the cell is not from 0 to 63."""
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
        """Return the index of the lowest bit that is set."""
        return self.intrinsic("llvm.cttz.i64", WORD, [word, self.bit(False)])

    def bit_count(self, word: SSA) -> SSA:
        """Return the number of bits that are set."""
        return self.intrinsic("llvm.ctpop.i64", WORD, [word])
