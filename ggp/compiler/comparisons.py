"""Truth and comparisons, and operators that are defined by special methods."""

import ast
import dataclasses
import enum
import inspect
import operator
import types as pytypes
from typing import Any

import attrs
from llvmlite import ir

from ggp.compiler.lists import Lists
from ggp.compiler.llvm_types import DOUBLE, array_item
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
    is_text,
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
"""The special method for each operator."""
SYMBOLS: dict[type, str] = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
REFLECTED: dict[type, type] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
EXACT = 1 << 53
"""Integers up to this size convert to floats exactly."""


def is_number(value: Val) -> bool:
    """Return whether a run-time value is a number: arithmetic works with it."""
    return value.kind in (INT, BOOL, FLOAT) or (isinstance(value.kind, EnumOf) and issubclass(value.kind.kind, int))


def written(kind: type | None, name: str) -> Any:
    """Return a special method written by the author of a class; None if Python or a library made it."""
    found = inspect.getattr_static(kind, name, None) if kind is not None else None
    if not isinstance(found, pytypes.FunctionType) or found.__code__.co_filename.startswith("<attrs"):
        return None
    made = found.__code__.co_filename == "<string>" or found.__module__ in ("enum", "collections", "typing", "ggp.bits")
    return None if made or getattr(found, "__module__", "") == "dataclasses" else found


