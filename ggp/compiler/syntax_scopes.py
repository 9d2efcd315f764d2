"""Find what each name in a function means: which function's variable it is, by Python's rules for scopes.

Every variable gets a name that no other variable has, in the function and in all functions inside it. A comprehension
has variables of its own, too. The loop of a comprehension is written into the enclosing function, unless an inner
function keeps the comprehension's variables.
"""

import ast
import enum
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import attrs

from ggp.compiler.syntax_tree import FunctionNode

ComprehensionNode: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp
ScopeNode: TypeAlias = FunctionNode | ComprehensionNode | ast.GeneratorExp


class ScopeKind(enum.Enum):
    """The form that a scope has in core."""

    FUNCTION = enum.auto()
    GENERATOR = enum.auto()
    """A generator expression: a function, but `:=` in it assigns a variable of the enclosing function."""
    LOOP = enum.auto()
    """A comprehension that is written into the enclosing function."""


@attrs.define(eq=False)
class Variable:
    """A variable of a function."""

    name: str
    """The name in core."""
    owner: "Scope"
    """The function that owns the variable, or the comprehension that does, if it is compiled as a loop inside a
    function.
    """
    fixed: bool = False
    """Whether the variable is a parameter that is never assigned, so that its value does not change."""
    shared: bool = False
    """Whether the variable may be assigned while an expression of its function is evaluated: by `:=` or by an inner
    function.
    """
    unset: bool = False
    """Whether the variable may be deleted, so that it has no value afterwards."""


@attrs.define(eq=False)
class Scope:
    """A function or comprehension, and how the names in it are used."""

    node: ScopeNode
    parent: "Scope | None"
    kind: ScopeKind
    repeated: bool = False
    """Whether the scope is in a loop, so that one call of the enclosing function may create it several times."""
    parameters: set[str] = attrs.Factory(set)
    stored: dict[str, None] = attrs.Factory(dict)
    """The names that are assigned here, in order, parameters included."""
    assigned: set[str] = attrs.Factory(set)
    """The names that are assigned inside the function; a call that sets a parameter does not count."""
    loops_of: dict[str, list[int]] = attrs.Factory(dict)
    """For each name, the number of loops around each of its assignments."""
    loaded: dict[str, None] = attrs.Factory(dict)
    outer: set[str] = attrs.Factory(set)
    """Names that are declared `nonlocal`."""
    module: set[str] = attrs.Factory(set)
    """Names that are declared `global`."""
    generates: bool = False
    variables: dict[str, Variable] = attrs.Factory(dict)

    @property
    def function(self) -> "Scope":
        """The function that runs the scope."""
        return self if self.kind is not ScopeKind.LOOP or self.parent is None else self.parent.function

    def find(self, name: str) -> "Variable | None":
        """Return the variable that a name means here; None for a name from outside all functions."""
        if name in self.variables:
            return self.variables[name]
        return self.parent.find(name) if self.parent is not None and name not in self.module else None


