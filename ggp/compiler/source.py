"""The source of functions: what is compiled is what their authors wrote, line by line."""

import ast
import functools
import linecache
import types
from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from ggp.compiler.values import Refused

GROWING = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"}
"""Methods that change a list."""
SCOPES = (ast.FunctionDef, ast.Lambda, ast.AsyncFunctionDef, ast.ClassDef)
COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


@attrs.frozen(eq=False)
class Source:
    """A function or lambda as it was parsed, and what is known of the names in it."""

    node: Any
    name: str
    file: str
    stores: Counter[str]
    """How often each name is assigned."""
    growing: frozenset[str]
    """Names of lists that change their length."""
    changed: frozenset[str]
    """Names of lists of which items are assigned, or that change their length."""
    generates: bool

    @property
    def body(self) -> list[ast.stmt]:
        """The statements; those of a lambda are one `return`."""
        if isinstance(self.node, ast.Lambda):
            return [ast.copy_location(ast.Return(self.node.body), self.node.body)]
        body: list[ast.stmt] = self.node.body
        return body


def function_source(function: types.FunctionType) -> Source:
    """Return the source of a function.

    Raises:
        Refused: there is none, or it is not what the function was made from.
    """
    return _function_source(function.__code__)


@functools.cache
def _function_source(code: types.CodeType) -> Source:
    where = (code.co_filename, code.co_firstlineno)
    nodes, codes = _file(code.co_filename, "".join(_lines(code.co_filename)))
    key = code.co_name, code.co_firstlineno
    if key not in nodes:
        raise Refused(f"the source of {code.co_name} cannot be found", where)
    node = nodes[key]
    asserts = any(isinstance(each, ast.Assert) for each in ast.walk(node))  # which pytest rewrites
    if not asserts and _content(codes.get(key)) != _content(code):
        raise Refused(f"the source of {code.co_name} has changed since it was imported", where)
    return parsed(node, code.co_filename)


def _lines(file: str) -> list[str]:
    linecache.checkcache(file)
    return linecache.getlines(file)


@functools.lru_cache(maxsize=64)
def _file(file: str, text: str) -> tuple[dict[Any, ast.FunctionDef], dict[Any, types.CodeType]]:
    """Return the functions of a file and what they compile to, by name and first line."""
    try:
        tree = ast.parse(text)
        module = compile(text, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return {}, {}
    nodes = {}
    for each in ast.walk(tree):
        if isinstance(each, ast.FunctionDef):
            first = min([each.lineno, *[decorator.lineno for decorator in each.decorator_list]])
            nodes[each.name, first] = each
    codes, pending = {}, [module]
    while pending:
        code = pending.pop()
        codes[code.co_name, code.co_firstlineno] = code
        pending.extend(each for each in code.co_consts if isinstance(each, types.CodeType))
    return nodes, codes


def _content(code: types.CodeType | None) -> Any:
    if code is None:
        return None
    constants = [repr(each) for each in code.co_consts if not isinstance(each, types.CodeType)]
    return code.co_code, code.co_names, code.co_varnames, constants


def parsed(node: Any, file: str) -> Source:
    """Return the source of a function's or lambda's node."""
    stores: Counter[str] = Counter()
    growing, changed = set(), set()
    generates = False
    arguments = node.args
    for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if each is not None:
            stores[each.arg] += 1
    for part in _own(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del)):
            stores[part.id] += 1
        elif isinstance(part, (ast.FunctionDef, ast.Import, ast.ImportFrom)):
            for name in (
                [part.name] if isinstance(part, ast.FunctionDef) else [(a.asname or a.name) for a in part.names]
            ):
                stores[name] += 1
        elif isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
            stores[part.name] += 1
        elif isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            stores[part.target.id] += 1
        elif isinstance(part, (ast.Yield, ast.YieldFrom)):
            generates = True
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in GROWING:
            owner = _root(part.func.value)
            if owner:
                growing.add(owner)
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, (ast.Store, ast.Del)):
            owner = _root(part)
            if owner:
                changed.add(owner)
    name = getattr(node, "name", "<lambda>")
    return Source(node, name, file, stores, frozenset(growing), frozenset(changed | growing), generates)


def _root(node: ast.AST) -> str | None:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body without those of inner functions and the targets of comprehensions."""
    body = node.body if isinstance(node, ast.Lambda) else None
    pending: list[ast.AST] = [body] if body is not None else list(getattr(node, "body", []))
    while pending:
        part = pending.pop()
        yield part
        if isinstance(part, SCOPES):
            continue
        if isinstance(part, COMPREHENSIONS):
            for each in ast.iter_child_nodes(part):
                if isinstance(each, ast.comprehension):
                    pending.extend([each.iter, *each.ifs])
                else:
                    pending.append(each)
            continue
        pending.extend(ast.iter_child_nodes(part))


def fresh(node: ast.AST) -> bool:
    """Return whether an expression makes a list of its own, which nothing else can see."""
    if isinstance(node, (ast.List, ast.ListComp, ast.BinOp)):
        return True
    if isinstance(node, ast.IfExp):
        return fresh(node.body) and fresh(node.orelse)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return node.func.id in ("list", "sorted")
        return isinstance(node.func, ast.Attribute) and node.func.attr in ("copy", "actions", "deepcopy")
    return False
