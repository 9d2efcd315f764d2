"""Rewrite a function as open core (`ggp.compiler.core`), by its syntax alone.

There is a rule for each class of `ast`: it evaluates an expression and returns an atom, or runs a statement, or tests a
pattern. A rule emits statements of core through `FunctionBody`. Each rule keeps the meaning: running a function before
and after the rewriting gives the same result or exception, and the same effects in the same order.
"""

import ast
import functools
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias

import attrs

from ggp.compiler import core
from ggp.compiler.core import Atom, Block, Constant, Global, Local, Operation
from ggp.compiler.local_classes import ClassSource, codes_in, has_effects
from ggp.compiler.refusals import Refused
from ggp.compiler.syntax_scopes import ComprehensionNode, Scope, ScopeKind, ScopeNode, Scopes
from ggp.compiler.syntax_tree import FunctionNode, FunctionTree, function_tree

SyntaxRule: TypeAlias = Callable[..., Any]
Emit: TypeAlias = Callable[[], object]
"""A function that emits the statements for one side of a condition."""

VALUES: dict[type[ast.AST], SyntaxRule] = {}
"""Rules for expressions: functions of (body, node) that return an atom."""
STATEMENTS: dict[type[ast.AST], SyntaxRule] = {}
"""Rules for statements: functions of (body, node)."""
PATTERNS: dict[type[ast.AST], SyntaxRule] = {}
"""Rules for patterns: functions of (body, pattern, subject, label to leave if the subject does not match, captured
names).
"""

SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.MatMult: "@",
    ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip

NONE = Constant(None)
SEES_VARIABLES = {"locals": 1, "vars": 1, "dir": 1, "eval": 2, "exec": 2}
"""Builtin functions that look at their caller's variables if they get fewer arguments than this number."""


def open_core(function: Callable[..., object]) -> core.Function:
    """Return a function in open core. The function is stored for later calls, and must not be changed.

    Raises:
        Refused: there is no source, or the function uses something that core cannot express.
    """
    code = function.__code__
    return _open_core(code, code.co_filename)


@functools.cache
def _open_core(code: types.CodeType, file: str) -> core.Function:
    """Rewrite a function. `file` is given for the cache only: code objects from two files may be equal."""
    tree = function_tree(code)
    scopes = Scopes(tree.node)
    body = FunctionBody(tree, scopes, scopes.scope(tree.node), [])
    try:
        return body.function(tree.node)
    except RecursionError:
        raise Refused(f"{code.co_name} is nested too deeply", (tree.file, tree.node.lineno)) from None


def rule(rules: dict[type[ast.AST], SyntaxRule], *classes: type[ast.AST]) -> Callable[[SyntaxRule], SyntaxRule]:
    """Enter a rule into a table."""

    def enter(made: SyntaxRule) -> SyntaxRule:
        for cls in classes:
            rules[cls] = made
        return made

    return enter


@attrs.define(eq=False)
class Side:
    """The statements of one path through a function."""

    block: Block
    bound: set[str] | None
    """The variables that have a value at the end of the path; None if the path does not reach its end."""


