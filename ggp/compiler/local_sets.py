"""Sets that a function fills: compiled as lists without equal items.

    seen = {start}                  seen = [start]
    seen.add(cell)                  if cell not in seen:
                                        seen.append(cell)

The order of a set's items is Python's own, so the left is compiled as the right only where nothing depends on it:
the set is asked for what is in it, for its length and its truth, and is sorted. Any other use leaves it a set, which
is refused.
"""

import ast
import copy
from collections.abc import Iterator
from typing import Any

from ggp.compiler.rows import SCOPES

ITEM = "item of {}"
"""The name of a new variable; no author can have one like it."""
ADDING = {"add": 1, "discard": 1, "remove": 1, "update": 1, "clear": 0}
"""Methods that change a set, with the number of their arguments."""
WITHOUT_ORDER = {"len", "bool", "sorted"}
"""Functions whose result does not depend on the order of a set's items."""


def without_sets(function: Any) -> Any:
    """Return a function's node with lists in place of the sets that it fills; itself if there are none."""
    added = {name for each in ast.walk(function) if (name := _changed(each))}
    names = [name for name in sorted(added) if _is_only_a_set(function, name)]
    if not names:
        return function
    changed = copy.deepcopy(function)
    for name in names:
        _Rewriting(name).visit(changed)
    return ast.fix_missing_locations(changed)