class Scopes(ast.NodeVisitor):
    """All scopes in a function."""

    def __init__(self, node: FunctionNode) -> None:
        self.by_node: dict[ast.AST, Scope] = {}
        self.variables: dict[str, Variable] = {}
        """All variables, by their names in core."""
        self._scope: Scope
        self._loops = 0
        self._handled: list[str] = []
        self._deleted: set[str] = set()
        self._caught: set[str] = set()
        self._assigned_inside: set[str] = set()
        self._loaded_outside: set[str] = set()
        self._read_function(node, None)
        self._taken = self._names_from_outside()
        self._identifiers = self._taken.union(*[{*each.stored, *each.loaded} for each in self.by_node.values()])
        self._counts: dict[str, int] = {}
        self._declare()

    def scope(self, node: ScopeNode) -> Scope:
        """Return the scope of a function or comprehension."""
        return self.by_node[node]

    def fresh(self, text: str) -> str:
        """Return a name that begins with a text, ends with a number, and is not in use."""
        while True:
            self._counts[text] = self._counts.get(text, 0) + 1
            name = f"{text}{self._counts[text]}"
            if name not in self._identifiers and name not in self._taken:
                self._taken.add(name)
                return name

    def keeps_value(self, name: str, scope: Scope, assigned: int) -> bool:
        """Return whether a name means, in this scope, a variable that is assigned `assigned` times, each time by the
        function that owns it and outside any loop.
        """
        variable = scope.find(name)
        if variable is None or variable.shared or variable.unset or variable.owner.kind is not ScopeKind.FUNCTION:
            return False
        places = variable.owner.loops_of.get(name, [])
        return places == [0] * assigned and (assigned > 0) is not (name in variable.owner.parameters)

    def used_after(self, name: str) -> bool:
        """Return whether code outside an exception's handler may see that the exception's name has lost its value."""
        return name in self._loaded_outside

    # Reading

    def _read_function(self, node: FunctionNode, parent: Scope | None) -> None:
        with self._inside(node, parent, ScopeKind.FUNCTION) as scope:
            given = node.args
            for each in [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]:
                if each is not None:
                    scope.parameters.add(each.arg)
                    scope.stored[each.arg] = None
            for statement in node.body if isinstance(node.body, list) else [node.body]:
                self.visit(statement)

    @contextmanager
    def _inside(self, node: ScopeNode, parent: Scope | None, kind: ScopeKind) -> Iterator[Scope]:
        repeated = self._loops > 0
        before = parent, self._loops, self._handled
        self._scope = self.by_node[node] = Scope(node, parent, kind, repeated)
        if kind is not ScopeKind.LOOP:
            self._loops, self._handled = 0, []
        yield self._scope
        if before[0] is not None:
            self._scope = before[0]
        self._loops, self._handled = before[1:]

    def _store(self, name: str) -> None:
        self._scope.stored[name] = None
        self._scope.assigned.add(name)
        self._scope.loops_of.setdefault(name, []).append(self._loops)

    def visit_Name(self, node: ast.Name) -> None:
        """Record that a name is read, assigned or deleted."""
        if isinstance(node.ctx, ast.Load):
            self._scope.loaded[node.id] = None
            if node.id not in self._handled:
                self._loaded_outside.add(node.id)
            return
        self._store(node.id)
        if isinstance(node.ctx, ast.Del):
            self._deleted.add(node.id)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        """Record that `:=` assigns a variable of the nearest enclosing function that is not a comprehension."""
        self.visit(node.value)
        inside, name = self._scope, node.target.id
        while self._scope.kind is not ScopeKind.FUNCTION and self._scope.parent is not None:
            self._scope = self._scope.parent
        self._store(name)
        self._assigned_inside.add(name)
        self._scope = inside

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Record that the target is read as well as assigned."""
        if isinstance(node.target, ast.Name):
            self.visit_Name(ast.Name(node.target.id, ast.Load()))
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Skip the annotation, since it is not evaluated."""
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Record that a name is assigned, and visit the function."""
        self._store(node.name)
        self._read_inner(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Read the function."""
        self._read_inner(node)

    def _read_inner(self, node: FunctionNode) -> None:
        for each in [
            *node.args.defaults,
            *node.args.kw_defaults,
            *([] if isinstance(node, ast.Lambda) else node.decorator_list),
        ]:
            if each is not None:
                self.visit(each)
        self._read_function(node, self._scope)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Record that a name is assigned, and which names of this scope the class may use."""
        for part in [*node.decorator_list, *node.bases, *[each.value for each in node.keywords]]:
            self.visit(part)
        self._store(node.name)
        for statement in node.body:
            for each in ast.walk(statement):
                if isinstance(each, ast.Name):
                    self._scope.loaded[each.id] = None
                    self._loaded_outside.add(each.id)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Record that a name is assigned. Do not visit the rest, since core cannot express it."""
        self._store(node.name)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """Read a generator expression."""
        self._read_comprehension(node, ScopeKind.GENERATOR, [node.elt])

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> None:
        """Read a comprehension."""
        self._read_comprehension(node, ScopeKind.LOOP, [node.elt])

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """Read a comprehension."""
        self._read_comprehension(node, ScopeKind.LOOP, [node.key, node.value])

    def _read_comprehension(
        self, node: ComprehensionNode | ast.GeneratorExp, kind: ScopeKind, item: list[ast.expr]
    ) -> None:
        self.visit(node.generators[0].iter)  # belongs to the scope around
        with self._inside(node, self._scope, kind):
            self._loops += 1
            for index, each in enumerate(node.generators):
                if index:
                    self.visit(each.iter)
                for part in [each.target, *each.ifs]:
                    self.visit(part)
            for part in item:
                self.visit(part)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        """Visit the statements in the loop, noting that they are in a loop."""
        self.visit(node.iter)
        self._read_loop([node.target, *node.body], node.orelse)

    visit_AsyncFor = visit_For

    def visit_While(self, node: ast.While) -> None:
        """Visit the statements in the loop, noting that they are in a loop."""
        self._read_loop([node.test, *node.body], node.orelse)

    def _read_loop(self, repeated: list[ast.AST], after: list[ast.stmt]) -> None:
        self._loops += 1
        for each in repeated:
            self.visit(each)
        self._loops -= 1
        for statement in after:
            self.visit(statement)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """Record that the exception's name has a value only in the handler."""
        if node.type is not None:
            self.visit(node.type)
        if node.name is not None:
            self._store(node.name)
            self._caught.add(node.name)
        self._handled = [*self._handled, *([node.name] if node.name is not None else [])]
        for each in node.body:
            self.visit(each)
        if node.name is not None:
            self._handled = self._handled[:-1]

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        """Record that a pattern assigns a name."""
        if node.name is not None:
            self._store(node.name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        """Record that a pattern assigns a name."""
        if node.rest is not None:
            self._store(node.rest)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Record that names are assigned."""
        for each in node.names:
            self._store(each.asname or each.name.partition(".")[0])

    visit_ImportFrom = visit_Import

    def visit_Global(self, node: ast.Global) -> None:
        """Record that names belong to the module."""
        self._scope.module |= set(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        """Record that names are variables of an enclosing function."""
        self._scope.outer |= set(node.names)

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        """Record that the function is a generator."""
        self._scope.function.generates = True
        self.generic_visit(node)

    visit_YieldFrom = visit_Yield

    # Resolving

    def _names_from_outside(self) -> set[str]:
        """Give each scope its variables; their unique names are chosen later. Return the names in the source that are
        not variables of any function.
        """
        for scope in self.by_node.values():
            for name in scope.stored:
                if name not in scope.outer | scope.module:
                    fixed = name in scope.parameters and name not in scope.assigned
                    unset = name in self._deleted or name in self._caught & self._loaded_outside
                    scope.variables[name] = Variable("", scope, fixed, name in self._assigned_inside, unset)
        for scope in self.by_node.values():
            self._keep_apart(scope)
        names = set()
        for scope in self.by_node.values():
            for name in [*scope.stored, *scope.loaded]:
                variable = scope.find(name)
                if variable is None:
                    names.add(name)
                elif name in scope.assigned and variable.owner.function is not scope.function:
                    variable.fixed, variable.shared = False, True
        return names

    def _keep_apart(self, inner: Scope) -> None:
        """Turn a comprehension in a loop into a function, if a function inside it uses its variables.

        Such a function may be stored and called later: it must then find the variables of the round in which it was
        made.
        """
        for name in [*inner.stored, *inner.loaded]:
            variable, scope = inner.find(name), inner
            kept = False
            while variable is not None and scope is not variable.owner and scope.parent is not None:
                kept = kept or scope.kind is not ScopeKind.LOOP
                scope = scope.parent
            if kept and scope.kind is ScopeKind.LOOP and scope.repeated:
                scope.kind = ScopeKind.FUNCTION

    def _declare(self) -> None:
        """Name each variable as the author did, unless that name is taken."""
        for scope in self.by_node.values():
            for name, variable in scope.variables.items():
                variable.name = name if name not in self._taken else self.fresh(f"{name}_")
                self._taken.add(variable.name)
                self.variables[variable.name] = variable
