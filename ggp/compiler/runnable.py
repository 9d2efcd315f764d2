"""Convert core back to Python: to a text for people, and to a function that Python runs.

Both forms use one table of the operations. The text has blocks with labels:

    block for1:
        ...
            leave for1

Python has no labels. In the function, `leave` sets a variable. If the variable is set, the rest of the block is
skipped, and loops end.
"""

import ast
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ggp.compiler import core
from ggp.compiler.core import Atom, Operation
from ggp.compiler.front import SIGNS

Nodes: TypeAlias = Sequence[ast.expr]


def _by_sign(base: type[ast.AST]) -> dict[str, Any]:
    return {sign: cls for cls, sign in SIGNS.items() if issubclass(cls, base)}


BINARY, UNARY, COMPARED = map(_by_sign, (ast.operator, ast.unaryop, ast.cmpop))


def load(name: str) -> ast.Name:
    """Return a name in a place where it is read."""
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    """Return a name in a place where it is assigned."""
    return ast.Name(name, ast.Store())


def own(name: str) -> ast.Name:
    """Return a function of Python or of this module, even if the program uses its name for something else."""
    node = load(name)
    node.own = True  # type: ignore[attr-defined]
    return node


def atom(given: Atom) -> ast.expr:
    """Return an atom as a syntax tree of Python."""
    if not isinstance(given, core.Constant):
        return load(given.name)
    return own(given.value.__name__) if isinstance(given.value, type) else ast.Constant(given.value)


# Operations: each as an expression; those without a form in Python are calls of functions with their names ------------


def _called(name: str, nodes: Nodes) -> ast.expr:
    return ast.Call(own(name), list(nodes), [])


def _method(name: str) -> Callable[[Nodes, object], ast.expr]:
    return lambda nodes, detail: ast.Call(ast.Attribute(nodes[0], name, ast.Load()), list(nodes[1:]), [])


def _call(nodes: Nodes, detail: Sequence[str | None]) -> ast.expr:
    arguments: list[ast.expr] = []
    named = []
    for node, how in zip(nodes[1:], detail, strict=True):
        if how in (None, "*"):
            arguments.append(ast.Starred(node, ast.Load()) if how else node)
        else:
            named.append(ast.keyword(None if how == "**" else how, node))
    return ast.Call(nodes[0], arguments, named)


def _part(nodes: Nodes, detail: object) -> ast.expr:
    bounds = [None if isinstance(each, ast.Constant) and each.value is None else each for each in nodes[1:4]]
    return ast.Subscript(nodes[0], ast.Slice(*bounds), ast.Load())


def _decorator(node: ast.expr, named: Sequence[tuple[str, str | int | None]] | None) -> ast.expr:
    if named is None:
        return node
    return ast.Call(node, [], [ast.keyword(name, ast.Constant(value)) for name, value in named])


def _text(nodes: Nodes, detail: object) -> ast.expr:
    return ast.JoinedStr([each if isinstance(each, ast.Constant) else ast.FormattedValue(each, -1) for each in nodes])


def _format(nodes: Nodes, detail: int) -> ast.expr:
    if isinstance(nodes[1], ast.Constant):
        specification: ast.JoinedStr | None = ast.JoinedStr([nodes[1]]) if nodes[1].value else None
    else:
        specification = ast.JoinedStr([ast.FormattedValue(nodes[1], -1)])
    return ast.JoinedStr([ast.FormattedValue(nodes[0], detail, specification)])


