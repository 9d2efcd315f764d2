"""Fields: conditions of several cases each, such as a move that captures in any of eight directions.

Each condition belongs to one fact, and its cases are patterns of facts around that fact. Many conditions have the same
patterns.

Patterns that begin alike are tested together, like words in a trie. Each pattern is tested at all places at once by
shifts of a state's words, as `ggp_gdl.shapes` does for a single pattern.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple

from ggp_gdl.game import WORD
from ggp_gdl.shapes import FEWEST, ItemT, Literal, shifted

MOST_PATTERNS = 120
"""Maximum number of patterns of a field."""
GUARDED = 8
"""If at least this many patterns begin alike, the code first tests whether any place has this beginning.

In most states, no place has it.
"""

Case = frozenset[Literal]
Pattern = frozenset[Literal]
"""Distances of a pattern's facts from the fact of a condition."""


class Field(NamedTuple, Generic[ItemT]):
    """Conditions at many places. Each condition holds if its fact and one of the patterns around that fact hold."""

    guard: tuple[Literal, ...]
    """Facts that belong to all cases of all conditions."""
    holds: bool
    """Whether the fact of each condition must hold; if false, it must not hold."""
    places: dict[int, ItemT]
    """The item that each condition belongs to, such as a move, by the number of the condition's fact."""
    patterns: dict[Pattern, list[int]]
    """For each pattern, the facts of the conditions that have the pattern as a case."""

    def words(self) -> list[int]:
        """Return the words that contain the facts of the conditions."""
        return sorted({bit // WORD for bit in self.places})

    def lines(self, word: int, result: str, then: Sequence[str] = ()) -> list[str]:
        """Return code that sets a bit of `result` for each condition that holds, if its fact is in a given word.

        Arguments:
            then: code that follows each group of patterns that begin alike.
        """
        starts = {pattern: _bits(places, word) for pattern, places in self.patterns.items()}
        within = {pattern: bits for pattern, bits in starts.items() if bits}
        first = f"w{word}" if self.holds else f"~w{word}"
        groups = self._groups(word, within, first, result, f"{result}_")
        return [f"{result} = 0", *(line for group in groups for line in (*group, *then))]

    def _groups(
        self, word: int, patterns: Mapping[Pattern, int], before: str, result: str, name: str
    ) -> Iterator[list[str]]:
        """Yield the code of patterns; patterns with the same beginning share the test of the beginning.

        Arguments:
            before: the code for a set of places; the patterns can hold at no other place.
        """
        rest = dict(patterns)
        for bits in [bits for pattern, bits in rest.items() if not pattern]:
            yield [f"{result} |= {before} & {bits}"]
        rest.pop(frozenset(), None)
        number = 0
        while rest:
            literal = _most_common(rest)
            group = {pattern - {literal}: bits for pattern, bits in rest.items() if literal in pattern}
            rest = {pattern: bits for pattern, bits in rest.items() if literal not in pattern}
            starts = 0
            for bits in group.values():
                starts |= bits
            code = shifted(word, starts, literal[0])
            code = f"{before} & {code if literal[1] else f'~{code}'}"
            if len(group) == 1:
                ((pattern, _),) = group.items()
                for distance, holds in sorted(pattern):
                    other = shifted(word, starts, distance)
                    code += f" & {other if holds else f'~{other}'}"
                yield [f"{result} |= {code} & {starts}"]
                continue
            number += 1
            inner = f"{name}{number}"
            lines = [line for part in self._groups(word, group, inner, result, f"{inner}_") for line in part]
            if len(group) >= GUARDED:
                lines = [f"if {inner} & {starts} != 0:", *("    " + line for line in lines)]
            yield [f"{inner} = {code}", *lines]


def _most_common(patterns: Iterable[Pattern]) -> Literal:
    counts = Counter(literal for pattern in patterns for literal in pattern)
    return max(counts, key=lambda literal: (counts[literal], -abs(literal[0]), literal))


def _bits(places: Iterable[int], word: int) -> int:
    return sum(1 << bit % WORD for bit in places if bit // WORD == word)


def find_field(conditions: Sequence[tuple[ItemT, Sequence[Case]]]) -> tuple[Field[ItemT] | None, list[ItemT]]:
    """Return the field with as many of the conditions as fit, and the items of the remaining conditions.

    Arguments:
        conditions: for each condition, its item (such as a move) and its cases; the condition holds if one of the cases
            holds.
    """
    everything = [item for item, _ in conditions]
    inner = {i: frozenset.intersection(*cases) for i, (_, cases) in enumerate(conditions) if cases}
    counts = Counter(literal for common in inner.values() for literal in common)
    guard = frozenset(literal for literal, count in counts.items() if count >= max(FEWEST, len(inner) * 2 / 3))
    anchors: dict[int, Literal] = {}
    for i, common in inner.items():
        own = [literal for literal in common - guard if counts[literal] == 1]
        if guard <= common and own:
            anchors[i] = min(own)
    holds = Counter(literal[1] for literal in anchors.values()).most_common(1)
    if not holds:
        return None, everything
    patterns: dict[Pattern, list[int]] = {}
    places: dict[int, ItemT] = {}
    for i, (number, sign) in anchors.items():
        if sign == holds[0][0]:
            item, cases = conditions[i]
            places[number] = item
            for case in cases:
                around = frozenset((each - number, value) for each, value in case - guard - {(number, sign)})
                patterns.setdefault(around, []).append(number)
    if len(places) < FEWEST or len(patterns) > min(MOST_PATTERNS, len(places) * 2):
        return None, everything
    for pattern in patterns.values():
        pattern.sort()
    kept = set(places.values())
    return Field(tuple(sorted(guard)), holds[0][0], places, patterns), [i for i in everything if i not in kept]
