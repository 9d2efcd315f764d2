"""Values in the memory of a program, as Python reads them.

The words at the address of a list are the address of its items, its length, and the number of items that fit there.
"""

import ctypes
from typing import Any

from ggp.compiler.encoding import build, of_class
from ggp.compiler.layout import parts, size_in_bytes, steps
from ggp.compiler.library import AS_PYTHON
from ggp.compiler.types import List, ObjectOf, Optional, RecordOf, Tuple, Type, has_reference


def word_at(address: int) -> int:
    """Return the word at an address."""
    return ctypes.c_int64.from_address(address).value


def value_at(address: int, kind: Type) -> Any:
    """Return the value at an address; lists and the objects in them are copied."""
    if not has_reference(kind):
        words = [
            (ctypes.c_uint8 if bit else ctypes.c_int64).from_address(address + offset).value
            for offset, bit in parts(kind)
        ]
        return build(iter(words), kind)
    if isinstance(kind, List):
        header = word_at(address)
        data, length, step = word_at(header), word_at(header + 8), size_in_bytes(kind.item)
        items = [value_at(data + step * index, kind.item) for index in range(length)]
        return "".join(items) if kind.cls is str else tuple(items) if kind.cls is tuple else items
    if isinstance(kind, Optional):
        there = ctypes.c_uint8.from_address(address).value
        return value_at(address + steps(kind)[1], kind.item) if there else None
    if isinstance(kind, ObjectOf):
        header = word_at(address)
        made: Any = object.__new__(kind.cls)
        for name, offset, item in zip(kind.fields, steps(kind), kind.items, strict=True):
            setattr(made, name, value_at(header + offset, item))
        return made.plain() if kind.cls in AS_PYTHON else made
    assert isinstance(kind, (Tuple, RecordOf))
    items = [value_at(address + offset, item) for offset, item in zip(steps(kind), kind.items, strict=True)]
    return of_class(kind.cls, items)
