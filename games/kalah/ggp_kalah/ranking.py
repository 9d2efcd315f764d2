"""A perfect numbering of Kalah's positions by the seeds that are still in the houses. For both speeds, as `rules`.

The stores drop out, and so does the mover: a position is the mover's houses and the opponent's. One side's houses are
numbered by the seeds p(j) in houses 0 to j: the number is the sum of C(p(j) + j, j + 1) over all houses but the last
(the combinatorial number system; D. E. Knuth, The Art of Computer Programming 4A, section 7.2.1.3). A play that
brings no seed into the store only moves seeds forward, so it makes no p(j) greater and one less: the number falls.

A grade is the seeds in play, and a section of it the positions in which the lesser side has so many. Plays that
bring nothing into a store lead from a section to itself, and the numbering below is such that they lead downwards.
"""

from collections.abc import Callable, Iterator, Mapping
from math import comb
from typing import Any

from ggp.game import Ranking
from ggp_kalah.packing import Compile, Packing, State

Number = Callable[[int], int]
Numbering = Callable[[int, int], tuple[int, int]]

MOST_SEEDS = 127
"""Positions with more seeds in play have no number."""


def ranking(packing: Packing, parameters: Mapping[str, Any], compile: Compile) -> Ranking:
    """The numbering for single plays, see `ggp.game.Ranking`; `parameters` are those that matter to it."""
    mask, all_houses = packing.mask, packing.all_houses
    number, count = _numbering(packing, 0, compile), _ways(packing.houses, compile)

    @compile
    def grade(state: State) -> int:
        return ((state[0] & all_houses) + (state[1] & all_houses)) % mask

    @compile
    def place(state: State) -> tuple[int, int]:
        south, north, mover = state
        own, other = (north, south) if mover else (south, north)
        first, seeds = number(own, 0)
        second, others = number(other, 0)
        if seeds == others:
            low, high = (first, second) if first < second else (second, first)
            return seeds - 1, high * high + 2 * low + (first < second)
        most, least = (seeds, others) if seeds > others else (others, seeds)
        low, high = (second, first) if seeds > others else (first, second)
        return least - 1, 2 * (low * count(most) + high) + (seeds > others)

    return Ranking(
        sections=_sections(packing.houses, min(MOST_SEEDS, packing.capacity)),
        grade=grade,
        place=place,
        positions=_positions(packing, count, compile),
        parameters=parameters,
    )


def _sections(houses: int, most: int) -> Callable[[int], tuple[int, ...]]:
    def sizes(grade: int) -> tuple[int, ...]:
        pairs = [(few, grade - few) for few in range(1, grade // 2 + 1) if grade <= most]
        ways = [(comb(few + houses - 1, few), comb(many + houses - 1, many), few < many) for few, many in pairs]
        return tuple((1 + uneven) * one * other for one, other, uneven in ways)

    return sizes


def _numbering(packing: Packing, house: int, compile: Compile) -> Numbering:
    """number(word, before): the sum of the terms of the houses from `house` on, and the seeds in all houses.

    `before` is the seeds in the houses before.
    """
    at, mask = packing.bits * house, packing.mask
    if house == packing.houses - 1:

        @compile
        def last(word: int, before: int) -> tuple[int, int]:
            return 0, before + (word >> at & mask)

        return last

    rest, term = _numbering(packing, house + 1, compile), _choosing(house, house + 1, compile)

    @compile
    def number(word: int, before: int) -> tuple[int, int]:
        here = before + (word >> at & mask)
        others, seeds = rest(word, here)
        return term(here) + others, seeds

    return number


def _choosing(more: int, ways: int, compile: Compile) -> Number:
    """choose(n): C(n + more, ways). By a table: its loads take half the time of the products."""
    table = tuple(comb(number + more, ways) for number in range(MOST_SEEDS + 1))

    @compile
    def choose(number: int) -> int:
        return table[number]

    return choose


def _ways(houses: int, compile: Compile) -> Number:
    """ways(seeds): in how many ways they lie in a side's houses."""
    return _choosing(houses - 1, houses - 1, compile)


def _positions(packing: Packing, count: Number, compile: Compile) -> Callable[[int, int, int], Iterator[Any]]:
    """positions(grade, section, first): South to move, in the order of their numbers, from number `first` on."""
    side, following = _side(packing, compile), _following(packing, compile)

    @compile
    def uneven(few: int, many: int, first: int) -> Iterator[State]:
        ways, others = count(few), count(many)
        start, second = first // 2 // others, first // 2 % others
        own, skip = side(start, few), first % 2
        for _ in range(start, ways):
            other = side(second, many)
            for _ in range(second, others):
                if not skip:
                    yield own, other, 0
                skip = 0
                yield other, own, 0
                other = following(other)
            own, second = following(own), 0

    @compile
    def even(seeds: int, first: int) -> Iterator[State]:
        ways, shell = count(seeds), 0
        while (shell + 1) * (shell + 1) <= first:
            shell += 1
        inner, skip = (first - shell * shell) // 2, (first - shell * shell) % 2
        greater = side(shell, seeds)
        for high in range(shell, ways):
            lesser = side(inner, seeds)
            for _ in range(inner, high):
                if not skip:
                    yield greater, lesser, 0
                skip = 0
                yield lesser, greater, 0
                lesser = following(lesser)
            yield greater, greater, 0
            greater, inner = following(greater), 0

    @compile
    def positions(grade: int, section: int, first: int) -> Iterator[State]:
        few = section + 1
        if 2 * few < grade:
            for position in uneven(few, grade - few, first):
                yield position
        else:
            for position in even(few, first):
                yield position

    return positions


def _side(packing: Packing, compile: Compile) -> Callable[[int, int], int]:
    """side(number, seeds): the word of that number, digit by digit from the last house but one."""
    bits, houses = packing.bits, packing.houses

    @compile
    def term(seeds: int, place: int) -> int:
        product = 1
        for more in range(place + 1):
            product = product * (seeds + more) // (more + 1)
        return product

    @compile
    def side(number: int, seeds: int) -> int:
        word = 0
        for place in range(houses - 2, -1, -1):
            here = 0  # the seeds in houses 0 to `place`: the most whose term is not above the number
            while here < seeds and term(here + 1, place) <= number:
                here += 1
            number -= term(here, place)
            word += seeds - here << bits * (place + 1)
            seeds = here
        return word + seeds

    return side


def _following(packing: Packing, compile: Compile) -> Number:
    """following(word): the word with the next number and as many seeds; of the last one, anything."""
    bits, mask, houses = packing.bits, packing.mask, packing.houses

    @compile
    def following(word: int) -> int:
        nearest, house = word & mask, 1
        while house < houses and not word >> bits * house & mask:
            house += 1
        if house == houses:
            return 0
        return word - nearest - (1 << bits * house) + (nearest + 1 << bits * (house - 1))

    return following
