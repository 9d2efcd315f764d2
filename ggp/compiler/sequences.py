"""Sequences as values: their length, items, slices and members, and look-ups in tables."""

import contextlib
import functools
from collections.abc import Callable, Hashable
from typing import Any

from ggp.compiler.llvm_types import WORD, array_item, is_large, llvm_type
from ggp.compiler.loops import LONGEST_TEXT, Loops
from ggp.compiler.standard_library import Beyond
from ggp.compiler.types import ATOM, BITS, BOOL, BOTTOM, INT, List, NotRepresentable, Tuple, Type, join, type_of
from ggp.compiler.values import (
    SSA,
    Distinct,
    Enumerated,
    Known,
    Lazy,
    Mapping,
    Pack,
    Range,
    Reversed,
    Static,
    Val,
    Value,
    Zipped,
    known_values,
)


class Sequences(Loops):
    """Translates operations on sequences."""

    def listed(self, value: Value) -> Val:
        """Return the items of an iterable as a list."""
        if not isinstance(value, (*Lazy, Val, Known, Pack)):
            what = "set" if isinstance(value, Distinct) else "function"
            raise self.refuse(f"a {what} cannot be part of a state or an action, nor stored in a list")
        known = self.items(value)
        if known is not None:
            if isinstance(value, Known):
                return self.constant(
                    value.value if isinstance(value.value, (tuple, list, str)) else tuple(e.value for e in known)
                )
            return self.runtime(Pack(tuple(known)))
        key = ("list", self.here())
        item = self.program.facts.get(key, BOTTOM)
        made, place = self.new_list(item if item != BOTTOM else INT, self.word(8)), None
        place = self.reserve(llvm_type(made.kind))
        self.builder.store(made.ssa, place)
        self.iterate(value, lambda each: self.append(place, key, each))
        kind = List(self.program.facts.get(key, BOTTOM))
        if kind.item == BOTTOM:
            kind = List(INT)
        return Val(kind, ssa=self.builder.load(place, typ=llvm_type(kind)))

    def append(self, place: SSA, key: Hashable, value: Value) -> None:
        """Append a value to the list at an address; `key` is the fact for the type of its items."""
        value = self.runtime(value)
        item = self.program.widen(key, value.kind, self.refuse)
        if item == BOTTOM or self.dead:
            return
        value, builder = self.converted(value, item), self.builder
        now = Val(List(item), ssa=builder.load(place, typ=llvm_type(List(item))))
        start, count = self.list_parts(now)
        room = builder.extract_value(now.ssa, 2)
        full, ready = self.block("full"), self.block("ready")
        self.branch(builder.icmp_signed(">=", count, room), full, ready)
        self.at(full)
        more = self.new_list(item, builder.add(builder.mul(room, self.word(2)), self.word(8)))
        moved, _ = self.list_parts(more)
        self.copy(moved, start, self.builder.mul(count, self.size_of(item)))
        self.builder.store(self.builder.insert_value(more.ssa, count, 1), place)
        self.jump(ready)
        self.at(ready)
        now = Val(List(item), ssa=self.builder.load(place, typ=llvm_type(List(item))))
        start, count = self.list_parts(now)
        self.put(value, self.item_address(item, start, count))
        self.builder.store(self.builder.insert_value(now.ssa, self.builder.add(count, self.word(1)), 1), place)

    def joined(self, left: Value, right: Value) -> Val:
        """Return the list of the items of two sequences."""
        key = ("list", self.here())
        item = self.program.facts.get(key, INT)
        place = self.reserve(llvm_type(List(item)))
        self.builder.store(self.new_list(item, self.word(16)).ssa, place)
        for part in (left, right):
            self.iterate(part, lambda each: self.append(place, key, each))
        if key not in self.program.facts and self.program.changed:
            return self.bottom()  # the next attempt knows the type of the items
        kind = List(self.program.facts.get(key, INT))
        return Val(kind, ssa=self.builder.load(place, typ=llvm_type(kind)))

    def length(self, value: Value) -> Value:
        """Return `len(value)`."""
        if (own := self.special(value, "__len__")) is not None and not isinstance(value, Known):
            return self.call(Known(own), [value], {}, None)
        if isinstance(value, Known):
            try:
                return Known(len(value.value))
            except TypeError as error:
                raise self.refuse(str(error)) from error
        if isinstance(value, Range):
            start, stop = (self.number(self.unwrapped(self.runtime(each)), INT) for each in (value.start, value.stop))
            return Val(INT, ssa=self.range_length(start, stop, value.step))
        if isinstance(value, Distinct):
            return Val(INT, ssa=self.list_parts(self.distinct_list(value))[1])
        if isinstance(value, Val) and isinstance(value.kind, Tuple):
            return Known(len(value.kind.items))
        items = self.items(value)
        if items is not None:
            return Known(len(items))
        if isinstance(value, Lazy):
            place = self.reserve(WORD)
            self.builder.store(self.word(0), place)

            def one(each: Value) -> None:
                self.builder.store(self.builder.add(self.builder.load(place, typ=WORD), self.word(1)), place)

            self.iterate(value, one)
            return Val(INT, ssa=self.builder.load(place, typ=WORD))
        value = self.unwrapped(self.runtime(value))
        if value.kind == BOTTOM:
            return self.bottom()
        if value.kind == BITS:
            return Val(INT, ssa=self.bit_count(value.ssa))
        if isinstance(value.kind, List):
            return Val(INT, ssa=self.list_parts(value)[1])
        if value.kind == ATOM:
            return self.by_text(value, len)
        raise self.refuse(f"a {value.kind} has no length")

    def distinct_list(self, value: Distinct) -> Val:
        """Return a list of the different items of a set."""
        key = ("list", self.here())
        item = self.program.facts.get(key, BOTTOM)
        kind = List(item if item != BOTTOM else INT)
        place = self.reserve(llvm_type(kind))
        self.builder.store(self.new_list(kind.item, self.word(8)).ssa, place)

        def one(each: Value) -> None:
            each = self.frozen(self.runtime(each))
            known = self.some(self.at_address(kind, place), lambda other: self.equal(each, other))
            new, after = self.block("new"), self.block("after")
            self.branch(known.ssa, after, new)
            self.at(new)
            self.append(place, key, each)
            self.jump(after)
            self.at(after)

        self.iterate(value.items, one)
        return self.at_address(kind, place)

    def item(self, value: Value, index: Value) -> Value:
        """Return `value[index]`."""
        if isinstance(index, Known) and isinstance(value, Known):
            try:
                return Known(value.value[index.value])
            except Exception as error:
                return self.fails_here(type(error))
        if (own := self.special(value, "__getitem__")) is not None:
            return self.call(Known(own), [value, index], {}, None)
        if isinstance(value, Mapping):
            if isinstance(index, Known):
                return value.entries[index.value] if index.value in value.entries else self.fails_here(KeyError)
            return self.looked_up(value.entries, index, None)
        if isinstance(value, Known) and isinstance(value.value, dict):
            return self.looked_up(value.value, index, None)
        if isinstance(value, (Range, Reversed, Enumerated, Zipped)):
            get, count = self.random_access(value)
            return get(self.checked_index(index, count))
        if isinstance(value, Lazy):
            value = self.listed(value)
        if isinstance(index, Known):
            value = self.unwrapped(value) if isinstance(value, Val) else value
            try:
                if isinstance(value, Val) and isinstance(value.kind, Tuple):
                    return self.part(value, range(len(value.kind.items))[index.value])
                if (known := self.items(value)) is not None:
                    found: Value = known[index.value]
                    return found
            except (IndexError, TypeError) as error:
                return self.fails_here(type(error))
        if isinstance(value, Val) and self.unwrapped(value).kind == BOTTOM:
            return self.bottom()
        if (places := self._largest_kind(value)) is not None:
            items = self.items(value) or []
            place = Val(INT, ssa=self.checked_index(index, self.word(len(items))))
            return self.looked_up({each: items[each] for each in places}, place, None, Beyond)
        address, count, item = self.indexable(value)
        borrowed = isinstance(value, Val) and (value.borrowed or isinstance(value.kind, List))
        place = self.item_address(item, address, self.checked_index(index, count))
        if is_large(item):
            return Val(item, address=place, borrowed=borrowed)
        found = self.loaded_from(item, place, fixed=not borrowed)
        known_text = isinstance(value, Known) and isinstance(value.value, str)
        return self.spelled(found) if known_text or self.is_spelled(value) else found

    def _largest_kind(self, value: Value) -> list[int] | None:
        """Return the indices of the items with the most frequent type; None if all items have a common type.

        The call fails at an item of another type; an index such as `state[player]` rarely selects one.
        """
        if isinstance(value, Pack):
            kinds = [self.kind_of(each) for each in value.items]
        elif isinstance(value, Val) and isinstance(value.kind, Tuple) and array_item(value.kind) is None:
            kinds = list(value.kind.items)
        else:
            return None
        groups: list[tuple[Type, list[int]]] = []
        for place, kind in enumerate(kinds):
            if kind is None:
                return None
            for number, (have, places) in enumerate(groups):
                try:
                    groups[number] = join(have, kind), [*places, place]
                    break
                except NotRepresentable:
                    continue
            else:
                groups.append((kind, [place]))
        return max(groups, key=lambda group: len(group[1]))[1] if len(groups) > 1 else None

    def checked_index(self, index: Value, count: SSA) -> SSA:
        """Return a run-time index counted from 0, even if it was negative; fail if it is out of range."""
        value = self.unwrapped(self.runtime(index))
        if value.kind == BOTTOM:
            return self.word(0)
        word, builder = self.number(value, INT), self.builder
        negative = builder.icmp_signed("<", word, self.word(0))
        word = builder.select(negative, builder.add(word, count), word)
        self.fail_if(builder.icmp_unsigned(">=", word, count), self.program.status_of(IndexError))
        return word

    def sliced(self, value: Value, lower: Value, upper: Value, step: Value) -> Value:
        """Return `value[lower:upper:step]`."""
        known, items = known_values((lower, upper, step)), self.items(value)
        if isinstance(value, Known) and known is not None:
            return Known(value.value[slice(*known)])
        if items is not None and known is not None:
            return self.text(items[slice(*known)]) if self.is_spelled(value) else Pack(tuple(items[slice(*known)]))
        if self.is_spelled(value):
            raise self.refuse("a text can only be sliced by constants, or as in text[:i] + letter + text[i + 1:]")
        if not (isinstance(step, Known) and step.value in (None, 1)):
            raise self.refuse("the bounds of a slice with a step must be constants")
        if isinstance(value, Known) and isinstance(value.value, str):
            return self._slice_of_text(value.value, lower, upper)
        get, count = self.random_access(value)
        first, last = self.bound(lower, count, self.word(0)), self.bound(upper, count, count)
        key = ("list", self.here())
        item = self.program.facts.get(key, INT)
        place = self.reserve(llvm_type(List(item)))
        length = self.builder.sub(last, first)
        length = self.builder.select(self.builder.icmp_signed("<", length, self.word(0)), self.word(0), length)
        self.builder.store(self.new_list(item, self.builder.add(length, self.word(1))).ssa, place)
        self.counted(length, lambda index: self.append(place, key, get(self.builder.add(first, index))))
        kind = List(self.program.facts.get(key, INT))
        return Val(kind, ssa=self.builder.load(place, typ=llvm_type(kind)))

    def _slice_of_text(self, text: str, lower: Value, upper: Value) -> Val:
        """Return a slice of a known text with run-time bounds, from a table of all slices."""
        if len(text) > LONGEST_TEXT:
            raise self.refuse(
                f"the bounds of a slice must be constants, since the text has more than {LONGEST_TEXT} characters"
            )
        count, size = self.word(len(text)), len(text) + 1
        first, last = self.bound(lower, count, self.word(0)), self.bound(upper, count, count)
        table = Known(tuple(text[i:j] for i in range(size) for j in range(size)))
        index = self.builder.add(self.builder.mul(first, self.word(size)), last)
        start, _, item = self.indexable(table)
        return self.at_address(item, self.item_address(item, start, index))

    def by_text(self, text: Val, function: Callable[[str], Any]) -> Value:
        """Look up the result of a function of a run-time text, in a table for all texts of the program."""
        raise NotImplementedError

    def text(self, letters: list[Value]) -> Value:
        """Return the text with these letters."""
        raise NotImplementedError

    def has_part(self, text: Value, part: Value) -> Value:
        """Return `part in text`."""
        raise NotImplementedError

    def bound(self, bound: Value, count: SSA, default: SSA) -> SSA:
        """Return a bound of a slice, between 0 and the number of items."""
        if isinstance(bound, Known) and bound.value is None:
            return default
        builder = self.builder
        word = self.number(self.unwrapped(self.runtime(bound)), INT)
        word = builder.select(builder.icmp_signed("<", word, self.word(0)), builder.add(word, count), word)
        word = builder.select(builder.icmp_signed("<", word, self.word(0)), self.word(0), word)
        return builder.select(builder.icmp_signed(">", word, count), count, word)

    def contains(self, container: Value, item: Value) -> Value:
        """Return `item in container`."""
        if isinstance(container, Distinct):
            container = container.items
        if not isinstance(container, Known) and (own := self.special(container, "__contains__")) is not None:
            return self.call(Known(own), [container, item], {}, None)
        if isinstance(container, Known) and isinstance(item, Known):
            return Known(item.value in container.value)
        if self.is_spelled(container) or (
            isinstance(container, Known) and isinstance(container.value, str) and self.is_spelled(item)
        ):
            return self.has_part(container, item)
        if isinstance(container, Known) and isinstance(container.value, str):
            return self._within_text(container.value, item)
        if isinstance(container, Known) and isinstance(container.value, range):
            container = Range(Known(container.value.start), Known(container.value.stop), container.value.step)
        if isinstance(container, Range) and container.step == 1:
            return self._in_range(container, item)
        if (isinstance(container, Val) and container.kind == BITS) or (
            isinstance(container, Known) and type_is_bits(container)
        ):
            word = self.number(self.unwrapped(self.runtime(item)), INT)
            inside = self.builder.icmp_unsigned("<=", word, self.word(63))
            bit = self.builder.lshr(self.runtime(container).ssa, self.builder.and_(word, self.word(63)))
            return Val(BOOL, ssa=self.builder.and_(inside, self.builder.trunc(bit, self.bit(True).type)))
        if isinstance(container, Known) and isinstance(
            container.value, (set, frozenset)
        ):  # in any order, but always one
            container = Known(tuple(sorted(container.value, key=repr)))
        return self.some(container, lambda each: self.equal(each, item))

    def _within_text(self, text: str, item: Value) -> Val:
        """Return whether a run-time text is part of a known text."""
        found = self.runtime(item)
        if found.kind not in (ATOM, BOTTOM):
            raise self.refuse(f"only a text can be searched for in a text; got a {found.kind}")
        if found.kind == ATOM:
            self.fail_if(self.builder.icmp_signed("==", found.ssa, self.word(0)), self.program.status_of(TypeError))
        return self.some(Known(tuple(self.parts_of_text(text))), lambda each: self.equal(each, found))

    def parts_of_text(self, text: str) -> list[str]:
        """Return all parts of a text, single characters first."""
        if len(text) > LONGEST_TEXT:
            raise self.refuse(
                f"a text of more than {LONGEST_TEXT} characters cannot be searched; write a tuple of its characters"
            )
        parts = {
            text[i:j]: None
            for size in range(1, len(text) + 1)
            for i, j in [(k, k + size) for k in range(len(text) - size + 1)]
        }
        return [*parts, ""]

    def _in_range(self, container: Range, item: Value) -> Value:
        value = self.unwrapped(self.runtime(item))
        if value.kind not in (INT, BOOL):
            return self.some(container, lambda each: self.equal(each, item))
        word = self.number(value, INT)
        start, stop = (self.number(self.unwrapped(self.runtime(e)), INT) for e in (container.start, container.stop))
        builder = self.builder
        return Val(BOOL, ssa=builder.and_(builder.icmp_signed("<=", start, word), builder.icmp_signed("<", word, stop)))

    def some(self, items: Value, holds: Callable[[Any], Any]) -> Val:
        """Return whether a condition holds for at least one item; stop at the first such item."""
        place = self.reserve(self.bit(True).type)
        self.builder.store(self.bit(False), place)
        end, found = self.block("end"), self.block("found")

        def one(each: Value) -> None:
            truth = holds(each)
            if truth is False:
                return
            after = self.block("next")
            self.branch(self.bit(True) if truth is True else truth, found, after)
            self.at(after)

        self.iterate(items, one)
        self.jump(end)
        self.at(found)
        self.builder.store(self.bit(True), place)
        self.builder.branch(end)
        self.at(end)
        return Val(BOOL, ssa=self.builder.load(place, typ=self.bit(True).type))

    def looked_up(
        self, table: dict[Any, Any], key: Value, default: Value | None, error: type[Exception] = KeyError
    ) -> Value:
        """Return `table[key]` for a run-time key, by comparing the keys one after the other.

        Arguments:
            default: the result if the key is missing; None means failure.
            error: the exception for that failure.
        """
        fact = ("looked up", self.here())
        slot = self.slot(fact)
        end = self.block("end")
        table = self._of_one_kind(table)
        for known, given in table.items():
            value = given if isinstance(given, (Val, *Static)) else Known(given)
            same = self.equal(Known(known), key)
            if same is False:
                continue
            yes, no = self.block("yes"), self.block("no")
            self.branch(self.bit(True) if same is True else same, yes, no)
            self.at(yes)
            self.assign(slot, fact, value)
            self.jump(end)
            self.at(no)
        if default is None:
            self.fail_with(error)
        else:
            self.assign(slot, fact, default)
            self.jump(end)
        self.at(end)
        return self.read(slot, borrowed=False)

    def _of_one_kind(self, table: dict[Any, Any]) -> dict[Any, Any]:
        """Return a table in which tuples and lists of different lengths have become lists."""
        values = list(table.values())
        if not all(isinstance(each, (tuple, list)) and not hasattr(each, "_fields") for each in values):
            return table
        with contextlib.suppress(NotRepresentable):
            if len({len(each) for each in values}) <= 1:
                functools.reduce(join, map(self.program.item_type, values), BOTTOM)
                return table
        try:
            kind = self.program.ragged_type(tuple(values))
        except NotRepresentable as error:
            raise self.refuse(f"the values of a dictionary have different types: {error}") from None
        assert isinstance(kind, List)
        kind = kind.item
        return {key: Val(kind, ssa=self.program.literal(value, kind)) for key, value in table.items()}

    def equal_sequences(self, left: Val, right: Val) -> SSA:
        """Return whether two sequences are equal, in a loop."""
        start, count, item = self.indexable(left)
        other_start, other_count, other_item = self.indexable(right)
        same_length = self.builder.icmp_signed("==", count, other_count)
        place = self.reserve(self.bit(True).type)
        self.builder.store(same_length, place)
        inside, end = self.block("same length"), self.block("end")
        self.branch(same_length, inside, end)
        self.at(inside)

        def one(index: SSA) -> None:
            here = self.at_address(item, self.item_address(item, start, index))
            there = self.at_address(other_item, self.item_address(other_item, other_start, index))
            same = self.equal(here, there)
            different, after = self.block("different"), self.block("after")
            self.branch(self.bit(same) if isinstance(same, bool) else same, after, different)
            self.at(different)
            self.builder.store(self.bit(False), place)
            self.jump(end)
            self.at(after)

        self.counted(count, one)
        self.jump(end)
        self.at(end)
        return self.builder.load(place, typ=self.bit(True).type)


def type_is_bits(value: Known) -> bool:
    """Return whether a known value is a set of bits."""
    try:
        return type_of(value.value) == BITS
    except NotRepresentable:
        return False
