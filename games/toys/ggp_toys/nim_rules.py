"""The rules of Nim, and the capabilities that searches and tablebases use."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import comb
from typing import ClassVar

import attrs

import ggp

State = tuple[int, ...]
"""The number of stones in each heap, followed by the player to move."""
Action = tuple[int, int]
"""A heap, counted from 1, and the number of stones to take from it."""

MOST = 1000
"""Maximum number of stones in a heap."""
MOST_HEAPS = 8
"""Maximum number of heaps: states with more have no number."""
MOST_STONES = 127
"""Maximum number of stones in all heaps: states with more have no number."""


@attrs.frozen
class NimRules:
    """The rules of Nim."""

    heaps: tuple[int, ...] = ggp.option((3, 4, 5), "stones in each heap", minimum=0, maximum=MOST)
    misere: bool = ggp.option(False, "whether the player who takes the last stone loses")

    player_names: ClassVar[tuple[str, str]] = ("first", "second")

    def __attrs_post_init__(self) -> None:
        if not self.heaps:
            raise ggp.OptionError("heaps cannot be empty: nim is played with one heap or more")

    def initial_state(self) -> State:
        return (*self.heaps, ggp.MAX)

    def to_move(self, state: State) -> ggp.Player:
        return state[-1]

    def actions(self, state: State) -> Iterator[Action]:
        for heap, stones in enumerate(state[:-1], start=1):
            for taken in range(1, stones + 1):
                yield heap, taken

    def result(self, state: State, action: Action) -> State:
        heap, taken = action
        numbers = list(state)
        numbers[heap - 1] -= taken
        numbers[-1] = 1 - numbers[-1]
        return tuple(numbers)

    def terminal_test(self, state: State) -> bool:
        return not any(state[:-1])

    def utility(self, state: State, player: ggp.Player) -> int:
        return 1 if (state[-1] == player) == self.misere else -1  # who is to move has not taken the last stone

    def bounds(self, state: State) -> tuple[int, int]:
        return -1, 1

    @property
    def ranking(self) -> "NimRanking | None":
        return NimRanking(len(self.heaps), self.misere) if len(self.heaps) <= MOST_HEAPS else None


@attrs.frozen
class NimRanking:
    """A perfect numbering of Nim's states by the stones that are left: every action leads to a lower layer.

    A layer has only one section. Let p(j) be the number of stones in heaps 0 to j. The state's number in its section is
    the sum of C(p(j) + j, j + 1) over all heaps but the last (the combinatorial number system; D. E. Knuth, The Art of
    Computer Programming 4A, section 7.2.1.3). The number does not depend on the player to move.
    """

    heaps: int
    """Number of heaps."""
    misere: bool

    @property
    def parameters(self) -> Mapping[str, int | bool]:
        return {"number_of_heaps": self.heaps, "misere": self.misere}

    def sections(self, layer: int) -> tuple[int, ...]:
        return (comb(layer + self.heaps - 1, self.heaps - 1),) if 0 < layer <= MOST_STONES else ()

    def layer(self, state: State) -> int:
        return sum(state[:-1])

    def rank(self, state: State) -> tuple[int, int]:
        number, stones = 0, 0
        for heap in range(self.heaps - 1):
            stones += state[heap]
            number += self._term(heap, stones)
        return 0, number

    def unrank(self, layer: int, section: int, index: int) -> State:
        left = layer
        state = (0,) * self.heaps
        for heap in range(self.heaps - 1, 0, -1):
            here = 0  # the stones in heaps 0 to `heap` - 1: the most whose term is not above the number
            while here < left and self._term(heap - 1, here + 1) <= index:
                here += 1
            index -= self._term(heap - 1, here)
            state = (*state[:heap], left - here, *state[heap + 1 :])
            left = here
        return (left, *state[1:], ggp.MAX)

    def positions(self, layer: int, section: int, first: int) -> Iterator[State]:
        count = self._term(self.heaps - 2, layer + 1) if self.heaps > 1 else 1
        for index in range(first, count):
            yield self.unrank(layer, section, index)

    @cached_property
    def _terms(self) -> tuple[int, ...]:
        """C(p + j, j + 1) for each heap j and all p up to `MOST_STONES` + 1."""
        return tuple(comb(p + j, j + 1) for j in range(self.heaps) for p in range(MOST_STONES + 2))

    def _term(self, heap: int, stones: int) -> int:
        """Return what `stones` stones in the heaps 0 to `heap` add to the index of a state."""
        return self._terms[(MOST_STONES + 2) * heap + stones]
