"""Values of expressions during compilation: known, computed at run time, or still to be iterated."""

import ast
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from ggp.compiler.types import Type

if TYPE_CHECKING:
    from llvmlite import ir

    SSA: TypeAlias = ir.Value
else:  # this module is imported where there is no LLVM, too
    SSA = Any
"""A value of LLVM: what an instruction returns, or a constant."""
Truth: TypeAlias = bool | SSA
"""A truth value that is known when compiling, or a bit."""

FAILS = "the compiler fails"
"""How the message of an error of the compiler itself begins."""


class Refused(Exception):
    """Raised when something cannot be compiled; the message says what, in the author's terms."""

    def __init__(self, message: str, place: tuple[str, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        """File and line."""

    def __str__(self) -> str:
        if self.place is None:
            return self.message
        return f"{self.place[0].replace(chr(92), '/').rpartition('/')[2]}:{self.place[1]}: {self.message}"


@attrs.frozen
class Known:
    """A value that is known when compiling."""

    value: Any


@attrs.frozen(eq=False)
class Val:
    """A value at run time: an LLVM value, the address at which it lies, or both where that never changes."""

    kind: Type
    ssa: "SSA | None" = None
    address: "SSA | None" = None
    borrowed: bool = False
    """Whether the address is a variable's, which may change."""


@attrs.frozen(eq=False)
class Pack:
    """A tuple, named tuple or record (of class `kind`) whose items are separate values."""

    items: "tuple[Value, ...]"
    kind: type | None = None


@attrs.frozen(eq=False)
class Range:
    """`range(start, stop, step)`, of run-time numbers; the step is known."""

    start: "Value"
    stop: "Value"
    step: int


@attrs.frozen(eq=False)
class Enumerated:
    """`enumerate(items, start)`."""

    items: "Value"
    start: "Value"


@attrs.frozen(eq=False)
class Zipped:
    """`zip(*parts)` of sequences that can be indexed."""

    parts: "tuple[Value, ...]"


@attrs.frozen(eq=False)
class Reversed:
    """`reversed(items)` of a sequence that can be indexed."""

    items: "Value"


@attrs.frozen(eq=False)
class Iterated:
    """`iter(items)`."""

    items: "Value"


@attrs.frozen(eq=False)
class Product:
    """`itertools.product(*parts)`, of parts that can be iterated over repeatedly."""

    parts: "tuple[Value, ...]"


@attrs.frozen(eq=False)
class Distinct:
    """`set(items)`, of which only length and members are asked: its order is not the same everywhere."""

    items: "Value"


@attrs.frozen(eq=False)
class Mapped:
    """`map(function, items)`."""

    function: Any
    items: "Value"


@attrs.frozen(eq=False)
class Filtered:
    """`filter(function, items)`; `function` may be Known(None)."""

    function: Any
    items: "Value"


@attrs.frozen(eq=False)
class Comprehension:
    """A generator expression or list comprehension that has not been evaluated yet."""

    element: ast.expr
    generators: Sequence[Any]
    frame: Any
    node: ast.expr


@attrs.frozen(eq=False)
class Generated:
    """A call of a generator function, or of a method that lists actions, whose items have not been used yet."""

    function: Any
    arguments: "dict[str, Value]"
    node: ast.AST | None
    fact: Hashable = None
    """The fact whose type each element is made to have; None for any."""


@attrs.frozen(eq=False)
class Closure:
    """A lambda or inner function, with the frame in which it was defined."""

    node: ast.Lambda | ast.FunctionDef
    frame: Any
    defaults: "dict[str, Value]" = attrs.field(factory=dict)


@attrs.frozen(eq=False)
class Method:
    """A function looked up on a value: the function's first argument will be that value."""

    function: Any
    receiver: "Value"
    name: str


@attrs.frozen(eq=False)
class Super:
    """`super()`: what comes after a class in the order in which attributes are looked up."""

    kind: type
    receiver: "Value"


@attrs.frozen(eq=False)
class Partial:
    """`functools.partial(function, ...)` with run-time arguments."""

    function: Any
    positional: "tuple[Value, ...]"
    named: "dict[str, Value]"


@attrs.frozen(eq=False)
class Mapping:
    """A dictionary whose keys are known, and whose values may be computed at run time."""

    entries: dict[Any, Any]


@attrs.define
class Slot:
    """A variable in memory."""

    kind: Type
    address: SSA


Value: TypeAlias = (
    Known | Val | Pack | Range | Enumerated | Zipped | Reversed | Iterated | Product | Distinct | Mapped | Filtered
    | Comprehension | Generated | Closure | Method | Super | Partial | Mapping
)  # fmt: skip
"""An expression during compilation, of whichever kind."""
Lazy = (Range, Enumerated, Zipped, Reversed, Iterated, Product, Mapped, Filtered, Comprehension, Generated)
"""Values that can only be iterated over."""
Static = (Known, Pack, Closure, Method, Distinct, Super, Partial, Mapping, *Lazy)
"""Values that do not exist at run time yet."""


def known_values(values: Iterable[Value]) -> list[Any] | None:
    """Return the constants that the values are; None if one of them is not a constant."""
    values = list(values)
    found = [each.value for each in values if isinstance(each, Known)]
    return found if len(found) == len(values) else None


def is_static(value: Value) -> bool:
    """Return whether a value has not been given a place at run time yet."""
    return isinstance(value, Static)
