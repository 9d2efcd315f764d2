"""Core: the small part of Python into which every function is translated before it is compiled.

A function in core is a tree of statements, and each statement does one thing to *atoms*: names and constants. So the
order of evaluation is written down, and each rule of the compiler has one simple case. There are two levels:

*Open core* is what `ggp.compiler.front` makes of an author's source. The types are not known yet: its operations are
Python's own, such as `binary +`, `item`, `attribute` and `call`, and `for` is still there (`Each`).

*Closed core* is what `ggp.compiler.specialization` makes of open core, for known objects and for types of all other
values. Every variable has a type, and only operations of `ggp.compiler.operations.OPERATIONS` are left.

Python can run both, so each step is tested by running a function before and after it.
"""

import inspect
from collections.abc import Iterator
from typing import Any, TypeAlias

import attrs

from ggp.compiler.types import Type

# Atoms ----------------------------------------------------------------------------------------------------------------


@attrs.frozen
class Local:
    """A variable of the function, or, in an inner function, of an enclosing function."""

    name: str


@attrs.frozen
class Global:
    """A name of the module, of a closure that Python made, or of `builtins`. Open core only."""

    name: str


@attrs.frozen(eq=False)
class Constant:
    """A known value: in open core a literal or AssertionError; in closed core any object, with its type."""

    value: Any
    kind: Type | None = None
    """The type in which the value is stored; only in closed core."""


Atom: TypeAlias = Local | Global | Constant


@attrs.frozen(eq=False)
class Operation:
    """One operation on atoms."""

    name: str
    operands: tuple[Atom, ...]
    detail: Any = None
    """The data of the operation besides its operands, such as the name of an attribute."""


# Statements -----------------------------------------------------------------------------------------------------------


@attrs.define(eq=False)
class Assign:
    """`target = value`. Without a target, the operation is done for its effect."""

    target: str | None
    value: Operation | Atom
    line: int = 0


@attrs.define(eq=False)
class If:
    """`if test: body, else: otherwise`. In closed core, the test is a truth value."""

    test: Atom
    body: "Block"
    otherwise: "Block"
    line: int = 0


@attrs.define(eq=False)
class Labelled:
    """A block; a `Leave` with its label jumps to the block's end."""

    label: str
    body: "Block"
    line: int = 0


@attrs.define(eq=False)
class Loop:
    """A block that is repeated until a `Leave` with its label runs."""

    label: str
    body: "Block"
    line: int = 0


@attrs.define(eq=False)
class Leave:
    """Continue after the enclosing block or loop with this label."""

    label: str
    line: int = 0


@attrs.define(eq=False)
class Return:
    """Return a value. In a generator of open core, the value is `Constant(None)`."""

    value: Atom
    line: int = 0


@attrs.define(eq=False)
class Raise:
    """Raise an exception.

    In closed core, a `Constant` with an exception class, or the `Local` of an `Attempt`, whose status is raised again.
    """

    error: Atom | None
    line: int = 0
    cause: Atom | None = None
    """The exception after `from`. Open core only."""


@attrs.define(eq=False)
class Each:
    """`for target in items: body`. `Leave` with the label ends the loop. Open core only."""

    label: str
    target: str
    items: Atom
    body: "Block"
    line: int = 0


@attrs.define(eq=False)
class Handler:
    """`except classes as name: body`. The name keeps its value after the handler. Open core only."""

    classes: Atom | None
    name: str | None
    body: "Block"
    line: int = 0
    test: "Block" = attrs.Factory(list)
    """Assignments that compute `classes`, such as `errors.Broken`; they run only when an exception reaches this
    handler.
    """


@attrs.define(eq=False)
class Try:
    """`try` with all its parts. Open core only."""

    body: "Block"
    handlers: list[Handler]
    otherwise: "Block"
    final: "Block"
    line: int = 0