class Comparisons(Lists):
    """Translates truth and comparisons."""

    def class_of(self, value: Value) -> type | None:
        """Return the class of a record or named tuple; None for any other value."""
        raise NotImplementedError

    def special(self, value: Value, name: str) -> Any:
        """Return a special method of the class of a run-time value; None if it has none."""
        if isinstance(value, Val):
            kind = value.kind.item if isinstance(value.kind, Optional) else value.kind
            if isinstance(kind, EnumOf):
                return written(kind.kind, name)
            return written(getattr(kind, "kind", None), name)
        if isinstance(value, Known) and isinstance(value.value, enum.Enum):
            return written(type(value.value), name)
        return written(self.class_of(value), name) if isinstance(value, (Pack, Known)) else None

    def by_method(self, kind: type, left: Value, right: Value) -> Value | None:
        """Return the result of an operator by the operands' own method; None if neither class has one."""
        name = METHODS.get(kind)
        for one, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
            found = self.special(one, method)
            if found is not None:
                return self.call(Known(found), [one, other], {}, None)
        return None

    def call(self, function: Value, positional: list[Value], named: dict[str, Value], node: ast.AST | None) -> Value:
        """Call a function."""
        raise NotImplementedError

    # Truth -------------------------------------------------------------------------------------------------------

    def truth(self, value: Value) -> Truth:
        """Return whether a value is true: a bool if that is known, otherwise a bit."""
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
            return len(value.items) > 0 if value.kind is None or issubclass(value.kind, (tuple, str)) else True
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

    def negated(self, value: Value) -> Value:
        """Return `not value`."""
        truth = self.truth(value)
        return Known(not truth) if isinstance(truth, bool) else Val(BOOL, ssa=self.builder.not_(truth))

    # Comparison --------------------------------------------------------------------------------------------------

    def compared(self, kind: type, left: Value, right: Value) -> Value:
        """Return `left kind right` for one comparison operator."""
        if kind in (ast.In, ast.NotIn):
            found = self.contains(right, left)
            return found if kind is ast.In else self.negated(found)
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
        if isinstance(first.kind, RecordOf) and first.kind.kind is getattr(second.kind, "kind", None):
            return self._ordered_records(kind, first, second)
        if first.kind == BITS and second.kind == BITS and kind is ast.Lt:
            return Val(BOOL, ssa=self.builder.icmp_unsigned("<", first.ssa, second.ssa))
        if not is_number(first) or not is_number(second):
            raise self.refuse(f"{SYMBOLS[kind]} between {first.kind} and {second.kind} is not compiled")
        if FLOAT in (first.kind, second.kind):
            pair = self.number(first, FLOAT), self.number(second, FLOAT)
            return Val(BOOL, ssa=self.builder.fcmp_ordered(SYMBOLS[kind], *pair))
        return Val(BOOL, ssa=self.builder.icmp_signed(SYMBOLS[kind], self.number(first, INT), self.number(second, INT)))

    def _ordered(self, kind: type, left: Val, right: Val) -> Value:
        """Compare two sequences by order."""
        from ggp.compiler import standard_library

        if isinstance(left.kind, Tuple) and isinstance(right.kind, Tuple):
            return self._lexical(kind, left, right)
        if kind in (ast.Gt, ast.LtE):
            left, right = right, left
        before = self.call(Known(standard_library.comes_before), [left, right], {}, None)
        return before if kind in (ast.Lt, ast.Gt) else self.negated(before)

    def _ordered_records(self, kind: type, left: Val, right: Val) -> Value:
        """Return which of two instances of a data class with `order=True` comes first."""
        assert isinstance(left.kind, RecordOf)
        made = getattr(left.kind.kind, "__dataclass_params__", None)
        if made is None or not made.order:
            raise self.refuse(f"{SYMBOLS[kind]} between {left.kind} and {right.kind} is not compiled")
        places = self._compared_places(left.kind.kind)
        packs = [Pack(tuple(self.part(each, place) for place in places)) for each in (left, right)]
        return self._lexical(kind, *map(self.runtime, packs))

    def contains(self, container: Value, item: Value) -> Value:
        """Return `item in container`."""
        raise NotImplementedError

    def _lexical(self, kind: type, left: Val, right: Val) -> Val:
        """Compare two tuples by order."""
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
                raise self.refuse("`is` can only be compiled for None, truth values and enumerations; write ==")
            if isinstance(one, Known) and isinstance(one.value, bool) and isinstance(other, Val) and other.kind != BOOL:
                raise self.refuse("`is True` and `is False` can only be compiled for truth values; write ==")
        return self.compared(ast.Eq if kind is ast.Is else ast.NotEq, left, right)

    def equal(self, left: Value, right: Value) -> Truth:
        """Return whether two values are equal: a bool if that is known, otherwise a bit."""
        if isinstance(left, Known) and isinstance(right, Known):
            return bool(left.value == right.value)
        if self.is_spelled(left) or self.is_spelled(right):
            return self.equal_texts(left, right)
        for one, other in ((left, right), (right, left)):
            own = self.special(one, "__eq__")
            if own is not None and not self._may_be_none(one, other):
                return self.truth(self.call(Known(own), [one, other], {}, None))
        first, second = self.items_of_tuple(left), self.items_of_tuple(right)
        if first is not None and second is not None and not (self._arrays(left, right) and len(first) > 16):
            return self.all_equal(first, second)
        if isinstance(left, Known) and left.value is None:
            left, right = right, left
        if isinstance(right, Known) and right.value is None:
            return self._is_none(left)
        one, other = self.runtime(left), self.runtime(right)
        return self._equal(one, other)

    def is_spelled(self, value: Value) -> bool:
        """Return whether a value is a text whose letters are run-time values."""
        raise NotImplementedError

    def equal_texts(self, left: Value, right: Value) -> Truth:
        """Return whether two values are equal, one of which is a spelled-out text."""
        raise NotImplementedError

    def _may_be_none(self, one: Value, other: Value) -> bool:
        """Return whether None is compared with an object that defines `__eq__`; refuse the comparison if that is not
        known.
        """
        if isinstance(other, Known) and other.value is None:
            return True
        if any(isinstance(each, Val) and isinstance(each.kind, Optional) for each in (one, other)):
            raise self.refuse(
                "an object with its own __eq__ is compared with a value that may be None; compare that with None first"
            )
        return False

    def items_of_tuple(self, value: Value) -> list[Any] | None:
        """Return the items of a tuple; None for any other value."""
        if isinstance(value, Pack) and (value.kind is None or issubclass(value.kind, tuple)):
            return list(value.items)
        if isinstance(value, Known) and isinstance(value.value, tuple):
            return [Known(each) for each in value.value]
        if isinstance(value, Val) and isinstance(value.kind, Tuple):
            return self.items(value)
        return None

    def _arrays(self, left: Value, right: Value) -> bool:
        return all(isinstance(each, Val) and array_item(each.kind) is not None for each in (left, right))

    def all_equal(self, left: list[Value], right: list[Value]) -> Truth:
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
            return self.all_equal([self.part(left, i) for i in places], [self.part(right, i) for i in places])
        if isinstance(one, Tuple) and isinstance(other, Tuple):
            if len(one.items) != len(other.items) or is_text(one) != is_text(other):
                return False
            if self._arrays(left, right):
                return self.equal_sequences(left, right)
            count = len(one.items)
            return self.all_equal(
                [self.part(left, i) for i in range(count)], [self.part(right, i) for i in range(count)]
            )
        if isinstance(one, (List, Tuple)) and isinstance(other, (List, Tuple)):
            return self.equal_sequences(left, right)
        return False

    def _compared_places(self, kind: type) -> list[int]:
        """Return the indices of the fields by which two instances of a frozen class are compared."""
        if inspect.getattr_static(kind, "__eq__") is inspect.getattr_static(object, "__eq__"):
            raise self.refuse(
                f"{kind.__name__} has no __eq__, so that == compares identity; compare the fields instead"
            )
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
        """Compare two values that may be None: they are equal if both are None, or neither is and they are equal."""
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
