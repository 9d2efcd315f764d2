"""Values of expressions during compilation: known, computed at run time, or still to be iterated."""

from collections.abc import Sequence
from typing import Any

import attrs

from ggp.compiler.types import Type

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
    """A value at run time: an LLVM value, or the address at which it lies."""

    kind: Type
    ssa: Any = None
    address: Any = None
    borrowed: bool = False
    """Whether the address is a variable's, which may change."""


@attrs.frozen(eq=False)
class Pack:
    """A tuple, named tuple or record (of class `kind`) whose items are at hand one by one."""

    items: tuple[Any, ...]
    kind: type | None = None


@attrs.frozen(eq=False)
class Range:
    """`range(start, stop, step)`, of run-time numbers; the step is known."""

    start: Any
    stop: Any
    step: int


@attrs.frozen(eq=False)
class Enumerated:
    """`enumerate(items, start)`."""

    items: Any
    start: Any


@attrs.frozen(eq=False)
class Zipped:
    """`zip(*parts)` of sequences that can be indexed."""

    parts: tuple[Any, ...]


@attrs.frozen(eq=False)
class Reversed:
    """`reversed(items)` of a sequence that can be indexed."""

    items: Any


@attrs.frozen(eq=False)
class Iterated:
    """`iter(items)`."""

    items: Any


@attrs.frozen(eq=False)
class Product:
    """`itertools.product(*parts)`, of parts that can be run through again."""

    parts: tuple[Any, ...]


@attrs.frozen(eq=False)
class Distinct:
    """`set(items)`, of which only length and members are asked: its order is not the same everywhere."""

    items: Any


@attrs.frozen(eq=False)
class Mapped:
    """`map(function, items)`."""

    function: Any
    items: Any


@attrs.frozen(eq=False)
class Filtered:
    """`filter(function, items)`; `function` may be Known(None)."""

    function: Any
    items: Any


@attrs.frozen(eq=False)
class Comprehension:
    """A generator expression or list comprehension that has not been run through yet."""

    element: Any
    generators: Sequence[Any]
    frame: Any
    node: Any


@attrs.frozen(eq=False)
class Generated:
    """A call of a generator function, or of a method that lists actions, that has not been run through yet."""

    function: Any
    arguments: dict[str, Any]
    node: Any
    fact: Any = None
    """The fact whose type each element is made to have; None for any."""


@attrs.frozen(eq=False)
class Closure:
    """A lambda or inner function, with the frame in which it was made."""

    node: Any
    frame: Any
    defaults: dict[str, Any] = attrs.field(factory=dict)


@attrs.frozen(eq=False)
class Method:
    """A function looked up on a value: the function's first argument will be that value."""

    function: Any
    receiver: Any
    name: str


@attrs.frozen(eq=False)
class Super:
    """`super()`: what comes after a class in the order in which attributes are looked up."""

    kind: type
    receiver: Any


@attrs.frozen(eq=False)
class Partial:
    """`functools.partial(function, ...)` with run-time arguments."""

    function: Any
    positional: tuple[Any, ...]
    named: dict[str, Any]


@attrs.frozen(eq=False)
class Mapping:
    """A dictionary whose keys are known, and whose values may be computed at run time."""

    entries: dict[Any, Any]


@attrs.define
class Slot:
    """A variable in memory."""

    kind: Type
    address: Any


Lazy = (Range, Enumerated, Zipped, Reversed, Iterated, Product, Mapped, Filtered, Comprehension, Generated)
"""Values that can only be iterated over."""
Static = (Known, Pack, Closure, Method, Distinct, Super, Partial, Mapping, *Lazy)
"""Values that do not exist at run time yet."""
