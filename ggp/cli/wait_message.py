"""Says on standard error what the user waits for."""

import contextlib
import threading
from collections.abc import Iterator

from ggp.cli.console import say

PATIENCE = 0.5
"""Seconds of silence: what is done sooner is not spoken of."""


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """Print a message about the work under way, unless it ends at once; see `ggp.progress`."""
    timer = threading.Timer(PATIENCE, lambda: say(f"{what} ..."))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
