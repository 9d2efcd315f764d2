"""A perfect numbering of Nim's positions by the stones that are left: every action leads to a lower grade.

A grade has one section. In it a position is numbered by the stones p(j) in heaps 0 to j: the number is the sum of
C(p(j) + j, j + 1) over all heaps but the last (the combinatorial number system; D. E. Knuth, The Art of Computer
Programming 4A, section 7.2.1.3). Who is to move is left out.
"""

from collections.abc import Callable, Iterator
from math import comb
from typing import Any

from ggp import Ranking

Position = tuple[int, int]
MOST_HEAPS = 8
"""Positions of more heaps have no numbers."""
MOST_STONES = 127
"""Nor have positions of more stones."""


def ranking(count: int, bits: int, misere: bool, compile: Callable[[Any], Any]) -> Ranking | None:
    """The numbering of positions of `count` heaps, each of `bits` bits, the first lowest; None if they are too many."""
    if count > MOST_HEAPS:
        return None
    digit = (1 << bits) - 1

    @compile
    def grade(position: Position) -> int:
        stones = 0
        for heap in range(count):
            stones += position[0] >> bits * heap & digit
        return stones

    @compile
    def place(position: Position) -> tuple[int, int]:
        number, stones = 0, 0
        for heap in range(count - 1):
            stones += position[0] >> bits * heap & digit
            term = 1
            for step in range(heap + 1):
                term = term * (stones + step) // (step + 1)
            number += term
        return 0, number

    def sections(grade: int) -> tuple[int, ...]:
        return (comb(grade + count - 1, count - 1),) if 0 < grade <= MOST_STONES else ()

    return Ranking(
        sections=sections,
        grade=grade,
        place=place,
        positions=_positions(count, bits, compile),
        parameters={"number_of_heaps": count, "misere": misere},
    )


def _positions(count: int, bits: int, compile: Callable[[Any], Any]) -> Any:
    """positions(grade, section, first), from all stones in the last heap to all in the first one."""
    digit = (1 << bits) - 1

    @compile
    def following(heaps: int) -> int:
        first, heap = heaps & digit, 1
        while not heaps >> bits * heap & digit:
            heap += 1
        return heaps - first - (1 << bits * heap) + (first + 1 << bits * (heap - 1))

    @compile
    def positions(grade: int, section: int, first: int) -> Iterator[Position]:
        heaps, number = grade << bits * (count - 1), 0
        while heaps != grade:
            if number >= first:
                yield heaps, 0
            heaps = following(heaps)
            number += 1
        if number >= first:
            yield heaps, 0

    return positions