EXPRESSIONS: dict[str, Callable[[Nodes, Any], ast.expr]] = {
    "binary": lambda nodes, sign: ast.BinOp(nodes[0], BINARY[sign](), nodes[1]),
    "unary": lambda nodes, sign: ast.UnaryOp(UNARY[sign](), nodes[0]),
    "compare": lambda nodes, sign: ast.Compare(nodes[0], [COMPARED[sign]()], [nodes[1]]),
    "attribute": lambda nodes, name: ast.Attribute(nodes[0], name, ast.Load()),
    "item": lambda nodes, _: ast.Subscript(nodes[0], nodes[1], ast.Load()),
    "part": _part,
    "slice": lambda nodes, _: _called("slice", nodes),
    "call": _call,
    "tuple": lambda nodes, _: ast.Tuple(list(nodes), ast.Load()),
    "list": lambda nodes, _: ast.List(list(nodes), ast.Load()),
    "set": lambda nodes, _: ast.Set(list(nodes)) if nodes else _called("set", ()),
    "dict": lambda nodes, detail: (
        ast.Dict([None], list(nodes)) if detail == "**" else ast.Dict(list(nodes[::2]), list(nodes[1::2]))
    ),
    "append": _method("append"),
    "add": _method("add"),
    "extend": _method("extend"),
    "update": _method("update"),
    "join": lambda nodes, name: _called(name, nodes),
    "iterator": lambda nodes, _: _called("iter", nodes),
    "length": lambda nodes, _: _called("len", nodes),
    "text": _text,
    "format": _format,
    "import": lambda _, detail: _called("__import__", [ast.Constant(detail[0])]),
    "is_sequence": lambda nodes, _: _called("is_sequence", nodes),
    "is_mapping": lambda nodes, _: _called("is_mapping", nodes),
    "match_keys": lambda nodes, _: _called("match_keys", nodes),
    "match_class": lambda nodes, detail: _called("match_class", [*nodes, *map(ast.Constant, (detail[0], *detail[1]))]),
    "unpack": lambda nodes, shape: _called(
        "unpack", [*nodes, *[ast.Constant(each) for each in shape if each is not None]]
    ),
    "decorate": lambda nodes, named: ast.Call(_decorator(nodes[0], named), [nodes[1]], []),
    "inplace": lambda nodes, sign: _called("inplace", [EXPRESSIONS["binary"](nodes, sign)]),
}
"""For operations that have a value, by name: a function that makes an expression from the operands and the detail."""


def is_sequence(subject: object) -> bool:
    """Return whether a pattern `[...]` may match `subject`."""
    match subject:
        case [*_]:
            return True
    return False


def is_mapping(subject: object) -> bool:
    """Return whether a pattern `{...}` may match `subject`."""
    match subject:
        case {}:
            return True
    return False


def match_keys(subject: Mapping[object, object], *keys: object) -> tuple[object, ...] | None:
    """Return the values that a pattern `{key: ...}` finds for its keys; None if a key is missing."""
    absent, values, seen = object(), [], set()
    get = subject.get
    for key in keys:
        if key in seen:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        seen.add(key)
        value = get(key, absent)
        if value is absent:
            return None
        values.append(value)
    return tuple(values)


OWN = {"is_sequence": is_sequence, "is_mapping": is_mapping, "match_keys": match_keys, "AssertionError": AssertionError}
OWN |= {each.__name__: each for each in (len, iter, set, slice, tuple, list, __import__)}
"""The functions that `own` can name."""


# Statements -----------------------------------------------------------------------------------------------------------


def _put(target: ast.expr, value: ast.expr) -> ast.stmt:
    target.ctx = ast.Store()  # type: ignore[attr-defined]
    return ast.Assign([target], value)


def _delete(target: ast.expr) -> ast.stmt:
    target.ctx = ast.Del()  # type: ignore[attr-defined]
    return ast.Delete([target])


EFFECTS: dict[str, Callable[[Nodes, Any], ast.stmt]] = {
    "put_attribute": lambda nodes, name: _put(ast.Attribute(nodes[0], name), nodes[1]),
    "put_item": lambda nodes, _: _put(ast.Subscript(nodes[0], nodes[1]), nodes[2]),
    "put_part": lambda nodes, _: _put(_part(nodes, None), nodes[4]),
    "delete_attribute": lambda nodes, name: _delete(ast.Attribute(nodes[0], name)),
    "delete_item": lambda nodes, _: _delete(ast.Subscript(nodes[0], nodes[1])),
    "delete_part": lambda nodes, _: _delete(_part(nodes, None)),
}
"""Operations that are statements in Python."""


def assignment(statement: core.Assign) -> ast.stmt:
    """Return an assignment, or an operation that is run only for its effect, as one statement."""
    value, target = statement.value, statement.target
    if not isinstance(value, Operation):
        node = atom(value)
        return ast.Assign([store(target)], node) if target is not None else ast.Expr(node)
    nodes = [atom(each) for each in value.operands]
    if value.name in EFFECTS:
        return EFFECTS[value.name](nodes, value.detail)
    if value.name == "inplace" and value.operands[0] == core.Local(target or ""):
        return ast.AugAssign(store(target or ""), BINARY[value.detail](), nodes[1])
    if value.name == "import" and value.detail[1] is not None:
        module = value.detail[0].lstrip(".")
        alias = ast.alias(value.detail[1], target if target != value.detail[1] else None)
        return ast.ImportFrom(module or None, [alias], len(value.detail[0]) - len(module))
    made = EXPRESSIONS[value.name](nodes, value.detail)
    return ast.Assign([store(target)], made) if target is not None else ast.Expr(made)


