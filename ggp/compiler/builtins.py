"""Python's built-in functions and methods in machine code, and Numbers, texts and bits as objects."""

import ast
import builtins
import dataclasses
import enum
import functools
import inspect
import itertools
import math
import operator
import sys
from collections.abc import Callable
from typing import Any

import attrs
from llvmlite import ir

from ggp.bits import Bits
from ggp.compiler import library, memory
from ggp.compiler.library import Beyond
from ggp.compiler.llvm_types import BIT, DOUBLE, OVERFLOW, WORD, is_large, llvm_type
from ggp.compiler.loops import runs_out
from ggp.compiler.machine_words import Words
from ggp.compiler.operators import is_number
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
    NotRepresentable,
    Optional,
    RecordOf,
    Tuple,
    field_names,
    is_record,
    join,
    member_number,
)
from ggp.compiler.values import (
    SSA,
    Closure,
    Comprehension,
    Distinct,
    Enumerated,
    Filtered,
    Generated,
    Iterated,
    Known,
    Lazy,
    Mapped,
    Mapping,
    Method,
    Pack,
    Partial,
    Product,
    Range,
    Reversed,
    Static,
    Truth,
    Val,
    Value,
    Zipped,
    known_values,
)

Handler = Callable[..., Any]
COMPENSATED = sys.version_info >= (3, 12)
"""Whether Python's own sum of fractions makes up for what is lost by rounding."""
MOST_COMBINED = 256
"""Items of `itertools.product` and the like, which become one expression for each."""


