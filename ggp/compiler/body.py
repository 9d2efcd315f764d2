"""A function's translation: its statements, expressions and calls, one LLVM function for each set of argument types."""

import ast
import builtins
import enum
import functools
import inspect
import types as pytypes
from collections.abc import Callable
from typing import Any

import attrs

from ggp.bits import Bits
from ggp.compiler.builtins import Builtins
from ggp.compiler.emitter import STATUS, UNSET, is_large, is_static, llvm_type
from ggp.compiler.operators import is_number
from ggp.compiler.source import Source, fresh, function_source, parsed
from ggp.compiler.types import ATOM, BOOL, BOTTOM, FLOAT, INT, NONE, List, Optional, Record, Tuple
from ggp.compiler.values import (
    Closure,
    Comprehension,
    Generated,
    Known,
    Lazy,
    Method,
    Pack,
    Refused,
    Slot,
    Val,
)

MOST_INLINED = 24
"""Calls inside each other that may become part of one function; more is recursion."""
LISTING = ("actions", "outcomes", "order")
"""Methods that list what there is to do: what they return is run through, and never made."""
LONGEST_PACK = 64
"""Comprehensions of at most so many elements become one expression for each."""


@attrs.define(eq=False)
class Frame:
    """A call under way: its names, and what `return` and `yield` do."""

    source: Source
    key: Any
    globals: dict[str, Any]
    checked: bool
    cells: dict[str, Any] = attrs.field(factory=dict)
    parent: "Frame | None" = None
    """The frame around a lambda, an inner function or a comprehension."""
    names: dict[str, Any] = attrs.field(factory=dict)
    """What is bound once: known values, and run-time ones that fit into a register."""
    slots: dict[str, Slot] = attrs.field(factory=dict)
    flags: dict[str, Any] = attrs.field(factory=dict)
    """Where it is kept whether a variable has a value, where that differs from way to way."""
    assigned: set[str] = attrs.field(factory=set)
    """Names that have a value on every way to this place."""
    loops: list[tuple[Any, Any]] = attrs.field(factory=list)
    """Where `break` and `continue` go."""
    on_return: Callable[[Any], None] = lambda value: None
    on_yield: Callable[[Any], None] | None = None
    lists: bool = False
    """Whether what is returned is run through."""
    depth: int = 0