def arguments(function: core.Function, defaults: dict[str, core.Atom] | None) -> ast.arguments:
    """Return the parameters; without `defaults`, each default value is replaced by `...`."""
    given = ast.arguments([], [], None, [], [], None, [])
    kinds = inspect.Parameter
    for each in function.parameters:
        argument = ast.arg(each.keyword)
        value = (atom(defaults[each.name]) if defaults is not None else ast.Constant(...)) if each.has_default else None
        if each.kind is kinds.VAR_POSITIONAL:
            given.vararg = argument
        elif each.kind is kinds.VAR_KEYWORD:
            given.kwarg = argument
        elif each.kind is kinds.KEYWORD_ONLY:
            given.kwonlyargs.append(argument)
            given.kw_defaults.append(value)
        else:
            (given.posonlyargs if each.kind is kinds.POSITIONAL_ONLY else given.args).append(argument)
            given.defaults += [value] if value is not None else []
    return given


# Text -----------------------------------------------------------------------------------------------------------------


def python_text(function: core.Function) -> str:
    """Return core as text that reads like Python. A `for` loop shows its label only if a `leave` names it."""
    return "\n".join(_function_lines(function, function.name, None))


def _function_lines(function: core.Function, name: str, defaults: dict[str, core.Atom] | None) -> Iterator[str]:
    name = name if name.isidentifier() else "function"
    yield f"def {name}({ast.unparse(arguments(function, defaults))}):"
    last = function.body[-1] if function.generates and len(function.body) > 1 else None
    yield from _indented(function.body[:-1] if isinstance(last, core.Return) else function.body)


def _indented(block: core.Block) -> Iterator[str]:
    lines = [line for each in block for line in _lines(each)]
    yield from (f"    {line}" for line in lines or ["pass"])


def _shown(given: Atom) -> str:
    return ast.unparse(atom(given))


def _lines(statement: core.Statement) -> Iterator[str]:
    match statement:
        case core.Assign(target, Operation("class", operands, source)):
            made = source.statement([atom(each) for each in operands[: source.bases]])
            made.name = target or made.name
            yield from ast.unparse(made).splitlines()
        case core.Assign():
            yield ast.unparse(ast.fix_missing_locations(assignment(statement)))
        case core.If(test, body, otherwise):
            yield f"if {_shown(test)}:" if body or not otherwise else f"if not {_shown(test)}:"
            yield from _indented(body or otherwise)
            if body and otherwise:
                yield "else:"
                yield from _indented(otherwise)
        case core.Labelled(label, body) | core.Loop(label, body):
            yield f"{'block' if isinstance(statement, core.Labelled) else 'loop'} {label}:"
            yield from _indented(body)
        case core.Leave(label):
            yield f"leave {label}"
        case core.Each(label, target, items, body):
            left = any(isinstance(each, core.Leave) and each.label == label for each in core.statements_in(body))
            yield f"for {target} in {_shown(items)}:" + (f"  # {label}" if left else "")
            yield from _indented(body)
        case core.Return(value):
            yield f"return {_shown(value)}"
        case core.Raise(error, _, cause):
            yield " ".join(["raise", *([_shown(error)] if error else []), *(["from", _shown(cause)] if cause else [])])
        case core.Yield(value):
            yield f"yield {_shown(value)}"
        case core.Unset(target):
            yield f"del {target}"
        case core.Define(target, function, defaults):
            yield from _function_lines(function, target, defaults)
        case core.Try(body, handlers, otherwise, final):
            yield "try:"
            yield from _indented(body)
            for handler in handlers:
                head = " ".join(["except", *([ast.unparse(_classes(handler))] if handler.classes else [])])
                yield head + (f" as {handler.name}:" if handler.name else ":")
                yield from _indented(handler.body)
            for word, block in (("else:", otherwise), ("finally:", final)):
                if block:
                    yield word
                    yield from _indented(block)


