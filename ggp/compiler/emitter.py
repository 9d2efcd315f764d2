"""The lowest layer of a function's translation: LLVM instructions, variables, conversions, failures."""

import contextlib
import enum
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from llvmlite import ir

from ggp.bits import Bits
from ggp.compiler import types
from ggp.compiler.llvm_types import BIT, DOUBLE, OVERFLOW, POINTER, STATUS, WORD, has_list, is_large, llvm_type
from ggp.compiler.program import Program
from ggp.compiler.types import (
    ATOM,
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
    Type,
)
from ggp.compiler.values import SSA, Iterated, Known, Mapping, Pack, Range, Refused, Slot, Static, Val, Value


class Emitter:
    """One LLVM function under way."""

    def __init__(self, program: Program, function: ir.Function) -> None:
        self.program = program
        self.function = function
        self.entry = function.append_basic_block("entry")
        self.builder = ir.IRBuilder(function.append_basic_block("body"))
        self.handlers: list[tuple[Any, Any]] = []
        """Where failures go inside `try`: block, and the slot for the status."""
        self.caught: list[Any] = []
        """The slots of the statuses that the handlers around this place have caught."""
        self.fail_block: Any = None
        self.fail_status: Any = None
        self.large_result: Any = None
        self.result_kind: Type = BOTTOM
        self.checked = True
        self.result_key: Any = None
        self.uses_arena = False
        self._arena_mark: Any = None
        self.place: tuple[str, int] | None = None

    # Instructions ------------------------------------------------------------------------------------------------

    @property
    def context(self) -> SSA:
        """The address of all that changes while a program runs."""
        return self.function.args[0]

    @property
    def dead(self) -> bool:
        """Whether what follows is never reached."""
        return bool(self.builder.block.is_terminated)

    def block(self, name: str = "") -> ir.Block:
        """Append a block."""
        return self.function.append_basic_block(name)

    def jump(self, block: ir.Block) -> None:
        """Go to a block, unless this place is never reached."""
        if not self.dead:
            self.builder.branch(block)

    def branch(self, condition: SSA, yes: ir.Block, no: ir.Block) -> None:
        """Go to one block or the other."""
        if not self.dead:
            self.builder.cbranch(condition, yes, no)

    def at(self, block: ir.Block) -> None:
        """Go on emitting at the end of a block."""
        self.builder.position_at_end(block)

    def reserve(self, kind: Any) -> SSA:
        """Return the address of new room on the stack for a value of an LLVM type."""
        with self.builder.goto_block(self.entry):
            return self.alloca(kind)

    def alloca(self, kind: Any) -> SSA:
        """Return the address of new room on the stack, made here."""
        place = self.builder.alloca(kind)
        place.type = POINTER
        return place

    def word(self, number: int) -> SSA:
        """Return a constant word."""
        return ir.Constant(WORD, number)

    def bit(self, truth: bool) -> SSA:
        """Return a constant truth value."""
        return ir.Constant(BIT, int(truth))

    def intrinsic(self, name: str, result: ir.Type, arguments: list[SSA]) -> SSA:
        """Call an intrinsic function of LLVM."""
        kinds = [each.type for each in arguments]
        function = self.program.declare(name, ir.FunctionType(result, kinds))
        return self.builder.call(function, arguments)

    # Failures ----------------------------------------------------------------------------------------------------

    def fail(self, status: int | Any) -> None:
        """End the function, or go to the handler of the `try` around this place."""
        if self.dead:
            return
        code = ir.Constant(STATUS, status) if isinstance(status, int) else status
        if self.handlers:
            block, slot = self.handlers[-1]
            self.builder.store(code, slot)
            self.builder.branch(block)
            return
        if self.fail_block is None:
            self.fail_block, self.fail_status = self.block("fail"), self.reserve(STATUS)
        self.builder.store(code, self.fail_status)
        self.builder.branch(self.fail_block)

    def fail_if(self, condition: SSA, status: int | Any) -> None:
        """Fail where the condition is true."""
        if self.dead:
            return
        bad, good = self.block("bad"), self.block("good")
        branch = self.builder.cbranch(condition, bad, good)
        branch.set_weights([1, 100_000])
        self.at(bad)
        self.fail(status)
        self.at(good)

    def fail_with(self, error: type[BaseException]) -> None:
        """Fail as an exception does."""
        self.fail(self.program.status_of(error))

    def fails_here(self, error: type[BaseException]) -> Val:
        """Return the value of an expression that fails always: what follows it is never reached."""
        self.fail_with(error)
        self.at(self.block("never"))
        return self.bottom()

    def finish(self) -> None:
        """Put what all ends of the function share."""
        if not self.dead:
            self.builder.unreachable()
        if self.fail_block is not None:
            self.at(self.fail_block)
            self.leave(self.builder.load(self.fail_status, typ=STATUS), None)
        with self.builder.goto_block(self.entry):
            self.builder.branch(self.function.blocks[1])

    def leave(self, status: SSA, value: SSA) -> None:
        """Return a status, and a value where all is well."""
        if self.uses_arena and not has_list(self.result_kind):
            self.builder.store(self.builder.load(self.arena_mark, typ=WORD), self.context)
        if self.large_result is not None or self.result_kind == NONE:
            self.builder.ret(status)
            return
        result = ir.Constant(self.function.function_type.return_type, ir.Undefined)
        if value is not None:
            result = self.builder.insert_value(result, value, 0)
        self.builder.ret(self.builder.insert_value(result, status, 1))

    # Stack -------------------------------------------------------------------------------------------------------

    def _frame_address(self) -> SSA:
        found = self.intrinsic("llvm.frameaddress.p0", POINTER, [ir.Constant(STATUS, 0)])
        return self.builder.ptrtoint(found, WORD)

    def _first_word(self, index: int) -> SSA:
        return self.builder.gep(self.context, [self.word(index)], source_etype=WORD)

    def begin_stack(self) -> None:
        """Note how far the stack may grow from here."""
        most = self.builder.load(self._first_word(2), typ=WORD)
        self.builder.store(self.builder.sub(self._frame_address(), most), self._first_word(3))

    def guard_stack(self) -> None:
        """Fail where the stack has grown too far, as Python does where recursion is too deep."""
        least = self.builder.load(self._first_word(3), typ=WORD)
        self.fail_if(self.builder.icmp_unsigned("<", self._frame_address(), least), OVERFLOW)

    # Memory ------------------------------------------------------------------------------------------------------

    def ssa(self, value: Val) -> SSA:
        """Return the LLVM value of a run-time value."""
        if value.ssa is not None:
            return value.ssa
        return self.builder.load(value.address, typ=llvm_type(value.kind))

    def address(self, value: Val) -> SSA:
        """Return where a run-time value lies; it is put onto the stack if it lies nowhere yet."""
        if value.address is not None:
            return value.address
        place = self.reserve(llvm_type(value.kind))
        self.builder.store(value.ssa, place)
        return place

    def put(self, value: Val, address: SSA) -> None:
        """Store a run-time value at an address."""
        if self.dead:
            return
        if value.address is not None and is_large(value.kind):
            self.copy(address, value.address, self.size_of(value.kind))
        else:
            self.builder.store(self.ssa(value), address)

    def place_value(self, value: Value, kind: Type, address: SSA) -> None:
        """Store any value at an address as one of type `kind`, part by part where it comes in parts."""
        if isinstance(value, Pack) and isinstance(kind, (Tuple, RecordOf)) and len(value.items) == len(kind.items):
            for index, (item, part) in enumerate(zip(value.items, kind.items, strict=True)):
                self.place_value(item, part, self.part_address(kind, address, index))
        else:
            self.put(self.converted(value, kind), address)

    def size_of(self, kind: Type) -> SSA:
        """Return the size of a type in bytes, as LLVM lays it out."""
        pointer = self.builder.gep(ir.Constant(POINTER, None), [self.word(1)], source_etype=llvm_type(kind))
        return self.builder.ptrtoint(pointer, WORD)

    def copy(self, to: SSA, source: SSA, count: SSA) -> None:
        """Copy bytes."""
        kind = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, WORD, BIT])
        function = self.program.declare("llvm.memcpy.p0.p0.i64", kind)
        self.builder.call(function, [to, source, count, self.bit(False)])

    def part_address(self, kind: Type, address: SSA, index: int) -> SSA:
        """Return the address of a part of a value."""
        places = [self.word(0), ir.Constant(ir.IntType(32), index)]
        return self.builder.gep(address, places, source_etype=llvm_type(kind))

    def frozen(self, value: Value) -> Value:
        """Return a value that stays as it is when variables change."""
        if isinstance(value, Val) and value.borrowed:
            place = self.reserve(llvm_type(value.kind))
            self.put(value, place)
            return Val(value.kind, address=place)
        if isinstance(value, Pack):
            return Pack(tuple(map(self.frozen, value.items)), value.kind)
        return value

    # Slots -------------------------------------------------------------------------------------------------------

    def slot(self, key: Hashable, first: Type = BOTTOM) -> Slot:
        """Return a new variable, whose type is what has been found out about `key`."""
        kind = self.program.facts.get(key, first)
        return Slot(kind, self.reserve(llvm_type(kind)))

    def assign(self, slot: Slot, key: Hashable, value: Value) -> None:
        """Give a variable a value; its type becomes one that has both."""
        have = self.kind_of(value)
        if have is None:
            value = self.runtime(value)
            have = value.kind
        kind = self.program.widen(key, have, self.refuse)
        if kind != slot.kind:
            slot.kind, slot.address = kind, self.reserve(llvm_type(kind))
        if BOTTOM not in (have, kind) and not self.dead:
            self.place_value(self.frozen(value), kind, slot.address)

    def kind_of(self, value: Value) -> Type | None:
        """Return the type that a value would have at run time; None for what has to be run through first."""
        if isinstance(value, Val):
            return value.kind
        if isinstance(value, Known):
            try:
                return types.type_of(value.value)
            except NotRepresentable:
                return None
        if isinstance(value, Pack):
            parts = [self.kind_of(each) for each in value.items]
            if any(part is None for part in parts):
                return None
            if BOTTOM in parts:
                return BOTTOM
            items = tuple(part for part in parts if part is not None)
            record = value.kind is not None and not issubclass(value.kind, tuple)
            return RecordOf(value.kind, items) if record and value.kind else Tuple(items, value.kind)
        return None

    def read(self, slot: Slot, borrowed: bool = True) -> Val:
        """Return the value of a variable."""
        if is_large(slot.kind):
            return Val(slot.kind, address=slot.address, borrowed=borrowed)
        return Val(slot.kind, ssa=self.builder.load(slot.address, typ=llvm_type(slot.kind)))

    # Conversions -------------------------------------------------------------------------------------------------

    def refuse(self, message: str) -> Refused:
        """Return the exception that says what cannot be compiled here."""
        return Refused(message, self.place)

    def runtime(self, value: Value) -> Val:
        """Return a value as a run-time value."""
        if isinstance(value, Val):
            return value
        if isinstance(value, Known):
            return self.constant(value.value)
        if isinstance(value, Pack):
            return self.packed(value)
        return self.listed(value)

    def listed(self, value: Value) -> Val:
        """Return what can be run through as a list."""
        raise NotImplementedError

    def constant(self, value: object) -> Val:
        """Return a known value as a run-time value."""
        if isinstance(value, (list, range)):
            value = tuple(value)
        try:
            kind = types.type_of(value)
        except NotRepresentable as error:
            if isinstance(value, tuple):
                return self.constant_list(value)
            raise self.refuse(str(error)) from None
        if is_large(kind):
            return Val(kind, address=self.program.constant_memory(value, kind))
        return Val(kind, ssa=self.program.literal(value, kind))

    def constant_list(self, value: tuple[Any, ...]) -> Val:
        """Return a known tuple whose items differ in length as a list."""
        try:
            kind = self.program.table_type(value)
        except NotRepresentable as error:
            raise self.refuse(str(error)) from None
        return Val(kind, ssa=self.program.literal(value, kind))

    def packed(self, pack: Pack) -> Val:
        """Return a pack as one run-time value."""
        items = [self.runtime(each) for each in pack.items]
        kind: Type
        if pack.kind is not None and not issubclass(pack.kind, tuple):
            kind = RecordOf(pack.kind, tuple(each.kind for each in items))
        else:
            kind = Tuple(tuple(each.kind for each in items), pack.kind)
        if any(each.kind == BOTTOM for each in items):
            return self.bottom()
        return self.assembled(kind, items)

    def assembled(self, kind: Type, items: list[Val]) -> Val:
        """Return a value of this type made of these parts."""
        if is_large(kind):
            place = self.reserve(llvm_type(kind))
            for index, item in enumerate(items):
                self.put(item, self.part_address(kind, place, index))
            return Val(kind, address=place)
        made = ir.Constant(llvm_type(kind), ir.Undefined)
        for index, item in enumerate(items):
            made = self.builder.insert_value(made, self.ssa(item), index)
        return Val(kind, ssa=made)

    def bottom(self) -> Val:
        """Return the value of what is not known yet."""
        return Val(BOTTOM, ssa=self.bit(False))

    def part(self, value: Val, index: int) -> Val:
        """Return a part of a tuple, record or optional value."""
        kind = value.kind
        if isinstance(kind, Optional):
            part: Type = BOOL if index == 0 else kind.item
        else:
            assert isinstance(kind, (Tuple, RecordOf))
            part = kind.items[index]
        if value.ssa is not None:
            return Val(part, ssa=self.builder.extract_value(value.ssa, index))
        place = self.part_address(kind, value.address, index)
        if is_large(part):
            return Val(part, address=place, borrowed=value.borrowed)
        return Val(part, ssa=self.builder.load(place, typ=llvm_type(part)))

    def converted(self, value: Value, kind: Type) -> Val:
        """Return a value as one of another type that has it too."""
        if isinstance(value, Pack) and isinstance(kind, (Tuple, RecordOf)) and len(value.items) == len(kind.items):
            parts = [self.converted(*pair) for pair in zip(value.items, kind.items, strict=True)]
            return self.assembled(kind, parts)
        made: Val = self.runtime(value)
        return self._converted(made, made.kind, kind)

    def _converted(self, value: Val, have: Type, kind: Type) -> Val:
        if have == kind:
            return value
        if BOTTOM in (have, kind):
            return Val(kind, ssa=ir.Constant(llvm_type(kind), ir.Undefined))
        if isinstance(kind, Optional):
            if have == NONE:
                return self.assembled(kind, [Val(BOOL, ssa=self.bit(False)), self.undefined(kind.item)])
            if isinstance(have, Optional):
                item = self.converted(self.part(value, 1), kind.item)
                return self.assembled(kind, [self.part(value, 0), item])
            return self.assembled(kind, [Val(BOOL, ssa=self.bit(True)), self.converted(value, kind.item)])
        if isinstance(have, Optional):
            return self.converted(self.unwrapped(value), kind)
        if (
            isinstance(kind, (Tuple, RecordOf))
            and isinstance(have, (Tuple, RecordOf))
            and len(kind.items) == len(have.items)
        ):
            parts = [self.converted(self.part(value, index), each) for index, each in enumerate(kind.items)]
            return self.assembled(kind, parts)
        if isinstance(kind, Tuple) and isinstance(have, List):
            return self.tuple_of(value, kind)
        if isinstance(kind, List):
            return self.list_of(value, kind)
        return Val(kind, ssa=self.number(value, kind))

    def number(self, value: Val, kind: Type) -> SSA:
        """Return a number, text or the like as another of the same value."""
        have, ssa = value.kind, self.ssa(value)
        if have == kind:
            return ssa
        if have == BOTTOM:
            return self.undefined(kind).ssa
        whole = have == INT or (isinstance(have, EnumOf) and issubclass(have.kind, int))
        if kind == INT and have == BOOL:
            return self.builder.zext(ssa, WORD)
        if kind == INT and whole:
            return ssa
        if kind == FLOAT and have == BOOL:
            return self.builder.uitofp(ssa, DOUBLE)
        if kind == FLOAT and whole:
            return self.fraction(ssa)
        if kind == ATOM and have == NONE:
            return self.word(0)
        raise self.refuse(f"a {have} cannot become a {kind}")

    def fraction(self, ssa: SSA) -> SSA:
        """Return a whole number as a fraction of exactly its value; fail where there is none."""
        if self.checked:
            shifted = self.builder.add(ssa, self.word(1 << 53))
            self.fail_if(self.builder.icmp_unsigned(">", shifted, self.word(1 << 54)), OVERFLOW)
        return self.builder.sitofp(ssa, DOUBLE)

    def undefined(self, kind: Type) -> Val:
        """Return a value of which nothing is asked."""
        zero = (
            ir.Constant(llvm_type(kind), None)
            if not isinstance(llvm_type(kind), ir.IntType)
            else ir.Constant(llvm_type(kind), 0)
        )
        if kind == FLOAT:
            zero = ir.Constant(DOUBLE, 0.0)
        if is_large(kind):
            place = self.reserve(llvm_type(kind))
            self.builder.store(zero, place)
            return Val(kind, address=place)
        return Val(kind, ssa=zero)

    def unwrapped(self, value: Val) -> Val:
        """Return an optional value that is there; fail where it is None."""
        if not isinstance(value.kind, Optional):
            return value
        absent = self.builder.not_(self.ssa(self.part(value, 0)))
        self.fail_if(absent, self.program.status_of(TypeError))
        return self.part(value, 1)

    # Lists -------------------------------------------------------------------------------------------------------

    @property
    def arena_mark(self) -> SSA:
        """Where the beginning of the function's lists is kept."""
        if self._arena_mark is None:
            with self.builder.goto_block(self.entry):
                self._arena_mark = self.alloca(WORD)
                self.builder.store(self.builder.load(self.context, typ=WORD), self._arena_mark)
        return self._arena_mark

    def use_lists(self) -> None:
        """Note that the function makes lists, whose room it gives back at its end."""
        self.program.mark(("lists", self.result_key))

    def new_list(self, item: Type, room: Any) -> Val:
        """Return an empty list with room for so many items; fail where memory has run out."""
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
        """Return the value that lies at an address."""
        if is_large(kind):
            return Val(kind, address=address, borrowed=borrowed)
        return Val(kind, ssa=self.builder.load(address, typ=llvm_type(kind)))

    def list_of(self, value: Val, kind: List) -> Val:
        """Return a list of the items of a tuple or another list."""
        if isinstance(value.kind, Tuple):
            parts = [self.converted(self.part(value, index), kind.item) for index in range(len(value.kind.items))]
            made = self.new_list(kind.item, self.word(len(parts)))
            start, _ = self.list_parts(made)
            for index, part in enumerate(parts):
                self.put(part, self.item_address(kind.item, start, self.word(index)))
            return Val(kind, ssa=self.builder.insert_value(made.ssa, self.word(len(parts)), 1))
        if not isinstance(value.kind, List):
            raise self.refuse(f"a {value.kind} is no list")
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
        """Return a tuple of the items of a list; fail where their number is another."""
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
        """Return the items of what has a known number of them; None for anything else."""
        if isinstance(value, Pack):
            return list(value.items)
        if isinstance(value, Iterated):
            return self.items(value.items)
        if isinstance(value, Mapping):
            return [Known(each) for each in value.entries]
        if isinstance(value, Known) and isinstance(value.value, (tuple, list, range, str)):
            return [Known(each) for each in value.value]
        if isinstance(value, Known) and isinstance(value.value, dict):
            return [Known(each) for each in value.value]
        if isinstance(value, Known) and isinstance(value.value, (set, frozenset)):
            if any(isinstance(each, str) for each in value.value):
                raise self.refuse("the order of a set of texts differs from run to run; write a tuple")
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
            return [Known(each) for each in range(value.start.value, value.stop.value, value.step)]
        return None

    @contextlib.contextmanager
    def handled(self, block: ir.Block, slot: SSA) -> Iterator[None]:
        """Send failures to a block."""
        self.handlers.append((block, slot))
        try:
            yield
        finally:
            self.handlers.pop()


def is_static(value: Value) -> bool:
    """Return whether a value is no run-time value yet."""
    return isinstance(value, Static)