class Builtins(Words):
    """Translates calls of builtins and other functions that are not written in Python."""

    def builtin(self, function: Callable[..., Any], arguments: list[Value], named: dict[str, Value]) -> Any:
        """Return what a built-in function returns; NotImplemented for one that is not compiled."""
        try:
            handler = HANDLERS.get(function)
        except TypeError:  # not hashable
            return NotImplemented
        if handler is not None:
            return handler(self, *arguments, **named)
        if isinstance(function, type):
            return self.made(function, arguments, named)
        return NotImplemented

    # Classes -----------------------------------------------------------------------------------------------------

    def made(self, kind: type, arguments: list[Value], named: dict[str, Value]) -> Any:
        """Return an instance of a class."""
        if issubclass(kind, enum.Enum) and len(arguments) == 1:
            return self._member(kind, arguments[0])
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            signature = inspect.signature(kind.__new__)
            bound = self._bound_to(kind, signature, [Known(kind), *arguments], named)
            return Pack(tuple(self.frozen(bound[name]) for name in kind._fields), kind)
        if is_record(kind):
            return self._record(kind, arguments, named)
        return NotImplemented

    def _bound_to(
        self, kind: type, signature: inspect.Signature, arguments: list[Value], named: dict[str, Value]
    ) -> dict[str, Any]:
        try:
            bound = signature.bind(*arguments, **named)
        except TypeError as error:
            raise self.refuse(f"{kind.__name__}: {error}") from error
        given = dict(bound.arguments)
        for name, parameter in signature.parameters.items():
            if name not in given and parameter.default is not parameter.empty:
                given[name] = Known(parameter.default)
        return given

    def _record(self, kind: type, arguments: list[Value], named: dict[str, Value]) -> Pack:
        hooks = [name for name in ("__attrs_post_init__", "__attrs_pre_init__", "__post_init__", "__new__")
                 if getattr(kind, name, None) not in (None, object.__new__)]  # fmt: skip
        written = kind.__dict__.get("__init__")
        if hooks or (attrs.has(kind) and written is None):
            raise self.refuse(
                f"{kind.__name__} does more than keep its fields when it is made ({', '.join(hooks) or '__init__'})"
            )
        signature = inspect.signature(kind)
        given = self._bound_to(kind, signature, arguments, named)
        items = []
        for name, field in self._fields(kind):
            converter = getattr(field, "converter", None)
            if converter is not None:
                raise self.refuse(f"the field {name} of {kind.__name__} has a converter, which is not compiled")
            parameter = getattr(field, "alias", name)
            if (
                parameter in given
                and isinstance(given[parameter], Known)
                and type(given[parameter].value).__name__ in ("_Nothing", "Factory", "_HAS_DEFAULT_FACTORY_CLASS")
            ):
                given.pop(parameter)
            if parameter not in given:
                default = getattr(field, "default", None)
                factory = getattr(default, "factory", getattr(field, "default_factory", None))
                if not callable(factory):
                    raise self.refuse(f"{kind.__name__} is made without its field {name}")
                given[parameter] = Known(factory())
            items.append(self.frozen(given[parameter]))
        return Pack(tuple(items), kind)

    def _fields(self, kind: type) -> list[tuple[str, Any]]:
        if attrs.has(kind):
            return [(field.name, field) for field in attrs.fields(kind)]
        return [(field.name, field) for field in dataclasses.fields(kind)]

    def _member(self, kind: type[enum.Enum], value: Value) -> Value:
        found = self.unwrapped(self.runtime(value))
        if found.kind == EnumOf(kind):
            return found
        if found.kind == BOTTOM:
            return found
        if any(type(each.value) is not int for each in kind) or found.kind not in (INT, BOOL):
            raise self.refuse(f"{kind.__name__}(...) is compiled for members that are whole numbers")
        word = self.number(found, INT)
        members = list(kind)
        known = self.bit(False)
        made: Any = self.word(0)
        for member in members:
            same = self.builder.icmp_signed("==", word, self.word(member.value))
            known = self.builder.or_(known, same)
            number = member_number(member)
            made = self.builder.select(same, self.word(number), made)
        self.fail_if(self.builder.not_(known), self.program.status_of(ValueError))
        return Val(EnumOf(kind), ssa=made)

    def evolved(self, value: Value, changes: dict[str, Value]) -> Value:
        """Return a record or named tuple with other values of some fields."""
        kind = self.class_of(value)
        if kind is None:
            raise self.refuse("only records and named tuples can be changed field by field")
        names = list(field_names(kind))
        parts = list(value.items) if isinstance(value, Pack) else [self.field(value, name) for name in names]
        for name, change in changes.items():
            if name not in names:
                raise self.refuse(f"{kind.__name__} has no field {name}")
            parts[names.index(name)] = change
        return Pack(tuple(map(self.frozen, parts)), kind)

    def class_of(self, value: Value) -> type | None:
        """Return the class of a record or named tuple; None for anything else."""
        if isinstance(value, Known) and isinstance(value.value, Bits):
            return None
        if isinstance(value, Known):
            kind: Any = type(value.value)
            return kind if is_record(kind) or hasattr(kind, "_fields") else None
        if isinstance(value, Pack):
            return value.kind
        if isinstance(value, Val) and isinstance(value.kind, (RecordOf, Tuple)):
            return value.kind.kind
        return None

    def field(self, value: Value, name: str) -> Value:
        """Return a field of a record or named tuple."""
        if isinstance(value, Known):
            return Known(getattr(value.value, name))
        kind = self.class_of(value)
        assert kind is not None
        index = field_names(kind).index(name)
        return value.items[index] if isinstance(value, Pack) else self.part(self.runtime(value), index)

    # Attributes of run-time values -------------------------------------------------------------------------------

    def attribute_of(self, value: Value, name: str) -> Value:
        """Return an attribute of a run-time value: a field, a property, or a method to be called."""
        if isinstance(value, Val) and isinstance(value.kind, Optional):
            value = self.unwrapped(value)
        if isinstance(value, Val) and value.kind == BOTTOM:
            return value
        kind = self.class_of(value)
        if kind is not None and name == "_replace":
            return Method(None, value, name)
        if kind is not None:
            if name in field_names(kind):
                return self.field(value, name)
            found = inspect.getattr_static(kind, name, None)
            if isinstance(found, property):
                return self.call(Known(found.fget), [value], {}, None)
            if isinstance(found, functools.cached_property):
                return self.call(Known(found.func), [value], {}, None)
            if isinstance(found, (staticmethod, classmethod)):
                return Known(getattr(kind, name))
            if inspect.isfunction(found):
                return Method(found, value, name)
            if found is not None and not callable(found):
                return Known(getattr(kind, name))
        if isinstance(value, Val) and isinstance(value.kind, EnumOf):
            return self._of_member(value, name)
        if isinstance(value, Val) and value.kind == BITS and name == "word":
            self.fail_if(self.builder.icmp_signed("<", value.ssa, self.word(0)), OVERFLOW)
            return Val(INT, ssa=value.ssa)
        return Method(None, value, name)

    def _of_member(self, value: Val, name: str) -> Value:
        assert isinstance(value.kind, EnumOf)
        kind = value.kind.kind
        found = inspect.getattr_static(kind, name, None)
        if inspect.isfunction(found):
            return Method(found, value, name)
        if isinstance(found, property) and found.fget is not None and name not in ("name", "value"):
            return self.call(Known(found.fget), [value], {}, None)
        members = list(kind)
        if name not in ("value", "name"):
            raise self.refuse(f"the attribute {name} of {kind.__name__} is not compiled")
        if name == "value" and issubclass(kind, int):
            return Val(INT, ssa=value.ssa)
        return self.looked_up({member: getattr(member, name) for member in members}, value, None)

    def method(self, method: Method, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a method of a number, a tuple, a list, a text or bits."""
        receiver, name = method.receiver, method.name
        if name == "_replace":
            return self.evolved(receiver, named)
        if isinstance(receiver, Known) and isinstance(receiver.value, dict):
            return self._of_dict(receiver.value, name, arguments)
        if isinstance(receiver, Mapping):
            return self._of_dict(receiver.entries, name, arguments)
        if isinstance(receiver, Known) and isinstance(receiver.value, str):
            return self._of_text(receiver.value, name, arguments)
        if (isinstance(receiver, Val) and receiver.kind == BITS) or (
            isinstance(receiver, Known) and isinstance(receiver.value, Bits)
        ):
            return self._of_bits_object(self.runtime(receiver), name, arguments)
        if name == "index" and len(arguments) == 1:
            return self._index(receiver, arguments[0], None)
        if name == "count" and len(arguments) == 1:
            return self._count(receiver, arguments[0])
        if name == "copy" and not arguments:
            return self.sequence(receiver)
        value = self.unwrapped(self.runtime(receiver))
        if value.kind == BOTTOM:
            return value
        if value.kind in (INT, BOOL) and name in ("bit_count", "bit_length"):
            return self._bits_of_number(self.number(value, INT), name)
        raise self.refuse(f"the method {name} of a {value.kind} is not compiled")

    def _of_text(self, text: str, name: str, arguments: list[Value]) -> Value:
        """Call a method of a known text with a run-time text, of which it may have parts."""
        missing = {"index": None, "find": -1, "rfind": -1, "count": 0, "startswith": False, "endswith": False}
        if name not in missing or len(arguments) != 1:
            raise self.refuse(f"the method {name} of a text is not compiled")
        found = self.runtime(arguments[0])
        if found.kind not in (ATOM, BOTTOM):
            raise self.refuse(f"the method {name} of a text is compiled for texts; got a {found.kind}")
        table = {part: getattr(text, name)(part) for part in self.parts_of_text(text)}
        default = missing[name]
        return self.looked_up(table, found, None if default is None else Known(default), ValueError)

    def _bits_of_number(self, word: SSA, name: str) -> Val:
        negative = self.builder.icmp_signed("<", word, self.word(0))
        least = self.builder.icmp_signed("==", word, self.word(-1 << 63))
        self.fail_if(least, OVERFLOW)
        word = self.builder.select(negative, self.builder.neg(word), word)
        if name == "bit_count":
            return Val(INT, ssa=self.bit_count(word))
        zeros = self.intrinsic("llvm.ctlz.i64", WORD, [word, self.bit(False)])
        return Val(INT, ssa=self.builder.sub(self.word(64), zeros))

    def _of_dict(self, table: dict[Any, Any], name: str, arguments: list[Value]) -> Value:
        if name == "get" and arguments:
            return self.looked_up(table, arguments[0], arguments[1] if len(arguments) > 1 else Known(None))
        if name in ("keys", "values", "items") and not arguments:
            keys = [Known(each) for each in table]
            values = [each if isinstance(each, (Val, *Static)) else Known(each) for each in table.values()]
            pairs = [Pack(pair) for pair in zip(keys, values, strict=True)]
            views: dict[str, list[Any]] = {"keys": keys, "values": values, "items": pairs}
            return Pack(tuple(views[name]))
        raise self.refuse(f"the method {name} of a dictionary is not compiled")

    def _of_bits_object(self, value: Val, name: str, arguments: list[Value]) -> Value:
        builder = self.builder
        if name == "lowest" and not arguments:
            empty = builder.icmp_signed("==", value.ssa, self.word(0))
            return Val(INT, ssa=builder.select(empty, self.word(-1), self.lowest_bit(value.ssa)))
        if name in ("including", "excluding") and len(arguments) == 1:
            bit = self.bit_of_cell(arguments[0])
            word = builder.or_(value.ssa, bit) if name == "including" else builder.and_(value.ssa, builder.not_(bit))
            return Val(BITS, ssa=word)
        found = inspect.getattr_static(Bits, name, None)
        if inspect.isfunction(found):
            return self.call(Known(found), [value, *arguments], {}, None)
        raise self.refuse(f"Bits has no method {name}")

    def _index(self, items: Value, item: Value, missing: int | None) -> Val:
        """Return the place of the first item that is equal."""
        place = self.reserve(WORD)
        self.builder.store(self.word(0), place)

        def same(each: Value) -> None:
            equal = self.equal(each, item)
            after, end = self.block("other"), self.block("same")
            self.branch(self.bit(equal) if isinstance(equal, bool) else equal, end, after)
            self.at(after)
            self.builder.store(self.builder.add(self.builder.load(place, typ=WORD), self.word(1)), place)
            ends.append(end)

        ends: list[Any] = []
        self.iterate(items, same)
        if missing is None:
            self.fail_with(ValueError)
        else:
            self.builder.store(self.word(missing), place)
        over = self.block("over")
        self.jump(over)
        for end in ends:
            self.at(end)
            self.builder.branch(over)
        self.at(over)
        return Val(INT, ssa=self.builder.load(place, typ=WORD))

    def _count(self, items: Value, item: Value) -> Val:
        place = self.reserve(WORD)
        self.builder.store(self.word(0), place)

        def one(each: Value) -> None:
            same = self.equal(each, item)
            more = self.builder.zext(self.bit(same) if isinstance(same, bool) else same, WORD)
            self.builder.store(self.builder.add(self.builder.load(place, typ=WORD), more), place)

        self.iterate(items, one)
        return Val(INT, ssa=self.builder.load(place, typ=WORD))

    # Functions over sequences ------------------------------------------------------------------------------------

    def py_any(self, items: Value) -> Value:
        """Compile `any(items)`."""
        return self.some(items.items if isinstance(items, Distinct) else items, self.truth)

    def py_all(self, items: Value) -> Value:
        """Compile `all(items)`."""

        def fails(each: Value) -> Truth:
            truth = self.truth(each)
            return not truth if isinstance(truth, bool) else self.builder.not_(truth)

        return self.unary(ast.Not, self.some(items.items if isinstance(items, Distinct) else items, fails))

    def py_sum(self, items: Value, start: Any = None) -> Value:
        """Compile `sum(items, start)`."""
        if isinstance(items, Distinct):
            items = self.distinct_list(items)
        if start is not None and self.items_of_tuple(start) is not None:
            made = self.sequence(items) if isinstance(items, Comprehension) else items
            return self.folded(Known(operator.add), made, start)
        key = ("sum", self.here())
        if COMPENSATED and self.program.facts.get(key) == FLOAT:
            return self._sum_of_fractions(items, start)
        slot = self.slot(key)
        self.assign(slot, key, start if start is not None else Known(0))
        self.iterate(items, lambda each: self.assign(slot, key, self.binary(ast.Add, self.read(slot), each)))
        return self.read(slot, borrowed=False)

    def _sum_of_fractions(self, items: Value, start: Any) -> Val:
        """Return a sum with Neumaier's compensation, step by step as CPython has it from version 3.12 on."""
        builder = self.builder
        total, lost = self.reserve(DOUBLE), self.reserve(DOUBLE)
        first = self.runtime(start) if start is not None else Val(FLOAT, ssa=ir.Constant(DOUBLE, 0.0))
        self._require_fraction(first)
        builder.store(first.ssa, total)
        builder.store(ir.Constant(DOUBLE, 0.0), lost)

        def add(each: Value) -> None:
            value = self.unwrapped(self.runtime(each))
            self._require_fraction(value)
            before = builder.load(total, typ=DOUBLE)
            after = builder.fadd(before, value.ssa)
            sizes = [self.intrinsic("llvm.fabs.f64", DOUBLE, [number]) for number in (before, value.ssa)]
            large, small = (builder.fadd(builder.fsub(one, after), other)
                            for one, other in ((before, value.ssa), (value.ssa, before)))  # fmt: skip
            error = builder.select(builder.fcmp_ordered(">=", *sizes), large, small)
            builder.store(builder.fadd(builder.load(lost, typ=DOUBLE), error), lost)
            builder.store(after, total)

        self.iterate(items, add)
        found, rest = builder.load(total, typ=DOUBLE), builder.load(lost, typ=DOUBLE)
        finite = builder.fcmp_ordered("==", builder.fsub(rest, rest), ir.Constant(DOUBLE, 0.0))
        return Val(FLOAT, ssa=builder.select(finite, builder.fadd(found, rest), found))

    def _require_fraction(self, value: Val) -> None:
        if value.kind != FLOAT:
            raise self.refuse(f"a sum of fractions together with a {value.kind} is not compiled; write float(...)")

    def best(self, kind: type, *arguments: Value, key: Value | None = None, default: Value | None = None) -> Value:
        """Compile `min` and `max`: `kind` compares a newer item with the best so far."""
        if len(arguments) > 1 and key is None:
            return self._best_of(kind, list(arguments))
        items = arguments[0] if len(arguments) == 1 else Pack(tuple(arguments))
        if isinstance(items, Distinct):
            if key is not None:
                raise self.refuse("which item of a set is best by a key depends on its order; write sorted(...)")
            items = items.items
        known = self.items(items) if key is None and default is None else None
        if known and len(known) <= 16:
            return self._best_of(kind, known)
        return self._best_item(kind, items, key, default)

    def _best_of(self, kind: type, values: list[Value]) -> Value:
        if (known := known_values(values)) is not None:
            return Known((max if kind is ast.Gt else min)(known))
        runtime = [self.unwrapped(self.runtime(each)) for each in values]
        if any(each.kind == BOTTOM for each in runtime):
            return self.bottom()
        if all(is_number(each) for each in runtime):
            fractions = any(each.kind == FLOAT for each in runtime)
            best = runtime[0]
            best = Val(FLOAT if fractions else INT, ssa=self.number(best, FLOAT if fractions else INT))
            for each in runtime[1:]:
                other = Val(best.kind, ssa=self.number(each, best.kind))
                ahead = self.truth_bit(self.compared(kind, other, best))
                best = Val(best.kind, ssa=self.builder.select(ahead, other.ssa, best.ssa))
            return best
        return self._best_item(kind, Pack(tuple(values)), None, None)

    def _best_item(self, kind: type, items: Value, key: Value | None, default: Value | None) -> Value:
        here = self.here()
        best_key, rank_key = ("best", here), ("rank", here)
        best, rank, met = self.slot(best_key), self.slot(rank_key), self.reserve(BIT)
        self.builder.store(self.bit(False), met)

        def one(each: Value) -> None:
            each = self.frozen(each)
            value = each if key is None else self.call(key, [each], {}, None)
            take, later, after = self.block("take"), self.block("later"), self.block("after")
            self.branch(self.builder.load(met, typ=BIT), later, take)
            self.at(later)
            known = self.program.facts.get(rank_key, BOTTOM)
            ahead = self.bit(False) if known == BOTTOM else self.truth_bit(self.compared(kind, value, self.read(rank)))
            self.branch(ahead, take, after)
            self.at(take)
            self.assign(best, best_key, each)
            self.assign(rank, rank_key, value)
            self.builder.store(self.bit(True), met)
            self.jump(after)
            self.at(after)

        self.iterate(items, one)
        missing, over = self.block("missing"), self.block("over")
        self.branch(self.builder.load(met, typ=BIT), over, missing)
        self.at(missing)
        if default is None:
            self.fail_with(ValueError)
        else:
            self.assign(best, best_key, default)
            self.jump(over)
        self.at(over)
        return self.read(best, borrowed=False)

    def sequence(self, items: Value | None = None) -> Value:
        """Compile `tuple(items)` and `list(items)`."""
        if items is None:
            return Pack(())
        if isinstance(items, Comprehension):
            packed = self.packed_comprehension(items)
            if packed is not None:
                return packed
        if isinstance(items, (Mapped, Zipped, Enumerated, Reversed)):
            packed = self._packed(items)
            if packed is not None:
                return packed
        known = self.items(items)
        if known is not None:
            if isinstance(items, Known):
                return Known(tuple(each.value for each in known))
            if isinstance(items, Val) and isinstance(items.kind, Tuple):
                return items if items.kind.kind is None else Pack(tuple(known))
            return Pack(tuple(map(self.frozen, known)))
        if isinstance(items, Val) and isinstance(items.kind, List):
            return self.list_of(items, items.kind)
        return self.runtime(items)

    def packed_comprehension(self, items: Comprehension) -> Pack | None:
        """Return the elements of a comprehension of fixed length one by one; None where it has none."""
        raise NotImplementedError

    def folded(self, function: Value, items: Value, first: Value | None = None) -> Value:
        """Compile `functools.reduce(function, items, first)`."""
        known = self.fixed(items)
        if known is None or len(known) > 64 or not (known or first is not None):
            raise self.refuse("reduce is compiled for at most 64 items, whose number is known")
        made = first if first is not None else known.pop(0)
        for each in known:
            made = self.frozen(self.call(function, [made, each], {}, None))
        return made

    def combined(self, function: Any, *parts: Value, **named: Value) -> Value:
        """Compile `itertools.product` and the like, of sequences whose length is known."""
        constants = {name: each.value for name, each in named.items() if isinstance(each, Known)}
        if len(constants) < len(named):
            raise self.refuse(f"{function.__name__} is compiled for constant arguments by name")
        sequences = [self.fixed(each) if not isinstance(each, Known) or not isinstance(each.value, int) else each.value
                     for each in parts]  # fmt: skip
        if function is itertools.product and any(each is None for each in sequences):
            again = constants.get("repeat", 1)
            return Product(tuple(self.frozen(self.listed(each) if runs_out(each) else each) for each in parts) * again)
        if any(each is None for each in sequences):
            raise self.refuse(f"{function.__name__} is compiled for sequences whose length is known")
        rows = list(function(*sequences, **constants))
        if len(rows) > MOST_COMBINED:
            raise self.refuse(f"{function.__name__} makes more than {MOST_COMBINED} items here; write loops")
        return Iterated(Pack(tuple(Pack(each) if isinstance(each, tuple) else each for each in rows)))

    def fixed(self, items: Value) -> list[Any] | None:
        """Return the items of what has a fixed number of them, lazy or not; None for anything else."""
        if isinstance(items, (Mapped, Zipped, Enumerated, Reversed)):
            packed = self._packed(items)
            return None if packed is None else list(packed.items)
        return self.items(items)

    def _packed(self, items: Mapped | Zipped | Enumerated | Reversed) -> Pack | None:
        if isinstance(items, Reversed):
            known = self.fixed(items.items)
            return None if known is None else Pack(tuple(reversed(known)))
        if isinstance(items, Enumerated):
            known = self.fixed(items.items)
            if known is None:
                return None
            numbers = [self.binary(ast.Add, items.start, Known(index)) for index in range(len(known))]
            return Pack(tuple(Pack(pair) for pair in zip(numbers, known, strict=True)))
        if isinstance(items, Zipped):
            parts = [self.fixed(part) for part in items.parts]
            if any(part is None for part in parts):
                return None
            return Pack(tuple(Pack(row) for row in zip(*[part or [] for part in parts], strict=False)))
        known = self.fixed(items.items)
        if known is None or len(known) > 64:
            return None
        return Pack(tuple(self.frozen(self.call(items.function, [each], {}, None)) for each in known))

    def py_sorted(self, items: Value, key: Value | None = None, reverse: Value | None = None) -> Val:
        """Compile `sorted(items, key=key, reverse=reverse)`: by insertion, which is stable."""
        backwards = self.truth(reverse) if reverse is not None else False
        if not isinstance(backwards, bool):
            raise self.refuse("reverse= of sorted is compiled for a constant")
        if isinstance(items, Distinct):
            items = self.distinct_list(items)
        made = self.runtime(items if isinstance(items, Lazy) else self.listed(items))
        if isinstance(made.kind, Tuple):
            try:
                item = functools.reduce(join, made.kind.items, BOTTOM)
            except NotRepresentable as error:
                raise self.refuse(f"what is sorted differs in type: {error}") from None
            made = self.list_of(made, List(item if item != BOTTOM else INT))
        else:
            assert isinstance(made.kind, List)
            made = self.list_of(made, made.kind)
        start, count = self.list_parts(made)
        assert isinstance(made.kind, List)
        item = made.kind.item
        at, hole = self.reserve(WORD), self.reserve(llvm_type(item))

        def insert(index: SSA) -> None:
            self.put(self.at_address(item, self.item_address(item, start, index)), hole)
            moving = self.at_address(item, hole)
            rank = moving if key is None else self.runtime(self.call(key, [moving], {}, None))
            self.builder.store(index, at)
            head, look, move, done = self.block("head"), self.block("look"), self.block("move"), self.block("done")
            self.jump(head)
            self.at(head)
            place = self.builder.load(at, typ=WORD)
            self.branch(self.builder.icmp_signed(">", place, self.word(0)), look, done)
            self.at(look)
            before = self.builder.sub(self.builder.load(at, typ=WORD), self.word(1))
            other = self.at_address(item, self.item_address(item, start, before))
            other_rank = other if key is None else self.call(key, [other], {}, None)
            ahead = self.compared(ast.Gt if backwards else ast.Lt, rank, other_rank)
            self.branch(self.truth_bit(ahead), move, done)
            self.at(move)
            self.put(other, self.item_address(item, start, self.builder.add(before, self.word(1))))
            self.builder.store(before, at)
            self.jump(head)
            self.at(done)
            here = self.item_address(item, start, self.builder.load(at, typ=WORD))
            self.put(self.at_address(item, hole), here)

        self.counted(count, insert)
        return made

    def py_next(self, items: Value, default: Value | None = None) -> Value:
        """Compile `next(items, default)` of a generator expression."""
        if not isinstance(items, (Comprehension, Generated, Filtered, Mapped, Iterated, Zipped, Enumerated, Reversed)):
            raise self.refuse("next(...) is compiled for generators and iter(...)")
        key = ("next", self.here())
        slot = self.slot(key)
        end = self.block("end")

        def one(each: Value) -> None:
            self.assign(slot, key, each)
            self.jump(end)
            self.at(self.block("never"))

        self.iterate(items, one)
        if default is None:
            self.fail_with(StopIteration)
        else:
            self.assign(slot, key, default)
            self.jump(end)
        self.at(end)
        return self.read(slot, borrowed=False)

    def py_range(self, *arguments: Value) -> Value:
        """Compile `range(start, stop, step)`."""
        if (known := known_values(arguments)) is not None:
            return Known(range(*known))
        start, stop = (Known(0), arguments[0]) if len(arguments) == 1 else arguments[:2]
        step = arguments[2] if len(arguments) > 2 else Known(1)
        if not isinstance(step, Known) or not step.value:
            raise self.refuse("the step of a range is compiled for a constant")
        return Range(start, stop, step.value)

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
        """Return a fraction without a fractional part as a whole number; fail beyond 2**62."""
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
        """Compile `round(value)`: to even where two are equally near."""
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
        """Compile functions of `math` that are in C's mathematical library, which Python itself calls."""
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
            raise self.refuse("isinstance(...) is compiled for known classes")
        if isinstance(value, Known):
            return Known(isinstance(value.value, wanted))
        classes = wanted if isinstance(wanted, tuple) else (wanted,)
        kind = value.kind if isinstance(value, Val) else None
        if isinstance(kind, Optional) or kind == ATOM:
            raise self.refuse("isinstance(...) of what may be None is not compiled; write `is None`")
        if (kind == FLOAT and (int in classes) != (float in classes)) or (
            kind == INT and bool in classes and int not in classes
        ):
            raise self.refuse(f"isinstance(...) cannot tell kinds of numbers apart here; got a {kind}")
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
    builtins.next: Builtins.py_next,
    builtins.range: Builtins.py_range,
    builtins.enumerate: lambda body, items, start=Known(0): Enumerated(items, start),
    builtins.zip: lambda body, *parts, strict=None: Zipped(tuple(map(body.frozen, parts))),
    builtins.reversed: lambda body, items: Reversed(items),
    builtins.map: lambda body, function, items: Mapped(function, items),
    builtins.filter: lambda body, function, items: Filtered(function, items),
    builtins.abs: Builtins.py_abs,
    builtins.int: Builtins.py_int,
    builtins.float: Builtins.py_float,
    builtins.bool: Builtins.py_bool,
    builtins.round: Builtins.py_round,
    builtins.divmod: Builtins.py_divmod,
    builtins.pow: lambda body, base, exponent: body.binary(ast.Pow, base, exponent),
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
    math.prod: _library(library.prod),
    math.gcd: _library(library.gcd),
    math.comb: _library(library.comb),
    math.isqrt: _library(library.isqrt),
    memory.load: Builtins.loaded,
    memory.save: Builtins.saved,
    memory.load_byte: Builtins.loaded_byte,
    memory.save_byte: Builtins.saved_byte,
    memory.mix: Builtins.mixed,
    memory.spread: Builtins.spread,
    memory.bits_of: Builtins.bits_of,
    memory.value_of: Builtins.value_of,
    memory.next_above: lambda body, value: body.next_float(value, True),
    memory.next_below: lambda body, value: body.next_float(value, False),
    memory.words_of: Builtins.words_of,
    memory.put_value: Builtins.put_value,
    memory.get_value: Builtins.get_value,
    memory.pack: Builtins.pack,
    memory.unpack: Builtins.unpack,
    memory.is_packed: Builtins.is_packed,
    memory.fits: Builtins.fits,
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
