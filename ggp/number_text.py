"""Values, bounds and windows as text."""

import math
from math import inf, nextafter

UNKNOWN = "unknown"
NOISE = 1e-14
"""Largest rounding error of a sum of a few probabilities; smaller values are shown as 0."""
LONG = 1e16
"""Floats from this size on are shown with a few digits only, since such floats cannot represent every integer."""


def number(value: float, digits: int = 6) -> str:
    """Return a value as text: an integer without a decimal point, any other number to `digits` significant digits.

    A number within the rounding error of a sum is shown as 0.
    """
    if math.isnan(value):
        return UNKNOWN
    if math.isinf(value):
        return "+inf" if value > 0 else "-inf"
    if isinstance(value, float) and abs(value) >= LONG:
        return f"{value:.{digits}g}"
    return str(int(value)) if value == int(value) or abs(value) < NOISE else f"{value:.{digits}g}"


def many(number: int, one: str, more: str | None = None) -> str:
    """Return a number of things: "1 move", "1,000 moves"."""
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


def at_least(lower: float, digits: int = 6) -> str:
    """Return the text "≥ lower", or "> other" if `lower` is the least float above a rounder number."""
    other = nextafter(lower, -inf)
    return f"> {number(other, digits)}" if _rounder(other, lower) else f"≥ {number(lower, digits)}"


def at_most(upper: float, digits: int = 6) -> str:
    """Return the text "≤ upper", or "< other" if `upper` is the greatest float below a rounder number."""
    other = nextafter(upper, inf)
    return f"< {number(other, digits)}" if _rounder(other, upper) else f"≤ {number(upper, digits)}"


def interval(lower: float, upper: float, digits: int = 6) -> str:
    """Return an interval as text: a value, one bound, both bounds, or "?" if neither is known."""
    if lower == upper:
        return number(lower, digits)
    if math.isinf(lower) and math.isinf(upper):
        return UNKNOWN
    if math.isinf(upper):
        return at_least(lower, digits)
    if math.isinf(lower):
        return at_most(upper, digits)
    return f"{number(lower, digits)} to {number(upper, digits)}"


def window(alpha: float, beta: float) -> str:
    """Return a search window as text, with bounds to three digits."""
    return f"[{number(alpha, 3)}, {number(beta, 3)}]"


def _rounder(one: float, other: float) -> bool:
    return len(repr(float(one))) + 4 < len(repr(float(other)))
