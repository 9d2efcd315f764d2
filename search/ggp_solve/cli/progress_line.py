"""One line on standard error that tells how far long work is: ever new in a terminal, now and then elsewhere."""

import shutil
import sys
import time
from types import TracebackType
from typing import Self

import attrs
import click

from ggp.escapes import escaped

QUIET_FOR = 10.0
"""Seconds between two lines where standard error is no terminal."""
BETWEEN = 0.1
"""The same in a terminal."""


@attrs.define
class ProgressLine:
    """The line; left as a context, it is taken away."""

    _told: float = attrs.field(factory=time.monotonic)
    _width: int = 0

    def show(self, text: str) -> None:
        """Say it, if it is time."""
        text = escaped(text)
        live, now = sys.stderr.isatty(), time.monotonic()
        if now - self._told < (BETWEEN if live else QUIET_FOR):
            return
        self._told = now
        if live:
            text = text[: shutil.get_terminal_size().columns - 1]
            click.echo(f"\r{text.ljust(self._width)}", nl=False, err=True)
            self._width = len(text)
        else:
            click.echo(text, err=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            click.echo(f"\r{' ' * self._width}\r", nl=False, err=True)
