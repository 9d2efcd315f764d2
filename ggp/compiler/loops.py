"""Loops over sequences: those of compiled functions, of comprehensions and of built-in functions.

`iterate(items, body)` emits `body` for each item. A generator is not called: its statements become part of the loop,
and `yield` jumps to the body and back.
"""

import ast
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ggp.compiler.llvm_types import WORD, array_item
from ggp.compiler.operators import Operators
from ggp.compiler.source import function_source
from ggp.compiler.types import BITS, BOTTOM, INT, NONE, List, NotRepresentable, Tuple, Type, join
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
    Val,
    Value,
    Zipped,
)

LoopBody = Callable[[Value], None]

UNROLLED = 8
"""Maximum number of items of a loop that is unrolled, so that tables of constants cost nothing."""
LONGEST_TEXT = 40
"""Maximum length of a known text whose parts may be looked up at run time, by a table of all of them."""
MOST_UNROLLED = 64
"""Maximum number of bodies that nested loops are unrolled to."""
MOST_WRITTEN = 2000
"""Maximum number of instructions of an unrolled loop; LLVM's time grows faster than their number."""


def runs_out(value: Value) -> bool:
    """Return whether a value is an iterator, which can be used only once."""
    if isinstance(value, Comprehension):
        return isinstance(value.node, ast.GeneratorExp)
    if isinstance(value, Generated):
        return function_source(value.function).generates
    return isinstance(value, (Enumerated, Zipped, Reversed, Iterated, Product, Mapped, Filtered))


