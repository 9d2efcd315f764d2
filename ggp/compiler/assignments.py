"""Assignments: to names, to variables of known objects, and to items of lists."""

import ast
import functools
from typing import Any

from llvmlite import ir

from ggp.compiler.expressions import Expressions, WithValue
from ggp.compiler.frames import Frame
from ggp.compiler.llvm_types import BIT, OVERFLOW, POINTER, WORD, array_item
from ggp.compiler.types import BOTTOM, List, NotRepresentable, Tuple, Type, join
from ggp.compiler.values import SSA, Comprehension, Generated, Known, Pack, Reversed, Slot, Val, Value


class Assignments(Expressions):
    """Translates assignments."""

    def run_Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if (
            len(node.targets) == 1
            and isinstance(target, (ast.Tuple, ast.List))
            and isinstance(node.value, (ast.Tuple, ast.List))
        ) and not any(isinstance(each, ast.Starred) for each in (*target.elts, *node.value.elts)):
            if len(target.elts) != len(node.value.elts):
                raise self.refuse(f"{len(target.elts)} values are needed to unpack here; got {len(node.value.elts)}")
            values = [self.frozen(self.evaluate(each)) for each in node.value.elts]
            for each, value in zip(target.elts, values, strict=True):
                self.store(each, value)
            return
        value = self.evaluate(node.value)
        if len(node.targets) > 1:
            value = self.frozen(value)
        for each in node.targets:
            self.store(each, value)

    def run_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.store(node.target, self.evaluate(node.value))

    def run_AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        load: ast.expr
        if isinstance(target, ast.Name):
            load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            if target.id in self.frame.source.appended and isinstance(node.op, ast.Add):
                self.name(target.id)  # fails where it has no value yet
                self._extend(target.id, self.evaluate(node.value))
                return
        elif isinstance(target, ast.Subscript):
            placed = self._placed(target)
            assert isinstance(placed, ast.Subscript)
            target, load = placed, ast.copy_location(ast.Subscript(placed.value, placed.slice, ast.Load()), placed)
        else:
            load = ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
        self.store(target, self.binary(type(node.op), self.frozen(self.evaluate(load)), self.evaluate(node.value)))

    def _placed(self, node: ast.expr) -> ast.expr:
        """Return an item of a list with its indices evaluated, so that this happens only once for
        reading and writing.
        """
        if not isinstance(node, ast.Subscript):
            return node
        owner, index = self._placed(node.value), node.slice
        if not isinstance(index, (ast.Constant, ast.Slice)):
            index = ast.copy_location(WithValue(self.frozen(self.evaluate(index))), index)
        return ast.copy_location(ast.Subscript(owner, index, node.ctx), node)

    def store(self, target: ast.expr, value: Value) -> None:
        """Assign a value to a target."""
        if isinstance(target, ast.Name):
            if isinstance(value, Comprehension) and isinstance(value.node, ast.ListComp):
                value = self.sequence(value)  # a list is made where it is written
            self.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Attribute):
            self._set_attribute(target, value)
        elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            self._set_slice(target, target.slice, value)
        elif isinstance(target, ast.Subscript):
            self._set_item(target, value)
        else:
            raise self.refuse(f"an assignment to {ast.unparse(target)} is not compiled")

    def _unpack(self, targets: list[ast.expr], value: Value) -> None:
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
            if len(items) < first + after:
                raise self.refuse(f"at least {len(targets) - 1} values are needed to unpack here; got {len(items)}")
            middle = Pack(tuple(items[first : len(items) - after]))
            items = [*items[:first], middle, *items[len(items) - after :]]
        if len(items) != len(targets):
            raise self.refuse(f"{len(targets)} values are needed to unpack here; got {len(items)}")
        for target, item in zip(targets, list(map(self.frozen, items)), strict=True):
            self.store(target.value if isinstance(target, ast.Starred) else target, item)

    def _unpack_list(self, targets: list[ast.expr], value: Value) -> None:
        made = self.runtime(value)
        if not isinstance(made.kind, List) or any(isinstance(each, ast.Starred) for each in targets):
            raise self.refuse(f"a {made.kind} cannot be unpacked")
        self._unpack(targets, self.tuple_of(made, Tuple((made.kind.item,) * len(targets))))

    def _set_attribute(self, target: ast.Attribute, value: Value) -> None:
        owner = self.evaluate(target.value)
        place = self.program.variable(owner.value, target.attr) if isinstance(owner, Known) else None
        if place is None or not isinstance(owner, Known):
            raise self.refuse(f"{ast.unparse(target)} cannot be assigned: games and states do not change")
        key = ("variable", id(owner.value), target.attr)
        have = self.kind_of(value) or self.runtime(value).kind
        kind = self.program.widen(key, have, self.refuse)
        if kind == place[0] and BOTTOM not in (have, kind):
            self.place_value(value, kind, self.variable_address(place[1]))

    def _set_item(self, target: ast.Subscript, value: Value) -> None:
        """Emit `name[index] = value`, where the name is a list of this function."""
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
                if len(set(kind.items)) > 1 and not isinstance(index, Known):
                    self._widen_items(frame, node.id, slot, chain, kind)
                    return
                address, kind = self._item_place(kind, address, index, chain)
            else:
                raise self.refuse(f"an item of a {kind} cannot be assigned")
        self._put_item(frame, node.id, slot, chain, kind, address, self.runtime(value))

    def _set_slice(self, target: ast.Subscript, part: ast.Slice, value: Value) -> None:
        """Emit `name[lower:upper] = values`; the call fails if that would change the list's length."""
        frame = self._owner(target.value)
        assert isinstance(target.value, ast.Name)
        name = target.value.id
        slot, values = frame.slots[name], self.runtime(self.frozen(self.runtime(self.sequence(value))))
        bounds = [self.evaluate(each) if each is not None else Known(None) for each in (part.lower, part.upper)]
        kind = slot.kind
        if BOTTOM in (kind, values.kind):
            return
        if isinstance(kind, Tuple) and len(set(kind.items)) > 1:
            self._widen_items(frame, name, slot, [], kind)
            return
        owner = self.at_address(kind, slot.address)
        start, count, item = self.indexable(owner) if isinstance(kind, List) else (slot.address, None, array_item(kind))
        count = count if count is not None else self.word(len(kind.items) if isinstance(kind, Tuple) else 0)
        if part.step is not None or item is None or isinstance(item, (Tuple, List)):
            raise self.refuse(f"an assignment to {ast.unparse(target)} is not compiled")
        first, last = self.bound(bounds[0], count, self.word(0)), self.bound(bounds[1], count, count)
        last = self.builder.select(self.builder.icmp_signed("<", last, first), first, last)
        get, given = self.random_access(values)
        self.fail_if(self.builder.icmp_signed("!=", given, self.builder.sub(last, first)), OVERFLOW)

        def put(index: SSA) -> None:
            address = self.item_address(item, start, self.builder.add(first, index))
            self._put_item(frame, name, slot, [None], item, address, self.runtime(get(index)))

        self.counted(given, put)

    def _widen_items(self, frame: Frame, name: str, slot: Slot, chain: list[Any], kind: Tuple) -> None:
        """Note that the list's items must have a type wide enough for all of them, for the next
        attempt at translation.
        """
        try:
            item = functools.reduce(join, kind.items)
        except NotRepresentable as error:
            raise self.refuse(
                f"the items of {name} have different types, and the index is not a constant: {error}"
            ) from None
        self.program.widen(("name", frame.key, name), _with_item(slot.kind, [*chain, None], item), self.refuse)

    def _item_place(self, kind: Tuple, address: SSA, index: Value, chain: list[Any]) -> tuple[SSA, Type]:
        count = len(kind.items)
        if len(set(kind.items)) > 1:
            assert isinstance(index, Known)
            place = range(count)[index.value]
            chain.append(place)
            return self.part_address(kind, address, place), kind.items[place]
        chain.append(None)
        place = self.checked_index(index, self.word(count))
        return self.item_address(kind.items[0], address, place), kind.items[0]

    def _put_item(
        self, frame: Frame, name: str, slot: Slot, chain: list[Any], kind: Any, address: SSA, value: Val
    ) -> None:

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
        """Return the frame that owns a list which is changed."""
        if not isinstance(node, ast.Name):
            raise self.refuse(f"{ast.unparse(node)} cannot be changed: states do not change")
        frame = self.frame_of_list(node.id)
        if frame is None:
            raise self.refuse(f"{node.id} cannot be changed; write {node.id} = list({node.id}) first")
        self.name(node.id)  # fails where it has no value yet
        return frame

    def frame_of_list(self, name: str) -> Frame | None:
        """Return the frame that owns a list which is changed: this frame or an enclosing one."""
        frame: Frame | None = self.frame
        while frame is not None and name not in frame.slots:
            frame = None if frame.source.stores[name] else frame.parent
        return frame

    def changes_list(self, node: ast.Call) -> bool:
        """Emit `name.append(item)` and similar calls; return whether this was one."""
        assert isinstance(node.func, ast.Attribute)
        owner = node.func.value
        if not isinstance(owner, ast.Name) or owner.id not in self.frame.source.appended:
            return False
        frame = self.frame_of_list(owner.id)
        if frame is None:
            return False
        self._owner(owner)
        arguments = [self.evaluate(each) for each in node.args]
        named = {each.arg: self.evaluate(each.value) for each in node.keywords if each.arg}
        inner, self.frame = self.frame, frame
        self._change_list(owner.id, node.func.attr, arguments, named)
        self.frame = inner
        return True

    def _change_list(self, owner: str, name: str, arguments: list[Value], named: dict[str, Value]) -> None:
        """Emit `owner.name(...)` in the frame that owns the list."""
        if name == "append":
            self._append(owner, arguments[0])
        elif name == "extend":
            self._extend(owner, arguments[0])
        elif name == "pop":
            self.popped(owner, arguments)
        elif name == "clear":
            slot = self.frame.slots[owner]
            empty = self.builder.insert_value(self.ssa(self.read(slot)), self.word(0), 1)
            self.builder.store(empty, slot.address)
        elif name == "sort":
            self._replace_list(owner, self.py_sorted(self.read(self.frame.slots[owner]), **named))
        elif name == "reverse":
            self._replace_list(owner, self.listed(Reversed(self.read(self.frame.slots[owner]))))
        elif name == "insert" and len(arguments) == 2:
            self._insert(owner, *arguments)
        elif name == "remove" and len(arguments) == 1:
            place = self.index_of(self.read(self.frame.slots[owner]), arguments[0], None)
            self.popped(owner, [place])
        else:
            raise self.refuse(f"the method {name} of a list is not compiled")

    def _replace_list(self, name: str, value: Val) -> None:
        slot = self.frame.slots[name]
        if slot.kind == value.kind:
            self.builder.store(self.ssa(value), slot.address)

    def _insert(self, name: str, index: Value, value: Value) -> None:
        """Emit `name.insert(index, value)`: the item is appended, then moved to its place."""
        slot = self.frame.slots[name]
        self._append(name, value)
        if not isinstance(slot.kind, List) or slot.kind.item == BOTTOM:
            return
        item, builder = slot.kind.item, self.builder
        start, count = self.list_parts(self.read(slot))
        last = builder.sub(count, self.word(1))
        place = self.bound(index, last, self.word(0))
        kept = self.frozen(self.at_address(item, self.item_address(item, start, last), True))
        here, after = (
            self.item_address(item, start, place),
            self.item_address(item, start, builder.add(place, self.word(1))),
        )
        self._move(after, here, builder.mul(builder.sub(last, place), self.size_of(item)))
        self.put(self.runtime(kept), here)

    def _move(self, to: SSA, source: SSA, count: SSA) -> None:
        """Copy bytes between memory areas that may overlap."""
        kind = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, WORD, BIT])
        self.builder.call(self.program.declare("llvm.memmove.p0.p0.i64", kind), [to, source, count, self.bit(False)])

    def _extend(self, name: str, items: Value) -> None:
        self.iterate(self.frozen(items), lambda each: self._append(name, each))

    def _append(self, name: str, value: Value) -> None:
        slot = self.frame.slots.get(name)
        if slot is None or not isinstance(slot.kind, List):
            return
        value = self.runtime(self.frozen(self.runtime(value)))
        items = ("items", self.frame.key, name)
        item = self.program.widen(items, value.kind, self.refuse)
        self.program.widen(("name", self.frame.key, name), List(item), self.refuse)
        if item == slot.kind.item:
            self.append(slot.address, items, value)

    def popped(self, name: str, arguments: list[Value]) -> Value:
        """Emit `name.pop()` and return the item."""
        self.name(name)  # fails where it has no value yet
        frame = self.frame_of_list(name)
        if frame is None:
            return self.bottom()
        slot = frame.slots[name]
        if not isinstance(slot.kind, List):
            return self.bottom()
        if slot.kind.item == BOTTOM:  # nothing is ever put into it
            return self.fails_here(IndexError)
        start, count = self.list_parts(self.read(slot))
        item = slot.kind.item
        if arguments and not (isinstance(arguments[0], Known) and arguments[0].value == -1):
            place = self.checked_index(arguments[0], count)
            here = self.item_address(item, start, place)
            after = self.item_address(item, start, self.builder.add(place, self.word(1)))
            kept = self.frozen(self.at_address(item, here, True))
            last = self.builder.sub(count, self.word(1))
            self._move(here, after, self.builder.mul(self.builder.sub(last, place), self.size_of(item)))
            self.builder.store(self.builder.insert_value(self.ssa(self.read(slot)), last, 1), slot.address)
            return kept
        empty = self.builder.icmp_signed("==", count, self.word(0))
        self.fail_if(empty, self.program.status_of(IndexError))
        last = self.builder.sub(count, self.word(1))
        self.builder.store(self.builder.insert_value(self.ssa(self.read(slot)), last, 1), slot.address)
        return self.frozen(self.at_address(slot.kind.item, self.item_address(slot.kind.item, start, last), True))


def _with_item(kind: Any, chain: list[Any], item: Type) -> Type:
    """Return a list's type with another item type at the end of a chain of indices; None stands for any index."""
    if not chain:
        return item
    if isinstance(kind, List):
        return List(_with_item(kind.item, chain[1:], item))
    items = list(kind.items)
    for index in range(len(items)) if chain[0] is None else [chain[0]]:
        items[index] = _with_item(items[index], chain[1:], item)
    return Tuple(tuple(items), kind.kind)