def _changed(node: ast.AST) -> str | None:
    """Return the name of the set that a statement changes."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitOr) and _items_of(node.value) is not None:
        return node.target.id if isinstance(node.target, ast.Name) else None
    call = node.value if isinstance(node, ast.Expr) else None
    if not (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    ):
        return None
    wanted = ADDING.get(call.func.attr) == len(call.args) and not call.keywords
    plain = not any(isinstance(each, ast.Starred) for each in call.args)
    return call.func.value.id if wanted and plain else None


def _items_of(value: ast.expr | None) -> ast.expr | None:
    """Return the items that a set is made of, as a tuple or what is iterated over; None for what is no new set."""
    if isinstance(value, ast.Set):
        starred = any(isinstance(each, ast.Starred) for each in value.elts)
        return None if starred else ast.copy_location(ast.Tuple(value.elts, ast.Load()), value)
    if isinstance(value, ast.SetComp):
        return ast.copy_location(ast.GeneratorExp(value.elt, value.generators), value)
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "set"
        and not value.keywords
    ):
        if not value.args:
            return ast.copy_location(ast.Tuple([], ast.Load()), value)
        return value.args[0] if len(value.args) == 1 and not isinstance(value.args[0], ast.Starred) else None
    return None


def _is_only_a_set(function: Any, name: str) -> bool:
    """Return whether a name is bound to new sets only, and nothing depends on the order of their items."""
    if name in {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}:
        return False
    inner = [each for each in ast.walk(function) if isinstance(each, SCOPES) and each is not function]
    if any(_names(each, name) for each in inner):
        return False
    parents = {child: each for each in ast.walk(function) for child in ast.iter_child_nodes(each)}
    uses = list(_names(function, name))
    return any(isinstance(each.ctx, ast.Store) for each in uses) and all(_is_allowed(each, parents) for each in uses)


def _names(node: ast.AST, name: str) -> Iterator[ast.Name]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == name)


def _is_allowed(use: ast.Name, parents: dict[ast.AST, ast.AST]) -> bool:
    parent = parents[use]
    if isinstance(use.ctx, ast.Store):
        if isinstance(parent, ast.Tuple):
            statement = parents[parent]
            return isinstance(statement, ast.Assign) and _in_pair(statement, use.id) is not None
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            own = not isinstance(parent, ast.Assign) or parent.targets == [use]
            return own and _items_of(parent.value) is not None and not any(_names(parent.value, use.id))  # type: ignore[arg-type]
        return _changed(parent) == use.id and not any(_names(parent.value, use.id))  # type: ignore[attr-defined]
    if not isinstance(use.ctx, ast.Load):
        return False
    if isinstance(parent, ast.Attribute):
        statement = parents[parents[parent]]
        arguments = getattr(parents[parent], "args", ())
        return _changed(statement) == use.id and not any(any(_names(each, use.id)) for each in arguments)
    if isinstance(parent, ast.Compare):
        return parent.comparators == [use] and isinstance(parent.ops[0], (ast.In, ast.NotIn))
    if isinstance(parent, ast.Call):
        plain = isinstance(parent.func, ast.Name) and parent.func.id in WITHOUT_ORDER
        return plain and parent.args == [use] and not parent.keywords
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    return isinstance(parent, (ast.If, ast.While, ast.IfExp)) and parent.test is use


def _in_pair(node: ast.Assign, name: str) -> int | None:
    """Return the place of a name in `names = values` if its value is a new set that does not depend on the names."""
    target, values = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, ast.Tuple) or not isinstance(values, ast.Tuple):
        return None
    names = [each.id if isinstance(each, ast.Name) else None for each in target.elts]
    if None in names or len(values.elts) != len(names) or names.count(name) != 1:
        return None
    place = names.index(name)
    items = _items_of(values.elts[place])
    if items is None or any(any(_names(items, each)) for each in names if each):
        return None
    return place


class _Rewriting(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Assign(self, node: ast.Assign) -> Any:
        place = _in_pair(node, self.name)
        if place is None:
            return self._new(node, node.targets[0], node.value)
        values: Any = node.value
        items = _items_of(values.elts[place])
        values.elts[place] = ast.List([], ast.Load())
        return [node, *[_located(each, node) for each in self._all_of(items)]]  # type: ignore[arg-type]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self._new(node, node.target, node.value)

    def _new(self, node: ast.stmt, target: ast.expr, value: ast.expr | None) -> Any:
        items = _items_of(value)
        if items is None or not (isinstance(target, ast.Name) and target.id == self.name):
            return node
        empty = ast.Assign([ast.Name(self.name, ast.Store())], ast.List([], ast.Load()))
        return [_located(each, node) for each in (empty, *self._all_of(items))]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        items = _items_of(node.value)
        if items is None or _changed(node) != self.name:
            return node
        return [_located(each, node) for each in self._all_of(items)]

    def visit_Expr(self, node: ast.Expr) -> Any:
        if _changed(node) != self.name:
            return node
        call: Any = node.value
        match call.func.attr:
            case "add":
                made = self._one(call.args[0])
            case "update":
                made = self._all_of(call.args[0])
            case "clear":
                return node
            case method:
                missing = "raise KeyError" if method == "remove" else "pass"
                made = self._parsed(
                    "ITEM = None\nif ITEM in NAME:\n    NAME.remove(ITEM)\nelse:\n    " + missing, call.args[0]
                )
        return [_located(each, node) for each in made]

    def _one(self, item: ast.expr) -> list[ast.stmt]:
        return self._parsed("ITEM = None\nif ITEM not in NAME:\n    NAME.append(ITEM)", item)

    def _all_of(self, items: ast.expr) -> list[ast.stmt]:
        if isinstance(items, ast.Tuple):
            return [statement for each in items.elts for statement in self._one(each)]
        return self._parsed("for ITEM in None:\n    if ITEM not in NAME:\n        NAME.append(ITEM)", items)

    def _parsed(self, text: str, value: ast.expr) -> list[ast.stmt]:
        """Return statements about the set and an item, with a value in place of the first None."""
        made = ast.parse(text).body
        for statement in made:
            for each in ast.walk(statement):
                if isinstance(each, ast.Name):
                    each.id = {"NAME": self.name, "ITEM": ITEM.format(self.name)}.get(each.id, each.id)
        first: Any = made[0]
        if isinstance(first, ast.For):
            first.iter = value
        else:
            first.value = value
        return made


def _located(statement: ast.stmt, like: ast.stmt) -> ast.stmt:
    for each in ast.walk(statement):
        if isinstance(each, (ast.expr, ast.stmt)):
            ast.copy_location(each, like)
    return statement
