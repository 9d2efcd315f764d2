"""Values of expressions during compilation: known, computed at run time, or lazy (not iterated over yet)."""

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
"""A truth value that is known when compiling, or a bit that is computed at run time."""

FAILS = "the compiler fails"
"""The beginning of the message for an internal error of the compiler."""


class Refused(Exception):
    """Raised when something cannot be compiled; the message says what, in terms of the author's source."""

    def __init__(self, message: str, place: tuple[str, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        """The file and the line."""

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
    """A run-time value: an LLVM value, the address where it is stored, or both if that memory never changes."""

    kind: Type
    ssa: "SSA | None" = None
    address: "SSA | None" = None
    borrowed: bool = False
    """Whether the address is that of a variable, which may change."""


@attrs.frozen(eq=False)
class Pack:
    """A tuple, named tuple or record (of class `kind`) with its items as separate values."""

    items: "tuple[Value, ...]"
    kind: type | None = None


@attrs.frozen(eq=False)
class Range:
    """`range(start, stop, step)` with run-time numbers; the step is known."""

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
    """`itertools.product(*parts)` with parts that can be iterated over repeatedly."""

    parts: "tuple[Value, ...]"


@attrs.frozen(eq=False)
class Distinct:
    """`set(items)`, of which only length and membership are used, since its order varies."""

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
    """A call of a generator function, or of a method that lists actions, which has not been iterated over yet."""

    function: Any
    arguments: "dict[str, Value]"
    node: ast.AST | None
    fact: Hashable = None
    """The fact for the type to which each element is converted; None for no conversion."""


@attrs.frozen(eq=False)
class Closure:
    """A lambda or inner function, with the frame in which it was defined."""

    node: ast.Lambda | ast.FunctionDef
    frame: Any
    defaults: "dict[str, Value]" = attrs.field(factory=dict)


@attrs.frozen(eq=False)
class Method:
    """A function looked up on a value, which will be its first argument."""

    function: Any
    receiver: "Value"
    name: str


@attrs.frozen(eq=False)
class Super:
    """`super()`: the classes after a class in the method resolution order."""

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
    """A dictionary with known keys and values that may be computed at run time."""

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
"""An expression during compilation, of any kind."""
Lazy = (Range, Enumerated, Zipped, Reversed, Iterated, Product, Mapped, Filtered, Comprehension, Generated)
"""Values that can only be iterated over."""
Static = (Known, Pack, Closure, Method, Distinct, Super, Partial, Mapping, *Lazy)
"""Values that are not stored anywhere at run time yet."""


def known_values(values: Iterable[Value]) -> list[Any] | None:
    """Return the constants that the values are; None if one of them is not a constant."""
    values = list(values)
    found = [each.value for each in values if isinstance(each, Known)]
    return found if len(found) == len(values) else None


def is_static(value: Value) -> bool:
    """Return whether a value is not stored anywhere at run time yet."""
    return isinstance(value, Static)
