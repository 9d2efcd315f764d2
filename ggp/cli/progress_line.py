"""One line on standard error that says how far long work is; in a terminal it moves."""

import contextlib
import math
import sys
import threading
import time
from collections.abc import Iterator
from contextvars import Token
from types import TracebackType
from typing import Any, Self

import attrs
import click

from ggp import progress
from ggp.cli.words import columns
from ggp.escapes import escaped

BETWEEN = 0.1
"""Seconds between two drawings of the line in a terminal, whether there is news or not."""
BAR = 10
"""The width of the bar, in characters."""
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@attrs.define
class ProgressLine:
    """The line; left as a context, it is taken away. Work that is named meanwhile (see `ggp.progress`) stands in it.

    Arguments:
        limit: the seconds that the work takes, where they are known.
        every: seconds between two lines where standard error is no terminal.
    """

    limit: float | None = None
    every: float = 10.0
    _began: float = attrs.field(factory=lambda: time.monotonic(), init=False)
    _told: float = attrs.field(factory=lambda: time.monotonic(), init=False)
    _parts: tuple[str, ...] = attrs.field(default=(), init=False)
    _share: float | None = attrs.field(default=None, init=False)
    _doing: str = attrs.field(default="", init=False)
    _width: int = attrs.field(default=0, init=False)
    _over: threading.Event = attrs.field(factory=threading.Event, init=False)
    _drawing: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _thread: threading.Thread | None = attrs.field(default=None, init=False)
    _token: Token[Any] | None = attrs.field(default=None, init=False)

    def show(self, *parts: str, share: float | None = None) -> None:
        """Say this from now on.

        Arguments:
            parts: what there is to say, the most important first: what does not fit is left out.
            share: of the work that is done, 0 to 1; None where that is not known.
        """
        self._parts, self._share = tuple(escaped(part) for part in parts if part), share
        if self._thread is None and time.monotonic() - self._told >= self.every:
            self._told = time.monotonic()
            click.echo("  ".join([self._elapsed(), *self._parts]), err=True)

    def text(self, room: float = math.inf) -> str:
        """Return the line as it is now, within so many characters."""
        elapsed = time.monotonic() - self._began
        share = min(elapsed / self.limit, 1.0) if self._share is None and self.limit else self._share
        line = (
            f"{bar(share) if share is not None else SPINNER[int(elapsed / BETWEEN) % len(SPINNER)]} {self._elapsed()}"
        )
        for part in (*((self._doing,) if self._doing else ()), *self._parts):
            if len(line) + 2 + len(part) <= room:
                line += f"  {part}"
            elif part is self._parts[-1]:  # as much of a line of play as has room
                words = part[: max(0, int(room) - len(line) - 2)].rpartition(" ")[0]
                line += f"  {words}" if words else ""
        return line[: int(min(room, len(line)))]

    def _elapsed(self) -> str:
        seconds = time.monotonic() - self._began
        return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"

    def _draw(self) -> None:
        with self._drawing:
            line = self.text(columns(sys.stderr) - 1)
            click.echo(f"\r{line.ljust(self._width)}", nl=False, err=True)
            self._width = len(line)

    def _keep_drawing(self) -> None:
        while not self._over.wait(BETWEEN):
            if self._parts or self._doing:
                self._draw()

    @contextlib.contextmanager
    def _named(self, what: str) -> Iterator[None]:
        self._doing = what
        try:
            yield
        finally:
            self._doing = ""

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._thread = threading.Thread(target=self._keep_drawing, daemon=True)
            self._thread.start()
            self._token = progress.shown.set(self._named)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread:
            self._thread.join()
        if self._token:
            progress.shown.reset(self._token)
        if self._width:
            click.echo(f"\r{' ' * self._width}\r", nl=False, err=True)


def bar(share: float) -> str:
    """Return a bar that is filled to this share, 0 to 1."""
    filled = int(BAR * share)
    return "█" * filled + "░" * (BAR - filled)
