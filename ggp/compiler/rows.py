"""Rows of a list of lists that are changed through a separate name.

    for row in board:               for place in range(len(board)):
        row[column] = mark              board[place][column] = mark

In machine code a name holds a copy of a value, so a change of `row` would not reach `board`. If this is the only
difference, the code on the left is compiled as the code on the right; `row = board[place]` followed by a change of
`row` is treated likewise.
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Any

PLACE = "place of {}"
"""The name of a new variable; it is not a valid identifier, so no author can use it."""
GROWING = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"}
"""Methods that change a list."""
PURE = (ast.Name, ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop, ast.expr_context)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def without_row_names(function: Any) -> Any:
    """Return a function's node in which changed rows are referred to by index; the node itself if there are none."""
    if not any(_changes(each) for each in ast.walk(function)):
        return function
    changed = copy.deepcopy(function)
    while _rewrite_one(changed):
        pass
    return ast.fix_missing_locations(changed)


def _rewrite_one(function: Any) -> bool:
    for block in _blocks(function):
        for index, statement in enumerate(block):
            if isinstance(statement, ast.For) and _rewrite_loop(function, statement):
                return True
            if isinstance(statement, ast.Assign) and _rewrite_assignment(function, block, index):
                return True
    return False


def _rewrite_loop(function: Any, loop: ast.For) -> bool:
    """Refer to the row by index in `for row in board` and `for place, row in enumerate(board)`."""
    place: str | None = None
    board, row = loop.iter, loop.target
    if isinstance(board, ast.Call) and isinstance(board.func, ast.Name) and board.func.id == "enumerate":
        if len(board.args) != 1 or board.keywords or not isinstance(row, ast.Tuple) or len(row.elts) != 2:
            return False
        index, row = row.elts
        board = board.args[0]
        if not isinstance(index, ast.Name):
            return False
        place = index.id
    if not isinstance(board, ast.Name) or not isinstance(row, ast.Name):
        return False
    if not _only_within(function, row.id, loop) or not _steady(loop.body, {board.id, *([place] if place else [])}):
        return False
    if not _is_changed(loop.body, row.id) or _is_stored(loop.body, row.id) or _in_inner_scope(loop.body, row.id):
        return False
    name = ast.Name(place or PLACE.format(row.id), ast.Load())
    _replace(loop.body, row.id, ast.Subscript(ast.Name(board.id, ast.Load()), name, ast.Load()))
    loop.target = ast.copy_location(ast.Name(name.id, ast.Store()), loop.target)
    length = ast.Call(ast.Name("len", ast.Load()), [ast.Name(board.id, ast.Load())], [])
    loop.iter = ast.copy_location(ast.Call(ast.Name("range", ast.Load()), [length], []), loop.iter)
    return True


def _rewrite_assignment(function: Any, block: list[ast.stmt], index: int) -> bool:
    """Refer to the row by index after `row = board[place]`."""
    statement = block[index]
    assert isinstance(statement, ast.Assign)
    item, rest = statement.value, block[index + 1 :]
    if len(statement.targets) != 1 or not isinstance(item, ast.Subscript) or not isinstance(item.value, ast.Name):
        return False
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or not all(isinstance(each, PURE) for each in ast.walk(item.slice)):
        return False
    row, board = target.id, item.value.id
    used = {each.id for each in ast.walk(item.slice) if isinstance(each, ast.Name)}
    if not _is_changed(rest, row) or _is_stored(rest, row) or _in_inner_scope(rest, row):
        return False
    if not _steady(rest, {board, *used}) or _count(function, row) != 1 + _count_all(rest, row):
        return False
    _replace(rest, row, item)
    block[index] = ast.copy_location(ast.Pass(), statement)
    return True


# What is in some statements -----------------------------------------------------------------------------------------


def _blocks(node: Any) -> Iterator[list[ast.stmt]]:
    for each in ast.walk(node):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(each, field, None)
            if isinstance(block, list):
                yield block


def _within(block: Sequence[ast.AST]) -> Iterator[ast.AST]:
    for statement in block:
        yield from ast.walk(statement)


def _changes(node: ast.AST) -> str | None:
    """Return the name of the list whose items or length a node changes."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        owner: ast.AST = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in GROWING:
        owner = node.func.value
    else:
        return None
    return owner.id if isinstance(owner, ast.Name) else None


def _is_changed(block: Sequence[ast.AST], name: str) -> bool:
    return any(_changes(each) == name for each in _within(block))


def _is_stored(block: Sequence[ast.AST], name: str) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load) for each in _within(block)
    )


def _steady(block: Sequence[ast.AST], names: set[str]) -> bool:
    """Return whether none of the names is bound again and none of the lists is changed."""
    return not any(_is_stored(block, name) or _is_changed(block, name) for name in names)


def _in_inner_scope(block: Sequence[ast.AST], name: str) -> bool:
    inner = [each for each in _within(block) if isinstance(each, SCOPES)]
    return _count_all(inner, name) > 0


def _count(node: ast.AST, name: str) -> int:
    return sum(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _count_all(block: Sequence[ast.AST], name: str) -> int:
    return sum(_count(each, name) for each in block)


def _only_within(function: Any, name: str, loop: ast.For) -> bool:
    """Return whether a loop's name is used only in its body, or in other loops that bind it."""
    bound = [
        each
        for each in ast.walk(function)
        if isinstance(each, ast.For) and _count(each.target, name) and _count_all(each.body, name)
    ]
    nested = any(each is not loop and each in ast.walk(loop) for each in bound)
    nested = nested or any(each is not loop and loop in ast.walk(each) for each in bound)
    elsewhere = _count(function, name) - sum(1 + _count_all(each.body, name) for each in bound)
    own = sum(_count_all([part], name) for part in _comprehensions(function) if _binds(part, name))
    inside = sum(_count_all([part], name) for each in bound for part in _comprehensions(each) if _binds(part, name))
    return not nested and elsewhere == own - inside and name not in _parameters(function)


def _comprehensions(node: ast.AST) -> Iterator[ast.AST]:
    for each in ast.walk(node):
        if isinstance(each, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            yield each


def _binds(comprehension: Any, name: str) -> bool:
    return any(_count(each.target, name) for each in comprehension.generators)


def _parameters(function: Any) -> set[str]:
    return {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}


class _Replacing(ast.NodeTransformer):
    def __init__(self, name: str, by: ast.expr) -> None:
        self.name, self.by = name, by

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(copy.deepcopy(self.by), node) if node.id == self.name else node


def _replace(block: list[ast.stmt], name: str, by: ast.expr) -> None:
    for statement in block:
        _Replacing(name, by).visit(statement)
