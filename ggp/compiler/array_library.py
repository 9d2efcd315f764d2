"""NumPy's library in Python: its functions on the items of an array, compiled in the same way as the module `library`.

The items come in the order in which NumPy has them. If NumPy's result would differ from Python's, Python takes over.
"""

import math
from collections.abc import Callable, Iterable

from ggp.compiler.field_dicts import Item, give_up

EXACT = 1 << 52
"""Sums of whole floats are exact in any order if their absolute values stay below this number. This matters because
NumPy adds floats in another order than Python.
"""


def total(items: Iterable[Item]) -> Item:
    """Return the sum of whole numbers."""
    total = 0
    for each in items:
        total += int(each)
    return total


def total_of_floats(items: Iterable[Item]) -> Item:
    """Return the sum of floats, if the sum is the same in any order; otherwise Python takes over."""
    total = 0.0
    for each in items:
        if not -EXACT < each < EXACT or math.floor(each) != each:
            give_up()
        total += each
        if not -EXACT < total < EXACT:
            give_up()
    return total


def product(items: Iterable[Item]) -> Item:
    """Return the product of whole numbers."""
    product = 1
    for each in items:
        product *= int(each)
    return product


def count_true(items: Iterable[object]) -> int:
    """Return the number of items that are not zero."""
    count = 0
    for each in items:
        if each:
            count += 1
    return count


def place_of_extreme(items: Iterable[Item], before: Callable[[Item, Item], bool]) -> int:
    """Return the index of the item that comes first, if `before(one, other)` says whether `one` comes before
    `other`.
    """
    slot, best = -1, None
    for index, each in enumerate(items):
        if best is None or before(each, best):
            slot, best = index, each
    if slot < 0:
        raise ValueError
    return slot


def equal_arrays(items: Iterable[Item]) -> bool:
    """Return whether the two items of every pair are equal."""
    for one, other in items:  # noqa: SIM110
        if one != other:
            return False
    return True


def absolute(value: Item) -> Item:
    """Return the absolute value of an item."""
    return abs(value)


def sign(value: Item) -> Item:
    """Return -1, 0 or 1."""
    return 1 if value > 0 else -1 if value < 0 else 0


def both(one: Item, other: Item) -> bool:
    """Return whether both items are true."""
    return bool(one) and bool(other)


def either(one: object, other: object) -> bool:
    """Return whether one of two items is true."""
    return bool(one) or bool(other)


def opposite(value: object) -> bool:
    """Return whether an item is false."""
    return not value


def rows(array: Item) -> Iterable[Item]:
    """Yield the items of an array with one axis, or the rows of an array with more axes."""
    for index in range(len(array)):
        yield array[index]


def rows_with_places(array: Item) -> Iterable[Item]:
    """Yield the row and column of each item of an array with two axes, together with the item."""
    for row in range(array.shape[0]):
        for column in range(array.shape[1]):
            yield (row, column), array[row, column]
