"""Functions of Python's library, written in plain Python so that they can be compiled."""

from collections.abc import Iterable, Sequence
from typing import Any


class Beyond(Exception):
    """Raised if the result is not an integer of at most 64 bits."""


def power(base: int, exponent: int) -> int:
    """Return base ** exponent; fail for a negative exponent, since the result is not an integer."""
    if exponent < 0:
        raise Beyond
    made = 1
    while exponent:
        if exponent & 1:
            made *= base
        exponent >>= 1
        if exponent:
            base *= base
    return made


def gcd(one: int, other: int) -> int:
    """Return the greatest common divisor."""
    while other:
        one, other = other, one % other
    return abs(one)


def comb(count: int, chosen: int) -> int:
    """Return the number of ways to choose `chosen` items from `count`."""
    if count < 0 or chosen < 0:
        raise ValueError
    if chosen > count:
        return 0
    made = 1
    for step in range(1, min(chosen, count - chosen) + 1):
        made = made * (count - min(chosen, count - chosen) + step) // step
    return made


def isqrt(number: int) -> int:
    """Return the integer part of the square root."""
    if number < 0:
        raise ValueError
    low, high = 0, 1
    while high <= 1 << 31 and high * high <= number:
        high *= 2
    while low < high - 1:
        middle = (low + high) // 2
        if middle * middle <= number:
            low = middle
        else:
            high = middle
    return low


def prod(numbers: Iterable[int]) -> int:
    """Return the product."""
    made = 1
    for number in numbers:
        made *= number
    return made


def comes_before(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether a sequence comes before another: by the first items that differ, or else by length."""
    for here, there in zip(one, other, strict=False):
        if here != there:
            return bool(here < there)
    return len(one) < len(other)
