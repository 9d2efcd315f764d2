"""Calls of `ggp.compiler.intrinsics`, which become machine instructions."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from llvmlite import ir

from ggp.compiler import intrinsics
from ggp.compiler.llvm_types import DOUBLE, WORD
from ggp.compiler.texts import Texts
from ggp.compiler.types import BOOL, BOTTOM, FLOAT, INT, NONE, List, Optional, RecordOf, Tuple, Type
from ggp.compiler.values import SSA, Known, Pack, Val, Value


class IntrinsicCalls(Texts):
    """Translates the functions of `ggp.compiler.intrinsics`."""

    def loaded(self, address: Value) -> Val:
        """Compile `intrinsics.load(address)`."""
        return Val(INT, ssa=self.builder.load(self._pointer(address), typ=WORD))

    def saved(self, address: Value, word: Value) -> Known:
        """Compile `intrinsics.save(address, word)`."""
        self.builder.store(self.number(self.runtime(word), INT), self._pointer(address))
        return Known(None)

    def loaded_byte(self, address: Value) -> Val:
        """Compile `intrinsics.load_byte(address)`."""
        byte = self.builder.load(self._pointer(address), typ=ir.IntType(8))
        return Val(INT, ssa=self.builder.sext(byte, WORD))

    def saved_byte(self, address: Value, byte: Value) -> Known:
        """Compile `intrinsics.save_byte(address, byte)`."""
        word = self.number(self.runtime(byte), INT)
        self.builder.store(self.builder.trunc(word, ir.IntType(8)), self._pointer(address))
        return Known(None)

    def _pointer(self, address: Value) -> SSA:
        return self.builder.inttoptr(self.number(self.runtime(address), INT), ir.PointerType())

    def mixed(self, hashed: Value, word: Value) -> Val:
        """Compile `intrinsics.mix(hashed, word)`."""
        builder = self.builder
        one, other = (self.number(self.runtime(each), INT) for each in (hashed, word))
        product = builder.mul(builder.xor(one, other), self.word(intrinsics.MULTIPLIER))
        return Val(INT, ssa=builder.xor(product, builder.lshr(product, self.word(32))))

    def spread(self, hashed: Value, count: Value) -> Val:
        """Compile `intrinsics.spread(hashed, count)`."""
        builder = self.builder
        one, other = (self.number(self.runtime(each), INT) for each in (hashed, count))
        product = builder.mul(builder.lshr(one, self.word(32)), other)
        return Val(INT, ssa=builder.lshr(product, self.word(32)))

    def bits_of(self, value: Value) -> Val:
        """Compile `intrinsics.bits_of(value)`."""
        return Val(INT, ssa=self.builder.bitcast(self.number(self.runtime(value), FLOAT), WORD))

    def value_of(self, bits: Value) -> Val:
        """Compile `intrinsics.value_of(bits)`."""
        return Val(FLOAT, ssa=self.builder.bitcast(self.number(self.runtime(bits), INT), DOUBLE))

    def next_float(self, value: Value, up: bool) -> Val:
        """Compile `intrinsics.next_above(value)` and `intrinsics.next_below(value)`."""
        function = self.program.declare("nextafter", ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE]))
        far = ir.Constant(DOUBLE, math.inf if up else -math.inf)
        return Val(FLOAT, ssa=self.builder.call(function, [self.number(self.runtime(value), FLOAT), far]))

    def words_of(self, value: Value) -> Pack:
        """Compile `intrinsics.words_of(value)`: the words of a value, as numbers."""
        return Pack(tuple(Val(INT, ssa=word) for word in self.exploded(self.runtime(value))))

    def put_value(self, address: Value, value: Value) -> Known:
        """Compile `intrinsics.put_value(address, value)`."""
        base = self._pointer(address)
        for index, word in enumerate(self.exploded(self.runtime(value))):
            self.builder.store(word, self.builder.gep(base, [self.word(index)], source_etype=WORD))
        return Known(None)

    def get_value(self, address: Value, like: Value) -> Val:
        """Compile `intrinsics.get_value(address, like)`: a value of the type of `like`."""
        base, kind = self._pointer(address), self.runtime(like).kind
        if (
            isinstance(kind, Optional) or kind == NONE
        ):  # a variable that holds no action yet stands for the type of actions
            kind = self.program.facts.get(("action",), kind)
        index = [0]

        def word() -> SSA:
            place = self.builder.gep(base, [self.word(index[0])], source_etype=WORD)
            index[0] += 1
            return self.builder.load(place, typ=WORD)

        return self.imploded(kind, word)

    def pack(self, address: Value, value: Value, layout: Value) -> Known:
        """Compile `intrinsics.pack(address, value, layout)`."""
        builder, base = self.builder, self.number(self.runtime(address), INT)
        for word, (low, mask, shift, place) in self.fields_of(self.exploded(self.runtime(value)), layout):
            pointer = builder.inttoptr(builder.add(base, place), ir.PointerType())
            kept = builder.and_(builder.load(pointer, typ=WORD), builder.not_(builder.shl(mask, shift)))
            builder.store(builder.or_(kept, builder.shl(builder.sub(word, low), shift)), pointer)
        return Known(None)

    def unpack(self, address: Value, like: Value, layout: Value) -> Val:
        """Compile `intrinsics.unpack(address, like, layout)`."""
        base, kind = self.number(self.runtime(address), INT), self.runtime(like).kind
        fields = self.fields_of(itertools.repeat(base), layout)
        return self.imploded(kind, lambda: self.unpacked_word(*next(fields)))

    def is_packed(self, address: Value, value: Value, layout: Value) -> Val:
        """Compile `intrinsics.is_packed(address, value, layout)`."""
        base, differing = self.number(self.runtime(address), INT), self.word(0)
        for word, field in self.fields_of(self.exploded(self.runtime(value)), layout):
            differing = self.builder.or_(differing, self.builder.xor(word, self.unpacked_word(base, field)))
        return Val(BOOL, ssa=self.builder.icmp_signed("==", differing, self.word(0)))

    def fits(self, value: Value, layout: Value) -> Val:
        """Compile `intrinsics.fits(value, layout)`."""
        builder, beyond = self.builder, self.word(0)
        for word, (low, mask, _, _) in self.fields_of(self.exploded(self.runtime(value)), layout):
            beyond = builder.or_(beyond, builder.and_(builder.sub(word, low), builder.not_(mask)))
        return Val(BOOL, ssa=builder.icmp_signed("==", beyond, self.word(0)))

    def fields_of(self, words: Iterable[Any], layout: Value) -> Iterator[tuple[Any, list[Any]]]:
        """Yield each word with the four words that describe its field."""
        base = self._pointer(layout)
        for index, word in enumerate(words):
            places = [self.builder.gep(base, [self.word(4 * index + part)], source_etype=WORD) for part in range(4)]
            yield word, [self.builder.load(place, typ=WORD) for place in places]

    def unpacked_word(self, base: SSA, field: list[Any]) -> SSA:
        builder, (low, mask, shift, place) = self.builder, field
        word = builder.load(builder.inttoptr(builder.add(base, place), ir.PointerType()), typ=WORD)
        return builder.add(builder.and_(builder.lshr(word, shift), mask), low)

    def exploded(self, value: Val) -> list[Any]:
        """Return the words of a value."""
        kind = value.kind
        if isinstance(kind, (Tuple, RecordOf)):
            return [word for index in range(len(kind.items)) for word in self.exploded(self.part(value, index))]
        if isinstance(kind, Optional):
            present = self.builder.zext(self.ssa(self.part(value, 0)), WORD)
            mask = self.builder.sub(
                self.word(0), present
            )  # what None hides is 0, so that equal values have equal words
            return [present, *[self.builder.and_(word, mask) for word in self.exploded(self.part(value, 1))]]
        if kind in (NONE, BOTTOM):
            return []
        if kind == BOOL:
            return [self.builder.zext(value.ssa, WORD)]
        if kind == FLOAT:
            return [self.builder.bitcast(value.ssa, WORD)]
        if isinstance(kind, List):
            raise self.refuse("a list whose length is known only at run time cannot be part of a state or an action")
        return [value.ssa]

    def imploded(self, kind: Type, word: Callable[[], Any]) -> Val:
        """Return the value built from the words that `word` returns in sequence."""
        if isinstance(kind, (Tuple, RecordOf)):
            return self.assembled(kind, [self.imploded(each, word) for each in kind.items])
        if isinstance(kind, Optional):
            present = Val(BOOL, ssa=self.builder.icmp_signed("!=", word(), self.word(0)))
            return self.assembled(kind, [present, self.imploded(kind.item, word)])
        if kind in (NONE, BOTTOM):
            return Val(kind, ssa=self.bit(False))
        if kind == BOOL:
            return Val(kind, ssa=self.builder.icmp_signed("!=", word(), self.word(0)))
        if kind == FLOAT:
            return Val(kind, ssa=self.builder.bitcast(word(), DOUBLE))
        return Val(kind, ssa=word())