class Loops(Operators):
    """Translates loops."""

    copies = 1
    """Number of times that this place has been unrolled."""
    path: tuple[int, ...] = ()
    """The index of the current copy, for each enclosing loop that is unrolled."""

    # To be filled in by the layers above ---------------------------------------------------------------------------

    def here(self) -> Hashable:
        """Return a key for this place in the program, which is the same in each attempt at translation."""
        raise NotImplementedError

    def run_generator(self, generated: Generated, body: LoopBody) -> None:
        """Emit the statements of a generator, with `body` at each `yield`."""
        raise NotImplementedError

    def run_comprehension(self, comprehension: Comprehension, body: LoopBody) -> None:
        """Emit the loops of a comprehension, with `body` for each element."""
        raise NotImplementedError

    # Loops ---------------------------------------------------------------------------------------------------------

    def iterate(self, items: Value, body: LoopBody) -> None:
        """Emit `body` for each item, in order, and continue after the last item."""
        if isinstance(items, Known) and isinstance(items.value, range) and len(items.value) > UNROLLED:
            numbers = items.value
            items = Range(Known(numbers.start), Known(numbers.stop), numbers.step)
        if not isinstance(items, Known) and (own := self.special(items, "__iter__")) is not None:
            items = self.call(Known(own), [items], {}, None)
        if isinstance(items, Generated):
            self.run_generator(items, body)
        elif isinstance(items, Comprehension):
            self.run_comprehension(items, body)
        elif isinstance(items, Enumerated):
            self._enumerated(items, body)
        elif isinstance(items, Zipped):
            self._zipped(items, body)
        elif isinstance(items, Mapped):
            self.iterate(items.items, lambda each: body(self.call(items.function, [each], {}, None)))
        elif isinstance(items, Filtered):
            self._filtered(items, body)
        elif isinstance(items, Reversed):
            self._reversed(items, body)
        elif isinstance(items, Iterated):
            self.iterate(items.items, body)
        elif isinstance(items, Product):
            self._product(items.parts, (), body)
        elif isinstance(items, Distinct):
            raise self.refuse("the order of a set's items differs from run to run; write sorted(...)")
        elif isinstance(items, Val) and items.kind == BITS:
            self._cells(items, body)
        elif isinstance(items, Val) and items.kind == BOTTOM:
            return
        elif self._is_written_out(items):
            self._written_out(self.items(items) or [], body)
        elif isinstance(items, Range):
            self._range(items, body)
        else:
            self._indexed(items, body)

    def _product(self, parts: tuple[Any, ...], chosen: tuple[Any, ...], body: LoopBody) -> None:
        if not parts:
            body(Pack(chosen))
            return
        self.iterate(parts[0], lambda each: self._product(parts[1:], (*chosen, self.frozen(each)), body))

    def _is_written_out(self, items: Value) -> bool:
        """Return whether a loop is unrolled: it is short, or its items have no common type."""
        if isinstance(items, Val):
            if not isinstance(items.kind, Tuple):
                return False
            return array_item(items.kind) is None or self._is_short(len(items.kind.items))
        known = self.items(items)
        if known is None:
            return False
        if self._is_short(len(known)):
            return True
        if isinstance(items, Pack):
            try:
                self.table(items)
            except NotRepresentable:
                return True
            return False
        try:
            self.program.table_type(tuple(each.value for each in known))
        except NotRepresentable:
            return True
        return False

    def _is_short(self, count: int) -> bool:
        """Return whether a loop over that many items is unrolled even if they all have the same type."""
        if count > UNROLLED or self.copies * max(1, count) > MOST_UNROLLED:
            return False
        return ("long loop", self.here()) not in self.program.marks or not self.program.may_loop

    def _written_out(self, items: Sequence[Value], body: LoopBody) -> None:
        copies, path, here, blocks = self.copies, self.path, self.here(), len(self.function.blocks)
        self.copies *= max(1, len(items))
        for index, item in enumerate(items):
            if self.dead:
                break
            self.path = (*path, index)
            body(item)
        self.copies, self.path = copies, path
        if sum(len(block.instructions) for block in self.function.blocks[blocks:]) > MOST_WRITTEN:
            self.program.mark(("long loop", here))

    def table(self, items: Value) -> Val:
        """Return a sequence as a run-time array or list."""
        if isinstance(items, Known):
            return self.program.table(tuple(each.value for each in self.items(items) or []), self)
        if isinstance(items, Pack):
            kinds = [self.runtime(each) for each in items.items]
            item = kinds[0].kind if kinds else INT
            for each in kinds:
                item = join(item, each.kind)
            kind = Tuple((item,) * len(kinds))
            return self.assembled(kind, [self.converted(each, item) for each in kinds])
        return self.runtime(items)

    def _reversed(self, items: Reversed, body: LoopBody) -> None:
        known = self.items(items.items)
        if known is not None and self._is_written_out(items.items):
            self._written_out(known[::-1], body)
            return
        get, count = self.random_access(items)
        self.counted(count, lambda index: body(get(index)))

    def _indexed(self, items: Value, body: LoopBody) -> None:
        start, count, item = self.indexable(items)
        self.counted(count, lambda index: body(self.at_address(item, self.item_address(item, start, index))))

    def indexable(self, items: Value) -> tuple[SSA, SSA, Type]:
        """Return the address of a sequence's items, their number, and their type."""
        if isinstance(items, Pack) or (isinstance(items, Known) and self.items(items) is not None):
            try:
                items = self.table(items)
            except NotRepresentable as error:
                raise self.refuse(f"the items of a tuple have different types: {error}") from None
        value = self.unwrapped(self.runtime(items))
        if isinstance(value.kind, List):
            return (*self.list_parts(value), value.kind.item)
        item = array_item(value.kind)
        if item is not None:
            assert isinstance(value.kind, Tuple)
            return self.address(self.runtime(self.frozen(value))), self.word(len(value.kind.items)), item
        if isinstance(value.kind, Tuple):
            if not value.kind.items:
                return self.reserve(WORD), self.word(0), INT
            return self.indexable(self.table(Pack(tuple(self.items(value) or []))))
        if value.kind == NONE:
            self.fails_here(TypeError)
            return self.reserve(WORD), self.word(0), INT
        raise self.refuse(f"a {value.kind} cannot be iterated over")

    def _range(self, items: Range, body: LoopBody) -> None:
        start, stop = (self.number(self.unwrapped(self.runtime(each)), INT) for each in (items.start, items.stop))
        place = self.reserve(WORD)
        self.builder.store(start, place)
        head, inside, end = self.block("head"), self.block("inside"), self.block("end")
        self.jump(head)
        self.at(head)
        index = self.builder.load(place, typ=WORD)
        self.branch(self.builder.icmp_signed("<" if items.step > 0 else ">", index, stop), inside, end)
        self.at(inside)
        body(Val(INT, ssa=index))
        if not self.dead:
            after = self.builder.add(self.builder.load(place, typ=WORD), self.word(items.step))
            self.builder.store(after, place)
        self.jump(head)
        self.at(end)

    def _enumerated(self, items: Enumerated, body: LoopBody) -> None:
        known = self.items(items.items)
        if known is not None and isinstance(items.start, Known) and self._is_written_out(items.items):
            numbered = [Pack((Known(items.start.value + index), each)) for index, each in enumerate(known)]
            self._written_out(numbered, body)
            return
        place = self.reserve(WORD)
        self.builder.store(self.number(self.runtime(items.start), INT), place)

        def one(each: Value) -> None:
            index = self.builder.load(place, typ=WORD)
            self.builder.store(self.builder.add(index, self.word(1)), place)
            body(Pack((Val(INT, ssa=index), each)))

        self.iterate(items.items, one)

    def _zipped(self, items: Zipped, body: LoopBody) -> None:
        known = [self.items(part) for part in items.parts]
        if all(part is not None for part in known):
            rows = [Pack(row) for row in zip(*[part or [] for part in known], strict=False)]
            if self._is_short(len(rows)):
                self._written_out(rows, body)
                return
        getters, counts = [], []
        for part in items.parts:
            getter, count = self.random_access(part)
            getters.append(getter)
            counts.append(count)
        least = counts[0]
        for count in counts[1:]:
            least = self.builder.select(self.builder.icmp_signed("<", count, least), count, least)
        self.counted(least, lambda index: body(Pack(tuple(get(index) for get in getters))))

    def random_access(self, items: Value) -> tuple[Callable[[SSA], Value], SSA]:
        """Return a function that returns the item at a valid run-time index, and the number of items."""
        if isinstance(items, Range):
            start, stop = (self.number(self.unwrapped(self.runtime(each)), INT) for each in (items.start, items.stop))
            step = self.word(items.step)
            return (
                lambda index: Val(INT, ssa=self.builder.add(start, self.builder.mul(index, step))),
                self.range_length(start, stop, items.step),
            )
        if isinstance(items, Reversed):
            get, count = self.random_access(items.items)
            last = self.builder.sub(count, self.word(1))
            return lambda index: get(self.builder.sub(last, index)), count
        if isinstance(items, Enumerated):
            get, count = self.random_access(items.items)
            first = self.number(self.runtime(items.start), INT)
            return lambda index: Pack((Val(INT, ssa=self.builder.add(first, index)), get(index))), count
        if isinstance(items, Iterated):
            return self.random_access(items.items)
        if isinstance(items, Lazy):
            items = self.listed(items)
        address, count, item = self.indexable(items)
        return lambda index: self.at_address(item, self.item_address(item, address, index)), count

    def range_length(self, start: SSA, stop: SSA, step: int) -> SSA:
        """Return the number of items of a range."""
        builder = self.builder
        distance = builder.sub(stop, start) if step > 0 else builder.sub(start, stop)
        size = abs(step)
        count = builder.sdiv(builder.add(distance, self.word(size - 1)), self.word(size))
        return builder.select(builder.icmp_signed("<=", distance, self.word(0)), self.word(0), count)

    def _filtered(self, items: Filtered, body: LoopBody) -> None:
        def one(each: Value) -> None:
            keep = each
            if not (isinstance(items.function, Known) and items.function.value is None):
                keep = self.call(items.function, [each], {}, None)
            yes, after = self.block("kept"), self.block("after")
            self.branch(self.truth_bit(keep), yes, after)
            self.at(yes)
            body(each)
            self.jump(after)
            self.at(after)

        self.iterate(items.items, one)

    def _cells(self, items: Val, body: LoopBody) -> None:
        """Iterate over the cells of a set of bits, from the lowest."""
        place = self.reserve(WORD)
        self.builder.store(items.ssa, place)
        head, inside, end = self.block("head"), self.block("inside"), self.block("end")
        self.jump(head)
        self.at(head)
        word = self.builder.load(place, typ=WORD)
        self.branch(self.builder.icmp_signed("!=", word, self.word(0)), inside, end)
        self.at(inside)
        self.builder.store(self.builder.and_(word, self.builder.sub(word, self.word(1))), place)
        body(Val(INT, ssa=self.lowest_bit(word)))
        self.jump(head)
        self.at(end)
