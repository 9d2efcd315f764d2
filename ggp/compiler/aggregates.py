"""Functions of Python that work on sequences: any, all, sum, min, max, sorted, next, range and so on."""

import ast
import functools
import itertools
import operator
import sys
from typing import Any

from llvmlite import ir

from ggp.compiler.comparisons import is_number
from ggp.compiler.llvm_types import BIT, DOUBLE, OVERFLOW, WORD, llvm_type
from ggp.compiler.loops import runs_out
from ggp.compiler.objects import Objects
from ggp.compiler.types import (
    BOTTOM,
    FLOAT,
    INT,
    List,
    NotRepresentable,
    Tuple,
    join,
)
from ggp.compiler.values import (
    SSA,
    Comprehension,
    Distinct,
    Enumerated,
    Filtered,
    Generated,
    Iterated,
    Known,
    Lazy,
    Mapped,
    Pack,
    Product,
    Range,
    Reversed,
    Truth,
    Val,
    Value,
    Zipped,
    known_values,
)

MOST_COMBINED = 256
"""Maximum number of items of `itertools.product` and similar functions, which become one expression each."""
COMPENSATED = sys.version_info >= (3, 12)
"""Whether Python's own `sum` of floats compensates for rounding errors."""


class Aggregates(Objects):
    """Translates functions over sequences."""

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
        """Return a sum with Neumaier's compensation, step by step as in CPython from version 3.12 on."""
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
            raise self.refuse(
                f"only floats can be summed together with floats here; got a {value.kind}: write float(...)"
            )

    def best(self, kind: type, *arguments: Value, key: Value | None = None, default: Value | None = None) -> Value:
        """Compile `min` and `max`; the operator `kind` compares a new item with the best so far."""
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
        """Return the elements of a comprehension of fixed length one by one; None if its length is not fixed."""
        raise NotImplementedError

    def folded(self, function: Value, items: Value, first: Value | None = None) -> Value:
        """Compile `functools.reduce(function, items, first)`."""
        known = self.fixed(items)
        if known is None or len(known) > 64 or not (known or first is not None):
            raise self.refuse("reduce can only be compiled for 1 to 64 items whose number is constant; write a loop")
        made = first if first is not None else known.pop(0)
        for each in known:
            made = self.frozen(self.call(function, [made, each], {}, None))
        return made

    def combined(self, function: Any, *parts: Value, **named: Value) -> Value:
        """Compile `itertools.product` and similar functions, for sequences of known length."""
        constants = {name: each.value for name, each in named.items() if isinstance(each, Known)}
        if len(constants) < len(named):
            raise self.refuse(f"the keyword arguments of {function.__name__} must be constants")
        sequences = [self.fixed(each) if not isinstance(each, Known) or not isinstance(each.value, int) else each.value
                     for each in parts]  # fmt: skip
        if function is itertools.product and any(each is None for each in sequences):
            again = constants.get("repeat", 1)
            return Product(tuple(self.frozen(self.listed(each) if runs_out(each) else each) for each in parts) * again)
        if any(each is None for each in sequences):
            raise self.refuse(f"{function.__name__} can only be compiled for sequences of constant length; write loops")
        rows = list(function(*sequences, **constants))
        if len(rows) > MOST_COMBINED:
            raise self.refuse(
                f"{function.__name__} gives {len(rows)} items; at most {MOST_COMBINED} can be compiled: write loops"
            )
        return Iterated(Pack(tuple(Pack(each) if isinstance(each, tuple) else each for each in rows)))

    def fixed(self, items: Value) -> list[Any] | None:
        """Return the items of a value with a fixed number of items, lazy or not; None for any other value."""
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
            raise self.refuse("the argument reverse= of sorted must be a constant")
        if isinstance(items, Distinct):
            items = self.distinct_list(items)
        made = self.runtime(items if isinstance(items, Lazy) else self.listed(items))
        if isinstance(made.kind, Tuple):
            try:
                item = functools.reduce(join, made.kind.items, BOTTOM)
            except NotRepresentable as error:
                raise self.refuse(f"the items to be sorted have different types: {error}") from None
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

    def py_zip(self, *parts: Value, strict: Value | None = None) -> Zipped:
        """Compile `zip(...)`. With `strict`, if the lengths differ, the call fails before the first item."""
        made = [self.frozen(each) for each in parts]
        if strict is None or self.truth(strict) is False or len(made) < 2:
            return Zipped(tuple(made))
        known = [self.items(each) for each in made]
        if all(each is not None and len(each) == len(known[0] or ()) for each in known):
            return Zipped(tuple(made))
        made = [self.listed(each) if isinstance(each, Lazy) and not isinstance(each, Range) else each for each in made]
        counts = [self.random_access(each)[1] for each in made]
        for count in counts[1:]:
            self.fail_if(self.builder.icmp_signed("!=", count, counts[0]), OVERFLOW)
        return Zipped(tuple(made))

    def py_next(self, items: Value, default: Value | None = None) -> Value:
        """Compile `next(items, default)` of a generator expression."""
        if not isinstance(items, (Comprehension, Generated, Filtered, Mapped, Iterated, Zipped, Enumerated, Reversed)):
            raise self.refuse("next(...) can only be compiled for generators and iter(...)")
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
            raise self.refuse("the step of a range must be a constant other than 0")
        return Range(start, stop, step.value)