class Body(Builtins):
    """One function under way."""

    frame: Frame
    node: Any = None

    # The function ------------------------------------------------------------------------------------------------

    def translate(self, frame: Frame, arguments: dict[str, Any], result_key: Any) -> None:
        """Emit the whole function; its arguments are values of this function."""
        self.frame = frame
        self.checked = frame.checked
        self.result_key = result_key
        if ("lists", result_key) in self.program.marks:
            self.uses_arena = True
            _ = self.arena_mark
        for name, value in arguments.items():
            self.bind(name, value)
        frame.on_return = self.give_back
        self.run(frame.source.body)
        if not self.dead:
            self.give_back(Known(None))
        self.finish()

    def give_back(self, value: Any) -> None:
        """Return from the function."""
        if self.dead:
            return
        have = self.kind_of(value)
        if have is None:
            value = self.runtime(value)
            have = value.kind
        before = self.result_kind
        kind = self.program.widen(self.result_key, have, self.refuse)
        if kind != before or kind == BOTTOM or self.dead:
            if not self.dead:
                self.builder.unreachable()  # this attempt is given up: the function returns something else
            return
        if self.large_result is not None:
            self.place_value(value, kind, self.large_result)
            self.leave(self.status(0), None)
            return
        value = self.converted(value, kind)
        self.leave(self.status(0), self.ssa(value) if kind != NONE else None)

    def status(self, number: int) -> Any:
        """Return a constant status."""
        from llvmlite import ir

        return ir.Constant(STATUS, number)

    def here(self) -> Any:
        node = self.node
        return (
            self.frame.key,
            getattr(node, "lineno", 0),
            getattr(node, "col_offset", 0),
            type(node).__name__,
            self.path,
        )

    # Names -------------------------------------------------------------------------------------------------------

    def bind(self, name: str, value: Any) -> None:
        """Assign to a name."""
        frame = self.frame
        frame.assigned.add(name)
        once = frame.source.stores[name] <= 1 and name not in frame.source.changed
        if once and ("runtime", frame.key, name) not in self.program.marks:
            if is_static(value):
                frame.names[name] = self.frozen(value) if not isinstance(value, Comprehension) else value
                return
            scalar = not isinstance(value.kind, (Tuple, Record, Optional, List))
            if scalar or (is_large(value.kind) and value.address is not None and not value.borrowed):
                frame.names[name] = value
                return
        if isinstance(value, (Closure, Method)):
            raise self.refuse(f"{name} is given more than one function")
        if isinstance(value, Known) and self.is_object(value.value):
            raise self.refuse(f"{name} is given more than one object")
        if name in frame.source.growing:
            value = self.runtime(value)
            if isinstance(value.kind, Tuple):
                value = self.growing_list(value, name)
        key = ("name", frame.key, name)
        slot = frame.slots.get(name)
        if slot is None:
            slot = frame.slots[name] = self.slot(key)
        self.assign(slot, key, value)
        if ("flag", frame.key, name) in self.program.marks:
            self.builder.store(self.bit(True), self.flag(frame, name))

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

    def is_object(self, value: Any) -> bool:
        """Return whether a known value is a function, a class or an object that is no value of a state."""
        from ggp.compiler.types import NotRepresentable

        try:
            self.constant_type(value)
        except NotRepresentable:
            return not isinstance(value, (tuple, list, range, dict, set, frozenset))
        return False

    def constant_type(self, value: Any) -> Any:
        """Return the type of a known value."""
        from ggp.compiler.types import type_of

        return type_of(value)

    def flag(self, frame: Frame, name: str) -> Any:
        """Return where it is kept whether a variable has a value."""
        if name not in frame.flags:
            place = self.reserve(self.bit(True).type)
            with self.builder.goto_block(self.entry):
                self.builder.store(self.bit(False), place)
            frame.flags[name] = place
        return frame.flags[name]

    def name(self, name: str) -> Any:
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

    def _local(self, frame: Frame, name: str) -> Any:
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

    # Statements --------------------------------------------------------------------------------------------------

    def run(self, statements: list[ast.stmt]) -> None:
        """Emit statements."""
        for statement in statements:
            if self.dead:
                return
            self.node = statement
            before = self.place
            self.place = (self.frame.source.file, statement.lineno)
            method = getattr(self, f"run_{type(statement).__name__}", None)
            if method is None:
                raise self.refuse(f"{_words(type(statement).__name__)} is not compiled")
            method(statement)
            self.place = before

    def run_Pass(self, node: ast.Pass) -> None:
        """Emit nothing."""

    def run_Expr(self, node: ast.Expr) -> None:
        """Emit an expression for what it does."""
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            self.give(node.value)
            return
        if (
            isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
            and self._changes_list(node.value)
        ):
            return
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id == "print":
            raise self.refuse("print is not compiled")
        self.evaluate(node.value)

    def give(self, node: ast.Yield | ast.YieldFrom) -> None:
        """Emit a `yield`."""
        frame: Frame | None = self.frame
        while frame is not None and frame.on_yield is None:
            frame = frame.parent
        if frame is None or frame.on_yield is None:
            raise self.refuse("yield is compiled in generators that are run through alone")
        if isinstance(node, ast.YieldFrom):
            self.iterate(self.frozen(self.evaluate(node.value)), frame.on_yield)
        else:
            frame.on_yield(self.evaluate(node.value) if node.value else Known(None))

    def run_Return(self, node: ast.Return) -> None:
        """Emit a `return`."""
        frame = self.frame
        if frame.lists and frame.on_yield is not None:
            if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
                self._give_all(node.value, frame)
            frame.on_return(None)
            return
        frame.on_return(self.evaluate(node.value) if node.value else Known(None))

    def _give_all(self, value: ast.expr, frame: Frame) -> None:
        """Emit a `yield` of each item of what is returned."""
        assert frame.on_yield is not None
        if isinstance(value, ast.IfExp):
            truth = self.truth(self.evaluate(value.test))
            if isinstance(truth, bool):
                self._give_all(value.body if truth else value.orelse, frame)
                return
            yes, no, end = self.block("yes"), self.block("no"), self.block("end")
            self.branch(truth, yes, no)
            for block, part in ((yes, value.body), (no, value.orelse)):
                self.at(block)
                self._give_all(part, frame)
                self.jump(end)
            self.at(end)
            return
        self.iterate(self.frozen(self.evaluate(value)), frame.on_yield)

    def run_Assign(self, node: ast.Assign) -> None:
        """Emit an assignment."""
        target = node.targets[0]
        if (
            len(node.targets) == 1
            and isinstance(target, (ast.Tuple, ast.List))
            and isinstance(node.value, (ast.Tuple, ast.List))
        ):
            if not any(isinstance(each, ast.Starred) for each in (*target.elts, *node.value.elts)):
                if len(target.elts) != len(node.value.elts):
                    raise self.refuse("the two sides of the assignment differ in length")
                values = [self.frozen(self.evaluate(each)) for each in node.value.elts]
                for each, value in zip(target.elts, values, strict=True):
                    self.store(each, value)
                return
        for each in node.targets:
            self._require_fresh(each, node.value)
        value = self.evaluate(node.value)
        if len(node.targets) > 1:
            value = self.frozen(value)
        for each in node.targets:
            self.store(each, value)

    def _require_fresh(self, target: ast.expr, value: ast.expr) -> None:
        """Refuse two names for one list that is changed."""
        changed = self.frame.source.changed
        if isinstance(target, ast.Name) and target.id in changed and not fresh(value):
            raise self.refuse(
                f"{target.id} is changed, but it may be another name for a list; write list(...) to copy it"
            )
        if isinstance(value, ast.Name) and value.id in changed and not isinstance(target, (ast.Tuple, ast.List)):
            raise self.refuse(
                f"{value.id} is changed, and here it gets a second name; write list({value.id}) to copy it"
            )

    def run_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Emit an assignment with an annotation."""
        if node.value is not None:
            self._require_fresh(node.target, node.value)
            self.store(node.target, self.evaluate(node.value))

    def run_AugAssign(self, node: ast.AugAssign) -> None:
        """Emit an assignment such as `a += b`."""
        target = node.target
        load: ast.expr
        if isinstance(target, ast.Name):
            load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            if target.id in self.frame.source.growing and isinstance(node.op, ast.Add):
                self._extend(target.id, self.evaluate(node.value))
                return
        elif isinstance(target, ast.Subscript):
            load = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
        else:
            load = ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
        self.store(target, self.binary(type(node.op), self.evaluate(load), self.evaluate(node.value)))

    def store(self, target: ast.expr, value: Any) -> None:
        """Assign a value to a target."""
        if isinstance(target, ast.Name):
            if isinstance(value, Comprehension) and isinstance(value.node, ast.ListComp):
                value = self.sequence(value)  # a list is made where it is written
            self.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Attribute):
            self._set_attribute(target, value)
        elif isinstance(target, ast.Subscript):
            self._set_item(target, value)
        else:
            raise self.refuse(f"an assignment to {ast.unparse(target)} is not compiled")

    def _unpack(self, targets: list[ast.expr], value: Any) -> None:
        if isinstance(value, Val):
            value = self.unwrapped(value)
            if value.kind == BOTTOM:
                for each in targets:
                    self.store(each.value if isinstance(each, ast.Starred) else each, value)
                return
        items = self.fixed(self.sequence(value) if isinstance(value, (Comprehension, Generated)) else value)
        starred = [index for index, each in enumerate(targets) if isinstance(each, ast.Starred)]
        if items is None:
            self._unpack_list(targets, value)
            return
        if starred:
            first, after = starred[0], len(targets) - starred[0] - 1
            middle = Pack(tuple(items[first : len(items) - after]))
            items = [*items[:first], middle, *items[len(items) - after :]]
        if len(items) != len(targets):
            raise self.refuse(f"{len(targets)} names, but {len(items)} values")
        for target, item in zip(targets, list(map(self.frozen, items)), strict=True):
            self.store(target.value if isinstance(target, ast.Starred) else target, item)

    def _unpack_list(self, targets: list[ast.expr], value: Any) -> None:
        made = self.runtime(value)
        if not isinstance(made.kind, List) or any(isinstance(each, ast.Starred) for each in targets):
            raise self.refuse(f"a {made.kind} cannot be unpacked")
        self._unpack(targets, self.tuple_of(made, Tuple((made.kind.item,) * len(targets))))

    def _set_attribute(self, target: ast.Attribute, value: Any) -> None:
        owner = self.evaluate(target.value)
        place = self.program.variable(owner.value, target.attr) if isinstance(owner, Known) else None
        if place is None:
            raise self.refuse(f"{ast.unparse(target)} cannot be assigned: games and states do not change")
        key = ("variable", id(owner.value), target.attr)
        have = self.kind_of(value) or self.runtime(value).kind
        kind = self.program.widen(key, have, self.refuse)
        if kind == place[0] and BOTTOM not in (have, kind):
            self.place_value(value, kind, self.variable_address(place[1]))

    def variable_address(self, offset: int) -> Any:
        """Return where a variable of a known object lies."""
        return self.builder.gep(self.context, [self.word(offset)], source_etype=self.word(0).type)

    def _set_item(self, target: ast.Subscript, value: Any) -> None:
        """Emit `name[index] = value`, the name being that of a list of this function."""
        path: list[ast.expr] = []
        node: ast.expr = target
        while isinstance(node, ast.Subscript):
            path.append(node.slice)
            node = node.value
        frame = self._owner(node)
        assert isinstance(node, ast.Name)
        slot = frame.slots[node.id]
        value = self.frozen(self.runtime(value))
        kind, address = slot.kind, slot.address
        chain: list[Any] = []
        for part in reversed(path):
            index = self.evaluate(part)
            if kind == BOTTOM:
                return
            if isinstance(kind, List):
                start, count = self.list_parts(self.at_address(kind, address))
                address = self.item_address(kind.item, start, self.checked_index(index, count))
                kind = kind.item
                chain.append(None)
            elif isinstance(kind, Tuple) and kind.items:
                address, kind = self._item_place(kind, address, index, chain)
            else:
                raise self.refuse(f"an item of a {kind} cannot be assigned")
        self._put_item(frame, node.id, slot, chain, kind, address, value)

    def _item_place(self, kind: Tuple, address: Any, index: Any, chain: list[Any]) -> Any:
        count = len(kind.items)
        if len(set(kind.items)) > 1:
            if not isinstance(index, Known):
                raise self.refuse("the items of a list differ in type, and the index is known only at run time")
            place = range(count)[index.value]
            chain.append(place)
            return self.part_address(kind, address, place), kind.items[place]
        chain.append(None)
        place = self.checked_index(index, self.word(count))
        return self.item_address(kind.items[0], address, place), kind.items[0]

    def _put_item(
        self, frame: Frame, name: str, slot: Slot, chain: list[Any], kind: Any, address: Any, value: Val
    ) -> None:
        from ggp.compiler.types import join

        if value.kind == BOTTOM:
            return
        try:
            wider = join(kind, value.kind)
        except Exception:
            raise self.refuse(f"{name} has items of type {kind}; a {value.kind} cannot be one of them") from None
        if wider != kind:  # the next attempt begins with a type that has both
            self.program.widen(("name", frame.key, name), _with_item(slot.kind, chain, wider), self.refuse)
            return
        self.put(self.converted(value, kind), address)

    def _owner(self, node: ast.expr) -> Frame:
        """Return the frame of a list that is changed."""
        if not isinstance(node, ast.Name):
            raise self.refuse(f"{ast.unparse(node)} cannot be changed: states do not change")
        frame: Frame | None = self.frame
        while frame is not None and node.id not in frame.slots:
            frame = frame.parent
        if frame is None or node.id in {each.arg for each in _parameters(frame.source)}:
            raise self.refuse(f"{node.id} cannot be changed; write {node.id} = list({node.id}) first")
        return frame

    def _changes_list(self, node: ast.Call) -> bool:
        """Emit `name.append(item)` and the like; return whether it was one."""
        assert isinstance(node.func, ast.Attribute)
        owner = node.func.value
        if not isinstance(owner, ast.Name) or owner.id not in self.frame.source.growing:
            return False
        if owner.id not in self.frame.slots:
            return False
        self._owner(owner)
        name, arguments = node.func.attr, [self.evaluate(each) for each in node.args]
        if name == "append":
            self._append(owner.id, arguments[0])
        elif name == "extend":
            self._extend(owner.id, arguments[0])
        elif name == "pop":
            self.popped(owner.id, arguments)
        elif name == "clear":
            slot = self.frame.slots[owner.id]
            empty = self.builder.insert_value(self.ssa(self.read(slot)), self.word(0), 1)
            self.builder.store(empty, slot.address)
        else:
            raise self.refuse(f"the method {name} of a list is not compiled")
        return True

    def _extend(self, name: str, items: Any) -> None:
        self.iterate(self.frozen(items), lambda each: self._append(name, each))

    def _append(self, name: str, value: Any) -> None:
        slot = self.frame.slots[name]
        if not isinstance(slot.kind, List):
            return
        value = self.frozen(self.runtime(value))
        items = ("items", self.frame.key, name)
        item = self.program.widen(items, value.kind, self.refuse)
        self.program.widen(("name", self.frame.key, name), List(item), self.refuse)
        if item == slot.kind.item:
            self.append(slot.address, items, value)

    def popped(self, name: str, arguments: list[Any]) -> Any:
        """Emit `name.pop()` and return the item."""
        slot = self.frame.slots[name]
        if not isinstance(slot.kind, List) or slot.kind.item == BOTTOM:
            return self.bottom()
        if arguments and not (isinstance(arguments[0], Known) and arguments[0].value == -1):
            raise self.refuse("pop is compiled for the last item alone")
        start, count = self.list_parts(self.read(slot))
        empty = self.builder.icmp_signed("==", count, self.word(0))
        self.fail_if(empty, self.program.status_of(IndexError))
        last = self.builder.sub(count, self.word(1))
        self.builder.store(self.builder.insert_value(self.ssa(self.read(slot)), last, 1), slot.address)
        return self.frozen(self.at_address(slot.kind.item, self.item_address(slot.kind.item, start, last), True))

    def run_If(self, node: ast.If) -> None:
        """Emit an `if`."""
        truth = self.truth(self.evaluate(node.test))
        if isinstance(truth, bool):
            self.run(node.body if truth else node.orelse)
            return
        yes, no, end = self.block("yes"), self.block("no"), self.block("end")
        self.branch(truth, yes, no)
        self.ways([(yes, lambda: self.run(node.body)), (no, lambda: self.run(node.orelse))], end)

    def ways(self, ways: list[tuple[Any, Callable[[], None]]], end: Any) -> None:
        """Emit ways that come together at `end`; a name has a value there if it has one at the end of each way."""
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

    def run_While(self, node: ast.While) -> None:
        """Emit a `while`."""
        frame = self.frame
        head, inside, over, end = self.block("head"), self.block("inside"), self.block("over"), self.block("end")
        self.jump(head)
        self.at(head)
        self.node = node
        truth = self.truth(self.evaluate(node.test))
        entered = set(frame.assigned)
        if isinstance(truth, bool):
            self.jump(inside if truth else over)
        else:
            self.branch(truth, inside, over)
        self.at(inside)
        if truth is False:
            self.builder.unreachable()
        frame.loops.append((end, head))
        self.run(node.body)
        frame.loops.pop()
        self.jump(head)
        frame.assigned = entered
        self.at(over)
        if truth is True:
            self.builder.unreachable()
        self.run(node.orelse)
        self.jump(end)
        frame.assigned = entered
        self.at(end)

    def run_For(self, node: ast.For) -> None:
        """Emit a `for`."""
        frame = self.frame
        items = self.frozen(self.evaluate(node.iter))
        self.node = node
        end, entered = self.block("end"), set(frame.assigned)

        def body(value: Any) -> None:
            outer, outer_place = self.node, self.place
            after = self.block("next")
            frame.loops.append((end, after))
            before = set(frame.assigned)
            self.store(node.target, value)
            self.run(node.body)
            frame.loops.pop()
            frame.assigned = before
            self.jump(after)
            self.at(after)
            self.node, self.place = outer, outer_place

        self.iterate(items, body)
        self.node = node
        self.run(node.orelse)
        frame.assigned = entered
        self.jump(end)
        self.at(end)

    def run_Break(self, node: ast.Break) -> None:
        """Emit a `break`."""
        self.jump(self.frame.loops[-1][0])

    def run_Continue(self, node: ast.Continue) -> None:
        """Emit a `continue`."""
        self.jump(self.frame.loops[-1][1])

    def run_Raise(self, node: ast.Raise) -> None:
        """Emit a `raise`: its text is dropped."""
        error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        found = self.evaluate(error) if error is not None else Known(RuntimeError)
        kind = found.value if isinstance(found, Known) else RuntimeError
        self.fail_with(kind if isinstance(kind, type) else type(kind))

    def run_Assert(self, node: ast.Assert) -> None:
        """Emit an `assert`."""
        truth = self.truth(self.evaluate(node.test))
        self.fail_if(
            self.bit(not truth) if isinstance(truth, bool) else self.builder.not_(truth),
            self.program.status_of(AssertionError),
        )

    def run_Delete(self, node: ast.Delete) -> None:
        """Emit nothing for `del name`."""
        if not all(isinstance(each, ast.Name) for each in node.targets):
            raise self.refuse("del is compiled for names alone")

    def run_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Bind an inner function."""
        if node.decorator_list:
            raise self.refuse(f"the inner function {node.name} has a decorator, which is not compiled")
        self.bind(node.name, Closure(node, self.frame))

    def run_Import(self, node: ast.Import) -> None:
        """Bind modules."""
        import importlib

        for each in node.names:
            module = importlib.import_module(each.name)
            name = each.asname or each.name.partition(".")[0]
            self.bind(name, Known(module if each.asname else importlib.import_module(name)))

    def run_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Bind what is imported from a module."""
        import importlib

        module = importlib.import_module("." * node.level + (node.module or ""), self.frame.globals.get("__package__"))
        for each in node.names:
            self.bind(each.asname or each.name, Known(getattr(module, each.name)))

    def run_Try(self, node: ast.Try) -> None:
        """Emit a `try` with handlers of exceptions that compiled code raises."""
        if node.finalbody or any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(node)):
            raise self.refuse("try is compiled without finally and yield")
        handler_block, end, slot = self.block("except"), self.block("end"), self.reserve(STATUS)
        entered = set(self.frame.assigned)

        def attempt() -> None:
            with self.handled(handler_block, slot):
                self.run(node.body)
            self.run(node.orelse)

        def handle() -> None:
            self.frame.assigned = set(entered)
            self._handle(node.handlers, slot, end)

        start = self.block("try")
        self.jump(start)
        self.ways([(start, attempt), (handler_block, handle)], end)

    def _handle(self, handlers: list[ast.ExceptHandler], slot: Any, end: Any) -> None:
        status = self.builder.load(slot, typ=STATUS)
        for handler in handlers:
            if handler.name or handler.type is None:
                raise self.refuse("except is compiled with a class, and without a name")
            found = self.evaluate(handler.type)
            classes = found.value if isinstance(found, Known) else tuple(e.value for e in found.items)
            caught = self.bit(False)
            for error, number in self.program.statuses_of(classes):
                same = self.builder.icmp_signed("==", status, self.status(number))
                caught = self.builder.or_(caught, same)
            yes, no = self.block("caught"), self.block("passed")
            self.branch(caught, yes, no)
            self.at(yes)
            before = set(self.frame.assigned)
            self.run(handler.body)
            self.frame.assigned = before
            self.jump(end)
            self.at(no)
        self.fail(status)

    # Matching ----------------------------------------------------------------------------------------------------

    def run_Match(self, node: ast.Match) -> None:
        """Emit a `match`."""
        subject = self.frozen(self.evaluate(node.subject))
        end, entered = self.block("end"), set(self.frame.assigned)
        ends: list[set[str]] = []
        for case in node.cases:
            if self.dead:
                break
            no = self.block("no")
            self.frame.assigned = set(entered)
            always = self._match(case.pattern, subject, no)
            if always is None:
                self.at(no)
                continue
            if case.guard is not None:
                truth, yes = self.truth_bit(self.evaluate(case.guard)), self.block("yes")
                self.branch(truth, yes, no)
                self.at(yes)
                always = False
            self.run(case.body)
            if not self.dead:
                ends.append(self.frame.assigned)
                self.builder.branch(end)
            self.at(no)
            if always:
                self.builder.unreachable()
        if not self.dead:
            ends.append(set(entered))
        self.jump(end)
        self.frame.assigned = set.intersection(*ends) if ends else entered
        self.at(end)
        if not ends:
            self.builder.unreachable()

    def _match(self, pattern: ast.pattern, subject: Any, no: Any) -> bool | None:
        """Go to `no` unless the pattern matches; return whether it always does, None if never."""
        if isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)):
            value = self.evaluate(pattern.value) if isinstance(pattern, ast.MatchValue) else Known(pattern.value)
            return self._go_on_if(self.equal(subject, value), no)
        if isinstance(pattern, ast.MatchAs):
            always = self._match(pattern.pattern, subject, no) if pattern.pattern is not None else True
            if pattern.name and always is not None:
                self.bind(pattern.name, subject)
            return always
        if isinstance(pattern, ast.MatchOr):
            matched = self.block("matched")
            for part in pattern.patterns:
                other = self.block("other")
                always = self._match(part, subject, other)
                if always:
                    self.jump(matched)
                    self.at(other)
                    self.builder.unreachable()
                    self.at(matched)
                    return True
                if always is not None:
                    self.jump(matched)
                self.at(other)
            self.jump(no)
            self.at(matched)
            return False
        if isinstance(pattern, ast.MatchSequence):
            items = self.fixed(subject)
            if items is None or any(isinstance(each, ast.MatchStar) for each in pattern.patterns):
                raise self.refuse("case [...] is compiled for tuples of known length")
            if len(items) != len(pattern.patterns):
                return self._go_on_if(False, no)
            return self._match_all(pattern.patterns, items, no)
        if isinstance(pattern, ast.MatchClass):
            kind = self.evaluate(pattern.cls).value
            if self.truth(self.isinstance(subject, Known(kind))) is not True:
                return self._go_on_if(False, no)
            names = [*getattr(kind, "__match_args__", ())[: len(pattern.patterns)], *pattern.kwd_attrs]
            parts = [*pattern.patterns, *pattern.kwd_patterns]
            return self._match_all(parts, [self.attribute(subject, name) for name in names], no)
        raise self.refuse(f"the pattern {ast.unparse(pattern)} is not compiled")

    def _match_all(self, patterns: list[ast.pattern], subjects: list[Any], no: Any) -> bool | None:
        always = True
        for pattern, subject in zip(patterns, subjects, strict=True):
            matched = self._match(pattern, subject, no)
            if matched is None:
                return None
            always = always and matched
        return always

    def _go_on_if(self, truth: Any, no: Any) -> bool | None:
        if truth is True:
            return True
        if truth is False:
            self.jump(no)
            return None
        yes = self.block("yes")
        self.branch(truth, yes, no)
        self.at(yes)
        return False

    # Expressions -------------------------------------------------------------------------------------------------

    def evaluate(self, node: ast.expr) -> Any:
        """Return the value of an expression."""
        outer, place = self.node, self.place
        self.node = node
        self.place = (self.frame.source.file, node.lineno)
        method = getattr(self, f"value_{type(node).__name__}", None)
        if method is None:
            raise self.refuse(f"{_words(type(node).__name__)} is not compiled")
        try:
            return method(node)
        finally:
            self.node, self.place = outer, place

    def value_Constant(self, node: ast.Constant) -> Known:
        """Return a constant."""
        return Known(node.value)

    def value_Name(self, node: ast.Name) -> Any:
        """Return the value of a name."""
        return self.name(node.id)

    def value_Tuple(self, node: ast.Tuple) -> Any:
        """Return a tuple or list that is written out."""
        items: list[Any] = []
        lists: list[Any] = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                value = self.evaluate(each.value)
                value = self.sequence(value) if isinstance(value, (Comprehension, Generated)) else value
                known = self.fixed(value)
                if known is None:
                    lists.extend([Pack(tuple(items)), value])
                    items = []
                else:
                    items.extend(map(self.frozen, known))
            else:
                items.append(self.frozen(self.evaluate(each)))
        if lists:
            return functools.reduce(self.joined, [*lists, Pack(tuple(items))])
        if all(isinstance(each, Known) for each in items) and isinstance(node, ast.Tuple):
            return Known(tuple(each.value for each in items))
        return Pack(tuple(items))

    value_List = value_Tuple

    def value_Set(self, node: ast.Set) -> Any:
        """Return a set that is written out: only asked whether something is in it."""
        return self.value_Tuple(ast.copy_location(ast.Tuple(node.elts, ast.Load()), node))

    def value_Dict(self, node: ast.Dict) -> Known:
        """Return a dictionary of constants."""
        keys = [self.evaluate(each) for each in node.keys if each is not None]
        values = [self.evaluate(each) for each in node.values]
        if len(keys) != len(values) or not all(isinstance(each, Known) for each in (*keys, *values)):
            raise self.refuse("a dictionary is compiled where its keys and values are constants")
        return Known({key.value: value.value for key, value in zip(keys, values, strict=True)})

    def value_BinOp(self, node: ast.BinOp) -> Any:
        """Return the result of an operator."""
        spliced = self._spliced(node)
        if spliced is not None:
            return spliced
        left = self.frozen(self.evaluate(node.left))
        return self.binary(type(node.op), left, self.evaluate(node.right))

    def _spliced(self, node: ast.BinOp) -> Any:
        """Return `board[:i] + (value,) + board[i + 1:]`, a tuple with one item replaced; None for anything else."""
        if not (
            isinstance(node.op, ast.Add) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add)
        ):
            return None
        head, middle, tail = node.left.left, node.left.right, node.right
        if not (isinstance(middle, (ast.Tuple, ast.List)) and len(middle.elts) == 1):
            return None
        for part in (head, tail):
            if not (isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice) and part.slice.step is None):
                return None
        assert isinstance(head, ast.Subscript) and isinstance(tail, ast.Subscript)
        before, after = head.slice, tail.slice
        assert isinstance(before, ast.Slice) and isinstance(after, ast.Slice)
        if before.lower is not None or before.upper is None or after.lower is None or after.upper is not None:
            return None
        if ast.dump(head.value) != ast.dump(tail.value) or isinstance(middle.elts[0], ast.Starred):
            return None
        following = ast.BinOp(before.upper, ast.Add(), ast.Constant(1))
        if ast.dump(after.lower) not in (
            ast.dump(following),
            ast.dump(ast.BinOp(ast.Constant(1), ast.Add(), before.upper)),
        ):
            return None
        index = self.evaluate(before.upper)
        board = self.evaluate(head.value)
        if isinstance(index, Known) or not (isinstance(board, (Val, Pack)) and self.items(board) is not None):
            return None
        return self.replaced(self.runtime(board), index, self.evaluate(middle.elts[0]))

    def replaced(self, board: Val, index: Any, value: Any) -> Val:
        """Return a tuple with one item replaced; a negative index, which slices take otherwise, fails."""
        from ggp.compiler.types import join

        assert isinstance(board.kind, Tuple)
        new = self.runtime(value)
        if BOTTOM in (new.kind, *board.kind.items):
            return self.bottom()
        item = functools.reduce(join, board.kind.items, new.kind)
        kind = Tuple((item,) * len(board.kind.items))
        made = self.converted(Val(Tuple(board.kind.items), board.ssa, board.address, board.borrowed), kind)
        word = self.number(self.unwrapped(self.runtime(index)), INT)
        self.fail_if(
            self.builder.icmp_unsigned(">=", word, self.word(len(kind.items))), self.program.status_of(IndexError)
        )
        place = self.reserve(llvm_type(kind))
        self.put(made, place)
        self.put(self.converted(new, item), self.item_address(item, place, word))
        return self.at_address(kind, place)

    def value_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """Return the result of an operator with one operand."""
        return self.unary(type(node.op), self.evaluate(node.operand))

    def value_BoolOp(self, node: ast.BoolOp) -> Any:
        """Return the value of `and` or `or`."""
        stops = isinstance(node.op, ast.Or)
        return self._first_of(node.values, stops, ("bool", self.here()))

    def _first_of(self, nodes: list[ast.expr], stops: bool, key: Any) -> Any:
        """Return the first value whose truth is `stops`, else the last."""
        value = self.evaluate(nodes[0])
        if len(nodes) == 1:
            return value
        truth = self.truth(value)
        if isinstance(truth, bool):
            return value if truth == stops else self._first_of(nodes[1:], stops, (key, 0))
        slot = self.slot(key)
        found, go_on, end = self.block("found"), self.block("go on"), self.block("end")
        self.branch(truth, *((found, go_on) if stops else (go_on, found)))

        def keep() -> None:
            if isinstance(value, Val) and isinstance(value.kind, Optional) and stops:
                self.assign(slot, key, self.part(value, 1))
            else:
                self.assign(slot, key, value)

        self.ways(
            [(found, keep), (go_on, lambda: self.assign(slot, key, self._first_of(nodes[1:], stops, (key, 0))))], end
        )
        return self.read(slot, borrowed=False)

    def value_Compare(self, node: ast.Compare) -> Any:
        """Return the truth of comparisons."""
        left = self.frozen(self.evaluate(node.left))
        right = self.evaluate(node.comparators[0])
        first = self.compared(type(node.ops[0]), left, right)
        if len(node.ops) == 1:
            return first
        truth = self.truth(first)
        if truth is False:
            return Known(False)
        place, end, more = self.reserve(self.bit(True).type), self.block("end"), self.block("more")
        self.builder.store(self.bit(False), place)
        self.branch(self.bit(True) if truth is True else truth, more, end)
        self.at(more)
        right = self.frozen(right)
        for index, kind in enumerate(node.ops[1:], start=1):
            other = self.frozen(self.evaluate(node.comparators[index]))
            truth = self.truth_bit(self.compared(type(kind), right, other))
            right = other
            if index < len(node.ops) - 1:
                more = self.block("more")
                self.branch(truth, more, end)
                self.at(more)
            else:
                self.builder.store(truth, place)
        self.jump(end)
        self.at(end)
        return Val(BOOL, ssa=self.builder.load(place, typ=self.bit(True).type))

    def value_IfExp(self, node: ast.IfExp) -> Any:
        """Return one value or the other."""
        truth = self.truth(self.evaluate(node.test))
        if isinstance(truth, bool):
            return self.evaluate(node.body if truth else node.orelse)
        key = ("if", self.here())
        slot = self.slot(key)
        yes, no, end = self.block("yes"), self.block("no"), self.block("end")
        self.branch(truth, yes, no)
        self.ways(
            [
                (yes, lambda: self.assign(slot, key, self.evaluate(node.body))),
                (no, lambda: self.assign(slot, key, self.evaluate(node.orelse))),
            ],
            end,
        )
        return self.read(slot, borrowed=False)

    def value_NamedExpr(self, node: ast.NamedExpr) -> Any:
        """Return the value of `name := value`."""
        value = self.frozen(self.evaluate(node.value))
        frame = self.frame
        inner = frame
        while inner.parent is not None and inner.source.stores.get(node.target.id, 0) == 0:
            inner = inner.parent
        self.frame = inner
        self.bind(node.target.id, value)
        self.frame = frame
        return self.name(node.target.id)

    def value_Lambda(self, node: ast.Lambda) -> Closure:
        """Return a lambda."""
        return Closure(node, self.frame)

    def value_GeneratorExp(self, node: Any) -> Comprehension:
        """Return a comprehension that has not been run through."""
        return Comprehension(node.elt, node.generators, self.frame, node)

    value_ListComp = value_SetComp = value_GeneratorExp

    def value_JoinedStr(self, node: ast.JoinedStr) -> Any:
        """Refuse texts that are put together at run time."""
        raise self.refuse("a text that is put together at run time is not compiled")

    def value_Attribute(self, node: ast.Attribute) -> Any:
        """Return an attribute."""
        return self.attribute(self.evaluate(node.value), node.attr)

    def attribute(self, owner: Any, name: str) -> Any:
        """Return an attribute of a value."""
        if not isinstance(owner, Known):
            if isinstance(owner, (Val, Pack)):
                return self.attribute_of(owner, name)
            raise self.refuse(f"the attribute {name} of a {type(owner).__name__.lower()} is not compiled")
        value = owner.value
        variable = self.program.variable(value, name)
        if variable is not None:
            kind, offset = variable
            if kind == INT and name in getattr(type(value), "shared", ()):
                return Val(
                    INT,
                    ssa=self.builder.load_atomic(self.variable_address(offset), "monotonic", 8, typ=self.word(0).type),
                )
            return self.at_address(kind, self.variable_address(offset), borrowed=True)
        if not isinstance(value, (type, pytypes.ModuleType)):
            static = inspect.getattr_static(type(value), name, None)
            if isinstance(static, property) and static.fget is not None and self.program.has_variables(value):
                return self.call(Known(static.fget), [owner], {}, None)
        try:
            found = getattr(value, name)
        except AttributeError:
            raise self.refuse(f"{_named(value)} has no attribute {name}") from None
        except Exception as error:
            raise self.refuse(f"{name} of {_named(value)} raises {type(error).__name__}: {error}") from error
        if isinstance(found, (pytypes.BuiltinMethodType, pytypes.MethodWrapperType)) and not isinstance(
            value, (type, pytypes.ModuleType)
        ):
            return Method(None, owner, name)
        return Known(found)

    def value_Subscript(self, node: ast.Subscript) -> Any:
        """Return an item or a slice."""
        owner = self.evaluate(node.value)
        if isinstance(node.slice, ast.Slice):
            parts = [
                self.evaluate(p) if p is not None else Known(None)
                for p in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self.sliced(owner, *parts)
        return self.item(owner, self.evaluate(node.slice))

    # Calls -------------------------------------------------------------------------------------------------------

    def value_Call(self, node: ast.Call) -> Any:
        """Return what a call returns."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "pop" and isinstance(node.func.value, ast.Name):
            if node.func.value.id in self.frame.source.growing:
                return self.popped(node.func.value.id, [self.evaluate(each) for each in node.args])
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            raise self.refuse("super() is not compiled; name the class instead")
        if ast.unparse(node.func).endswith(".count") and (counted := self._ones(node)) is not None:
            return counted
        function = self.evaluate(node.func)
        positional: list[Any] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                known = self.fixed(self.evaluate(each.value))
                if known is None:
                    raise self.refuse("*arguments are compiled where their number is known")
                positional.extend(map(self.frozen, known))
            else:
                positional.append(self.frozen(self.evaluate(each)))
        named = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.refuse("**arguments are not compiled")
            named[keyword.arg] = self.frozen(self.evaluate(keyword.value))
        self.node = node
        return self.call(function, positional, named, node)

    def _ones(self, node: ast.Call) -> Any:
        """Return `bin(number).count("1")`; None for anything else."""
        assert isinstance(node.func, ast.Attribute)
        owner = node.func.value
        if not (isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "bin"):
            return None
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Constant) or node.args[0].value != "1":
            return None
        return self.method(Method(None, self.evaluate(owner.args[0]), "bit_count"), [], {})

    def call(self, function: Any, positional: list[Any], named: dict[str, Any], node: Any) -> Any:
        if isinstance(function, Closure):
            return self._call_closure(function, positional, named)
        if isinstance(function, Method):
            if function.function is None:
                return self.method(function, positional, named)
            return self.call(Known(function.function), [function.receiver, *positional], named, node)
        if not isinstance(function, Known):
            if isinstance(function, Val) and function.kind == BOTTOM:
                return function
            raise self.refuse("what is called is no function")
        called, fact = function.value, None
        if isinstance(called, functools.partial):
            positional = [*map(Known, called.args), *positional]
            named = {**{name: Known(each) for name, each in called.keywords.items()}, **named}
            called = called.func
        if isinstance(called, pytypes.MethodType):
            fact = self.program.contract(called.__self__, called.__name__)
            positional = [Known(called.__self__), *positional]
            called = called.__func__
        if isinstance(called, functools._lru_cache_wrapper):
            called = called.__wrapped__
        return self._call_known(called, fact, positional, named)

    def _call_known(self, called: Any, fact: Any, positional: list[Any], named: dict[str, Any]) -> Any:
        known = self._known_call(called, positional, named) if fact is None else None
        if known is not None:
            return known
        if not isinstance(called, pytypes.FunctionType):
            made = self.builtin(called, positional, named)
            if (
                made is NotImplemented
                and callable(getattr(type(called), "__call__", None))
                and not isinstance(called, type)
            ):
                method = called.__call__
                if isinstance(method, pytypes.MethodType):
                    return self.call(Known(method), positional, named, None)
            if made is NotImplemented:
                raise self.refuse(f"{_named(called)} is not compiled")
            return made
        replaced = self.builtin(called, positional, named)
        if replaced is not NotImplemented:
            return replaced
        called = inspect.unwrap(called) if getattr(called, "__wrapped__", None) and _same_call(called) else called
        arguments = self._arguments(called, positional, named)
        if function_source(called).generates or called.__name__ in LISTING:
            return Generated(called, {name: self.frozen(each) for name, each in arguments.items()}, self.node, fact)
        if any(isinstance(each, (Closure, Method, *Lazy)) for each in arguments.values()):
            return self._inlined(called, arguments)
        value = self.called(called, arguments)
        if fact is not None:
            value = self.kept(fact, value)
        return value

    def kept(self, fact: Any, value: Any) -> Val:
        """Return a state or an action as the type that all of them have; widen that type where it must be."""
        value = self.runtime(value)
        return self.converted(value, self.program.widen(fact, value.kind, self.refuse))

    def _known_call(self, called: Any, positional: list[Any], named: dict[str, Any]) -> Known | None:
        """Return what a call with known arguments returns, computed now; None where it is not computed."""
        arguments = [*positional, *named.values()]
        if not all(isinstance(each, Known) for each in arguments):
            return None
        if called in (builtins.next, builtins.print, builtins.zip, builtins.iter, builtins.map, builtins.filter):
            return None
        if any(self.program.has_variables(each.value) for each in arguments):
            return None
        if getattr(called, "__module__", "") == "ggp.compiler.memory":
            return None
        try:
            found = called(*[each.value for each in positional], **{name: each.value for name, each in named.items()})
            if hasattr(found, "__next__"):
                found = tuple(found)
        except Exception:
            return None
        return Known(found)

    def _arguments(self, function: Any, positional: list[Any], named: dict[str, Any]) -> dict[str, Any]:
        signature = self.program.signature(function)
        try:
            bound = signature.bind(*positional, **named)
        except TypeError as error:
            raise self.refuse(f"{function.__name__}: {error}") from error
        arguments = dict(bound.arguments)
        for name, parameter in signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                arguments[name] = Pack(tuple(arguments.get(name, ())))
            elif parameter.kind is parameter.VAR_KEYWORD:
                if arguments.get(name):
                    raise self.refuse("**arguments are not compiled")
                arguments.pop(name, None)
            elif name not in arguments:
                arguments[name] = Known(parameter.default)
        return arguments

    def called(self, function: Any, arguments: dict[str, Any]) -> Val:
        """Emit a call of a function of its own."""
        passed: dict[str, Any] = {}
        for name, value in arguments.items():
            if isinstance(value, Known) and self._stays_known(value.value):
                passed[name] = value
            else:
                passed[name] = self.runtime(value)
                if passed[name].kind == BOTTOM:
                    return self.bottom()
        special = self.program.specialised(function, passed)
        kind = self.program.facts.get(special.result_key, BOTTOM)
        if kind == BOTTOM or special.kind != kind:
            return self.undefined(kind) if kind != BOTTOM and not isinstance(kind, List) else self.bottom()
        llvm_arguments = [self.context]
        out = None
        if is_large(kind):
            out = self.reserve(llvm_type(kind))
            llvm_arguments.append(out)
        for value in passed.values():
            if isinstance(value, Val):
                llvm_arguments.append(self.address(value) if is_large(value.kind) else self.ssa(value))
        found = self.builder.call(special.function, llvm_arguments)
        simple = out is not None or kind == NONE
        status = found if simple else self.builder.extract_value(found, 1)
        self.fail_if(self.builder.icmp_signed("!=", status, self.status(0)), status)
        if out is not None:
            return Val(kind, address=out)
        if kind == NONE:
            return Val(NONE, ssa=self.bit(False))
        if isinstance(kind, List):
            self.use_lists()
        return Val(kind, ssa=self.builder.extract_value(found, 0))

    def _stays_known(self, value: Any) -> bool:
        if value is None or isinstance(value, (bool, str)):
            return True
        if isinstance(value, (int, float, enum.Enum)):
            return False
        if isinstance(value, (tuple, list)):
            return len(value) > 4 or not all(isinstance(each, (int, float, str, type(None))) for each in value)
        return not isinstance(value, Bits) and type(value) not in self.program.value_classes()

    def _inlined(self, function: Any, arguments: dict[str, Any]) -> Any:
        """Emit a function as part of this one: what it is given can only be run through, or is a function."""
        source = function_source(function)
        frame = Frame(
            source,
            ("inline", self.here(), function.__qualname__),
            function.__globals__,
            self.program.is_checked(function),
            _cells(function),
            depth=self.frame.depth + 1,
        )
        return self._run_inline(frame, arguments)

    def _call_closure(self, closure: Closure, positional: list[Any], named: dict[str, Any]) -> Any:
        node, outer = closure.node, closure.frame
        source = self.program.parsed(node, outer.source.file)
        if source.generates:
            raise self.refuse(f"the inner function {source.name} has a yield; make it a method")
        names = [each.arg for each in _parameters(source)]
        arguments = dict(zip(names, positional, strict=False)) | named
        defaults = node.args.defaults
        for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
            if name not in arguments:
                frame, self.frame = self.frame, outer
                arguments[name] = self.evaluate(default)
                self.frame = frame
        if set(arguments) != set(names):
            raise self.refuse(f"{source.name} takes {', '.join(names) or 'no arguments'}")
        key = ("inline", self.here(), node.lineno, node.col_offset)
        frame = Frame(source, key, outer.globals, outer.checked, outer.cells, outer, depth=self.frame.depth + 1)
        return self._run_inline(frame, arguments)

    def _run_inline(self, frame: Frame, arguments: dict[str, Any]) -> Any:
        if frame.depth > MOST_INLINED:
            raise self.refuse(f"{frame.source.name} calls itself; make it a method or a function of the module")
        body = frame.source.body
        outer, place = self.frame, self.place
        checked, self.checked = self.checked, frame.checked
        self.frame = frame
        for name, value in arguments.items():
            self.bind(name, value)
        if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
            value = self.evaluate(body[0].value)
            self.frame, self.checked, self.place = outer, checked, place
            return value
        key = ("returned", frame.key)
        slot, end = self.slot(key), self.block("returned")

        def give_back(value: Any) -> None:
            if not self.dead:
                self.assign(slot, key, value)
                self.jump(end)

        frame.on_return = give_back
        self.run(body)
        give_back(Known(None))
        self.frame, self.checked, self.place = outer, checked, place
        self.at(end)
        return self.read(slot, borrowed=False)

    # Generators --------------------------------------------------------------------------------------------------

    def run_generator(self, generated: Generated, body: Callable[[Any], None]) -> None:
        function = generated.function
        source = function_source(function)
        outer, outer_node, outer_place, checked = self.frame, self.node, self.place, self.checked
        if outer.depth > MOST_INLINED:
            raise self.refuse(f"{source.name} runs through itself, which is not compiled")
        key = ("generator", self.here(), function.__qualname__)
        frame = Frame(
            source,
            key,
            function.__globals__,
            self.program.is_checked(function),
            _cells(function),
            depth=outer.depth + 1,
        )
        frame.lists = not source.generates
        item_key = generated.fact if generated.fact is not None else ("yielded", key)
        slot, resume = self.slot(item_key), self.reserve(self.word(0).type)
        inside, end = self.block("for each"), self.block("over")
        after: list[Any] = []

        def give(value: Any) -> None:
            if self.dead:
                return
            self.assign(slot, item_key, value)
            self.builder.store(self.word(len(after)), resume)
            self.builder.branch(inside)
            after.append(self.block("resumed"))
            self.at(after[-1])

        frame.on_yield, frame.on_return = give, lambda value: self.jump(end)
        self.frame, self.checked = frame, frame.checked
        handlers, self.handlers = self.handlers, list(self.handlers)
        for name, value in generated.arguments.items():
            self.bind(name, value)
        self.run(source.body)
        self.jump(end)
        self.frame, self.node, self.place, self.checked, self.handlers = (
            outer,
            outer_node,
            outer_place,
            checked,
            handlers,
        )
        self.at(inside)
        if not after:
            self.builder.unreachable()
        else:
            body(self.read(slot, borrowed=True))
            self._go_back(after, resume)
        self.at(end)

    def _go_back(self, after: list[Any], resume: Any) -> None:
        """Go back to the `yield` that was left last."""
        if self.dead:
            for block in after:
                self.at(block)
            return
        if len(after) == 1:
            self.builder.branch(after[0])
            return
        self.program.resumed.add(self.function.name)
        choice = self.builder.switch(self.builder.load(resume, typ=self.word(0).type), after[0])
        for index, block in enumerate(after[1:], start=1):
            choice.add_case(self.word(index), block)

    def run_comprehension(self, comprehension: Comprehension, body: Callable[[Any], None]) -> None:
        outer, node, place = self.frame, self.node, self.place
        frame = self._comprehension_frame(comprehension)

        def level(index: int) -> None:
            if index == len(comprehension.generators):
                self.frame, self.node = frame, comprehension.element
                value = self.evaluate(comprehension.element)
                self.frame, self.node, self.place = outer, node, place
                body(value)
                return
            generator = comprehension.generators[index]
            self.frame = comprehension.frame if index == 0 else frame
            items = self.frozen(self.evaluate(generator.iter))
            self.frame = outer

            def one(value: Any) -> None:
                self.frame = frame
                self.store_in(frame, generator.target, value)
                after = self.block("next")
                for test in generator.ifs:
                    truth = self.truth(self.evaluate(test))
                    if truth is True:
                        continue
                    yes = self.block("kept")
                    self.branch(self.bit(False) if truth is False else truth, yes, after)
                    self.at(yes)
                self.frame = outer
                level(index + 1)
                self.jump(after)
                self.at(after)

            self.iterate(items, one)

        level(0)
        self.frame, self.node, self.place = outer, node, place

    def _comprehension_frame(self, comprehension: Comprehension) -> Frame:
        outer = comprehension.frame
        node = comprehension.node
        arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        inner = self.program.parsed_once(
            node, lambda: parsed(ast.Lambda(arguments, ast.Constant(None)), outer.source.file)
        )
        key = ("comprehension", outer.key, node.lineno, node.col_offset, self.path)
        return Frame(inner, key, outer.globals, outer.checked, outer.cells, outer, depth=outer.depth)

    def store_in(self, frame: Frame, target: ast.expr, value: Any) -> None:
        """Bind the names of a comprehension's target."""
        if isinstance(target, ast.Name):
            frame.names[target.id] = value
            frame.assigned.add(target.id)
            return
        if not isinstance(target, (ast.Tuple, ast.List)):
            raise self.refuse(f"a comprehension over {ast.unparse(target)} is not compiled")
        value = self.unwrapped(value) if isinstance(value, Val) else value
        if isinstance(value, Val) and value.kind == BOTTOM:
            for each in target.elts:
                self.store_in(frame, each, value)
            return
        items = self.fixed(value)
        if items is None and isinstance(value, Val) and isinstance(value.kind, List):
            items = self.items(self.tuple_of(value, Tuple((value.kind.item,) * len(target.elts))))
        if items is None or len(items) != len(target.elts):
            raise self.refuse(f"{ast.unparse(target)} does not fit what is run through")
        for each, item in zip(target.elts, items, strict=True):
            self.store_in(frame, each, item)

    def packed_comprehension(self, items: Comprehension) -> Pack | None:
        if len(items.generators) != 1 or items.generators[0].ifs:
            return None
        outer = self.frame
        self.frame = items.frame
        iterated = self.frozen(self.evaluate(items.generators[0].iter))
        known = self.fixed(iterated)
        self.frame = outer
        if known is None or len(known) > LONGEST_PACK or self.copies * len(known) > 4 * LONGEST_PACK:
            return None
        frame = self._comprehension_frame(items)
        copies, path = self.copies, self.path
        self.copies *= max(1, len(known))
        made = []
        for index, each in enumerate(known):
            self.path = (*path, index)
            self.frame = frame
            self.store_in(frame, items.generators[0].target, each)
            value = self.evaluate(items.element)
            if isinstance(value, Comprehension):
                value = self.sequence(value)
            made.append(self.frozen(value))
        self.frame, self.copies, self.path = outer, copies, path
        return Pack(tuple(made))


