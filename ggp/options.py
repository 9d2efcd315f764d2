"""Declared options: the parameters of a game, the options of a searcher, the limits of a search.

A plugin declares its options once, as the fields of an attrs class. Python, the command line and `ggp games` all read
this declaration::

    @attrs.frozen
    class Kalah:
        houses: int = option(6, "houses a side", minimum=1, maximum=12)
"""

import collections.abc
import functools
import inspect
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import attrs

from ggp.errors import OptionError, did_you_mean
from ggp.escapes import short

ValueT = TypeVar("ValueT")

ParameterValue = bool | int | float | str | tuple[bool | int | float | str, ...] | None
"""The value of a game's parameter, as files hold it."""

_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}


@attrs.frozen
class Option:
    """One declared option: its name, type, default, range and meaning."""

    name: str
    type: object
    default: object
    meaning: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[object, ...] = ()
    path: bool = False
    """Whether a value names a file or a directory to open."""

    @property
    def classes(self) -> tuple[object, ...]:
        """The classes of the option's values."""
        is_union = typing.get_origin(self.type) in (typing.Union, types.UnionType)
        if not is_union:
            return (typing.get_origin(self.type) or self.type,)
        return tuple([typing.get_origin(member) or member for member in typing.get_args(self.type)])

    @property
    def words(self) -> tuple[str, ...]:
        """The texts that are accepted besides the values of `classes`, such as "auto" in `float | Literal["auto"]`."""
        members = typing.get_args(self.type) if typing.Literal in self.classes else ()
        literal = [each for each in members if typing.get_origin(each) is typing.Literal]
        return tuple([word for each in literal for word in typing.get_args(each) if isinstance(word, str)])

    @property
    def takes_anything(self) -> bool:
        """Whether values of any type are accepted."""
        return self.type is Any

    @property
    def optional(self) -> bool:
        """Whether the option accepts None."""
        return type(None) in self.classes

    @property
    def expected(self) -> str:
        """The accepted values, in words."""
        if self.choices:
            meaning = "one of " + ", ".join(map(str, self.choices))
        else:
            meaning = self._type_text() + self._range_text()
        return ", or ".join([meaning, *self.words, *(["none"] if self.optional else [])])

    def _type_text(self) -> str:
        if self.takes_anything:
            return "a value"
        if self.accepts(tuple):
            return "whole numbers separated by commas"
        for cls, meaning in _TYPE_TEXTS.items():
            if self.accepts(cls):
                return meaning
        return "a value"

    def _range_text(self) -> str:
        if self.minimum is not None and self.maximum is not None:
            return f" from {_grouped(self.minimum)} to {_grouped(self.maximum)}"
        if self.minimum is not None:
            return f", {_grouped(self.minimum)} or more"
        if self.maximum is not None:
            return f", {_grouped(self.maximum)} or less"
        return ""

    def accepts(self, cls: object) -> bool:
        """Return whether values of `cls` are of the declared type."""
        return cls in self.classes or Any in self.classes

    def parse(self, text: str) -> Any:
        """Return the value that `text` stands for.

        Raises:
            OptionError: the text is not a value of the declared type and range.
        """
        if self.optional and text.lower() == "none":
            return None
        try:
            value: object = self._read(text.strip())
        except ValueError:
            raise self.wrong(text) from None
        return self.check(value)

    def _read(self, text: str) -> object:
        if self.takes_anything or text in self.words:
            return text
        if self.accepts(bool) and text.lower() in _TRUE | _FALSE:
            return text.lower() in _TRUE
        if self.accepts(tuple):
            return tuple(int(part) for part in text.split(","))
        if self.accepts(int):
            return int(text)
        if self.accepts(float):
            return float(text)
        if self.accepts(str):
            return text
        raise ValueError(text)

    def check(self, value: object) -> object:
        """Return the value if it has the declared type and is in range.

        Raises:
            OptionError: the value has another type, or is out of range.
        """
        if (value is None and self.optional) or (isinstance(value, str) and value in self.words):
            return value
        if self.choices and value not in self.choices:
            raise self.wrong(value)
        if not self._has_type(value):
            raise self.wrong(value)
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, (int, float)) and not self._in_range(number):
                raise self.wrong(value)
        return value

    def _has_type(self, value: object) -> bool:
        if isinstance(value, bool):
            return self.accepts(bool)
        if isinstance(value, int):
            return self.accepts(int) or self.accepts(float)
        if isinstance(value, tuple):
            return self.accepts(tuple) and all(type(part) is int for part in value)
        if callable(value):
            return self.accepts(collections.abc.Callable)
        return self.accepts(type(value))

    def _in_range(self, number: float) -> bool:
        if isinstance(number, float) and not math.isfinite(number):
            return False
        above = self.minimum is None or number >= self.minimum
        return above and (self.maximum is None or number <= self.maximum)

    def wrong(self, value: object) -> OptionError:
        """Return the error for a wrong value, which says what is accepted."""
        meaning = f" ({self.meaning})" if self.meaning else ""
        return OptionError(f"{self.name} must be {self.expected}{meaning}; got {short(repr(value))}")


def _grouped(number: float) -> str:
    """Return a number as text, with its digits in groups of three, and without decimals if it is whole."""
    return f"{int(number) if number == int(number) else number:,}"


_TYPE_TEXTS = {bool: "yes or no", int: "a whole number", float: "a number", str: "a text"}


