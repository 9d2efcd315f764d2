"""How far a solve is, on standard error: one line that changes in a terminal, a line now and then elsewhere."""

import shutil
import sys
import time

import attrs
import click

from ggp.cli.session import Position
from ggp.show.numbers import interval, number
from ggp_search.solution import Progress

QUIET_FOR = 10.0
"""Seconds between two lines where standard error is no terminal."""


@attrs.define
class Shown:
    """Shows progress; called with it some times a second."""

    position: Position
    quiet: bool = False
    _told: float = attrs.field(factory=time.monotonic)
    _width: int = 0

    def __call__(self, progress: Progress) -> None:
        if self.quiet:
            return
        if sys.stderr.isatty():
            self._show("\r" + self._words(progress)[: shutil.get_terminal_size().columns - 1])
        elif time.monotonic() - self._told >= QUIET_FOR:
            self._told = time.monotonic()
            click.echo(self._words(progress), err=True)

    def _show(self, text: str) -> None:
        click.echo(text.ljust(self._width), err=True, nl=False)
        self._width = len(text)

    def done(self) -> None:
        """Take the changing line away."""
        if self._width:
            click.echo("\r" + " " * (self._width - 1) + "\r", err=True, nl=False)
            self._width = 0

    def _words(self, progress: Progress) -> str:
        rate = progress.states / progress.seconds if progress.seconds else 0.0
        doing = progress.doing
        if progress.question:
            doing += f" that it is {number(progress.question[1])} or more" if doing == "proving" else ""
        parts = [
            f"{progress.seconds:.0f} s",
            doing,
            f"value {interval(*progress.interval)}" if progress.interval else "",
            f"{progress.states:,} states ({rate:,.0f}/s)" if progress.states else "",
            " ".join(self.position.format_line(progress.line)),
        ]
        return "  ".join(part for part in parts if part)
