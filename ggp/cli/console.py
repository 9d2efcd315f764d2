"""Print texts, rows and tables: with the library `rich` for people, as Markdown in a file, as JSON for programs."""

import json
import math
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import click

from ggp.escapes import LAYOUT, escaped
from ggp.markdown import markdown_table
from ggp.number_text import number
from ggp.options import Option

if TYPE_CHECKING:
    from rich.console import Console, OverflowMethod, RenderableType

WIDTH = 80
"""Maximum number of columns of a line of text; in a narrower terminal, lines are as wide as the terminal."""
TITLE = 12
"""Columns reserved for a row's title, the space after it included."""


def console(*, err: bool = False) -> "Console":
    """Return the console of `rich` for a standard stream: as wide as the terminal, or 80 columns if it is not a
    terminal.
    """
    from rich.console import Console  # not every command prints for people

    wide = None if (sys.stderr if err else sys.stdout).isatty() else WIDTH
    return Console(stderr=err, width=wide, highlight=False, markup=False, emoji=False)


def show(
    thing: "RenderableType",
    *,
    err: bool = False,
    width: int | None = None,
    soft_wrap: bool | None = None,
    no_wrap: bool | None = None,
    overflow: "OverflowMethod | None" = None,
) -> None:
    """Print an object that `rich` can draw, without trailing blanks."""
    target = console(err=err)
    with target.capture() as captured:
        target.print(thing, width=width, soft_wrap=soft_wrap, no_wrap=no_wrap, overflow=overflow)
    text = re.sub(r" +$", "", captured.get(), flags=re.MULTILINE)
    click.echo(text, nl=False, err=err, color=target.is_terminal)


def echo(text: str = "", *, err: bool = False) -> None:
    """Print lines of text. Control characters are escaped, since the text may come from a file."""
    click.echo(escaped(text, LAYOUT), err=err)


def echo_json(value: object) -> None:
    """Print `value` as JSON on standard output."""
    click.echo(json.dumps(plain(value), indent=2))


def echo_line(text: str) -> None:
    """Print a text in one line; in a terminal, break it between words into as many lines as it needs."""
    show(escaped(text), soft_wrap=not sys.stdout.isatty())


def say(sentence: str) -> None:
    """Print a sentence on standard error, wrapped as `echo_line` does."""
    show(f"ggp: {escaped(sentence)}", err=True, soft_wrap=not sys.stderr.isatty())


def echo_text(text: str, indent: int = 0) -> None:
    """Print a paragraph, wrapped to the width."""
    paragraph = " ".join(escaped(text, LAYOUT).split())
    if _is_wide(paragraph):
        from rich.padding import Padding

        show(Padding(paragraph, (0, 0, 0, indent)), width=_width())
        return
    click.echo(fitted(paragraph, " " * indent))  # rich takes 4 times as long, and `ggp games` prints little else


def fitted(text: str, margin: str = "") -> str:
    """Return a paragraph wrapped to the width. Each line begins with `margin`."""
    return textwrap.fill(text, _width(), initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)


def echo_ends(left: str, right: str) -> None:
    """Print one text at the left end of a line and another at its right end."""
    first, last = escaped(left), escaped(right)
    gap = _width() - len(first) - len(last)
    if gap > 0 and not _is_wide(first + last):
        click.echo(click.style(first, bold=True) + " " * gap + click.style(last, dim=True), color=_is_styled())
        return
    from rich.table import Table

    grid = Table.grid(expand=True)
    grid.add_column(style="bold")
    grid.add_column(style="dim", justify="right")
    grid.add_row(first, last)
    show(grid, width=_width())


def echo_rows(rows: Mapping[str, str], indent: int = 0, title: int = TITLE) -> None:
    """Print titles, each with its text beside it. A row with an empty text is skipped.

    Arguments:
        indent: columns before the titles.
        title: columns reserved for the titles, the space after them included.
    """
    from rich.padding import Padding
    from rich.table import Table

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(min_width=title - 2, style="bold", overflow="fold")
    grid.add_column(overflow="fold")
    for head, text in rows.items():
        if text:
            grid.add_row(escaped(head), " ".join(escaped(text, LAYOUT).split()))
    show(Padding(grid, (0, 0, 0, indent)), width=_width())