def _classes(handler: core.Handler) -> ast.expr:
    """Return an expression that computes the exceptions that a handler catches."""
    assert handler.classes is not None
    values = []
    for each in handler.test:
        made = assignment(each)  # type: ignore[arg-type]
        assert isinstance(made, ast.Assign)
        values.append(ast.NamedExpr(made.targets[0], made.value))  # type: ignore[arg-type]
    last = values[-1] if values else None
    if last is None:
        return atom(handler.classes)
    if len(values) == 1 and handler.classes == core.Local(last.target.id):
        return last
    return ast.Subscript(ast.Tuple([*values, atom(handler.classes)], ast.Load()), ast.Constant(-1), ast.Load())


# Functions that Python runs -------------------------------------------------------------------------------------------


def runnable(function: core.Function, original: types.FunctionType) -> types.FunctionType:
    """Return core as a function of Python, with the default values and the surrounding variables of the original."""
    made = Writer(function).definition("made()", None)  # a name that the function cannot use
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    for each in ast.walk(made):
        if hasattr(each, "own"):
            cells[f"{each.id}()"] = types.CellType(OWN[each.id])  # type: ignore[attr-defined]
            each.id += "()"  # type: ignore[attr-defined]
    around = ast.arguments([], [ast.arg(each) for each in cells], None, [], [], None, [])
    maker = _definition("maker", around, [made, ast.Return(load(made.name))], function.line)
    _locate(maker, function.line)
    code = _inside(_inside(compile(ast.Module([maker], []), function.file, "exec", dont_inherit=True)))
    closure = tuple(cells[each] for each in code.co_freevars)
    code = code.replace(co_name=function.name, co_qualname=original.__code__.co_qualname)
    plain = types.FunctionType(code, original.__globals__, function.name, original.__defaults__, closure)
    plain.__kwdefaults__, plain.__qualname__ = original.__kwdefaults__, original.__qualname__
    return plain


def _definition(name: str, given: ast.arguments, body: list[ast.stmt], line: int) -> ast.FunctionDef:
    made = ast.FunctionDef(name, given, body, [], lineno=line)
    made.type_params = []  # type: ignore[attr-defined]  # which Python 3.12 needs
    return made


def _locate(node: Any, line: int) -> None:
    """Give a node, and all nodes in it without a line, the line of the enclosing node."""
    node.lineno = node.end_lineno = line = node.lineno if hasattr(node, "lineno") else line
    node.col_offset = node.end_col_offset = 0
    for each in ast.iter_child_nodes(node):
        _locate(each, line)


def _inside(code: types.CodeType) -> types.CodeType:
    return next(each for each in code.co_consts if isinstance(each, types.CodeType))


