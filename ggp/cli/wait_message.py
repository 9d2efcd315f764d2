"""Print on standard error what the program is working on, if it takes time."""

import contextlib
import threading
from collections.abc import Iterator

from ggp.cli.console import say

PATIENCE = 0.5
"""Seconds before a message; work that ends earlier is not mentioned."""


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """Print a message about the work under way, unless the work ends quickly; see `ggp.progress`."""
    timer = threading.Timer(PATIENCE, lambda: say(f"{what} ..."))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
