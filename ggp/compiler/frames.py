"""Frames: the names in a call that is being translated, and their values."""

import ast
import builtins
from collections.abc import Callable, Hashable
from typing import Any

import attrs
from llvmlite import ir

from ggp.compiler.builtins import Builtins
from ggp.compiler.llvm_types import UNSET
from ggp.compiler.loops import runs_out
from ggp.compiler.source import Source
from ggp.compiler.types import BOTTOM, List, NotRepresentable, Optional, RecordOf, Tuple, type_of
from ggp.compiler.values import (
    SSA,
    Closure,
    Comprehension,
    Known,
    Method,
    Slot,
    Val,
    Value,
    is_static,
)


@attrs.define(eq=False)
class Frame:
    """A call being translated: its names, and the meaning of `return` and `yield` in it."""

    source: Source
    key: Any
    globals: dict[str, Any]
    checked: bool
    cells: dict[str, Any] = attrs.field(factory=dict)
    parent: "Frame | None" = None
    """The enclosing frame of a lambda, an inner function or a comprehension."""
    names: dict[str, Value] = attrs.field(factory=dict)
    """Names that are bound once: known values, and run-time values that fit into a register."""
    slots: dict[str, Slot] = attrs.field(factory=dict)
    flags: dict[str, Any] = attrs.field(factory=dict)
    """For each variable that has a value on some paths only, the address of the flag that says whether it has one."""
    assigned: set[str] = attrs.field(factory=set)
    """Names that have a value on every path to this place."""
    loops: list[tuple[Any, Any]] = attrs.field(factory=list)
    """The targets of `break` and `continue`."""
    on_return: Callable[[Any], None] = lambda value: None
    on_yield: Callable[[Any], None] | None = None
    lists: bool = False
    """Whether the caller iterates over the result."""
    depth: int = 0


