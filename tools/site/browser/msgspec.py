"""Stands in for msgspec, which has no build for browsers: nothing is read from files or written to them there."""

from typing import Any


class MsgspecError(Exception):
    """Never raised."""


class ValidationError(MsgspecError):
    """Never raised."""


class Meta:
    """Bounds of a value, which nothing checks."""

    def __init__(self, **bounds: Any) -> None:
        self.bounds = bounds
