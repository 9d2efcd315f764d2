"""Options of the command line that take a number: declared once, with help, default and range."""

from collections.abc import Callable
from typing import TypeVar

import click

from ggp.options import Option

CommandT = TypeVar("CommandT", bound=Callable[..., object])
"""The function of a command, to which a decorator adds options."""


class _Number(click.ParamType):  # type: ignore[type-arg]
    """Reads a number by the rules of a declared option, so that wrong numbers get the option's error messages."""

    name = "number"

    def __init__(self, option: Option) -> None:
        self.option = option

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        return self.option.parse(value) if isinstance(value, str) else value


def takes_number(
    flag: str,
    help: str,
    *,
    default: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    type: type = int,
    metavar: str = "N",
    alias: str | None = None,
) -> Callable[[CommandT], CommandT]:
    """Return a decorator that adds an option for a number. The command gets the number, or None if none was typed and
    there is no default.
    """
    reader = _Number(Option(flag, type, default, minimum=minimum, maximum=maximum))
    shown = default is not None
    flags = [each for each in (flag, alias) if each]
    return click.option(
        *flags,
        flag.lstrip("-").replace("-", "_"),
        metavar=metavar,
        type=reader,
        default=default,
        show_default=shown,
        help=help,
    )
