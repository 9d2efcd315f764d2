"""Shapes: groups of conditions that are the same pattern of facts at different places, such as all lines of three on a
board.

The other facts of a pattern have fixed distances from its first fact. So shifts of a state's words test the pattern at
all places at once, with one bit for each place.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from ggp_gdl.game import WORD

FEWEST = 4
"""Minimum number of places of a shape."""
LONGEST = 12
"""Maximum number of facts of a shape."""

Literal = tuple[int, bool]
"""The number of a fact, and whether it must hold."""
ItemT = TypeVar("ItemT")


class Shape(NamedTuple, Generic[ItemT]):
    """A pattern, and the places where it stands."""

    guard: tuple[Literal, ...]
    """Facts that belong to the condition at every place, such as whose turn it is."""
    pattern: tuple[Literal, ...]
    """Each fact of the pattern: its distance from the first fact, and whether it must hold."""
    places: dict[int, ItemT]
    """The item (such as a move) to which the condition at each place belongs. A place is the number of the
    first fact.
    """

    def words(self) -> list[int]:
        """Return the indices of the words that contain the first fact of a place."""
        return sorted({bit // WORD for bit in self.places})

    def test(self, word: int) -> str:
        """Return the code of a number that has a bit set for each place of this word at which the pattern stands."""
        starts = sum(1 << bit % WORD for bit in self.places if bit // WORD == word)
        parts = [str(starts)]
        for distance, holds in self.pattern:
            code = shifted(word, starts, distance)
            parts.append(code if holds else f"~{code}")
        return " & ".join(parts)


def shifted(word: int, starts: int, distance: int) -> str:
    """Return the code of a shifted word: its bit i says whether the fact `distance` after fact i of the word holds.
    Only the bits in `starts` need to be right.
    """
    whole, rest = divmod(distance, WORD)
    near, far = starts & (1 << WORD - rest) - 1, starts >> WORD - rest
    codes = []
    if near:
        codes.append(f"(w{word + whole} >> {rest})" if rest else f"w{word + whole}")
    if far:
        codes.append(f"((w{word + whole + 1} & {(1 << rest) - 1}) << {WORD - rest})")
    return codes[0] if len(codes) == 1 else f"({' | '.join(codes)})"


def find_shapes(
    conditions: Sequence[tuple[ItemT, frozenset[Literal]]],
) -> tuple[list[Shape[ItemT]], list[ItemT]]:
    """Return the shapes found among some conjunctions, and the items of the remaining conjunctions."""
    counts = Counter(literal for _, literals in conditions for literal in literals)
    common = {literal for literal, count in counts.items() if count >= max(FEWEST, len(conditions) / 2)}
    groups: dict[tuple[tuple[Literal, ...], tuple[Literal, ...]], dict[int, ItemT]] = defaultdict(dict)
    others = []
    for item, literals in conditions:
        guard, own = tuple(sorted(literals & common)), sorted(literals - common)
        first = own[0][0] if own else 0
        places = groups[guard, tuple((number - first, holds) for number, holds in own)]
        if not own or len(own) > LONGEST or first in places:
            others.append(item)
        else:
            places[first] = item
    shapes = [Shape(guard, pattern, places) for (guard, pattern), places in groups.items() if len(places) >= FEWEST]
    others += [item for places in groups.values() if len(places) < FEWEST for item in places.values()]
    return shapes, others


def literals_of(cube: Iterable[tuple[int, int]]) -> frozenset[Literal]:
    """Return the facts of a condition. The condition is given as two masks for each word: the bits that matter, and
    those that must be set.
    """
    return frozenset(
        (word * WORD + bit, bool(wanted >> bit & 1))
        for word, (mask, wanted) in enumerate(cube)
        for bit in range(WORD)
        if mask >> bit & 1
    )