class Writer:
    """Writes one function that has no labels."""

    def __init__(self, function: core.Function) -> None:
        self.function = function
        self.around: list[tuple[str, bool]] = []
        """The enclosing labels, the outermost first. Each label comes with a flag that says whether the label belongs
        to a loop.
        """
        self.finals: list[tuple[int, set[str]]] = []
        """For each enclosing `finally`: the number of labels around it, and the labels that its `try` may have left."""

    def definition(self, name: str, defaults: dict[str, core.Atom] | None) -> ast.FunctionDef:
        """Return the whole function."""
        function = self.function
        body: list[ast.stmt] = [ast.Expr(ast.Constant(None))]
        assigned = set(_assigned(function.body))
        if foreign := sorted(assigned - function.variables):
            body.append(ast.Nonlocal(foreign))
        if unassigned := sorted(
            function.variables - assigned - {each.keyword for each in function.parameters}
        ):  # inner functions may assign them
            body.append(ast.If(ast.Constant(False), [_put(store(each), ast.Constant(None)) for each in unassigned], []))
        body += [
            _put(store(each.name), load(each.keyword)) for each in function.parameters if each.name != each.keyword
        ]
        if function.generates:
            body.append(ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], []))
        body += self.block(function.body)[0]
        return _definition(name, arguments(function, defaults), body, function.line)

    def block(self, block: core.Block) -> tuple[list[ast.stmt], set[str], set[str]]:
        """Return statements, the labels that they leave by skipping other statements, and the labels that they leave by
        ending a loop.
        """
        made: list[ast.stmt] = []
        skipped: set[str] = set()
        ended: set[str] = set()
        for index, each in enumerate(block):
            statements, skips, ends = self.statement(each)
            for statement in statements:
                statement.lineno = each.line
            made += statements
            skipped |= skips
            ended |= ends
            if skips and index + 1 < len(block):
                rest, skips_after, ends_after = self.block(block[index + 1 :])
                made.append(ast.If(_none_of(skips), rest, []))
                return made, skipped | skips_after, ended | ends_after
        return made, skipped, ended

    def statement(self, statement: core.Statement) -> tuple[list[ast.stmt], set[str], set[str]]:
        """Return one statement, in the form that `block` returns."""
        match statement:
            case core.Assign():
                return _plain(statement), set(), set()
            case core.Leave(label):
                return self.leave(label)
            case core.If(test, body, otherwise):
                yes, skipped, ended = self.block(body)
                no, more, others = self.block(otherwise)
                return [ast.If(atom(test), yes or [ast.Pass()], no)], skipped | more, ended | others
            case core.Labelled(label, body):
                self.around.append((label, False))
                made, skipped, ended = self.block(body)
                self.around.pop()
                return [_flag(label, False), *made], skipped - {label}, ended - {label}
            case core.Loop(label, body) | core.Each(label, _, _, body):
                return self.loop(statement, label, body)
            case core.Try():
                return self.try_(statement)
            case core.Return(value):
                return [ast.Return(atom(value))], set(), set()
            case core.Raise(error, _, cause):
                return [ast.Raise(atom(error) if error else None, atom(cause) if cause else None)], set(), set()
            case core.Yield(value):
                return [ast.Expr(ast.Yield(atom(value)))], set(), set()
            case core.Unset(target):
                return [_delete(load(target))], set(), set()
            case core.Define(target, function, defaults):
                return [Writer(function).definition(target, defaults)], set(), set()
        raise TypeError(f"{type(statement).__name__} is no statement of open core")

    def leave(self, label: str) -> tuple[list[ast.stmt], set[str], set[str]]:
        """Leave a label: the innermost loop ends; a flag is set if the label is further outside, or is not a loop's."""
        outer = next(index for index, (each, _) in enumerate(self.around) if each == label)
        forgotten = {each for depth, labels in self.finals if outer < depth for each in labels}
        made = [_flag(each, False) for each in sorted(forgotten)]  # Python now goes here instead
        if any(is_loop for _, is_loop in self.around[outer + 1 :]):
            return [*made, _flag(label, True), ast.Break()], set(), {label}
        if self.around[outer][1]:
            return [*made, ast.Break()], set(), set()
        return [*made, _flag(label, True)], {label}, set()

    def loop(self, statement: object, label: str, body: core.Block) -> tuple[list[ast.stmt], set[str], set[str]]:
        """Return a loop. If the loop has left a label further outside, leave the enclosing blocks, too."""
        self.around.append((label, True))
        inside, _, left = self.block(body)
        self.around.pop()
        inside = inside or [ast.Pass()]
        if isinstance(statement, core.Each):
            loop: ast.stmt = ast.For(store(statement.target), atom(statement.items), inside, [])
        else:
            loop = ast.While(ast.Constant(True), inside, [])
        after, skipped, ended = self.after_loop(left - {label})
        return [_flag(label, False), loop, *after], skipped, ended

    def after_loop(self, left: set[str]) -> tuple[list[ast.stmt], set[str], set[str]]:
        """Return the statements after a loop that may have left labels further outside."""
        made: list[ast.stmt] = []
        skipped: set[str] = set()
        ended: set[str] = set()
        for each in sorted(left):
            again, skips, ends = self.leave(each)
            made.append(ast.If(load(f"left {each}"), again, []))
            skipped |= skips
            ended |= ends
        return made, skipped, ended

    def try_(self, statement: core.Try) -> tuple[list[ast.stmt], set[str], set[str]]:
        """Return a `try`. If its `finally` is left, put the `try` into a loop, since `break` drops the exception."""
        labels = {each.label for each in core.statements_in(statement.final) if isinstance(each, core.Leave)}
        if not labels & {each for each, _ in self.around}:
            return self.plain_try(statement)
        self.around.append(("finally", True))
        made, _, left = self.plain_try(statement)
        self.around.pop()
        after, skipped, ended = self.after_loop(left)
        return [ast.While(ast.Constant(True), [*made, ast.Break()], []), *after], skipped, ended

    def plain_try(self, statement: core.Try) -> tuple[list[ast.stmt], set[str], set[str]]:
        """Return a `try`."""
        body, skipped, ended = self.block(statement.body)
        otherwise, more, others = self.block(statement.otherwise)
        if skipped and otherwise:
            otherwise = [ast.If(_none_of(skipped), otherwise, [])]
        skipped, ended = skipped | more, ended | others
        handlers = []
        for number, handler in enumerate(statement.handlers):
            inside, more, others = self.block(handler.body)
            skipped, ended = skipped | more, ended | others
            caught = f"caught {number}" if handler.name is not None else None
            if handler.name is not None:
                inside = [_put(store(handler.name), load(f"caught {number}")), *inside]
            classes = _classes(handler) if handler.classes is not None else None
            handlers.append(ast.ExceptHandler(classes, caught, inside or [ast.Pass()], lineno=handler.line))
        self.finals.append((len(self.around), skipped | ended))
        final, more, others = self.block(statement.final)
        self.finals.pop()
        if not handlers and not final:
            return body, skipped | more, ended | others
        return [ast.Try(body or [ast.Pass()], handlers, otherwise, final)], skipped | more, ended | others


