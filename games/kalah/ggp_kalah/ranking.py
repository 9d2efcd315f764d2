"""A perfect numbering of Kalah's states by the seeds that are still in the houses, for tablebases.

Stores and mover are left out: a state is given by the mover's houses and the opponent's houses. Let p(j) be the number
of seeds in houses 0 to j of a side. The side's number is the sum of C(p(j) + j, j + 1) over all houses but the last
(the combinatorial number system; D. E. Knuth, The Art of Computer Programming 4A, section 7.2.1.3). A play that brings
no seed into a store only moves seeds forward. So no p(j) grows, and at least one becomes smaller: the number becomes
smaller.

A layer has all states with the same number of seeds in play; a section of a layer has the states with the same number
of seeds on the smaller side. Plays that bring no seed into a store stay in the section, and lead to lower numbers.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import comb

import attrs

from ggp import MAX
from ggp_kalah.rules import KalahRules, State

MOST_SEEDS = 127
"""Maximum number of seeds in play; states with more seeds are not numbered."""


@attrs.frozen
class KalahRanking:
    """The numbering, for variants in which the stores do not change the best move."""

    game: KalahRules

    @property
    def parameters(self) -> Mapping[str, int | str]:
        return {"houses": self.game.houses, "capture": self.game.capture}

    def sections(self, layer: int) -> tuple[int, ...]:
        most = min(MOST_SEEDS, self.game.capacity)
        pairs = [(few, layer - few) for few in range(1, layer // 2 + 1) if layer <= most]
        return tuple((1 + (few < many)) * self._sides(few) * self._sides(many) for few, many in pairs)

    def layer(self, state: State) -> int:
        return self.game.left(state)

    def rank(self, state: State) -> tuple[int, int]:
        own, other = (state[1], state[0]) if state[2] else (state[0], state[1])
        first, seeds = self._number(own)
        second, others = self._number(other)
        if seeds == others:
            low, high = (first, second) if first < second else (second, first)
            return seeds - 1, high * high + 2 * low + (first < second)
        if seeds < others:
            return seeds - 1, 2 * (first * self._sides(others) + second)
        return others - 1, 2 * (second * self._sides(seeds) + first) + 1

    def positions(self, layer: int, section: int, first: int) -> Iterator[State]:
        few = section + 1
        if 2 * few < layer:
            yield from self._uneven(few, layer - few, first)
        else:
            yield from self._even(few, first)

    def unrank(self, layer: int, section: int, index: int) -> State:
        few, many = section + 1, layer - section - 1
        if few < many:
            pair, swapped = index // 2, index % 2
            ways = self._sides(many)
            own, other = self._side(pair // ways, few), self._side(pair % ways, many)
        else:
            high = self._shell(index)
            low, swapped = (index - high * high) // 2, (index - high * high) % 2
            own, other = self._side(high, few), self._side(low, few)
        return (other, own, MAX) if swapped else (own, other, MAX)

    @cached_property
    def _binomials(self) -> tuple[int, ...]:
        """C(n + k - 1, k) for each k and all n up to `MOST_SEEDS` + 1.

        Reading this table takes half the time of computing the products.
        """
        return tuple(comb(n + k - 1, k) if k else 1 for k in range(self.game.houses) for n in range(MOST_SEEDS + 2))

    def _term(self, house: int, seeds: int) -> int:
        """Return what `seeds` seeds in houses 0 to `house` add to the number of a side."""
        return self._binomials[(MOST_SEEDS + 2) * (house + 1) + seeds]

    def _sides(self, seeds: int) -> int:
        """Return the number of ways in which the seeds can lie in a side's houses: C(seeds + m - 1, m - 1)."""
        return self._binomials[(MOST_SEEDS + 2) * (self.game.houses - 1) + seeds + 1]

    def _number(self, word: int) -> tuple[int, int]:
        """Return the number that identifies the houses of a side, and how many seeds these houses hold."""
        bits, mask, last = self.game.bits, self.game.mask, self.game.houses - 1
        number, seeds = 0, 0
        for house in range(last):
            seeds += word >> bits * house & mask
            number += self._term(house, seeds)
        return number, seeds + (word >> bits * last & mask)

    def _side(self, number: int, seeds: int) -> int:
        """Return the houses that `number` identifies; the last house but one is found first, and house 0 last."""
        bits, word = self.game.bits, 0
        for house in range(self.game.houses - 2, -1, -1):
            here = 0  # the seeds in houses 0 to `house`: the most whose term is not above the number
            while here < seeds and self._term(house, here + 1) <= number:
                here += 1
            number -= self._term(house, here)
            word += seeds - here << bits * (house + 1)
            seeds = here
        return word + seeds

    def _following(self, word: int) -> int:
        """Return the houses that have the next number, with the same number of seeds. If `word` has the last number,
        the result has no meaning.
        """
        bits, mask, houses = self.game.bits, self.game.mask, self.game.houses
        nearest, house = word & mask, 1
        while house < houses and not word >> bits * house & mask:
            house += 1
        if house == houses:
            return 0
        return word - nearest - (1 << bits * house) + (nearest + 1 << bits * (house - 1))

    def _shell(self, index: int) -> int:
        """Return the greater of the two sides' numbers (see `_number`), given the index of a state with equally many
        seeds on both sides.
        """
        shell = 0
        while (shell + 1) * (shell + 1) <= index:
            shell += 1
        return shell

    def _uneven(self, few: int, many: int, first: int) -> Iterator[State]:
        ways, others = self._sides(few), self._sides(many)
        start, second, skip = first // 2 // others, first // 2 % others, first % 2
        own = self._side(start, few)
        for _ in range(start, ways):
            other = self._side(second, many)
            for _ in range(second, others):
                if not skip:
                    yield own, other, MAX
                skip = 0
                yield other, own, MAX
                other = self._following(other)
            own, second = self._following(own), 0

    def _even(self, seeds: int, first: int) -> Iterator[State]:
        ways, shell = self._sides(seeds), self._shell(first)
        inner, skip = (first - shell * shell) // 2, (first - shell * shell) % 2
        greater = self._side(shell, seeds)
        for high in range(shell, ways):
            lesser = self._side(inner, seeds)
            for _ in range(inner, high):
                if not skip:
                    yield greater, lesser, MAX
                skip = 0
                yield lesser, greater, MAX
                lesser = self._following(lesser)
            yield greater, greater, MAX
            greater, inner = self._following(greater), 0
