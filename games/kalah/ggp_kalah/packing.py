"""One side of the board in one integer.

A side's *word* holds its m houses and above them its store, `bits` bits each: house 0, the one farthest from the
store, is in the lowest bits, and sowing goes up. So seeds sown one by one are a run of ones, and sowing them is one
addition. A word is a number in base `2**bits`, and its remainder by `2**bits - 1` is the sum of its digits:
`word % mask` counts a side's seeds.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import attrs

State = tuple[int, int, int]
"""South's word, North's word, and who is to move (0 is South, 1 is North)."""


Evaluate = Callable[[State], float]
"""An estimate of what a state is worth to South."""

Function = TypeVar("Function", bound=Callable[..., Any])


class Compile(Protocol):
    """Makes a function run at one of the two speeds: the identity, or Numba's decorator."""

    def __call__(self, function: Function, /) -> Function: ...


@attrs.frozen
class Packing:
    """How a board of `houses` houses a side is packed, with `bits` bits for each house and each store."""

    houses: int
    bits: int

    @property
    def mask(self) -> int:
        """A field of ones, in the place of house 0."""
        return (1 << self.bits) - 1

    @property
    def capacity(self) -> int:
        """The most seeds that a board may hold, so that the sum of a word's digits is less than the mask."""
        return self.mask - 1

    @property
    def store(self) -> int:
        """Where the store begins, in bits."""
        return self.bits * self.houses

    @property
    def all_houses(self) -> int:
        """A field of ones in the place of each house."""
        return (1 << self.store) - 1

    @property
    def seed_each(self) -> int:
        """A word with one seed in each house, and none in the store."""
        return self.all_houses // self.mask

    def state(self, south: Sequence[int], north: Sequence[int], mover: int) -> State:
        """The state with these seeds in houses 0 to m - 1 and the store of each side.

        If a side's houses are all empty the game is over: each player keeps the seeds on their side, in the store.
        """
        if not any(south[:-1]) or not any(north[:-1]):
            south, north = self._swept(south), self._swept(north)
        return self.pack(south), self.pack(north), mover

    def _swept(self, side: Sequence[int]) -> Sequence[int]:
        return [0] * self.houses + [sum(side)]

    def pack(self, side: Sequence[int]) -> int:
        """The word of a side, from the seeds in houses 0 to m - 1 and the store."""
        return sum(seeds << self.bits * place for place, seeds in enumerate(side))

    def unpack(self, word: int) -> list[int]:
        """The seeds in houses 0 to m - 1 and the store of a side."""
        return [word >> self.bits * place & self.mask for place in range(self.houses + 1)]

    def convert(self, state: tuple[int, ...], packing: "Packing") -> State:
        """A state of this packing in the other `packing`.

        Raises:
            OverflowError: the other packing cannot hold so many seeds.
        """
        south, north, mover = state
        seeds = south % self.mask + north % self.mask
        if seeds > packing.capacity:
            raise OverflowError(
                f"{seeds} seeds do not fit: Kalah with {self.houses} houses a side"
                f" takes at most {packing.capacity} seeds at machine speed"
            )
        return packing.pack(self.unpack(south)), packing.pack(self.unpack(north)), mover