class FunctionBody:
    """The core of one function while it is being written.

    The object knows which variables certainly have a value. Reading any other variable may raise an exception, and must
    do so before the next expression is evaluated.
    """

    def __init__(self, tree: FunctionTree, scopes: Scopes, scope: Scope, bound: list[set[str]]) -> None:
        self.tree = tree
        self.scopes = scopes
        self.scope = scope
        """The scope of the function, or of the comprehension that is being written into it."""
        self.out: Block = []
        self.line = tree.node.lineno
        self.loops: list[tuple[str, str]] = []
        """For each enclosing loop, the labels to leave for `break` and for `continue`."""
        self.variables: set[str] = set()
        self.reached = True
        """Whether the code that is emitted next can be reached."""
        self.bound = bound
        """Variables that have a value here: one set for each enclosing block, including those of enclosing functions.
        """
        self._left: dict[str, list[set[str]]] = {}
        self._depth: dict[str, int] = {}

    def refuse(self, message: str) -> NoReturn:
        """Raise `Refused` with the line that is being written."""
        raise Refused(message, (self.tree.file, self.line))

    # Functions

    def function(self, node: FunctionNode) -> core.Function:
        """Return a `def` or lambda."""
        if isinstance(node, ast.AsyncFunctionDef):
            self.refuse("`async def` is not compiled")
        given, kinds = node.args, inspect.Parameter
        named: list[tuple[ast.arg, inspect._ParameterKind]] = [
            (each, kinds.POSITIONAL_ONLY) for each in given.posonlyargs
        ]
        named += [(each, kinds.POSITIONAL_OR_KEYWORD) for each in given.args]
        optional = {each.arg for each, _ in named[len(named) - len(given.defaults) :]}
        optional |= {each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
        named += [(given.vararg, kinds.VAR_POSITIONAL)] if given.vararg else []
        named += [(each, kinds.KEYWORD_ONLY) for each in given.kwonlyargs]
        named += [(given.kwarg, kinds.VAR_KEYWORD)] if given.kwarg else []
        variables = [self.scope.variables[each.arg].name for each, _ in named]
        parameters = [
            core.Parameter(variable, kind, each.arg in optional, each.arg)
            for variable, (each, kind) in zip(variables, named, strict=True)
        ]
        if isinstance(node, ast.Lambda):
            return self.finished("<lambda>", parameters, lambda: self.returns(self.value(node.body)))
        return self.finished(node.name, parameters, lambda: self.run(node.body))

    def finished(self, name: str, parameters: Sequence[core.Parameter], write: Emit) -> core.Function:
        """Return the function whose body `write` writes."""
        self.bound.append({each.name for each in parameters if not self._may_be_unset(each.name)})
        self.variables |= {each.name for each in parameters}
        line = self.line
        write()
        self.line = line
        self.returns(NONE)
        self.bound.pop()
        self.variables |= {each.name for each in self.scope.variables.values()}
        generates = self.scope.generates or self.scope.kind is ScopeKind.GENERATOR
        return core.Function(
            name, tuple(parameters), self.out, frozenset(self.variables), generates, self.tree.file, line
        )

    def inner(self, node: ScopeNode, write: "Callable[[FunctionBody], core.Function]") -> core.Function:
        """Return a function that is defined inside this one."""
        made = FunctionBody(self.tree, self.scopes, self.scopes.scope(node), self.bound)
        made.line = self.line
        return write(made)

    # Emission

    def emit(self, statement: core.Statement) -> None:
        """Add a statement, unless it can never be reached."""
        if self.reached:
            self.out.append(statement)

    def operation(self, name: str, *operands: Atom, detail: object = None) -> Local:
        """Emit an operation, and return the variable with its result."""
        return self.copied(Operation(name, operands, detail))

    def effect(self, name: str, *operands: Atom, detail: object = None) -> None:
        """Emit an operation whose result is not used."""
        self.emit(core.Assign(None, Operation(name, operands, detail), self.line))

    def temporary(self) -> str:
        """Return a new variable."""
        name = self.scopes.fresh("t")
        self.variables.add(name)
        return name

    def copied(self, value: Operation | Atom, to: str | None = None) -> Local:
        """Emit `to = value`; if no target is given, assign a new variable."""
        to = to or self.temporary()
        self.emit(core.Assign(to, value, self.line))
        return Local(to)

    def taken_back(self, atom: Atom) -> Operation | Atom:
        """Remove the last statement and return its value, if it assigns `atom`; otherwise return `atom`.

        So `x = a + b` needs no temporary variable. The caller must be the only user of the atom.
        """
        last = self.out[-1] if self.out else None
        mine = isinstance(atom, Local) and atom.name not in self.scopes.variables
        if mine and isinstance(last, core.Assign) and isinstance(atom, Local) and last.target == atom.name:
            self.out.pop()
            self.variables.discard(atom.name)
            return last.value
        return atom

    def assign(self, name: str, value: Operation | Atom) -> Local:
        """Emit an assignment to a variable of the author."""
        variable = self.scope.find(name)
        if variable is None:
            self.refuse(f"{name} is assigned, but is not a variable of this function (`global`, `nonlocal`)")
        if not variable.unset:
            self.bound[-1].add(variable.name)
        return self.copied(value, variable.name)

    def returns(self, value: Atom) -> None:
        """Emit `return value`."""
        self.emit(core.Return(value, self.line))
        self.reached = False

    def leave(self, label: str) -> None:
        """Emit a jump to the end of a block."""
        if self.reached:
            self.emit(core.Leave(label, self.line))
            self._left.setdefault(label, []).append(set().union(*self.bound[self._depth[label] :]))
        self.reached = False

    # Blocks

    @contextmanager
    def side(self, bound: set[str] | None = frozenset()) -> Iterator[Side]:  # type: ignore[assignment]
        """Emit to a new block. Where the block begins, the variables `bound` have values, too; if `bound` is None, the
        block is never reached.
        """
        outside, before, self.out = self.out, self.reached, []
        self.reached = before and bound is not None
        self.bound.append(set(bound or ()))
        side = Side(self.out, None)
        yield side
        bound_here = self.bound.pop()
        side.bound = bound_here if self.reached else None
        self.out, self.reached = outside, before

    def join(self, *ends: set[str] | None) -> None:
        """Continue where several paths meet."""
        bounds = [each for each in ends if each is not None]
        self.reached = self.reached and bool(bounds)
        if bounds:
            self.bound[-1] |= set.intersection(*bounds)

    @contextmanager
    def labelled(self, text: str, wanted: bool = True) -> Iterator[str]:
        """Emit a block that can be left; if nothing leaves it, emit it without its label."""
        if not wanted:
            yield ""
            return
        label, line = self.scopes.fresh(text), self.line
        self._depth[label] = len(self.bound)
        with self.side() as side:
            yield label
        if label in self._left:
            self.emit(core.Labelled(label, side.block, line))
        else:
            self.out += side.block
        self.join(side.bound, *self._left.get(label, []))

    @contextmanager
    def loop(self, statement: core.Loop | core.Each) -> Iterator[None]:
        """Emit a loop around the statements that are emitted inside."""
        self._depth[statement.label] = len(self.bound)
        with self.side() as side:
            yield
        statement.body = side.block
        self.emit(statement)
        never: list[set[str]] = [set()] if isinstance(statement, core.Each) else []
        self.join(*never, *self._left.get(statement.label, []))

    @contextmanager
    def each(self, target: ast.expr, items: Atom, label: str) -> Iterator[None]:
        """Emit a loop that assigns items to a target."""
        variable = self.scope.find(target.id) if isinstance(target, ast.Name) else None
        name = variable.name if variable else self.temporary()
        with self.loop(core.Each(label, name, items, [], self.line)):
            if variable and not variable.unset:
                self.bound[-1].add(name)
            elif not variable:
                self.bind(target, Local(name))
            yield

    # Values

    def value(self, node: ast.expr) -> Atom:
        """Evaluate an expression."""
        before, self.line = self.line, node.lineno
        rule = VALUES.get(type(node))
        if rule is None:
            self.refuse(f"{NAMES.get(type(node), type(node).__name__)} is not compiled")
        atom: Atom = rule(self, node)
        self.line = before
        return atom

    def values(self, nodes: Sequence[ast.expr | None], later: Sequence[ast.expr | None] = ()) -> list[Atom]:
        """Evaluate operands from left to right; for a missing operand, return None.

        Arguments:
            later: expressions that are evaluated after the operands, but before the operands are used.
        """
        every = [*nodes, *later]
        last = max((index for index, each in enumerate(every) if not is_atom(each)), default=-1)
        atoms = []
        for index, node in enumerate(nodes):
            atom = self.value(node) if node is not None else NONE
            atoms.append(self.copied(atom) if index < last and self.may_change(atom) else atom)
        return atoms

    def changes(self, atom: Atom) -> bool:
        """Return whether a name may get another value while an expression is evaluated."""
        if isinstance(atom, Global):
            return atom.name in self.tree.rebound
        variable = self.scopes.variables.get(atom.name) if isinstance(atom, Local) else None
        if variable is None or variable.fixed:
            return False
        return variable.shared or variable.owner.function is not self.scope.function

    def may_change(self, atom: Atom) -> bool:
        """Return whether a name has no value yet, or may get another value while an expression is evaluated."""
        is_set = not isinstance(atom, Local) or atom.name not in self.scopes.variables
        return self.changes(atom) or not (is_set or any(atom.name in each for each in self.bound))  # type: ignore[union-attr]

    def fixed(self, atom: Atom) -> Atom:
        """Return an atom that keeps its value, whatever is assigned later."""
        variable = self.scopes.variables.get(atom.name) if isinstance(atom, Local) else None
        changes = variable is not None and not variable.fixed
        return self.copied(atom) if changes or self.changes(atom) else atom

    def _may_be_unset(self, name: str) -> bool:
        return name in self.scopes.variables and self.scopes.variables[name].unset

    # Conditions

    def branch(self, test: ast.expr, yes: Emit | None, no: Emit | None) -> None:
        """Emit a condition; each side is emitted at most once.

        `and`, `or`, `not` and chains of comparisons become jumps, not values.
        """
        self.line = test.lineno
        match test:
            case ast.UnaryOp(op=ast.Not()):
                self.branch(test.operand, no, yes)
            case ast.BoolOp():
                conditions = [functools.partial(self.branch, each) for each in test.values]
                (self.all_of if isinstance(test.op, ast.And) else self.any_of)(conditions, yes, no)
            case ast.Compare() if len(test.ops) > 1:
                self.all_of([functools.partial(self._branch_on, each) for each in comparisons(self, test)], yes, no)
            case ast.Constant():
                chosen = yes if test.value else no
                if chosen:
                    chosen()
            case _:
                self.if_(self.value(test), yes, no)

    def _branch_on(self, atom: Callable[[], Atom], yes: Emit | None, no: Emit | None) -> None:
        self.if_(atom(), yes, no)

    def if_(self, test: Atom, yes: Emit | None, no: Emit | None) -> None:
        """Emit `if test: yes, else: no`."""
        line, sides = self.line, []
        for emit in (yes, no):
            with self.side() as side:
                if emit is not None:
                    emit()
            sides.append(side)
        self.emit(core.If(test, sides[0].block, sides[1].block, line))
        self.join(sides[0].bound, sides[1].bound)

    def all_of(self, conditions: Sequence[Callable[..., None]], yes: Emit | None, no: Emit | None) -> None:
        """Emit `if a and b and ...: yes, else: no`."""
        if len(conditions) == 1:
            conditions[0](yes, no)
        elif no is None:
            conditions[0](lambda: self.all_of(conditions[1:], yes, None), None)
        else:
            with self.labelled("if") as label:

                def leave() -> None:
                    if yes is not None:
                        yes()
                    self.leave(label)

                self.all_of(conditions, leave, None)
                if self.reached:
                    no()

    def any_of(self, conditions: Sequence[Callable[..., None]], yes: Emit | None, no: Emit | None) -> None:
        """Emit `if a or b or ...: yes, else: no`."""
        opposites = [lambda yes, no, condition=each: condition(no, yes) for each in conditions]
        self.all_of(opposites, no, yes)

    # Statements

    def run(self, statements: Sequence[ast.stmt]) -> None:
        """Run statements until one cannot be reached."""
        for each in statements:
            self.line = each.lineno
            if type(each) not in STATEMENTS:
                self.refuse(f"{NAMES.get(type(each), type(each).__name__)} is not compiled")
            if self.reached:
                STATEMENTS[type(each)](self, each)

    def bind(self, target: ast.expr, value: Operation | Atom) -> None:
        """Assign a value to a target."""
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
            return
        atom = self.copied(value) if isinstance(value, Operation) else value
        match target:
            case ast.Tuple() | ast.List():
                parts = self.operation("unpack", atom, detail=shape(target.elts))
                for index, each in enumerate(target.elts):
                    one = each.value if isinstance(each, ast.Starred) else each
                    self.bind(one, Operation("item", (parts, Constant(index))))
            case ast.Attribute():
                self.effect("put_attribute", self.value(target.value), atom, detail=target.attr)
            case ast.Subscript(slice=ast.Slice()):
                self.effect("put_part", *self.values(operands(target)), atom)
            case ast.Subscript():
                self.effect("put_item", *self.values(operands(target)), atom)


def operands(node: ast.expr) -> list[ast.expr | None]:
    """Return the operands that Python evaluates before it reads, assigns or deletes an item or attribute."""
    match node:
        case ast.Subscript(slice=ast.Slice() as part):
            return [node.value, part.lower, part.upper, part.step]
        case ast.Subscript():
            return [node.value, node.slice]
        case ast.Attribute():
            return [node.value]
    return []


def is_atom(node: ast.expr | None) -> bool:
    """Return whether evaluating an expression needs no operation."""
    return node is None or isinstance(node, (ast.Name, ast.Constant))


def shape(targets: Sequence[ast.expr]) -> tuple[int, int | None]:
    """Return the number of targets before the star, and the number of targets after it: None without a star."""
    stars = [index for index, each in enumerate(targets) if isinstance(each, ast.Starred)]
    return (stars[0], len(targets) - stars[0] - 1) if stars else (len(targets), None)


# Expressions ----------------------------------------------------------------------------------------------------------


@rule(VALUES, ast.Constant)
def constant(body: FunctionBody, node: ast.Constant) -> Atom:
    """Return a literal."""
    return Constant(node.value)


@rule(VALUES, ast.Name)
def name(body: FunctionBody, node: ast.Name) -> Atom:
    """Return the variable with this name, or a name from outside the function."""
    variable = body.scope.find(node.id)
    return Local(variable.name) if variable is not None else Global(node.id)


@rule(VALUES, ast.BinOp)
def binary(body: FunctionBody, node: ast.BinOp) -> Atom:
    """Evaluate both operands, then the operation."""
    return body.operation("binary", *body.values([node.left, node.right]), detail=SIGNS[type(node.op)])


@rule(VALUES, ast.UnaryOp)
def unary(body: FunctionBody, node: ast.UnaryOp) -> Atom:
    """Evaluate an operation with one operand. A negative number is a literal."""
    operand = body.value(node.operand)
    if isinstance(node.op, ast.USub) and isinstance(operand, Constant) and type(operand.value) in (int, float):
        return Constant(-operand.value)
    return body.operation("unary", operand, detail=SIGNS[type(node.op)])


@rule(VALUES, ast.Compare)
def compare(body: FunctionBody, node: ast.Compare) -> Atom:
    """Compare. A chain ends with the first comparison that is false."""
    conditions = comparisons(body, node)
    if len(conditions) == 1:
        return conditions[0]()
    result = body.temporary()

    def rest(index: int) -> None:
        test = body.copied(body.taken_back(conditions[index]()), result)
        if index + 1 < len(conditions):
            body.if_(test, lambda: rest(index + 1), None)

    rest(0)
    return Local(result)


def comparisons(body: FunctionBody, node: ast.Compare) -> list[Callable[[], Atom]]:
    """Return functions that emit the comparisons of a chain, in order. Each operand is evaluated once."""
    left: list[Atom] = []

    def compared(index: int) -> Atom:
        if not left:
            left.extend(body.values([node.left], later=node.comparators[:1]))
        right = body.value(node.comparators[index])
        if index + 1 < len(node.ops):
            right = body.copied(right) if body.changes(right) else right
        result = body.operation("compare", left.pop(), right, detail=SIGNS[type(node.ops[index])])
        left.append(right)
        return result

    return [functools.partial(compared, index) for index in range(len(node.ops))]


@rule(VALUES, ast.BoolOp)
def boolean(body: FunctionBody, node: ast.BoolOp) -> Atom:
    """Evaluate operands until one decides the result; return that operand."""
    result = body.temporary()

    def rest(index: int) -> None:
        test = body.copied(body.taken_back(body.value(node.values[index])), result)
        more = functools.partial(rest, index + 1) if index + 1 < len(node.values) else None
        if more and isinstance(node.op, ast.And):
            body.if_(test, more, None)
        elif more:
            body.if_(test, None, more)

    rest(0)
    return Local(result)


@rule(VALUES, ast.IfExp)
def conditional(body: FunctionBody, node: ast.IfExp) -> Atom:
    """Evaluate one of two expressions."""
    result = body.temporary()
    yes, no = (
        lambda side=each: body.copied(body.taken_back(body.value(side)), result) for each in (node.body, node.orelse)
    )
    body.branch(node.test, yes, no)
    return Local(result)


@rule(VALUES, ast.NamedExpr)
def walrus(body: FunctionBody, node: ast.NamedExpr) -> Atom:
    """Assign a variable, and return it."""
    return body.assign(node.target.id, body.taken_back(body.value(node.value)))


@rule(VALUES, ast.Attribute)
def attribute(body: FunctionBody, node: ast.Attribute) -> Atom:
    """Read an attribute."""
    return body.operation("attribute", body.value(node.value), detail=node.attr)


@rule(VALUES, ast.Subscript)
def subscript(body: FunctionBody, node: ast.Subscript) -> Atom:
    """Read an item, or a slice of a sequence."""
    return body.operation("part" if isinstance(node.slice, ast.Slice) else "item", *body.values(operands(node)))


@rule(VALUES, ast.Slice)
def slice_(body: FunctionBody, node: ast.Slice) -> Atom:
    """Make a slice that is an item of a tuple of indices, as in `a[1:3, 2]`."""
    return body.operation("slice", *body.values([node.lower, node.upper, node.step]))


@rule(VALUES, ast.Tuple, ast.List, ast.Set)
def display(body: FunctionBody, node: ast.Tuple | ast.List | ast.Set) -> Atom:
    """Make a tuple, list or set. If there are stars, as in `[*a, b]`, add the items one after another."""
    name = type(node).__name__.lower()
    if not any(isinstance(each, ast.Starred) for each in node.elts):
        return body.operation(name, *body.values(node.elts))
    first = next(index for index, each in enumerate(node.elts) if isinstance(each, ast.Starred))
    before = body.values(node.elts[:first])
    made = body.operation("set", *before) if name == "set" else body.operation("list", *before, detail=name)
    for each in node.elts[first:]:
        if isinstance(each, ast.Starred):
            body.effect("update" if name == "set" else "extend", made, body.value(each.value))
        else:
            body.effect("add" if name == "set" else "append", made, body.value(each))
    return body.operation("join", made, detail="tuple") if name == "tuple" else made


@rule(VALUES, ast.Dict)
def dictionary(body: FunctionBody, node: ast.Dict) -> Atom:
    """Make a dictionary; if it has `**`, join several dictionaries."""
    groups: list[list[ast.expr] | ast.expr] = [[]]
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            groups.append(value)
        elif isinstance(groups[-1], list):
            groups[-1] += [key, value]
        else:
            groups.append([key, value])
    first, *others = groups if groups[0] or len(groups) == 1 else groups[1:]
    if isinstance(first, list):
        made = body.operation("dict", *body.values(first))
    else:
        made = body.operation("dict", body.value(first), detail="**")
    for group in others:
        if isinstance(group, list):
            values = body.values(group)
            for pair in zip(values[::2], values[1::2], strict=True):
                body.effect("put_item", made, *pair)
        else:
            body.effect("update", made, body.value(group))
    return made


@rule(VALUES, ast.JoinedStr)
def text(body: FunctionBody, node: ast.JoinedStr) -> Atom:
    """Join the parts of an f-string."""
    parts = body.values(node.values)
    if all(isinstance(each, Constant) for each in parts):
        return Constant("".join(each.value for each in parts if isinstance(each, Constant)))
    return body.operation("text", *parts)


@rule(VALUES, ast.FormattedValue)
def formatted(body: FunctionBody, node: ast.FormattedValue) -> Atom:
    """Format one value of an f-string."""
    value, specification = body.values([node.value, node.format_spec or ast.Constant("", lineno=node.lineno)])
    return body.operation("format", value, specification, detail=node.conversion)


@rule(VALUES, ast.Call)
def call(body: FunctionBody, node: ast.Call) -> Atom:
    """Evaluate the function, the arguments and the keyword arguments; then call."""
    callee = body.value(node.func)
    if isinstance(callee, Global) and len(node.args) < SEES_VARIABLES.get(callee.name, 0):
        body.refuse(f"{callee.name}() looks at the variables of the function, which is not compiled")
    if callee == Global("super") and not node.args and not node.keywords:
        return super_(body)
    arguments = [*node.args, *[each.value for each in node.keywords]]
    details = ["*" if isinstance(each, ast.Starred) else None for each in node.args]
    details += [each.arg or "**" for each in node.keywords]
    nodes = [each.value if isinstance(each, ast.Starred) else each for each in arguments]
    last = max((index for index, each in enumerate(nodes) if not is_atom(each)), default=-1)
    if last >= 0 and body.may_change(callee):
        callee = body.copied(callee)
    atoms = []
    for index, (each, detail) in enumerate(zip(nodes, details, strict=True)):
        atom = body.value(each)
        if index < last:
            if detail == "*" and len(node.args) > 1:
                atom = body.operation("join", atom, detail="tuple")  # Python iterates over it now
            elif detail == "**":
                if any(before not in (None, "*") for before in details[:index]):
                    body.refuse("`**` after a keyword argument and before another argument is not compiled")
                atom, merged = body.operation("dict"), atom
                body.effect("update", atom, merged)
            elif body.may_change(atom):
                atom = body.copied(atom)
        atoms.append(atom)
    return body.operation("call", callee, *atoms, detail=tuple(details))


def super_(body: FunctionBody) -> Atom:
    """Write `super()` with the arguments that Python adds to it."""
    node = body.scope.function.node
    given = [*node.args.posonlyargs, *node.args.args] if isinstance(node, ast.FunctionDef | ast.Lambda) else []
    if not given:
        body.refuse("super() is compiled only in functions with a first parameter")
    first = body.scope.function.variables[given[0].arg].name
    return body.operation("call", Global("super"), Global("__class__"), Local(first), detail=(None, None))


@rule(VALUES, ast.Lambda)
def lambda_(body: FunctionBody, node: ast.Lambda) -> Atom:
    """Define a function without a name."""
    return define(body, node, body.temporary())


def define(body: FunctionBody, node: ast.FunctionDef | ast.Lambda, target: str) -> Local:
    """Evaluate the default values, then define an inner function."""
    given, inner = node.args, body.scopes.scope(node).variables
    named = [*given.posonlyargs, *given.args]
    pairs = list(zip(named[len(named) - len(given.defaults) :], given.defaults, strict=True))
    pairs += [(each, value) for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
    atoms = body.values([value for _, value in pairs])
    function = body.inner(node, lambda made: made.function(node))
    defaults = {inner[each.arg].name: atom for (each, _), atom in zip(pairs, atoms, strict=True)}
    body.emit(core.Define(target, function, defaults, body.line))
    return Local(target)


# Comprehensions -------------------------------------------------------------------------------------------------------


@rule(VALUES, ast.ListComp, ast.SetComp, ast.DictComp)
def comprehension(body: FunctionBody, node: ComprehensionNode) -> Atom:
    """Write a loop that collects items, or a function if inner functions capture the loop's variables."""
    first = body.value(node.generators[0].iter)
    scope = body.scopes.scope(node)
    if scope.kind is ScopeKind.LOOP:
        outside, body.scope = body.scope, scope
        body.variables |= {each.name for each in scope.variables.values()}
        made = collected(body, node, first)
        body.scope = outside
        return made
    return called_at_once(body, node, first, lambda inner, items: inner.returns(collected(inner, node, items)))


def collected(body: FunctionBody, node: ComprehensionNode, first: Atom) -> Local:
    """Collect the items in a new list, set or dictionary."""
    name = type(node).__name__.removesuffix("Comp").lower()
    unconditional = name == "list" and not any(each.ifs for each in node.generators)
    made = body.operation(name, detail="list" if unconditional else None)

    def add() -> None:
        if isinstance(node, ast.DictComp):
            body.effect("put_item", made, *body.values([node.key, node.value]))
        else:
            body.effect("append" if isinstance(node, ast.ListComp) else "add", made, body.value(node.elt))

    nested(body, node.generators, first, add)
    return made


def nested(body: FunctionBody, generators: Sequence[ast.comprehension], items: Atom | None, emit: Emit) -> None:
    """Emit the loops and conditions of a comprehension."""
    if not generators:
        emit()
        return
    part = generators[0]
    if part.is_async:
        body.refuse("`async for` is not compiled")
    with body.each(part.target, items or body.value(part.iter), body.scopes.fresh("for")):
        conditions = [functools.partial(body.branch, each) for each in part.ifs]
        rest = functools.partial(nested, body, generators[1:], None, emit)
        if conditions:
            body.all_of(conditions, rest, None)
        else:
            rest()


@rule(VALUES, ast.GeneratorExp)
def generator(body: FunctionBody, node: ast.GeneratorExp) -> Atom:
    """Write a generator function, and call it with the iterator of the first `for`."""
    first = body.operation("iterator", body.value(node.generators[0].iter))

    def write(inner: FunctionBody, items: Local) -> None:
        nested(inner, node.generators, items, lambda: inner.emit(core.Yield(inner.value(node.elt), inner.line)))

    return called_at_once(body, node, first, write)


def called_at_once(
    body: FunctionBody, node: ScopeNode, first: Atom, write: Callable[[FunctionBody, Local], None]
) -> Local:
    """Define a function with the first iterable of a comprehension as its parameter, and call it."""

    def function(inner: FunctionBody) -> core.Function:
        items = inner.temporary()
        parameter = core.Parameter(items, inspect.Parameter.POSITIONAL_ONLY, False, items)
        name = "<genexpr>" if isinstance(node, ast.GeneratorExp) else "<comprehension>"
        return inner.finished(name, [parameter], lambda: write(inner, Local(items)))

    made = body.temporary()
    body.emit(core.Define(made, body.inner(node, function), {}, body.line))
    return body.operation("call", Local(made), first, detail=(None,))


# Assignments ----------------------------------------------------------------------------------------------------------


@rule(STATEMENTS, ast.Assign)
def assign(body: FunctionBody, node: ast.Assign) -> None:
    """Evaluate the value, then assign it to each target from left to right; `a, b = c, d` makes no tuple."""
    target, pairs = node.targets[0], parallel(node)
    if pairs:
        atoms = [body.fixed(each) for each in body.values([value for _, value in pairs])]
        for (each, _), atom in zip(pairs, atoms, strict=True):
            body.bind(each, atom)
    elif len(node.targets) == 1:
        atom = body.values([node.value], later=operands(target))[0]
        body.bind(target, body.taken_back(atom) if isinstance(target, ast.Name) else atom)
    else:
        atom = body.fixed(body.value(node.value))
        for each in node.targets:
            body.bind(each, atom)


def parallel(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """Return the pairs of target and value in `a, b = c, d`; none for any other assignment."""
    match node:
        case ast.Assign([ast.Tuple(targets) | ast.List(targets)], ast.Tuple(values) | ast.List(values)):
            if len(targets) == len(values) and not any(isinstance(each, ast.Starred) for each in [*targets, *values]):
                return list(zip(targets, values, strict=True))
    return []


@rule(STATEMENTS, ast.AnnAssign)
def annotated(body: FunctionBody, node: ast.AnnAssign) -> None:
    """Assign with an annotation; if there is no value, only evaluate the parts of the target."""
    if node.value is not None:
        assign(body, ast.Assign([node.target], node.value, lineno=node.lineno))
    else:
        body.values(operands(node.target))


@rule(STATEMENTS, ast.AugAssign)
def augmented(body: FunctionBody, node: ast.AugAssign) -> None:
    """Read the target, evaluate the other operand, and assign the result. The object and the index of the target are
    evaluated once.
    """
    target, sign = node.target, SIGNS[type(node.op)]
    if isinstance(target, ast.Name):
        left, right = body.values([target, node.value])
        body.assign(target.id, Operation("inplace", (left, right), sign))
        return
    atoms = [body.copied(each) if body.changes(each) else each for each in body.values(operands(target))]
    what = (
        "attribute" if isinstance(target, ast.Attribute) else "part" if isinstance(target.slice, ast.Slice) else "item"
    )
    detail = target.attr if isinstance(target, ast.Attribute) else None
    before = body.operation(what, *atoms, detail=detail)
    after = body.operation("inplace", before, body.value(node.value), detail=sign)
    body.effect(f"put_{what}", *atoms, after, detail=detail)


@rule(STATEMENTS, ast.Delete)
def delete(body: FunctionBody, node: ast.Delete) -> None:
    """Delete variables, items, parts and attributes."""
    for each in node.targets:
        match each:
            case ast.Name():
                variable = body.scope.find(each.id)
                if variable is None:
                    body.refuse(f"{each.id} is deleted, but is not a variable of this function")
                body.emit(core.Unset(variable.name, body.line))
            case ast.Tuple() | ast.List():
                delete(body, ast.Delete(each.elts))
            case ast.Attribute():
                body.effect("delete_attribute", *body.values(operands(each)), detail=each.attr)
            case ast.Subscript(slice=ast.Slice()):
                body.effect("delete_part", *body.values(operands(each)))
            case ast.Subscript():
                body.effect("delete_item", *body.values(operands(each)))


@rule(STATEMENTS, ast.FunctionDef)
def inner_function(body: FunctionBody, node: ast.FunctionDef) -> None:
    """Define an inner function."""
    if node.decorator_list:
        body.refuse(f"the inner function {node.name} has a decorator, which is not compiled")
    variable = body.scope.find(node.name)
    if variable is None:
        body.refuse(f"{node.name} is defined for the whole module (`global`), which is not compiled")
    define(body, node, variable.name)
    if not variable.unset:
        body.bound[-1].add(variable.name)


@rule(STATEMENTS, ast.ClassDef)
def inner_class(body: FunctionBody, node: ast.ClassDef) -> None:
    """Make a class from its base classes and the variables of this function that it uses; then decorate it."""
    codes = codes_in(body.tree.code, node)
    what = f"the class {node.name} inside a function"
    if len(codes) != 1 or (hasattr(node, "type_params") and node.type_params):
        body.refuse(f"{what} is not compiled: make it a class of the module")
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.bases):
        body.refuse(f"{what} has a metaclass or other arguments, which is not compiled")
    if has_effects(node):
        body.refuse(f"{what} does more than define methods and constants, which is not compiled")
    captured = tuple(name for name in codes[0].co_freevars if name != node.name)
    if len(captured) < len(codes[0].co_freevars) and not body.scopes.keeps_value(node.name, body.scope, 1):
        body.refuse(f"{what} uses its own name, which has another value, too")
    taken: list[Atom] = []
    for each in captured:
        atom = name(body, ast.Name(each, ast.Load()))
        keeps = body.scopes.keeps_value(each, body.scope, 0) or body.scopes.keeps_value(each, body.scope, 1)
        if isinstance(atom, Local) and (not keeps or body.may_change(atom)):
            body.refuse(f"{what} uses {each}, whose value may change: pass its value to __init__")
        taken.append(atom)
    decorators = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    details = [_constants_of(body, each) for each in node.decorator_list]
    atoms = body.values([*decorators, *node.bases])
    source = ClassSource(node, codes[0], len(node.bases), captured)
    made: Atom = body.operation("class", *atoms[len(decorators) :], *taken, detail=source)
    for atom, detail in reversed(list(zip(atoms, details, strict=False))):
        made = body.operation("decorate", atom, made, detail=detail)
    body.assign(node.name, body.taken_back(made))


def _constants_of(body: FunctionBody, decorator: ast.expr) -> tuple[tuple[str, object], ...] | None:
    """Return the arguments of a decorator; None if the decorator has no parentheses."""
    if not isinstance(decorator, ast.Call):
        return None
    constants = []
    for each in decorator.keywords:
        if each.arg not in (None, "slots") and isinstance(each.value, ast.Constant):
            constants.append((each.arg or "", each.value.value))
    if decorator.args or len(constants) < len(decorator.keywords):
        body.refuse("a decorator of a class inside a function is compiled only with keywords and literal values")
    return tuple(constants)


@rule(STATEMENTS, ast.Import)
def import_(body: FunctionBody, node: ast.Import) -> None:
    """Import modules: for `import a.b`, assign a; for `import a.b as c`, assign the module b to c."""
    for each in node.names:
        first, *parts = each.name.split(".")
        value: Operation | Atom = Operation("import", (), (each.name, None))
        for part in parts if each.asname else ():
            value = Operation("attribute", (body.copied(value),), part)
        body.assign(each.asname or first, value)


@rule(STATEMENTS, ast.ImportFrom)
def import_from(body: FunctionBody, node: ast.ImportFrom) -> None:
    """Import names from a module."""
    module = "." * node.level + (node.module or "")
    for each in node.names:
        body.assign(each.asname or each.name, Operation("import", (), (module, each.name)))


# Simple statements ----------------------------------------------------------------------------------------------------


@rule(STATEMENTS, ast.Pass, ast.Global, ast.Nonlocal)
def nothing(body: FunctionBody, node: ast.stmt) -> None:
    """Do nothing: the scopes already know the declared names."""


@rule(STATEMENTS, ast.Expr)
def expression(body: FunctionBody, node: ast.Expr) -> None:
    """Evaluate an expression for its effect; if it is a `yield`, yield its item."""
    value = node.value
    if isinstance(value, ast.Yield):
        body.emit(core.Yield(body.value(value.value) if value.value else NONE, body.line))
    elif isinstance(value, ast.YieldFrom):
        label, item = body.scopes.fresh("for"), body.temporary()
        with body.loop(core.Each(label, item, body.value(value.value), [], body.line)):
            body.emit(core.Yield(Local(item), body.line))
    elif not isinstance(value, ast.Constant):
        unused = body.taken_back(body.value(value))
        if isinstance(unused, Operation) or body.may_change(unused) or isinstance(unused, Global):
            body.emit(core.Assign(None, unused, body.line))


@rule(STATEMENTS, ast.Return)
def return_(body: FunctionBody, node: ast.Return) -> None:
    """Return a value."""
    value = body.value(node.value) if node.value is not None else NONE
    if body.scope.function.generates and not (isinstance(value, Constant) and value.value is None):
        body.refuse("a generator that returns a value is not compiled")
    body.returns(value)


@rule(STATEMENTS, ast.Raise)
def raise_(body: FunctionBody, node: ast.Raise) -> None:
    """Raise an exception, with its cause."""
    if node.exc is None:
        body.emit(core.Raise(None, body.line))
    else:
        error, cause = body.values([node.exc, node.cause])
        body.emit(core.Raise(error, body.line, cause if node.cause else None))
    body.reached = False


@rule(STATEMENTS, ast.Assert)
def assert_(body: FunctionBody, node: ast.Assert) -> None:
    """Raise AssertionError unless the test is true; do nothing under `python -O`, as Python does."""

    def fail() -> None:
        error: Atom = Constant(AssertionError)
        if node.msg is not None:
            error = body.operation("call", error, body.value(node.msg), detail=(None,))
        body.emit(core.Raise(error, node.lineno))
        body.reached = False

    if __debug__:
        body.branch(node.test, None, fail)


# Conditions, loops, exceptions ----------------------------------------------------------------------------------------


@rule(STATEMENTS, ast.If)
def if_(body: FunctionBody, node: ast.If) -> None:
    """Run one of two blocks."""
    body.branch(node.test, lambda: body.run(node.body), (lambda: body.run(node.orelse)) if node.orelse else None)


@rule(STATEMENTS, ast.For)
def for_(body: FunctionBody, node: ast.For) -> None:
    """Run a block for each item; if no `break` ends the loop, run the block of its `else`."""
    items = body.value(node.iter)
    with body.labelled("for", wanted=bool(node.orelse)) as around:
        label = body.scopes.fresh("for")
        with body.each(node.target, items, label):
            repeat(body, node.body, around or label)
        body.run(node.orelse)


@rule(STATEMENTS, ast.While)
def while_(body: FunctionBody, node: ast.While) -> None:
    """Run a block as long as the test is true; if no `break` ends the loop, run the block of its `else`."""
    with body.labelled("while", wanted=bool(node.orelse)) as around:
        label = body.scopes.fresh("while")
        with body.loop(core.Loop(label, [], body.line)):
            body.branch(node.test, None, lambda: body.leave(label))
            repeat(body, node.body, around or label)
        body.run(node.orelse)


def repeat(body: FunctionBody, statements: Sequence[ast.stmt], done: str) -> None:
    """Emit the block of a loop; `done` is the label to leave for `break`."""
    with body.labelled("next") as again:
        body.loops.append((done, again))
        body.run(statements)
        body.loops.pop()


@rule(STATEMENTS, ast.Break, ast.Continue)
def jump(body: FunctionBody, node: ast.Break | ast.Continue) -> None:
    """Leave the loop (`break`), or the block around the loop's body (`continue`)."""
    done, again = body.loops[-1]
    body.leave(done if isinstance(node, ast.Break) else again)


@rule(STATEMENTS, ast.Try)
def try_(body: FunctionBody, node: ast.Try) -> None:
    """Run a block, and the handlers of its exceptions."""
    line = body.line
    with body.side() as main:
        body.run(node.body)
    with body.side(main.bound) as otherwise:
        body.run(node.orelse)
    handlers, ends = [], [otherwise.bound]
    for each in node.handlers:
        with body.side() as side:
            handlers.append(handler(body, each))
        handlers[-1].body = side.block
        ends.append(side.bound)
    with body.side() as final:
        body.run(node.finalbody)
    body.emit(core.Try(main.block, handlers, otherwise.block, final.block, line))
    body.join(*[None if each is None or final.bound is None else each | final.bound for each in ends])


def handler(body: FunctionBody, node: ast.ExceptHandler) -> core.Handler:
    """Write the body of a handler. After the handler, the exception's name is deleted if any code could notice it."""
    body.line = node.lineno
    with body.side() as test:
        classes = body.value(node.type) if node.type is not None else None
    if not all(isinstance(each, core.Assign) for each in test.block):
        body.refuse("`except` with a condition is not compiled")
    variable = body.scope.find(node.name) if node.name is not None else None
    made = core.Handler(classes, variable.name if variable else None, [], node.lineno, test.block)
    if variable is None or node.name is None or not body.scopes.used_after(node.name):
        if variable is not None:
            body.bound[-1].add(variable.name)
        body.run(node.body)
        return made
    with body.side() as inside:
        body.run(node.body)
    final: Block = [core.Assign(variable.name, NONE, node.lineno), core.Unset(variable.name, node.lineno)]
    body.emit(core.Try(inside.block, [], [], final, node.lineno))
    body.join(inside.bound)
    return made


# Patterns -------------------------------------------------------------------------------------------------------------


@rule(STATEMENTS, ast.Match)
def match_(body: FunctionBody, node: ast.Match) -> None:
    """Run the block of the first case that matches.

    The names in the pattern are assigned once the whole pattern has matched.
    """
    subject = body.fixed(body.value(node.subject))
    with body.labelled("match") as done:
        for case in node.cases:
            if not body.reached:
                break
            with body.labelled("case") as other:
                captured: dict[str, Atom] = {}
                test_pattern(body, case.pattern, subject, other, captured)
                for name, atom in captured.items():
                    body.assign(name, body.taken_back(atom) if len(captured) == 1 and atom is not subject else atom)
                if case.guard is not None:
                    body.branch(case.guard, None, lambda label=other: body.leave(label))  # type: ignore[misc]
                body.run(case.body)
                body.leave(done)


def test_pattern(body: FunctionBody, pattern: ast.pattern, subject: Atom, no: str, captured: dict[str, Atom]) -> None:
    """Emit the test of a pattern."""
    body.line = pattern.lineno
    PATTERNS[type(pattern)](body, pattern, subject, no, captured)


def need(body: FunctionBody, test: Atom, no: str) -> None:
    """Emit code that leaves the case if a test is false."""
    body.if_(test, None, lambda: body.leave(no))


@rule(PATTERNS, ast.MatchValue, ast.MatchSingleton)
def match_value(
    body: FunctionBody,
    pattern: ast.MatchValue | ast.MatchSingleton,
    subject: Atom,
    no: str,
    captured: dict[str, Atom],
) -> None:
    """Compare the subject with a value, or test whether it is None, True or False."""
    singleton = isinstance(pattern, ast.MatchSingleton)
    value = Constant(pattern.value) if isinstance(pattern, ast.MatchSingleton) else body.value(pattern.value)
    need(body, body.operation("compare", subject, value, detail="is" if singleton else "=="), no)


@rule(PATTERNS, ast.MatchAs)
def match_as(body: FunctionBody, pattern: ast.MatchAs, subject: Atom, no: str, captured: dict[str, Atom]) -> None:
    """Capture what matches."""
    if pattern.pattern is not None:
        test_pattern(body, pattern.pattern, subject, no, captured)
    if pattern.name is not None:
        captured[pattern.name] = subject


@rule(PATTERNS, ast.MatchOr)
def match_or(body: FunctionBody, pattern: ast.MatchOr, subject: Atom, no: str, captured: dict[str, Atom]) -> None:
    """Try the alternative patterns one after the other; all of them capture the same names."""
    results: dict[str, str] = {}
    with body.labelled("or") as yes:
        for each in pattern.patterns:
            if not body.reached:
                break
            with body.labelled("case") as other:
                atoms: dict[str, Atom] = {}
                test_pattern(body, each, subject, other, atoms)
                for name, atom in atoms.items():
                    body.copied(body.taken_back(atom), results.setdefault(name, results.get(name) or body.temporary()))
                body.leave(yes)
        body.leave(no)
    captured |= {name: Local(result) for name, result in results.items()}


@rule(PATTERNS, ast.MatchSequence)
def match_sequence(
    body: FunctionBody, pattern: ast.MatchSequence, subject: Atom, no: str, captured: dict[str, Atom]
) -> None:
    """Test whether the subject is a sequence of the right length; then test its items."""
    patterns = pattern.patterns
    stars = [index for index, each in enumerate(patterns) if isinstance(each, ast.MatchStar)]
    least = len(patterns) - len(stars)
    need(body, body.operation("is_sequence", subject), no)
    length = body.operation("length", subject) if least or not stars else NONE
    if least or not stars:
        need(body, body.operation("compare", length, Constant(least), detail=">=" if stars else "=="), no)
    if all(is_wildcard(each) for each in patterns):
        return
    if stars and is_wildcard(patterns[stars[0]]):  # Python reads the items that it tests, no others
        for index, each in enumerate(patterns):
            if not is_wildcard(each):
                slot: Atom = Constant(index)
                if index > stars[0]:
                    slot = body.operation(
                        "binary", body.operation("length", subject), Constant(len(patterns) - index), detail="-"
                    )
                test_pattern(body, each, body.operation("item", subject, slot), no, captured)
        return
    parts = body.operation("unpack", subject, detail=(stars[0], least - stars[0]) if stars else (least, None))
    match_parts(body, patterns, parts, no, captured)


def match_parts(
    body: FunctionBody, patterns: Sequence[ast.pattern], parts: Atom, no: str, captured: dict[str, Atom]
) -> None:
    """Test the items of a tuple."""
    for index, each in enumerate(patterns):
        if isinstance(each, ast.MatchStar) and each.name is not None:
            captured[each.name] = body.operation("item", parts, Constant(index))
        elif not is_wildcard(each):
            test_pattern(body, each, body.operation("item", parts, Constant(index)), no, captured)


def is_wildcard(pattern: ast.pattern) -> bool:
    """Return whether a pattern is `_` or `*_`."""
    match pattern:
        case ast.MatchAs(pattern=None, name=None) | ast.MatchStar(name=None):
            return True
    return False


@rule(PATTERNS, ast.MatchMapping)
def match_mapping(
    body: FunctionBody, pattern: ast.MatchMapping, subject: Atom, no: str, captured: dict[str, Atom]
) -> None:
    """Test whether the subject is a mapping with these keys; then test their values."""
    need(body, body.operation("is_mapping", subject), no)
    keys: list[Atom] = []
    if pattern.keys:
        length = body.operation("length", subject)
        need(body, body.operation("compare", length, Constant(len(pattern.keys)), detail=">="), no)
        keys = [body.value(each) for each in pattern.keys]
        parts = body.operation("match_keys", subject, *keys)
        need(body, body.operation("compare", parts, NONE, detail="is not"), no)
        match_parts(body, pattern.patterns, parts, no, captured)
    if pattern.rest is not None:
        rest = body.operation("dict")
        body.effect("update", rest, subject)
        for key in reversed(keys):
            body.effect("delete_item", rest, key)
        captured[pattern.rest] = rest


@rule(PATTERNS, ast.MatchClass)
def match_class(body: FunctionBody, pattern: ast.MatchClass, subject: Atom, no: str, captured: dict[str, Atom]) -> None:
    """Test whether the subject is an instance of the class with these attributes; then test their values."""
    cls = body.value(pattern.cls)
    detail = len(pattern.patterns), tuple(pattern.kwd_attrs)
    parts = body.operation("match_class", subject, cls, detail=detail)
    need(body, body.operation("compare", parts, NONE, detail="is not"), no)
    match_parts(body, [*pattern.patterns, *pattern.kwd_patterns], parts, no, captured)


NAMES: dict[type[ast.AST], str] = {
    ast.With: "`with`", ast.AsyncWith: "`async with`", ast.AsyncFor: "`async for`", ast.Await: "`await`",
    ast.AsyncFunctionDef: "`async def`", ast.TryStar: "`except*`",
    ast.Yield: "the value of a `yield`", ast.YieldFrom: "the value of a `yield from`",
}  # fmt: skip
"""The names, in the author's terms, of constructs that core cannot express."""
NEWER = {"TypeAlias": "`type`", "TemplateStr": "a template string", "Interpolation": "a template string"}
NAMES |= {getattr(ast, name): text for name, text in NEWER.items() if hasattr(ast, name)}
