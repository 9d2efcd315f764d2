"""Classes inside functions: the compiler takes them out of their function, and makes them while compiling.

A class can be made anywhere if it uses only variables of its function that never change. For such a class, the compiler
writes a function that contains the class as its author wrote it. These variables and the base classes are the
function's parameters. If the values of all parameters are known, this function is called while compiling. Python would
make a new class at each call of the enclosing function. So that no code can see that there is only one class, the
instances must not leave that call.
"""

import abc
import ast
import builtins
import copy
import dataclasses
import enum
import functools
import types
import typing
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from ggp.compiler.abstract import Abstract
    from ggp.compiler.specialization import Activation, Specializer

DECORATORS: Final = (
    dataclasses.dataclass, functools.total_ordering, attrs.define, attrs.frozen, attrs.mutable, enum.unique,
    typing.final,
)  # fmt: skip
"""Decorators that only change the class itself."""
MAKERS: Final = ("field", "auto", "Factory", "property", "frozenset", "tuple", "range")
"""Functions that the body of a class may call: they have no effect."""


@attrs.frozen(eq=False)
class ClassSource:
    """A class inside a function, as written in its file. The operands of an operation `class` are passed to `made`."""

    node: ast.ClassDef
    code: types.CodeType
    bases: int
    """The number of base classes."""
    captured: tuple[str, ...]
    """The outside variables that the class uses, without the class's own name."""

    def statement(self, bases: list[ast.expr]) -> ast.ClassDef:
        """Return the class statement with these base classes."""
        made = copy.deepcopy(self.node)
        made.bases, made.decorator_list = bases, []
        return made

    def made(self, names: dict[str, object], values: list[object]) -> type:
        """Return a new class.

        Arguments:
            names: the names of the module. values: the base classes, then the values of the captured variables.
        """
        cells = {name: types.CellType(each) for name, each in zip(self.captured, values[self.bases :], strict=True)}
        own = types.CellType()
        closure = tuple(cells.get(name, own) for name in self.code.co_freevars)
        body = types.FunctionType(self.code, names, self.node.name, None, closure)
        own.cell_contents = builtins.__build_class__(body, self.node.name, *values[: self.bases])
        return own.cell_contents  # type: ignore[no-any-return]


def codes_in(code: types.CodeType, node: ast.ClassDef) -> list[types.CodeType]:
    """Return the code objects inside a function that may be the body of the class."""
    lines = {node.lineno, *[each.lineno for each in node.decorator_list]}
    codes = []
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            if each.co_name == node.name and each.co_firstlineno in lines:
                codes.append(each)
            codes += codes_in(each, node)
    return codes


def has_effects(node: ast.ClassDef) -> bool:
    """Return whether making the class may have effects besides the class, so that one class cannot serve all calls."""
    return not all(map(_is_plain, node.body)) or any(isinstance(each, ast.Nonlocal) for each in ast.walk(node))


def _is_plain(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass():
            return True
        case ast.FunctionDef(decorator_list=decorators):
            defaults = [*statement.args.defaults, *[each for each in statement.args.kw_defaults if each is not None]]
            return all(map(_is_pure, [*decorators, *defaults]))
        case ast.Expr(value) | ast.Assign(_, value):
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            return _is_pure(value) and all(isinstance(each, (ast.Name, ast.Tuple)) for each in targets)
        case ast.AnnAssign(ast.Name(), _, value):
            return value is None or _is_pure(value)
    return False


def _is_pure(node: ast.expr) -> bool:
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and not (isinstance(each.func, ast.Name) and each.func.id in MAKERS):
            return False
        if isinstance(each, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return False
    return True


# Specialization -------------------------------------------------------------------------------------------------------


def class_operation(
    s: "Specializer", source: ClassSource, operands: "list[Abstract]", scope: "Activation"
) -> "Abstract":
    """Make the class now, while compiling, and return it."""
    from ggp.compiler.abstract import Fixed

    values = []
    for index, each in enumerate(operands):
        if not isinstance(each, Fixed):
            name = source.captured[index - source.bases] if index >= source.bases else "its base classes"
            raise s.refuse(
                f"the class {source.node.name} inside a function uses {name}, whose value is known only at run time:"
                " pass its value to __init__"
            )
        values.append(each.value)
    if s.rounds or s.loops:
        raise s.refuse(f"the class {source.node.name} in a loop is not compiled: define it before the loop")
    names = scope.outside.names if hasattr(scope.outside, "names") else None
    if names is None or not all(map(_is_usual, values[: source.bases])):
        raise s.refuse(f"the class {source.node.name} inside a function has a metaclass or a base class that runs code")
    key = s.path, source.code, tuple(map(id, values))
    if key not in s.local_classes:
        try:
            s.local_classes[key] = source.made(names, values), values
        except Exception as error:
            return s.fails(type(error))
    assert s.making is not None
    s.making.makes_classes = True
    return Fixed(s.local_classes[key][0])


def _is_usual(base: object) -> bool:
    """Return whether making a subclass of a class runs no code of the author."""
    if base is typing.NamedTuple:
        return True
    own = any(
        "__init_subclass__" in vars(each)
        for each in (base.__mro__ if isinstance(base, type) else ())
        if each is not object
    )
    return type(base) in (type, abc.ABCMeta, enum.EnumMeta) and (not own or type(base) is enum.EnumMeta)


def decorate_operation(
    s: "Specializer", named: "tuple[tuple[str, object], ...] | None", operands: "list[Abstract]", scope: "Activation"
) -> "Abstract":
    """Apply a decorator to a class now, while compiling, and return the result."""
    from ggp.compiler.abstract import Fixed

    decorator, cls = operands
    if not isinstance(cls, Fixed):
        return cls
    if not isinstance(decorator, Fixed) or not any(decorator.value is each for each in DECORATORS):
        raise s.refuse(
            "a decorator of a class inside a function is compiled if it is one of dataclass, total_ordering, attrs'"
            " define and frozen, unique and final"
        )
    key = "decorated", id(cls.value), id(decorator.value), s.path
    if key not in s.local_classes:
        try:
            decorated = decorator.value(cls.value) if named is None else decorator.value(**dict(named))(cls.value)
        except Exception as error:
            return s.fails(type(error))
        s.local_classes[key] = decorated, [cls.value]
    return Fixed(s.local_classes[key][0])
