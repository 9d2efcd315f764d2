"""Which of many cases the default run draws; the slow run has them all."""

from collections.abc import Iterable

import pytest


def sampled(cases: Iterable[object], every: int) -> list[object]:
    """Return the cases as parameters of a test: the first of each `every` as it is, the others marked as slow."""
    return [pytest.param(case, marks=pytest.mark.slow if number % every else ()) for number, case in enumerate(cases)]


def but_slow(cases: Iterable[object], *quick: object) -> list[object]:
    """Return the cases as parameters of a test, marked as slow but for those that are `quick`."""
    return [pytest.param(case, marks=() if case in quick else pytest.mark.slow) for case in cases]


SPEEDS = ["interpreted", pytest.param("compiled", marks=pytest.mark.slow)]
"""For what is soon found interpreted, and takes seconds to compile."""
