"""Running one function at both speeds, and comparing what comes of it."""

import functools
from collections.abc import Callable, Sequence

import attrs

from ggp import compiler
from ggp.compiler.types import Type, join, type_of


@attrs.frozen
class Outcome:
    """What a call came to: a value, or the name of what was raised."""

    value: object = None
    error: str | None = None

    def __str__(self) -> str:
        return f"{self.value!r}" if self.error is None else f"raises {self.error}"


def interpreted(function: Callable[..., object], arguments: Sequence[object]) -> Outcome:
    """Return what Python makes of a call."""
    try:
        return Outcome(function(*arguments))
    except Exception as error:
        return Outcome(error=type(error).__name__)


def compiled(code: compiler.Code, arguments: Sequence[object]) -> Outcome:
    """Return what machine code makes of a call."""
    try:
        return Outcome(code(code.variables(), *arguments))
    except Exception as error:
        return Outcome(error=type(error).__name__)


def kinds(rows: Sequence[Sequence[object]]) -> list[Type]:
    """Return the type of each argument: one that has the values of all rows."""
    return [functools.reduce(join, map(type_of, column)) for column in zip(*rows, strict=True)]


def compile_for(function: Callable[..., object], rows: Sequence[Sequence[object]], *known: object) -> compiler.Code:
    """Return a function as machine code for arguments as those in the rows.

    Arguments:
        known: the first arguments, which are known when compiling.
    """
    return compiler.compile(function, *known, *kinds(rows))


def disagreements(function: Callable[..., object], rows: Sequence[Sequence[object]], *known: object) -> list[str]:
    """Return each row for which the two speeds do not come to the same, with both outcomes.

    Where Python raises, machine code has to raise too: any exception makes its caller ask Python again.
    """
    code = compile_for(function, rows, *known)
    found = []
    for row in rows:
        want, got = interpreted(function, (*known, *row)), compiled(code, row)
        if not same(want, got) and not (got.error == "Fault" and beyond(row, want)):
            found.append(f"{row}: {want} interpreted, {got} compiled")
    return found


def beyond(row: Sequence[object], want: Outcome) -> bool:
    """Return whether machine code may abandon a call: a number is large, or the result a float."""
    return any(abs(number) >= 1 << 32 for number in _numbers((*row, want.value))) or isinstance(want.value, float)


def _numbers(value: object) -> list[float]:
    if isinstance(value, (tuple, list)):
        return [number for each in value for number in _numbers(each)]
    return [value] if isinstance(value, (int, float)) else []


def same(want: Outcome, got: Outcome) -> bool:
    """Return whether machine code came to what Python came to."""
    if want.error == "RecursionError":
        return True
    if want.error is not None or got.error is not None:
        return want.error is not None and got.error is not None
    return bool(want.value == got.value) and repr_shape(want.value) == repr_shape(got.value)


def repr_shape(value: object) -> object:
    """Return the classes that a value is nested of; whole numbers and truth values that are equal count as the same."""
    if isinstance(value, int):
        return int
    if isinstance(value, (tuple, list)):
        return type(value), tuple(map(repr_shape, value))
    if isinstance(value, dict):
        return type(value), {key: repr_shape(each) for key, each in value.items()}
    return type(value)
