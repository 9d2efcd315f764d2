"""The source of functions: the compiler translates the code as its authors wrote it."""

import ast
import functools
import linecache
import types
from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from ggp.compiler.local_sets import without_sets
from ggp.compiler.rows import GROWING, SCOPES, without_row_names
from ggp.compiler.values import Refused

COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


@attrs.frozen(eq=False)
class Source:
    """A parsed function or lambda, and facts about the names in it."""

    node: Any
    name: str
    file: str
    stores: Counter[str]
    """Number of assignments to each name."""
    loads: frozenset[str]
    """The names that are read. Values assigned to other names, such as `_`, are dropped."""
    appended: frozenset[str]
    """Names of lists whose length changes."""
    changed: frozenset[str]
    """Names of lists whose items or length change."""
    generates: bool
    single: frozenset[str]
    """Names that are used at most once after each binding."""

    @property
    def parameters(self) -> set[str]:
        """The names of the parameters."""
        given = self.node.args
        return {each.arg for each in [*given.posonlyargs, *given.args, *given.kwonlyargs]}

    @property
    def body(self) -> list[ast.stmt]:
        """The statements; for a lambda, one `return`."""
        if isinstance(self.node, ast.Lambda):
            return [ast.copy_location(ast.Return(self.node.body), self.node.body)]
        body: list[ast.stmt] = self.node.body
        return body


def function_source(function: types.FunctionType) -> Source:
    """Return the source of a function.

    Raises:
        Refused: the source cannot be found, or has changed since the function was imported.
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
    return parsed(without_row_names(without_sets(node)), code.co_filename)


def _lines(file: str) -> list[str]:
    linecache.checkcache(file)
    return linecache.getlines(file)


@functools.lru_cache(maxsize=64)
def _file(file: str, text: str) -> tuple[dict[Any, ast.FunctionDef], dict[Any, types.CodeType]]:
    """Return the functions of a file with their code objects, by name and first line."""
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
    appended: set[str] = set()
    changed: set[str] = set()
    generates = False
    arguments = node.args
    lists = {
        target.id
        for part in _own(node)
        if isinstance(part, ast.Assign) and _makes_list(part.value)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
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
            if part.target.id in lists and isinstance(part.op, ast.Add):
                appended.add(part.target.id)
        elif isinstance(part, (ast.Yield, ast.YieldFrom)):
            generates = True
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in GROWING:
            owner = root_of(part.func.value)
            if owner:
                (appended if isinstance(part.func.value, ast.Name) else changed).add(owner)
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, (ast.Store, ast.Del)):
            owner = root_of(part)
            if owner:
                shorter = isinstance(part.ctx, ast.Del) and isinstance(part.value, ast.Name)
                (appended if shorter else changed).add(owner)
    for part in _own(node):
        if isinstance(part, (ast.FunctionDef, ast.Lambda)):  # which may change the lists of this function
            inner = parsed(part, file)
            appended |= {each for each in inner.appended if not inner.stores[each]}
            changed |= {each for each in inner.changed if not inner.stores[each]}
    name = getattr(node, "name", "<lambda>")
    return Source(
        node,
        name,
        file,
        stores,
        _loads(node),
        frozenset(appended),
        frozenset(changed | appended),
        generates,
        single_uses(node),
    )


def root_of(node: ast.AST) -> str | None:
    """Return the name of the list that contains an item, or an item of an item; None if there is none."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, without inner functions and the targets of comprehensions."""
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


def _makes_list(node: ast.AST) -> bool:
    """Return whether an expression is a list and not a tuple or a number."""
    if isinstance(node, ast.BinOp):
        return _makes_list(node.left) or _makes_list(node.right)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("list", "sorted")
    return isinstance(node, (ast.List, ast.ListComp))


def fresh(node: ast.AST, depth: int = 1) -> bool:
    """Return whether an expression builds a new list, to which nothing else refers.

    Arguments:
        depth: 1 for the list alone, 2 for the lists in it too.
    """
    if depth == 0 or (isinstance(node, ast.Constant) and depth == 1):
        return True
    if isinstance(node, ast.List):
        return all(fresh(each, depth - 1) for each in node.elts)
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return fresh(node.elt, depth - 1)
    if isinstance(node, ast.IfExp):
        return fresh(node.body, depth) and fresh(node.orelse, depth)
    if isinstance(node, ast.BinOp):
        if depth == 1:
            return True
        return isinstance(node.op, ast.Add) and fresh(node.left, depth) and fresh(node.right, depth)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and depth == 1
    if isinstance(node, ast.Call):
        return _fresh_call(node, depth)
    return False


def _fresh_call(node: ast.Call, depth: int) -> bool:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr == "deepcopy" or (node.func.attr in ("copy", "actions") and depth == 1)
    if not isinstance(node.func, ast.Name):
        return False
    if node.func.id in ("list", "sorted") and depth == 1:
        return True
    if node.func.id != "list" or not node.args:
        return node.func.id == "deepcopy"
    given = node.args[0]
    if isinstance(given, ast.Call) and ast.unparse(given.func) == "map":
        return depth == 2 and ast.unparse(given.args[0]) == "list"
    return isinstance(given, (ast.GeneratorExp, ast.ListComp)) and fresh(given, depth)


def single_uses(node: ast.AST) -> frozenset[str]:
    """Return the names that are used at most once after each binding; these may be bound to iterators."""
    loads: dict[str, list[tuple[ast.AST, ...]]] = {}
    stores: dict[str, list[tuple[ast.AST, ...]]] = {}

    def walk(each: ast.AST, around: tuple[ast.AST, ...]) -> None:
        if isinstance(each, ast.Name):
            (loads if isinstance(each.ctx, ast.Load) else stores).setdefault(each.id, []).append(around)
        if isinstance(each, ast.arg):
            stores.setdefault(each.arg, []).append(around)
        if isinstance(each, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            walk(each.generators[0].iter, around)
            first = each.generators[0].iter
            for child in ast.walk(each):
                if child is not each and child is not first and child not in inside(first):
                    note(child, (*around, each))
            return
        for child in ast.iter_child_nodes(each):
            again = isinstance(each, SCOPES) and each is not node
            again = again or (isinstance(each, ast.While))
            again = again or (isinstance(each, ast.For) and (child in each.body or child is each.target))
            walk(child, (*around, each) if again else around)

    def note(each: ast.AST, around: tuple[ast.AST, ...]) -> None:
        if isinstance(each, ast.Name):
            (loads if isinstance(each.ctx, ast.Load) else stores).setdefault(each.id, []).append(around)

    def inside(each: ast.AST) -> set[ast.AST]:
        return set(ast.walk(each))

    walk(node, ())
    return frozenset(
        name
        for name, places in stores.items()
        if len(loads.get(name, ())) <= 1 and all(use in places for use in loads.get(name, ()))
    )


def _loads(node: ast.AST) -> frozenset[str]:
    """Return the names that a function reads, in inner functions too."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    if "super" in names:  # which reads the first parameter
        names |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    targets = [each.target for each in ast.walk(node) if isinstance(each, ast.AugAssign)]
    return frozenset(names | {each.id for each in targets if isinstance(each, ast.Name)})
