"""Expressions: one method for each class of `ast`."""

import ast
import functools
import inspect
import types as pytypes
from collections.abc import Hashable
from typing import Any

from ggp.bits import Bits
from ggp.compiler.calls import described
from ggp.compiler.llvm_types import BIT
from ggp.compiler.replacements import Replacements
from ggp.compiler.types import BOOL, INT, List, Optional
from ggp.compiler.values import (
    Closure,
    Comprehension,
    Distinct,
    Generated,
    Known,
    Mapping,
    Method,
    Pack,
    Super,
    Truth,
    Val,
    Value,
    known_values,
)


class WithValue(ast.Name):
    """An expression whose value is already computed."""

    def __init__(self, value: Value) -> None:
        super().__init__("...", ast.Load())
        self.value = value


class Expressions(Replacements):
    """Translates expressions."""

    def evaluate(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        outer, place = self.node, self.place
        self.node = node
        self.place = (self.frame.source.file, node.lineno)
        method = getattr(self, f"value_{type(node).__name__}", None)
        if method is None:
            raise self.refuse(f"{words(type(node).__name__)} is not compiled")
        try:
            found: Value = method(node)
            return found
        finally:
            self.node, self.place = outer, place

    def value_Constant(self, node: ast.Constant) -> Known:
        return Known(node.value)

    def value_Name(self, node: ast.Name) -> Value:
        return self.name(node.id)

    def value_WithValue(self, node: WithValue) -> Value:
        """Return the value that is already computed."""
        return node.value

    def value_Tuple(self, node: ast.Tuple) -> Value:
        items: list[Any] = []
        lists: list[Any] = []
        elements = list(node.elts)
        while elements:
            replaced, count = self.replaced_items(elements)
            if replaced is not None:
                items.extend(self.items(self.frozen(replaced)) or [])
                del elements[:count]
                continue
            each = elements.pop(0)
            if isinstance(each, ast.Starred):
                value = self.evaluate(each.value)
                value = self.sequence(value) if isinstance(value, (Comprehension, Generated)) else value
                if isinstance(value, Val) and isinstance(value.kind, List) and self._is_guessed():
                    value = self.bottom()
                known = self.fixed(value)
                if known is None:
                    lists.extend([Pack(tuple(items)), value])
                    items = []
                else:
                    items.extend(map(self.frozen, known))
            else:
                items.append(self.frozen(self.evaluate(each)))
        if lists:
            joined: Value = functools.reduce(self.joined, [*lists, Pack(tuple(items))])
            return joined
        if isinstance(node, ast.Tuple) and (known := known_values(items)) is not None:
            return Known(tuple(known))
        return Pack(tuple(items))

    value_List = value_Tuple

    def _is_guessed(self) -> bool:
        """Return whether the type of a list's items here is a guess, until the next attempt knows it."""
        return self.program.changed and ("list", self.here()) not in self.program.facts

    def value_Set(self, node: ast.Set) -> Value:
        items = self.value_Tuple(ast.copy_location(ast.Tuple(node.elts, ast.Load()), node))
        return Known(frozenset(items.value)) if isinstance(items, Known) else Distinct(items)

    def value_Dict(self, node: ast.Dict) -> Value:
        """Return a dictionary with constant keys."""
        pairs: list[tuple[Any, Any]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                pairs.extend((Known(name), each) for name, each in self._spread(self.evaluate(value)).items())
            else:
                pairs.append((self.evaluate(key), self.frozen(self.evaluate(value))))
        return self._dictionary(pairs)

    def _dictionary(self, pairs: list[tuple[Any, Any]]) -> Value:
        if not all(isinstance(key, Known) for key, _ in pairs):
            raise self.refuse("the keys of a dictionary must be constants")
        if all(isinstance(value, Known) for _, value in pairs):
            return Known({key.value: value.value for key, value in pairs})
        return Mapping({key.value: value for key, value in pairs})

    def value_DictComp(self, node: ast.DictComp) -> Value:
        """Return a dictionary whose keys are iterated constants."""
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        made = self.packed_comprehension(Comprehension(pair, node.generators, self.frame, node))
        if made is None:
            raise self.refuse("the keys of a dictionary must be constants")
        return self._dictionary([(self.items(each)[0], self.items(each)[1]) for each in made.items])  # type: ignore[index]

    def value_BinOp(self, node: ast.BinOp) -> Value:
        spliced = self.spliced(node)
        if spliced is not None:
            return spliced
        left = self.frozen(self.evaluate(node.left))
        return self.binary(type(node.op), left, self.evaluate(node.right))

    def value_UnaryOp(self, node: ast.UnaryOp) -> Value:
        return self.unary(type(node.op), self.evaluate(node.operand))

    def value_BoolOp(self, node: ast.BoolOp) -> Value:
        stops = isinstance(node.op, ast.Or)
        return self._first_of(node.values, stops, ("bool", self.here()))

    def _first_of(self, nodes: list[ast.expr], stops: bool, key: Hashable) -> Value:
        """Return the first value whose truth is `stops`, or else the last value."""
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

    def condition(self, node: ast.expr) -> Truth:
        """Return whether an expression is true; operands of `and`, `or` and `not` may have different types."""
        if isinstance(node, ast.BoolOp):
            return self._decided(node.values, isinstance(node.op, ast.Or))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            truth = self.condition(node.operand)
            return not truth if isinstance(truth, bool) else self.builder.not_(truth)
        return self.truth(self.evaluate(node))

    def _decided(self, nodes: list[ast.expr], stops: bool) -> Truth:
        """Return `stops` if one of the expressions has that truth value; later expressions are not evaluated."""
        truth = self.condition(nodes[0])
        if len(nodes) == 1:
            return truth
        if isinstance(truth, bool):
            return truth if truth == stops else self._decided(nodes[1:], stops)
        place = self.reserve(BIT)
        found, go_on, end = self.block("found"), self.block("go on"), self.block("end")
        self.branch(truth, *((found, go_on) if stops else (go_on, found)))

        def decide() -> None:
            rest = self._decided(nodes[1:], stops)
            if not self.dead:
                self.builder.store(self.bit(rest) if isinstance(rest, bool) else rest, place)

        self.ways([(found, lambda: self.builder.store(self.bit(stops), place)), (go_on, decide)], end)
        return self.builder.load(place, typ=BIT)

    def _refuse_list_beside_tuple(self, node: ast.Compare) -> None:
        """Refuse to compare a list with a tuple: they are never equal in Python, and one kind of sequence here."""
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            kinds = {sequence_class(left, self.frame.source.node), sequence_class(right, self.frame.source.node)}
            if kinds == {list, tuple} and not isinstance(operator, (ast.In, ast.NotIn)):
                raise self.refuse("a list is never equal to a tuple; compare two lists, or two tuples")

    def value_Compare(self, node: ast.Compare) -> Value:
        self._refuse_list_beside_tuple(node)
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
        entered = set(self.frame.assigned)
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
        self.frame.assigned = entered
        self.at(end)
        return Val(BOOL, ssa=self.builder.load(place, typ=self.bit(True).type))

    def value_IfExp(self, node: ast.IfExp) -> Value:
        truth = self.condition(node.test)
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

    def value_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.frozen(self.evaluate(node.value))
        frame = self.frame
        inner = frame
        while inner.parent is not None and inner.source.stores.get(node.target.id, 0) == 0:
            inner = inner.parent
        if node.target.id not in inner.source.loads:
            return value
        self.frame = inner
        self.bind(node.target.id, value)
        self.frame = frame
        return self.name(node.target.id)

    def value_Lambda(self, node: ast.Lambda) -> Closure:
        return self.closure(node)

    def closure(self, node: ast.Lambda | ast.FunctionDef) -> Closure:
        """Return an inner function; its defaults are evaluated now."""
        arguments = node.args
        names = [each.arg for each in [*arguments.posonlyargs, *arguments.args]]
        given = dict(zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True))
        for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                given[each.arg] = default
        return Closure(node, self.frame, {name: self.frozen(self.evaluate(each)) for name, each in given.items()})

    def value_GeneratorExp(self, node: ast.GeneratorExp | ast.ListComp) -> Comprehension:
        """Return a comprehension that is evaluated later."""
        return Comprehension(node.elt, node.generators, self.frame, node)

    value_ListComp = value_GeneratorExp

    def value_SetComp(self, node: ast.SetComp) -> Distinct:
        return Distinct(self.sequence(Comprehension(node.elt, node.generators, self.frame, node)))

    def value_JoinedStr(self, node: ast.JoinedStr) -> Value:
        """Refuse f-strings: texts cannot be composed at run time."""
        raise self.refuse("only texts that are constants can be compiled; this one is put together at run time")

    def value_Attribute(self, node: ast.Attribute) -> Value:
        return self.attribute(self.evaluate(node.value), node.attr)

    def attribute(self, owner: Value, name: str) -> Value:
        """Return an attribute of a value."""
        if isinstance(owner, Super):
            return self._inherited(owner, name)
        if not isinstance(owner, Known):
            if isinstance(owner, (Val, Pack)):
                return self.attribute_of(owner, name)
            if isinstance(owner, Mapping):
                return Method(None, owner, name)
            what = "set" if isinstance(owner, Distinct) else type(owner).__name__.lower()
            raise self.refuse(f"the attribute {name} of a {what} is not compiled")
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
        if isinstance(value, Bits):
            return self.attribute_of(owner, name)
        if not isinstance(value, (type, pytypes.ModuleType)):
            static = inspect.getattr_static(type(value), name, None)
            if isinstance(static, property) and static.fget is not None and self.program.has_variables(value):
                return self.call(Known(static.fget), [owner], {}, None)
        try:
            found = getattr(value, name)
        except AttributeError:
            raise self.refuse(f"{described(value)} has no attribute {name}") from None
        except Exception as error:
            raise self.refuse(f"{name} of {described(value)} raises {type(error).__name__}: {error}") from error
        if isinstance(found, (pytypes.BuiltinMethodType, pytypes.MethodWrapperType)) and not isinstance(
            value, (type, pytypes.ModuleType)
        ):
            return Method(None, owner, name)
        if isinstance(value, Bits) and inspect.ismethod(found):
            return Method(None, owner, name)
        return Known(found)

    def _inherited(self, owner: Super, name: str) -> Value:
        """Return the value of `super().name`."""
        if isinstance(owner.receiver, Known):
            try:
                return Known(getattr(super(owner.kind, owner.receiver.value), name))
            except AttributeError:
                raise self.refuse(f"super() has no attribute {name}") from None
        order = self.class_of(owner.receiver)
        after = order.__mro__[order.__mro__.index(owner.kind) + 1 :] if order is not None else ()
        found = next((vars(kind)[name] for kind in after if name in vars(kind)), None)
        if isinstance(found, property) and found.fget is not None:
            return self.call(Known(found.fget), [owner.receiver], {}, None)
        if not inspect.isfunction(found):
            raise self.refuse(f"super().{name} is not compiled")
        return Method(found, owner.receiver, name)

    def value_Subscript(self, node: ast.Subscript) -> Value:
        owner = self.evaluate(node.value)
        if isinstance(node.slice, ast.Slice):
            parts = [
                self.evaluate(p) if p is not None else Known(None)
                for p in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self.sliced(owner, *parts)
        return self.item(owner, self.evaluate(node.slice))


def words(name: str) -> str:
    """Return the name of a kind of syntax as authors know it."""
    known = {"With": "with", "Global": "global", "Nonlocal": "nonlocal", "Await": "await", "AsyncFor": "async for",
             "ClassDef": "a class inside a function", "DictComp": "a dictionary comprehension", "TryStar": "except*",
             "JoinedStr": "an f-string"}  # fmt: skip
    return known.get(name, name)


def sequence_class(node: ast.expr, function: ast.AST | None = None) -> type | None:
    """Return whether an expression is a list or a tuple, by its source and that of its function; None if not known."""
    match node:
        case ast.List() | ast.ListComp():
            return list
        case ast.Tuple():
            return tuple
        case ast.Call(func=ast.Name(id="list" | "sorted")):
            return list
        case ast.Call(func=ast.Name(id="tuple")):
            return tuple
        case ast.BinOp(op=ast.Add() | ast.Mult()):
            return sequence_class(node.left, function) or sequence_class(node.right, function)
        case ast.Name() if function is not None:
            stores = {each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == node.id}
            stores = {each for each in stores if isinstance(each.ctx, ast.Store)}
            values = [
                each.value
                for each in ast.walk(function)
                if isinstance(each, ast.Assign) and len(each.targets) == 1 and each.targets[0] in stores
            ]
            kinds = {sequence_class(each) for each in values}
            return kinds.pop() if len(kinds) == 1 and len(values) == len(stores) else None
    return None
