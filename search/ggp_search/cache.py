"""Where machine code is kept on disk: the object file of a recursion, with what is needed to call it."""

import json

import attrs

from ggp.compiler import cache


@attrs.frozen
class Kept:
    """An object file and what is needed to call its one function."""

    symbol: str
    integral: bool
    needs: tuple[str, ...]
    """The symbols that are to be found outside it."""
    object_file: bytes


def read(name: str) -> Kept | None:
    """What is kept under `name`, or None."""
    head, _, object_file = (cache.read(name) or b"").partition(b"\n")
    if not head:
        return None
    symbol, integral, needs = json.loads(head)
    return Kept(symbol, integral, tuple(needs), object_file)


def write(name: str, kept: Kept) -> None:
    """Keep it under `name`."""
    cache.write(name, json.dumps([kept.symbol, kept.integral, kept.needs]).encode() + b"\n" + kept.object_file)
