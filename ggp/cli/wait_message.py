"""Says on standard error what the user waits for."""

import contextlib
import threading
from collections.abc import Iterator

from ggp.cli.console import say

PATIENCE = 0.5
"""Seconds of silence: what is done sooner is not spoken of."""


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """Print what is being done, unless it is done at once; see `ggp.progress`."""
    timer = threading.Timer(PATIENCE, lambda: say(f"{what} ..."))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