@attrs.define(eq=False)
class Yield:
    """`yield value`, whose result is not used. Open core only."""

    value: Atom
    line: int = 0


@attrs.define(eq=False)
class Define:
    """An inner function: a `def`, a lambda or a generator expression. Open core only.

    `defaults` are the values of the last parameters that have a default value, by name; they are already computed.
    """

    target: str
    function: "Function"
    defaults: dict[str, Atom]
    line: int = 0


@attrs.define(eq=False)
class Unset:
    """`del target`: from now on the variable has no value. Open core only."""

    target: str
    line: int = 0


@attrs.define(eq=False)
class Attempt:
    """Run the body. If the body raises an exception, store the status in `caught` and run `handler`. Closed core only.

    The handler finds out which exception it is by the operation `is_caught`. A status is a variable of type STATUS.
    """

    body: "Block"
    caught: str
    handler: "Block"
    line: int = 0


Statement: TypeAlias = (
    Assign | If | Labelled | Loop | Leave | Return | Raise | Each | Try | Yield | Define | Unset | Attempt
)
Block: TypeAlias = list[Statement]


# Functions ------------------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Parameter:
    """A parameter; `kind` is one of the five kinds that `inspect.Parameter` defines."""

    name: str
    """The variable."""
    kind: inspect._ParameterKind
    has_default: bool = False
    keyword: str = ""
    """The name in the source, which callers use. In an inner function, the variable may have another name."""


@attrs.define(eq=False)
class Function:
    """A function in open core."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    variables: frozenset[str]
    """The function's variables, parameters and temporaries. All names in a function and in the functions inside it
    differ.
    """
    generates: bool
    """Whether the function is a generator."""
    file: str
    line: int


@attrs.define(eq=False)
class TypedFunction:
    """A function in closed core."""

    name: str
    parameters: tuple[str, ...]
    variables: dict[str, Type]
    """The type of each variable, parameters included."""
    result: Type
    body: Block
    file: str
    line: int
    checked: bool = True
    """Whether additions, subtractions and similar operations check for numbers beyond 64 bits."""


def size(block: Block) -> int:
    """Return the number of statements in a block."""
    return sum(1 for _ in statements_in(block))


WITH_BLOCKS = (If, Labelled, Loop, Each, Try, Attempt)
"""The statements that have blocks inside them.

A tuple is used, since `If | Labelled` makes a new object whenever it runs: that took 3 % of a compilation, which walks
over each statement hundreds of times.
"""


def blocks_in(statement: object) -> Iterator[Block]:
    """Yield the blocks inside a statement."""
    if not isinstance(statement, WITH_BLOCKS):
        return
    yield statement.body
    if isinstance(statement, If | Try):
        yield statement.otherwise
    if isinstance(statement, Attempt):
        yield statement.handler
    elif isinstance(statement, Try):
        yield statement.final
        for handler in statement.handlers:
            yield handler.test
            yield handler.body


def target_of(statement: object) -> str | None:
    """Return the variable that a statement itself, without its blocks, assigns or deletes; None if there is none."""
    return statement.target if isinstance(statement, Assign | Each | Define | Unset) else None


def read_by(statement: object) -> Iterator[Operation | Atom]:
    """Yield the operands that a statement itself reads, without the blocks inside it and the cause of an exception."""
    if isinstance(statement, Assign | Return | Yield):
        yield statement.value
    elif isinstance(statement, If):
        yield statement.test
    elif isinstance(statement, Raise) and statement.error is not None:
        yield statement.error
    elif isinstance(statement, Each):
        yield statement.items
    elif isinstance(statement, Define):
        yield from statement.defaults.values()


def statements_in(block: Block) -> Iterator[Statement]:
    """Yield all statements of a block, each before the statements inside it; an inner function is one statement."""
    for each in block:
        yield each
        if isinstance(each, WITH_BLOCKS):
            for inner in blocks_in(each):
                yield from statements_in(inner)