class Names(Builtins):
    """Resolves names."""

    node: Any = None
    frame: Frame

    # Filled in by the layers above -------------------------------------------------------------------------------

    def evaluate(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        raise NotImplementedError

    def run(self, statements: list[ast.stmt]) -> None:
        """Emit statements."""
        raise NotImplementedError

    def store(self, target: ast.expr, value: Value) -> None:
        """Assign a value to a target."""
        raise NotImplementedError

    def popped(self, name: str, arguments: list[Value]) -> Value:
        """Emit `name.pop()` and return the item."""
        raise NotImplementedError

    def attribute(self, owner: Value, name: str) -> Value:
        """Return an attribute of a value."""
        raise NotImplementedError

    def bind(self, name: str, value: Value) -> None:
        """Bind a name to a value."""
        frame = self.frame
        self._require_one_run(name, value)
        frame.assigned.add(name)
        if name not in frame.source.loads:
            return
        once = frame.source.stores[name] <= 1 and name not in frame.source.changed
        if once and ("runtime", frame.key, name) not in self.program.marks:
            if is_static(value):
                frame.names[name] = self.frozen(value) if not isinstance(value, Comprehension) else value
                return
            assert isinstance(value, Val)
            scalar = not isinstance(value.kind, (Tuple, RecordOf, Optional, List))
            if scalar or (value.address is not None and not value.borrowed):
                frame.names[name] = value
                return
        if isinstance(value, (Closure, Method)):
            raise self.refuse(f"{name} is bound to more than one function")
        if isinstance(value, Known) and self.is_object(value.value):
            raise self.refuse(f"{name} is bound to more than one object")
        if name in frame.source.appended:
            value = self.runtime(value)
            if isinstance(value.kind, Tuple):
                value = self.growing_list(value, name)
        frame.names.pop(name, None)  # a loop that is written out may bind a value of another type
        key = ("name", frame.key, name)
        slot = frame.slots.get(name)
        if slot is None:
            slot = frame.slots[name] = self.slot(key)
        self.assign(slot, key, value)
        if ("flag", frame.key, name) in self.program.marks:
            self.builder.store(self.bit(True), self.flag(frame, name))

    def _require_one_run(self, name: str, value: Value) -> None:
        """Refuse to bind a name to an iterator, if it may be used twice, or later than where it is created."""
        if not runs_out(value):
            return
        source = self.frame.source
        if name not in source.single:
            raise self.refuse(
                f"{name} is an iterator, which can be used only once; write {name} = list(...) to use it again"
            )
        if isinstance(value, Comprehension) and value.frame is self.frame:
            names = {each.id for each in ast.walk(value.generators[0].iter) if isinstance(each, ast.Name)}
            if any(source.stores[each] > 1 or each in source.changed for each in names):
                raise self.refuse(
                    f"{name} is a generator over names that change before it is used; write {name} = list(...)"
                )

    def growing_list(self, value: Val, name: str) -> Val:
        """Return a tuple as a list that can grow."""
        assert isinstance(value.kind, Tuple)
        key = ("items", self.frame.key, name)
        item = self.program.facts.get(key, BOTTOM)
        for each in value.kind.items:
            item = self.program.widen(key, each, self.refuse)
        if item == BOTTOM:
            return self.new_list(BOTTOM, self.word(0))
        return self.list_of(value, List(item))

    def is_object(self, value: Value) -> bool:
        """Return whether a known value is a function, a class or an object that cannot be part of a state."""

        try:
            self.constant_type(value)
        except NotRepresentable:
            return not isinstance(value, (tuple, list, range, dict, set, frozenset))
        return False

    def constant_type(self, value: Value) -> Any:
        """Return the type of a known value."""

        return type_of(value)

    def flag(self, frame: Frame, name: str) -> SSA:
        """Return the address of the flag that says whether a variable has a value."""
        if name not in frame.flags:
            place = self.reserve(self.bit(True).type)
            with self.builder.goto_block(self.entry):
                self.builder.store(self.bit(False), place)
            frame.flags[name] = place
        return frame.flags[name]

    def unset_all(self, frame: Frame) -> None:
        """Note that no name has a value yet, since a frame may be entered repeatedly, in a loop."""
        for name in self.program.flags.get(frame.key, ()):
            self.builder.store(self.bit(False), self.flag(frame, name))

    def name(self, name: str) -> Value:
        """Return the value of a name."""
        frame: Frame | None = self.frame
        while frame is not None:
            if name in frame.names or name in frame.slots or frame.source.stores[name]:
                return self._local(frame, name)
            if name in frame.cells or frame.parent is None:
                break
            frame = frame.parent
        assert frame is not None
        if name in frame.cells:
            return Known(frame.cells[name])
        if name in frame.globals:
            return Known(frame.globals[name])
        if hasattr(builtins, name):
            return Known(getattr(builtins, name))
        raise self.refuse(f"the name {name} is not defined")

    def _local(self, frame: Frame, name: str) -> Value:
        unsure = name not in frame.assigned
        if unsure:
            self.program.mark(("runtime", frame.key, name))
            self.program.mark(("flag", frame.key, name))
        if name in frame.names:
            return frame.names[name]
        if unsure:
            self.fail_if(self.builder.not_(self.builder.load(self.flag(frame, name), typ=self.bit(True).type)), UNSET)
        if name not in frame.slots:
            return self.bottom()
        return self.read(frame.slots[name], borrowed=frame.source.stores[name] > 1 or name in frame.source.changed)

    def here(self) -> Hashable:
        node = self.node
        return (
            self.frame.key,
            getattr(node, "lineno", 0),
            getattr(node, "col_offset", 0),
            type(node).__name__,
            self.path,
        )

    def variable_address(self, offset: int) -> SSA:
        """Return the address of a variable of a known object."""
        return self.builder.gep(self.context, [self.word(offset)], source_etype=self.word(0).type)

    def ways(self, ways: list[tuple[Any, Callable[[], None]]], end: ir.Block) -> None:
        """Emit alternative paths that join at `end`; a name has a value there if it has one at the end of each path."""
        frame = self.frame
        before, after = set(frame.assigned), None
        for block, emit in ways:
            frame.assigned = set(before)
            self.at(block)
            emit()
            if not self.dead:
                after = frame.assigned if after is None else after & frame.assigned
                self.builder.branch(end)
        frame.assigned = before if after is None else after
        self.at(end)
        if after is None:
            self.builder.unreachable()
