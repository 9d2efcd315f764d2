"""Values, options and tables in words, and as what a program reads."""

import json
import math
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

import click

from ggp.escapes import LAYOUT, escaped
from ggp.options import Option
from ggp.show.numbers import number

WIDTH = 79
"""Characters a line of text for people, where the terminal has so many."""

LEAST = 12
"""Characters that text has beside a head, however narrow the terminal is."""


def plain(value: Any) -> Any:
    """Return `value` as JSON has it: whole floats as integers, infinite and unknown as null, anything else as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return None if not math.isfinite(value) else int(value) if value == int(value) else value
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
    return plain(float(value)) if hasattr(value, "__float__") else getattr(value, "__name__", str(value))


def echo(text: str = "", *, err: bool = False) -> None:
    """Print lines of text, with what a terminal would obey escaped: it may come from a file."""
    click.echo(escaped(text, LAYOUT), err=err)


def echo_json(value: Any) -> None:
    """Print `value` as JSON on standard output."""
    click.echo(json.dumps(plain(value), indent=2))


def assignments(values: Mapping[str, Any]) -> str:
    """Return `name=value` of each, as they are typed on the command line."""
    return " ".join(f"{name}={typed(value)}" for name, value in values.items())


def typed(value: Any) -> str:
    """Return a value as it is typed on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(typed, value))
    if isinstance(value, float):
        return number(value)
    return "none" if value is None else str(getattr(value, "__name__", value))


def described(option: Option) -> dict[str, Any]:
    """Return an option as what a program reads."""
    return {
        "name": option.name,
        "type": option.expected,
        "default": option.default,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "choices": list(option.choices) or None,
        "meaning": option.meaning,
    }


def option_lines(options: Sequence[Option], indent: str = "    ") -> Iterable[str]:
    """Return lines for people: `name=default`, the meaning, and the accepted values."""
    for option in options:
        head, expected = f"{indent}{option.name}={typed(option.default)}", option.expected
        if option.default is None:  # the meaning says what happens by default
            head, expected = f"{indent}{option.name}", expected.removesuffix(", or none")
        text = "; ".join(part for part in (option.meaning, expected) if part)
        yield from hanging(head, text, 28)


def many(number: int, one: str, more: str | None = None) -> str:
    """Return a number of things: "1 move", "1,000 moves"."""
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


def echo_game(name: str, parameters: Mapping[str, Any]) -> None:
    """Print which game is meant, with its parameters."""
    echo_wrapped(f"{name} {assignments(parameters)}".rstrip())


def echo_wrapped(text: str) -> None:
    """Print a text in lines that fit the width."""
    echo("\n".join(hanging("", text, 0)))


def echo_line(text: str) -> None:
    """Print a text in one line; in a terminal, in as many as it needs, broken between words."""
    echo(_broken(escaped(text), sys.stdout))


def say(sentence: str) -> None:
    """Tell something on standard error, in lines as `echo_line` does."""
    echo(_broken(f"ggp: {escaped(sentence)}", sys.stderr), err=True)


def _broken(text: str, stream: TextIO) -> str:
    most = columns(stream)
    return text if len(text) < most else textwrap.fill(text, max(int(most) - 1, LEAST), break_on_hyphens=False)


def echo_table(rows: Sequence[Sequence[str]]) -> None:
    """Print a table with a line of heads: the first column to the left, the others to the right.

    In a terminal the first column gives way, so that the table fits the width.
    """
    texts = [[escaped(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    rest = sum(widths[1:]) + 2 * (len(widths) - 1)
    first = int(min(widths[0], max(LEAST, columns(sys.stdout) - 1 - rest)))
    rule = ["─" * first, *("─" * each for each in widths[1:])]
    for row in (texts[0], rule, *texts[1:]):
        head = row[0] if len(row[0]) <= first else row[0][: first - 1] + "…"
        cells = (cell.rjust(each) for cell, each in zip(row[1:], widths[1:], strict=True))
        click.echo("  ".join([head.ljust(first), *cells]).rstrip())


def width() -> int:
    """Return the characters on a line of text for people: fewer in a narrow terminal."""
    return int(min(WIDTH, columns(sys.stdout) - 1))


def columns(stream: TextIO) -> float:
    """Return the characters on a line of a stream: without limit where it is no terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else math.inf


def hanging(head: str, text: str, column: int) -> Iterable[str]:
    """Yield `head` with `text` beside it from `column` on, in lines that fit the width."""
    lines = textwrap.wrap(escaped(text, LAYOUT), max(width() - column, LEAST), break_on_hyphens=False) or [""]
    if head and len(head) >= column:
        yield head
    else:
        lines[0] = f"{head:<{column}}{lines[0]}".rstrip()
        yield lines.pop(0)
    yield from (" " * column + line for line in lines)


def echo_rows(rows: Mapping[str, str]) -> None:
    """Print titles and beside them their texts; what is empty is left out."""
    for title, text in rows.items():
        if text:
            echo("\n".join(hanging(title, text, 12)))
