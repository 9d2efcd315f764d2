"""The rules that every function in closed core obeys. The rules are checked between the passes of the compiler.

If a function breaks a rule, the compiler has a fault, not the author's code.
"""

from collections.abc import Iterator

from ggp.compiler import core
from ggp.compiler.operations import result_type
from ggp.compiler.types import BOOL, BOTTOM, NONE, STATUS, Type, stored


class Malformed(Exception):
    """Raised if a function of closed core breaks a rule. The text gives file and line, the statement and the rule."""


def verify(function: core.TypedFunction) -> None:
    """Check a function of closed core, without the functions that it calls.

    Raises:
        Malformed: the function breaks a rule.
    """
    missing = [name for name in function.parameters if name not in function.variables]
    if missing:
        raise Malformed(f"{function.file}:{function.line}: {function.name}: the parameter {missing[0]} has no type")
    _Check(function).run()


class _Check:
    """The check of one function."""

    def __init__(self, function: core.TypedFunction) -> None:
        self.function = function
        self.statement: core.Statement | core.TypedFunction = function
        self.labels: list[str] = []
        """The enclosing blocks and loops, the innermost last."""
        self.seen: set[str] = set()
        """All labels so far; each label is used once."""
        self.left: set[str] = set()
        """The labels of all `Leave` statements so far."""
        self.dead = False
        """Whether this point of the function is never reached."""
        self.assigned = set(function.parameters)
        """Variables that are assigned earlier in the source, or anywhere in an enclosing loop."""

    def run(self) -> None:
        self.block(self.function.body)
        self.statement = self.function
        self.need(self.dead, "does not return at its end")

    def error(self, rule: str) -> Malformed:
        each = self.statement
        location = f"{self.function.file}:{each.line or self.function.line}: {self.function.name}"
        return Malformed(f"{location}: {shown(each)}: {rule}")

    def need(self, truth: bool, rule: str) -> None:
        if not truth:
            raise self.error(rule)

    def kind(self, atom: core.Atom) -> Type:
        """Return the type of an atom that is read."""
        if isinstance(atom, core.Constant):
            if atom.kind is None:
                raise self.error(f"the constant {atom.value!r} has no type")
            return stored(atom.kind)
        self.need(isinstance(atom, core.Local), f"{atom} is not an atom of closed core")
        assert isinstance(atom, core.Local)
        kind = self.variable(atom.name)
        self.need(kind == NONE or atom.name in self.assigned, f"{atom.name} is read before it is assigned")
        return kind

    def variable(self, name: str) -> Type:
        self.need(name in self.function.variables, f"the variable {name} has no type")
        return stored(self.function.variables[name])

    def block(self, block: core.Block, *labels: str) -> None:
        self.labels.extend(labels)
        for each in block:
            self.statement = each
            self.one(each)
        if labels:
            del self.labels[-len(labels) :]

    def fresh(self, label: str) -> None:
        self.need(label not in self.seen, f"the label {label} is used twice")
        self.seen.add(label)

    def one(self, each: object) -> None:
        match each:
            case core.Assign(target, value):
                self.assignment(target, value)
            case core.If(test, body, otherwise):
                self.need(self.kind(test) == BOOL, "the test is no truth value")
                self.ways(body, otherwise)
            case core.Labelled(label, body):
                self.fresh(label)
                self.block(body, label)
                self.dead = self.dead and label not in self.left
            case core.Loop(label, body):
                self.fresh(label)
                self.assigned |= _targets(body)
                self.block(body, label)
                self.dead = label not in self.left
            case core.Leave(label):
                self.need(label in self.labels, "no enclosing block has this label")
                self.left.add(label)
                self.dead = True
            case core.Return(value):
                kind = self.kind(value)
                self.need(
                    kind == stored(self.function.result), f"the function returns {self.function.result}, not {kind}"
                )
                self.dead = True
            case core.Raise(error):
                if isinstance(error, core.Constant):
                    good = isinstance(error.value, type) and issubclass(error.value, BaseException)
                    self.need(good, "raises no exception class")
                else:
                    self.need(error is not None and self.kind(error) == STATUS, "raises no status")
                self.dead = True
            case core.Attempt(body, caught, handler):
                self.need(self.variable(caught) == STATUS, f"{caught} is no status")
                self.assigned.add(caught)
                self.ways(body, handler)
            case _:
                raise self.error("is not in closed core")

    def ways(self, one: core.Block, other: core.Block) -> None:
        """Check two blocks of which only one runs."""
        before = self.dead
        self.block(one)
        after, self.dead = self.dead, before
        self.block(other)
        self.dead = self.dead and after

    def assignment(self, target: str | None, value: core.Operation | core.Atom) -> None:
        kind = self.variable(target) if target is not None else None
        if isinstance(value, core.Operation):
            operands = tuple(map(self.kind, value.operands))
            try:
                result = stored(result_type(value.name, operands, value.detail, kind))
            except TypeError as error:
                raise self.error(str(error)) from None
            self.dead = self.dead or value.name == "fault" or (value.name == "call" and value.detail.result == BOTTOM)
        else:
            self.need(kind is not None, "an atom without a target")
            result = self.kind(value)
        self.need(kind in (None, result), f"the value is {result}; the variable is {kind}")
        if target is not None:
            self.assigned.add(target)


def _targets(block: core.Block) -> set[str]:
    """Return the variables that are assigned in a block."""
    names = ("target", "caught")
    return {getattr(each, name) for each in core.statements_in(block) for name in names if getattr(each, name, None)}


def listing(function: core.TypedFunction) -> str:
    """Return the text of a function of closed core, one statement on each line."""
    parameters = ", ".join(f"{name}: {function.variables[name]}" for name in function.parameters)
    return "\n".join([f"{function.name}({parameters}) -> {function.result}", *_lines(function.body, 1)])


def _lines(block: core.Block, depth: int) -> Iterator[str]:
    for each in block:
        yield "    " * depth + shown(each)
        for index, inner in enumerate(core.blocks_in(each)):
            if index and inner:
                yield "    " * depth + ("else" if isinstance(each, core.If) else "handler")
            yield from _lines(inner, depth + 1)


def shown(each: object) -> str:
    """Return the text of a statement, without the blocks inside it."""
    match each:
        case core.Assign(target, value):
            text = _text(value)
            return f"{target} = {text}" if target is not None else text
        case core.If(test):
            return f"if {_text(test)}"
        case core.Return(value):
            return f"return {_text(value)}"
        case core.Raise(error):
            return f"raise {_text(error)}"
        case core.Labelled(label) | core.Loop(label) | core.Leave(label):
            return f"{type(each).__name__.lower()} {label}"
    return type(each).__name__


def _text(value: object) -> str:
    if isinstance(value, core.Operation):
        detail = (
            [value.detail.name if hasattr(value.detail, "name") else repr(value.detail)]
            if value.detail is not None
            else []
        )
        return f"{value.name}({', '.join([*map(_text, value.operands), *detail])})"
    if isinstance(value, core.Constant):
        text = repr(value.value)
        return text if len(text) <= 40 else text[:37] + "..."
    return value.name if isinstance(value, core.Local) else str(value)