def _with_item(kind: Any, chain: list[Any], item: Any) -> Any:
    """Return a list's type with another type of the items at the end of a chain of indices; None is any index."""
    if not chain:
        return item
    if isinstance(kind, List):
        return List(_with_item(kind.item, chain[1:], item))
    items = list(kind.items)
    for index in range(len(items)) if chain[0] is None else [chain[0]]:
        items[index] = _with_item(items[index], chain[1:], item)
    return Tuple(tuple(items), kind.kind)


def _parameters(source: Source) -> list[ast.arg]:
    arguments = source.node.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def _cells(function: Any) -> dict[str, Any]:
    names, cells = function.__code__.co_freevars, function.__closure__ or ()
    return {name: cell.cell_contents for name, cell in zip(names, cells, strict=True)}


def _same_call(function: Any) -> bool:
    """Whether a decorated function is a cache and no more: `functools.wraps` alone does not say so."""
    return isinstance(function, functools._lru_cache_wrapper)


def _named(value: Any) -> str:
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return str(name) if name else f"a {type(value).__name__}"


def _words(name: str) -> str:
    """Return the name of a kind of syntax as an author knows it."""
    known = {"With": "with", "Global": "global", "Nonlocal": "nonlocal", "Await": "await", "AsyncFor": "async for",
             "ClassDef": "a class inside a function", "DictComp": "a dictionary comprehension", "TryStar": "except*",
             "JoinedStr": "an f-string"}  # fmt: skip
    return known.get(name, name)


__all__ = ["ATOM", "FLOAT", "Body", "Frame", "Refused", "is_number"]
