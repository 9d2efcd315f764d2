"""Find the syntax tree of a function; the compiler translates the source as its author wrote it."""

import ast
import functools
import linecache
import types
from collections import defaultdict
from typing import TypeAlias

import attrs

from ggp.compiler.refusals import Refused

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FunctionKey: TypeAlias = tuple[str, int]
"""The name of a function, or `<lambda>`, and the function's first line, decorators included."""

PRIVATE_FIELDS = {
    ast.Name: ("id",), ast.Attribute: ("attr",), ast.arg: ("arg",), ast.FunctionDef: ("name",),
    ast.AsyncFunctionDef: ("name",), ast.ClassDef: ("name",), ast.alias: ("name", "asname"),
    ast.ExceptHandler: ("name",), ast.MatchAs: ("name",), ast.MatchStar: ("name",), ast.MatchMapping: ("rest",),
    ast.Global: ("names",), ast.Nonlocal: ("names",),
}  # fmt: skip
"""The fields of syntax trees in which Python mangles `__name`. Names of keyword arguments are not mangled."""


@attrs.frozen(eq=False)
class ParsedFile:
    """The functions of a file."""

    nodes: dict[FunctionKey, list[FunctionNode]]
    codes: dict[FunctionKey, list[types.CodeType]]
    """The code objects that Python makes when it compiles the file as it is now."""
    rebound: frozenset[str]
    """Names of the module that some function declares `global`."""


@attrs.frozen(eq=False)
class FunctionTree:
    """A function as it is written in its source file."""

    node: FunctionNode
    code: types.CodeType
    file: str
    rebound: frozenset[str]
    """Names from outside the function whose values may change while the function runs."""


def function_tree(code: types.CodeType) -> FunctionTree:
    """Return the tree of the function that a code object was made from, with private names mangled.

    Raises:
        Refused: the source cannot be found, or has changed since the function was imported.
    """
    where, name = (code.co_filename, code.co_firstlineno), (code.co_name, code.co_firstlineno)
    linecache.checkcache(code.co_filename)
    file = _parsed(code.co_filename, "".join(linecache.getlines(code.co_filename)))
    nodes = file.nodes.get(name, [])
    if len(nodes) > 1:
        nodes = _innermost([each for each in nodes if _encloses(each, code)])
    if not nodes:
        raise Refused(f"the source of {code.co_name} cannot be found", where)
    if len(nodes) > 1:
        raise Refused(f"several functions named {code.co_name} begin here: write each on a line of its own", where)
    asserts = any(isinstance(each, ast.Assert) for each in ast.walk(nodes[0]))  # which pytest rewrites
    if not asserts and not any(_content(each) == _content(code) for each in file.codes[name]):
        raise Refused(f"the source of {code.co_name} has changed since it was imported", where)
    return FunctionTree(nodes[0], code, code.co_filename, file.rebound | frozenset(code.co_freevars))


@functools.lru_cache(maxsize=64)
def _parsed(file: str, text: str) -> ParsedFile:
    nodes: dict[FunctionKey, list[FunctionNode]] = defaultdict(list)
    codes: dict[FunctionKey, list[types.CodeType]] = defaultdict(list)
    try:
        tree = ast.parse(text)
        pending = [compile(text, file, "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return ParsedFile(nodes, codes, frozenset())
    rebound = set()
    for each in ast.walk(tree):
        if isinstance(each, ast.Lambda):
            nodes["<lambda>", each.lineno].append(each)
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([each.lineno, *[decorator.lineno for decorator in each.decorator_list]])
            nodes[each.name, first].append(each)
        elif isinstance(each, ast.Global):
            rebound |= set(each.names)
    while pending:
        code = pending.pop()
        codes[code.co_name, code.co_firstlineno].append(code)
        pending.extend(each for each in code.co_consts if isinstance(each, types.CodeType))
    if "__" in text:
        _mangle(tree)
    return ParsedFile(nodes, codes, frozenset(rebound))


def _mangle(tree: ast.Module) -> None:
    """Replace each private name `__name` in a class by `_Class__name`, as Python does; `Class` is the innermost
    class.
    """
    classes = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]
    for each in reversed(classes):  # the inner ones first
        prefix = each.name.lstrip("_")
        for part in (part for statement in each.body for part in ast.walk(statement) if prefix):
            for field in PRIVATE_FIELDS.get(type(part), ()):
                value = getattr(part, field)
                if isinstance(value, list):
                    setattr(part, field, [_mangled(name, prefix) for name in value])
                elif value is not None:
                    setattr(part, field, _mangled(value, prefix))


def _mangled(name: str, prefix: str) -> str:
    private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{prefix}{name}" if private else name


def _encloses(node: FunctionNode, code: types.CodeType) -> bool:
    """Return whether all instructions belong to the body of the lambda `node`; True for any other function."""
    if not isinstance(node, ast.Lambda):
        return True
    start, end = (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset)
    for line, end_line, column, end_column in code.co_positions():
        if None in (line, end_line, column, end_column) or column == end_column:
            continue  # made by the compiler, for no text
        if (line, column) < start or (end_line, end_column) > end:
            return False
    return True


def _innermost(nodes: list[FunctionNode]) -> list[FunctionNode]:
    """Leave out nodes that contain another node of the list."""
    return [node for node in nodes if not any(each in nodes for each in ast.walk(node) if each is not node)]


def _content(code: types.CodeType) -> object:
    constants = [repr(each) for each in code.co_consts if not isinstance(each, types.CodeType)]
    return code.co_code, code.co_names, code.co_varnames, constants
