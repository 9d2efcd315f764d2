"""Answers: how they are written, read and compared."""

import re
from fractions import Fraction
from math import inf, isclose, isinf
from typing import Literal

import attrs

from ggp.errors import NotationError
from ggp.show.node_text import probability

Form = Literal["number", "names", "order", "window", "bound"]
"""The form of an answer: a number, names in any order, names in order, two bounds, or a number with one of =, <=, >=.
"""

HINTS: dict[Form, str] = {
    "number": "a number, such as 3, 2.5 or 7/3",
    "names": "names separated by blanks, or none",
    "order": "names in order, separated by blanks",
    "window": "two numbers, such as 3 inf or -inf inf",
    "bound": "a bound, such as = 3, <= 3 or >= 3",
}
TOLERANCE = 0.006
"""Maximum deviation of an answer that is accepted, since answers may be rounded to two decimals."""


@attrs.frozen
class RightAnswer:
    """The right answer, in every form that is accepted; the first form is shown."""

    form: Form
    accepted: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The answer as text."""
        return self.accepted[0]

    def is_right(self, text: str) -> bool:
        """Return whether a text gives this answer.

        Raises:
            NotationError: the text is not an answer of this form; the message gives the form.
        """
        given = read(self.form, text)
        return any(_alike(given, read(self.form, each)) for each in self.accepted)


def number_text(value: float) -> str:
    """Return a value as a text that `read` accepts; it is a fraction if its denominator is small."""
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    return str(int(value)) if value == int(value) else probability(value)


def read(form: Form, text: str) -> tuple[object, ...]:
    """Return the parts of an answer. Raises as `RightAnswer.is_right` does."""
    text = text.strip().replace("∞", "inf").replace("−", "-").replace("≤", "<=").replace("≥", ">=")
    try:
        match form:
            case "number":
                return (_number(text),)
            case "window":
                low, high = [_number(part) for part in re.split(r"[\s,;]+", text.strip("[]() "))]
                return low, high
            case "bound":
                matched = re.fullmatch(r"(<=|>=|=|<|>)?\s*(\S+)", text)
                if not matched:
                    raise ValueError
                return matched[1] or "=", _number(matched[2])
        names = [part.lower() for part in re.split(r"[\s,;]+", text) if part]
    except ValueError:
        raise NotationError(f"{text!r} cannot be read: write {HINTS[form]}") from None
    if not names:
        raise NotationError(f"nothing was given: write {HINTS[form]}")
    if form == "order":
        return tuple(names)
    return tuple(sorted(set(names) - {"none"}))


def _number(text: str) -> float:
    if text.lower().lstrip("+-") in ("inf", "infinity"):
        return -inf if text.startswith("-") else inf
    if len(text) > MOST:
        raise ValueError
    try:
        return float(Fraction(text.replace(" ", "")))
    except (ZeroDivisionError, OverflowError):
        raise ValueError from None


MOST = 30
"""Maximum number of characters of a number."""


def _alike(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    if len(one) != len(other):
        return False
    return all(
        isclose(a, b, abs_tol=TOLERANCE) if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(one, other, strict=True)
    )
