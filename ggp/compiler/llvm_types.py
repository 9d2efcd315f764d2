"""LLVM's types for our types, and how values are stored."""

from typing import Any

from llvmlite import ir

from ggp.compiler.types import BOOL, BOTTOM, FLOAT, NONE, List, Optional, RecordOf, Tuple, Type

WORD, BIT, DOUBLE, STATUS, POINTER = ir.IntType(64), ir.IntType(1), ir.DoubleType(), ir.IntType(32), ir.PointerType()
IN_MEMORY = 8
"""Values with more words than this are passed by address."""

OVERFLOW, UNSET, FIRST_ERROR = 1, 2, 3
"""Statuses: a fault such as a number beyond 64 bits, a variable without a value, and the first status of exceptions."""


def llvm_type(kind: Type) -> Any:
    """Return the LLVM type of a type."""
    if kind == FLOAT:
        return DOUBLE
    if kind in (BOOL, NONE, BOTTOM):
        return BIT
    if isinstance(kind, (Tuple, RecordOf)):
        if isinstance(kind, Tuple) and kind.items and len(set(kind.items)) == 1:
            return ir.ArrayType(llvm_type(kind.items[0]), len(kind.items))
        return ir.LiteralStructType([llvm_type(each) for each in kind.items])
    if isinstance(kind, Optional):
        return ir.LiteralStructType([BIT, llvm_type(kind.item)])
    if isinstance(kind, List):
        return ir.LiteralStructType([POINTER, WORD, WORD])
    return WORD


def words_in(kind: Type) -> int:
    """Return the number of words of a value in memory."""
    if isinstance(kind, (Tuple, RecordOf)):
        return sum(map(words_in, kind.items))
    if isinstance(kind, Optional):
        return 1 + words_in(kind.item)
    return 3 if isinstance(kind, List) else 1


def is_large(kind: Type) -> bool:
    """Return whether values of the type are passed by their address."""
    return words_in(kind) > IN_MEMORY


def has_list(kind: Type) -> bool:
    """Return whether a value contains a list, whose items are elsewhere in memory."""
    if isinstance(kind, (Tuple, RecordOf)):
        return any(map(has_list, kind.items))
    return isinstance(kind, List) or (isinstance(kind, Optional) and has_list(kind.item))


def array_item(kind: Type) -> Type | None:
    """Return the item type of a tuple that is stored as an array; None for any other type."""
    if isinstance(kind, Tuple) and kind.items and len(set(kind.items)) == 1:
        return kind.items[0]
    return None
