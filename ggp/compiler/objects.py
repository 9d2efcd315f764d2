"""Instances of classes, their attributes, and methods of numbers, texts, dictionaries and bits."""

import contextlib
import dataclasses
import enum
import functools
import inspect
from collections.abc import Callable
from typing import Any

import attrs

from ggp.bits import Bits
from ggp.compiler.encoding import member_number
from ggp.compiler.intrinsic_calls import IntrinsicCalls
from ggp.compiler.llvm_types import OVERFLOW, WORD
from ggp.compiler.standard_library import Beyond
from ggp.compiler.types import ATOM, BITS, BOOL, BOTTOM, INT, EnumOf, Optional, RecordOf, Tuple, field_names, is_record
from ggp.compiler.values import (
    SSA,
    Comprehension,
    Known,
    Mapping,
    Method,
    Pack,
    Static,
    Val,
    Value,
)

LETTER_METHODS = {"isalpha", "isdigit", "islower", "isupper", "lower", "swapcase", "upper"}
"""Methods of texts that depend on the text alone."""


class Objects(IntrinsicCalls):
    """Translates objects."""

    # Classes -----------------------------------------------------------------------------------------------------

    def made(self, kind: type, arguments: list[Value], named: dict[str, Value]) -> Any:
        """Return a new instance of a class."""
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
                f"{kind.__name__} cannot be compiled, since creating it runs {', '.join(hooks) or '__init__'}"
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
                    raise self.refuse(f"{kind.__name__}(...) needs a value for its field {name}")
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
            raise self.refuse(
                f"{kind.__name__}(...) can only be compiled if all members of {kind.__name__} are whole numbers"
            )
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
        """Return a record or named tuple with some fields replaced."""
        if isinstance(value, Val):
            value = self.unwrapped(value)
            if value.kind == BOTTOM:
                return value
        kind = self.class_of(value)
        if kind is None:
            raise self.refuse("only frozen classes and named tuples can be copied with other fields")
        names = list(field_names(kind))
        parts = list(value.items) if isinstance(value, Pack) else [self.field(value, name) for name in names]
        for name, change in changes.items():
            if name not in names:
                raise self.refuse(f"{kind.__name__} has no field {name}")
            parts[names.index(name)] = change
        return Pack(tuple(map(self.frozen, parts)), kind)

    def class_of(self, value: Value) -> type | None:
        """Return the class of a record or named tuple; None for any other value."""
        if isinstance(value, Known) and isinstance(value.value, Bits):
            return None
        if isinstance(value, Known):
            kind: Any = type(value.value)
            return kind if is_record(kind) or hasattr(kind, "_fields") else None
        if isinstance(value, Pack):
            return value.kind if value.kind is not str else None
        if isinstance(value, Val) and isinstance(value.kind, (RecordOf, Tuple)):
            return value.kind.kind if value.kind.kind is not str else None
        return None

    def field(self, value: Value, name: str) -> Value:
        """Return a field of a record or named tuple."""
        if isinstance(value, Known):
            return Known(getattr(value.value, name))
        kind = self.class_of(value)
        assert kind is not None
        index = field_names(kind).index(name)
        return value.items[index] if isinstance(value, Pack) else self.part(self.runtime(value), index)

    def fixed(self, items: Value) -> list[Any] | None:
        """Return the items of a value with a fixed number of items, lazy or not; None for any other value."""
        raise NotImplementedError

    def sequence(self, items: Value | None = None) -> Value:
        """Compile `tuple(items)` and `list(items)`."""
        raise NotImplementedError

    # Attributes of run-time values -------------------------------------------------------------------------------

    def attribute_of(self, value: Value, name: str) -> Value:
        """Return an attribute of a run-time value: a field, a property, or a method to call."""
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
        if name not in ("value", "name") and not all(name in vars(each) for each in members):
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
        if self.is_spelled(receiver):
            return self.method_of_text(receiver, name, arguments)
        if name == "index" and len(arguments) == 1:
            return self.index_of(receiver, arguments[0], None)
        if name == "count" and len(arguments) == 1:
            return self.count_of(receiver, arguments[0])
        if name == "copy" and not arguments:
            return self.sequence(receiver)
        value = self.unwrapped(self.runtime(receiver))
        if value.kind == BOTTOM:
            return value
        if value.kind in (INT, BOOL) and name in ("bit_count", "bit_length"):
            return self._bits_of_number(self.number(value, INT), name)
        if value.kind == ATOM and name in LETTER_METHODS and not arguments:
            return self.by_text(value, getattr(str, name))
        raise self.refuse(f"the method {name} of a {value.kind} is not compiled")

    def by_text(self, text: Val, function: Callable[[str], Any]) -> Value:
        """Look up the result of a function of a run-time text, in a table for all texts of the program."""
        self.program.asks_for_texts = True
        table = {}
        for each in sorted(self.program.atoms):
            with contextlib.suppress(TypeError):  # of `ord` for a text of several letters
                table[each] = function(each)
        return self.looked_up(table, text, None, Beyond)

    def py_ord(self, text: Value) -> Value:
        """Compile `ord(text)`."""
        found = self.unwrapped(self.runtime(text))
        if found.kind not in (ATOM, BOTTOM):
            raise self.refuse(f"ord(...) can only be compiled for texts; got a {found.kind}")
        return self.by_text(found, ord) if found.kind == ATOM else found

    def _of_text(self, text: str, name: str, arguments: list[Value]) -> Value:
        """Call a method of a known text with a run-time text, which may be a part of it."""
        if name == "join" and len(arguments) == 1:
            return self._joined_by(text, arguments[0])
        missing = {"index": None, "find": -1, "rfind": -1, "count": 0, "startswith": False, "endswith": False}
        if name not in missing or len(arguments) != 1:
            raise self.refuse(f"the method {name} of a text is not compiled")
        found = self.runtime(arguments[0])
        if found.kind not in (ATOM, BOTTOM):
            raise self.refuse(f"the argument of the method {name} must be a text; got a {found.kind}")
        table = {part: getattr(text, name)(part) for part in self.parts_of_text(text)}
        default = missing[name]
        return self.looked_up(table, found, None if default is None else Known(default), ValueError)

    def _joined_by(self, text: str, items: Value) -> Value:
        """Return `text.join(items)`."""
        parts = self.fixed(self.sequence(items) if isinstance(items, Comprehension) else items)
        if parts is None:
            raise self.refuse("only a constant number of texts can be joined")
        letters: list[Value] = []
        for index, part in enumerate(parts):
            letters += self.letters(Known(text)) if index else []
            letters += self.letters(part)
        return self.text(letters)

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

    def index_of(self, items: Value, item: Value, missing: int | None) -> Val:
        """Return the index of the first equal item."""
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

    def count_of(self, items: Value, item: Value) -> Val:
        place = self.reserve(WORD)
        self.builder.store(self.word(0), place)

        def one(each: Value) -> None:
            same = self.equal(each, item)
            more = self.builder.zext(self.bit(same) if isinstance(same, bool) else same, WORD)
            self.builder.store(self.builder.add(self.builder.load(place, typ=WORD), more), place)

        self.iterate(items, one)
        return Val(INT, ssa=self.builder.load(place, typ=WORD))
