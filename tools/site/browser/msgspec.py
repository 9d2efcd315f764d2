"""Stands in for msgspec, which has no build for browsers: only what ggp itself ships is read there."""

import json as standard
from typing import Any


class MsgspecError(Exception):
    """Never raised."""


class ValidationError(MsgspecError):
    """Never raised."""


class Meta:
    """Bounds of a value, which nothing checks."""

    def __init__(self, **bounds: Any) -> None:
        self.bounds = bounds


class json:
    """JSON by the standard library."""

    @staticmethod
    def decode(text: str) -> Any:
        return standard.loads(text)

    @staticmethod
    def encode(value: Any, *, order: str | None = None) -> bytes:
        return standard.dumps(value, sort_keys=order is not None).encode()


def convert(raw: dict[str, Any], kind: Any) -> Any:
    """Return an object of a class from its attributes; their types are not checked."""
    return kind(**raw)
