"""Waits for what goes on elsewhere."""

import time
from collections.abc import Callable


def wait_until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it has not come to hold"
        time.sleep(0.02)
