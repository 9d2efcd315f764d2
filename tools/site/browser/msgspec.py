"""Takes the place of msgspec, which has no build for browsers. In a browser, only files that ggp itself ships
are read.
"""

import json as standard
from typing import Any, get_args, get_type_hints

import attrs


class MsgspecError(Exception):
    """Never raised."""


class ValidationError(MsgspecError):
    """Never raised."""


class Meta:
    """Bounds of a value; nothing checks them here."""

    def __init__(self, **bounds: object) -> None:
        self.bounds = bounds


class json:
    """Reading and writing of JSON by the standard library."""

    @staticmethod
    def decode(text: str) -> Any:
        return standard.loads(text)

    @staticmethod
    def encode(value: object, *, order: str | None = None) -> bytes:
        return standard.dumps(value, sort_keys=order is not None).encode()


def convert(raw: dict[str, object], kind: object) -> object:
    """Return an object of a class, made from its attributes, with all nested objects. No types are checked."""
    hints = get_type_hints(kind)
    return kind(**{name: _made(value, hints[name]) for name, value in raw.items()})


def _made(value: object, hint: object) -> object:
    classes = [each for each in (hint, *get_args(hint)) if isinstance(each, type) and attrs.has(each)]
    return convert(value, classes[0]) if classes and isinstance(value, dict) else value
