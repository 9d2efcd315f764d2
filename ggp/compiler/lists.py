"""Lists in memory, and sequences of a fixed number of items."""

import contextlib
import enum
from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import ir

from ggp.bits import Bits
from ggp.compiler.conversions import Conversions
from ggp.compiler.llvm_types import OVERFLOW, POINTER, WORD, is_large, llvm_type
from ggp.compiler.types import (
    List,
    Tuple,
    Type,
    in_one_order,
)
from ggp.compiler.values import SSA, Iterated, Known, Mapping, Pack, Range, Val, Value

MOST_NUMBERS = 100_000
"""Maximum length of a range that is used as a constant sequence; loops over ranges have no limit."""


class Lists(Conversions):
    """Translates lists."""

    # Lists -------------------------------------------------------------------------------------------------------

    def use_lists(self) -> None:
        """Note that the function builds lists; their memory is freed when it ends."""
        self.program.mark(("lists", self.result_key))

    def new_list(self, item: Type, room: Any) -> Val:
        """Return an empty list with room for the given number of items; fail if there is no memory left."""
        self.use_lists()
        kind = List(item)
        size = self.builder.mul(room, self.size_of(item))
        size = self.builder.and_(self.builder.add(size, self.word(7)), self.word(-8))
        top = self.builder.load(self.context, typ=WORD)
        end = self.builder.gep(self.context, [self.word(1)], source_etype=WORD)
        after = self.builder.add(top, size)
        self.fail_if(self.builder.icmp_signed(">", after, self.builder.load(end, typ=WORD)), OVERFLOW)
        self.builder.store(after, self.context)
        made = ir.Constant(llvm_type(kind), ir.Undefined)
        made = self.builder.insert_value(made, self.builder.inttoptr(top, POINTER), 0)
        made = self.builder.insert_value(made, self.word(0), 1)
        made = self.builder.insert_value(made, room, 2)
        return Val(kind, ssa=made)

    def list_parts(self, value: Val) -> tuple[Any, Any]:
        """Return the address of a list's items, and their number."""
        ssa = self.ssa(value)
        return self.builder.extract_value(ssa, 0), self.builder.extract_value(ssa, 1)

    def item_address(self, item: Type, start: SSA, index: SSA) -> SSA:
        """Return the address of an item."""
        return self.builder.gep(start, [index], source_etype=llvm_type(item))

    def at_address(self, kind: Type, address: SSA, borrowed: bool = False) -> Val:
        """Return the value at an address."""
        if is_large(kind):
            return Val(kind, address=address, borrowed=borrowed)
        return Val(kind, ssa=self.builder.load(address, typ=llvm_type(kind)))

    def list_of(self, value: Val, kind: List) -> Val:
        if isinstance(value.kind, Tuple):
            parts = [self.converted(self.part(value, index), kind.item) for index in range(len(value.kind.items))]
            made = self.new_list(kind.item, self.word(len(parts)))
            start, _ = self.list_parts(made)
            for index, part in enumerate(parts):
                self.put(part, self.item_address(kind.item, start, self.word(index)))
            return Val(kind, ssa=self.builder.insert_value(made.ssa, self.word(len(parts)), 1))
        if not isinstance(value.kind, List):
            raise self.refuse(f"expected a list; got a {value.kind}")
        source, count = self.list_parts(value)
        made = self.new_list(kind.item, count)
        start, _ = self.list_parts(made)
        item = value.kind.item

        def copy(index: SSA) -> None:
            each = self.converted(self.at_address(item, self.item_address(item, source, index)), kind.item)
            self.put(each, self.item_address(kind.item, start, index))

        self.counted(count, copy)
        return Val(kind, ssa=self.builder.insert_value(made.ssa, count, 1))

    def tuple_of(self, value: Val, kind: Tuple) -> Val:
        start, count = self.list_parts(value)
        assert isinstance(value.kind, List)
        item = value.kind.item
        different = self.builder.icmp_signed("!=", count, self.word(len(kind.items)))
        self.fail_if(different, OVERFLOW)
        parts = []
        for index, part in enumerate(kind.items):
            each = self.at_address(item, self.item_address(item, start, self.word(index)))
            parts.append(self.converted(each, part))
        return self.assembled(kind, parts)

    def counted(self, count: SSA, body: Callable[[Value], None]) -> None:
        """Emit a loop over the numbers from 0 to `count` - 1."""
        place = self.reserve(WORD)
        self.builder.store(self.word(0), place)
        head, inside, end = self.block("head"), self.block("inside"), self.block("end")
        self.jump(head)
        self.at(head)
        index = self.builder.load(place, typ=WORD)
        self.branch(self.builder.icmp_signed("<", index, count), inside, end)
        self.at(inside)
        body(index)
        if not self.dead:
            self.builder.store(self.builder.add(self.builder.load(place, typ=WORD), self.word(1)), place)
        self.jump(head)
        self.at(end)

    # Fixed sequences ---------------------------------------------------------------------------------------------

    def items(self, value: Value) -> list[Any] | None:
        """Return the items of a value with a known number of them; None for any other value."""
        if isinstance(value, Pack):
            return list(value.items)
        if isinstance(value, Iterated):
            return self.items(value.items)
        if isinstance(value, Mapping):
            return [Known(each) for each in value.entries]
        if isinstance(value, Known) and isinstance(value.value, range) and len(value.value) > MOST_NUMBERS:
            raise self.refuse(f"a range of {len(value.value):,} numbers is more than a constant may have")
        if isinstance(value, Known) and isinstance(value.value, (tuple, list, range, str)):
            return [Known(each) for each in value.value]
        if isinstance(value, Known) and isinstance(value.value, dict):
            return [Known(each) for each in value.value]
        if isinstance(value, Known) and isinstance(value.value, (set, frozenset)):
            if not in_one_order(value.value):
                raise self.refuse("the order of this set's items differs from run to run; write a tuple")
            return [Known(each) for each in value.value]
        if isinstance(value, Known) and isinstance(value.value, type) and issubclass(value.value, enum.Enum):
            return [Known(each) for each in value.value]
        if isinstance(value, Known) and isinstance(value.value, Bits):
            return [Known(each) for each in value.value]
        if isinstance(value, Known) and hasattr(value.value, "dtype") and hasattr(value.value, "tolist"):
            return [Known(each) for each in value.value.tolist()]
        if isinstance(value, Known) and type(value.value).__name__ in ("dict_items", "dict_keys", "dict_values"):
            return [Known(each) for each in value.value]
        if isinstance(value, Val) and isinstance(value.kind, Tuple):
            return [self.part(value, index) for index in range(len(value.kind.items))]
        if isinstance(value, Range) and isinstance(value.start, Known) and isinstance(value.stop, Known):
            numbers = range(value.start.value, value.stop.value, value.step)
            return [Known(each) for each in numbers] if len(numbers) <= MOST_NUMBERS else None
        return None

    @contextlib.contextmanager
    def handled(self, block: ir.Block, slot: SSA) -> Iterator[None]:
        """Send failures to a block."""
        self.handlers.append((block, slot))
        try:
            yield
        finally:
            self.handlers.pop()
