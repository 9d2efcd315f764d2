"""Where values are stored, variables, and conversions of values between types."""

from collections.abc import Hashable
from typing import Any

from llvmlite import ir

from ggp.compiler import types
from ggp.compiler.emitter import Emitter
from ggp.compiler.llvm_types import BIT, DOUBLE, OVERFLOW, POINTER, WORD, array_item, is_large, llvm_type
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
from ggp.compiler.values import SSA, Known, Pack, Refused, Slot, Val, Value


class Conversions(Emitter):
    """Translates conversions of values, and their loads and stores."""

    # Memory ------------------------------------------------------------------------------------------------------

    def ssa(self, value: Val) -> SSA:
        """Return the LLVM value of a run-time value."""
        if value.ssa is not None:
            return value.ssa
        return self.builder.load(value.address, typ=llvm_type(value.kind))

    def address(self, value: Val) -> SSA:
        """Return the address of a run-time value; it is stored on the stack if it has no address yet."""
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
        """Store any value at an address as one of type `kind`, part by part if it consists of parts."""
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
        """Return a value that does not change when variables do."""
        if isinstance(value, Val) and value.borrowed:
            place = self.reserve(llvm_type(value.kind))
            self.put(value, place)
            return Val(value.kind, address=place)
        if isinstance(value, Pack):
            return Pack(tuple(map(self.frozen, value.items)), value.kind)
        return value

    # Slots -------------------------------------------------------------------------------------------------------

    def slot(self, key: Hashable, first: Type = BOTTOM) -> Slot:
        """Return a new variable; its type is the one known for `key`."""
        kind = self.program.facts.get(key, first)
        return Slot(kind, self.reserve(llvm_type(kind)))

    def assign(self, slot: Slot, key: Hashable, value: Value) -> None:
        """Assign a value to a variable; the variable's type is widened if necessary."""
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
        """Return the type that a value would have at run time; None for lazy values."""
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
            if value.kind is str:
                return types.text_type(len(items)) if types.is_spelled(len(items)) else None
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
        """Return the exception that says why something here cannot be compiled."""
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
        """Return the items of an iterable as a list."""
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
            if isinstance(value, (set, dict)):
                raise self.refuse(
                    f"a {type(value).__name__} that is changed cannot be returned, passed on or iterated over at "
                    "machine speed; use a list or a tuple"
                ) from None
            raise self.refuse(str(error)) from None
        if is_large(kind):
            return Val(kind, address=self.program.constant_memory(value, kind))
        return Val(kind, ssa=self.program.literal(value, kind))

    def constant_list(self, value: tuple[Any, ...]) -> Val:
        """Return a known tuple whose items have different lengths as a list."""
        try:
            kind = self.program.table_type(value)
        except NotRepresentable as error:
            raise self.refuse(str(error)) from None
        return Val(kind, ssa=self.program.literal(value, kind))

    def packed(self, pack: Pack) -> Val:
        """Return a pack as one run-time value."""
        items = [self.runtime(each) for each in pack.items]
        if pack.kind is str and not types.is_spelled(len(items)):
            raise self.refuse(f"a text of {len(items)} letters that is put together can only be compared")
        kind: Type
        if pack.kind is not None and not issubclass(pack.kind, (tuple, str)):
            kind = RecordOf(pack.kind, tuple(each.kind for each in items))
        else:
            kind = Tuple(tuple(each.kind for each in items), pack.kind)
        if any(each.kind == BOTTOM for each in items):
            return self.bottom()
        return self.assembled(kind, items)

    def assembled(self, kind: Type, items: list[Val]) -> Val:
        """Return a value of this type built from these parts."""
        if is_large(kind):
            place = self.reserve(llvm_type(kind))
            for index, item in enumerate(items):
                self.put(item, self.part_address(kind, place, index))
            return Val(kind, address=place)
        made = ir.Constant(llvm_type(kind), ir.Undefined)
        for index, item in enumerate(items):
            made = self.builder.insert_value(made, self.ssa(item), index)
        return Val(kind, ssa=made)

    def part(self, value: Val, index: int) -> Val:
        """Return a part of a tuple, record or optional value."""
        kind = value.kind
        if isinstance(kind, Optional):
            part: Type = BOOL if index == 0 else kind.item
        else:
            assert isinstance(kind, (Tuple, RecordOf))
            part = kind.items[index]
        if value.ssa is not None:
            found = Val(part, ssa=self.builder.extract_value(value.ssa, index))
            return self.spelled(found) if types.is_text(kind) else found
        place = self.part_address(kind, value.address, index)
        if is_large(part):
            return Val(part, address=place, borrowed=value.borrowed)
        found = self.loaded_from(part, place, fixed=not value.borrowed)
        return self.spelled(found) if types.is_text(kind) else found

    def spelled(self, letter: Val) -> Val:
        """Return a run-time text of one character."""
        self.program.letters[id(letter.ssa)] = letter
        return letter

    def loaded_from(self, kind: Type, address: SSA, fixed: bool) -> Val:
        """Return the small value at an address.

        Arguments:
            fixed: whether the memory never changes. Items of an array are then read without copying it.
        """
        in_place = address if fixed and array_item(kind) is not None else None
        return Val(kind, ssa=self.builder.load(address, typ=llvm_type(kind)), address=in_place)

    def converted(self, value: Value, kind: Type) -> Val:
        """Return a value converted to another type that includes it."""
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
        """Return a number, text or similar value as one of another type with the same value."""
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
        if have == NONE:
            return self.converted(self.fails_here(TypeError), kind).ssa
        raise self.refuse(f"a value of type {have} cannot be converted to {kind}")

    def fraction(self, ssa: SSA) -> SSA:
        """Return an integer as a float; fail if no float has exactly its value."""
        if self.checked:
            shifted = self.builder.add(ssa, self.word(1 << 53))
            self.fail_if(self.builder.icmp_unsigned(">", shifted, self.word(1 << 54)), OVERFLOW)
        return self.builder.sitofp(ssa, DOUBLE)

    def undefined(self, kind: Type) -> Val:
        """Return an arbitrary value, which is never used."""
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
        """Return the value of an optional; fail if it is None."""
        if not isinstance(value.kind, Optional):
            return value
        absent = self.builder.not_(self.ssa(self.part(value, 0)))
        self.fail_if(absent, self.program.status_of(TypeError))
        return self.part(value, 1)

    def list_of(self, value: Val, kind: List) -> Val:
        """Return a list of the items of a tuple or another list."""
        raise NotImplementedError

    def tuple_of(self, value: Val, kind: Tuple) -> Val:
        """Return a tuple of the items of a list; fail if it has another length."""
        raise NotImplementedError
