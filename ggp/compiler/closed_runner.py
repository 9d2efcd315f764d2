"""Run closed core in CPython, statement by statement, for tests and for people who look for a fault of the compiler."""

from collections.abc import Sequence
from typing import Any

import attrs

from ggp.compiler import core
from ggp.compiler.operations import OPERATIONS
from ggp.compiler.refusals import Fault
from ggp.compiler.types import NONE, Type


class _Left(BaseException):
    """Raised by a `Leave` statement, and caught by the block that has the same label."""

    def __init__(self, label: str) -> None:
        self.label = label


class _Returned(BaseException):
    def __init__(self, value: object) -> None:
        self.value = value


@attrs.define
class CoreRunner:
    """A run of closed core."""

    objects: Sequence[object] = ()
    """The known objects, by number."""

    def call(self, function: core.TypedFunction, arguments: Sequence[object]) -> object:
        """Return the result of a function.

        Raises:
            Fault: machine code could not continue here.
            Exception: the function raised this exception.
        """
        try:
            return _Frame(self, function, dict(zip(function.parameters, arguments, strict=True))).run_all()
        except RecursionError:
            raise Fault("the stack is exhausted") from None


@attrs.define
class _Frame:
    """A call of a function."""

    runner: CoreRunner
    function: core.TypedFunction
    values: dict[str, object]

    def run_all(self) -> object:
        try:
            self.run(self.function.body)
        except _Returned as returned:
            return returned.value
        raise Fault(f"{self.function.name} ended without Return")

    def value(self, atom: core.Atom) -> Any:
        if isinstance(atom, core.Constant):
            return atom.value
        assert isinstance(atom, core.Local)
        if atom.name not in self.values:
            raise Fault(f"{atom.name} has no value")
        return self.values[atom.name]

    def kind(self, atom: core.Atom) -> Type:
        kind = atom.kind if isinstance(atom, core.Constant) else self.function.variables[atom.name]
        assert kind is not None
        return kind

    def operate(self, operation: core.Operation, target: Type) -> object:
        entry = OPERATIONS[operation.name]
        available = {
            "detail": operation.detail,
            "operands": tuple(map(self.kind, operation.operands)),
            "target": target,
            "checked": operation.detail if isinstance(operation.detail, bool) else self.function.checked,
            "runner": self.runner,
        }
        return entry.python(*map(self.value, operation.operands), **{name: available[name] for name in entry.takes})

    def run(self, block: core.Block) -> None:
        for each in block:
            self.statement(each)

    def statement(self, each: object) -> None:
        match each:
            case core.Assign(target, value):
                kind = self.function.variables[target] if target else NONE
                result = self.operate(value, kind) if isinstance(value, core.Operation) else self.value(value)
                if target:
                    self.values[target] = result
            case core.If(test, body, otherwise):
                self.run(body if self.value(test) else otherwise)
            case core.Labelled(label, body):
                self.until(label, body)
            case core.Loop(label, body):
                while self.until(label, body):
                    pass
            case core.Leave(label):
                raise _Left(label)
            case core.Return(value):
                raise _Returned(self.value(value))
            case core.Raise(error):
                assert error is not None
                raise self.value(error)
            case core.Attempt(body, caught, handler):
                try:
                    self.run(body)
                    return
                except Exception as error:
                    self.values[caught] = error
                self.run(handler)
            case _:
                raise TypeError(f"{type(each).__name__} is not in closed core")

    def until(self, label: str, body: core.Block) -> bool:
        """Run a block, and return whether it reached its end."""
        try:
            self.run(body)
        except _Left as left:
            if left.label != label:
                raise
            return False
        return True