def echo_choices(rows: Mapping[str, str]) -> None:
    """Print choices, each with a one-line text; if the screen is too small, print only their names, in columns."""
    target = console()
    if not target.is_terminal:
        echo_rows(rows)
        return
    from rich.columns import Columns
    from rich.table import Table

    if len(rows) + ASKED > target.height:
        show(Columns(map(escaped, rows), padding=(0, 2, 0, 0), column_first=True))
        return
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(style="bold", no_wrap=True, min_width=max(map(len, rows), default=0))
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for head, text in rows.items():
        grid.add_row(escaped(head), " ".join(escaped(text, LAYOUT).split()))
    show(grid, width=target.width)


ASKED = 3
"""Number of lines of the screen that must stay free for a question below the choices."""


def echo_table(rows: Sequence[Sequence[str]], texts: Collection[int] = (0,)) -> None:
    """Print a table: in a terminal, fitted to its width; elsewhere, as Markdown.

    Arguments:
        rows: the first row holds the headings.
        texts: indices of the columns that hold text; the other columns hold numbers. Text that is too wide is wrapped.
    """
    if not sys.stdout.isatty():
        click.echo(markdown_table(rows, texts))
        return
    from rich import box
    from rich.table import Table

    rich_table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for index, head in enumerate(rows[0]):
        text = index in texts
        rich_table.add_column(escaped(head), justify="left" if text else "right", no_wrap=not text, overflow="fold")
    for row in rows[1:]:
        rich_table.add_row(*map(escaped, row))
    show(rich_table)


def echo_game(name: str, parameters: Mapping[str, object]) -> None:
    """Print the name of the game, with its parameters."""
    echo_text(f"{name} {assignments(parameters)}".rstrip())


def echo_options(options: Iterable[Option], indent: int = 4) -> None:
    """Print `name=default` of each option, its meaning and the accepted values."""
    rows = {}
    for option in options:
        head, expected = f"{option.name}={typed(option.default)}", option.expected
        if option.default is None:  # the meaning says what happens by default
            head, expected = option.name, expected.removesuffix(", or none")
        rows[head] = "; ".join(part for part in (option.meaning, expected) if part)
    echo_rows(rows, indent, OPTION)


OPTION = 24
"""Columns reserved for an option, the space after it included."""


def _width() -> int:
    """Return the width of a line of text, in columns: `WIDTH`, or the width of the terminal if that is smaller."""
    return min(WIDTH, shutil.get_terminal_size((WIDTH, 1)).columns) if sys.stdout.isatty() else WIDTH


def _is_wide(text: str) -> bool:
    """Return whether the text has a character that does not take exactly one column."""
    return not text.isascii() and any(
        unicodedata.east_asian_width(each) in "WF" or unicodedata.combining(each) for each in text
    )


def _is_styled() -> bool:
    """Return whether standard output is a terminal that shows bold text."""
    return sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def plain(value: object) -> Any:
    """Return `value` in JSON's types: whole floats as integers, infinite and unknown values as null, other objects as
    text.
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return None if not math.isfinite(value) else int(value) if value == int(value) else value
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
    return plain(float(value)) if hasattr(value, "__float__") else _label(value)


def assignments(values: Mapping[str, object]) -> str:
    """Return `name=value` for each value, as typed on the command line."""
    return " ".join(f"{name}={typed(value)}" for name, value in values.items())


def typed(value: object) -> str:
    """Return a value as it is typed on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(typed, value))
    if isinstance(value, float):
        return number(value)
    return "none" if value is None else _label(value)


def _label(value: object) -> str:
    """Return the name of a function or a class, and any other value as text."""
    if isinstance(value, FunctionType | MethodType | BuiltinFunctionType | type):
        return value.__name__
    return str(value)


def described(option: Option) -> dict[str, object]:
    """Return the description of an option for JSON."""
    return {
        "name": option.name,
        "type": option.expected,
        "default": option.default,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "choices": list(option.choices) or None,
        "meaning": option.meaning,
    }
