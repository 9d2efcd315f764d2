"""Progress of long work, in one line on standard error; in a terminal the line is updated."""

import contextlib
import time
from collections.abc import Iterator
from contextvars import Token
from types import TracebackType
from typing import TYPE_CHECKING, Self

import attrs

from ggp import progress
from ggp.cli.console import console, echo
from ggp.escapes import escaped

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

BAR = 10
"""The width of the bar, in characters."""


def duration(seconds: float) -> str:
    """Return a time in words: "90 s", "2 min"."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


@attrs.define
class ProgressLine:
    """A progress line, as a context manager: on leaving, the line is removed. The line also shows work reported to
    `ggp.progress`.

    Arguments:
        limit: the seconds that the work takes, if known.
        every: seconds between two lines if standard error is not a terminal.
    """

    limit: float | None = None
    every: float = 10.0
    _began: float = attrs.field(factory=lambda: time.monotonic(), init=False)
    _printed: float = attrs.field(factory=lambda: time.monotonic(), init=False)
    _parts: tuple[str, ...] = attrs.field(default=(), init=False)
    _share: float | None = attrs.field(default=None, init=False)
    _doing: str = attrs.field(default="", init=False)
    _live: "Live | None" = attrs.field(default=None, init=False)
    _token: Token[progress.Show] | None = attrs.field(default=None, init=False)

    def show(self, *parts: str, share: float | None = None) -> None:
        """Show a text until the next call.

        Arguments:
            parts: pieces of the text, the most important first; those that do not fit are left out.
            share: the share of the work that is done, 0 to 1; None if unknown.
        """
        self._parts, self._share = tuple(escaped(part) for part in parts if part), share
        if self._live:
            self._live.start()
        elif time.monotonic() - self._printed >= self.every:
            self._printed = time.monotonic()
            echo("  ".join([self._elapsed(), *self._parts]), err=True)

    def draw(self) -> "RenderableType":
        """Return the line as it is now: a bar, the time, and the text. The bar moves back and forth if the share is
        unknown.
        """
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        elapsed = time.monotonic() - self._began
        share = min(elapsed / self.limit, 1.0) if self._share is None and self.limit else self._share
        line = Table.grid(padding=(0, 2, 0, 0), expand=True)
        line.add_column(width=BAR)
        line.add_column(no_wrap=True)
        line.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        bar = ProgressBar(total=1, completed=share or 0, pulse=share is None, animation_time=elapsed)
        line.add_row(bar, self._elapsed(), "  ".join(filter(None, (self._doing, *self._parts))))
        return line

    def _elapsed(self) -> str:
        return duration(time.monotonic() - self._began)

    @contextlib.contextmanager
    def _named(self, what: str) -> Iterator[None]:
        self._doing = what
        if self._live:
            self._live.start()
        try:
            yield
        finally:
            self._doing = ""

    def __enter__(self) -> Self:
        screen = console(err=True)
        if screen.is_terminal:
            from rich.live import Live

            self._live = Live(
                console=screen, get_renderable=self.draw, refresh_per_second=10, transient=True, redirect_stdout=False
            )
            self._token = progress.shown.set(self._named)
        return self

    def __exit__(
        self, cls: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()
        if self._token:
            progress.shown.reset(self._token)