def option(
    default: ValueT,
    meaning: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Iterable[ValueT] = (),
    path: bool = False,
) -> ValueT:
    """Return a field of an attrs class that is a declared option; its type comes from the annotation.

    An option with the annotation `float | Literal["auto"]` is a number or the word "auto".

    Arguments:
        default: the value if none is given.
        meaning: one clause for people, with the unit.
        minimum, maximum: the range, both ends included (for a tuple, of each member).
        choices: all accepted values, if there are only a few.
        path: whether a value names a file or a directory to open; untrusted input may not set such an option.
    """
    declared = {"meaning": meaning, "minimum": minimum, "maximum": maximum, "choices": tuple(choices), "path": path}
    return attrs.field(default=default, metadata={"ggp": declared}, validator=_validate)


def constant(compute: Callable[..., ValueT]) -> ValueT:
    """Return a field of an attrs class that is computed once from the options, by `compute(instance)`.

    Such a field is not an argument of the class, and comparisons ignore it. Reading it is faster than reading a
    property, even a cached one.
    """

    def set_field(instance: object, attribute: "attrs.Attribute[ValueT]", _: object) -> None:
        object.__setattr__(instance, attribute.name, compute(instance))

    # The field is set by a validator. Validators run in the order of the fields, so the options have been checked by
    # then.
    return attrs.field(init=False, default=None, eq=False, repr=False, validator=set_field)


def _validate(instance: object, attribute: "attrs.Attribute[ValueT]", value: ValueT) -> None:
    if value is not attribute.default:
        cls: Callable[..., object] = instance.__class__
        _by_name(cls)[attribute.name].check(value)


@functools.cache
def options_of(factory: Callable[..., object]) -> tuple[Option, ...]:
    """Return the options that `factory` declares: the keyword arguments that it accepts.

    A field made by `option` has a range and a meaning. Of any other argument with a default, only name and type are
    known. Without an annotation, its type is that of the default.
    """
    declared = (
        {field.name: field.metadata.get("ggp", {}) for field in attrs.fields(factory)}
        if isinstance(factory, type) and attrs.has(factory)
        else {}
    )
    hints = _type_hints(factory)
    options = []
    for name, parameter in _signature(factory).items():
        if parameter.default is not parameter.empty:
            own = Any if parameter.default is None else type(parameter.default)
            options.append(Option(name, hints.get(name, own), parameter.default, **declared.get(name, {})))
    return tuple(options)


@functools.cache
def _by_name(factory: Callable[..., object]) -> dict[str, Option]:
    return {each.name: each for each in options_of(factory)}


def _signature(factory: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    if isinstance(factory, type) and factory.__init__ is object.__init__:  # type: ignore[misc]
        return {}
    return inspect.signature(factory).parameters


def _type_hints(factory: Callable[..., object]) -> dict[str, object]:
    hinted = factory.__init__ if isinstance(factory, type) and not attrs.has(factory) else factory  # type: ignore[misc]
    try:
        return typing.get_type_hints(hinted)
    except (NameError, TypeError):
        return {}


def parse_options(factory: Callable[..., object], owner: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of texts that a person typed for the options of `factory`.

    Raises:
        OptionError: a name is unknown (the message lists the known ones), or a text is not a value of its option.
    """
    return {name: find_option(factory, owner, name).parse(text) for name, text in texts.items()}


def find_option(factory: Callable[..., object], owner: str, name: str) -> Option:
    """Return the declared option whose name is `name`. `owner` names the factory in errors.

    Raises:
        OptionError: `factory` declares no such option; the message lists those that it declares.
    """
    options = _by_name(factory)
    if name in options:
        return options[name]
    names = list(options)
    has = f"its options are {', '.join(names)}" if names else "it has none"
    raise OptionError(f"{owner} has no option {name!r}{did_you_mean(name, names)}: {has}")


def build(factory: Callable[..., ValueT], owner: str, values: Mapping[str, object]) -> ValueT:
    """Return `factory(**values)`, after checking every name and value against the declaration.

    Raises:
        OptionError: a name is unknown, or a value has the wrong type or is out of range.
    """
    try:
        checked = {name: find_option(factory, owner, name).check(value) for name, value in values.items()}
        return factory(**checked)
    except OptionError as error:
        prefix = "" if str(error).startswith(f"{owner}") else f"{owner}: "
        raise OptionError(f"{prefix}{error}") from None


PLACES = (None, "none", "auto", "default")
"""Values that name no file, in an option for files; an untrusted author may give these values."""


def paths_in(options: Iterable[Option], values: Mapping[str, object]) -> list[str]:
    """Return those values that name files of this machine, each written as `name=value`."""
    named = [each.name for each in options if each.path]
    return [f"{name}={values[name]}" for name in named if values.get(name) not in PLACES]


def split_options(text: str) -> dict[str, str]:
    """Split `name=value,name=value` into a mapping. A piece without "=" belongs to the value before it (`heaps=3,4,5`).

    Raises:
        OptionError: the text does not begin with a name and "=", or gives a name twice.
    """
    texts: dict[str, str] = {}
    name = ""
    for piece in text.split(",") if text else ():
        if "=" in piece:
            name, value = piece.split("=", 1)
            name = name.strip()
            if name in texts:
                raise given_twice(name)
            texts[name] = value
        elif name:
            texts[name] += "," + piece
        else:
            raise OptionError(f"{piece!r} is not an option: options are written name=value, separated by commas")
    return texts


def given_twice(name: str) -> OptionError:
    """Return the error for an option that was given twice."""
    return OptionError(f"{name} is given twice: each option has one value")


def changed(instance: ValueT, **values: object) -> ValueT:
    """Return a copy of an attrs instance in which these options have the given values."""
    return attrs.evolve(instance, **values)  # type: ignore[misc]


def values_of(instance: Any) -> dict[str, Any]:
    """Return the values that the options of `instance` have, by name."""
    return {each.name: getattr(instance, each.name, each.default) for each in options_of(instance.__class__)}