def _plain(statement: core.Assign) -> list[ast.stmt]:
    """Return an assignment; use Python's own statements where an expression would behave differently."""
    value, target = statement.value, statement.target
    if not isinstance(value, Operation):
        return [assignment(statement)]
    nodes = [atom(each) for each in value.operands]
    if value.name == "inplace" and value.operands[0] != core.Local(target or ""):
        changed = f"changed {target}"  # not the target itself: if this raises, it keeps its value
        return [
            ast.Assign([store(changed)], nodes[0]),
            ast.AugAssign(store(changed), BINARY[value.detail](), nodes[1]),
            ast.Assign([store(target or changed)], load(changed)),
        ]
    if value.name == "class":
        source, maker = value.detail, f"maker of {target}"
        bases = [f"base {index}" for index in range(source.bases)]
        made = source.statement([load(each) for each in bases])
        has_text = ast.get_docstring(made) is not None
        made.body.insert(has_text, ast.Assign([store("__qualname__")], ast.Constant(source.code.co_qualname)))
        around = ast.arguments([], [ast.arg(each) for each in (*bases, *source.captured)], None, [], [], None, [])
        return [
            _definition(maker, around, [made, ast.Return(load(made.name))], statement.line),
            ast.Assign([store(target or "class")], ast.Call(load(maker), nodes, [])),
        ]
    if value.name == "unpack":
        before, after = value.detail
        names = [f"part {index}" for index in range(before + (0 if after is None else after + 1))]
        targets: list[ast.expr] = [store(each) for each in names]
        if after is not None:
            targets[before] = ast.Starred(targets[before], ast.Store())
        parts = ast.Tuple([load(each) for each in names], ast.Load())
        return [ast.Assign([ast.Tuple(targets, ast.Store())], nodes[0]), ast.Assign([store(target or "parts")], parts)]
    if value.name == "match_class":
        number, words = value.detail
        patterns: list[ast.pattern] = [ast.MatchAs(None, f"part {index}") for index in range(number + len(words))]
        parts = ast.Tuple([load(f"part {index}") for index in range(number + len(words))], ast.Load())
        pattern = ast.MatchClass(nodes[1], patterns[:number], list(words), patterns[number:])
        matched = ast.match_case(pattern, None, [ast.Assign([store(target or "parts")], parts)])
        other = ast.match_case(ast.MatchAs(), None, [ast.Assign([store(target or "parts")], ast.Constant(None))])
        return [ast.Match(nodes[0], [matched, other])]
    return [assignment(statement)]


def _assigned(block: core.Block) -> Iterator[str]:
    """Yield the names of variables that a function assigns or deletes."""
    for each in core.statements_in(block):
        if isinstance(each, (core.Assign, core.Each, core.Define, core.Unset)) and each.target is not None:
            yield each.target
        if isinstance(each, core.Try):
            yield from (handler.name for handler in each.handlers if handler.name is not None)


def _none_of(labels: set[str]) -> ast.expr:
    flags: list[ast.expr] = [load(f"left {each}") for each in sorted(labels)]
    return ast.UnaryOp(ast.Not(), ast.BoolOp(ast.Or(), flags) if len(flags) > 1 else flags[0])


def _flag(label: str, value: bool) -> ast.stmt:
    return ast.Assign([store(f"left {label}")], ast.Constant(value))
